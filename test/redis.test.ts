/** How test files share the databases of one Redis. */
import { Cluster } from 'ioredis';
import { expect, inject, test } from 'vitest';
import { openRedis, testRedis } from './redis.ts';

const ROUNDS = 10;

test.skipIf(inject('redis').url.includes('cluster'))(
  'no other file gets a database while it is given back',
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const own = await testRedis();
      const other = await openRedis(own.url);
      if (other instanceof Cluster) throw new Error('a Cluster has one database');
      let isBack = false;
      const taking = (async () => {
        const taken = [];
        while (!isBack) taken.push(await other.set('shipping-rates:test:claim', 'other', 'EX', 900, 'NX'));
        return taken;
      })();
      await own.stop();
      isBack = true;
      expect(await taking).not.toContain('OK');
      other.disconnect();
    }
  },
);
