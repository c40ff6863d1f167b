import { defineConfig } from 'vitest/config';
import { flakyReporter } from './test/flaky-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Those have a run of their own, with servers of their own: `npm run test:cluster`.
    exclude: ['test/cluster/**', 'test/store/s3.test.ts'],
    globalSetup: ['test/redis-setup.ts', 'test/console-setup.ts'],
    // A hang, not slowness: tests start whole services, on machines that others load.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // Where nobody watches, on a machine that others load, a test of processes and time has a second try; who needed
    // one is named at the end.
    retry: process.env['CI'] === undefined ? 0 : 1,
    reporters: ['default', flakyReporter],
    // Two cores: more files at once only make each wait for the others.
    maxWorkers: 2,
  },
});
