import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './cli/rates.ts';
import { folderForFile } from './folder.ts';

let dir: string;
folderForFile((made) => (dir = made));

/** A linear pattern, a quadratic one that once read number formats, an exponential one, and one made at run time. */
const CONTENT = String.raw`export const a = /^[+-]?\d+$/;
export const b = (c: string) => c.replaceAll(/\\.|"[^"]*"|\[[^\]]*\]/g, "");
export const d = /^(a+)+$/;
export const e = (f: string) => new RegExp(f);
`;

test('the check of patterns names those that backtrack or are made at run time, and passes linear ones', async () => {
  await writeFile(join(dir, 'file.ts'), CONTENT);
  const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
    const args = ['--import', 'tsx', 'scripts/check-patterns.ts', dir];
    execFile(process.execPath, args, { cwd: ROOT }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stderr + stdout }),
    );
  });
  expect(code).toBe(1);
  expect(
    said
      .replaceAll(`${dir}/`, '')
      .replaceAll(/ on .*/g, '')
      .split('\n'),
  ).toEqual([
    'file.ts:4 is a pattern that is made at run time: write it as a literal, or compare text',
    String.raw`file.ts:2 /\\.|"[^"]*"|\[[^\]]*\]/ backtracks (2nd degree polynomial)`,
    'file.ts:3 /^(a+)+$/ backtracks (exponential)',
    '3 patterns checked, 3 problems.',
    '',
  ]);
});
