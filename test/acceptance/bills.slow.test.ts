/**
 * Compares quotes from the carriers' genuine files with bills that were worked out by hand, at list prices and under the
 * agreements of the fixtures, and the same shipments as lists with the single calls. The files are not part of the
 * project: without them, these tests are skipped. `CARRIER_FILES` and `CARRIER_CHARGES` name their folders.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountOf } from '../../src/catalog/agreement/account.ts';
import { checkAgreement } from '../../src/catalog/agreement/check/check.ts';
import type { AgreementDocument } from '../../src/catalog/agreement/document.ts';
import { readAgreementFolder } from '../../src/catalog/agreement/folder.ts';
import type { Schedule } from '../../src/catalog/tariff/schedule.ts';
import { OUTPUT_COLUMNS } from '../../src/lists/output/output-columns.ts';
import { type QuoteAnswer, quoteOutcome } from '../../src/rating/quote.ts';
import { LIST_PRICES, type Shipper } from '../../src/rating/terms.ts';
import { ratesHere } from '../cli/in-process.ts';
import { type Bill, billsOf, FIXTURES } from './fixtures/bills.ts';
import { addedBy, FULL, isPlain, PLAIN } from './fixtures/case-rows.ts';
import { ABSENT, bodyOf, importGenuine, warehousesOf } from './fixtures/genuine-tariff.ts';

if (ABSENT.length > 0) process.stderr.write(`Prices are not compared with worked bills: no ${ABSENT.join(', ')}\n`);

const CLIENTS = join(import.meta.dirname, '../../samples/clients.json');
/** All cases name their ship date. */
const NOW = new Date('2026-06-15T16:00:00Z');

interface Bills {
  /** A file of `fixtures/bills`. */
  readonly name: string;
  /** A folder of `fixtures`, and the agreement's name. */
  readonly agreement?: string;
  readonly cases: readonly Bill[];
}

const BILLS: readonly Bills[] = [
  { name: 'fedex', cases: billsOf('fedex') },
  { name: 'ups', cases: billsOf('ups') },
  { name: 'agreement-fedex', agreement: 'agreement-fedex', cases: billsOf('agreement-fedex') },
  { name: 'agreement-ups', agreement: 'agreement-ups', cases: billsOf('agreement-ups') },
];

const cents = (dollars: number): number => Math.round(dollars * 100);

const sum = (amounts: Readonly<Record<string, number>>): number =>
  Object.values(amounts).reduce((total, amount) => total + cents(amount), 0);

/** Cents by name, sorted. */
const sorted = (amounts: Iterable<readonly [string, number]>): Record<string, number> => {
  const sums = new Map<string, number>();
  for (const [name, amount] of amounts) sums.set(name, (sums.get(name) ?? 0) + cents(amount));
  return Object.fromEntries([...sums].toSorted());
};

/** What a case expects, in the form of `answeredBy`. */
const expectedOf = (worked: Bill, { agreement }: Bills): unknown => {
  if ('fault' in worked) return { fault: worked.fault, arguments: worked.arguments };
  const { base, discounts, surcharges, net, missing, rateType = agreement === undefined ? 'LIST' : 'ACCOUNT' } = worked;
  const { warnings = missing === undefined ? [] : ['price.incomplete'] } = worked;
  return {
    ...{ rateType, base: cents(base), discounts: sorted(Object.entries(discounts)) },
    ...{ surcharges: sorted(Object.entries(surcharges)), net: cents(net), warnings, missing },
  };
};

const ALONE: readonly string[] = ['RATE_CAP', 'MINIMUM_CHARGE'];

/** What an answer says of all that the case states. */
const answeredBy = ({ status, body }: QuoteAnswer, worked: Bill): unknown => {
  if (status !== 200) {
    const { type, arguments: all } = body.fault;
    const asked = 'fault' in worked ? Object.keys(worked.arguments) : Object.keys(all);
    return { fault: type, arguments: Object.fromEntries(asked.map((name) => [name, all[name]])) };
  }
  const { rateType, totalBaseCharge, totalNetCharge, discounts, shipmentDetail, warnings = [] } = body;
  const named = discounts.map(({ type, description, amount }): [string, number] => [
    ALONE.includes(type) ? type : `${type} ${description}`,
    amount,
  ]);
  const incomplete = warnings.find(({ type }) => type === 'price.incomplete')?.arguments['missing'];
  return {
    ...{ rateType, base: cents(totalBaseCharge), discounts: sorted(named) },
    surcharges: sorted(shipmentDetail.surcharges.map(({ type, amount }) => [type, amount])),
    ...{ net: cents(totalNetCharge), warnings: warnings.map(({ type }) => type) },
    missing: 'missing' in worked ? incomplete : undefined,
  };
};

const documentOf = async (agreement: string): Promise<AgreementDocument> => {
  const read = await readAgreementFolder(join(FIXTURES, agreement));
  if (!('document' in read)) throw new Error(`${agreement} cannot be used:\n${JSON.stringify(read.findings, null, 2)}`);
  return read.document;
};

const shipperOf = async ({ agreement, cases }: Bills): Promise<Shipper> => {
  const warehouses = warehousesOf(cases);
  if (agreement === undefined) return { warehouses, account: LIST_PRICES };
  const document = await documentOf(agreement);
  return { warehouses, account: accountOf({ discounts: new Map(), agreements: [{ document }] }) };
};

test('there are 581 bills', () => {
  expect(BILLS.map(({ name, cases }) => [name, cases.length])).toEqual([
    ['fedex', 171],
    ['ups', 137],
    ['agreement-fedex', 137],
    ['agreement-ups', 136],
  ]);
});

test.each(BILLS)('each case of $name has its own name, and its lines add up', ({ cases }) => {
  const names = cases.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  const wrong = cases.filter((worked) => {
    if ('fault' in worked) return false;
    const { base, discounts, surcharges, net, arithmetic } = worked;
    return cents(base) - sum(discounts) + sum(surcharges) !== cents(net) || !arithmetic.endsWith(net.toFixed(2));
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

test.each(['agreement-fedex', 'agreement-ups'])('%s has no errors', async (agreement) => {
  const findings = checkAgreement(await documentOf(agreement));
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

describe.skipIf(ABSENT.length > 0)('with the genuine files', () => {
  let dir: string;
  let schedule: Schedule;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'bills-'));
    await mkdir(join(dir, 'tariffs'));
    schedule = await importGenuine(join(dir, 'tariffs', 'both-2026'));
  }, 600_000);
  afterAll(() => rm(dir, { recursive: true }));

  test.each(BILLS)('quotes are the bills: $name', async (set) => {
    const shipper = await shipperOf(set);
    // Every case that is not answered as expected, in full.
    const differences = set.cases.flatMap((worked) => {
      const expected = JSON.stringify(expectedOf(worked, set));
      const answered = JSON.stringify(answeredBy(quoteOutcome(bodyOf(worked), shipper, schedule, NOW), worked));
      if (answered === expected) return [];
      return [`${worked.name}\n  ${worked.arithmetic}\n  expected ${expected}\n  answered ${answered}`];
    });
    expect(differences.join('\n')).toBe('');
  });

  /** The columns that `rates run` adds are, byte for byte, what the single calls answer. */
  const lists = BILLS.flatMap((set) => [
    { ...set, which: 'of all shipments', cells: FULL },
    {
      ...{ ...set, which: 'of single packages without dimensions and options' },
      ...{ cases: set.cases.filter(isPlain), cells: PLAIN },
    },
  ]);
  test.each(lists)('a list and single calls agree byte for byte: $name, $which', async (set) => {
    const { agreement, cases, cells } = set;
    const home = await mkdtemp(join(dir, 'list-'));
    const agreements = join(home, 'agreements');
    if (agreement !== undefined) await cp(join(FIXTURES, agreement), join(agreements, agreement), { recursive: true });
    const { clients } = JSON.parse(await readFile(CLIENTS, 'utf8'));
    const warehouses = [...warehousesOf(cases).values()].map(({ id, name, ...address }) => ({
      ...{ warehouse_id: id, name, address },
    }));
    const named = agreement === undefined ? {} : { agreements: [{ name: agreement }] };
    const client = { ...clients[0], warehouses, ...named };
    await writeFile(join(home, 'clients.json'), JSON.stringify({ clients: [client] }));
    const [list, output] = [join(home, 'list.csv'), join(home, 'rated.csv')];
    const rows = cases.map((worked) => cells.map(([, of]) => of(worked)));
    await writeFile(list, stringify([cells.map(([column]) => column), ...rows]));
    const env = {
      ...{ TARIFFS_DIR: join(dir, 'tariffs'), CLIENTS_FILE: join(home, 'clients.json'), DATA_DIR: home },
      ...(agreement === undefined ? {} : { AGREEMENTS_DIR: agreements }),
    };
    const ran = await ratesHere(['run', list, '-o', output], { env });
    const someRefused = cases.some((worked) => 'fault' in worked);
    expect(ran, ran.stderr).toMatchObject({ code: someRefused ? 4 : 0 });
    const shipper = await shipperOf(set);
    // Some services of the genuine files promise days by their names.
    const days = ['quote_transitDays', 'quote_deliveryDate'];
    const added = [...OUTPUT_COLUMNS.map(({ name }) => name), ...days, 'quote_warnings'];
    const expected = cases.map((worked, at) => {
      const told = addedBy(quoteOutcome(bodyOf(worked), shipper, schedule, NOW), at + 1);
      return stringify([[...(rows[at] ?? []), ...added.map((name) => told[name])]]).trimEnd();
    });
    const [header, ...lines] = (await readFile(output, 'utf8')).trimEnd().split('\n');
    expect(header).toBe([...cells.map(([column]) => column), ...added].join(','));
    // One difference at a time is readable.
    for (const [at, line] of lines.entries())
      expect(`${cases[at]?.name}\n${line}`).toBe(`${cases[at]?.name}\n${expected[at]}`);
    expect(lines).toHaveLength(cases.length);
  });
});
