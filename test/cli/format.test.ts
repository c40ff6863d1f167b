/** Tables and lines that commands print. */
import { expect, test } from 'vitest';
import { findingLines } from '../../src/cli/batch/list-options.ts';
import { printable, table } from '../../src/cli/format.ts';

const HOSTILE = 'a\u001b[2J\u001b]0;title\u0007\u009b31m\u202eb.csv';

test('text from other sources cannot move the cursor or change colors, in tables and in notes', () => {
  for (const text of [printable(HOSTILE), ...table([[HOSTILE, 'x']]), ...findingLines([{ message: HOSTILE }])]) {
    expect(text).toContain('a [2J ]0;title 31m b.csv');
    expect(text).not.toMatch(/\p{C}/u);
  }
});
