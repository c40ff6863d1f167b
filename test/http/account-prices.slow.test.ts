/** Prices of clients with agreements in the running service: who gets them, when they change, and when there are none. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeAgreementFolder } from '../../src/catalog/agreement/folder.ts';
import { watchClients, withAccounts } from '../../src/catalog/clients/accounts.ts';
import { watchAgreements } from '../../src/catalog/documents/live.ts';
import { onePercentage } from '../catalog/agreement/one-percentage.ts';
import { folderForEachTest } from '../folder.ts';
import { ownClockMs } from '../processor-time.ts';
import { soon } from '../soon.ts';
import { rateRequest, startApi, weighing } from './api.ts';

const SAMPLE = join(import.meta.dirname, '../../samples/clients.json');

let dir: string;
let lines: string[];
let api: Awaited<ReturnType<typeof startApi>>;
let close: () => void;
const at = (name: string): string => join(dir, name);
/** A change has two parts, amount and description, so that a half-applied change would show. */
const write = async (percent: string): Promise<void> => {
  await writeAgreementFolder(at('agreements/acme-c1'), onePercentage(percent, {}, { discount: `${percent} off` }));
};
/** The sample clients. `demo` has agreements. */
const assign = async (...agreements: object[]): Promise<void> => {
  const { clients } = JSON.parse(await readFile(SAMPLE, 'utf8'));
  const [demo, ...others] = clients;
  await writeFile(at('clients.json'), JSON.stringify({ clients: [{ ...demo, agreements }, ...others] }));
};

folderForEachTest((made) => (dir = made));
beforeEach(async () => {
  lines = [];
  await write('20.00');
  await assign({ name: 'acme-c1' });
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const clients = withAccounts({
    clients: await watchClients(at('clients.json'), { log, allowSampleSecrets: true }),
    agreements: await watchAgreements(at('agreements'), { log }),
    log,
  });
  ({ close } = clients);
  api = await startApi({ clients, now: () => new Date('2026-06-01T16:00:00Z') });
});
afterEach(async () => {
  close();
  await api.close();
});

const REQUEST = rateRequest(weighing(20));
const priceOf = ({ body }: Awaited<ReturnType<typeof api.quote>>) => ({
  rateType: body.rateType,
  discounts: body.discounts,
  totalDiscounts: body.totalDiscounts,
  totalNetCharge: body.totalNetCharge,
});
const off = (percent: string, amount: number, totalNetCharge: number) => ({
  rateType: 'ACCOUNT',
  discounts: [{ type: 'DISCOUNT', description: `${percent} off`, amount }],
  totalDiscounts: amount,
  totalNetCharge,
});
/** The base of 18.82, and 12.5% fuel on the rest of it. */
const LIST = { rateType: 'LIST', discounts: [], totalDiscounts: 0, totalNetCharge: 21.17 };
const OTHERS_LIST = { ...LIST, totalNetCharge: 29.18 };
const unavailable = { code: 503, fault: { type: 'service.unavailable', arguments: { dependency: 'agreements' } } };

test('a client gets the price of its agreement, and another client gets the list price', async () => {
  expect(priceOf(await api.quote(REQUEST))).toEqual(off('20.00', 3.76, 16.94));
  const token = await api.tokenOf('other', 'other-secret');
  const request = rateRequest({ ...weighing(20), shipper: { warehouse_id: 201 } });
  const others = await api.quote(request, '?explain=true', { Authorization: `Bearer ${token}` });
  expect(priceOf(others)).toEqual(OTHERS_LIST);
  expect(JSON.stringify(others.body)).not.toContain('acme-c1');
});

test('an agreement for some warehouses leaves the others at the list price', async () => {
  await assign({ name: 'acme-c1', warehouses: [102] });
  await soon(async () => expect(priceOf(await api.quote(REQUEST))).toEqual(LIST));
  const west = await api.quote(rateRequest({ ...weighing(20), shipper: { warehouse_id: 102 } }));
  expect(west.body.rateType).toBe('ACCOUNT');
});

test('a changed agreement is in force within two seconds, and no price mixes both versions', async () => {
  const seen = new Map<string, number>();
  const ask = async (): Promise<void> => {
    const price = JSON.stringify(priceOf(await api.quote(REQUEST)));
    if (!seen.has(price)) seen.set(price, ownClockMs());
  };
  for (let times = 0; times < 20; times++) await ask();
  const writing = write('30.00').then(ownClockMs);
  while (seen.size < 2) await Promise.all(Array.from({ length: 4 }, ask));
  const changedAt = await writing;
  for (let times = 0; times < 20; times++) await ask();
  expect([...seen.keys()].map((price) => JSON.parse(price))).toEqual([
    off('20.00', 3.76, 16.94),
    off('30.00', 5.65, 14.82),
  ]);
  const [, changeSeen = 0] = seen.values();
  expect(changeSeen - changedAt).toBeLessThan(2_000);
});

test('a client whose agreement is missing gets no price until the agreement is back', async () => {
  await rm(at('agreements/acme-c1'), { recursive: true });
  await soon(async () => expect((await api.quote(REQUEST)).body).toMatchObject(unavailable));
  expect((await api.quote(rateRequest({ ...weighing(20), shippingService: 'C2-GROUND' }))).status).toBe(503);
  expect((await api.quote({ rates: {} })).status).toBe(422);
  const list = await api.call('/v1/client/agreements', { headers: { Authorization: `Bearer ${api.token}` } });
  expect(list.body).toMatchObject(unavailable);
  expect(JSON.stringify(list.body)).not.toContain('acme');
  const token = await api.tokenOf('other', 'other-secret');
  const request = rateRequest({ ...weighing(20), shipper: { warehouse_id: 201 } });
  expect(priceOf(await api.quote(request, '', { Authorization: `Bearer ${token}` }))).toEqual(OTHERS_LIST);
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  expect(metrics).toContain('\nrates_clients_without_agreement 1\n');
  expect(metrics).not.toContain('acme');
  const said = lines.filter((line) => line.includes('clients get no prices'));
  expect(said.map((line) => JSON.parse(line).first)).toEqual([
    [{ client: 'demo', problem: 'the agreement acme-c1 is missing or has errors' }],
  ]);
  // Each refusal has its request line in the log, and none is logged as an error.
  expect(api.lines.filter(({ msg }) => msg === 'a call could not be answered')).toEqual([]);
  await write('20.00');
  await soon(async () => expect((await api.quote(REQUEST)).status).toBe(200));
});
