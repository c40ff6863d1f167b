/** The heavy tests, one file at a time: several Redis servers, several machines, and the suite on a Cluster. */
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  cacheDir: '.cache',
  test: {
    fileParallelism: false,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'many machines',
          include: ['test/cluster/**/*.test.ts', 'test/base/store/s3.test.ts'],
          globalSetup: ['test/redis-setup.ts'],
          testTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'the suite on a Redis Cluster',
          include: ['test/{http,batch,queue,acceptance}/**/*.test.ts'],
          globalSetup: ['test/cluster/cluster-setup.ts'],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
