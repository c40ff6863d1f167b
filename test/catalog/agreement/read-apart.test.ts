import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAgreementFolder, writeAgreementFolder } from '../../../src/catalog/agreement/folder.ts';
import { readFolderApart } from '../../../src/catalog/agreement/read-apart.ts';
import { folderForEachTest } from '../../folder.ts';
import { onePercentage } from './one-percentage.ts';

let dir = '';
folderForEachTest((made) => (dir = made));

test('folders that are read in separate processes give the same agreement, and the same errors', async () => {
  const [sound, damaged] = [join(dir, 'acme'), join(dir, 'damaged')];
  await writeAgreementFolder(sound, onePercentage('12.50', { name: 'acme' }));
  await mkdir(damaged);
  await writeFile(join(damaged, 'agreement.json'), '{');
  const [read, refused] = await Promise.all([sound, damaged].map(readFolderApart));
  expect(read).toMatchObject({ document: { file: { name: 'acme' } } });
  expect(read).toEqual(await readAgreementFolder(sound));
  expect(refused).toMatchObject({ findings: [{ at: expect.stringMatching(/^agreement\.json/) }] });
  expect(refused).toEqual(await readAgreementFolder(damaged));
});
