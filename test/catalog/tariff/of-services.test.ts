/** A draft with one carrier's files says nothing of the other carriers' services, which stay in force. */
import { expect, test } from 'vitest';
import { diffTariffs, ofServices, partsOf } from '../../../src/catalog/tariff/diff/diff.ts';
import type { TariffDocument } from '../../../src/catalog/tariff/document.ts';
import { readTariffFolder } from '../../../src/catalog/tariff/folder.ts';

const reference = async (): Promise<TariffDocument> => {
  const read = await readTariffFolder('samples/tariffs/reference');
  if (!('document' in read)) throw new Error(JSON.stringify(read.findings));
  return read.document;
};

test('the part of a tariff has its services alone, with what concerns them', async () => {
  const whole = await reference();
  const part = ofServices(whole, new Set(['C2-GROUND']));
  expect(part.file.services.map(({ code }) => code)).toEqual(['C2-GROUND']);
  expect(Object.keys(part.rates)).toEqual(['C2-GROUND']);
  expect(part.file.surcharges.length).toBeGreaterThan(0);
  expect(part.file.surcharges.every(({ services = ['C2-GROUND'] }) => services.join() === 'C2-GROUND')).toBe(true);
});

test('nothing is removed from it by a draft that has just these services', async () => {
  const whole = await reference();
  const draft = ofServices(whole, new Set(['C2-GROUND']));
  const parts = (before: TariffDocument) => partsOf(before, draft, diffTariffs(before, draft));
  expect(parts(whole).removed).toContain('service C1-GROUND');
  expect(diffTariffs(ofServices(whole, new Set(['C2-GROUND'])), draft)).toEqual([]);
});
