/**
 * The parts of a batch. Makes the part of a chunk, and checks that the files of all parts are complete. A part has all rows
 * of its chunk, and the same bytes however often it is made.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { createLoadCache } from '../../base/bounded-cache.ts';
import { putJson, type Store } from '../../base/store/store.ts';
import type { Chunk, Plan } from '../../lists/chunk-plan.ts';
import type { ComparingContext } from '../../lists/comparison/compare-rows.ts';
import { type ChunkBuffers, createBufferPool } from '../../lists/rows/buffer-pool.ts';
import { OutputTooLarge, type RatingContext } from '../../lists/rows/rate-rows.ts';
import type { CorrectedRows } from '../../lists/rows/row-source.ts';
import { type ByteLimits, countedShare, LimitPassed, mostOutput, stored } from '../quota.ts';
import { type BatchDocument, keys, type Part, readPart, records } from '../records.ts';
import { doneChunks, partOf, type RevisionPlan, readRevisionPlan } from '../revisions.ts';
import type { Context } from '../scheduler.ts';
import { state } from '../state.ts';
import { comparedRows, joinChunk, loadComparing, loadContext, type MadeRows, ratedRows } from './chunk-rows.ts';
import { type CorrectedList, correctedList, correctedRows } from './corrected-rows.ts';
import { createMutex, findPoisonRows } from './poison-row.ts';

/** Rows between two turns of the event loop, so that the lock is renewed and garbage stays in the young generation. */
const SLICE_ROWS = 1_000;

export interface Loaded {
  readonly revisionPlan: RevisionPlan;
  readonly document: BatchDocument;
  readonly plan: Plan;
  readonly context: RatingContext;
  /** Present if it is a comparison. */
  readonly comparing: ComparingContext | undefined;
  readonly list: CorrectedList;
}

/** Number of revisions whose documents a worker keeps in memory. */
const CACHED = 16;

export interface PartMakerDeps extends Pick<Context, 'store' | 'redis' | 'snapshots'> {
  readonly maximumRowBytes: number;
  /** Returns the current limits of a client. A raised limit also applies to running batches. */
  readonly limitsOf: (clientId: string) => ByteLimits;
}

/** Whether the files of a part exist with the right sizes. */
const hasFiles = async (store: Store, id: string, index: number, part: Part): Promise<boolean> => {
  const { revision, bytes, faultBytes, sumBytes } = part;
  const sizes = await Promise.all([
    store.size(keys.part(id, index, revision)),
    faultBytes === 0 ? 0 : store.size(keys.faults(id, index, revision)),
    sumBytes === undefined ? undefined : store.size(keys.partSums(id, index)),
  ]);
  return sizes[0] === bytes && sizes[1] === faultBytes && sizes[2] === sumBytes;
};

const createLoader = ({ store, snapshots, maximumRowBytes }: PartMakerDeps) => {
  const cached = createLoadCache<Loaded | undefined>(CACHED, (loaded) => loaded !== undefined);

  const read = async (id: string, revision: number): Promise<Loaded | undefined> => {
    const [document, plan] = await Promise.all([records.batch(store, id), records.plan(store, id)]);
    const revisionPlan = document === undefined ? undefined : await readRevisionPlan(store, id, revision);
    if (document === undefined || revisionPlan === undefined) return undefined;
    if (plan === undefined) throw new Error(`the plan of batch ${id} is not there`);
    const context = await loadContext({ snapshots, maximumRowBytes }, document);
    const comparing = await loadComparing(snapshots, document, context);
    const list = await correctedList({ store, maximumRowBytes }, document, revision);
    return { revisionPlan, document, plan, context, comparing, list };
  };

  /** @returns undefined if there is no such batch or revision */
  return (id: string, revision: number): Promise<Loaded | undefined> =>
    cached(`${id}/${revision}`, () => read(id, revision));
};

/** Returns the sizes of the files to write. Empty files are not written. */
const sizesOf = (files: readonly { readonly length: number }[]): number[] =>
  files.map(({ length }) => length).filter((length) => length > 0);

/** The limit on the output of a chunk with corrected rows. */
const mostOf = (limits: ByteLimits, document: BatchDocument, chunk: Buffer, corrected: CorrectedRows): number => {
  const lines = [...corrected.values()].reduce((sum, { length }) => sum + length, 0);
  return mostOutput(limits, chunk.length * countedShare(document) + lines);
};

/** @param suspected whether the chunk may have killed processes. If so, it is probed first */
type Rate = (loaded: Loaded, batchId: string, index: number, suspected: boolean) => Promise<Part>;

/** Adds the limit to the error if a part is larger than the client may have. */
const withinLimit =
  (rate: Rate, limitsOf: PartMakerDeps['limitsOf']): Rate =>
  async (loaded, ...of) => {
    try {
      return await rate(loaded, ...of);
    } catch (error) {
      if (!(error instanceof OutputTooLarge)) throw error;
      const { outputPerInputByte } = limitsOf(loaded.document.clientId);
      throw new LimitPassed('outputPerInputByte', outputPerInputByte, error.row);
    }
  };

/** @returns two functions: `load` reads what a revision needs, `rate` makes the part of one chunk */
export const createPartMaker = (deps: PartMakerDeps) => {
  const { store, limitsOf } = deps;
  const load = createLoader(deps);
  const alone = createMutex();
  const withBuffers = createBufferPool();

  const bytesOfChunk = async (id: string, range: Chunk, buffers: ChunkBuffers): Promise<Buffer> => {
    const bytes = await store.get(keys.input(id), range, buffers.input(range.to - range.from));
    if (bytes?.length !== range.to - range.from) throw new Error(`the input of batch ${id} is not what was planned`);
    return bytes;
  };

  const write = async (
    { id, clientId }: BatchDocument,
    index: number,
    revision: number,
    rated: MadeRows,
  ): Promise<Part> => {
    const { output, faults, tally } = rated;
    const sums = rated.sums === undefined ? undefined : Buffer.from(JSON.stringify(rated.sums));
    const sizes = { bytes: output.length, faultBytes: faults.length, ...(sums && { sumBytes: sums.length }) };
    const part: Part = { ...sizes, revision, tally };
    const files = [output, faults, sums ?? '', JSON.stringify(part)];
    await stored.admit(deps, clientId, id, sizesOf(files), limitsOf(clientId));
    // Durable, like `final.json`: after a power failure, a batch that has ended must still have its output.
    const durable = { durable: true };
    await Promise.all([
      store.put(keys.part(id, index, revision), output, durable),
      ...(faults.length > 0 ? [store.put(keys.faults(id, index, revision), faults, durable)] : []),
      ...(sums === undefined ? [] : [store.put(keys.partSums(id, index), sums, durable)]),
    ]);
    await putJson(store, keys.partSummary(id, index, revision), part);
    return part;
  };

  const rateAll = async (
    { revisionPlan, document, plan, context, comparing, list }: Loaded,
    id: string,
    index: number,
    suspected: boolean,
    buffers: ChunkBuffers,
  ): Promise<Part> => {
    const range = plan.chunks[index];
    if (range === undefined) throw new Error(`batch ${id} has no chunk ${index}`);
    const { revision } = revisionPlan;
    const { comparison } = document;
    if (comparison?.join !== undefined) {
      const joined = await joinChunk(store, document, comparison.join, index, buffers.output);
      return await write(document, index, revision, joined);
    }
    const bytes = await bytesOfChunk(id, range, buffers);
    const own = await correctedRows(list, index);
    const { times, begin } =
      comparing === undefined ? ratedRows({ ...context, ...own }) : comparedRows({ ...comparing, ...own });
    const key = keys.poisonRows(id, index, revision);
    const found = suspected ? await findPoisonRows(store, key, { ...range, bytes, context, begin }, alone) : [];
    const mostBytes = times * mostOf(limitsOf(document.clientId), document, bytes, own.corrected);
    const poisonRows = new Set([...own.poisonRows, ...found]);
    const rater = begin(bytes, range, { poisonRows, mostBytes }, buffers);
    while (rater.step(SLICE_ROWS)) await turn();
    const rated = rater.result();
    if (rated.tally.processed !== range.rows)
      throw new Error(`chunk ${index} of batch ${id} has ${rated.tally.processed} rows, not the ${range.rows} planned`);
    return await write(document, index, revision, rated);
  };

  /** Returns the part of a chunk in a revision. Makes it if it is missing. */
  const partFor = async (id: string, revision: number, index: number): Promise<Part> => {
    const loaded = await load(id, revision);
    if (loaded === undefined) throw new Error(`revision ${revision} of batch ${id} is not there`);
    const part = await partOf(store, id, loaded.revisionPlan, index);
    const isWhole = part !== undefined && (await hasFiles(store, id, index, part));
    return isWhole ? part : await rate(loaded, id, index, false);
  };

  /** Rates a chunk. A chunk without a corrected row has the part of the previous revision. */
  const rate = async (loaded: Loaded, id: string, index: number, suspected: boolean): Promise<Part> => {
    const { corrects } = loaded.revisionPlan;
    if (corrects !== undefined && !corrects.chunks.some((chunk) => chunk.index === index))
      return await partFor(id, corrects.from, index);
    return await withBuffers((buffers) => rateAll(loaded, id, index, suspected, buffers));
  };

  return { load, rate: withinLimit(rate, limitsOf) };
};

/** Number of parts to check at the same time: enough to keep a disk or an object store busy. */
const TOGETHER = 32;

/** Returns the parts of the finished chunks, in order. A chunk with incomplete files no longer counts as done. */
export const createPartCheck =
  ({ store, redis }: Pick<Context, 'store' | 'redis'>) =>
  async (id: string, revisionPlan: RevisionPlan): Promise<{ parts: Map<number, Part>; lost: number }> => {
    const known = await state.done(redis, id);
    const parts = new Map<number, Part>();
    let lost = 0;
    const check = async (index: number): Promise<void> => {
      const text = known[String(index)];
      const part = text === undefined ? await partOf(store, id, revisionPlan, index) : readPart(text);
      const revision = part?.revision ?? revisionPlan.revision;
      if (part !== undefined && (await hasFiles(store, id, index, part))) parts.set(index, part);
      else {
        lost += 1;
        await store.remove(keys.partSummary(id, index, revision));
        if (part !== undefined) await state.undone(redis, id, index, part);
      }
    };
    const written = await doneChunks(store, id, revisionPlan);
    const indexes = [...new Set([...Object.keys(known).map(Number), ...written])].sort((a, b) => a - b);
    for (let at = 0; at < indexes.length; at += TOGETHER)
      await Promise.all(indexes.slice(at, at + TOGETHER).map(check));
    return { parts: new Map([...parts].sort(([a], [b]) => a - b)), lost };
  };
