/**
 * A chunk with corrected rows. They are rated as rows of the batch's list, and replace their rows in the part of the
 * revision before. The rest of the part stays as it is.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import { must } from '../../base/must.ts';
import type { Store } from '../../base/store/store.ts';
import { cellOf, textOf } from '../../files/csv/cell.ts';
import { OWN_DIALECT } from '../../files/csv/map-rows.ts';
import { createScanner, type ScannedRow } from '../../files/csv/scanner.ts';
import type { Chunk } from '../../lists/chunk-plan.ts';
import { placeOf } from '../../lists/output/output-columns.ts';
import { PLAIN_FORMAT } from '../../lists/output/output-format.ts';
import { plus, type Tally, withoutFaults } from '../../lists/output/tally.ts';
import { correctedLine } from '../../lists/rows/corrected-row.ts';
import { createRater, OutputTooLarge, type RatedRows, type RatingContext } from '../../lists/rows/rate-rows.ts';
import { keys, type Part, type RevisionDocument } from '../records.ts';
import { ratedRows } from './chunk-rows.ts';
import { findPoisonRows } from './poison-row.ts';

/** Positions of corrected rows in the upload: the row number in the batch, the first byte, and the byte after the last. */
const positions = z.array(z.tuple([z.int(), z.int(), z.int()]));
type Position = z.output<typeof positions>[number];

export interface ChunkToCorrect {
  readonly store: Store;
  readonly id: string;
  readonly corrects: RevisionDocument;
  readonly range: Chunk;
  /** Of the batch. */
  readonly context: RatingContext;
  /** The limit on the output of this many bytes of corrected rows. */
  readonly most: (bytes: number) => number;
}

/** Given if the chunk was begun often and never ended: it is probed for poison rows. */
export interface Suspicion {
  readonly key: string;
  readonly alone: <T>(step: () => Promise<T>) => Promise<T>;
}

/** Corrections that are closer together than this are read in one piece. */
const GAP_BYTES = 64 * 1024;
const MOST_BYTES = 4 * 1024 * 1024;
/** Rows between two turns of the event loop. */
const SLICE_ROWS = 200;

/** Corrections, and how the rows of their list are read. */
interface CorrectedList extends Pick<ChunkToCorrect, 'store' | 'id' | 'corrects'> {
  readonly context: Pick<RatingContext, 'columns' | 'maximumRowBytes' | 'format'>;
}

/** Reads the corrected rows, each as a line of the batch's own list. */
const readLines = async (
  { store, id, corrects, context }: CorrectedList,
  rows: readonly Position[],
): Promise<ReadonlyMap<number, string>> => {
  const key = keys.corrections(id, corrects.upload);
  const { row, scan } = createScanner(corrects.dialect, context.maximumRowBytes);
  const form = { columns: context.columns, format: context.format ?? PLAIN_FORMAT, repairs: corrects.repairs };
  const lines = new Map<number, string>();
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
      lines.set(number, line);
    }
    first = next;
  }
  return new Map([...lines].sort(([a], [b]) => a - b));
};

/** The corrected rows of a chunk by number, in order, each as a line of the batch's own list with commas. */
export const correctedLines = async (list: CorrectedList, index: number): Promise<ReadonlyMap<number, string>> => {
  const { store, id, corrects } = list;
  const place = corrects.chunks.find((own) => own.index === index);
  if (place === undefined) return new Map();
  const listed = await store.get(keys.correctedRows(id, corrects.upload), place);
  if (listed === undefined) throw new Error(`the corrections of batch ${id} are not there`);
  return await readLines(list, positions.parse(JSON.parse(listed.toString())));
};

/** Each row of a part, in order. */
const eachRow = (bytes: Buffer, see: (text: string, row: ScannedRow) => void): void => {
  const text = textOf(bytes);
  const { row, scan } = createScanner(OWN_DIALECT, Number.MAX_SAFE_INTEGER);
  for (let at = 0; scan(text, at, true) === 'row'; at = row.next) see(text, row);
};

const rateLines = async (
  { context, most }: ChunkToCorrect,
  lines: ReadonlyMap<number, string>,
  poisonRows: ReadonlySet<number>,
): Promise<ReadonlyMap<number, RatedRows>> => {
  const own = { ...context, columns: { ...context.columns, dialect: OWN_DIALECT }, poisonRows };
  const rated = new Map<number, RatedRows>();
  let [input, output] = [0, 0];
  for (const [number, line] of lines) {
    const rater = createRater(Buffer.from(line, 'latin1'), number, own);
    while (rater.step(1));
    const result = rater.result();
    input += line.length;
    output += result.output.length + result.faults.length;
    if (output > most(input)) throw new OutputTooLarge(number);
    rated.set(number, result);
    if (rated.size % SLICE_ROWS === 0) await turn();
  }
  return rated;
};

/** Numbers of the corrected rows that are poison rows. */
const poisonRowsOf = async (
  { store, context }: ChunkToCorrect,
  lines: ReadonlyMap<number, string>,
  { key, alone }: Suspicion,
): Promise<ReadonlySet<number>> => {
  const numbers = [...lines.keys()];
  const own = { ...context, columns: { ...context.columns, dialect: OWN_DIALECT } };
  const bytes = Buffer.from([...lines.values()].join(''), 'latin1');
  // The rows are not adjacent, so they are probed by their index among the corrected rows.
  const { begin } = ratedRows(own);
  const places = await findPoisonRows(store, key, { firstRow: 0, rows: lines.size, bytes, context: own, begin }, alone);
  return new Set([...places].map((place) => must(numbers[place], 'the number of a corrected row')));
};

const read = async (store: Store, key: string): Promise<Buffer> => {
  const bytes = await store.get(key);
  if (bytes === undefined) throw new Error(`${key} is not there`);
  return bytes;
};

/**
 * @param before the chunk's part in the revision that is corrected
 * @returns the chunk's rows with the corrected ones in their places, and the tally of all
 */
export const correctChunk = async (
  chunk: ChunkToCorrect,
  index: number,
  before: Part,
  suspicion: Suspicion | undefined,
): Promise<RatedRows> => {
  const { store, id, range, context } = chunk;
  const lines = await correctedLines(chunk, index);
  const poisonRows = suspicion === undefined ? new Set<number>() : await poisonRowsOf(chunk, lines, suspicion);
  const rated = await rateLines(chunk, lines, poisonRows);

  const output: Buffer[] = [];
  const old = await read(store, keys.part(id, index, before.revision));
  let number = range.firstRow;
  eachRow(old, (_, row) => {
    output.push(rated.get(number)?.output ?? old.subarray(row.start, row.next));
    number += 1;
  });

  const faults = new Map<number, Buffer>();
  const correctedFaults: string[] = [];
  const rowCell = context.columns.passed.length;
  const faultType = rowCell + placeOf('fault_type');
  const oldFaults =
    before.faultBytes === 0 ? Buffer.alloc(0) : await read(store, keys.faults(id, index, before.revision));
  eachRow(oldFaults, (text, row) => {
    const faulted = Number(cellOf(text, row, rowCell));
    if (rated.has(faulted)) correctedFaults.push(cellOf(text, row, faultType));
    else faults.set(faulted, oldFaults.subarray(row.start, row.next));
  });
  let tally: Tally = withoutFaults(before.tally, correctedFaults);
  for (const [corrected, rows] of rated) {
    if (rows.faults.length > 0) faults.set(corrected, rows.faults);
    tally = plus(tally, rows.tally);
  }
  if (tally.processed !== range.rows)
    throw new Error(`chunk ${index} of batch ${id} has corrected rows that had no fault`);
  const inOrder = [...faults].sort(([a], [b]) => a - b).map(([, line]) => line);
  return { output: Buffer.concat(output), faults: Buffer.concat(inOrder), tally };
};
