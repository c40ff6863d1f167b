/**
 * Names the tests that passed only on their second try, and why they failed before. If `FLAKY_TESTS` names a
 * file, each gets a line there too, for a script that runs vitest several times.
 */
import { appendFileSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

/** Characters of what differs. */
const MOST_DIFF = 400;

export const flakyReporter: Reporter = {
  onTestRunEnd: (modules) => {
    const lines = modules
      .flatMap(({ children }) => [...children.allTests()])
      .filter((test) => test.diagnostic()?.flaky === true)
      .map((test) => {
        const [error] = test.result().errors ?? [];
        const [why = ''] = (error?.message ?? 'no reason given').split('\n');
        // What differs is the reason where the message has `Array(1)` alone.
        const diff = (error?.diff ?? '').replaceAll(/\s+/g, ' ').slice(0, MOST_DIFF);
        return `${test.module.relativeModuleId} > ${test.fullName}: ${why} ${diff}\n`;
      });
    for (const line of lines) process.stdout.write(`passed when tried again: ${line}`);
    const file = process.env['FLAKY_TESTS'];
    if (file !== undefined) appendFileSync(file, lines.join(''));
  },
};
