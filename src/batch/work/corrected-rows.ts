/**
 * The corrected rows of a chunk. A chunk with corrections is rated as if the list had had these rows from the start: its bytes
 * are the list's, and each corrected row is read in the place of the row that it replaces.
 */

import { z } from 'zod';
import { must } from '../../base/must.ts';
import type { Store } from '../../base/store/store.ts';
import { textOf } from '../../files/csv/cell.ts';
import { createScanner } from '../../files/csv/scanner.ts';
import { correctedLine } from '../../lists/rows/corrected-row.ts';
import { type BatchDocument, baseOf, keys, type RevisionDocument } from '../records.ts';
import { revisionsUpTo } from '../revisions.ts';
import { condemnedRows } from './poison-row.ts';

/** Positions of corrected rows in the upload: the row number in the batch, the first byte, and the byte after the last. */
const positions = z.array(z.tuple([z.int(), z.int(), z.int()]));
type Position = z.output<typeof positions>[number];

/** Corrections that are closer together than this are read in one piece. */
const GAP_BYTES = 64 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;

/** A list, and the revisions whose corrections count, the first one first. */
export interface CorrectedList {
  readonly store: Store;
  /** Of the batch, or of a comparison's base. */
  readonly id: string;
  readonly document: BatchDocument;
  readonly revisions: readonly RevisionDocument[];
  readonly maximumRowBytes: number;
}

/** The list that a batch rates in a revision, or that a comparison compares. */
export const correctedList = async (
  { store, maximumRowBytes }: Pick<CorrectedList, 'store' | 'maximumRowBytes'>,
  document: BatchDocument,
  revision: number,
): Promise<CorrectedList> => {
  const { id: own, comparison } = document;
  const id = comparison === undefined ? own : baseOf(own);
  // A comparison of two batches reads their outputs, and no list.
  const compared = comparison?.join === undefined ? comparison?.of?.revision : undefined;
  const last = comparison === undefined ? revision : (compared ?? 1);
  return { store, id, document, revisions: await revisionsUpTo(store, id, last), maximumRowBytes };
};

/** Reads rows of an upload of corrections, each as a line of the list with commas. */
async function* readLines(
  { store, id, document, maximumRowBytes }: CorrectedList,
  corrects: RevisionDocument,
  rows: readonly Position[],
): AsyncGenerator<readonly [number: number, line: string]> {
  const key = keys.corrections(id, corrects.upload);
  const { row, scan } = createScanner(corrects.dialect, maximumRowBytes);
  const form = { columns: document.columns, format: document.format, repairs: corrects.repairs };
  const byPlace = rows.toSorted(([, a], [, b]) => a - b);
  for (let first = 0; first < byPlace.length; ) {
    const position = must(byPlace[first], 'the position of a corrected row');
    const start = position[1];
    let end = position[2];
    let next = first + 1;
    for (let at = byPlace[next]; at !== undefined; at = byPlace[next]) {
      if (at[1] - end > GAP_BYTES || at[2] - start > MOST_BYTES) break;
      end = at[2];
      next += 1;
    }
    const bytes = await store.get(key, { from: start, to: end });
    if (bytes?.length !== end - start) throw new Error(`the corrections of batch ${id} have changed`);
    const text = textOf(bytes);
    for (const [number, from] of byPlace.slice(first, next)) {
      scan(text, from - start, true);
      const line = correctedLine(text, row, corrects.cells, form);
      if (line === undefined) throw new Error(`row ${number} of the corrections of batch ${id} has no content`);
      yield [number, line];
    }
    first = next;
  }
}

/**
 * The corrected rows of a chunk as they were last corrected, and those of its rows, as they are now, that are known to end the
 * process.
 */
export const correctedRows = async (list: CorrectedList, index: number) => {
  const { store, id, revisions } = list;
  const corrected = new Map<number, string>();
  const own = revisions.filter(({ chunks }) => chunks.some((chunk) => chunk.index === index));
  const poisonRows = new Set(own.length === 0 ? [] : await condemnedRows(store, keys.poisonRows(id, index)));
  for (const corrects of own) {
    const place = corrects.chunks.find((chunk) => chunk.index === index);
    const listed = await store.get(keys.correctedRows(id, corrects.upload), place);
    if (listed === undefined) throw new Error(`the corrections of batch ${id} are not there`);
    for await (const [number, line] of readLines(list, corrects, positions.parse(JSON.parse(listed.toString())))) {
      corrected.set(number, line);
      poisonRows.delete(number);
    }
    for (const number of await condemnedRows(store, keys.poisonRows(id, index, corrects.revision)))
      poisonRows.add(number);
  }
  return { corrected, poisonRows };
};
