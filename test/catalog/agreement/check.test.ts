import { expect, test } from 'vitest';
import { checkAgreement } from '../../../src/catalog/agreement/check/check.ts';
import { type AgreementDocument, agreementFile } from '../../../src/catalog/agreement/document.ts';
import { smallAgreement, type Texts, tablesOf } from './small-agreement.ts';

const said = (document: AgreementDocument): string[] =>
  checkAgreement(document).map(({ severity, at, message }) => `${severity} ${at}: ${message}`);

const discounts = (...rows: readonly string[]): Texts => ({
  discounts: ['discount,better_of,services,zones,from_lb,to_lb,address,applies_to,tier,percent', ...rows].join('\n'),
});

test.each<readonly [string, readonly string[]]>([
  ['bands that follow each other', ['A,,*,*,1,5,any,both,,5', 'A,,*,*,6,,any,both,,7']],
  ['other kinds of address', ['A,,*,*,1,,residential,both,,5', 'A,,*,*,1,,commercial,both,,7']],
  ['packages and multiweight', ['A,,*,*,1,,any,packages,,5', 'A,,*,*,1,,any,multiweight,,7']],
  ['other zones', ['A,,*,2-4|44,1,,any,both,,5', 'A,,*,5-8|45,1,,any,both,,7']],
  ['other services', ['A,,G|H,*,1,,any,both,,5', 'A,,I,*,1,,any,both,,7']],
  ['other discounts', ['A,,*,*,1,,any,both,,5', 'B,,*,*,1,,any,both,,7']],
  ['discounts that compete', ['A,best,*,*,1,,any,both,,5', 'B,best,*,*,1,,any,both,,7']],
  [
    'a gap that another line fills',
    ['A,,*,2-8,1,5,any,both,,5', 'A,,*,2-8,9,,any,both,,7', 'A,,*,2|3,6,8,any,both,,6'],
  ],
])('finds nothing wrong with %s', (_, rows) => {
  expect(said(smallAgreement(discounts(...rows)))).toEqual([]);
});

test('lines of one discount must not overlap', () => {
  const overlap = (first: string, second: string) => said(smallAgreement(discounts(first, second)));
  expect(overlap('A,,*,*,1,6,any,both,,5', 'A,,G,2,6,,residential,packages,,7')).toEqual([
    'error discounts.csv row 3: overlaps row 2 of the same discount "A" at 6 lb and up: correct one of them, or give them different names if they add up',
  ]);
  expect(overlap('A,,G,2-4,1,,any,both,,5', 'A,,G|H,AK|4-8,1,9,any,both,,7')).toEqual([
    expect.stringContaining('row 3: overlaps row 2 of the same discount "A" at 1 to 9 lb'),
  ]);
});

test('says which pounds the bands of a discount leave out', () => {
  expect(
    said(smallAgreement(discounts('A,,*,*,11,20,any,both,,9', 'A,,*,*,1,5,any,both,,5', 'A,,*,*,22,,any,both,,9'))),
  ).toEqual([
    'warning discounts.csv row 2: leaves 6 to 10 lb without a discount, after row 3: if this is right, add a line of 0%',
    'warning discounts.csv row 4: leaves 21 lb without a discount, after row 2: if this is right, add a line of 0%',
  ]);
});

test('a discount that competes with none, too many discounts and too many bands', () => {
  expect(said(smallAgreement(discounts('A,best,*,*,1,,any,both,,5')))).toEqual([
    'warning discounts.csv row 2 column better_of: only the discount "A" has "best": name the discount that it competes with, or leave the cell empty',
  ]);
  const many = Array.from({ length: 101 }, (_, at) => `D${at},,*,*,1,,any,both,,5`);
  expect(said(smallAgreement(discounts(...many)))).toEqual([
    'error discounts.csv: has more than 100 discounts: give lines that belong together one name',
  ]);
  const bands = Array.from({ length: 251 }, (_, at) => `A,,*,*,${at + 1},${at + 1},any,both,,5`);
  expect(said(smallAgreement(discounts(...bands)))).toEqual([
    'error discounts.csv: has bands that begin or end at more than 250 weights: use fewer bands',
  ]);
});

test('a minimum names a whole cell or none, and a service has one', () => {
  const minimums = [
    ...['services,address,minimum,value,zone,weight_lb', 'G,any,usd,9.50,,', 'G,residential,less usd,1.00,2,1'],
    ...['*,any,usd,8.00,,', 'H,any,usd,9.00,2,1', 'I,any,less usd,1.00,2,', 'G,residential,less usd,1.00,,1'],
  ];
  expect(said(smallAgreement({ minimums: minimums.join('\n') }))).toEqual([
    'error minimums.csv row 5: is an amount: leave zone and weight_lb empty, or write less usd or less percent',
    'error minimums.csv row 5: row 4 already gives a minimum to a service of this line: remove it from one of them',
    'error minimums.csv row 6 column weight_lb: is empty: write the pounds of the cell, such as 1, beside zone 2',
    'error minimums.csv row 6: row 4 already gives a minimum to a service of this line: remove it from one of them',
    'error minimums.csv row 7 column zone: is empty: write the zone of the cell, such as 2, beside 1 lb',
    'error minimums.csv row 7: row 3 already gives a minimum to a service of this line: remove it from one of them',
  ]);
});

test('a surcharge has one change, and may also have at most', () => {
  const surcharges = [
    ...[
      'surcharge,services,zones,area,change,value',
      'RESIDENTIAL,*,*,,percent off,50',
      'RESIDENTIAL,*,*,,at most,3.00',
    ],
    ...['RESIDENTIAL,G,2,,amount off,1.00', 'DELIVERY_AREA*,*,*,,waived,', 'DELIVERY_AREA_REMOTE,*,*,far,fixed,1.00'],
    ...['PEAK,G,2-4,,waived,', 'PEAK,G,5-8,,waived,', 'PEAK,H,*,a,waived,', 'PEAK,H,*,b,waived,', 'PEA,*,*,,waived,'],
  ];
  expect(said(smallAgreement({ surcharges: surcharges.join('\n') }))).toEqual([
    'warning surcharges.csv row 4: changes RESIDENTIAL for the same packages as row 2: both count, row 2 first. If this is wrong, keep one of them',
    'error surcharges.csv row 6: changes DELIVERY_AREA_REMOTE for the same packages as row 5: keep one of them. Only a line with "at most" can go with fixed',
  ]);
  const line = { row: 2, surcharge: 'A', services: '*', zones: '*' } as const;
  expect(said(smallAgreement({}, { tables: { surcharges: [{ ...line, change: 'percent off', value: '' }] } }))).toEqual(
    ['error surcharges.csv row 2 column value: is empty: write the value of percent off'],
  );
});

test('fuel rates of a service do not overlap', () => {
  const fuel = [
    ...['services,from,until,percent', '*,2026-01-05,2026-01-31,5', 'G,2026-01-31,,6', 'H,2026-02-01,,7'],
    ...['G,2026-01-31,2026-02-05,8', 'I,2026-05-01,2026-04-30,5'],
  ];
  expect(said(smallAgreement({ fuel: fuel.join('\n') }))).toEqual([
    'error fuel.csv row 3: overlaps row 2 for a service that both rows name: correct from or until',
    'error fuel.csv row 5: overlaps row 2 for a service that both rows name: correct from or until',
    'error fuel.csv row 6 column until: is before 2026-05-01, the value of from: correct one of them',
  ]);
});

const TIERS = 'tier,from_usd\n1,0.00\n2,1000.00\n';
const USED = discounts('A,,*,*,1,,any,both,1,5', 'A,,*,*,1,,any,both,2,7');
const SPEND = 'week_ending,usd\n2026-01-03,900.00\n2026-01-10,1100.00\n';

test('tiers rise, are named once, and are known where they are named', () => {
  expect(said(smallAgreement({ ...USED, tiers: TIERS, spend: SPEND }))).toEqual([]);
  const inForce = [{ from: '2026-02-01', tier: '4' }];
  expect(
    said(
      smallAgreement(
        { ...USED, tiers: 'tier,from_usd\n1,0.00\n3,500.00\n3,500.00\n', spend: SPEND },
        { file: { earned: { inForce, grace: { until: '2026-01-04', tier: '1' } } } },
      ),
    ),
  ).toEqual([
    'error tiers.csv row 4 column tier: is also the name of the tier in row 3: rename one',
    'error tiers.csv row 4 column from_usd: must be more than 500.00 in row 3: tiers must rise',
    'error agreement.json earned.inForce[0].tier: "4" is not a tier of tiers.csv, it has 1, 3, 3: correct the name, or add the tier',
    'error discounts.csv row 3 column tier: "2" is not a tier of tiers.csv, it has 1, 3, 3: correct the name, or add the tier',
    'warning tiers.csv row 3: no discount has the tier 3: add its lines to discounts.csv',
    'warning tiers.csv row 4: no discount has the tier 3: add its lines to discounts.csv',
    'error agreement.json earned.grace.until: is before 2026-01-05, the effective date: correct it',
  ]);
});

test('says when no tier can be in force, and when spend has no effect', () => {
  expect(said(smallAgreement({ ...USED, tiers: TIERS }))).toEqual([
    'warning tiers.csv: no tier is ever in force: add spend.csv, or earned.inForce or earned.grace to agreement.json',
  ]);
  expect(said(smallAgreement({ spend: SPEND }))).toEqual([
    'warning spend.csv: has no effect without tiers.csv: add tiers.csv, or remove this file',
  ]);
});

test('weeks of spend are 7 days apart, in any order', () => {
  const weeks = (...days: readonly string[]) =>
    said(
      smallAgreement({
        ...USED,
        tiers: TIERS,
        spend: ['week_ending,usd', ...days.map((day) => `${day},1.00`)].join('\n'),
      }),
    );
  expect(weeks('2026-01-17', '2026-01-03', '2026-01-10')).toEqual([]);
  expect(weeks('2026-01-03', '2026-01-17', '2026-01-23')).toEqual([
    expect.stringContaining('error spend.csv row 3 column week_ending: must be 7 days after 2026-01-03 in row 2'),
    expect.stringContaining('error spend.csv row 4 column week_ending: must be 7 days after 2026-01-17 in row 3'),
  ]);
});

test('periods of tiers that were set do not overlap', () => {
  const periods = (...inForce: readonly { from: string; until?: string }[]) =>
    said(
      smallAgreement(
        { ...USED, tiers: TIERS },
        { file: { earned: { inForce: inForce.map((period) => ({ ...period, tier: '1' })) } } },
      ),
    );
  expect(periods({ from: '2026-03-01' }, { from: '2026-01-01', until: '2026-02-01' }, { from: '2026-04-01' })).toEqual(
    [],
  );
  expect(periods({ from: '2026-01-01', until: '2026-02-01' }, { from: '2026-02-01' })).toEqual([
    'error agreement.json earned.inForce[1]: overlaps the period from 2026-01-01: correct from or until',
  ]);
  expect(periods({ from: '2026-01-01', until: '2025-02-01' })).toEqual([
    'error agreement.json earned.inForce[0]: ends before it begins: correct from or until',
  ]);
});

test('a rate cap has its rates, and rates of caps have their percentage', () => {
  const table = { columns: ['2'], cents: [[1_000], [null], [1_100]] };
  expect(
    said(
      smallAgreement(
        {},
        { file: { services: { G: { rateCapPercent: '4.9' } } }, tables: { caps: { H: table }, rates: { I: table } } },
      ),
    ),
  ).toEqual([
    'error rates/I.csv row 3 column 2: is empty, but there are rates for more than 2 lb',
    'error caps/H.csv row 3 column 2: is empty, but there are rates for more than 2 lb',
    "error agreement.json services.G.rateCapPercent: has no rates to apply to: add last year's net rates as caps/G.csv, or remove this member",
    'error caps/H.csv: has no effect: write services.H.rateCapPercent in agreement.json, or remove this file',
  ]);
  const ounces = [{ upToOz: 8, cents: [900] }];
  expect(
    said(
      smallAgreement(
        {},
        {
          file: { services: { G: { rateCapPercent: '4.9' } } },
          tables: { caps: { G: { columns: ['2'], cents: [[1_000]], ounces } } },
        },
      ),
    ),
  ).toEqual(['error caps/G.csv: has rows of ounces, but caps begin at 1 lb: remove these rows']);
});

test('amendments come in order, within the agreement, under its name', () => {
  const file = (changes: object) =>
    agreementFile.parse({ name: 'acme', carrier: 'Small', effective: '2026-01-05', ...changes });
  const fuel = tablesOf({ fuel: 'from,percent\n2026-02-01,5\n' });
  expect(
    said(
      smallAgreement(
        {},
        {
          file: { until: '2026-01-01' },
          amendments: [
            { from: '2026-07-01', ...fuel, file: file({ name: 'other', carrier: 'UPS', effective: '2026-07-01' }) },
            { from: '2026-07-01', ...fuel },
            { from: '2026-01-05' },
            { from: '2026-08-01', file: file({ until: '2026-07-31' }) },
          ],
        },
      ),
    ),
  ).toEqual([
    'error agreement.json until: is before 2026-01-05, the effective date: correct it',
    'error amendments/2026-07-01/agreement.json name: must be acme, as in the agreement itself: correct it',
    'error amendments/2026-07-01/agreement.json effective: must be 2026-01-05, as in the agreement itself: correct it',
    'error amendments/2026-07-01/agreement.json carrier: must be Small, as in the agreement itself: correct it',
    'error amendments/2026-07-01: must come after 2026-07-01: sort the amendments by date',
    "error amendments/2026-01-05: must be after 2026-01-05, the effective date: change the agreement's own files",
    'error amendments/2026-01-05: must come after 2026-07-01: sort the amendments by date',
    'warning amendments/2026-01-05: has no files: add those that change, or remove it',
    'warning amendments/2026-08-01: never counts, because the agreement ends on 2026-07-31: correct until in its agreement.json',
    'error amendments/2026-08-01/agreement.json until: is before 2026-08-01, when this amendment begins: correct it',
  ]);
});

test('an amendment that begins after the agreement has ended', () => {
  const { file } = smallAgreement({}, { file: { until: '2026-05-31' } });
  const amendedFrom = (from: string) =>
    said(smallAgreement({}, { file, amendments: [{ from, file: { ...file, until: '2026-12-31' } }] }));
  expect(amendedFrom('2026-06-01')).toEqual([]);
  expect(amendedFrom('2026-06-02')).toEqual([
    'warning amendments/2026-06-02: begins after a gap: the agreement ended on 2026-05-31, but the days between have its prices too',
  ]);
});

test('checks an agreement as each amendment leaves it, and says each finding once', () => {
  const bad = tablesOf(discounts('A,,*,*,1,,any,both,,5', 'A,,*,*,1,,any,both,,7'));
  const document = smallAgreement(
    { ...USED, tiers: TIERS, spend: SPEND, minimums: 'minimum,value,zone\nless usd,1.00,2\n' },
    {
      amendments: [
        { from: '2026-07-01', ...bad },
        { from: '2026-08-01', tiers: [] },
      ],
    },
  );
  expect(said(document)).toEqual([
    'error minimums.csv row 2 column weight_lb: is empty: write the pounds of the cell, such as 1, beside zone 2',
    expect.stringContaining('error amendments/2026-07-01/discounts.csv row 3: overlaps row 2'),
    'warning tiers.csv row 2: no discount has the tier 1: add its lines to discounts.csv',
    'warning tiers.csv row 3: no discount has the tier 2: add its lines to discounts.csv',
    'warning spend.csv: has no effect without tiers.csv: add tiers.csv, or remove this file',
  ]);
});

test('tiers that the contract sets need no bands of dollars', () => {
  const discounts = 'discount,tier,percent\nEarned,silver,5\n';
  const setTo = (tier: string) =>
    said(smallAgreement({ discounts }, { file: { earned: { inForce: [{ from: '2026-02-01', tier }] } } }));
  expect(setTo('silver')).toEqual([]);
  expect(setTo('sliver')).toEqual([
    'error agreement.json earned.inForce[0].tier: "sliver" is not a tier of discounts.csv, it has silver: correct the name, or add the tier',
  ]);
});
