/** `rates agreement show` and `diff`, with a made tariff. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { completeTariff } from '../catalog/tariff/complete-tariff.ts';
import { folderForFile } from '../folder.ts';
import { type AgreementFiles, makeAgreement } from './agreements.ts';
import { ratesHere } from './in-process.ts';

const ACME: AgreementFiles = {
  'agreement.json': JSON.stringify({
    name: 'acme',
    carrier: 'Small',
    effective: '2026-01-01',
    until: '2027-12-31',
    services: { GROUND: { dimensionalFactor: 166 } },
    earned: { averageWeeks: 2 },
  }),
  'discounts.csv': [
    'discount,services,zones,from_lb,to_lb,address,tier,percent',
    'Incentive,GROUND,2,1,5,commercial,,30',
    'Incentive,GROUND,2,6,,commercial,,20',
    'Incentive,GROUND,8,,,commercial,,10',
    'Tier,*,*,,,any,gold,5',
  ],
  'minimums.csv': ['services,address,minimum,value', 'GROUND,commercial,less usd,2.00'],
  'surcharges.csv': [
    'surcharge,services,zones,area,change,value',
    'RESIDENTIAL,*,8,,waived,',
    'FUEL,*,*,,percent off,25',
  ],
  'tiers.csv': ['tier,from_usd', 'silver,1000.00', 'gold,5000.00'],
  'spend.csv': ['week_ending,usd', '2026-05-16,900.00', '2026-05-23,9100.00', '2026-05-30,9000.00'],
  'amendments/2026-06-12/discounts.csv': [
    'discount,services,zones,from_lb,to_lb,address,tier,percent',
    'Incentive,GROUND,2,1,5,commercial,,32.5',
    'Incentive,GROUND,2,6,,commercial,,20.00',
    'Incentive,GROUND,8,,,commercial,,9',
  ],
};

let dir: string;
let env: NodeJS.ProcessEnv;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  await writeTariffFolder(join(dir, 'tariffs', 'small'), completeTariff());
  await makeAgreement(join(dir, 'agreements', 'acme'), ACME);
  env = { TARIFFS_DIR: join(dir, 'tariffs'), AGREEMENTS_DIR: join(dir, 'agreements') };
});

const show = (...args: string[]) => ratesHere(['agreement', 'show', 'acme', '--day', '2026-06-10', ...args], { env });

test('shows what an agreement says on a day', async () => {
  const { code, stdout, stderr } = await show();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([
    'acme: Small, from 2026-01-01 to 2027-12-31',
    '',
    'On 2026-06-10:',
    '  files: agreement.json, discounts.csv, minimums.csv, surcharges.csv, tiers.csv, spend.csv',
    '  upcoming amendments: 2026-06-12',
    '  tier gold since 2026-05-24: $9,050.00 a week, the average of 2 weeks to 2026-05-30',
    '',
    'service  discount     minimum            divisor  rates  surcharges  fuel',
    'GROUND   5.00-35.00%  8.00, homes 10.00  166      list   1 changed   25.50 → 19.13%',
    '',
    'GROUND',
    '  commercial packages, % off  zone 2  zone 8',
    '  1-5 lb                       35.00   15.00',
    '  6 lb and up                  25.00   15.00',
    '  residential packages, % off  all zones',
    '  1 lb and up                       5.00',
    '',
    'surcharge    zones    list  billed  row',
    'RESIDENTIAL  8        1.00    0.00  2',
    'FUEL         all    25.50%  19.13%  3',
    '',
  ]);
});

test('shows the effective rates of a service', async () => {
  const { stdout } = await show('--service', 'ground');
  const lines = stdout.split('\n');
  expect(lines.slice(lines.findIndex((line) => line.startsWith('GROUND to ')))).toEqual([
    expect.stringMatching(/^GROUND to businesses: small@2026-01-01-[0-9a-f]{8}, off, and net in dollars$/),
    'lb  zone 2   off     net  zone 8   off     net',
    ' 1   10.00  2.00   8.00*   20.00  3.00  17.00',
    ' 2   11.00  3.00   8.00*   22.00  3.30  18.70',
    ' 3   12.00  4.00   8.00*   24.00  3.60  20.40',
    ' 4   13.00  4.55   8.45    26.00  3.90  22.10',
    ' 5   14.00  4.90   9.10    28.00  4.20  23.80',
    ' 6   15.00  3.75  11.25    30.00  4.50  25.50',
    ' 7   16.00  4.00  12.00    32.00  4.80  27.20',
    ' 8   17.00  4.25  12.75    34.00  5.10  28.90',
    ' 9   18.00  4.50  13.50    36.00  5.40  30.60',
    '10   19.00  4.75  14.25    38.00  5.70  32.30',
    '',
    '* The minimum cancels part of the discount.',
    '',
  ]);
});

test('shows the tier of each program, and shows another one as if it were in force', async () => {
  await makeAgreement(join(dir, 'programs', 'acme'), {
    ...ACME,
    'agreement.json': JSON.stringify({
      ...{ name: 'acme', carrier: 'Small', effective: '2026-01-01' },
      earned: { programs: { Volume: { averageWeeks: 2 }, Revenue: { period: 'year', averageWeeks: 2 } } },
    }),
    'discounts.csv': ['discount,tier,percent', ...['Volume,few,3', 'Volume,many,5', 'Revenue,low,2', 'Revenue,high,4']],
    'tiers.csv': [
      'program,tier,from_usd,from_packages',
      ...['Volume,few,,1000', 'Volume,many,,2000', 'Revenue,low,400000.00,', 'Revenue,high,500000.00,'],
    ],
    'spend.csv': ['week_ending,usd,packages', '2026-05-23,9100.00,1500', '2026-05-30,9000.00,1700'],
  });
  const own = { env: { ...env, AGREEMENTS_DIR: join(dir, 'programs') } };
  const shown = await ratesHere(['agreement', 'show', 'acme', '--day', '2026-06-10'], own);
  const revenue =
    '  Revenue: tier low since 2026-05-24: $470,600.00 a year, from the 2 weeks to 2026-05-30; tier high begins at $500,000.00';
  expect(shown.stdout.split('\n').slice(5, 7)).toEqual([
    '  Volume: tier few since 2026-05-24: 1,600 packages a week, the average of 2 weeks to 2026-05-30; tier many begins at 2,000 packages',
    revenue,
  ]);
  const many = await ratesHere(['agreement', 'show', 'acme', '--day', '2026-06-10', '--tier', 'many'], own);
  expect(many.stdout.split('\n').slice(5, 7)).toEqual([
    '  Volume: tier many since 2026-01-01, as agreement.json sets it',
    revenue,
  ]);
  const json: unknown = JSON.parse(
    (await ratesHere(['agreement', 'show', 'acme', '--day', '2026-06-10', '--json'], own)).stdout,
  );
  expect(json).toMatchObject({
    tier: null,
    programs: [
      { program: 'Volume', tier: 'few', figure: 1_600 },
      { program: 'Revenue', figure: 47_060_000 },
    ],
  });
});

test('prints net rates in the form of a rate table, as if another tier were in force', async () => {
  const rows = async (...args: string[]) =>
    (await show('--service', 'GROUND', '--net-rates', ...args)).stdout.split('\n').slice(0, 3);
  expect(await rows()).toEqual(['weight_lb,2,8', '1,8.00,17.00', '2,8.00,18.70']);
  expect(await rows('--tier', 'silver')).toEqual(['weight_lb,2,8', '1,8.00,18.00', '2,8.00,19.80']);
  expect(await rows('--residential')).toEqual(['weight_lb,2,8', '1,10.00,19.00', '2,10.45,20.90']);
});

test('prints JSON with the rates of both addresses', async () => {
  const { stdout } = await show('--service', 'GROUND', '--json');
  const shown = JSON.parse(stdout);
  expect(shown).toMatchObject({ name: 'acme', day: '2026-06-10', until: '2027-12-31', amendments: ['2026-06-12'] });
  expect(shown.tier).toMatchObject({ tier: 'gold', by: 'average', averageCents: 905_000 });
  expect(shown.services[0].fuel).toEqual({ list: 2_550, billed: 1_913 });
  expect(shown.rateCards.map(({ residential }: { residential: boolean }) => residential)).toEqual([false, true]);
  expect(shown.rateCards[0].rows[0]).toMatchObject({ weight: '1', net: [800, 1_700], swallowed: [150, 0] });
});

test.each([
  [['show', 'acme', '--tier', 'iron', '--day', '2026-06-10'], 2, 'The tiers are silver, gold.'],
  [
    ['show', 'acme', '--service', 'AIR', '--day', '2026-06-10'],
    2,
    'There is no service AIR on 2026-06-10. The only service is GROUND.',
  ],
  [['show', 'acme', '--service', 'GROUND', '--day', '2025-12-31'], 1, 'No tariff is in force on 2025-12-31.'],
  [['show', 'acme', '--net-rates'], 2, '--net-rates needs --service'],
  [['show', 'nobody'], 2, 'There is no agreement nobody in '],
  [['diff', 'acme', 'No/Where'], 2, 'No/Where is not a folder with an agreement.json'],
])('%j fails: %s %s', async (args, code, words) => {
  const said = await ratesHere(['agreement', ...args], { env });
  expect(said.stderr).toContain(words);
  expect([said.code, said.stdout]).toEqual([code, '']);
});

test('refuses an agreement with errors', async () => {
  const broken = { ...ACME, 'tiers.csv': ['tier,from_usd', 'gold,5'], 'discounts.csv': ['discount,percnt', 'a,5'] };
  await makeAgreement(join(dir, 'broken'), broken);
  const { code, stderr } = await ratesHere(['agreement', 'show', join(dir, 'broken')], { env });
  expect(code).toBe(1);
  expect(stderr).toContain(`${join(dir, 'broken')} has errors:\nerror: discounts.csv row 1`);
});

test('says that list prices apply before the first and after the last day', async () => {
  const on = async (day: string) => (await ratesHere(['agreement', 'show', 'acme', '--day', day], { env })).stdout;
  const ended = await on('2028-01-01');
  expect(ended).toContain('  it ended on 2027-12-31: list rates apply\n');
  expect(ended).not.toMatch(/gold|GROUND/);
  await makeAgreement(join(dir, 'agreements', 'late'), {
    'agreement.json': JSON.stringify({ name: 'late', carrier: 'Small', effective: '2026-06-01' }),
  });
  const { stdout } = await ratesHere(['agreement', 'show', 'late', '--day', '2026-05-31'], { env });
  expect(stdout).toContain('  not yet in force: list rates apply\n');
});

test('compares an agreement on two days', async () => {
  const { code, stdout } = await ratesHere(['agreement', 'diff', 'acme@2026-06-11', 'acme@2026-06-12'], { env });
  expect(code).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'acme on 2026-06-11 → acme on 2026-06-12, both under the tariffs of 2026-06-12',
    '',
    'discounts.csv:',
    '  ~ Incentive, GROUND, zone 2, 1-5 lb, commercial: 30.00% → 32.50%',
    '  ~ Incentive, GROUND, zone 8, from 1 lb, commercial: 10.00% → 9.00%',
    '  - Tier, all services, all zones, from 1 lb, tier gold: 5.00%',
    '',
    'Net price of a package by weight and zone:',
    '  GROUND to businesses: 18 of 20 net rates changed, on average by +5.64%',
    '    largest rise: +2.28 (+7.06%) at 10 lb to zone 8 (32.30 → 34.58)',
    '    in percent: +1.20 (+7.06%) at 1 lb to zone 8 (17.00 → 18.20)',
    '  GROUND to homes: 19 of 20 net rates changed, on average by +5.00%',
    '    largest rise: +1.90 (+5.26%) at 10 lb to zone 8 (36.10 → 38.00)',
    '    in percent: +1.00 (+5.26%) at 1 lb to zone 8 (19.00 → 20.00)',
    '',
  ]);
});

test('says that two are the same', async () => {
  const { stdout } = await ratesHere(['agreement', 'diff', 'acme', 'acme', '--day', '2026-06-10'], { env });
  expect(stdout.split('\n').slice(1)).toEqual([
    '',
    'The files say the same.',
    '',
    'Net price of a package by weight and zone:',
    '  no change: GROUND',
    '',
  ]);
});

test('compares what is billed with surcharges, minimums and divisors', async () => {
  const offer = {
    ...ACME,
    'agreement.json': JSON.stringify({ name: 'offer', carrier: 'Small', effective: '2026-01-01' }),
    'minimums.csv': ['services,address,minimum,value', 'GROUND,commercial,less usd,3.00'],
    'surcharges.csv': ['surcharge,services,zones,area,change,value', 'FUEL,*,*,,points off,2'],
  };
  await makeAgreement(join(dir, 'offer'), offer);
  const args = ['agreement', 'diff', 'acme', join(dir, 'offer'), '--day', '2026-06-10'];
  const { stdout } = await ratesHere(args, { env });
  expect(stdout).toContain('\nagreement.json:\n  ~ name: acme → offer\n');
  expect(stdout).toContain('  ~ FUEL, all services, all zones: percent off 25.00 → points off 2.00\n');
  expect(stdout).toContain(
    '\nDivisors and minimums:\n  GROUND, divisor: 166 → 139\n  GROUND, minimum, commercial: 8.00 → 7.00\n',
  );
  expect(stdout).toContain('  RESIDENTIAL  GROUND  8            0.00    1.00\n');
  expect(stdout).toContain('  FUEL         GROUND  all zones  19.13%  23.50%\n');
  const { stdout: json } = await ratesHere([...args, '--json'], { env });
  expect(JSON.parse(json).effect.net[0]).toMatchObject({
    code: 'GROUND',
    address: 'commercial',
    fall: { weight: '1', column: '2', before: 800, after: 700 },
  });
});
