/**
 * Changes the code in small ways, one at a time, and sees whether a test fails: `npm run mutate`, or
 * `npm run mutate -- src/rating/price.ts` for some files alone. Prints what survives, and the score of each file.
 * Exits with 1 if the tests notice less than they must (`folders.ts`).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { MUTATED } from './folders.ts';

const named = process.argv.slice(2);
const files = named.length > 0 ? named : MUTATED.flatMap(({ folders }) => folders.map((folder) => `${folder}/**/*.ts`));

// The tests import the stand-in as `vitest`.
process.env['TSX_TSCONFIG_PATH'] = join(import.meta.dirname, 'tsconfig.json');
process.env['NODE_OPTIONS'] = `--import ${import.meta.resolve('tsx')}`;

const sandbox = await mkdtemp(join(tmpdir(), 'rates-mutate-'));
const begun = performance.now();
const run = new Stryker({
  mutate: files,
  testRunner: 'in-process',
  plugins: [join(import.meta.dirname, 'runner.ts')],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: availableParallelism(),
  // On a machine that others load.
  timeoutMS: 30_000,
  disableTypeChecks: false,
  // Stryker reads it with the JavaScript API of TypeScript, which version 7 does not have.
  tsconfigFile: 'none',
  tempDirName: sandbox,
  cleanTempDir: 'always',
  ignorePatterns: ['dist', 'data'],
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { logTests: false, reportTests: false, allowColor: process.stdout.isTTY },
  allowConsoleColors: process.stdout.isTTY,
});
const results = await run.runMutationTest().finally(() => rm(sandbox, { recursive: true, force: true }));

const isNoticed = ({ status }: MutantResult): boolean => status === 'Killed' || status === 'Timeout';
const counts = ({ status }: MutantResult): boolean => status !== 'Ignored' && status !== 'CompileError';

console.log(`${results.length} mutants in ${Math.round((performance.now() - begun) / 1_000)} s`);
for (const { name, folders, least } of MUTATED) {
  const own = results.filter(
    (result) => counts(result) && folders.some((folder) => relative('.', result.fileName).startsWith(`${folder}/`)),
  );
  if (own.length === 0) continue;
  const percent = (100 * own.filter(isNoticed).length) / own.length;
  const isEnough = percent >= least || named.length > 0;
  console.log(`${name}: ${percent.toFixed(1)}% of ${own.length} are noticed, at least ${least}% must be`);
  if (!isEnough) process.exitCode = 1;
}
