/**
 * The shipments of the worked bills as lists for `rates run`. The columns that it adds are, byte for byte, what the
 * single calls answer. Whether those are the bills is the matter of `whole-price.slow.test.ts`.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type QuoteAnswer, quoteOutcome } from '../../src/rating/quote.ts';
import type { Schedule } from '../../src/tariff/schedule.ts';
import { ratesHere } from '../cli/in-process.ts';
import { FEDEX_TOTALS } from './fixtures/fedex-totals.ts';
import { ABSENT, bodyOf, importGenuine, warehousesOf } from './fixtures/genuine-tariff.ts';
import type { CasePackage, WorkedCase } from './fixtures/total-case.ts';
import { UPS_TOTALS } from './fixtures/ups-totals.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';

if (ABSENT.length > 0) process.stderr.write(`Lists of whole prices are not compared: no ${ABSENT.join(', ')}\n`);

const CLIENTS = join(import.meta.dirname, '../../samples/clients.json');
const ADDED = [
  ...['input_row', 'quote_status', 'quote_shippingService', 'quote_carrier', 'quote_rateType', 'quote_totalBaseCharge'],
  ...['quote_totalDiscounts', 'quote_totalSurcharges', 'quote_totalNetCharge', 'quote_currency', 'quote_rateZone'],
  ...['quote_billingWeight_units', 'quote_billingWeight_value', 'fault_type', 'fault_message', 'fault_arguments'],
  'quote_warnings',
];

/**
 * In a row either all packages have dimensions or none has. A cubic inch beside a box is billed by its weight, as a
 * package without dimensions is.
 */
const asInRow = (worked: WorkedCase): WorkedCase => {
  if (worked.packages.every(({ box }) => box === undefined)) return worked;
  return { ...worked, packages: worked.packages.map((item) => ({ box: [1, 1, 1], ...item })) };
};
const CASES = [...FEDEX_TOTALS, ...UPS_TOTALS].map(asInRow);

type Cell = readonly [name: string, of: (worked: WorkedCase) => string];

/** A value for each package, or one and a count if they are all alike. */
const each =
  (of: (item: CasePackage) => number | string | undefined) =>
  ({ packages }: WorkedCase): string => {
    if (packages.every((item) => of(item) === undefined)) return '';
    if (packages.length === 1) return packages.map(of).join('');
    return packages.flatMap((item) => Array.from({ length: item.count ?? 1 }, () => of(item))).join('|');
  };

const PLAIN: readonly Cell[] = [
  ['warehouse_id', ({ from }) => String(Number(from))],
  ['postalCode', ({ to }) => to],
  ['weight_value', each(({ lb, kg }) => lb ?? kg)],
  ['weight_units', each(({ lb }) => (lb === undefined ? 'KG' : 'LB'))],
  ['shippingService', ({ service }) => service],
  ['addressLine', () => '1 Main St'],
  ['residential', ({ residential }) => (residential ? 'true' : '')],
  ['shipDate', ({ shipDate }) => shipDate],
];

const FULL: readonly Cell[] = [
  ...PLAIN,
  ['length', each(({ box }) => box?.[0])],
  ['width', each(({ box }) => box?.[1])],
  ['height', each(({ box }) => box?.[2])],
  ['dimension_units', ({ packages }) => (packages.some(({ box }) => box !== undefined) ? 'IN' : '')],
  ['packages', ({ packages: [first, ...more] }) => (more.length > 0 ? '' : String(first?.count ?? ''))],
  ['signature', ({ options }) => options?.signature ?? ''],
  ['saturday', ({ options }) => (options?.saturday ? 'true' : '')],
  ['declared_value', ({ options }) => String(options?.declaredValue ?? '')],
  ['non_standard_packaging', ({ options }) => (options?.nonStandardPackaging ? 'true' : '')],
];

const isPlain = ({ packages: [first, ...more], options }: WorkedCase): boolean =>
  more.length === 0 && options === undefined && first?.box === undefined && first?.count === undefined;

/** The cells from `quote_status` on that a single call's answer makes. */
const addedBy = ({ status, body }: QuoteAnswer): readonly string[] => {
  if (status !== 200) {
    const { type, message, arguments: values } = body.fault;
    const quote = Array.from({ length: 11 }, () => '');
    return [String(status), ...quote, type, message, JSON.stringify(values), ''];
  }
  const { shipmentDetail: detail, totalBaseCharge, totalDiscounts, totalNetCharge, warnings = [] } = body;
  const money = [totalBaseCharge, totalDiscounts, detail.totalSurcharges, totalNetCharge];
  return [
    ...[String(status), body.shippingService, body.carrier, body.rateType],
    ...money.map((dollars) => dollars.toFixed(2)),
    ...[detail.currency, detail.rateZone, detail.totalBillingWeight.units, String(detail.totalBillingWeight.value)],
    ...['', '', '', warnings.map(({ type }) => type).join('|')],
  ];
};

describe.skipIf(ABSENT.length > 0)('a list and single calls', () => {
  let dir: string;
  let schedule: Schedule;

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'whole-price-lists-'));
    await mkdir(join(dir, 'tariffs'));
    schedule = await importGenuine(join(dir, 'tariffs', 'both-2026'));
    const { clients } = JSON.parse(await readFile(CLIENTS, 'utf8'));
    const warehouses = [...warehousesOf(CASES).values()].map(({ id, name, ...address }) => ({
      ...{ warehouse_id: id, name, address },
    }));
    await writeFile(join(dir, 'clients.json'), JSON.stringify({ clients: [{ ...clients[0], warehouses }] }));
  }, 600_000);
  afterAll(() => rm(dir, { recursive: true }));

  const lists = [
    { name: 'of all shipments', cases: CASES, cells: FULL },
    { name: 'of single packages without dimensions and options', cases: CASES.filter(isPlain), cells: PLAIN },
  ];
  test.each(lists)('$name agree byte for byte', async ({ name, cases, cells }) => {
    const [list, output] = [join(dir, `${name}.csv`), join(dir, `${name}-rated.csv`)];
    const rows = cases.map((worked) => cells.map(([, of]) => of(worked)));
    await writeFile(list, stringify([cells.map(([column]) => column), ...rows]));
    const env = { TARIFFS_DIR: join(dir, 'tariffs'), CLIENTS_FILE: join(dir, 'clients.json'), DATA_DIR: dir };
    const ran = await ratesHere(['run', list, '-o', output], { env });
    expect(ran, ran.stderr).toMatchObject({ code: 4 });
    const shipper = { warehouses: warehousesOf(cases), account: LIST_PRICES };
    const expected = cases.map((worked, at) => {
      const answer = quoteOutcome(bodyOf(worked), shipper, schedule, new Date('2026-06-15T16:00:00Z'));
      return stringify([[...(rows[at] ?? []), String(at + 1), ...addedBy(answer)]]).trimEnd();
    });
    const [header, ...lines] = (await readFile(output, 'utf8')).trimEnd().split('\n');
    expect(header).toBe([...cells.map(([column]) => column), ...ADDED].join(','));
    // One difference at a time is readable.
    for (const [at, line] of lines.entries())
      expect(`${cases[at]?.name}\n${line}`).toBe(`${cases[at]?.name}\n${expected[at]}`);
    expect(lines).toHaveLength(cases.length);
  });
});
