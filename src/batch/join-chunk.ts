/** A chunk of a comparison of two batches: the shipments of one partition of the keys. */
import { setImmediate as turn } from 'node:timers/promises';
import type { ComparisonDocument } from '../comparison/document.ts';
import { createJoiner, type JoinSide } from '../comparison/join.ts';
import type { ByteWriter } from '../csv/byte-writer.ts';
import { must } from '../must.ts';
import { MissingObject, type Store } from '../store/store.ts';
import type { MadeRows } from './chunk-rows.ts';
import { type BatchDocument, baseOf, joinedOf, keys, records } from './records.ts';

/** Rows between two turns of the event loop. */
const SLICE_ROWS = 2_000;

const NO_FAULTS = Buffer.alloc(0);

/** @param partition of all chunks of the document, from 0 */
export const joinChunk = async (
  store: Store,
  { id, chunks, format }: BatchDocument,
  { places }: NonNullable<ComparisonDocument['join']>,
  partition: number,
  output: ByteWriter,
): Promise<MadeRows> => {
  const joiner = createJoiner(places, partition, chunks, output, format.keepFormulas);
  const readAll = async (side: JoinSide, from: string): Promise<void> => {
    const { parts } = must(await records.output(store, from), `the output of ${from}`);
    for (const { index, revision } of parts) {
      const key = keys.part(from, index, revision);
      const bytes = await store.get(key);
      if (bytes === undefined) throw new MissingObject(key);
      const { step } = joiner.read(side, bytes);
      while (step(SLICE_ROWS)) await turn();
    }
  };
  await readAll('base', baseOf(id));
  await readAll('with', joinedOf(id));
  return { ...joiner.result(), faults: NO_FAULTS };
};
