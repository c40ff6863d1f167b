/** Tiers by quarter, by annualized revenue and by packages, in programs with their own bands. */
import { expect, test } from 'vitest';
import { diffAgreements } from '../../../../src/catalog/agreement/diff/diff.ts';
import type { AgreementFileInput } from '../../../../src/catalog/agreement/document.ts';
import { FORMS } from '../../../../src/catalog/agreement/tables.ts';
import { agreementId, tierOfDay, tiersOfDay } from '../../../../src/catalog/agreement/versions.ts';
import { agreementDetail } from '../../../../src/catalog/agreement/view/tables.ts';
import { shifted } from '../../../../src/catalog/tariff/days.ts';
import { scheduleOf } from '../../../../src/catalog/tariff/schedule.ts';
import { warningsOf } from '../../../../src/rating/warning.ts';
import { comparedIn, rowsOf } from '../../../lists/comparison/fixtures.ts';
import type { Asked } from '../../../rating/priced.ts';
import { ACME_C1 } from '../acme-c1.ts';
import { priceWith, WAREHOUSE } from '../fixtures.ts';
import { smallAgreement, textOf } from '../small-agreement.ts';
import { checked, explained, HOME, net } from './clause.ts';
import { EARNED, FIRST_WEEK, PROGRAM_TARIFF, PROGRAMS, programAgreement, SPEND, TEXTS } from './programs.ts';

const WEST = { to: '90001', packages: [{ lb: 3 }] };
const EXPRESS = { service: 'EXPRESS' };

/**
 * Ground earns by the packages of the last quarter: 2,600 in the first, 1,300 in the second. Express earns by its last four
 * weeks × 13: 104,000.00 up to March, 260,000.00 by those to April 25. All earn by the average of two weeks: 1,050.00 by April 4.
 * Fuel is 20% of base and handling (5.00) and home (6.00), pickup 2.00.
 */
test.each([
  // No quarter is over, 900.00 is below A: 10.00 less 10% is 9.00. + 5.00 + 2.00 + 2.80.
  ['ground before the first quarter ends', '2026-03-31', {}, 1_880],
  // G2: 15% off, 8.50 + 5.00 + 2.00 + 2.70.
  ['ground after it', '2026-04-01', {}, 1_820],
  // G2 and A: 16.5% off, 8.35 + 5.00 + 2.00 + 20% of 13.35.
  ['ground with the weekly tier', '2026-04-05', {}, 1_802],
  // G2, A and 2% of the program of express: 18.5% off, 8.15 + 5.00 + 2.00 + 20% of 13.15.
  ['ground in two programs', '2026-04-26', {}, 1_778],
  // And half of 6.00 for a home in G2: 8.15 + 5.00 + 3.00 + 2.00 + 20% of 16.15.
  ['ground to a home', '2026-04-26', HOME, 2_138],
  // 24.00 less 18.5% (4.44) is 19.56: + 5.00 + 2.00 + 20% of 24.56 (4.912).
  ['ground to zone 8', '2026-06-30', WEST, 3_147],
  // 8.15 and 12.00 less 18.5% (2.22), twice 5.00, 2.63 and 20% of 14.78 (2.956), 2.00 once.
  ['two packages by ground', '2026-06-30', { packages: [{ lb: 1 }, { lb: 3 }] }, 3_552],
  // G1: 10% + 1.5% + 3% + 2% off, 8.35 + 5.00 + 2.00 + 2.67.
  ['ground after the second quarter', '2026-07-01', {}, 1_802],
  // E1: 14% off, 8.60 + 5.00 + 2.00 + 20% of 13.60.
  ['express by five weeks', '2026-02-01', EXPRESS, 1_832],
  // E1 and A: 15.5% off, 8.45 + 5.00 + 2.00 + 2.69.
  ['express on the last day of E1', '2026-04-25', EXPRESS, 1_814],
  // E2 (6% + 2%) and A: 19.5% off, 8.05 + 5.00 + 2.00 + 2.61.
  ['express on the first day of E2', '2026-04-26', EXPRESS, 1_766],
  // 24.00 less 19.5% (4.68) is 19.32: + 5.00 + 6.00 + 2.00 + 20% of 30.32 (6.064).
  ['express to a home in zone 8', '2026-04-26', { ...EXPRESS, ...WEST, ...HOME }, 3_838],
])('%s', (_, day, asked: Asked, cents) => {
  expect(net(PROGRAMS, { ...asked, day }, PROGRAM_TARIFF)).toBe(cents);
});

test('an explanation says program, tier and the figure that earned it', () => {
  const at = (day: string, asked: Asked = {}) => explained(PROGRAMS, { day, ...asked }, PROGRAM_TARIFF);
  expect(at('2026-04-26', HOME)).toEqual([
    'Base -1.00 = 10.00% of 10.00 (acme/discounts.csv row 2)',
    'Weekly -0.15 = 1.50% of 10.00 (acme/discounts.csv row 3)',
    'Ground volume -0.50 = 5.00% of 10.00, Ground volume: tier G2 by 2,600 packages in the quarter to 2026-03-31 (acme/discounts.csv row 5)',
    'Portfolio -0.20 = 2.00% of 10.00, Express revenue: tier E2 by $260,000.00 a year, from the 4 weeks to 2026-04-25 (acme/discounts.csv row 8)',
    'HANDLING 5.00 = 5.00 per package',
    'RESIDENTIAL 3.00 = 6.00 per package, less 50.00% (Ground volume: tier G2 by 2,600 packages in the quarter to 2026-03-31, acme/surcharges.csv row 2) = 3.00',
    'FUEL 3.23 = 20.00% of 16.15 (base 8.15, HANDLING 5.00, RESIDENTIAL 3.00)',
    'PICKUP 2.00 = 2.00 per shipment',
  ]);
  const set = programAgreement(
    {},
    {
      programs: {
        'Ground volume': { period: 'quarter', inForce: [{ from: '2026-01-05', tier: 'G1' }] },
        'Express revenue': { period: 'year', grace: { until: '2026-01-31', tier: 'E2' } },
      },
    },
  );
  const [, ground, express] = explained(set, { day: '2026-01-31' }, PROGRAM_TARIFF);
  expect([ground, express]).toEqual([
    'Ground volume -0.30 = 3.00% of 10.00, Ground volume: tier G1 as agreed (acme/discounts.csv row 4)',
    'Portfolio -0.20 = 2.00% of 10.00, Express revenue: tier E2 in the grace period (acme/discounts.csv row 8)',
  ]);
});

test('programs compete where their discounts name the same better_of', () => {
  const better = programAgreement({
    discounts:
      'discount,better_of,tier,percent\nGround,best,G1,3\nGround,best,G2,5\nExpress,best,E1,4\nExpress,best,E2,6\n',
  });
  // 10.00 less 5% of G2 is 9.50, and less 6% of E2 9.40: + 5.00 + 2.00 + 20%.
  expect(net(better, { day: '2026-04-25' }, PROGRAM_TARIFF)).toBe(1_940);
  expect(net(better, { day: '2026-04-26' }, PROGRAM_TARIFF)).toBe(1_928);
});

/** Ground alone, by packages of these weeks from the first one on. */
const byPackages = (
  packages: readonly number[],
  rules: NonNullable<NonNullable<AgreementFileInput['earned']>['programs']>[string],
) =>
  smallAgreement(
    {
      discounts: 'discount,tier,percent\nGround,G1,3\nGround,G2,5\n',
      tiers: 'program,tier,from_packages\nGround,G1,1000\nGround,G2,2500\n',
      spend: ['week_ending,packages', ...packages.map((count, at) => `${shifted(FIRST_WEEK, 7 * at)},${count}`)].join(
        '\n',
      ),
    },
    { file: { earned: { programs: { Ground: rules } } } },
  );

const weeks = (count: number, each: number): number[] => Array.from({ length: count }, () => each);

test('a quarter counts once all its weeks are known, and is late a week after the next one', () => {
  const on = (packages: readonly number[], day: string) =>
    tierOfDay(byPackages(packages, { period: 'quarter' }), day, 'Ground');
  const unknown = { program: 'Ground', measure: 'packages', period: 'quarter', by: 'nothing', isUncertain: true };
  expect(on(weeks(12, 300), '2026-04-08')).toEqual(unknown);
  expect(on(weeks(13, 300), '2026-03-31')).toEqual(unknown);
  expect(on(weeks(13, 300), '2026-04-01')).toEqual({
    ...{ ...unknown, by: 'average', tier: 'G2', figure: 3_900, weeks: 13 },
    ...{ spendUntil: '2026-03-31', until: '2026-06-30', isUncertain: false },
  });
  expect(on(weeks(13, 300), '2026-07-07')?.isUncertain).toBe(false);
  expect(on(weeks(13, 300), '2026-07-08')?.isUncertain).toBe(true);
  // 999 and 1,000 packages, 2,499 and 2,500.
  expect([...weeks(12, 76), 87].reduce((sum, one) => sum + one)).toBe(999);
  expect(on([...weeks(12, 76), 87], '2026-04-01')?.tier).toBeUndefined();
  expect(on([...weeks(12, 76), 88], '2026-04-01')?.tier).toBe('G1');
  expect(on([...weeks(12, 200), 99], '2026-04-01')?.tier).toBe('G1');
  expect(on([...weeks(12, 200), 100], '2026-04-01')?.tier).toBe('G2');
});

test('a quarter that begins before the first week does not count', () => {
  const late = byPackages(weeks(13, 300), { period: 'quarter' });
  const spend = late.tables.spend.map((line) => ({ ...line, weekEnding: shifted(line.weekEnding, 7) }));
  const on = (day: string) => tierOfDay({ ...late, tables: { ...late.tables, spend } }, day, 'Ground')?.by;
  expect([on('2026-04-05'), on('2026-07-01')]).toEqual(['nothing', 'nothing']);
});

test('lowerAfterWeeks counts quarters, and fromDaysAfter days after them', () => {
  const on = (day: string, rules: object = {}) =>
    tierOfDay(byPackages([...weeks(13, 300), ...weeks(26, 100)], { period: 'quarter', ...rules }), day, 'Ground')?.tier;
  expect([
    on('2026-07-01'),
    on('2026-07-01', { lowerAfterWeeks: 2 }),
    on('2026-10-01', { lowerAfterWeeks: 2 }),
  ]).toEqual([...['G1', 'G2', 'G1']]);
  expect([on('2026-04-30', { fromDaysAfter: 31 }), on('2026-05-01', { fromDaysAfter: 31 })]).toEqual([undefined, 'G2']);
});

test('packages may be of an average week, or of a year', () => {
  const on = (packages: readonly number[], rules: object) => {
    const {
      tier,
      figure,
      weeks: counted,
      until,
    } = tierOfDay(byPackages(packages, rules), shifted(FIRST_WEEK, 7 * (packages.length - 1) + 1), 'Ground') ?? {};
    return [tier, figure, counted, until];
  };
  expect(on([999, 1_002], {})).toEqual(['G1', 1_000, 2, '2026-01-17']);
  expect(on([3_000, 999, 1_002], { averageWeeks: 2 })).toEqual(['G1', 1_000, 2, '2026-01-24']);
  // 48 a week are 2,496 a year; 48 and 49 are 2,522.
  expect(on([48], { period: 'year' })).toEqual(['G1', 2_496, 1, '2026-01-10']);
  expect(on([20, 48, 49], { period: 'year', averageWeeks: 2 })).toEqual(['G2', 2_522, 2, '2026-01-24']);
});

test('a program without its own weeks uses those without a program', () => {
  const spend = SPEND.split('\n')
    .filter((line) => !line.includes('Ground volume'))
    .join('\n');
  const shared = programAgreement({ spend: spend.replaceAll(/,,(900|1200).00,/g, ',,$1.00,77') });
  // 13 × 77 are 1,001.
  expect(tierOfDay(shared, '2026-04-01', 'Ground volume')).toMatchObject({ tier: 'G1', figure: 1_001 });
  expect(tierOfDay(shared, '2026-04-01')).toMatchObject({ by: 'average', averageCents: 90_000 });
});

test('a price is uncertain only if a line of its service names a tier of the program', () => {
  const said = (document: typeof PROGRAMS, day: string, service: string) =>
    warningsOf(priceWith(PROGRAM_TARIFF, document, { day, service }), '07001').map(({ message }) => message);
  const words = (until: string) =>
    `The tier of the agreement acme is based on the spend up to ${until}. The discount may have changed since then.`;
  const alone = programAgreement({
    discounts: 'discount,services,tier,percent\nGround,GROUND,G1,3\nGround,GROUND,G2,5\nExpress,EXPRESS,E1,4\n',
  });
  // The last weeks end on June 27.
  expect(said(alone, '2026-08-01', 'EXPRESS')).toEqual([words('2026-06-27')]);
  expect(said(alone, '2026-08-01', 'GROUND')).toEqual([]);
  expect(said(alone, '2026-10-08', 'GROUND')).toEqual([words('2026-06-30')]);
});

test('the files have the columns of programs only if a line needs them, and an older agreement keeps its id', () => {
  for (const table of ['tiers', 'spend'] as const) {
    const text = textOf(table, PROGRAMS.tables[table]);
    expect(text.trim()).toBe(TEXTS[table].trim());
    expect(FORMS[table].read(`${table}.csv`, text)).toEqual({ lines: PROGRAMS.tables[table] });
  }
  const before = smallAgreement(
    {
      discounts: 'discount,tier,percent\nVolume,A,2\n',
      tiers: 'tier,from_usd\nA,10000.00\nB,20000.00\n',
      spend: 'week_ending,usd\n2026-01-03,12000.00\n',
    },
    { file: { earned: { grace: { until: '2026-02-28', tier: 'A' } } } },
  );
  expect([agreementId(before), agreementId(ACME_C1)]).toEqual([
    'acme@2026-01-05-209070ec',
    'acme-c1@2026-01-01-555e3c35',
  ]);
  expect(FORMS.tiers.write(before.tables.tiers)).toBe('tier,from_usd\nA,10000.00\nB,20000.00\n');
  expect(FORMS.spend.write(before.tables.spend)).toBe('week_ending,usd\n2026-01-03,12000.00\n');
  expect(FORMS.tiers.write([])).toBe('tier,from_usd\n');
  expect(tiersOfDay(before, '2026-03-01')).toEqual([
    { tier: 'A', by: 'average', averageCents: 1_200_000, weeks: 1, spendUntil: '2026-01-03', isUncertain: true },
  ]);
});

test.each([
  [
    'tiers',
    'tier,from_usd,from_packages\nA,5.00,5\n',
    'row 2 column from_packages: must be empty if from_usd is given',
  ],
  ['tiers', 'tier,from_packages\nA,5.5\n', 'row 2 column from_packages: must be a whole number of packages'],
  ['tiers', 'tier\nA\n', 'row 2 column from_usd: must be dollars with two decimals'],
  ['spend', 'week_ending,packages\n2026-01-03,many\n', 'row 2 column packages: must be a whole number of packages'],
  ['spend', 'week_ending\n2026-01-03\n', 'row 2 column usd: must be dollars with two decimals'],
] as const)('refuses %s.csv with %j', (table, text, words) => {
  const read = FORMS[table].read(`${table}.csv`, text);
  expect('findings' in read && read.findings.map(({ at, message }) => `${at}: ${message}`)).toEqual([
    expect.stringContaining(`${table}.csv ${words}`),
  ]);
});

test('the check names file and cell', () => {
  expect(checked(PROGRAMS, PROGRAM_TARIFF).filter((one) => !one.includes('the minimum charge of'))).toEqual([]);
  const said = (texts: Parameters<typeof programAgreement>[0], earned: AgreementFileInput['earned'] = EARNED) =>
    checked(programAgreement(texts, earned), PROGRAM_TARIFF).filter((one) => !one.includes('the minimum charge of'));
  const { tiers, spend } = TEXTS;
  expect(
    said({
      tiers: tiers.replace('G2,,2500', 'G2,,1000'),
      spend: spend.replace('2026-01-10,Ground volume,,200', '2026-01-09,Ground volume,,200'),
    }),
  ).toEqual([
    'error tiers.csv row 4 column from_packages: must be more than 1000 in row 3: tiers must rise',
    expect.stringMatching(/^error spend.csv row 29 column week_ending: must be 7 days after 2026-01-03 in row 28/),
    expect.stringMatching(/^error spend.csv row 30 column week_ending: must be 7 days after 2026-01-09 in row 29/),
  ]);
  expect(said({ tiers: `${tiers}Air,E3,5.00,\n`, spend: `${spend}\n2026-01-03,Air,5.00,\n` })).toEqual([
    'error tiers.csv row 7 column program: "Air" is not a program in earned.programs of agreement.json, it has Ground volume, Express revenue: correct the name, or add the program',
    'error spend.csv row 80 column program: "Air" is not a program in earned.programs of agreement.json, it has Ground volume, Express revenue: correct the name, or add the program',
    'warning tiers.csv row 7: no discount has the tier E3: add its lines to discounts.csv',
  ]);
  expect(said({ tiers: tiers.replace(',A,1000.00,', ',A,,5') })).toEqual([
    'error tiers.csv row 2 column program: is empty: packages are counted by a program. Name it here and in agreement.json',
    'error spend.csv row 2 column packages: is empty, but tiers.csv counts packages: write the packages of this week, and for 25 more',
  ]);
  expect(said({ tiers: tiers.replace('E1,100000.00,', 'E1,,5') })).toEqual([
    'error tiers.csv row 6 column from_usd: row 5 of the same program has from_packages: use one of them',
    'error spend.csv row 54 column packages: is empty, but "Express revenue" counts packages: write the packages of this week, and for 25 more',
  ]);
  expect(said({ tiers: `${tiers}Express revenue,G2,300000.00,\n` })[0]).toBe(
    'error tiers.csv row 7 column tier: is also the name of the tier in row 4: rename one',
  );
  expect(said({ discounts: TEXTS.discounts.replace('Portfolio,*', 'Ground volume,*') })).toEqual([
    'error discounts.csv row 8: overlaps row 4 of the same discount "Ground volume" at 1 lb and up: correct one of them, or give them different names if they add up',
  ]);
  expect(said({ surcharges: `${TEXTS.surcharges}RESIDENTIAL,*,E1,fixed,4.00\n` })).toEqual([
    'error surcharges.csv row 3: changes RESIDENTIAL for the same packages as row 2: keep one of them. Only a line with "at most" can go with fixed',
  ]);
});

test('the check asks for figures of what a program counts, and for programs that have none', () => {
  const said = (texts: Parameters<typeof programAgreement>[0], earned: AgreementFileInput['earned'] = EARNED) =>
    checked(programAgreement(texts, earned), PROGRAM_TARIFF).filter((one) => !one.includes('the minimum charge of'));
  expect(
    said({ spend: TEXTS.spend.replace('2026-01-03,Ground volume,,200', '2026-01-03,Ground volume,70.00,') }),
  ).toEqual([
    'error spend.csv row 28 column packages: is empty, but "Ground volume" counts packages: write the packages of this week',
  ]);
  const programs = { ...EARNED.programs, 'Ground volume': { period: 'quarter' as const, averageWeeks: 13 }, Air: {} };
  expect(said({}, { programs })).toEqual([
    'warning agreement.json earned.programs.Ground volume.averageWeeks: has no effect, because the period is a quarter: remove it',
    'error agreement.json earned.programs.Air: has no tiers: add rows of it to tiers.csv, or inForce or grace here',
  ]);
  // The check is for June 1: the average and the express program cover the weeks to March 28.
  const spend = SPEND.split('\n')
    .filter((line) => line < '2026-04' || line.startsWith('week'))
    .join('\n');
  expect(said({ spend })).toEqual([
    'warning spend.csv: ends with the week to 2026-03-28, so the tier on 2026-06-01 is uncertain: add the weeks since',
    'warning spend.csv: ends with the week to 2026-03-28, so the tier of Express revenue on 2026-06-01 is uncertain: add the weeks since',
  ]);
  const few = SPEND.split('\n')
    .filter((line) => line < '2026-01-04' || !line.includes('Ground'))
    .join('\n');
  expect(said({ spend: few })).toEqual([
    'warning spend.csv: has no whole quarter of Ground volume before 2026-06-01, so no tier is in force: add the weeks, or earned.programs.Ground volume.grace to agreement.json',
  ]);
  expect(said({ spend: 'week_ending,program,usd\n2026-05-30,Express revenue,1.00\n' })).toEqual([
    'warning tiers.csv: no tier is ever in force: add spend.csv, or earned.inForce or earned.grace to agreement.json',
    'warning agreement.json earned.programs.Ground volume: no tier is ever in force: add its weeks to spend.csv, or inForce or grace here',
    'warning spend.csv: has no week before 2026-06-01, so no tier is in force: add the weeks, or earned.grace to agreement.json',
    'warning spend.csv: has no whole quarter of Ground volume before 2026-06-01, so no tier is in force: add the weeks, or earned.programs.Ground volume.grace to agreement.json',
  ]);
});

test('its client sees each program: the tier, the figure, until when, and what the next band needs', () => {
  const schedule = scheduleOf([PROGRAM_TARIFF]);
  const on = (day: string, document = PROGRAMS) =>
    agreementDetail({ document, assigned: [{ document }] }, schedule, schedule.bookOn(day));
  const { programs, tier, discounts } = on('2026-05-02');
  expect(tier?.tier).toBe('A');
  expect(discounts.filter(({ counts }) => counts).map(({ discount, tier: own }) => [discount, own])).toEqual([
    ...[
      ['Base', null],
      ['Weekly', 'A'],
      ['Ground volume', 'G2'],
      ['Express revenue', 'E2'],
      ['Portfolio', 'E2'],
    ],
  ]);
  expect(programs).toEqual([
    {
      ...{ program: 'Ground volume', measure: 'packages', period: 'quarter', averageWeeks: null },
      tier: { tier: 'G2', by: 'average', since: '2026-04-01', until: '2026-06-30', uncertain: false },
      bands: [
        { tier: 'G1', from: 1_000, inForce: false },
        { tier: 'G2', from: 2_500, inForce: true },
      ],
      figure: { value: 2_600, weeks: 13, lastDay: '2026-03-31', tier: 'G2' },
      next: null,
    },
    {
      ...{ program: 'Express revenue', measure: 'spend', period: 'year', averageWeeks: 4 },
      tier: { tier: 'E2', by: 'average', since: '2026-04-26', until: '2026-05-02', uncertain: false },
      bands: [
        { tier: 'E1', from: 100_000, inForce: false },
        { tier: 'E2', from: 250_000, inForce: true },
      ],
      figure: { value: 260_000, weeks: 4, lastDay: '2026-04-25', tier: 'E2' },
      next: null,
    },
  ]);
  expect(on('2026-07-02').programs?.[0]).toMatchObject({
    tier: { tier: 'G1', since: '2026-07-01', until: '2026-09-30' },
    next: { tier: 'G2', from: 2_500, missing: 1_200 },
  });
  const grace = programAgreement(
    {},
    {
      programs: {
        ...EARNED.programs,
        'Ground volume': { period: 'quarter', grace: { until: '2026-06-30', tier: 'G1' } },
      },
    },
  );
  expect(on('2026-05-02', grace).programs?.[0]).toMatchObject({
    tier: { tier: 'G1', by: 'grace', until: '2026-06-30' },
    figure: { value: 2_600, tier: 'G2' },
    next: null,
  });
  expect(on('2026-05-02', ACME_C1)).not.toHaveProperty('programs');
});

test('a comparison of agreements names programs, bands and weeks', () => {
  const day = '2026-05-02';
  const after = programAgreement(
    {
      tiers: TEXTS.tiers.replace('G2,,2500', 'G2,,3000'),
      spend: TEXTS.spend.replace('2026-01-03,Ground volume,,200', '2026-01-03,Ground volume,70.50,210'),
    },
    { ...EARNED, programs: { ...EARNED.programs, 'Ground volume': { period: 'week' } } },
  );
  expect(diffAgreements({ document: PROGRAMS, day }, { document: after, day })).toEqual([
    { change: 'changed', at: 'agreement.json earned.programs.Ground volume.period', before: 'quarter', after: 'week' },
    expect.objectContaining({
      at: 'tiers.csv Ground volume, tier G2',
      before: '2500 packages',
      after: '3000 packages',
    }),
    expect.objectContaining({
      ...{
        at: 'spend.csv Ground volume, week ending 2026-01-03',
        before: '200 packages',
        after: '70.50, 210 packages',
      },
    }),
  ]);
});

const WAREHOUSES = new Map([[1, WAREHOUSE]]);
const LIST = `warehouse_id,postalCode,weight_value,weight_units,shippingService,residential,shipDate
${[
  ['02139', 1, 'GROUND', 'false', '2026-04-05'],
  ['02139', 1, 'GROUND', 'true', '2026-04-26'],
  ['90001', 3, 'GROUND', 'false', '2026-06-30'],
  ['02139', 1, 'GROUND', 'false', '2026-07-01'],
  ['02139', 1, 'EXPRESS', 'false', '2026-04-25'],
  ['90001', 3, 'EXPRESS', 'true', '2026-04-26'],
]
  .map(([zip, lb, service, home, day]) => `1,${zip},${lb},LB,${service},${home},${day}`)
  .join('\n')}
`;

const WORLD = {
  ...{ tariffs: [PROGRAM_TARIFF], named: new Map(), own: [PROGRAMS], warehouses: WAREHOUSES },
  agreements: new Map([
    ['more', programAgreement({ spend: SPEND.replaceAll('Ground volume,,200', 'Ground volume,,190') })],
  ]),
  instant: new Date('2026-06-01T12:00:00Z'),
};

test('a row of a list has the charges of the single call, and a comparison says what each program saves', () => {
  const { text, sums } = comparedIn(WORLD, Buffer.from(LIST), [
    { name: 'list', agreement: 'none' },
    { name: 'more', agreement: 'more' },
  ]);
  expect(rowsOf(text).map((row) => row['net_base'])).toEqual(['18.02', '21.38', '31.47', '18.02', '18.14', '38.38']);
  const [list, more] = sums.scenarios;
  /*
   * Ground volume takes off 0.50, 0.50, 1.20 and 0.30; express revenue 0.20 and 0.48 of ground (2%), 0.20 of the row of July,
   * and 0.40 (4%) and 1.92 (6% and 2%) of express. Base 1.00 × 4 + 2.40 × 2, weekly 0.15 × 4 + 0.36 × 2.
   */
  expect(list?.attribution).toEqual({
    ...{ ZONE: 0, WEIGHT: 0, RATE: 0, DISCOUNT: 1_012, 'PROGRAM Ground volume': 250, 'PROGRAM Express revenue': 320 },
    // The home's half, and fuel of each row: 0.33, 0.97, 0.89, 0.33, 0.31 and 0.94.
    ...{ MINIMUM: 0, HANDLING: 0, RESIDENTIAL: 300, PICKUP: 0, FUEL: 377 },
  });
  const parts = Object.values(list?.attribution ?? {});
  expect(parts.reduce((sum, cents) => sum + cents, 0)).toBe(
    (list?.compared.netCents ?? 0) - (list?.compared.baseCents ?? 0),
  );
  // 2,470 packages in the first quarter: G1 instead of G2, which is 2% of 10.00, 10.00 and 24.00, and the home's half.
  expect(more?.attribution).toMatchObject({ DISCOUNT: 0, 'PROGRAM Ground volume': 88, RESIDENTIAL: 300 });
  expect(more?.attribution['PROGRAM Express revenue']).toBe(0);
  const priced = LIST.trim()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, to, lb, , service, home, day] = line.split(',');
      const asked: Asked = { packages: [{ lb: Number(lb) }], residential: home === 'true', ...(to && { to }) };
      return net(PROGRAMS, { ...asked, ...(service && { service }), ...(day && { day }) }, PROGRAM_TARIFF);
    });
  expect(priced).toEqual([1_802, 2_138, 3_147, 1_802, 1_814, 3_838]);
});
