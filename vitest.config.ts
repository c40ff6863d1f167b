import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Those have a run of their own, with servers of their own: `npm run test:cluster`.
    exclude: ['test/cluster/**', 'test/store/s3.test.ts'],
    globalSetup: ['test/redis-setup.ts', 'test/console-setup.ts'],
    // A hang, not slowness: tests start whole services, on machines that others load.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: more files at once only make each wait for the others.
    maxWorkers: 2,
  },
});
