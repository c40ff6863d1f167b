import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from './cli/rates.ts';
import { folderForFile } from './folder.ts';

let dir: string;
folderForFile((made) => (dir = made));

/** The report of the check for a file with this content. */
const check = async (content: string): Promise<{ code: number; said: string }> => {
  await writeFile(join(dir, 'file.ts'), content);
  return await new Promise((resolve) => {
    const args = ['--import', 'tsx', 'scripts/check-patterns.ts', dir];
    execFile(process.execPath, args, { cwd: ROOT }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), said: stderr + stdout }),
    );
  });
};

describe('the check of patterns', () => {
  test('passes patterns that take linear time', async () => {
    expect(await check('export const a = /^[+-]?\\d+$/;\n')).toEqual({
      code: 0,
      said: '1 patterns checked, 0 problems.\n',
    });
  });

  test('finds a quadratic pattern that once read number formats', async () => {
    const { code, said } = await check(
      '\nexport const a = (b: string) => b.replaceAll(/\\\\.|"[^"]*"|\\[[^\\]]*\\]/g, "");\n',
    );
    expect(code).toBe(1);
    expect(said).toContain('file.ts:2 /\\\\.|"[^"]*"|\\[[^\\]]*\\]/ backtracks (2nd degree polynomial) on ');
  });

  test('finds an exponential pattern, and a pattern made at run time', async () => {
    const { code, said } = await check('export const a = /^(a+)+$/;\nexport const b = (c: string) => new RegExp(c);\n');
    expect(code).toBe(1);
    expect(said).toContain('file.ts:1 /^(a+)+$/ backtracks (exponential) on ');
    expect(said).toContain('file.ts:2 is a pattern that is made at run time');
  });
});
