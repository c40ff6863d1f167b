/**
 * Runs tests for Stryker in its own process, where modules are loaded once: a mutant costs as long as the tests that
 * reach it. Stryker's runner for Vitest starts a thread and loads every module anew for each, which takes a hundred times
 * as long, and with Vitest 4 it takes runs of no test for mutants that survived (stryker-js issues 6073 and 6213).
 *
 * A mutant in what runs as a module is loaded, such as a table, is not tried: it would need the modules anew.
 */
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { INSTRUMENTER_CONSTANTS, type MutantCoverage } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { LEFT_OUT, TEST_FOLDERS } from './folders.ts';
import { type KeptTest, kept } from './vitest-stand-in.ts';

/** What instrumented code reads and writes. */
interface Instrumented {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: MutantCoverage;
}

const instrumented: Instrumented = {};
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: instrumented });

/** Of processor time. Slower tests, such as those of random texts, would be run again for thousands of mutants. */
const LONGEST_TEST_MS = 500;

const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** How a snapshot fails outside of Vitest. */
const NEEDS_VITEST = 'without test context';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

class InProcessRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.logger);
  readonly #log: Logger;
  readonly #tests = new Map<string, KeptTest>();

  constructor(log: Logger) {
    this.#log = log;
  }

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    for (const folder of TEST_FOLDERS) {
      for (const name of (await readdir(folder, { recursive: true })).sort()) {
        if (!name.endsWith('.test.ts') || name.endsWith('.slow.test.ts')) continue;
        kept.file = join(folder, name);
        if (LEFT_OUT.includes(kept.file)) continue;
        await import(pathToFileURL(resolve(kept.file)).href);
      }
    }
    for (const setup of kept.setups) await setup();
    for (const one of kept.tests) this.#tests.set(`${one.file} ${one.name}`, one);
  }

  async dryRun(): Promise<DryRunResult> {
    const tests: TestResult[] = [];
    for (const [id, { file, name, run }] of this.#tests) {
      instrumented.currentTestId = id;
      const begun = processorMs();
      const { failureMessage } = await tried(run);
      const base = { id, name, fileName: resolve(file), timeSpentMs: Math.ceil(processorMs() - begun) };
      if (base.timeSpentMs > LONGEST_TEST_MS || failureMessage?.includes(NEEDS_VITEST)) {
        this.#log.info(`left out: ${id} (${base.timeSpentMs} ms)`);
        delete instrumented.mutantCoverage?.perTest[id];
        tests.push({ ...base, status: TestStatus.Skipped });
      } else if (failureMessage === undefined) tests.push({ ...base, status: TestStatus.Success });
      else tests.push({ ...base, status: TestStatus.Failed, failureMessage });
    }
    instrumented.currentTestId = undefined;
    // The quick ones first: a mutant is mostly killed before the slow ones.
    const timeOf = new Map(tests.map(({ id, timeSpentMs }) => [id, timeSpentMs]));
    const { perTest = {}, static: atLoad = {} } = instrumented.mutantCoverage ?? {};
    const sorted = Object.entries(perTest).sort(([a], [b]) => (timeOf.get(a) ?? 0) - (timeOf.get(b) ?? 0));
    // Code that runs at load and in tests is tried in the tests. Stryker would start a process for each of its mutants.
    const inTests = new Set(Object.values(perTest).flatMap((ids) => Object.keys(ids)));
    const onlyAtLoad = Object.entries(atLoad).filter(([id]) => !inTests.has(id));
    return {
      status: DryRunStatus.Complete,
      tests,
      mutantCoverage: { perTest: Object.fromEntries(sorted), static: Object.fromEntries(onlyAtLoad) },
    };
  }

  async mutantRun({ activeMutant, hitLimit, testFilter = [] }: MutantRunOptions): Promise<MutantRunResult> {
    Object.assign(instrumented, { activeMutant: activeMutant.id, hitCount: 0, hitLimit });
    try {
      for (const [index, id] of testFilter.entries()) {
        const { failureMessage } = await tried(this.#tests.get(id)?.run);
        const endless = determineHitLimitReached(instrumented.hitCount, hitLimit);
        if (endless !== undefined) return { status: MutantRunStatus.Timeout };
        if (failureMessage !== undefined)
          return { status: MutantRunStatus.Killed, killedBy: [id], failureMessage, nrOfTests: index + 1 };
      }
    } finally {
      instrumented.activeMutant = undefined;
    }
    return { status: MutantRunStatus.Survived, nrOfTests: testFilter.length };
  }
}

const tried = async (run: KeptTest['run'] | undefined): Promise<{ readonly failureMessage?: string }> => {
  if (run === undefined) throw new Error('there is no such test');
  try {
    await run();
    return {};
  } catch (error) {
    return { failureMessage: messageOf(error) };
  }
};

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];
