import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ADDRESSES, APPLIES_TO, type Named, type ZoneRange } from '../../../src/catalog/agreement/cells.ts';
import { checkAgreement } from '../../../src/catalog/agreement/check/check.ts';
import {
  type AgreementDocument,
  type AgreementTables,
  agreementFile,
  type SurchargeLine,
} from '../../../src/catalog/agreement/document.ts';
import { readAgreementFolder, writeAgreementFolder } from '../../../src/catalog/agreement/folder.ts';
import { agreementId } from '../../../src/catalog/agreement/versions.ts';
import { folderForFile } from '../../folder.ts';

let root = '';
folderForFile((made) => (root = made));

const one = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const money = fc.nat(99_999_999).map((cents) => (cents / 100).toFixed(2));
const percent = fc.nat(10_000).map((rate) => (rate / 100).toFixed(2));
const day = fc.nat(5_000).map((days) => new Date(Date.UTC(2020, 0, 1 + days)).toISOString().slice(0, 10));
const pounds = fc.integer({ min: 1, max: 5_000 });
const code = one('UPS-GROUND', 'UPS-2DAY', 'G', 'A-1');
/** Text with whatever a CSV file has to quote. */
const words = fc
  .string({
    unit: one('a', 'B', '7', ' ', ',', '"', ';', "'", '|', '%', '*', 'é', '漢', '😀'),
    minLength: 1,
    maxLength: 20,
  })
  .filter((text) => text === text.trim());
const listOf = <T>(item: fc.Arbitrary<T>, by: (item: T) => string): fc.Arbitrary<Named<T>> =>
  fc.oneof(fc.constant('*' as const), fc.uniqueArray(item, { selector: by, minLength: 1, maxLength: 4 }));
const services = listOf(code, String);
const range: fc.Arbitrary<ZoneRange> = fc.oneof(
  one('2', '44', 'AK', 'zone 5').map((zone) => ({ from: zone, to: zone })),
  fc
    .tuple(fc.nat(300), fc.integer({ min: 1, max: 99 }))
    .map(([from, more]) => ({ from: `${from}`, to: `${from + more}` })),
);
const zones = listOf(range, ({ from, to }) => `${from} ${to}`);

/** Lines with the rows that they have in a written file. */
const lines = <T extends object>(line: fc.Arbitrary<T>): fc.Arbitrary<(T & { row: number })[]> =>
  fc.array(line, { maxLength: 4 }).map((list) => list.map((members, at) => ({ row: at + 2, ...members })));

const discount = fc
  .record(
    {
      ...{
        discount: words,
        betterOf: words,
        services,
        zones,
        fromLb: pounds,
        more: pounds,
        address: one(...ADDRESSES),
      },
      ...{ appliesTo: one(...APPLIES_TO), tier: words.filter((text) => text.length <= 20), percent },
    },
    { requiredKeys: ['discount', 'services', 'zones', 'fromLb', 'address', 'appliesTo', 'percent'] },
  )
  .map(({ more, ...line }) => ({ ...line, ...(more === undefined ? {} : { toLb: line.fromLb + more }) }));

const minimum = fc
  .record(
    {
      services,
      address: one(...ADDRESSES),
      minimum: one('usd', 'less usd', 'less percent'),
      percent,
      money,
      zone: one('2', '44'),
      weightLb: pounds,
    },
    { requiredKeys: ['services', 'address', 'minimum', 'percent', 'money'] },
  )
  .map(({ percent: rate, money: usd, ...line }) => ({ ...line, value: line.minimum === 'less percent' ? rate : usd }));

const change: fc.Arbitrary<Pick<SurchargeLine, 'change' | 'value' | 'isPercent'>> = fc.oneof(
  fc.constant({ change: 'waived' as const, value: '' }),
  fc.record({ change: one('percent off', 'points off'), value: percent }),
  fc.record({ change: one('amount off', 'fixed', 'at most'), value: money }),
  fc.record({ change: one('fixed', 'at most'), value: percent, isPercent: fc.constant(true as const) }),
);
const surcharge = fc
  .record(
    { surcharge: one('FUEL', 'A*', '*'), services, zones, area: words, change },
    { requiredKeys: ['surcharge', 'services', 'zones', 'change'] },
  )
  .map(({ change: own, ...line }) => ({ ...line, ...own }));

const rateTable = fc
  .tuple(
    fc.uniqueArray(one('2', '3', '205', 'AK'), { minLength: 1 }),
    fc.integer({ min: 1, max: 5 }),
    fc.option(fc.nat(99_999)),
  )
  .map(([columns, rows, cell]) => ({ columns, cents: Array.from({ length: rows }, () => columns.map(() => cell)) }));
const rateTables = fc.dictionary(code, rateTable, { maxKeys: 2, noNullPrototype: true });

const tables: fc.Arbitrary<AgreementTables> = fc.record({
  discounts: lines(discount),
  minimums: lines(minimum),
  surcharges: lines(surcharge),
  fuel: lines(
    fc.record({ services, from: day, until: day, percent }, { requiredKeys: ['services', 'from', 'percent'] }),
  ),
  tiers: lines(
    fc.oneof(
      fc.record({ program: words, tier: words, fromUsd: money }, { requiredKeys: ['tier', 'fromUsd'] }),
      fc.record({ program: words, tier: words, fromPackages: fc.nat(999_999_999) }),
    ),
  ),
  spend: lines(
    fc.oneof(
      fc.record({ weekEnding: day, program: words, usd: money }, { requiredKeys: ['weekEnding', 'usd'] }),
      fc.record(
        { weekEnding: day, program: words, usd: money, packages: fc.nat(999_999_999) },
        { requiredKeys: ['weekEnding', 'packages'] },
      ),
    ),
  ),
  rates: rateTables,
  caps: rateTables,
});

const file = fc
  .record(
    { description: fc.string(), until: day, services: fc.dictionary(code, fc.record({ dimensionalFactor: pounds })) },
    { requiredKeys: [] },
  )
  .map((members) => agreementFile.parse({ name: 'acme', carrier: 'UPS', effective: '2026-01-05', ...members }));

/** Lines of any tables, files or none; tables of rates with at least one, because a folder cannot have none. */
const amendment = fc
  .tuple(
    tables,
    file,
    fc.subarray(['file', 'discounts', 'minimums', 'surcharges', 'fuel', 'tiers', 'spend', 'rates', 'caps']),
  )
  .map(([all, amended, kept]) =>
    Object.fromEntries(
      Object.entries({ file: amended, ...all }).filter(
        ([name, part]) =>
          kept.includes(name) && ((name !== 'rates' && name !== 'caps') || Object.keys(part).length > 0),
      ),
    ),
  );

const document: fc.Arbitrary<AgreementDocument> = fc.record({
  file,
  tables,
  amendments: fc
    .uniqueArray(fc.tuple(day, amendment), { selector: ([from]) => from, maxLength: 3 })
    .map((list) => list.map(([from, part]) => ({ from, ...part })).sort((a, b) => (a.from < b.from ? -1 : 1))),
});

test('whatever is written is read as the same agreement with the same id', async () => {
  const dir = join(root, 'written');
  await fc.assert(
    fc.asyncProperty(document, async (written) => {
      await writeAgreementFolder(dir, written);
      const read = await readAgreementFolder(dir);
      expect(read).toEqual({ document: written });
      if ('document' in read) expect(agreementId(read.document)).toBe(agreementId(written));
      // Any agreement that can be read can be checked.
      for (const { at, message } of checkAgreement(written)) expect([at, message]).not.toContain('');
    }),
    { numRuns: 40 },
  );
});

const HEADERS = {
  discounts: 'discount,better_of,services,zones,from_lb,to_lb,address,applies_to,tier,percent',
  minimums: 'services,address,minimum,value,zone,weight_lb',
  surcharges: 'surcharge,services,zones,area,change,value',
  fuel: 'services,from,until,percent',
  tiers: 'tier,from_usd',
  spend: 'week_ending,usd',
};
const CELLS = [
  ...[
    '',
    '*',
    '|',
    '2-8',
    '8-2',
    '18.5%',
    '100.01',
    '1e9',
    '-1',
    '12.50',
    '9999999999.99',
    'UPS-GROUND',
    'any',
    'both',
  ],
  ...[
    'usd',
    'less percent',
    'waived',
    'fixed',
    'FUEL',
    '2026-01-05',
    '2026-02-30',
    '__proto__',
    '"',
    '"a',
    '\0',
    '\n',
    '\r\n',
  ],
];
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc
    .tuple(one(...Object.values(HEADERS)), fc.array(fc.array(one(...CELLS), { maxLength: 11 }), { maxLength: 6 }))
    .map(([header, rows]) => [header, ...rows.map((cells) => cells.join(','))].join('\n')),
);

test('the reader refuses or reads any text, and names the file of each finding', async () => {
  const dir = join(root, 'any');
  await mkdir(dir);
  await fc.assert(
    fc.asyncProperty(one(...Object.keys(HEADERS), 'agreement'), text, async (name, content) => {
      const path = join(dir, name === 'agreement' ? 'agreement.json' : `${name}.csv`);
      await writeFile(join(dir, 'agreement.json'), '{"name": "acme", "carrier": "UPS", "effective": "2026-01-05"}');
      await writeFile(path, content);
      const read = await readAgreementFolder(dir);
      if ('findings' in read) {
        expect(read.findings.length).toBeGreaterThan(0);
        for (const { at, message } of read.findings)
          expect([at.startsWith(name), message === '']).toEqual([true, false]);
      }
      await rm(path);
    }),
    { numRuns: 400 },
  );
});
