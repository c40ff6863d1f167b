/** The dependencies of publishing for each test: a store in a new folder, the test file's Redis and a recording log. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { connect, type Redis, waitUntilReady } from '../../src/redis/connection.ts';
import { createDiskStore } from '../../src/store/disk.ts';
import { type TestRedis, testRedis } from '../redis.ts';

export interface Place {
  readonly deps: {
    readonly store: ReturnType<typeof createDiskStore>;
    readonly redis: Redis;
    readonly log: pino.Logger;
  };
  readonly dir: string;
  /** The logged warnings and errors. */
  readonly complaints: string[];
  readonly end: () => Promise<void>;
}

const openPlace = async (redisUrl: string): Promise<Place> => {
  const dir = await mkdtemp(join(tmpdir(), 'published-'));
  const complaints: string[] = [];
  const log = pino({ level: 'warn', base: null }, { write: (line: string) => complaints.push(JSON.parse(line).msg) });
  const redis = connect(redisUrl, 'producer', { log: pino({ level: 'silent' }) });
  await waitUntilReady(redis, 10_000);
  // The first call to a Cluster's node connects to it, and calls in the meantime fail.
  await redis.get('rates:published:clients');
  await redis.get('rates:published:tariffs');
  return {
    deps: { store: createDiskStore(join(dir, 'store')), redis, log },
    dir,
    complaints,
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
export const placeForEachTest = (take: (place: Place) => void): void => {
  let redis: TestRedis;
  let place: Place;
  beforeAll(async () => {
    redis = await testRedis();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    await redis.clear();
    place = await openPlace(redis.url);
    take(place);
  });
  afterEach(() => place.end());
};

/** A connection to the discard port, where nothing listens. */
export const noRedis = (): Redis => connect('redis://127.0.0.1:9', 'producer', { log: pino({ level: 'silent' }) });
