/** Names the tests that passed only when they were tried again, and why they failed before: nothing is passed over in silence. */
import type { Reporter } from 'vitest/node';

export const flakyReporter: Reporter = {
  onTestRunEnd: (modules) => {
    const flaky = modules
      .flatMap(({ children }) => [...children.allTests()])
      .filter((test) => test.diagnostic()?.flaky === true);
    for (const test of flaky) {
      const why = test.result().errors?.[0]?.message ?? 'it did not say why';
      process.stdout.write(`passed when tried again: ${test.module.relativeModuleId} > ${test.fullName}: ${why}\n`);
    }
  },
};
