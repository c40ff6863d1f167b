/** Batches of a client whose agreement changes or is lost while they run. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { must } from '../../src/base/must.ts';
import { accountOf, NO_ACCOUNT } from '../../src/catalog/agreement/account.ts';
import { writeAgreementFolder } from '../../src/catalog/agreement/folder.ts';
import type { Client, Clients } from '../../src/catalog/clients/clients.ts';
import { onePercentage } from '../catalog/agreement/one-percentage.ts';
import { ratesHere } from '../cli/in-process.ts';
import { sampleClients } from './api.ts';
import { BATCHES, type BatchApi, listOf } from './batch-api.ts';
import { batchApiForEachTest } from './batch-suite.ts';

const SAMPLE = join(import.meta.dirname, '../../samples/clients.json');

/** The clients of the API. Tests change them. */
const clients = new Map<string, Client>(await sampleClients());
const demo = must(clients.get('demo'), 'demo');
const agree = (percent: string): void => {
  const agreements = [{ document: onePercentage(percent), warehouses: new Set([101, 102]) }];
  clients.set('demo', { ...demo, agreements, account: accountOf({ discounts: demo.discounts, agreements }) });
};
const lose = (): void => void clients.set('demo', { ...demo, agreements: [], account: NO_ACCOUNT });

let api: BatchApi;
const { work } = batchApiForEachTest(
  (started) => {
    ({ api } = started);
  },
  { clients: clients as Clients },
);

/** 20 rows in seven chunks. Rows 2 and 20 have an invalid ZIP code. */
const SOUND = listOf(20);
const FAULTY = SOUND.split('\n')
  .map((line, row) => ([2, 20].includes(row) ? line.replace(',02139,', ',0213,') : line))
  .join('\n');
const output = async (id: string, query = ''): Promise<string> => (await api.file(`/${id}/output${query}`)).text;
const completed = async (list: string): Promise<string> => {
  const id = await api.upload(list);
  expect((await api.ended(id)).status).toBe('completed');
  return id;
};
const agreementIds = async (): Promise<number> => (await api.store.list('agreements/')).length;

test('a batch keeps the agreement of its creation, for late chunks and corrections', async () => {
  await work();
  agree('20.00');
  const whole = await output(await completed(SOUND));
  expect(whole).toContain(',ACCOUNT,');
  const early = await api.upload(FAULTY);
  agree('40.00');
  expect((await api.ended(early)).rows).toMatchObject({ quoted: 18, faulted: 2 });
  const first = await output(early);
  const corrections = (await api.file(`/${early}/faults`)).text.replaceAll(',0213,', ',02139,');
  lose();
  const sent = await api.api.call(`${BATCHES}/${early}/corrections`, {
    method: 'POST',
    headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
    body: corrections,
  });
  expect(sent.status).toBe(202);
  expect(await api.ended(early)).toMatchObject({ revision: 2, outcome: 'all_quoted' });
  expect(await output(early)).toBe(whole);
  expect(await output(early, '?revision=1')).toBe(first);
  agree('40.00');
  expect(await output(await completed(SOUND))).not.toBe(whole);
  agree('20.00');
  expect(await output(await completed(SOUND))).toBe(whole);
  expect(await agreementIds()).toBe(2);
});

test('a row has the price of the single call', async () => {
  await work();
  agree('20.00');
  const text = await output(await completed(listOf(3)));
  const nets = text
    .split('\n')
    .slice(1, 4)
    .map((line) => line.split(','));
  const header = must(text.split('\n')[0], 'a header').split(',');
  for (const [index, cells] of nets.entries()) {
    const value = index + 1.5;
    const rates = {
      shippingService: 'C1-GROUND',
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode: '02139' } },
      packageItems: [{ weight: { units: 'LB', value } }],
    };
    const { body } = await api.api.quote({ rates });
    expect(body.rateType).toBe('ACCOUNT');
    for (const column of ['rateType', 'totalDiscounts', 'totalNetCharge'])
      expect(cells[header.indexOf(`quote_${column}`)]).toBe(
        typeof body[column] === 'number' ? body[column].toFixed(2) : body[column],
      );
  }
});

test('a run on the command line writes the same bytes as the batch', async () => {
  await work();
  agree('20.00');
  const list = listOf(12);
  const batch = await output(await completed(list));
  const dir = await mkdtemp(join(tmpdir(), 'run-'));
  const { clients: records } = JSON.parse(await readFile(SAMPLE, 'utf8'));
  records[0].agreements = [{ name: 'acme-c1', warehouses: [101, 102] }];
  await writeFile(join(dir, 'clients.json'), JSON.stringify({ clients: records }));
  await writeFile(join(dir, 'list.csv'), list);
  await writeAgreementFolder(join(dir, 'agreements/acme-c1'), onePercentage('20.00'));
  const env = { CLIENTS_FILE: join(dir, 'clients.json'), AGREEMENTS_DIR: join(dir, 'agreements') };
  const run = await ratesHere(['run', join(dir, 'list.csv'), '-o', '-', '--client', 'demo'], { env });
  await rm(dir, { recursive: true });
  expect(run.stdout).toBe(batch);
  expect(batch).toContain(',ACCOUNT,');
});

test('without its agreement, a client starts no batch and no preview, and running ones continue', async () => {
  agree('20.00');
  const running = await api.upload(SOUND);
  lose();
  for (const query of ['', '?preview=true']) {
    const refused = await api.post(SOUND, query, { 'Content-Type': 'text/csv' });
    expect([refused.status, refused.body.fault.arguments]).toEqual([503, { dependency: 'agreements' }]);
  }
  expect(await api.folders()).toEqual([running]);
  await work();
  expect(await api.ended(running)).toMatchObject({ status: 'completed', outcome: 'all_quoted' });
  expect(await output(running)).toContain(',ACCOUNT,');
});

test('a batch stores no agreements if the client has none', async () => {
  await work();
  clients.set('demo', demo);
  const id = await completed(listOf(2));
  const document = JSON.parse(String(await api.store.get(`batches/${id}/batch.json`)));
  expect(document.agreements).toEqual([]);
  expect(await agreementIds()).toBe(0);
});
