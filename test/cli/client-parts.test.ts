/** `rates client warehouse` and `rates client discount`. The carrier has a zone chart only for New Jersey. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseClients } from '../../src/catalog/clients/clients.ts';
import { writeTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { chartedTariff } from '../catalog/tariff/small-tariff.ts';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';

let dir: string;
let file: string;
let env: NodeJS.ProcessEnv;
folderForFile((made) => (dir = made));
beforeAll(async () => {
  await writeTariffFolder(join(dir, 'tariffs', 'small'), chartedTariff());
  file = join(dir, 'clients.json');
  env = { TARIFFS_DIR: join(dir, 'tariffs'), CLIENTS_FILE: file, DATA_DIR: join(dir, 'data') };
});
beforeEach(async () => {
  await rm(file, { force: true });
  await client('add', 'acme', '--warehouse', '7,Kearny,NJ,07032', '--name', 'Acme Inc.');
});

const client = (...args: string[]) => ratesHere(['client', ...args], { env });
const acme = async () => parseClients(await readFile(file, 'utf8'), file)[0];
const warehouses = async () => (await acme())?.warehouses.map(({ warehouse_id }) => warehouse_id);

const CHANGED = 'Changed acme. Running processes use the change within a second.\n';
const UNCHARTED = 'Small has no zone chart for this origin; zones are estimated from the distance';

test('a client can be added where HOST is an address that other machines reach, as in the image', async () => {
  const args = ['client', 'add', 'beta', '--warehouse', '8,Reno,NV,89501'];
  const said = await ratesHere(args, { env: { ...env, HOST: '0.0.0.0' } });
  expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('client_secret: ')]);
});

describe('rates client warehouse', () => {
  test('add adds warehouses, and names those of them that have no zone chart', async () => {
    const said = await client('warehouse', 'add', 'acme', '8,Reno,NV,89501', '9,Newark,NJ,07001');
    expect(said).toEqual({ code: 0, stdout: '', stderr: `${CHANGED}Note: warehouse 8 (89501): ${UNCHARTED}.\n` });
    expect(await warehouses()).toEqual([7, 8, 9]);
    const next = await client('warehouse', 'add', 'acme', '10,Newark,NJ,07001');
    expect(next.stderr).toBe(CHANGED);
    expect((await acme())?.name).toBe('Acme Inc.');
  });

  test('add takes a file', async () => {
    const list = join(dir, 'warehouses.csv');
    await writeFile(list, 'warehouse_id,name,postalCode,stateOrProvinceCode\n8,Troy,12180,NY\n9,Rome,13440,NY\n');
    expect((await client('warehouse', 'add', 'acme', '--warehouses', list)).code).toBe(0);
    expect(await warehouses()).toEqual([7, 8, 9]);
  });

  test('remove removes warehouses', async () => {
    await client('warehouse', 'add', 'acme', '8,Reno,NV,89501', '9,Newark,NJ,07001');
    expect(await client('warehouse', 'remove', 'acme', '7', '8', '--json')).toEqual({
      code: 0,
      stdout: '{\n  "client_id": "acme"\n}\n',
      stderr: CHANGED,
    });
    expect(await warehouses()).toEqual([9]);
  });

  test('list shows the warehouses, and which have no zone chart', async () => {
    await client('warehouse', 'add', 'acme', '12,Reno,NV,89501');
    const { stdout } = await client('warehouse', 'list', 'acme');
    expect(stdout.split('\n')).toEqual([
      ' 7  Kearny  NJ  07032  US',
      '12  Reno    NV  89501  US',
      `warehouse 12 (89501): ${UNCHARTED}`,
      '',
    ]);
    expect(JSON.parse((await client('warehouse', 'list', 'acme', '--json')).stdout).warehouses).toEqual([
      expect.objectContaining({ warehouse_id: 7, uncharted: [] }),
      expect.objectContaining({
        warehouse_id: 12,
        uncharted: [{ carrier: 'Small', services: ['GROUND'], allServices: true, zones: 'estimated' }],
      }),
    ]);
  });

  test.each([
    ['a warehouse that it has', ['add', 'acme', '7,Reno,NV,89501'], 1, 'acme already has a warehouse 7.'],
    ['a bad ZIP code', ['add', 'acme', '8,Reno,NV,8950'], 2, 'address.postalCode must have the form'],
    ['no warehouse', ['add', 'acme'], 2, 'Name a warehouse, or a file with --warehouses.'],
    ['an unknown client', ['add', 'nobody', '8,Reno,NV,89501'], 1, 'There is no client nobody.'],
    ['a warehouse that it does not have', ['remove', 'acme', '7', '9'], 1, 'The client acme has no warehouse 9.'],
    ['a list of an unknown client', ['list', 'nobody'], 1, 'There is no client nobody.'],
  ])('is refused for %s, and nothing changes', async (_what, args, code, words) => {
    const before = await acme();
    expect(await client('warehouse', ...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
    expect(await acme()).toEqual(before);
  });
});

describe('rates client discount', () => {
  test('sets, lists and removes a discount', async () => {
    expect(await client('discount', 'acme', 'GROUND', '35')).toEqual({ code: 0, stdout: '', stderr: CHANGED });
    expect((await acme())?.discounts).toEqual({ GROUND: '35' });
    expect((await client('discount', 'acme', 'GROUND', '12.5%')).code).toBe(0);
    expect(await client('discount', 'acme')).toEqual({ code: 0, stdout: 'GROUND  12.5%\n', stderr: '' });
    expect(JSON.parse((await client('discount', 'acme', '--json')).stdout)).toEqual({ discounts: { GROUND: '12.5' } });
    await client('discount', 'acme', 'GROUND', '--remove');
    expect((await acme())?.discounts).toEqual({});
    expect(await client('discount', 'acme')).toEqual({ code: 0, stdout: '', stderr: 'acme has no discounts.\n' });
  });

  test.each([
    ['more than all', ['acme', 'GROUND', '101'], 2, 'It must be a percentage from 0 to 100'],
    ['a service that no tariff has', ['acme', 'GRUND', '10'], 2, 'have no service GRUND. Their services are GROUND.'],
    ['a service alone', ['acme', 'GROUND'], 2, 'Give the percentage off GROUND, or --remove. Not both.'],
    ['both', ['acme', 'GROUND', '5', '--remove'], 2, 'Give the percentage off GROUND, or --remove. Not both.'],
    ['a discount that it does not have', ['acme', 'GROUND', '--remove'], 1, 'acme has no discount on GROUND.'],
    ['no service to remove', ['acme', '--remove'], 2, 'Name the service whose discount to remove.'],
    ['an unknown client', ['nobody', 'GROUND', '5'], 1, 'There is no client nobody.'],
  ])('is refused for %s, and nothing changes', async (_what, args, code, words) => {
    const before = await acme();
    expect(await client('discount', ...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
    expect(await acme()).toEqual(before);
  });
});
