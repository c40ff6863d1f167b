/** Operators publish tariffs. Files become a draft, the draft is reviewed and published, and everything can be undone. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderPlace } from '../../../src/catalog/documents/folder-place.ts';
import { TARIFFS } from '../../../src/catalog/documents/kinds.ts';
import { libraryIn } from '../../../src/catalog/documents/library.ts';
import { writeTariffFolder } from '../../../src/catalog/tariff/folder.ts';
import type { AnswerOf } from '../../../src/http/call.ts';
import type { tariffCalls } from '../../../src/http/operator/tariffs/calls.ts';
import type { draftCalls } from '../../../src/http/operator/tariffs/drafts.ts';
import { DRAFT_LIMITS } from '../../../src/import/drafts/drafts.ts';
import { publishAll } from '../../catalog/published/setup.ts';
import { smallTariff, TEN_POUNDS } from '../../catalog/tariff/small-tariff.ts';
import { testRedis } from '../../redis.ts';
import { rounds } from '../../rounds.ts';
import { type BatchApi, startBatchApi } from '../batch-api.ts';
import { filesOf, type Operator, startTariffApi } from './tariff-api.ts';

let redis: Awaited<ReturnType<typeof testRedis>>;
let service: BatchApi;
let setup: Awaited<ReturnType<typeof startTariffApi>>;
let ada: Operator;
beforeAll(async () => {
  redis = await testRedis();
  service = await startBatchApi({ redisUrl: redis.url });
  setup = await startTariffApi(service);
  ada = await setup.signInAs('Ada');
});
afterAll(async () => {
  await setup.close();
  await service.close();
  await redis.stop();
});

const list = async (): Promise<AnswerOf<typeof tariffCalls.listOperatorTariffs>> => {
  const { body, status } = await ada.get('/ops/tariffs');
  expect(status).toBe(200);
  return body;
};

test('files become a tariff in force, which is withdrawn and then restored with its version', async () => {
  expect(await list()).toMatchObject({ place: 'folder', refusal: null, version: null, tariffs: [], drafts: [] });
  const draft: AnswerOf<typeof draftCalls.getTariffDraft> = await ada.imported(
    { name: 'post', effectiveDate: '2026-01-05' },
    filesOf('6.90'),
  );
  expect(draft).toMatchObject({ state: 'imported', refusal: null, replaces: null, published: false, comparable: [] });
  expect(draft.imported).toMatchObject({
    doubts: 0,
    errors: 0,
    services: [{ code: 'POST-G', carrier: 'POST', sample: '$7.90 for 2 lb to zone 2' }],
  });
  expect(draft.imported?.report.files.map(({ file, taken }) => [file, taken.lines])).toEqual([
    ['rates.csv', ['POST-G: 1-2 lb; zones 2, 3']],
    ['zones.csv', ['origin 070: 3 destinations; POST-G']],
  ]);
  expect(draft.imported?.coverage?.services[0]?.zones).toContainEqual({
    zones: 'charted',
    warehouses: ['101 of demo'],
  });

  const tariff = draft.imported?.tariff ?? '';
  const published = await ada.post(`/ops/tariff-drafts/${draft.id}/publish`, {
    tariff,
    replace: false,
    acceptDoubts: false,
    version: draft.version,
  });
  expect(published.body).toEqual({
    version: '1',
    placed: [tariff],
    replaced: [],
    withdrawn: [],
    inUse: true,
    quotable: true,
  });
  expect(setup.tariffs.current().ids).toEqual([tariff]);
  const now = await list();
  expect(now).toMatchObject({
    version: '1',
    tariffs: [{ id: tariff, inForce: 'now', services: [{ shippingService: 'POST-G', inForce: 'now' }] }],
    versions: [{ version: '1', by: 'Ada', tariffs: [tariff], isCurrent: true }],
    drafts: [{ id: draft.id, published: true, state: 'imported', files: 2 }],
  });
  expect(await readdir(setup.root)).toContain('post');

  const gone = await ada.post('/ops/tariffs/withdraw', { tariff, version: '1' });
  expect(gone.body).toMatchObject({ version: '2', withdrawn: [tariff], inUse: true, quotable: false });
  expect(setup.tariffs.current().ids).toEqual([]);
  const back = await ada.post('/ops/tariffs/back', { to: '1', version: '2' });
  expect(back.body).toMatchObject({ version: '3', placed: [tariff], inUse: true, quotable: true });
  const { entries } = await setup.audit.page(10, undefined);
  expect(entries.map(({ by, action, object }) => [by, action, object]).slice(0, 4)).toEqual([
    ['Ada', 'Went back to version', '1'],
    ['Ada', 'Withdrew the tariff', tariff],
    ['Ada', 'Published the tariff', tariff],
    ['Ada', 'Imported the files of the draft', 'post'],
  ]);
}, 400_000);

test('a draft is compared with the tariff in force, and replaces it only on request', async () => {
  const [held] = (await list()).tariffs;
  const before = held?.id ?? '';
  const draft = await ada.imported({ name: 'post', effectiveDate: '2026-01-05' }, filesOf('7.59', '2'));
  expect(draft).toMatchObject({ replaces: before, comparable: [{ id: before, effectiveDate: '2026-01-05' }] });
  const difference = await ada.get(`/ops/tariff-drafts/${draft.id}/difference?to=${before}`);
  const { rates, zoneChanges }: AnswerOf<typeof draftCalls.compareTariffDraft> = difference.body;
  expect(rates).toMatchObject([
    { code: 'POST-G', changed: 1, largest: { percent: '+10.00%', before: '6.90', after: '7.59' } },
  ]);
  const own = zoneChanges.find(({ origin }) => origin.startsWith('070'));
  expect(own).toMatchObject({ services: ['POST-G'], labels: ['101 of demo'] });
  expect(own?.changed['606']).toEqual(['3', '2']);
  expect(own?.changed['902']).toBeUndefined();

  const publish = (more: object) =>
    ada.post(`/ops/tariff-drafts/${draft.id}/publish`, {
      tariff: draft.imported.tariff,
      replace: true,
      acceptDoubts: false,
      version: draft.version,
      ...more,
    });
  const refused = await publish({ replace: false });
  expect([refused.status, refused.body.fault.arguments]).toEqual([
    422,
    { replace: 'is needed: there is a tariff post already' },
  ]);
  const stale = await publish({ tariff: before });
  expect([stale.status, stale.body.fault.message]).toEqual([
    409,
    'The draft has changed since you looked at it. Review it again.',
  ]);
  expect((await publish({ version: '1' })).body.fault.arguments).toEqual({
    reason: 'Somebody else has just changed the tariffs. Review them, and try again if necessary.',
  });
  expect((await publish({})).body).toMatchObject({ placed: [draft.imported.tariff], replaced: [before], inUse: true });
}, 400_000);

const FUEL = 'carrier,services,effective,percent\nPOST,POST-G,2026-01-05,10.00\nUPS,ground,2026-01-05,18.00\n';

test('a draft with only fuel adds it to the tariff with its name and first day', async () => {
  const held = (await list()).tariffs.find(({ name }) => name === 'post');
  const draft = await ada.imported({ name: 'post', effectiveDate: '2026-01-05' }, { 'fuel.csv': FUEL });
  expect(draft).toMatchObject({ state: 'imported', replaces: held?.id, imported: { doubts: 0, errors: 0 } });
  expect(draft.imported.report.warnings.lines).toContain(
    'fuel.csv: the fuel of UPS is not used, because there are no rates of UPS',
  );
  expect(draft.imported.coverage.services).toMatchObject([{ shippingService: 'POST-G', fuelPercent: '10.00' }]);
  const published = await ada.post(`/ops/tariff-drafts/${draft.id}/publish`, {
    tariff: draft.imported.tariff,
    replace: true,
    acceptDoubts: false,
    version: draft.version,
  });
  expect(published.body).toMatchObject({ placed: [draft.imported.tariff], replaced: [held?.id], inUse: true });
  const [tariff] = setup.tariffs.current().documents.filter(({ file }) => file.name === 'post');
  expect(tariff?.file.surcharges).toMatchObject([{ type: 'FUEL', services: ['POST-G'] }]);
  expect(tariff?.rates['POST-G']).toMatchObject({
    cents: [
      [759, 800],
      [790, 900],
    ],
  });

  const other = await ada.imported({ name: 'post', effectiveDate: '2029-01-01' }, { 'fuel.csv': FUEL });
  expect(other.imported).toMatchObject({ tariff: null, doubts: 0 });
  expect(other.imported.report.warnings.lines).toContain(
    'These files contain no rates: import the rates too, or give the name and the first day of a tariff that has them',
  );
}, 400_000);

test('fuel rates are added to a tariff in force, which keeps the files of its import', async () => {
  const held = (await list()).tariffs.find(({ name }) => name === 'post')?.id ?? '';
  const rate = { carrier: 'POST', services: ['POST-G'], effectiveDate: '2026-02-02', percent: '12.5' };
  const next = { ...rate, effectiveDate: '2026-02-09', percent: '13 %' };
  const kept = await readdir(join(setup.root, 'post', 'imported', 'files'));
  const added = await ada.post('/ops/tariffs/fuel', { tariff: held, rates: [next, rate] });
  expect(added.body).toMatchObject({
    placed: [expect.stringMatching(/^post@2026-01-05-/)],
    replaced: [held],
    inUse: true,
  });
  const [tariff] = setup.tariffs.current().documents.filter(({ file }) => file.name === 'post');
  expect(tariff?.file.surcharges[0]?.amount).toMatchObject({
    rate: [
      { from: '2026-01-05', rate: '10.00' },
      { from: '2026-02-02', rate: '12.5', source: 'Ada, in the console' },
      { from: '2026-02-09', rate: '13', source: 'Ada, in the console' },
    ],
  });
  expect(await readdir(join(setup.root, 'post', 'imported', 'files'))).toEqual(kept);

  const one = (id: string) => ada.get(`/ops/tariffs/shown?id=${encodeURIComponent(id)}`);
  const coverage = { services: [{ shippingService: 'POST-G', zones: [] }] };
  expect((await one(added.body.placed[0])).body).toMatchObject({ name: 'post', coverage });
  expect((await one(held)).body.fault.arguments).toEqual({ path: '/ops/tariffs/shown' });
  const lost = await ada.get('/ops/tariffs/card?id=x&service=POST-G');
  expect([lost.status, lost.body.fault.arguments]).toEqual([404, { path: '/ops/tariffs/card' }]);
  const card = (query: string) =>
    ada.get(`/ops/tariffs/card?id=${encodeURIComponent(added.body.placed[0])}&service=${query}`);
  expect((await card('POST-G&address=residential')).body).toMatchObject({
    ...{ shippingService: 'POST-G', rateType: 'LIST', address: 'residential' },
    rows: expect.arrayContaining([expect.objectContaining({ weight: '1' })]),
  });
  expect((await card('NONE')).body.fault.type).toBe('getRates.unknownShippingService');
  expect((await ada.get(`/ops/tariffs/card?id=${encodeURIComponent(held)}&service=POST-G`)).status).toBe(404);
  const refused = async (more: object, tariff: string = added.body.placed[0]) =>
    (await ada.post('/ops/tariffs/fuel', { tariff, rates: [{ ...rate, ...more }] })).body.fault.arguments;
  expect(await refused({ percent: 'much' })).toEqual({
    'rates[0].percent': 'is not a percentage from 1 to 100 with at most two decimals, such as 21.5',
  });
  expect(await refused({}, held)).toMatchObject({ reason: expect.stringContaining('There is no tariff') });
  expect(await refused({ percent: '13' })).toMatchObject({ reason: expect.stringContaining('2026-02-02') });
  const [entry] = (await ada.get('/ops/audit')).body.entries;
  expect([entry.action, entry.object]).toEqual(['Added fuel rates to', held]);
  expect(entry.changes.slice(0, 2)).toEqual([
    { what: 'fuel of POST-G from 2026-02-09', before: null, after: '13%' },
    { what: 'fuel of POST-G from 2026-02-02', before: null, after: '12.5%' },
  ]);
}, 400_000);

test('a draft with only fuel adds it to a published tariff', async () => {
  const deps = { store: service.store, redis: service.redis, log: pino({ level: 'silent' }) };
  const tariff = smallTariff({
    file: { name: 'small', effective: '2026-01-01' },
    service: { carrier: 'ACME', hasNo: [] },
  });
  await publishAll(TARIFFS, deps, [tariff], { by: 'ann', now: new Date() });
  const published = await startTariffApi(service, {}, true);
  try {
    const operator = await published.signInAs('Ada');
    const fuel = 'carrier,services,effective,percent\nACME,GROUND,2026-01-01,10.00\n';
    const draft = await operator.imported({ name: 'small', effectiveDate: '2026-01-01' }, { 'fuel.csv': fuel });
    expect(draft.imported.report.contradictions.lines).toEqual([]);
    expect(draft.imported).toMatchObject({ doubts: 0, errors: 0, tariff: expect.stringMatching(/^small@2026-01-01-/) });
    expect(draft.imported.report.warnings.lines).toContain(
      'These files contain only fuel: all else is as it was in the tariff',
    );
    expect(draft.imported.coverage.services).toMatchObject([{ fuelPercent: '10.00' }]);
    expect(draft).toMatchObject({ replaces: published.tariffs.current().ids[0], refusal: null });
  } finally {
    await published.close();
  }
}, 400_000);

test('a draft keeps the fuel rates that were added to the published tariff that it replaces', async () => {
  const deps = { store: service.store, redis: service.redis, log: pino({ level: 'silent' }) };
  const named = { name: 'weekly', effectiveDate: '2026-01-05' };
  const added = (...days: readonly string[]) =>
    smallTariff({
      file: {
        ...{ name: 'weekly', effective: '2026-01-05', sources: [{ file: 'fuel.csv', sha256: 'a'.repeat(64) }] },
        surcharges: [
          {
            ...{ type: 'FUEL', description: 'Fuel', services: ['POST-G'], when: {} },
            amount: {
              ...{ per: 'percent', of: ['BASE'] },
              rate: [
                { from: '2026-01-05', rate: '9.00', source: 'fuel.csv, line 2' },
                ...days.map((from) => ({ from, rate: '12.5', source: 'Ada, in the console' })),
              ],
            },
          },
        ],
      },
      service: { code: 'POST-G', carrier: 'POST', hasNo: [] },
      document: { rates: { 'POST-G': TEN_POUNDS } },
    });
  await publishAll(TARIFFS, deps, [added('2026-02-02')], { by: 'ann', now: new Date() });
  const own = await startTariffApi(service, {}, true);
  try {
    const operator = await own.signInAs('Ada');
    const files = { ...filesOf('7.00'), 'fuel.csv': FUEL };
    const draft = await operator.imported(named, files);
    expect(draft).toMatchObject({ refusal: null, imported: { doubts: 0, errors: 0 } });
    expect(draft.imported.report.decisions).toEqual([
      expect.stringMatching(/FUEL.*2026-02-02.*12\.5 .*Ada, in the console/),
    ]);
    const fuel = `${FUEL}POST,POST-G,2026-02-02,14.00\n`;
    const other = await operator.imported(named, { ...files, 'fuel.csv': fuel });
    expect(other.imported.doubts).toBe(1);
    expect(other.imported.report.contradictions.lines).toEqual([
      'Fuel of POST-G from 2026-02-02: 12.5% (Ada, in the console) is not kept, because the files say otherwise',
    ]);

    await publishAll(TARIFFS, deps, [added('2026-02-02', '2026-02-09')], { by: 'ann', now: new Date() });
    const path = `/ops/tariff-drafts/${draft.id}`;
    const { refusal, version, imported } = (await operator.get(path)).body;
    expect(refusal).toBe(
      'The tariff weekly has changed since this import, for example by new fuel rates. Import the files again.',
    );
    const json = { tariff: imported.tariff, replace: true, acceptDoubts: true, version };
    expect((await operator.post(`${path}/publish`, json)).body.fault.message).toBe(refusal);
  } finally {
    await own.close();
  }
}, 400_000);

test('if two operators publish at once, one succeeds and the other is told', async () => {
  const bob = await setup.signInAs('Bob');
  const drafts = await Promise.all(
    [ada, bob].map((operator, at) =>
      operator.imported({ name: `both-${at}`, effectiveDate: `2027-01-0${at + 1}` }, filesOf(`6.0${at}`)),
    ),
  );
  const { version } = await list();
  const answers = await Promise.all(
    [ada, bob].map((operator, at) =>
      operator.post(`/ops/tariff-drafts/${drafts[at].id}/publish`, {
        tariff: drafts[at].imported.tariff,
        replace: false,
        acceptDoubts: false,
        version,
      }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await list()).tariffs.filter(({ name }) => name.startsWith('both-'))).toHaveLength(1);
}, 400_000);

describe('a draft', () => {
  test('asks for an origin while its other files are read, and continues with the answer', async () => {
    const list = 'State/Province,Dest Zip/Postal Code,Service Days,Zone\nAZ,85001,1,2\n';
    const { id } = (await ada.post('/ops/tariff-drafts', { name: 'asks', effectiveDate: '2027-02-01' })).body;
    for (const [name, text] of Object.entries({ 'list.csv': list, ...filesOf('6.90') }))
      await ada.upload(id, name, text);
    type Body = AnswerOf<typeof draftCalls.getTariffDraft>;
    const get = async (): Promise<Body> => (await ada.get(`/ops/tariff-drafts/${id}`)).body;
    const [{ number }] = (await get()).files as [Body['files'][number]];
    await ada.post(`/ops/tariff-drafts/${id}/import`);
    const others = { read: 2, of: 3, reading: [], waiting: ['list.csv'] };
    await expect.poll(async () => (await get()).progress, { timeout: 60_000 }).toEqual(others);
    expect((await get()).files.map(({ file, lacksOrigin }) => [file, lacksOrigin])).toEqual([
      ['list.csv', true],
      ['rates.csv', false],
      ['zones.csv', false],
    ]);

    const change = (json: object) => ada.post(`/ops/tariff-drafts/${id}`, json);
    const busy = { reason: 'The draft is being imported by Ada. Wait until it is done.' };
    const renamed = await change({ name: 'other', before: { name: 'asks' } });
    expect(renamed.body.fault.arguments).toEqual(busy);
    const answered = await change({ origins: { [number]: '850' }, before: { origins: { [number]: null } } });
    expect(answered.body).toMatchObject({ state: 'importing', files: [{ origin: '850', lacksOrigin: false }, {}, {}] });
    const again = await change({ origins: { [number]: '851' }, before: { origins: { [number]: '850' } } });
    expect(again.body.fault.arguments).toEqual(busy);
    await expect.poll(async () => (await get()).state, { timeout: 60_000 }).toBe('imported');
    const { imported } = await get();
    expect(imported?.report.files[0]?.taken.lines).toEqual(['origin 850: 1 destinations; express, ground']);
    await ada.remove(`/ops/tariff-drafts/${id}`);
  }, 400_000);

  test('with unreadable files says which and why, and accepts what was missing', async () => {
    const zones = 'destination,zone\n005,2\n';
    const draft = await ada.imported(
      { name: 'wrong', effectiveDate: '2027-02-01' },
      { ...filesOf('6.90'), 'notes.txt': 'nothing of use', 'list.csv': zones },
    );
    expect(draft).toMatchObject({ state: 'refused', imported: null, refusal: 'Import the files first.' });
    expect(draft.refused.map(({ file }: { file: string }) => file)).toEqual(['notes.txt', 'list.csv']);
    const { number } = draft.files.find(({ file }: { file: string }) => file === 'notes.txt');
    const removed = await ada.remove(`/ops/tariff-drafts/${draft.id}/files?number=${number}`);
    expect(removed.body).toMatchObject({ state: 'open', files: [{}, {}, {}] });
    expect((await ada.remove(`/ops/tariff-drafts/${draft.id}`)).status).toBe(204);
    expect((await ada.get(`/ops/tariff-drafts/${draft.id}`)).status).toBe(404);
    expect(await service.store.list(`tariff-drafts/${draft.id}/`)).toEqual([]);
  }, 400_000);

  test('with files that contradict each other is published only if that is accepted', async () => {
    const files = { ...filesOf('6.90'), 'more.csv': 'service,weight_lb,2,3\nPOST-G,1,6.95,8.00\nPOST-G,2,7.90,9.00\n' };
    const draft = await ada.imported({ name: 'doubts', effectiveDate: '2026-02-01' }, files);
    expect(draft.imported).toMatchObject({ doubts: 1 });
    expect(draft.imported.report.contradictions.lines[0]).toMatch(/6\.95/);
    const publish = (acceptDoubts: boolean) =>
      ada.post(`/ops/tariff-drafts/${draft.id}/publish`, {
        tariff: draft.imported.tariff,
        replace: false,
        acceptDoubts,
        version: draft.version,
      });
    expect((await publish(false)).body.fault.arguments).toMatchObject({ acceptDoubts: expect.any(String) });
    expect((await publish(true)).body).toMatchObject({ placed: [draft.imported.tariff] });
  }, 400_000);

  test('is limited in files, bytes and number', async () => {
    const { id } = (await ada.post('/ops/tariff-drafts', { name: 'bounds', effectiveDate: '2027-01-01' })).body;
    expect((await ada.upload(id, 'a.csv', '')).body.fault.arguments).toEqual({ file: 'is empty' });
    expect((await ada.upload(id, '../a.csv', 'a')).body.fault.arguments).toEqual({ name: expect.any(String) });
    expect((await ada.upload(id, `${'日'.repeat(66)}.csv`, 'z')).body.fault.arguments).toEqual({
      name: expect.stringContaining('at most 200 bytes'),
    });
    expect((await ada.upload(id, 'a.csv', 'a')).status).toBe(200);
    expect((await ada.upload(id, 'b.csv', 'a')).body.fault.arguments).toEqual({
      file: 'has the same content as a.csv',
    });
    expect((await ada.upload(id, 'a.csv', 'b')).body.fault.arguments).toMatchObject({ file: expect.any(String) });
    const tooLarge = await ada.upload(id, 'big.csv', Buffer.alloc(DRAFT_LIMITS.fileBytes + 1));
    expect([tooLarge.status, tooLarge.body.fault.type]).toEqual([413, 'request.tooLarge']);
    expect((await ada.get(`/ops/tariff-drafts/${id}`)).body.files).toHaveLength(1);
    const answers = await Promise.all(
      Array.from({ length: DRAFT_LIMITS.drafts + 10 }, () =>
        ada.post('/ops/tariff-drafts', { name: 'one-more', effectiveDate: '2027-01-01' }),
      ),
    );
    expect((await list()).drafts).toHaveLength(20);
    const last = await ada.post('/ops/tariff-drafts', { name: 'one-more', effectiveDate: '2027-01-01' });
    expect(last.body.fault.arguments).toEqual({
      reason: `There are ${DRAFT_LIMITS.drafts} drafts. Discard one first.`,
    });
    for (const { status, body } of answers) if (status === 200) await ada.remove(`/ops/tariff-drafts/${body.id}`);
  }, 400_000);

  test('is changed through two APIs at once without losing anything', {
    repeats: rounds(1) - 1,
    timeout: 400_000,
  }, async () => {
    const other = await startTariffApi(service);
    const bea = await other.signInAs('Bea');
    const { id } = (await ada.post('/ops/tariff-drafts', { name: 'shared', effectiveDate: '2027-01-01' })).body;
    const before = { name: 'shared', effectiveDate: '2027-01-01', services: [] };
    const path = `/ops/tariff-drafts/${id}`;
    for (const round of [1, 2, 3, 4]) {
      const answers = await Promise.all([
        ada.upload(id, `ada-${round}.csv`, `ada ${round}`),
        bea.upload(id, `bea-${round}.csv`, `bea ${round}`),
        ada.post(path, {
          name: `shared-${round}`,
          before: { ...before, name: round === 1 ? 'shared' : `shared-${round - 1}` },
        }),
        bea.post(path, {
          services: [`POST-${round}`],
          before: { services: round === 1 ? [] : [`POST-${round - 1}`] },
        }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
    const { body } = await ada.get(path);
    expect(body).toMatchObject({ name: 'shared-4', services: ['POST-4'] });
    expect(body.files.map(({ file }: { file: string }) => file).toSorted()).toEqual(
      ['ada', 'bea'].flatMap((name) => [1, 2, 3, 4].map((round) => `${name}-${round}.csv`)),
    );
    await ada.remove(path);
    await other.close();
  });

  test('tells the second of two operators what the first has put in the same field', async () => {
    const bea = await setup.signInAs('Bea');
    const { id } = (await ada.post('/ops/tariff-drafts', { name: 'field', effectiveDate: '2027-01-01' })).body;
    const path = `/ops/tariff-drafts/${id}`;
    const before = { effectiveDate: '2027-01-01' };
    expect((await ada.post(path, { effectiveDate: '2027-02-01', before })).status).toBe(200);
    const { status, body } = await bea.post(path, { effectiveDate: '2027-03-01', before });
    expect(status).toBe(409);
    expect(body.fault.message).toMatch(
      /^The first day is now 2027-02-01\. You saw 2027-01-01 and asked for 2027-03-01\. Ada was the last to change the draft/,
    );
    expect((await bea.post(path, { effectiveDate: '2027-02-01', before })).status).toBe(200);
    await ada.remove(path);
  }, 400_000);

  test('accepts one of two changes to a field that two APIs make at once', {
    repeats: rounds(3) - 1,
    timeout: 400_000,
  }, async () => {
    const other = await startTariffApi(service);
    const bea = await other.signInAs('Bea');
    const { id } = (await ada.post('/ops/tariff-drafts', { name: 'field', effectiveDate: '2027-01-01' })).body;
    const path = `/ops/tariff-drafts/${id}`;
    const before = { effectiveDate: '2027-01-01' };
    const answers = await Promise.all([
      ada.post(path, { effectiveDate: '2027-02-01', before }),
      bea.post(path, { effectiveDate: '2027-03-01', before }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const taken = answers.find(({ status }) => status === 200)?.body.effectiveDate;
    expect((await ada.get(path)).body.effectiveDate).toBe(taken);
    await ada.remove(path);
    await other.close();
  });

  test('that this version cannot read is named, with the way out', async () => {
    const { id } = (await ada.post('/ops/tariff-drafts', { name: 'older', effectiveDate: '2026-01-05' })).body;
    const folder = `tariff-drafts/${id}`;
    const { files: _files, ...older } = JSON.parse(String(await service.store.get(`${folder}/draft.json`)));
    await service.store.put(`${folder}/draft.json`, Buffer.from(JSON.stringify(older)));
    for (const path of ['/ops/tariffs', `/ops/tariff-drafts/${id}`]) {
      const { status, body } = await ada.get(path);
      expect([status, body.fault.type, body.fault.message]).toEqual([
        409,
        'operator.refused',
        `The store has a draft of a tariff that this version of the service cannot read: ${folder}/draft.json. Remove the folder ${folder} from the store.`,
      ]);
    }
    await service.store.remove(`${folder}/`);
    expect((await list()).drafts.map((draft) => draft.id)).not.toContain(id);
  });

  test('is one of at most 20, however many APIs begin drafts', async () => {
    const other = await startTariffApi(service);
    const bea = await other.signInAs('Bea');
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 === 0 ? ada : bea).post('/ops/tariff-drafts', { name: 'one-more', effectiveDate: '2027-01-01' }),
      ),
    );
    expect((await list()).drafts).toHaveLength(20);
    for (const { status, body } of answers) if (status === 200) await ada.remove(`/ops/tariff-drafts/${body.id}`);
    await other.close();
  }, 400_000);

  test.each([
    [{ name: 'Post 2027', effectiveDate: '2027-01-01' }, 'name'],
    [{ name: 'post', effectiveDate: 'January' }, 'effectiveDate'],
  ])('%j is refused by its field', async (draft, field) => {
    const { status, body } = await ada.post('/ops/tariff-drafts', draft);
    expect([status, Object.keys(body.fault.arguments)]).toEqual([422, [field]]);
  });
});

test('the list never mixes the tariffs of one version with the number of another', async () => {
  const folder = join(setup.root, '..', 'by-command');
  for (const [at, name] of ['one', 'two', 'one', 'two', 'one'].entries()) {
    const code = `LINE-${at}`;
    await writeTariffFolder(
      join(folder, name),
      smallTariff({ service: { code }, document: { rates: { [code]: TEN_POUNDS } } }),
    );
    const note = { replace: 'all', by: 'ann@laptop', now: new Date() } as const;
    const library = libraryIn(TARIFFS, folderPlace(TARIFFS, setup.root));
    expect(await library.put([{ dir: join(folder, name) }], note)).not.toHaveProperty('errors');
    const { version, versions, tariffs } = await list();
    const current = versions.find(({ isCurrent }) => isCurrent);
    expect(current?.version).toBe(version);
    expect(tariffs.map(({ id }) => id).sort()).toEqual([...(current?.tariffs ?? [])].sort());
  }
});
