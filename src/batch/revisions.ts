/**
 * The revisions of a batch. The first one rates all chunks. A later one rates the chunks with corrected rows again. It takes
 * the other parts from the revision that it corrects. A cancelled revision keeps its number, but nothing else.
 */
import { must } from '../base/must.ts';
import type { Store } from '../base/store/store.ts';
import { keys, type Part, type RevisionDocument, records, writtenChunks } from './records.ts';

/** What a revision rates: the chunks with corrected rows, or all chunks if `corrects` is undefined. */
export interface RevisionPlan {
  readonly revision: number;
  readonly corrects?: RevisionDocument;
  /** By chunk: the revision that wrote its part before this one. */
  readonly before: ReadonlyMap<number, number>;
}

const FIRST: RevisionPlan = { revision: 1, before: new Map() };

/** Returns the numbers of the later revisions, the last one first. */
const numbersOf = async (store: Store, id: string): Promise<readonly number[]> =>
  (await store.list(keys.revisions(id)))
    .flatMap((name) => (/^[1-9]\d*\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
    .sort((a, b) => b - a);

/** Returns the current revision of the batch: the last one that was not cancelled. */
export const latestRevision = async (store: Store, id: string): Promise<number> => {
  for (const revision of await numbersOf(store, id))
    if ((await records.final(store, id, revision))?.status !== 'cancelled') return revision;
  return 1;
};

/** Returns the names of the uploads that revisions were made from. */
export const usedUploads = async (store: Store, id: string): Promise<ReadonlySet<string>> => {
  const used = new Set<string>();
  for (const revision of await numbersOf(store, id)) {
    const document = await records.revision(store, id, revision);
    // The batch may have just been removed.
    if (document !== undefined) used.add(document.upload);
  }
  return used;
};

/** Returns a number that no earlier revision had. */
export const nextRevision = async (store: Store, id: string): Promise<number> =>
  ((await numbersOf(store, id))[0] ?? 1) + 1;

/** Returns the corrections up to a revision, the first ones first. @param id of the batch, or of a comparison's base */
export const revisionsUpTo = async (store: Store, id: string, last: number): Promise<readonly RevisionDocument[]> => {
  const revisions: RevisionDocument[] = [];
  for (let revision = last; revision > 1; ) {
    const document = must(await records.revision(store, id, revision), `revision ${revision} of batch ${id}`);
    revisions.unshift(document);
    revision = document.from;
  }
  return revisions;
};

/** @returns undefined if there is no such revision */
export const readRevisionPlan = async (
  store: Store,
  id: string,
  revision: number,
): Promise<RevisionPlan | undefined> => {
  if (revision === 1) return FIRST;
  const corrects = await records.revision(store, id, revision);
  const output = corrects === undefined ? undefined : await records.output(store, id, corrects.from);
  if (corrects === undefined || output === undefined) return undefined;
  return { revision, corrects, before: new Map(output.parts.map(({ index, revision: of }) => [index, of])) };
};

const isCorrected = ({ corrects }: RevisionPlan, index: number): boolean =>
  corrects === undefined || corrects.chunks.some((chunk) => chunk.index === index);

/** Returns the part of a chunk in this revision, which an earlier one may have written; undefined if it is not done. */
export const partOf = async (
  store: Store,
  id: string,
  revisionPlan: RevisionPlan,
  index: number,
): Promise<Part | undefined> => {
  const { revision, before } = revisionPlan;
  const wrote = isCorrected(revisionPlan, index) ? revision : before.get(index);
  return wrote === undefined ? undefined : await records.part(store, id, index, wrote);
};

/** Returns the indexes of chunks with parts: those that this revision wrote, and those from earlier revisions. */
export const doneChunks = async (store: Store, id: string, revisionPlan: RevisionPlan): Promise<readonly number[]> => [
  ...[...revisionPlan.before.keys()].filter((index) => !isCorrected(revisionPlan, index)),
  ...(await writtenChunks(store, id, revisionPlan.revision)),
];
