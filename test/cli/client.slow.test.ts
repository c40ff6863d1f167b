import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { watchClients } from '../../src/catalog/clients/accounts.ts';
import { changeClients, makeClientsFile, newSecret, withClient } from '../../src/catalog/clients/change-clients.ts';
import { clientOf, parseClients, readClients } from '../../src/catalog/clients/clients.ts';
import { folderForFile } from '../folder.ts';
import { rateRequest, startApi } from '../http/api.ts';
import { ratesHere, type Said } from './in-process.ts';
import { ROOT, rates as ratesProcess } from './rates.ts';

let dir: string;
let file: string;
folderForFile((made) => (dir = made));
beforeEach(async () => {
  file = join(dir, `clients-${Math.random().toString(36).slice(2)}.json`);
});

const rates = (...args: string[]): Promise<Said> => ratesHere(['client', ...args], { env: { CLIENTS_FILE: file } });

const clientsNow = async () => readClients(await readFile(file, 'utf8'), file);
const accepts = async (id: string, secret: string, now = new Date()) =>
  clientOf(await clientsNow(), id, secret, now)?.client.id === id;
const RENO = ['--warehouse', '7,Reno,NV,89501'];

describe('a new client', () => {
  test('gets a secret of 256 bits that is shown once and stored as a hash', async () => {
    const warehouses = join(dir, 'warehouses.csv');
    await writeFile(
      warehouses,
      'warehouse_id,name,postalCode,stateOrProvinceCode,countryCode\n8,Juarez,32000,CHH,MX\n9,Troy,12180,NY,\n',
    );
    const { code, stdout, stderr } = await rates(
      ...['add', 'acme', '--name', 'Acme, Inc.', ...RENO, '--warehouses', warehouses],
      ...['--discount', 'C1-GROUND=12.5', '--limit', 'quotesPerMinute=100', '--limit', 'rowsInFlight=5000'],
      ...['--limit', 'bytesStored=1125899906842624'],
      ...['--webhook', 'https://acme.example/hook', '--json'],
    );
    expect(code).toBe(0);
    expect(stderr.trim().split('\n')).toEqual([
      'Save this now: it is not shown again.',
      'The service keeps the webhook secret to sign messages, so protect its clients file.',
      'Only a hash of the client secret is stored.',
    ]);
    const shown = JSON.parse(stdout);
    expect(shown).toEqual({
      client_id: 'acme',
      client_secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      webhook_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const text = await readFile(file, 'utf8');
    expect(text).not.toContain(shown.client_secret);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const [kept] = parseClients(text, file);
    expect(kept).toMatchObject({
      name: 'Acme, Inc.',
      scopes: ['quote', 'batch'],
      discounts: { 'C1-GROUND': '12.5' },
      limits: { quotesPerMinute: 100, tokensPerMinute: 60, rowsInFlight: 5000, bytesStored: 2 ** 50 },
    });
    expect(kept?.warehouses.map(({ warehouse_id, address }) => [warehouse_id, address.countryCode])).toEqual([
      [7, 'US'],
      [8, 'MX'],
      [9, 'US'],
    ]);
    expect(await accepts('acme', shown.client_secret)).toBe(true);
    expect(await accepts('acme', `${shown.client_secret.slice(0, -1)}!`)).toBe(false);
  });

  const GROUND = '--discount <service=percent>';
  test.each([
    ['a bad id', ['../etc'], "'../etc' is invalid for <id>. It must be letters, digits"],
    [
      'an empty name',
      ['x', '--name', ''],
      "option '--name <name>' argument '' is invalid. It must have at least 1 character.",
    ],
    ['a bad ZIP code', ['x', '--warehouse', '7,Reno,NV,8950'], 'address.postalCode must have the form'],
    ['a warehouse without a ZIP', ['x', '--warehouse', '7,Reno'], 'It must be ID,NAME,STATE,ZIP'],
    ['a warehouse twice', ['x', ...RENO, ...RENO], 'is invalid. It has the warehouse_id 7 twice'],
    [
      'a discount over 100',
      ['x', '--discount', 'G=101'],
      `option '${GROUND}' argument 'G=101' is invalid. G must be a`,
    ],
    ['a discount without a service', ['x', '--discount', '10'], 'It must be SERVICE=PERCENT.'],
    [
      'a long service',
      ['x', '--discount', 'ELEVENCHARS=1'],
      'ELEVENCHARS is not a valid name: it must have at most 10 characters.',
    ],
    ['a webhook without TLS', ['x', '--webhook', 'http://acme.example'], "option '--webhook <url>' argument"],
    [
      'a webhook on this machine',
      ['x', '--webhook', 'https://127.0.0.1/'],
      'It must have a host on the public internet',
    ],
    ['an unknown limit', ['x', '--limit', 'speed=9'], 'The limits are quotesPerMinute, '],
    ['a limit that is no number', ['x', '--limit', 'rowsInFlight=1e3'], 'It must be NAME=NUMBER, a whole number.'],
    ['a limit of none', ['x', '--limit', 'rowsInFlight=0'], "option '--limit <name=number>' argument 'rowsInFlight=0'"],
    ['an unknown scope', ['x', '--scope', 'root'], "option '--scope <scopes...>' argument 'root' is invalid."],
    ['no id', [], "missing required argument 'id'"],
  ])('is refused for %s as a usage error that names the option', async (_what, args, words) => {
    const ran = await ratesHere(['client', 'add', ...args], { env: { CLIENTS_FILE: file } });
    expect([ran.code, ran.stderr, ran.stdout]).toEqual([2, expect.stringContaining(words), '']);
    expect(ran.stderr).toContain('`rates help client add`');
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('is refused if its file of warehouses has errors, which are named with their rows', async () => {
    const warehouses = join(dir, 'bad-warehouses.csv');
    await writeFile(
      warehouses,
      'warehouse_id,name,postalCode,stateOrProvinceCode\n8,Troy,12180,NY\n9,Troy,1218,NY\nx,Troy,12180,NY\n',
    );
    const ran = await ratesHere(['client', 'add', 'x', ...RENO, '--warehouses', warehouses], {
      env: { CLIENTS_FILE: file },
    });
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toContain(
      `${warehouses} cannot be used:\n  row 2: address.postalCode must have the form 12345 or 12345-6789`,
    );
    expect(ran.stderr).toContain('\n  row 3: warehouse_id must be a number\n');
  });

  test.each([
    ['a misspelled column', 'warehouse_id,name,postalCode,stateOrProvinceCode,country', 'unknown columns: country.'],
    ['semicolons', 'warehouse_id;name;postalCode;stateOrProvinceCode;countryCode', 'separated by commas'],
    ['too few cells', 'warehouse_id,name,postalCode', 'is not CSV: Invalid Record Length'],
    ['a number of another kind', 'warehouse_id,name,postalCode,stateOrProvinceCode,countryCode', 'must be a number'],
  ])('is refused if its file of warehouses has %s', async (_, header, said) => {
    const warehouses = join(dir, 'other-warehouses.csv');
    const row = '0x8,Juarez,32000,CHH,MX';
    await writeFile(warehouses, `${header}\n${header.includes(';') ? row.replaceAll(',', ';') : row}\n`);
    const ran = await rates('add', 'x', '--warehouses', warehouses);
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toContain(warehouses);
    expect(ran.stderr).toContain(said);
  });
});

describe('a changed client', () => {
  const set = (...args: readonly string[]) =>
    ratesHere(['client', 'set', 'acme', ...args], { env: { CLIENTS_FILE: file } });
  const acme = async () => parseClients(await readFile(file, 'utf8'), file)[0];
  beforeEach(async () => {
    const args = ['client', 'add', 'acme', ...RENO, '--discount', 'C1-GROUND=12.5', '--limit', 'tokensPerMinute=7'];
    await ratesHere(args, { env: { CLIENTS_FILE: file } });
  });

  test('keeps what no option names', async () => {
    const before = await acme();
    expect((await set('--discount', 'C2-GROUND=5', '--name', 'Acme Inc.')).code).toBe(0);
    expect(await acme()).toEqual({
      ...before,
      name: 'Acme Inc.',
      discounts: { 'C1-GROUND': '12.5', 'C2-GROUND': '5' },
    });
  });

  test('gets another discount on a service, and loses one', async () => {
    await set('--discount', 'C1-GROUND=35');
    expect((await acme())?.discounts).toEqual({ 'C1-GROUND': '35' });
    await set('--remove-discount', 'C1-GROUND');
    expect((await acme())?.discounts).toEqual({});
  });

  test('gets a warehouse instead of the one with the same id, and loses one', async () => {
    await set('--warehouse', '7,Sparks,NV,89431', '--warehouse', '8,Troy,NY,12180');
    const names = async () => (await acme())?.warehouses.map(({ warehouse_id, name }) => [warehouse_id, name]);
    expect(await names()).toEqual([
      [7, 'Sparks'],
      [8, 'Troy'],
    ]);
    await set('--remove-warehouse', '7');
    expect(await names()).toEqual([[8, 'Troy']]);
  });

  test('gets a webhook with a secret that is shown once, another URL with the same secret, and no webhook', async () => {
    const first = await set('--webhook', 'https://acme.example/a', '--json');
    const secret = (await acme())?.webhook?.signingSecret;
    expect(JSON.parse(first.stdout)).toEqual({ client_id: 'acme', webhook_secret: secret });
    const second = await set('--webhook', 'https://acme.example/b', '--json');
    expect(JSON.parse(second.stdout)).toEqual({ client_id: 'acme' });
    expect((await acme())?.webhook).toEqual({ url: 'https://acme.example/b', signingSecret: secret });
    await set('--remove-webhook');
    expect((await acme())?.webhook).toBeUndefined();
  });

  test.each([
    ['nothing to change', [], 2, 'Name what to change'],
    ['a discount that it does not have', ['--remove-discount', 'C2-GROUND'], 1, 'acme has no discount on C2-GROUND.'],
    ['a warehouse that it does not have', ['--remove-warehouse', '9'], 1, 'The client acme has no warehouse 9.'],
    [
      'a discount on an unknown service',
      ['--discount', 'C1-GRND=35'],
      2,
      'have no service C1-GRND. Their services are C1-GROUND, ',
    ],
  ])('is refused for %s and stays unchanged', async (_what, args, code, words) => {
    const before = await acme();
    expect(await set(...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
    expect(await acme()).toEqual(before);
  });
});

test('a client with a discount on an unknown service is not added', async () => {
  const ran = await ratesHere(['client', 'add', 'acme', '--discount', 'FDX-GRND=35'], { env: { CLIENTS_FILE: file } });
  expect(ran).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('have no service FDX-GRND. Their services are C1-'),
  });
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

test.each([{}, { CLIENTS_FILE: join(ROOT, 'samples', 'clients.json') }])(
  'the sample clients can be listed but not changed: %o',
  async (env) => {
    const samples = await readFile(join(ROOT, 'samples', 'clients.json'), 'utf8');
    for (const args of [
      ['add', 'acme'],
      ['set', 'demo', '--name', 'x'],
      ['rotate', 'demo'],
      ['revoke', 'demo'],
    ])
      expect(await ratesHere(['client', ...args], { env })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Name your own file in CLIENTS_FILE'),
      });
    expect((await ratesHere(['client', 'list'], { env })).stdout).toContain('demo: ');
    expect(await readFile(join(ROOT, 'samples', 'clients.json'), 'utf8')).toBe(samples);
  },
);

test.each([
  ['rotate', '../etc'],
  ['revoke', '../etc'],
  ['rotate', 'acme', '--grace', 'x'],
])('%s %s: an invalid value is a usage error', async (...args) => {
  expect(await ratesHere(['client', ...args], { env: { CLIENTS_FILE: file } })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`\`rates help client ${args[0]}\` shows the usage.`),
  });
});

test('an id is never used again, even after it was revoked', async () => {
  await rates('add', 'acme', ...RENO);
  expect((await rates('add', 'acme')).stderr).toContain('The client acme already exists.');
  expect((await rates('revoke', 'acme')).code).toBe(0);
  expect((await rates('add', 'acme')).stderr).toContain('It was revoked, and its id cannot be reused');
  expect((await rates('rotate', 'acme')).stderr).toContain('The client acme is revoked.');
  expect((await rates('revoke', 'nobody')).stderr).toContain('There is no client nobody.');
});

test('after a rotation the old secret is valid until it is revoked or its grace ends', async () => {
  const secretIn = ({ stdout }: Said): string => JSON.parse(stdout).client_secret;
  const first = secretIn(await rates('add', 'acme', '--json'));
  const second = secretIn(await rates('rotate', 'acme', '--json'));
  expect([await accepts('acme', first), await accepts('acme', second)]).toEqual([true, true]);
  expect((await rates('rotate', 'acme', '--revoke-old')).code).toBe(0);
  expect([await accepts('acme', first), await accepts('acme', second)]).toEqual([false, true]);
  const graced = await rates('rotate', 'acme', '--grace', '2', '--json');
  expect(graced.stderr).toContain('The old secret and its tokens stay valid for 2 hours.');
  const third = secretIn(graced);
  const soon = new Date(Date.now() + 3_600_000);
  const later = new Date(Date.now() + 7_300_000);
  expect([await accepts('acme', second, soon), await accepts('acme', third, soon)]).toEqual([true, true]);
  expect([await accepts('acme', second, later), await accepts('acme', third, later)]).toEqual([false, true]);
  const listed = await rates('list', '--json');
  expect(listed.stdout).not.toMatch(/salt|hash/);
  expect(JSON.parse(listed.stdout).clients).toMatchObject([
    { id: 'acme', revoked: false, secrets: [{ expiresAt: expect.any(String) }, { expiresAt: null }] },
  ]);
  expect((await rates('list')).stdout).toBe('acme: acme, quote and batch, 0 warehouses, 2 secrets\n');
  expect((await rates('rotate', 'acme', '--grace', '0')).stderr).toContain(
    'The old secret and its tokens are no longer valid.',
  );
  expect(await accepts('acme', third)).toBe(false);
});

test('a webhook is listed without secrets in its URL', async () => {
  await rates('add', 'hooked', '--webhook', 'https://user:pass-word@acme.example/hook?key=of-the-client');
  await rates('add', 'unhooked');
  const { stdout } = await rates('list', '--json');
  expect(JSON.parse(stdout).clients).toMatchObject([{ webhook: 'https://acme.example/hook' }, { webhook: null }]);
});

test('a discount that an agreement replaces is named, and the list shows discounts, agreements and drafts', async () => {
  const replaced =
    'Note: the discount of 5% on C1-GROUND has no effect from warehouse 7: the agreement sample-c1 sets that price.\n';
  await rates('add', 'acme', ...RENO, '--agreement', 'sample-c1=7', '--draft', 'sample-c1');
  expect((await rates('discount', 'acme', 'C2-GROUND', '10')).stderr).not.toContain('no effect');
  expect((await rates('discount', 'acme', 'C1-GROUND', '5')).stderr).toContain(replaced);
  const listed = await rates('discount', 'acme');
  expect([listed.stdout, listed.stderr]).toEqual(['C2-GROUND  10%\nC1-GROUND   5%\n', replaced]);
  expect((await rates('list')).stdout).toBe(
    'acme: acme, quote and batch, 1 warehouse, 10% off C2-GROUND, 5% off C1-GROUND, ' +
      'agreement sample-c1 for 7, draft sample-c1, 1 secret\n',
  );
  const added = await rates('add', 'bob', ...RENO, '--agreement', 'sample-c1', '--discount', 'C1-GROUND=5');
  expect(added.stderr).toContain('5% on C1-GROUND has no effect: the agreement');
});

test('concurrent commands keep each other’s changes and leave no other file', async () => {
  const ids = Array.from({ length: 4 }, (_, i) => `client-${i}`);
  const ran = await Promise.all(ids.map((id) => ratesProcess(['client', 'add', id], { env: { CLIENTS_FILE: file } })));
  expect(ran.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  const record = { name: 'x', scopes: [], warehouses: [], discounts: {}, agreements: [], drafts: [], revoked: false };
  const limits = (await clientsNow()).get('client-0')?.limits;
  if (limits === undefined) throw new Error('there is no client-0');
  const more = Array.from({ length: 40 }, (_, i) => `more-${i}`);
  await Promise.all(
    more.map((id) =>
      changeClients(file, (clients) =>
        withClient(clients, { ...record, id, limits, secrets: [newSecret(new Date()).kept] }),
      ),
    ),
  );
  expect([...(await clientsNow()).keys()].toSorted()).toEqual([...ids, ...more].toSorted());
  expect((await readdir(dir)).filter((name) => name.startsWith(`${file.split('/').at(-1)}.`))).toEqual([]);
});

test('a broken file is not overwritten', async () => {
  await writeFile(file, '{"clients": [');
  const { code, stderr } = await rates('add', 'acme');
  expect(code).toBe(1);
  expect(stderr).toContain('it is not JSON');
  expect(await readFile(file, 'utf8')).toBe('{"clients": [');
});

test('a running API uses changes within two seconds; tokens end with their secret and their client', async () => {
  await makeClientsFile(file);
  const clients = await watchClients(file, { log: pino({ level: 'silent' }), allowSampleSecrets: false });
  const api = await startApi({ clients });
  try {
    const { stdout } = await rates('add', 'acme', '--warehouse', '101,Newark,NJ,07001', '--json');
    const untilUsed = (secrets: number) =>
      vi.waitFor(() => expect(clients.current().get('acme')?.secrets).toHaveLength(secrets), { timeout: 2_000 });
    await untilUsed(1);
    const token = await api.tokenOf('acme', JSON.parse(stdout).client_secret);
    const headers = { Authorization: `Bearer ${token}` };
    expect((await api.quote(rateRequest(), '', headers)).status).toBe(200);
    const untilRefused = (refused: Record<string, string>) =>
      vi.waitFor(async () => expect((await api.quote(rateRequest(), '', refused)).status).toBe(401), {
        timeout: 2_000,
      });
    const rotated = await rates('rotate', 'acme', '--json');
    await untilUsed(2);
    const next = { Authorization: `Bearer ${await api.tokenOf('acme', JSON.parse(rotated.stdout).client_secret)}` };
    expect((await api.quote(rateRequest(), '', headers)).status).toBe(200);
    expect((await rates('rotate', 'acme', '--revoke-old')).stderr).toBe(
      'Only the newest secret of acme is valid now. Tokens of older secrets are refused.\n',
    );
    await untilRefused(headers);
    expect((await api.quote(rateRequest(), '', next)).status).toBe(200);
    await rates('revoke', 'acme');
    await untilRefused(next);
    expect((await api.quote(rateRequest(), '', next)).body.fault.type).toBe('InvalidAuthorizationException');
  } finally {
    clients.close();
    await api.close();
  }
});
