/**
 * Checks uploaded corrections, and starts the revision that applies them. Each row names the faulty row of the batch that it
 * replaces. Each faulty row may be named once. Only the byte range of each row is kept, by chunk. A worker reads the rows
 * from the upload itself.
 */

import { getOrMake } from '../base/maps.ts';
import { must } from '../base/must.ts';
import { putJson, type Store } from '../base/store/store.ts';
import { inSlices, isTurnOver, turn } from '../base/time-slices.ts';
import { severalOf } from '../catalog/tariff/findings.ts';
import { bare, cellOf, decodeText, textOf } from '../files/csv/cell.ts';
import { OWN_DIALECT } from '../files/csv/map-rows.ts';
import { createScanner, type ScannedRow } from '../files/csv/scanner.ts';
import type { Problems } from '../files/input/text-options.ts';
import type { Plan } from '../lists/chunk-plan.ts';
import type { Columns } from '../lists/columns/columns.ts';
import { type CorrectionColumns, correctedLine, matchColumns } from '../lists/rows/corrected-row.ts';
import { type BatchDocument, keys, type OutputDocument, type RevisionDocument } from './records.ts';
import { nextRevision, readRevisionPlan } from './revisions.ts';
import type { Context } from './scheduler.ts';
import { state } from './state.ts';
import { initialFields } from './view.ts';

/** Maximum number of corrections in an upload. Their positions are kept in memory. */
export const MOST_CORRECTIONS = 1_000_000;
/** Maximum number of rows that a refusal names. */
const NAMED = 20;

/** The corrected rows, in parallel arrays: row number, first byte, and the byte after the last. */
interface Found {
  readonly rows: number[];
  readonly from: number[];
  readonly to: number[];
}

export interface UploadedCorrections {
  readonly upload: string;
  readonly columns: Columns;
  readonly plan: Plan;
}

export interface CorrectionDeps {
  readonly store: Store;
  readonly document: BatchDocument;
  readonly plan: Plan;
  /** The output that is corrected. */
  readonly output: OutputDocument;
  readonly maximumRowBytes: number;
}

export type JudgedCorrections = CorrectionColumns & Pick<RevisionDocument, 'rows' | 'chunks'>;
type Refused = { readonly problems: Problems };

const named = (rows: readonly (number | string)[]): string => severalOf(rows, ', ', NAMED);

const ROW_NUMBER = /^[1-9]\d{0,9}$/;

const hasSurplus = (text: string, row: ScannedRow, width: number): boolean => {
  for (let at = width; at < row.cells; at++) if (cellOf(text, row, at) !== '') return true;
  return false;
};

/** Reads all rows of the upload. */
const findRows = async (
  { store, document, plan, maximumRowBytes }: CorrectionDeps,
  { upload, columns, plan: uploaded }: UploadedCorrections,
  { rowColumn, cells }: CorrectionColumns,
): Promise<Found | Refused> => {
  const { row, scan } = createScanner(columns.dialect, maximumRowBytes);
  // Whether a row has content does not depend on repairs.
  const form = { columns: document.columns, format: document.format, repairs: [] };
  const found: Found = { rows: [], from: [], to: [] };
  const malformed: number[] = [];
  const empty: number[] = [];
  const unknown: string[] = [];
  for (const { from, to, firstRow } of uploaded.chunks) {
    const bytes = await store.get(keys.corrections(document.id, upload), { from, to });
    if (bytes?.length !== to - from) throw new Error(`corrections ${upload} of batch ${document.id} are not whole`);
    const text = textOf(bytes);
    let own = firstRow;
    for (let at = 0; scan(text, at, true) === 'row'; at = row.next) {
      if (isTurnOver()) await turn();
      if (row.blank) continue;
      const cell = bare(decodeText(cellOf(text, row, rowColumn)));
      const number = ROW_NUMBER.test(cell) ? Number(cell) : 0;
      if (row.malformed !== undefined || hasSurplus(text, row, columns.header.length)) malformed.push(own);
      else if (number < 1 || number > plan.rows) unknown.push(cell === '' ? `(none, in row ${own} of the file)` : cell);
      else if (correctedLine(text, row, cells, form) === undefined) empty.push(number);
      found.rows.push(number);
      found.from.push(from + row.start);
      found.to.push(from + row.next);
      own += 1;
    }
  }
  const problems: Problems = {
    ...(malformed.length > 0 ? { file: `rows of it cannot be read: ${named(malformed)}` } : {}),
    ...(unknown.length > 0 ? { unknownRows: `the batch has rows 1 to ${plan.rows}, not ${named(unknown)}` } : {}),
    ...(empty.length > 0 ? { emptyRows: `rows without any content: ${named(empty)}` } : {}),
  };
  return Object.keys(problems).length > 0 ? { problems } : found;
};

/** Returns the numbers of a chunk's rows that have a fault in the output. */
const faultyRows = async ({ store, document, output }: CorrectionDeps, index: number): Promise<ReadonlySet<number>> => {
  const part = output.parts.find((own) => own.index === index);
  const faulty = new Set<number>();
  if (part === undefined || part.faultBytes === 0) return faulty;
  const bytes = await store.get(keys.faults(document.id, index, part.revision));
  if (bytes?.length !== part.faultBytes)
    throw new Error(`the faults of chunk ${index} of ${document.id} are not whole`);
  const text = textOf(bytes);
  const { row, scan } = createScanner(OWN_DIALECT, Number.MAX_SAFE_INTEGER);
  for (let at = 0; scan(text, at, true) === 'row'; at = row.next) {
    if (isTurnOver()) await turn();
    faulty.add(Number(cellOf(text, row, document.columns.passed.length)));
  }
  return faulty;
};

/** Returns the index of the chunk that has this row. */
const chunkOf = ({ chunks }: Plan, row: number): number => {
  let [from, to] = [0, chunks.length - 1];
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (must(chunks[middle], 'a chunk of the plan').firstRow <= row) from = middle;
    else to = middle - 1;
  }
  return from;
};

interface ByChunk {
  /** By chunk: its corrected rows in order, as indexes into the found rows. */
  readonly order: ReadonlyMap<number, readonly number[]>;
  /** Numbers of rows that occur twice. */
  readonly twice: ReadonlySet<number>;
}

/** Groups the rows by chunk and sorts within each chunk, because sorting all rows at once would take long. */
const byChunk = async ({ rows }: Found, plan: Plan): Promise<ByChunk> => {
  const rowAt = (at: number): number => must(rows[at], 'the number of a corrected row');
  const order = new Map<number, number[]>();
  for (const [at, row] of rows.entries()) {
    if (isTurnOver()) await turn();
    getOrMake(order, chunkOf(plan, row), (): number[] => []).push(at);
  }
  const twice = new Set<number>();
  for (const own of order.values()) {
    own.sort((a, b) => rowAt(a) - rowAt(b));
    let before: number | undefined;
    for (const row of own.map(rowAt)) {
      if (row === before) twice.add(row);
      before = row;
    }
    if (isTurnOver()) await turn();
  }
  return { order, twice };
};

/** Writes the positions of rows chunk by chunk, and collects the problems of rows. */
async function* placesByChunk(
  deps: CorrectionDeps,
  { rows, from, to }: Found,
  order: ByChunk['order'],
  chunks: RevisionDocument['chunks'],
  notFaulty: number[],
): AsyncGenerator<Buffer> {
  let written = 0;
  for (const index of deps.plan.chunks.keys()) {
    const own = order.get(index);
    if (own === undefined) continue;
    const places = own.map((at) => {
      const row = must(rows[at], 'the number of a corrected row');
      return [row, must(from[at], 'the start of a corrected row'), must(to[at], 'the end of a corrected row')] as const;
    });
    const faulty = await faultyRows(deps, index);
    for (const [row] of places) if (!faulty.has(row)) notFaulty.push(row);
    const line = Buffer.from(`${JSON.stringify(places)}\n`);
    chunks.push({ index, rows: places.length, from: written, to: written + line.length });
    written += line.length;
    yield line;
    if (isTurnOver()) await turn();
  }
}

/**
 * Checks uploaded corrections and stores the positions of their rows.
 * @returns the corrected rows by chunk, and how many rows are rated again. Otherwise the problems, one entry each with its
 * rows: not in the batch, there twice, without a fault in the output, without content; or `tooMany`
 */
export const judgeCorrections = async (
  deps: CorrectionDeps,
  uploaded: UploadedCorrections,
): Promise<JudgedCorrections | Refused | 'tooMany'> => {
  if (uploaded.plan.rows > MOST_CORRECTIONS) return 'tooMany';
  const { store, document } = deps;
  const columns = await inSlices(matchColumns(document.columns, document.format, uploaded.columns.header));
  if ('problems' in columns) return columns;
  const found = await findRows(deps, uploaded, columns);
  if ('problems' in found) return found;
  const { order, twice } = await byChunk(found, deps.plan);
  if (twice.size > 0)
    return { problems: { rowsTwice: `rows that occur twice: ${named([...twice].sort((a, b) => a - b))}` } };
  const chunks: RevisionDocument['chunks'] = [];
  const notFaulty: number[] = [];
  const key = keys.correctedRows(document.id, uploaded.upload);
  await store.put(key, placesByChunk(deps, found, order, chunks, notFaulty), { durable: true });
  if (notFaulty.length > 0)
    return {
      problems: { rowsWithoutFault: `rows that have no fault: ${named(notFaulty)}; remove these rows from the file` },
    };
  const rows = chunks.reduce((sum, { index }) => sum + must(deps.plan.chunks[index], 'a corrected chunk').rows, 0);
  return { ...columns, rows, chunks };
};

/** Checked corrections in the store. */
export type Corrections = Omit<RevisionDocument, 'revision'>;

/**
 * Creates the revision and queues it. If two corrections arrive at once, the state in Redis decides between them. A process
 * that is killed after that leaves a revision without a document. The sweeper removes it.
 * @returns false if the revision to correct is no longer the completed one; then nothing remains
 */
export const revise = async (
  { store, redis, scheduler }: Pick<Context, 'store' | 'redis' | 'scheduler'>,
  document: BatchDocument,
  corrections: Corrections,
): Promise<boolean> => {
  const { id } = document;
  const revision = await nextRevision(store, id);
  const fields = { ...initialFields(document, 'queued', revision), revisedAt: corrections.createdAt };
  // Redis may have been emptied since the batch was found.
  if ((await state.clientOf(redis, id)) === undefined) await scheduler.restore(id);
  if (!(await state.revise(redis, id, corrections.from, fields))) return false;
  try {
    await putJson(store, keys.revision(id, revision), { ...corrections, revision }, { durable: true });
  } catch (error) {
    await state.remove(redis, id);
    await scheduler.restore(id);
    throw error;
  }
  const revisionPlan = await readRevisionPlan(store, id, revision);
  if (revisionPlan === undefined) throw new Error(`revision ${revision} of batch ${id} is not there`);
  await scheduler.enqueueRevision(document, revisionPlan);
  return true;
};
