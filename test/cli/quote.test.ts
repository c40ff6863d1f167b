/** The options of `rates quote`, and what it says of sizes and incomplete prices. */
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { smallTariff, TEN_POUNDS } from '../catalog/tariff/small-tariff.ts';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';

const CLIENTS = join(import.meta.dirname, '../../samples/clients.json');

/** Charges for each option but Saturday delivery. */
const TARIFF = smallTariff({
  file: {
    surcharges: [
      {
        type: 'SIGNATURE_ADULT',
        description: 'Adult signature',
        when: { signature: ['adult'] },
        amount: { per: 'package', usd: '9.35' },
      },
      {
        type: 'DECLARED_VALUE',
        description: 'Declared value',
        amount: { per: 'declaredValue', usdPer100: '1.50', minimumUsd: '4.00' },
      },
      {
        type: 'ADDITIONAL_HANDLING_PACKAGING',
        description: 'Additional handling, packaging',
        when: { nonStandardPackaging: true },
        amount: { per: 'package', usd: '20.00' },
      },
    ],
  },
  service: { maximumLengthIn: 108 },
});

let dir: string;
let env: NodeJS.ProcessEnv;
const at = (name: string): string => join(dir, name);
folderForFile((made) => (dir = made));
beforeAll(async () => {
  await writeTariffFolder(at('tariffs/small'), TARIFF);
  await copyFile(CLIENTS, at('clients.json'));
  env = { TARIFFS_DIR: at('tariffs'), CLIENTS_FILE: at('clients.json'), DATA_DIR: at('data') };
});

const quote = (...args: string[]) =>
  ratesHere(['quote', '--warehouse', '101', '--zip', '10001', '--weight', '1', ...args], { env });

test('a quote has the charges of its options', async () => {
  const { code, stdout } = await quote(
    '--signature',
    'adult',
    '--declared-value',
    '450.50',
    '--non-standard-packaging',
  );
  expect(code).toBe(0);
  const receipt = stdout.replaceAll(/ {2,}/g, ' ');
  expect(receipt).toContain('Adult signature 9.35\n');
  // 450.50 are five times 100 or a part of it.
  expect(receipt).toContain('Declared value 7.50\n');
  expect(receipt).toContain('Additional handling, packaging 20.00\n');
  expect(receipt).toContain('Total USD 46.85\n');
  expect(stdout).not.toContain('Warning');
});

test('an option that the tariff does not charge for is a warning', async () => {
  const { code, stdout } = await quote('--saturday', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout).warnings).toMatchObject([
    { type: 'price.incomplete', arguments: { missing: ['saturday'] } },
  ]);
});

test('a declared value is judged as in a list, and a signature must be one of three', async () => {
  expect(await quote('--declared-value', '50000.01')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(
      'No quote: Declared value must be at most 50000 US dollars, whatever the shipping service.',
    ),
  });
  expect(await quote('--signature', 'yes')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Allowed choices are indirect, direct, adult.'),
  });
  expect(await quote('--saturday', '--request', '-')).toMatchObject({ code: 2 });
});

test('an unknown warehouse of a client without any says so', async () => {
  const env = { CLIENTS_FILE: join(dir, 'z.json') };
  await ratesHere(['client', 'add', 'z'], { env });
  const { stderr } = await ratesHere(
    ['quote', '--client', 'z', '--warehouse', '7', '--zip', '60601', '--weight', '5'],
    { env },
  );
  expect(stderr).toContain('z has no warehouses in the United States.');
});

test('a package that is too long has no quote', async () => {
  expect(await quote('--length', '121', '--width', '1', '--height', '1')).toMatchObject({
    code: 4,
    stderr:
      'No quote: GROUND accepts packages up to 108 IN in length; package 1 has 121 IN. (getRates.sizeNotServed)\n',
  });
});

test('a run says what its prices lack', async () => {
  await writeFile(at('list.csv'), 'warehouse_id,zip,weight,units,saturday\n101,10001,1,LB,Y\n101,10001,1,LB,\n');
  const { stderr } = await ratesHere(['run', at('list.csv'), '-o', at('out.csv')], { env });
  expect(stderr).toContain('  price.incomplete: 1 row, $10.00 in total; missing: saturday 1\n');
});

test('a service that starts later is named with its first day, and not among those in force on the ship date', async () => {
  await writeTariffFolder(
    at('tariffs/later'),
    smallTariff({
      file: { name: 'later', effective: '2030-01-05' },
      service: { code: 'LATER' },
      document: { rates: { LATER: TEN_POUNDS } },
    }),
  );
  const said = await quote('--service', 'LATER', '--ship-date', '2030-01-04');
  expect(said.stderr).toContain('The shipping service LATER is not in force on 2030-01-04; it starts on 2030-01-05.');
  expect(said.stderr).toContain('The only service in force on 2030-01-04 is GROUND.');
  expect((await quote('--service', 'LATER', '--ship-date', '2030-01-05')).code).toBe(0);
  expect((await quote('--service', 'NONE', '--ship-date', '2030-01-05')).stderr).toContain(
    'The services in force on 2030-01-05 are LATER, GROUND.',
  );
});
