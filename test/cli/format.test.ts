/** Tables and lines that commands print. */
import { expect, test } from 'vitest';
import { findingLines } from '../../src/cli/batch/list-options.ts';
import { choicesText, printable, table } from '../../src/cli/format.ts';

const HOSTILE = 'a\u001b[2J\u001b]0;title\u0007\u009b31m\u202eb.csv';

test('text from other sources cannot move the cursor or change colors, in tables and in notes', () => {
  for (const text of [printable(HOSTILE), ...table([[HOSTILE, 'x']]), ...findingLines([{ message: HOSTILE }])]) {
    expect(text).toContain('a [2J ]0;title 31m b.csv');
    expect(text).not.toMatch(/\p{C}/u);
  }
});

test('what there is to choose from is a sentence for none, one and several', () => {
  expect(choicesText('tier', [])).toBe('There are no tiers');
  expect(choicesText('warehouse', ['7 (Reno)'], ' of z')).toBe('The only warehouse of z is 7 (Reno)');
  expect(choicesText('service', ['A', 'B'], ' in force')).toBe('The services in force are A, B');
});
