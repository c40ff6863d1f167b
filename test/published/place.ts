/** A store in a folder of its own and the test file's Redis for each test, as processes have them, with what they log. */
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
  /** The messages of warnings and errors. */
  readonly complaints: string[];
  readonly end: () => Promise<void>;
}

const openPlace = async (redisUrl: string): Promise<Place> => {
  const dir = await mkdtemp(join(tmpdir(), 'published-'));
  const complaints: string[] = [];
  const log = pino({ level: 'warn', base: null }, { write: (line: string) => complaints.push(JSON.parse(line).msg) });
  const redis = connect(redisUrl, 'producer', { log: pino({ level: 'silent' }) });
  await waitUntilReady(redis, 10_000);
  // A Cluster's node is connected to by the first call to it, and calls that come meanwhile fail.
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
 * The hooks of a test file: `take` is given each test's place, on a Redis that was emptied. The file's own hooks come
 * after this, so that what they close is closed before the place is.
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

/** Connected to a port that nothing listens on: the discard port of a machine that has no such service. */
export const noRedis = (): Redis => connect('redis://127.0.0.1:9', 'producer', { log: pino({ level: 'silent' }) });
