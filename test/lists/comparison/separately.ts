/**
 * An oracle for comparisons: each scenario as an ordinary list that somebody else set up. Tariffs, agreements and cells are
 * changed by hand as the scenario says, and `createRater` rates the list. Nothing here comes from `src/comparison`.
 */
import { parse } from 'csv-parse/sync';
import { accountOf } from '../../../src/catalog/agreement/account.ts';
import type { AgreementDocument } from '../../../src/catalog/agreement/document.ts';
import { periodOn } from '../../../src/catalog/tariff/days.ts';
import type { SurchargeEntry, TariffDocument } from '../../../src/catalog/tariff/document.ts';
import { booksOf, scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import type { Scenario } from '../../../src/lists/comparison/scenario.ts';
import { createRater, outputHeaderBytes } from '../../../src/lists/rows/rate-rows.ts';
import type { Warehouse } from '../../../src/rating/card.ts';
import { basisPoints } from '../../../src/rating/quantity.ts';
import { planList } from '../rows/fixtures.ts';
import { listOf, type Row } from './made.ts';

export interface World {
  /** The tariffs of the base, in the order of their names. */
  readonly tariffs: readonly TariffDocument[];
  /** All tariffs by what scenarios call them. */
  readonly named: ReadonlyMap<string, readonly TariffDocument[]>;
  readonly agreements: ReadonlyMap<string, AgreementDocument>;
  /** What the client pays by. */
  readonly own: readonly AgreementDocument[];
  readonly warehouses: ReadonlyMap<number, Warehouse>;
  readonly instant: Date;
}

/** What a list says of a row. */
export interface Said {
  readonly net: string;
  readonly service: string;
  readonly zone: string;
  readonly carrierZone: string;
  readonly weight: string;
  readonly warnings: string;
  readonly fault: string;
}

const valueFor = (value: number | Readonly<Record<string, number>> | undefined, code: string): number | undefined =>
  typeof value === 'object' ? value[code] : value;

/** A document with one of its services, under a name that gives its place. */
const alone = (document: TariffDocument, code: string, place: number): TariffDocument => ({
  ...document,
  file: {
    ...document.file,
    name: `p${String(place).padStart(3, '0')}`,
    services: document.file.services.filter((service) => service.code === code),
    surcharges: document.file.surcharges
      .filter(({ services }) => services === undefined || services.includes(code))
      .map((entry) => ({ ...entry, services: [code] })),
  },
});

/** The document as it is on its first day, for all days before. */
const fromTheStart = (document: TariffDocument): TariffDocument => {
  const day = document.file.effective;
  const surcharges = document.file.surcharges.flatMap((entry): SurchargeEntry[] => {
    const { from, until, amount, ...rest } = entry;
    if ((from !== undefined && from > day) || (until !== undefined && until < day)) return [];
    if (amount.per !== 'percent' || typeof amount.rate === 'string') return [{ ...rest, amount }];
    const period = periodOn(amount.rate, day);
    return period === undefined ? [] : [{ ...rest, amount: { ...amount, rate: period.rate } }];
  });
  return { ...document, file: { ...document.file, effective: '2000-01-01', surcharges } };
};

const byDay = (a: TariffDocument, b: TariffDocument): number => (a.file.effective < b.file.effective ? -1 : 1);

/** The tariffs of a scenario: a document for each service and version, so that each can be replaced by itself. */
const tariffsFor = ({ tariffs, named }: World, { tariff, carrier, fuel, dimensionalFactor }: Scenario) => {
  const codesOf = (documents: readonly TariffDocument[]): string[] => [
    ...new Set(documents.flatMap(({ file }) => file.services.map(({ code }) => code))),
  ];
  const asked = tariff === undefined ? [] : [tariff].flat().flatMap((name) => named.get(name) ?? []);
  const has =
    (code: string) =>
    ({ file }: TariffDocument): boolean =>
      file.services.some((own) => own.code === code);
  // A list is rated with the tariffs in the order of their names.
  const nameOf = (code: string): string => (asked.find(has(code)) ?? tariffs.find(has(code)))?.file.name ?? '';
  const codes = [...new Set([...codesOf(tariffs), ...codesOf(asked)])].toSorted((a, b) =>
    nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0,
  );
  const versions = codes.flatMap((code, place) => {
    const own = asked.filter(has(code)).toSorted(byDay);
    const [first] = own;
    const used = first === undefined ? tariffs.filter(has(code)) : [fromTheStart(first), ...own];
    return used.map((document) => alone(document, code, place));
  });
  return versions
    .filter(({ file }) => carrier === undefined || file.services[0]?.carrier === carrier)
    .map((document): TariffDocument => {
      const [service] = document.file.services;
      const percent = valueFor(fuel, service?.code ?? '');
      return {
        ...document,
        file: {
          ...document.file,
          services: document.file.services.map((one) => ({
            ...one,
            dimensionalFactor: valueFor(dimensionalFactor, one.code) ?? one.dimensionalFactor,
          })),
          surcharges: document.file.surcharges.map((entry) =>
            entry.type === 'FUEL' && entry.amount.per === 'percent' && percent !== undefined
              ? { ...entry, amount: { ...entry.amount, rate: percent.toFixed(2) } }
              : entry,
          ),
        },
      };
    });
};

/** Agreements without the divisors that the scenario states. */
const withoutDivisors = (document: AgreementDocument, { dimensionalFactor }: Scenario): AgreementDocument => ({
  ...document,
  file: {
    ...document.file,
    services: Object.fromEntries(
      Object.entries(document.file.services).map(([code, service]) => {
        const { dimensionalFactor: _, ...rest } = service;
        return [code, valueFor(dimensionalFactor, code) === undefined ? service : rest];
      }),
    ),
  },
});

const accountFor = ({ own, agreements }: World, scenario: Scenario) => {
  const { agreement, discounts } = scenario;
  const flat = Object.entries(discounts ?? {}).map(([code, percent]) => [code, basisPoints(percent * 100)] as const);
  const chosen =
    discounts !== undefined || agreement === 'none'
      ? []
      : agreement === undefined
        ? own
        : [agreements.get(agreement)].filter((one) => one !== undefined);
  return accountOf({
    discounts: new Map(flat),
    agreements: chosen.map((document) => ({ document: withoutDivisors(document, scenario) })),
  });
};

/** The row's cells as the scenario sends it. @param carrierOf of a service, on a day */
const sent = (row: Row, scenario: Scenario, carrierOf: (code: string, day: string) => string | undefined): Row => {
  const { service, serviceMap, carrier, warehouse, shipDate } = scenario;
  const day = shipDate ?? row.shipDate;
  let code = row.shippingService;
  if (service !== undefined) code = service === 'cheapest' ? '' : service;
  code = serviceMap?.[code] ?? code;
  const by = carrierOf(code, day);
  if (carrier !== undefined && by !== undefined && by !== carrier) code = '';
  return {
    ...row,
    shippingService: code,
    shipDate: day,
    warehouse_id: warehouse === undefined ? row.warehouse_id : [warehouse].flat().join('|'),
  };
};

const rated = (world: World, tariffs: readonly TariffDocument[], scenario: Scenario, rows: readonly Row[]): Said[] => {
  const list = listOf(rows);
  const planned = planList(list);
  if (!('plan' in planned)) throw new Error('the list is refused');
  const { columns, plan } = planned;
  const schedule = scheduleOf(tariffs);
  const context = {
    columns,
    shipper: { warehouses: world.warehouses, account: accountFor(world, scenario) },
    bookOn: booksOf(schedule, world.instant),
    maximumRowBytes: 1_048_576,
  };
  const parts = plan.chunks.map(({ from, to, firstRow }) => {
    const rater = createRater(list.subarray(from, to), firstRow, context);
    while (rater.step(1_000));
    return rater.result().output;
  });
  const cells: Record<string, string>[] = parse(Buffer.concat([outputHeaderBytes(columns), ...parts]), {
    columns: true,
  });
  return cells.map((row) => ({
    net: row['quote_totalNetCharge'] ?? '',
    service: row['quote_shippingService'] ?? '',
    zone: row['quote_rateZone'] ?? '',
    carrierZone: row['quote_carrierZone'] ?? '',
    weight: row['quote_billingWeight_value'] ?? '',
    warnings: row['quote_warnings'] ?? '',
    fault: row['fault_type'] ?? '',
  }));
};

/** The list as it is. */
export const ratedAsItIs = (world: World, rows: readonly Row[]): Said[] => rated(world, world.tariffs, {}, rows);

/** The list as a scenario has it, rated by itself. */
export const ratedSeparately = (world: World, scenario: Scenario, rows: readonly Row[]): Said[] => {
  const tariffs = tariffsFor(world, scenario);
  const { carrier, ...ofAll } = scenario;
  const books = carrier === undefined ? undefined : booksOf(scheduleOf(tariffsFor(world, ofAll)), world.instant);
  const carrierOf = (code: string, day: string): string | undefined =>
    books?.(day === '' ? undefined : day).byCode.get(code)?.carrier;
  return rated(
    world,
    tariffs,
    scenario,
    rows.map((row) => sent(row, scenario, carrierOf)),
  );
};
