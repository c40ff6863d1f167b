/** A client's own agreements over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Assigned } from '../../src/catalog/agreement/account.ts';
import { type AgreementDocument, agreementFile } from '../../src/catalog/agreement/document.ts';
import { agreementBody, agreementsBody } from '../../src/catalog/agreement/view/schemas.ts';
import { AGREEMENT, AGREEMENTS } from '../../src/http/openapi/agreement-examples.ts';
import { ACME_C1 } from '../catalog/agreement/acme-c1.ts';
import { apiWithAgreements } from './agreement-api.ts';
import { disagreements } from './conformance.ts';

const LIST = '/v1/client/agreements';
const ASSIGNED: Assigned = { document: ACME_C1, account: '1X2Y3Z', warehouses: new Set([101, 102]) };

const fileOf = (changes: object) => agreementFile.parse({ ...ACME_C1.file, ...changes });

type Api = Awaited<ReturnType<typeof apiWithAgreements>>;

const ask = (api: Api, path: string, token = api.token) =>
  api.call(path, { headers: { Authorization: `Bearer ${token}`, 'X-Request-Id': 'r1' } });

/** The answer for an agreement of a client, on a day. */
const shown = async (day: string, document: AgreementDocument, more: readonly Assigned[] = []) => {
  const api = await apiWithAgreements(day, [{ document }, ...more]);
  const { body } = await ask(api, `${LIST}/${document.file.name}`);
  await api.close();
  return agreementBody.parse(body);
};

let api: Api;
beforeAll(async () => {
  api = await apiWithAgreements(
    '2026-06-01',
    [ASSIGNED],
    [{ document: { ...ACME_C1, file: fileOf({ name: 'others-c1' }) } }],
  );
});
afterAll(() => api.close());

describe('a client sees its agreements', () => {
  test('in a list with the tier in force, as the OpenAPI document shows', async () => {
    const answer = await ask(api, LIST);
    expect(answer.body).toEqual(AGREEMENTS);
    expect(disagreements('get', LIST, answer)).toEqual([]);
    expect(answer.headers.get('ratelimit-policy')).toBe('"reads";q=100000;w=60');
  });

  test('one as tables, as the OpenAPI document shows', async () => {
    const answer = await ask(api, `${LIST}/acme-c1`);
    expect(answer.body).toEqual(AGREEMENT);
    expect(disagreements('get', `${LIST}/{name}`, answer)).toEqual([]);
  });

  test('none if it has none', async () => {
    const none = await apiWithAgreements('2026-06-01', []);
    expect((await ask(none, LIST)).body).toEqual({ status: 200, agreements: [] });
    await none.close();
  });

  test('once, if several of its accounts have it', async () => {
    const two = await apiWithAgreements('2026-06-01', [
      { document: ACME_C1, account: 'A1', warehouses: new Set([101]) },
      { document: ACME_C1, account: 'A2', warehouses: new Set([102, 103]) },
    ]);
    const { agreements } = agreementsBody.parse((await ask(two, LIST)).body);
    await two.close();
    expect(agreements.map(({ name, accounts }) => [name, accounts])).toEqual([
      [
        'acme-c1',
        [
          { account: 'A1', warehouses: [101] },
          { account: 'A2', warehouses: [102, 103] },
        ],
      ],
    ]);
  });
});

test('the console asks for them below /console, with its session', async () => {
  const headers = await api.session();
  const asked = (path: string) => api.call(`/console${path}`, { headers });
  expect((await asked(LIST)).body).toEqual(AGREEMENTS);
  expect((await asked(`${LIST}/acme-c1`)).body).toEqual(AGREEMENT);
  expect((await asked(`${LIST}/others-c1`)).status).toBe(404);
  expect((await api.call(`/console${LIST}`)).status).toBe(401);
});

describe('nobody else sees them', () => {
  test('another client’s agreement is 404, byte for byte like one that never existed', async () => {
    const texts: string[] = [];
    for (const asked of ['others-c1', 'nobodys-c']) {
      const headers = { Authorization: `Bearer ${api.token}`, 'X-Request-Id': 'r1' };
      const answer = await fetch(`${api.url}${LIST}/${asked}`, { headers });
      expect(answer.status).toBe(404);
      const shownHeaders = [...answer.headers].filter(([name]) => !/^(?:date|ratelimit)/.test(name));
      texts.push(JSON.stringify([shownHeaders, await answer.text()]).replaceAll(asked, 'NAME'));
      expect(disagreements('get', `${LIST}/{name}`, await ask(api, `${LIST}/${asked}`))).toEqual([]);
    }
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toContain('request.notFound');
  });

  test('and each of two clients has its own', async () => {
    const other = await api.tokenOf('other', 'other-secret');
    const { agreements } = agreementsBody.parse((await ask(api, LIST, other)).body);
    expect(agreements.map(({ name }) => name)).toEqual(['others-c1']);
    expect((await ask(api, `${LIST}/acme-c1`, other)).status).toBe(404);
    expect((await ask(api, `${LIST}/others-c1`, other)).body.name).toBe('others-c1');
  });
});

describe('the tables of an agreement', () => {
  test('show its first day before it begins, and its last day after it has ended', async () => {
    const early = await shown('2025-12-01', ACME_C1);
    expect([early.inForce, early.date, early.tier?.by]).toEqual(['later', '2026-01-01', 'unknown']);
    const late = await shown('2029-02-01', ACME_C1);
    expect([late.inForce, late.date, late.tier?.tier, late.tier?.uncertain]).toEqual(['past', '2028-12-31', '2', true]);
    expect(late.services).toHaveLength(2);
  });

  test('include the amendments of the day', async () => {
    const fuel = [{ row: 2, services: ['C1-GROUND'], from: '2026-07-01', percent: '9.00' }] as const;
    const document = { ...ACME_C1, amendments: [{ from: '2026-07-01', surcharges: [], fuel }] };
    const before = await shown('2026-06-30', document);
    expect([before.changes, before.fuel, before.surcharges.length]).toEqual([['2026-07-01'], [], 4]);
    const after = await shown('2026-07-01', document);
    expect(after.fuel).toEqual([{ services: ['C1-GROUND'], from: '2026-07-01', until: null, percent: 9 }]);
    expect(after.surcharges.map(({ type, services, billed, changes }) => [type, services, billed, changes])).toEqual([
      ['FUEL', ['C1-GROUND'], { least: 9, most: 9 }, ['its own rate, 9.00%']],
    ]);
  });

  test('say the range of a surcharge that depends on the zone, and which zones a change is for', async () => {
    const zones = [{ from: '2', to: '3' }];
    const line = { row: 2, surcharge: 'OVERSIZE', services: ['C1-GROUND'], zones } as const;
    const surcharges = [{ ...line, change: 'amount off', value: '100.00' } as const];
    const { surcharges: rows } = await shown('2026-06-01', { ...ACME_C1, tables: { ...ACME_C1.tables, surcharges } });
    expect(rows.map(({ per, list, billed, changes }) => [per, list, billed, changes])).toEqual([
      ['package', { least: 155, most: 200 }, { least: 55, most: 200 }, ['$100.00 off in zones 2-3']],
    ]);
  });

  test('say which tier is agreed until when, which tier the spend alone gives, and what the next tier needs', async () => {
    const inForce = [{ from: '2026-03-01', until: '2026-06-30', tier: '3' }];
    const agreed = await shown('2026-06-01', { ...ACME_C1, file: fileOf({ earned: { inForce } }) });
    expect(agreed.tier).toEqual({
      ...{ tier: '3', by: 'agreed', since: '2026-03-01', until: '2026-06-30', uncertain: false },
    });
    expect([agreed.tiers?.spend?.tier, agreed.tiers?.next]).toEqual(['2', null]);
    expect(agreed.discounts.filter(({ counts }) => counts).map(({ percent }) => percent)).toContain(7.5);
    const grace = { until: '2026-06-30', tier: '1' };
    const early = await shown('2026-04-01', { ...ACME_C1, file: fileOf({ earned: { grace } }) });
    expect(early.tier).toEqual({ tier: '1', by: 'grace', since: '2026-01-01', until: '2026-06-30', uncertain: false });
    expect(early.tiers?.spend).toBeNull();
    expect(early.tiers?.next).toEqual({ tier: '2', fromUsd: 15_000, missingUsd: null });
  });

  test('say since when the spend gives the tier, over weeks that change nothing', async () => {
    const weeks = [
      ['2026-04-04', '6000.00'],
      ['2026-04-11', '40000.00'],
      ['2026-04-18', '20000.00'],
    ] as const;
    const spend = weeks.map(([weekEnding, usd], at) => ({ row: at + 2, weekEnding, usd }));
    const { tier, tiers } = await shown('2026-04-25', { ...ACME_C1, tables: { ...ACME_C1.tables, spend } });
    expect(tier).toEqual({ tier: '2', by: 'average', since: '2026-04-12', until: null, uncertain: false });
    expect(tiers?.next).toEqual({ tier: '3', fromUsd: 30_000, missingUsd: 8_000 });
  });

  test('say caps, the agreement’s own rates, and that it has no tiers', async () => {
    const table = { columns: ['2'], cents: [[900], [950]] };
    const { tables } = ACME_C1;
    const plain = { ...tables, tiers: [], spend: [], discounts: tables.discounts.slice(0, 1), minimums: [] };
    const services = { 'C1-GROUND': { rateCapPercent: '4.9' } };
    const {
      tier,
      tiers,
      services: rows,
    } = await shown('2026-06-01', {
      ...{ file: fileOf({ services }), amendments: [] },
      tables: { ...plain, rates: { 'C1-GROUND': table }, caps: { 'C1-GROUND': table } },
    });
    expect([tier, tiers]).toEqual([null, null]);
    expect(rows[0]).toMatchObject({ rateCapPercent: 4.9, ownRates: true, minimumCharge: { commercial: 8.8 } });
  });
});
