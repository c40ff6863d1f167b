import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type AgreementDocument, agreementFile, NO_TABLES } from '../../../src/catalog/agreement/document.ts';
import { agreementId } from '../../../src/catalog/agreement/versions.ts';
import { AGREEMENTS, foldersIn } from '../../../src/catalog/documents/kinds.ts';
import { folderForEachTest } from '../../folder.ts';

const document = (changes: Partial<AgreementDocument> = {}): AgreementDocument => ({
  file: agreementFile.parse({ name: 'acme-ups', carrier: 'UPS', effective: '2026-01-05' }),
  tables: NO_TABLES,
  amendments: [],
  ...changes,
});

const withTier = (row: number, tier: string): AgreementDocument =>
  document({ tables: { ...NO_TABLES, tiers: [{ row, tier, fromUsd: '0.00' }] } });

test('an id has the name, the date and eight digits of everything that the agreement says', () => {
  expect(agreementId(document())).toMatch(/^acme-ups@2026-01-05-[0-9a-f]{8}$/);
  const ids = [
    document(),
    withTier(2, '1'),
    withTier(2, '2'),
    document({ amendments: [{ from: '2026-07-01', discounts: [] }] }),
    document({ amendments: [{ from: '2026-07-02', discounts: [] }] }),
    document({ file: { ...document().file, services: { 'UPS-GROUND': { dimensionalOverCubicIn: 0 } } } }),
    document({ file: { ...document().file, until: '2027-01-01' } }),
  ].map(agreementId);
  expect(new Set(ids).size).toBe(7);
});

test('the order of members does not matter, but the rows of lines do, because explanations name them', () => {
  const { name, carrier, effective, ...rest } = document().file;
  expect(agreementId(document({ file: { ...rest, effective, carrier, name } }))).toBe(agreementId(document()));
  expect(agreementId(withTier(7, '1'))).not.toBe(agreementId(withTier(2, '1')));
});

let root = '';
folderForEachTest((made) => (root = made));

const put = async (name: string, text = ''): Promise<void> => {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), text);
};

test('lists the folders that have an agreement, and the folder itself if it has one', async () => {
  for (const name of ['b/agreement.json', 'a/agreement.json', 'notes/README.md', '.c.new-x/agreement.json', 'x.txt'])
    await put(name);
  expect(await foldersIn(AGREEMENTS, root)).toEqual([join(root, 'a'), join(root, 'b')]);
  expect(await foldersIn(AGREEMENTS, join(root, 'a'))).toEqual([join(root, 'a')]);
  // A writer was killed between its two renames.
  await rename(join(root, 'a'), join(root, '.a.old'));
  expect(await foldersIn(AGREEMENTS, root)).toEqual([join(root, 'a'), join(root, 'b')]);
});
