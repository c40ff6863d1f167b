/** The dependencies of publishing for each test: a store in a new folder, the test file's Redis and a recording log. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach } from 'vitest';
import { connect, type Redis, waitUntilReady } from '../../../src/base/redis/connection.ts';
import { createDiskStore } from '../../../src/base/store/disk.ts';
import type { Kind } from '../../../src/catalog/documents/kinds.ts';
import type { ChangeNote } from '../../../src/catalog/documents/library.ts';
import { follow, type Source } from '../../../src/catalog/published/follow.ts';
import type { PublishedDeps } from '../../../src/catalog/published/pointer.ts';
import { libraryOf } from '../../../src/catalog/published/store-place.ts';
import { redisForFile, type TestRedis } from '../../redis.ts';

export interface Setup {
  readonly deps: {
    readonly store: ReturnType<typeof createDiskStore>;
    readonly redis: Redis;
    readonly log: pino.Logger;
  };
  readonly dir: string;
  readonly redisUrl: string;
  /** The logged warnings and errors. */
  readonly warnings: string[];
  readonly end: () => Promise<void>;
}

const openSetup = async (redisUrl: string): Promise<Setup> => {
  const dir = await mkdtemp(join(tmpdir(), 'published-'));
  const warnings: string[] = [];
  const log = pino({ level: 'warn', base: null }, { write: (line: string) => warnings.push(JSON.parse(line).msg) });
  const redis = connect(redisUrl, 'producer', { log: pino({ level: 'silent' }) });
  await waitUntilReady(redis, 10_000);
  // The first call to a Cluster's node connects to it, and calls in the meantime fail.
  await redis.get('rates:published');
  return {
    deps: { store: createDiskStore(join(dir, 'store')), redis, log },
    dir,
    redisUrl,
    warnings,
    end: async () => {
      redis.disconnect();
      await rm(dir, { recursive: true, force: true });
    },
  };
};

/**
 * The hooks of a test file: `take` receives each test's dependencies, with an empty Redis. The file's own hooks must come
 * after this, so that they close first.
 */
export const setUpForEachTest = (take: (setup: Setup) => void): void => {
  let redis: TestRedis;
  let setup: Setup;
  redisForFile((made) => (redis = made));
  beforeEach(async () => {
    await redis.clear();
    setup = await openSetup(redis.url);
    take(setup);
  });
  afterEach(() => setup.end());
};

/** Follows one kind of what is published. */
export const followOne = async <T>(source: Source<T>, deps: PublishedDeps): Promise<T> =>
  source.live(await follow({ ...deps, sources: [source], intervalMs: 20 }));

/** Publishes documents instead of all that are published. */
export const publishAll = async <D>(kind: Kind<D>, deps: PublishedDeps, documents: readonly D[], note: ChangeNote) => {
  const sources = documents.map((document) => ({ document }));
  const outcome = await libraryOf(kind, undefined, (use) => use(deps)).put(sources, {
    ...{ replace: 'all', alone: true },
    ...note,
  });
  if ('errors' in outcome) throw new Error(JSON.stringify(outcome.errors));
  return outcome;
};

/** A connection to the discard port, where nothing listens. */
export const noRedis = (): Redis => connect('redis://127.0.0.1:9', 'producer', { log: pino({ level: 'silent' }) });
