/**
 * Compares quotes under the agreements of the fixtures with bills that were worked out by hand, and the same shipments as
 * lists with the single calls. The prices of the list are in the carriers' genuine files, which are not part of the
 * project: without them, these tests are skipped. `CARRIER_FILES` and `CARRIER_CHARGES` name their folders.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountOf } from '../../src/agreement/account.ts';
import { checkAgreement } from '../../src/agreement/check.ts';
import type { AgreementDocument } from '../../src/agreement/document.ts';
import { readAgreementFolder } from '../../src/agreement/folder.ts';
import { type QuoteAnswer, quoteOutcome } from '../../src/rating/quote.ts';
import type { Shipper } from '../../src/rating/terms.ts';
import type { Schedule } from '../../src/tariff/schedule.ts';
import { ratesHere } from '../cli/in-process.ts';
import type { AgreementCase, AgreementCases } from './fixtures/agreement-case.ts';
import { FEDEX_AGREEMENT } from './fixtures/agreement-fedex-cases.ts';
import { UPS_AGREEMENT } from './fixtures/agreement-ups-cases.ts';
import { ADDED, addedBy, asInRow, FULL, isPlain, PLAIN } from './fixtures/case-rows.ts';
import { ABSENT, bodyOf, importGenuine, warehousesOf } from './fixtures/genuine-tariff.ts';

if (ABSENT.length > 0) process.stderr.write(`Prices under agreements are not compared: no ${ABSENT.join(', ')}\n`);

const FIXTURES = join(import.meta.dirname, 'fixtures');
const CLIENTS = join(import.meta.dirname, '../../samples/clients.json');
/** All cases name their ship date. */
const NOW = new Date('2026-06-15T16:00:00Z');

const AGREEMENTS: readonly AgreementCases[] = [UPS_AGREEMENT, FEDEX_AGREEMENT];

const cents = (dollars: number): number => Math.round(dollars * 100);

const sorted = (amounts: Iterable<readonly [string, number]>): Record<string, number> => {
  const sums = new Map<string, number>();
  for (const [name, amount] of amounts) sums.set(name, (sums.get(name) ?? 0) + cents(amount));
  return Object.fromEntries([...sums].toSorted());
};

/** What a case expects, and what an answer says, in one form: cents by name, sorted. */
const expectedOf = ({ base, discounts, surcharges, net, rateType, warnings = [] }: AgreementCase) => ({
  ...{ rateType: rateType ?? 'ACCOUNT', base: cents(base), discounts: sorted(Object.entries(discounts)) },
  ...{ surcharges: sorted(Object.entries(surcharges)), net: cents(net), warnings },
});

const ALONE: readonly string[] = ['RATE_CAP', 'MINIMUM_CHARGE'];

const answeredBy = ({ status, body }: QuoteAnswer): unknown => {
  if (status !== 200) return body.fault;
  const { rateType, totalBaseCharge, totalNetCharge, shipmentDetail, warnings = [] } = body;
  return {
    ...{ rateType, base: cents(totalBaseCharge) },
    discounts: sorted(
      body.discounts.map(({ type, description, amount }) => [
        ALONE.includes(type) ? type : `${type} ${description}`,
        amount,
      ]),
    ),
    surcharges: sorted(shipmentDetail.surcharges.map(({ type, amount }) => [type, amount])),
    ...{ net: cents(totalNetCharge), warnings: warnings.map(({ type }) => type) },
  };
};

const documentOf = async ({ agreement }: AgreementCases): Promise<AgreementDocument> => {
  const read = await readAgreementFolder(join(FIXTURES, agreement));
  if (!('document' in read)) throw new Error(`${agreement} cannot be used:\n${JSON.stringify(read.findings, null, 2)}`);
  return read.document;
};

const shipperOf = async (set: AgreementCases): Promise<Shipper> => {
  const { cases } = set;
  const account = accountOf({ discounts: new Map(), agreements: [{ document: await documentOf(set) }] });
  return { warehouses: warehousesOf(cases), account };
};

test.each(AGREEMENTS)('cases of $agreement have names of their own, and their lines add up', ({ cases }) => {
  const names = cases.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const sum = (amounts: Readonly<Record<string, number>>): number =>
    Object.values(amounts).reduce((total, amount) => total + cents(amount), 0);
  const wrong = cases.filter(
    ({ base, discounts, surcharges, net, arithmetic }) =>
      cents(base) - sum(discounts) + sum(surcharges) !== cents(net) || !arithmetic.endsWith(net.toFixed(2)),
  );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test.each(AGREEMENTS)('$agreement has no errors', async (set) => {
  expect(checkAgreement(await documentOf(set)).filter(({ severity }) => severity === 'error')).toEqual([]);
});

describe.skipIf(ABSENT.length > 0)('under the agreements of the fixtures', () => {
  let dir: string;
  let schedule: Schedule;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'agreements-'));
    await mkdir(join(dir, 'tariffs'));
    schedule = await importGenuine(join(dir, 'tariffs', 'both-2026'));
  }, 600_000);
  afterAll(() => rm(dir, { recursive: true }));

  test.each(AGREEMENTS)('quotes are the bills: $agreement', async (set) => {
    const shipper = await shipperOf(set);
    // Every case that is not answered as expected, in full.
    const differences = set.cases.flatMap((worked) => {
      const expected = JSON.stringify(expectedOf(worked));
      const answered = JSON.stringify(answeredBy(quoteOutcome(bodyOf(worked), shipper, schedule, NOW)));
      if (answered === expected) return [];
      return [`${worked.name}\n  ${worked.arithmetic}\n  expected ${expected}\n  answered ${answered}`];
    });
    expect(differences.join('\n')).toBe('');
  });

  const lists = AGREEMENTS.flatMap((set) => [
    { ...set, name: 'of all shipments', chosen: set.cases, cells: FULL },
    {
      ...set,
      name: 'of single packages without dimensions and options',
      chosen: set.cases.filter(isPlain),
      cells: PLAIN,
    },
  ]);
  test.each(lists)('a list and single calls agree byte for byte: $agreement, $name', async (set) => {
    const { agreement, cells } = set;
    const cases = set.chosen.map((worked) => asInRow(worked));
    const home = await mkdtemp(join(dir, 'list-'));
    await cp(join(FIXTURES, agreement), join(home, 'agreements', agreement), { recursive: true });
    const { clients } = JSON.parse(await readFile(CLIENTS, 'utf8'));
    const warehouses = [...warehousesOf(cases).values()].map(({ id, name, ...address }) => ({
      ...{ warehouse_id: id, name, address },
    }));
    const client = { ...clients[0], warehouses, agreements: [{ name: agreement }] };
    await writeFile(join(home, 'clients.json'), JSON.stringify({ clients: [client] }));
    const [list, output] = [join(home, 'list.csv'), join(home, 'rated.csv')];
    const rows = cases.map((worked) => cells.map(([, of]) => of(worked)));
    await writeFile(list, stringify([cells.map(([column]) => column), ...rows]));
    const env = {
      ...{ TARIFFS_DIR: join(dir, 'tariffs'), AGREEMENTS_DIR: join(home, 'agreements') },
      ...{ CLIENTS_FILE: join(home, 'clients.json'), DATA_DIR: home },
    };
    const ran = await ratesHere(['run', list, '-o', output], { env });
    expect(ran, ran.stderr).toMatchObject({ code: 0 });
    const shipper = await shipperOf(set);
    const expected = cases.map((worked, at) =>
      stringify([
        [...(rows[at] ?? []), String(at + 1), ...addedBy(quoteOutcome(bodyOf(worked), shipper, schedule, NOW))],
      ]).trimEnd(),
    );
    const [header, ...lines] = (await readFile(output, 'utf8')).trimEnd().split('\n');
    expect(header).toBe([...cells.map(([column]) => column), ...ADDED].join(','));
    // One difference at a time is readable.
    for (const [at, line] of lines.entries())
      expect(`${cases[at]?.name}\n${line}`).toBe(`${cases[at]?.name}\n${expected[at]}`);
    expect(lines).toHaveLength(cases.length);
  });
});
