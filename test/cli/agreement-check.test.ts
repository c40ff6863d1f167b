/** `rates agreement check`, with a made tariff. */
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { smallTariff } from '../catalog/tariff/small-tariff.ts';
import { folderForFile } from '../folder.ts';
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
folderForFile((made) => (dir = made));
beforeAll(async () => {
  const anywhere = { distanceMiles: [30_000], distanceColumns: ['2', '2'] };
  await writeTariffFolder(join(dir, 'tariffs', 'small'), smallTariff({ service: { zones: anywhere } }));
  await makeAgreement(join(dir, 'agreements', 'acme'), ACME);
  env = { TARIFFS_DIR: join(dir, 'tariffs') };
});

const check = (...args: string[]) => ratesHere(['agreement', 'check', ...args], { env });

test('shows what an agreement without errors says of each service', async () => {
  const { code, stdout, stderr } = await check(join(dir, 'agreements'));
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n');
  expect(lines[0]).toMatch(/^warning: discounts\.csv: minimum charges limit discounts\./);
  expect(lines[1]).toMatch(/^ {2}GROUND: \$7\.50 in acme\/minimums\.csv row 2, limits/);
  expect(lines.slice(2)).toEqual([
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

test('says that a folder contains no agreement', async () => {
  const { code, stderr } = await check(join(dir, 'tariffs'));
  expect([code, stderr]).toEqual([1, `${join(dir, 'tariffs')} contains no agreement.\n`]);
});
