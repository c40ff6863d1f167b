import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { flakyReporter } from './test/flaky-reporter.ts';
import { LongestFirst } from './test/longest-first.ts';

/** Slow tests are told by their name. Any other file of tests belongs to the suite that `npm test` runs. */
const SLOW = 'test/**/*.slow.test.ts';
/** Those need servers of their own: `npm run test:cluster`. */
const CLUSTER = ['test/cluster/**', 'test/base/store/s3.test.ts'];

const suite = (
  name: string,
  { isolate, include, exclude = [] }: { isolate: boolean; include: string; exclude?: readonly string[] },
): TestProjectInlineConfiguration => ({
  test: {
    name,
    isolate,
    include: [include],
    exclude: [...CLUSTER, ...exclude],
    // A hang, not slowness: tests start whole services, on machines that others load.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000, interval: 10 } },
    // Where nobody watches, on a machine that others load, a test of processes and time has a second try.
    // The reporter names those that needed it, and .ci/run allows only a few.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});

export default defineConfig({
  // Outside `node_modules`, which may be a link to that of another clone.
  cacheDir: '.cache',
  test: {
    // Loading the modules anew for each file takes longer than the quick tests themselves.
    projects: [
      suite('quick', { isolate: false, include: 'test/**/*.test.ts', exclude: [SLOW] }),
      suite('slow', { isolate: true, include: SLOW }),
    ],
    // Once for a run, for both suites.
    globalSetup: ['test/redis-setup.ts', 'test/console-setup.ts'],
    reporters: ['default', flakyReporter],
    sequence: { sequencer: LongestFirst },
    // Two cores: more files at once only make each wait for the others.
    maxWorkers: 2,
  },
});
