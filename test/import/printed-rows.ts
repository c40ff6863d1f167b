/** Rows that people read off the carriers' rendered pages. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

/** @param name a file of `fixtures` @returns its rows by the names of its header */
export const printedRows = (name: string): readonly Record<string, string>[] =>
  parse(readFileSync(join(import.meta.dirname, 'fixtures', name)), { columns: true });
