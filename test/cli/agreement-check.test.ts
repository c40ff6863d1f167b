/** `rates agreement check`, with a made tariff and lists of shipments. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeTariffFolder } from '../../src/tariff/folder.ts';
import { smallTariff } from '../tariff/small-tariff.ts';
import { type AgreementFiles, makeAgreement } from './agreements.ts';
import { ratesHere } from './in-process.ts';

/** In force without an end, so that the day of the test does not matter. */
const ACME: AgreementFiles = {
  'agreement.json': JSON.stringify({ name: 'acme', carrier: 'Small', effective: '2026-01-01' }),
  'discounts.csv': ['discount,services,percent', 'Incentive,GROUND,30'],
  'minimums.csv': ['services,minimum,value', 'GROUND,usd,7.50'],
};

let dir: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'agreement-check-'));
  const anywhere = { distanceMiles: [30_000], distanceColumns: ['2', '2'] };
  await writeTariffFolder(join(dir, 'tariffs', 'small'), smallTariff({ service: { zones: anywhere } }));
  await makeAgreement(join(dir, 'agreements', 'acme'), ACME);
  env = { TARIFFS_DIR: join(dir, 'tariffs') };
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const check = (...args: string[]) => ratesHere(['agreement', 'check', ...args], { env });

test('shows what an agreement without errors says of each service', async () => {
  const { code, stdout, stderr } = await check(join(dir, 'agreements'));
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(
    /^warning: discounts\.csv GROUND: the minimum, \$7\.50 in acme\/minimums\.csv row 2, takes back/,
  );
  expect(lines.slice(1)).toEqual([
    '',
    expect.stringMatching(/^On \d{4}-\d{2}-\d{2}:$/),
    'service  discount  minimum            divisor    rates  surcharges  fuel',
    'GROUND   30.00%    7.50 (list 10.00)  list, 139  list   list        -',
    '',
    `${join(dir, 'agreements', 'acme')}: 0 errors, 1 warning`,
    '',
  ]);
});

test('reports errors of format, of the parts together, and against the tariffs, with exit code 1', async () => {
  const findings = async (name: string, files: AgreementFiles) => {
    await makeAgreement(join(dir, name), { ...ACME, ...files });
    const { code, stdout } = await check(join(dir, name), '--json');
    const [checked] = JSON.parse(stdout).agreements;
    expect([code, checked.services]).toEqual([1, null]);
    return checked.findings[0];
  };
  expect(
    await findings('format', { 'discounts.csv': ['discount,services,percnt', 'Incentive,GROUND,30'] }),
  ).toMatchObject({ severity: 'error', at: expect.stringContaining('discounts.csv row 1') });
  expect(
    await findings('overlap', { 'discounts.csv': ['discount,services,percent', 'A,GROUND,30', 'A,GROUND,20'] }),
  ).toMatchObject({ severity: 'error', at: 'discounts.csv row 3' });
  expect(await findings('service', { 'discounts.csv': ['discount,services,percent', 'A,AIR,30'] })).toMatchObject({
    severity: 'error',
    at: expect.stringContaining('discounts.csv row 2'),
  });
});

test('counts how often the minimum keeps a part of the discount in lists of shipments', async () => {
  const list = join(dir, 'october.csv');
  const rows = ['1,30301', '1,30301', '2,30301', '10,30301', '1,XX'].map((cells) => `101,${cells},LB`);
  await writeFile(list, `warehouse_id,weight_value,postalCode,weight_units\n${rows.join('\n')}\n`);
  const output = join(dir, 'november.csv');
  expect(await ratesHere(['run', list, '-o', output], { env })).toMatchObject({ code: 4 });
  const { code, stdout } = await check(join(dir, 'agreements', 'acme'), '--batch', list, '--batch', output, '--json');
  expect(code).toBe(0);
  // 30% of 10.00 leaves 7.00, so the minimum keeps 0.50; 30% of 11.00 and of 19.00 leave more than 7.50.
  expect(JSON.parse(stdout).agreements[0].batches).toEqual({
    rows: 10,
    faults: { 'getRates.invalidRequest': 2 },
    services: [
      {
        ...{ service: 'GROUND', shipments: 8, discounted: 8, limited: 4 },
        ...{ discountCents: 2 * (250 + 250 + 330 + 570), swallowedCents: 4 * 50 },
      },
    ],
  });
  const said = await check(join(dir, 'agreements', 'acme'), '--batch', list);
  expect(said.stdout).toContain(
    [
      'service  shipments  with a discount  discount  limited by the minimum  share  kept by it',
      'GROUND           4                4    $14.00                       2  50.0%       $1.00',
      'Rows without a price:',
      '  getRates.invalidRequest: 1 row',
    ].join('\n'),
  );
});

test.each([
  [['--client', 'demo'], 2, '--client says whose shipments the lists of --batch are. Name a list.'],
  [['--batch', 'none.csv'], 1, 'none.csv does not exist. Check the name.'],
  [['--batch', 'none.csv', '--client', 'nobody'], 2, 'There is no client nobody in '],
])('%j fails: %s %s', async (args, code, words) => {
  const said = await check(join(dir, 'agreements', 'acme'), ...args);
  expect(said.stderr).toContain(words);
  expect(said.code).toBe(code);
});

test('says that a folder contains no agreement', async () => {
  const { code, stderr } = await check(join(dir, 'tariffs'));
  expect([code, stderr]).toEqual([1, `${join(dir, 'tariffs')} contains no agreement.\n`]);
});
