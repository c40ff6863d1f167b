/** What an import asks of the declarations of carriers. */
import { describe, expect, test } from 'vitest';
import { SERVICE_CODE } from '../../src/catalog/tariff/document.ts';
import { byServiceOrder, CARRIERS, carrierNamed, carrierOf, slugOf, termsOf } from '../../src/import/carriers.ts';

const distinct = (values: readonly string[]) => expect(new Set(values).size).toBe(values.length);

test('no two carriers share a name, a prefix or a short name', () => {
  distinct(CARRIERS.map(({ name }) => name.toLowerCase()));
  distinct(CARRIERS.map(({ prefix }) => prefix));
  distinct(CARRIERS.map(({ slug }) => slug));
});

describe.each(CARRIERS)('$name', ({ name, prefix, slug, services, groups, columnOf, pdfs, workbooks, texts }) => {
  const codes = services.map(({ code }) => code);

  test('has services whose codes are its own', () => {
    distinct(codes);
    for (const code of codes) {
      expect(code).toMatch(SERVICE_CODE);
      expect(code.split('-')[0]).toBe(prefix);
      expect(carrierOf(code)).toBe(name);
    }
  });

  test('has groups of its services alone', () => {
    for (const group of Object.values(groups)) expect(codes).toEqual(expect.arrayContaining([...group]));
    for (const code of Object.keys(columnOf)) expect(carrierOf(code)).toBe(name);
  });

  test('is found by its name in any case, and has its short name', () => {
    expect(carrierNamed(name.toUpperCase())).toBe(name);
    expect(slugOf(name)).toBe(slug);
  });

  test('has a file that is read', () => {
    expect(pdfs.length + workbooks.length + texts.length).toBeGreaterThan(0);
    distinct([...pdfs, ...workbooks].map(({ called }) => called));
  });
});

test('other carriers have no terms, and their services come last', () => {
  expect([carrierNamed('Speedy'), carrierOf('SPEEDY-1'), slugOf('Speedy & Sons')]).toEqual([
    'Speedy',
    'SPEEDY',
    'speedy-sons',
  ]);
  expect(termsOf('SPEEDY-1')).toEqual({});
  expect(['ACME-1', 'UPS-NDA', 'FDX-GROUND', 'UPS-GROUND', 'ACME-0'].sort(byServiceOrder)).toEqual([
    ...['FDX-GROUND', 'UPS-GROUND', 'UPS-NDA'],
    ...['ACME-0', 'ACME-1'],
  ]);
});
