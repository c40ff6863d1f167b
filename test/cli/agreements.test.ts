/** Agreements in the commands that work without a server. */
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { writeAgreementFolder } from '../../src/catalog/agreement/folder.ts';
import { readClients } from '../../src/catalog/clients/clients.ts';
import { onePercentage } from '../catalog/agreement/one-percentage.ts';
import { folderForFile } from '../folder.ts';
import { rowsOf } from '../lists/comparison/fixtures.ts';
import { ratesHere } from './in-process.ts';

const SAMPLES = join(import.meta.dirname, '../../samples');

let dir: string;
let env: NodeJS.ProcessEnv;
const at = (name: string): string => join(dir, name);
folderForFile((made) => (dir = made));
beforeAll(() => {
  env = { AGREEMENTS_DIR: at('agreements'), CLIENTS_FILE: at('clients.json'), DATA_DIR: at('data') };
});

const rates = (...args: string[]) => ratesHere(args, { env });
const client = (...args: string[]) => rates('client', ...args);
/** What each test begins with. */
const MADE = ['agreements', 'clients.json'];
const WAREHOUSES = ['--warehouse', '101,Newark,NJ,07001', '--warehouse', '102,Chicago,IL,60601'];

beforeAll(async () => {
  await writeAgreementFolder(at('agreements/acme-c1'), onePercentage('20.00'));
  await writeAgreementFolder(at('agreements/west'), onePercentage('30.00', { name: 'west' }));
  await writeFile(at('clients.json'), '{"clients": []}');
  const added = await client('add', 'acme', ...WAREHOUSES, '--agreement', 'acme-c1', '--agreement', 'west=102');
  expect([added.code, added.stderr]).toEqual([0, expect.any(String)]);
  for (const name of MADE) await rename(at(name), at(`made-${name}`));
});
beforeEach(async () => {
  for (const name of MADE) {
    await rm(at(name), { recursive: true, force: true });
    await cp(at(`made-${name}`), at(name), { recursive: true });
  }
});

const recordNow = async () => {
  const text = await readFile(at('clients.json'), 'utf8');
  return JSON.parse(text).clients[0];
};
const SHIPMENT = ['--zip', '02139', '--weight', '20', '--service', 'C1-GROUND', '--ship-date', '2026-06-01'];
const quote = (warehouse: string) => rates('quote', '--warehouse', warehouse, ...SHIPMENT, '--json');

test('a client gets agreements for all warehouses or for some, and loses them', async () => {
  expect((await recordNow()).agreements).toEqual([{ name: 'acme-c1' }, { name: 'west', warehouses: [102] }]);
  expect((await client('list')).stdout).toContain(
    '2 warehouses, agreement acme-c1, agreement west for 102, 1 secret\n',
  );
  expect(JSON.parse((await client('list', '--json')).stdout).clients[0].agreements).toHaveLength(2);
  expect((await client('set', 'acme', '--agreement', 'acme-c1=101')).code).toBe(0);
  expect((await recordNow()).agreements).toEqual([
    { name: 'west', warehouses: [102] },
    { name: 'acme-c1', warehouses: [101] },
  ]);
  expect((await client('set', 'acme', '--remove-agreement', 'west')).code).toBe(0);
  expect((await recordNow()).agreements).toEqual([{ name: 'acme-c1', warehouses: [101] }]);
  expect(await client('set', 'acme', '--remove-agreement', 'west')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The client acme has no agreement west.'),
  });
});

test('an agreement that could not be used is refused, and nothing is changed', async () => {
  const before = await readFile(at('clients.json'), 'utf8');
  for (const [agreement, code, reason] of [
    ['none', 1, 'the agreement none is missing or has errors'],
    ['west=101,102', 0, ''],
    ['west', 1, 'acme-c1 and west both cover C1-GROUND for the same warehouses'],
    ['west=9', 1, 'of west has 9, which the client does not have'],
    [
      'west=x',
      2,
      'It must be NAME or NAME=101,102 with warehouses of the client, and optionally @ and the account number.',
    ],
    ['west@1@2', 2, 'It must be NAME or NAME=101,102'],
    ['West', 2, 'name must be lower-case letters, digits and hyphens, at most 40.'],
  ] as const) {
    await writeFile(at('clients.json'), before);
    const said = await client('set', 'acme', '--agreement', agreement);
    expect([agreement, said.code]).toEqual([agreement, code]);
    expect(said.stderr).toContain(reason);
    if (code !== 0) expect(await readFile(at('clients.json'), 'utf8')).toBe(before);
  }
});

test('a client gets drafts and loses them, and nothing else of it changes', async () => {
  const { drafts: _, ...before } = await recordNow();
  expect(await client('set', 'acme', '--draft', 'west')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Changed acme.'),
  });
  expect(await recordNow()).toEqual({ ...before, drafts: ['west'] });
  expect(await client('set', 'acme', '--draft', 'none')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The draft none is missing or has errors.'),
  });
  expect((await client('set', 'acme', '--remove-draft', 'west')).code).toBe(0);
  expect(await recordNow()).toEqual({ ...before, drafts: [] });
  expect(await client('set', 'acme')).toMatchObject({
    code: 2,
    stderr: 'Name what to change, for example --discount.\n',
  });
});

test('each option of a change alone is enough, and is no empty change', async () => {
  await client('set', 'acme', '--draft', 'west', '--discount', 'C1-GROUND=5', '--webhook', 'https://acme.example/a');
  for (const change of [
    ['--name', 'Acme Inc.'],
    ['--warehouse', '101,Newark,NJ,07001'],
    ['--discount', 'C1-GROUND=6'],
    ['--limit', 'quotesPerMinute=5'],
    ['--scope', 'quote'],
    ['--webhook', 'https://acme.example/b'],
    ['--remove-webhook'],
    ['--remove-draft', 'west'],
    ['--remove-discount', 'C1-GROUND'],
    ['--remove-agreement', 'west'],
    ['--remove-warehouse', '102'],
  ])
    expect([change, (await client('set', 'acme', ...change)).code]).toEqual([change, 0]);
});

test('an account number stays when its agreement is assigned again, until another is given', async () => {
  expect((await client('set', 'acme', '--agreement', 'west=102@1X2Y3Z')).code).toBe(0);
  expect((await recordNow()).agreements[1]).toEqual({ name: 'west', warehouses: [102], account: '1X2Y3Z' });
  expect((await client('list')).stdout).toContain('agreement west (account 1X2Y3Z) for 102');
  expect((await client('set', 'acme', '--agreement', 'west=101')).code).toBe(0);
  expect((await recordNow()).agreements[1]).toEqual({ name: 'west', warehouses: [101], account: '1X2Y3Z' });
  expect((await client('set', 'acme', '--agreement', 'west=101@4A5B6C')).code).toBe(0);
  expect((await recordNow()).agreements[1]).toEqual({ name: 'west', warehouses: [101], account: '4A5B6C' });
});

test('a quote and a run have the prices of the agreement, by warehouse', async () => {
  const [east, west] = [await quote('101'), await quote('102')];
  expect(JSON.parse(east.stdout)).toMatchObject({ rateType: 'ACCOUNT', totalDiscounts: 3.76, totalNetCharge: 16.94 });
  const { totalBaseCharge, totalDiscounts } = JSON.parse(west.stdout);
  expect(totalDiscounts).toBeCloseTo(totalBaseCharge * 0.3, 2);
  const rows = Array.from({ length: 60 }, (_, row) => `${101 + (row % 2)},02139,${row + 1},LB,C1-GROUND,2026-06-01`);
  const header = 'warehouse_id,postalCode,weight_value,weight_units,shippingService,shipDate';
  await writeFile(at('list.csv'), `${[header, ...rows].join('\n')}\n`);
  const alone = await rates('run', at('list.csv'), '-o', '-', '--jobs', '1');
  const together = await ratesHere(['run', at('list.csv'), '-o', '-', '--jobs', '2'], {
    env: { ...env, CHUNK_ROWS: '7' },
  });
  expect([alone.code, together.code]).toEqual([0, 0]);
  expect(together.stdout).toBe(alone.stdout);
  expect(rowsOf(alone.stdout)[19]).toMatchObject({
    ...{ input_row: '20', quote_rateType: 'ACCOUNT', quote_totalBaseCharge: '22.38', quote_totalDiscounts: '6.71' },
    ...{ quote_totalSurcharges: '1.96', quote_totalNetCharge: '17.63', quote_rateZone: '5', quote_warnings: '' },
  });
}, 60_000);

test('an agreement with errors stops a quote and a run, and says what is wrong', async () => {
  await writeFile(
    at('agreements/acme-c1/discounts.csv'),
    'discount,services,zones,percent\nIncentive,C1-GROUND,*,lots\n',
  );
  const said = await quote('101');
  expect(said.code).toBe(1);
  expect(said.stderr).toContain('The client acme cannot be used: the agreement acme-c1 is missing or has errors.');
  expect(said.stderr).toContain(`Its agreements come from ${at('agreements')}.`);
  expect(said.stderr).toContain('acme-c1/discounts.csv');
  const list = join(SAMPLES, 'shipments.csv');
  expect((await rates('run', list, '-o', at('out.csv'))).code).toBe(1);
  expect(readClients(await readFile(at('clients.json'), 'utf8'), 'clients').size).toBe(1);
});
