/** `rates run --empty-weight`: the weight that empty cells take, in the output and in a note. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';

let dir: string;
folderForFile((made) => (dir = made));

test('a row without a weight has the price of the weight, and says so', async () => {
  const [list, out] = [join(dir, 'list.csv'), join(dir, 'out.csv')];
  await writeFile(list, 'warehouse_id,zip,Weight (lb)\n101,02139,\n101,02139,2.5\n');
  const env = { DATA_DIR: join(dir, 'data') };
  const { code, stderr } = await ratesHere(['run', list, '-o', out, '--empty-weight', '40OZ'], { env });
  expect(code).toBe(0);
  expect(stderr).toContain('Note: "Weight (lb)" (column 3) counts as 2.5 LB in rows whose cell is empty');
  const [, filled = '', stated = ''] = (await readFile(out, 'utf8')).split('\n');
  const note = 'weight_value (empty) read as 2.5 LB';
  expect(filled.replace('101,02139,,1,', '101,02139,2.5,2,').replace(note, '')).toBe(stated);
  expect(filled).toContain(note);
  const refused = await ratesHere(['run', list, '-o', out, '--empty-weight', '2.5'], { env });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining("argument '2.5' is invalid. It must be a number above 0 with its unit, such as 2.5LB"),
  ]);
});
