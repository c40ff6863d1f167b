import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAgreementFolder, writeAgreementFolder } from '../../src/catalog/agreement/folder.ts';
import { readFolderApart } from '../../src/catalog/agreement/read-apart.ts';
import { folderForEachTest } from '../folder.ts';
import { onePercentage } from './one-percentage.ts';

let dir = '';
folderForEachTest((made) => (dir = made));

test('a folder that is read in a separate process gives the same agreement', async () => {
  const folder = join(dir, 'acme');
  await writeAgreementFolder(folder, onePercentage('12.50', { name: 'acme' }));
  const read = await readFolderApart(folder);
  expect(read).toMatchObject({ document: { file: { name: 'acme' } } });
  expect(read).toEqual(await readAgreementFolder(folder));
});

test('its errors are the same too', async () => {
  await writeFile(join(dir, 'agreement.json'), '{');
  const read = await readFolderApart(dir);
  expect(read).toMatchObject({ findings: [{ at: expect.stringMatching(/^agreement\.json/) }] });
  expect(read).toEqual(await readAgreementFolder(dir));
});
