/**
 * The corrected rows of a chunk. A chunk with corrections is rated as if the list had always had these rows. Its bytes come
 * from the list, and each corrected row is read instead of the row that it replaces.
 */

import { z } from 'zod';
import { must } from '../../base/must.ts';
import { textOf } from '../../files/csv/cell.ts';
import { createScanner } from '../../files/csv/scanner.ts';
import { correctedLine } from '../../lists/rows/corrected-row.ts';
import { type BatchDocument, baseOf, keys, type RevisionDocument } from '../records.ts';
import { revisionsUpTo } from '../revisions.ts';
import type { RaterDeps } from './chunk-rows.ts';
import { condemnedRows } from './poison-row.ts';

/** Positions of corrected rows in the upload: the row number in the batch, the first byte, and the byte after the last. */
const positions = z.array(z.tuple([z.int(), z.int(), z.int()]));
type Position = z.output<typeof positions>[number];

/** Corrections with a smaller distance than this are read together. */
const GAP_BYTES = 64 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;

export type CorrectedList = Awaited<ReturnType<typeof correctedList>>;

/** Returns the list that a batch rates in a revision, or that a comparison compares, and its corrections, the first one first. */
export const correctedList = async (
  { store, maximumRowBytes }: Omit<RaterDeps, 'snapshots'>,
  document: BatchDocument,
  revision: number,
) => {
  const { id: own, comparison } = document;
  const id = comparison === undefined ? own : baseOf(own);
  // A comparison of two batches reads their outputs, not a list.
  const compared = comparison?.join === undefined ? comparison?.of?.revision : undefined;
  const last = comparison === undefined ? revision : (compared ?? 1);
  /** `id`: of the batch, or of a comparison's base. */
  return { store, id, document, revisions: await revisionsUpTo(store, id, last), maximumRowBytes };
};

/** Reads rows of uploaded corrections, each as a line of the list with commas. */
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
 * Returns the corrected rows of a chunk in their last form, and the poison rows of the chunk. A poison row that was
 * corrected since does not count.
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
