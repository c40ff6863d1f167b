import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { watchClients } from '../../../src/catalog/clients/accounts.ts';
import { clientOf, hashSecret, readClients, sampleCredentials } from '../../../src/catalog/clients/clients.ts';

const SAMPLE = join(import.meta.dirname, '../../../samples/clients.json');
const SALT = '00112233445566778899aabbccddeeff';
const secretOf = (text: string) => ({ salt: SALT, hash: hashSecret(text, SALT), createdAt: '2026-01-01T00:00:00Z' });
const acme = (changes: object = {}) => ({
  id: 'acme',
  name: 'Acme',
  secrets: [secretOf('first')],
  scopes: ['quote'],
  warehouses: [
    {
      warehouse_id: 7,
      name: 'Reno',
      address: { postalCode: '89501', stateOrProvinceCode: 'NV', countryCode: 'US' },
    },
  ],
  ...changes,
});
const textOf = (...clients: object[]) => JSON.stringify({ clients });
const read = (...clients: object[]) => readClients(textOf(...clients), 'clients.json');

describe('the sample clients', () => {
  test('are demo with four warehouses and other with one, without discounts', async () => {
    const clients = readClients(await readFile(SAMPLE, 'utf8'), SAMPLE);
    const places = [...clients.values()].map(({ id, warehouses }) => [
      id,
      [...warehouses.values()].map((warehouse) => `${warehouse.id} ${warehouse.countryCode} ${warehouse.postalCode}`),
    ]);
    expect(places).toEqual([
      ['demo', ['101 US 07001', '102 US 60601', '103 US 90001', '104 MX 64000']],
      ['other', ['201 US 75001']],
    ]);
    expect([...clients.values()].map(({ discounts }) => discounts.size)).toEqual([0, 0]);
  });

  test('are recognized by their secrets, with any path and any salt', async () => {
    expect(sampleCredentials(readClients(await readFile(SAMPLE, 'utf8'), 'elsewhere.json'))).toEqual([
      { id: 'demo', secret: 'demo-secret' },
      { id: 'other', secret: 'other-secret' },
    ]);
    expect(sampleCredentials(read(acme({ secrets: [secretOf('other-secret')] })))).toEqual([
      { id: 'acme', secret: 'other-secret' },
    ]);
    expect(sampleCredentials(read(acme()))).toEqual([]);
  });

  test('hold no secret in plain text', async () => {
    expect(await readFile(SAMPLE, 'utf8')).not.toMatch(/demo-secret|other-secret/);
  });
});

describe('a secret', () => {
  const clients = read(
    acme({ secrets: [secretOf('first'), secretOf('second')] }),
    acme({ id: 'bare', secrets: [] }),
    acme({ id: 'gone', revoked: true }),
  );

  test.each([
    ['acme', 'first', 'acme'],
    ['acme', 'second', 'acme'],
    ['acme', 'third', undefined],
    ['acme', '', undefined],
    ['acme', secretOf('first').hash, undefined],
    ['ACME', 'first', undefined],
    ['bare', '', undefined],
    ['gone', 'first', undefined],
    ['nobody', 'first', undefined],
    ['__proto__', 'first', undefined],
  ])('of %s, %j, belongs to %s', (id, text, owner) => {
    expect(clientOf(clients, id, text, new Date())?.client.id).toBe(owner);
  });
});

test.each([
  ['0', 0],
  ['12.5', 1_250],
  ['7.05', 705],
  ['100', 10_000],
])('a discount of %s percent is %i basis points', (percent, points) => {
  expect(
    read(acme({ discounts: { 'C1-GROUND': percent } }))
      .get('acme')
      ?.discounts.get('C1-GROUND'),
  ).toBe(points);
});

describe('an unusable clients file is reported with the member:', () => {
  const place = acme().warehouses[0];
  test.each([
    [
      'a discount over 100',
      [acme({ discounts: { 'C1-GROUND': '100.01' } })],
      'clients[0].discounts.C1-GROUND must be a percentage',
    ],
    [
      'a discount that is a number',
      [acme({ discounts: { 'C1-GROUND': 5 } })],
      'clients[0].discounts.C1-GROUND must be a string',
    ],
    ['an id twice', [acme(), acme()], 'clients has the id acme twice'],
    ['a warehouse twice', [acme({ warehouses: [place, place] })], 'clients[0].warehouses has the warehouse_id 7 twice'],
    [
      'a bad ZIP code',
      [acme({ warehouses: [{ ...place, address: { ...place?.address, postalCode: '8950' } }] })],
      'clients[0].warehouses[0].address.postalCode must have the form',
    ],
    ['an unknown scope', [acme({ scopes: ['root'] })], 'clients[0].scopes[0] must be one of quote, batch'],
    ['a plain secret', [acme({ secrets: ['first'] })], 'clients[0].secrets[0] must be an object'],
    [
      'a short hash',
      [acme({ secrets: [{ ...secretOf('first'), hash: 'ab' }] })],
      'clients[0].secrets[0].hash must be 32 bytes in hex',
    ],
    ['an unknown member', [acme({ discount: {} })], 'clients[0].discount is unknown: correct its name, or remove it'],
    ['an id with a slash', [acme({ id: '../x' })], 'clients[0].id must be letters, digits'],
  ])('%s', (_what, clients, problem) => {
    expect(() => read(...clients)).toThrow(`cannot be used:\n  ${problem}`);
  });

  test('a file that is not JSON', () => {
    expect(() => readClients('{', 'clients.json')).toThrow('clients.json cannot be used:\n  it is not JSON');
  });
});

describe('a watched clients file', () => {
  let dir: string;
  let file: string;
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const replace = async (text: string) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'clients-'));
    file = join(dir, 'clients.json');
  });
  afterAll(() => rm(dir, { recursive: true }));

  const soon = { timeout: 2_000, interval: 20 };

  test('is loaded within a second after a change', async () => {
    await replace(textOf(acme()));
    const watched = await watchClients(file, { log, allowSampleSecrets: false });
    try {
      expect([...watched.current().keys()]).toEqual(['acme']);
      await replace(textOf(acme(), acme({ id: 'second' })));
      await vi.waitFor(() => expect([...watched.current().keys()]).toEqual(['acme', 'second']), soon);
    } finally {
      watched.close();
    }
  });

  test('that is broken or missing changes nothing', async () => {
    await replace(textOf(acme(), acme({ id: 'second' })));
    const watched = await watchClients(file, { log, allowSampleSecrets: false, intervalMs: 20 });
    try {
      const ids = () => [...watched.current().keys()];
      await replace('{"clients": [');
      await vi.waitFor(() => expect(lines.join()).toContain('it is not JSON'), soon);
      await replace(textOf(acme({ id: 'public', secrets: [secretOf('demo-secret')] })));
      await vi.waitFor(() => expect(lines.join()).toContain('sample secret'), soon);
      await rm(file);
      await vi.waitFor(() => expect(lines.join()).toContain('ENOENT'), soon);
      expect(ids()).toEqual(['acme', 'second']);
      await replace(textOf(acme({ revoked: true })));
      await vi.waitFor(() => expect(ids()).toEqual([]), soon);
    } finally {
      watched.close();
    }
  });

  test('with a sample secret is rejected if the service is reachable from outside', async () => {
    await expect(watchClients(SAMPLE, { log, allowSampleSecrets: false })).rejects.toThrow('sample secret');
    (await watchClients(SAMPLE, { log, allowSampleSecrets: true })).close();
  });
});
