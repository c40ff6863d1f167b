/** Warnings in the output of commands. The carrier has a zone chart only for New Jersey. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { writeTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { chartedTariff } from '../catalog/tariff/small-tariff.ts';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';

const CLIENTS = join(import.meta.dirname, '../../samples/clients.json');

let dir: string;
let env: NodeJS.ProcessEnv;
const at = (name: string): string => join(dir, name);
folderForFile((made) => (dir = made));
beforeAll(async () => {
  await writeTariffFolder(at('tariffs/small'), chartedTariff());
  await copyFile(CLIENTS, at('clients.json'));
  env = { TARIFFS_DIR: at('tariffs'), CLIENTS_FILE: at('clients.json'), DATA_DIR: at('data') };
});

const rates = (...args: string[]) => ratesHere(args, { env });
const MISSING = 'Small has no zone chart for this origin; zones are estimated from the distance';

test('a receipt shows warnings below its title and beside each compared service', async () => {
  const { code, stdout } = await rates('quote', '--warehouse', '102', '--zip', '10001', '--weight', '1');
  expect(code).toBe(0);
  expect(stdout).toContain(
    '\nWarning: Small has no zone chart for the origin 60601, so the zone was estimated from the distance. (zone.estimated)\n',
  );
  expect((await rates('quote', '--warehouse', '101', '--zip', '10001', '--weight', '1')).stdout).not.toContain(
    'arning',
  );
});

test('a run ends with the number of rows with a warning and their total', async () => {
  await writeFile(at('list.csv'), 'warehouse_id,zip,weight,units\n101,10001,1,LB\n102,10001,2,LB\n103,10001,1,LB\n');
  const { code, stdout, stderr } = await rates('run', at('list.csv'), '-o', at('out.csv'), '--json');
  expect(code).toBe(0);
  expect(stderr).toContain('  zone.estimated: 2 rows, $42.00 in total\n');
  expect(JSON.parse(stdout).warnings).toEqual([{ type: 'zone.estimated', shipments: 2, totalNetCharge: 42 }]);
});

test('a list of clients names the warehouses without a chart', async () => {
  const { stdout } = await rates('client', 'list');
  expect(stdout.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    `  warehouse 102 (60601): ${MISSING}`,
    `  warehouse 103 (90001): ${MISSING}`,
    `  warehouse 201 (75001): ${MISSING}`,
  ]);
  const { clients } = JSON.parse((await rates('client', 'list', '--json')).stdout);
  expect(clients[1].uncharted).toEqual([
    { warehouse_id: 201, carrier: 'Small', services: ['GROUND'], allServices: true, zones: 'estimated' },
  ]);
});

test('a new client’s warehouses without a chart are named; broken tariffs do not prevent adding it', async () => {
  const added = await rates(
    'client',
    'add',
    'acme',
    '--warehouse',
    '7,Reno,NV,89501',
    '--warehouse',
    '8,Kearny,NJ,07032',
  );
  expect(added.code).toBe(0);
  expect(added.stderr).toContain(`Note: warehouse 7 (89501): ${MISSING}.\n`);
  expect(added.stderr).not.toContain('warehouse 8');
  await mkdir(at('empty'));
  const unknown = await ratesHere(['client', 'add', 'beta', '--warehouse', '7,Reno,NV,89501'], {
    env: { ...env, TARIFFS_DIR: at('empty') },
  });
  expect(unknown.code).toBe(0);
  expect(unknown.stderr).toContain('Warehouses could not be checked for zone charts: ');
});

test('a tariff check warns about warehouses without a chart', async () => {
  const { code, stdout } = await rates('tariff', 'check', at('tariffs/small'));
  expect(code).toBe(0);
  expect(stdout).toContain(`warning: warehouse 102 of demo (60601): ${MISSING}\n`);
  expect(stdout).not.toContain('warehouse 101');
});

test('publishing a tariff counts the warnings that the check lists', async () => {
  const checked = (await rates('tariff', 'check', at('tariffs/small'))).stdout;
  const [, warnings] = /: 0 errors, (\d+ warnings)\n$/.exec(checked) ?? [];
  const say = `${warnings}. \`rates tariff check\` lists them.\n`;
  env = { ...env, TARIFFS_DIR: 'published', AGREEMENTS_DIR: 'published' };
  expect((await rates('tariff', 'publish', at('tariffs/small'))).stderr).toContain(say);
  expect((await rates('publish', '--replace', at('tariffs/small'))).stderr).toContain(say);
});
