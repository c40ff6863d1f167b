/** What an agreement becomes from a day on: other files, or one percentage for a service. */
import { expect, test } from 'vitest';
import { amendedFrom, removedRates, withServiceDiscount } from '../../../src/catalog/agreement/amend.ts';
import { checkAgreement } from '../../../src/catalog/agreement/check/check.ts';
import type { AgreementDocument } from '../../../src/catalog/agreement/document.ts';
import { readAgreementFolder, writeAgreementFolder } from '../../../src/catalog/agreement/folder.ts';
import { filesOn } from '../../../src/catalog/agreement/versions.ts';
import { folderForEachTest } from '../../folder.ts';
import { ACME_C1 } from './acme-c1.ts';

let dir: string;
folderForEachTest((made) => (dir = made));

const SERVICES = ['C1-GROUND', 'C1-EXPRESS'];

const percentsOf = (document: AgreementDocument, day: string, service: string): string[] =>
  filesOn(document, day)
    .tables.discounts.filter(({ services }) => services === '*' || services.includes(service))
    .map(({ percent }) => percent);

test('gives a service one percentage from a day on, and keeps earlier days and other services', () => {
  const from = '2026-06-01';
  const after = withServiceDiscount(ACME_C1, { service: 'C1-GROUND', services: SERVICES, percent: '35', from });
  expect(checkAgreement(after)).toEqual([]);
  expect(percentsOf(after, '2026-06-01', 'C1-GROUND')).toEqual(['35.00']);
  expect(percentsOf(after, '2026-05-31', 'C1-GROUND')).toEqual(percentsOf(ACME_C1, '2026-05-31', 'C1-GROUND'));
  expect(percentsOf(after, '2026-06-01', 'C1-EXPRESS')).toEqual(percentsOf(ACME_C1, '2026-06-01', 'C1-EXPRESS'));
  expect(after.tables).toEqual(ACME_C1.tables);
});

test.each(['35', '12.5', '0.75'])('has the id that its folder gives, at %s percent', async (percent) => {
  const after = withServiceDiscount(ACME_C1, {
    ...{ service: 'C1-GROUND', services: SERVICES, percent },
    from: '2026-06-01',
  });
  await writeAgreementFolder(dir, after, dir);
  expect(await readAgreementFolder(dir)).toEqual({ document: after });
});

test('gives it again on the same day, and in later amendments', () => {
  const from = '2026-06-01';
  const [line] = ACME_C1.tables.discounts;
  if (line === undefined) throw new Error('the agreement has discounts');
  const amended = { ...ACME_C1, amendments: [{ from: '2026-09-01', discounts: [{ ...line, percent: '12.00' }] }] };
  const once = withServiceDiscount(amended, { service: 'C1-GROUND', services: SERVICES, percent: '35', from });
  expect(percentsOf(once, '2026-09-01', 'C1-GROUND')).toEqual(['35.00']);
  const twice = withServiceDiscount(once, { service: 'C1-GROUND', services: SERVICES, percent: '40', from });
  expect(twice.amendments.map((one) => one.from)).toEqual(['2026-06-01', '2026-09-01']);
  expect(percentsOf(twice, '2026-06-01', 'C1-GROUND')).toEqual(['40.00']);
  expect(percentsOf(twice, '2026-09-02', 'C1-GROUND')).toEqual(['40.00']);
});

test('changes an agreement that has not begun itself', () => {
  const after = withServiceDiscount(ACME_C1, {
    ...{ service: 'C1-EXPRESS', services: SERVICES, percent: '10' },
    from: '2025-12-01',
  });
  expect(after.amendments).toEqual([]);
  expect(percentsOf(after, '2026-01-01', 'C1-EXPRESS')).toEqual(['10.00']);
});

test('makes an amendment of the files that differ', () => {
  const from = '2026-07-01';
  const after = { ...ACME_C1, file: { ...ACME_C1.file, effective: from, description: 'Renewed' } };
  const surcharges = ACME_C1.tables.surcharges.slice(1);
  const amended = amendedFrom(ACME_C1, { ...after, tables: { ...ACME_C1.tables, surcharges } }, from);
  const file = { ...ACME_C1.file, description: 'Renewed' };
  expect(amended).toEqual({ ...ACME_C1, amendments: [{ from, file, surcharges }] });
  expect(checkAgreement(amended)).toEqual([]);
  // Once more on the same day: what that day had is replaced.
  expect(amendedFrom(amended, ACME_C1, from)).toEqual(ACME_C1);
});

test('names rate tables that an amendment cannot remove', () => {
  const table = { columns: ['2'], cents: [[100]], rows: [1] };
  const tables = { ...ACME_C1.tables, rates: { 'C1-GROUND': table as never } };
  expect(removedRates({ ...ACME_C1, tables }, ACME_C1, '2026-07-01')).toEqual(['rates/C1-GROUND.csv']);
});
