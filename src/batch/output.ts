/**
 * The files that a batch gives out. None is stored as one: the output is its header and its parts in order, so putting
 * it together copies nothing.
 */
import { Readable } from 'node:stream';
import { outputHeaderBytes } from '../rows/rate-rows.ts';
import { MissingObject, type Piece, type Store } from '../store/store.ts';
import { createSlices } from '../time-slices.ts';
import { type BatchDocument, keys, type OutputDocument, readPartSizes, records } from './records.ts';

export interface OutputFile {
  /** Absent where it is not known before it is written. */
  readonly bytes?: number;
  readonly mediaType: string;
  readonly content: Readable;
}

interface Section {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export const CSV_TYPE = 'text/csv; charset=utf-8';

const join = (store: Store, header: Buffer, sections: readonly Section[]): OutputFile => ({
  mediaType: CSV_TYPE,
  bytes: sections.reduce((sum, { from, to }) => sum + to - from, header.length),
  content: Readable.from(
    (async function* (): AsyncGenerator<Buffer> {
      yield header;
      for (const { key, from, to } of sections) {
        for await (const bytes of store.stream(key, { from, to })) yield Buffer.from(bytes);
      }
    })(),
    { objectMode: false },
  ),
});

type Parts = OutputDocument['parts'];

/** What the output, or its faults, is made of. */
export interface Composed {
  readonly head: Buffer;
  readonly pieces: readonly Piece[];
}

export const composedOutput = (document: BatchDocument, parts: Parts): Composed => ({
  head: outputHeaderBytes(document.columns, document.format),
  pieces: parts.map(({ index, bytes, revision }) => ({ key: keys.part(document.id, index, revision), bytes })),
});

export const composedFaults = (document: BatchDocument, parts: Parts): Composed => ({
  head: outputHeaderBytes(document.columns, document.format),
  pieces: parts
    .filter(({ faultBytes }) => faultBytes > 0)
    .map(({ index, faultBytes, revision }) => ({ key: keys.faults(document.id, index, revision), bytes: faultBytes })),
});

const fileOf = (store: Store, { head, pieces }: Composed): OutputFile =>
  join(
    store,
    head,
    pieces.map(({ key, bytes }) => ({ key, from: 0, to: bytes })),
  );

export const outputOf = (store: Store, document: BatchDocument, parts: Parts): OutputFile =>
  fileOf(store, composedOutput(document, parts));

export const faultsOf = (store: Store, document: BatchDocument, parts: Parts): OutputFile =>
  fileOf(store, composedFaults(document, parts));

/** The input's rows that no part has, as they came in, below the input's own header. */
export const unprocessedOf = async (store: Store, document: BatchDocument, parts: Parts): Promise<OutputFile> => {
  const plan = await records.plan(store, document.id);
  const done = new Set(parts.map(({ index }) => index));
  const input = keys.input(document.id);
  const header = await store.get(input, { from: document.headerStart, to: document.bodyStart });
  if (header === undefined) throw new MissingObject(input);
  const missing = (plan?.chunks ?? []).filter((_, index) => !done.has(index));
  return join(
    store,
    header,
    missing.map(({ from, to }) => ({ key: input, from, to })),
  );
};

/** Of the chunks that are done, those from the first on without a gap. @param done their parts as JSON, by index */
export const withoutGap = async (done: Readonly<Record<string, string>>): Promise<Parts> => {
  const parts: Parts = [];
  const slices = createSlices();
  for (let index = 0; ; index++) {
    const text = done[String(index)];
    if (text === undefined) return parts;
    parts.push({ index, ...readPartSizes(text) });
    if (slices.isOver()) await slices.turn();
  }
};
