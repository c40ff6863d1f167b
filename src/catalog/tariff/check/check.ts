/**
 * Checks that the parts of a tariff fit together, which `compile.ts` and the core rely on. `folder.ts` checks the format of
 * each file while reading.
 */
import { must } from '../../../base/must.ts';
import { dollarText } from '../../../rating/quantity.ts';
import { minimumNetCell } from '../compile.ts';
import { rateZoneOf } from '../compile-charges.ts';
import { isTimeZone } from '../days.ts';
import { cellCents, type Finding, type RateTable, type ServiceEntry, type TariffDocument } from '../document.ts';
import { error, errorsIn, noPrice, severalOf, warning } from '../findings.ts';
import { CUBIC, type PriceRow } from '../prices.ts';
import { checkTransit } from '../transit.ts';
import { zipRangeOf } from '../zip.ts';
import { checkSurcharges } from './check-surcharges.ts';
import { checkCharts, checkServiceZones } from './check-zones.ts';

/* Checks the prices of small packages: rows in ounces, and cubic prices. */

/**
 * Checks a column of the rows at the top of a file. Gaps are errors. Prices that do not rise are warnings.
 * @param nameOf the limit of a row for people
 */
const checkSmallColumn = (
  file: string,
  rows: readonly Pick<PriceRow, 'label' | 'cents'>[],
  { column, at }: { readonly column: string; readonly at: number },
  nameOf: (label: string) => string,
): Finding[] => {
  const last = rows.findLastIndex(({ cents }) => cellCents(cents, at) !== null);
  let before: { readonly cents: number; readonly name: string } | undefined;
  return rows.slice(0, last + 1).flatMap(({ label, cents }, index): Finding[] => {
    const place = `${file} row ${index + 2} column ${column}`;
    const price = cellCents(cents, at);
    const name = nameOf(label);
    if (price === null) return [error(place, `is empty, but there are prices for more than ${name}`)];
    if (price === 0) return [error(place, '0.00 is not a price; leave the cell empty if there is no rate')];
    const smaller = before;
    before = { cents: price, name };
    if (smaller === undefined || price > smaller.cents) return [];
    const compared = price < smaller.cents ? 'costs less than' : 'costs the same as';
    return [warning(place, `${name} ${compared} ${smaller.name}`)];
  });
};

/** Checks a rate table's rows in ounces. */
const checkOunces = (file: string, { columns, cents, ounces = [] }: RateTable): Finding[] => {
  const rows = ounces.map((row) => ({ label: `${row.upToOz} oz`, cents: row.cents }));
  const top = rows.at(-1);
  if (top === undefined) return [];
  return columns.flatMap((column, at) => {
    const findings = checkSmallColumn(file, rows, { column, at }, (label) => label);
    const pound = cents[0] === undefined ? null : cellCents(cents[0], at);
    const below = cellCents(top.cents, at);
    const place = `${file} row ${rows.length + 1} column ${column}`;
    if (below === null && pound !== null)
      findings.push(error(place, `is empty, but there is a rate for 1 lb: state the price of ${top.label}`));
    else if (below !== null && pound === null)
      findings.push(error(place, `there is a rate for ${top.label}, but none for 1 lb`));
    else if (below !== null && pound !== null && below > pound)
      findings.push(warning(place, `${top.label} cost ${dollarText(below)}, but 1 lb costs ${dollarText(pound)}`));
    return findings;
  });
};

/** Checks a service's cubic prices. */
const checkCubic = ({ cubic, rates }: TariffDocument, service: ServiceEntry, at: string): Finding[] => {
  const { code } = service;
  const file = `cubic/${code}.csv`;
  const table = tableOf(cubic, code);
  const volume = (label: string): string => `${label} cubic ${table?.inInches === true ? 'inches' : 'feet'}`;
  if (service.cubic === undefined)
    return table === undefined
      ? []
      : [error(file, 'exists, but the service has no cubic: state maximumActualLb and maximumLengthIn')];
  if (table === undefined) return [error(`${at}.cubic`, `${file} is missing`)];
  const findings: Finding[] = [];
  if (service.cubic.maximumActualLb === 0)
    findings.push(error(`${at}.cubic.maximumActualLb`, 'must be at least 1: no package weighs nothing'));
  if (new Set(table.columns).size < table.columns.length) findings.push(error(file, 'has a column twice'));
  const columns = tableOf(rates, code)?.columns ?? [];
  const rows = CUBIC.rowsOf(table);
  table.columns.forEach((column, index) => {
    if (!columns.includes(column))
      findings.push(error(`${file} column ${column}`, 'is not a column of the rate table'));
    else if (rows.every(({ cents }) => cellCents(cents, index) === null))
      findings.push(error(`${file} column ${column}`, 'has no prices'));
    findings.push(...checkSmallColumn(file, rows, { column, at: index }, volume));
  });
  return findings;
};

/** The row of a weight in the file, which is below the header and the rows in ounces. */
const rowOf = ({ ounces = [] }: RateTable, pounds: number): number => ounces.length + pounds + 1;

/** Checks one rate column. Gaps are errors. Prices that do not rise with the weight are warnings. */
const checkColumn = (file: string, table: RateTable, at: number): Finding[] => {
  const findings: Finding[] = [];
  const column = must(table.columns[at], 'a rate column');
  const rates = table.cents.map((row) => cellCents(row, at));
  const last = rates.findLastIndex((cents) => cents !== null);
  if (last === -1) return [error(`${file} column ${column}`, 'has no rates')];
  const level: number[] = [];
  let before = 0;
  for (const [index, cents] of rates.slice(0, last + 1).entries()) {
    const place = `${file} row ${rowOf(table, index + 1)} column ${column}`;
    if (cents === null) findings.push(error(place, `is empty, but there are rates for more than ${index + 1} lb`));
    else if (cents === 0) findings.push(error(place, '0.00 is not a price; leave the cell empty if there is no rate'));
    else {
      if (cents < before) findings.push(warning(place, `${index + 1} lb costs less than ${index} lb`));
      else if (cents === before) level.push(index + 1);
      before = cents;
    }
  }
  // One price for all weights is intentional.
  if (level.length > 0 && level.length < last)
    findings.push(warning(`${file} column ${column}`, `costs the same at ${severalOf(level)} lb as at one pound less`));
  if (last + 1 < rates.length) findings.push(warning(`${file} column ${column}`, `ends at ${last + 1} lb`));
  const { centsPerLbAboveTop: above } = table;
  const heavier = rates.length + 1;
  if (above !== undefined && last + 1 === rates.length && (cellCents(above, at) ?? 0) * heavier < before) {
    const place = `${file} row ${rowOf(table, heavier)} column ${column}`;
    findings.push(warning(place, `${heavier} lb costs less than ${rates.length} lb`));
  }
  return findings;
};

/** Checks a rate table by itself. */
export const checkRateTable = (file: string, table: RateTable): Finding[] => [
  ...table.columns.flatMap((_, index) => checkColumn(file, table, index)),
  ...(new Set(table.columns).size < table.columns.length ? [error(file, 'has a column twice')] : []),
  ...checkOunces(file, table),
];

const checkRates = (document: TariffDocument, service: ServiceEntry, at: string): Finding[] => {
  const file = `rates/${service.code}.csv`;
  const table = tableOf(document.rates, service.code);
  if (table === undefined) return [error(file, `is missing: the rates of ${service.code}`)];
  const unnamed = `is not a zone from 1 to 8, and rateZones does not say which zone it is reported as`;
  const findings = table.columns
    .filter((column) => rateZoneOf(service, column) === undefined)
    .map((column) => error(`${file} column ${column}`, unnamed));
  findings.push(...checkRateTable(file, table));
  if (table.cents.length < service.maximumActualLb && table.centsPerLbAboveTop === undefined)
    findings.push(
      noPrice(file, `ends at ${table.cents.length} lb, but the service takes up to ${service.maximumActualLb} lb`),
    );
  const { column, weightLb } = minimumNetCell(service, table);
  if ((table.cents[weightLb - 1]?.[table.columns.indexOf(column)] ?? null) === null)
    findings.push(error(`${at}.minimumNet`, `the rate table has no cell for ${weightLb} lb in column ${column}`));
  return findings;
};

const checkMultiweight = (document: TariffDocument, service: ServiceEntry, at: string): Finding[] => {
  const file = `multiweight/${service.code}.csv`;
  const table = tableOf(document.multiweight, service.code);
  if (service.multiweight === undefined)
    return table === undefined ? [] : [error(file, 'exists, but the service has no multiweight')];
  if (table === undefined) return [error(`${at}.multiweight`, `${file} is missing`)];
  const columns = tableOf(document.rates, service.code)?.columns ?? [];
  return table.columns
    .filter((column) => !columns.includes(column))
    .map((column) => error(`${file} column ${column}`, 'is not a column of the rate table'));
};

/** A table by name. Ignores inherited properties such as `constructor`. */
const tableOf = <T>(tables: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(tables, name) ? tables[name] : undefined;

const checkUnused = ({ file, rates, multiweight, cubic, charts, areas }: TariffDocument): Finding[] => {
  const codes = file.services.map(({ code }) => code);
  const used = (folder: string, tables: object, names: readonly (string | undefined)[]): Finding[] =>
    Object.keys(tables)
      .filter((name) => !names.includes(name))
      .map((name) => warning(`${folder}/${name}.csv`, 'nothing in tariff.json uses this file'));
  const chartNames = file.services.map(({ zones }) => zones.chart);
  const areaLists = file.surcharges.map(({ when }) => when.area?.list);
  return [
    ...used('rates', rates, codes),
    ...used('multiweight', multiweight, codes),
    ...used('cubic', cubic, codes),
    ...used('zones', charts, chartNames),
    ...used('areas', areas, areaLists),
  ];
};

/** A ZIP code may have only one tier in an area list. */
const checkAreas = ({ areas }: TariffDocument): Finding[] =>
  Object.entries(areas).flatMap(([name, { rows }]) => {
    const tiers = new Map<number, string>();
    return rows.flatMap(({ zip, tier }, index): Finding[] => {
      const at = `areas/${name}.csv row ${index + 2}`;
      const { from, to } = zipRangeOf(zip);
      for (let zip5 = from; zip5 <= to; zip5++) {
        const before = tiers.get(zip5);
        if (before !== undefined && before !== tier) return [error(at, `${zip} also has the tier ${before}`)];
        tiers.set(zip5, tier);
      }
      return [];
    });
  });

/** Checks a tariff. @returns its problems. A tariff with an error must not be compiled; a tariff with warnings may be */
export const checkTariff = (document: TariffDocument): Finding[] => {
  const { file } = document;
  const findings: Finding[] = [];
  if (!isTimeZone(file.timeZone)) findings.push(error('tariff.json timeZone', `${file.timeZone} is not a time zone`));
  file.notServed.forEach((range, index) => {
    const { from, to } = zipRangeOf(range);
    if (from > to) findings.push(error(`tariff.json notServed[${index}]`, `${range} ends before it begins`));
  });
  file.services.forEach((service, index) => {
    const at = `tariff.json services[${index}]`;
    if (file.services.findIndex(({ code }) => code === service.code) < index)
      findings.push(error(`${at}.code`, `${service.code} is used twice`));
    if (typeof service.sideRounding === 'object') {
      const days = service.sideRounding.map(({ from }) => from);
      if (new Set(days).size < days.length)
        findings.push(error(`${at}.sideRounding`, 'has two roundings from the same date'));
    }
    findings.push(...checkRates(document, service, at));
    findings.push(...checkMultiweight(document, service, at));
    findings.push(...checkCubic(document, service, at));
    // Zones name rate columns, so they cannot be checked without a rate table.
    if (tableOf(document.rates, service.code) !== undefined) findings.push(...checkServiceZones(document, service, at));
  });
  findings.push(
    ...checkCharts(document),
    ...checkAreas(document),
    ...checkSurcharges(document),
    ...checkUnused(document),
    ...checkTransit(document),
  );
  return findings;
};

export const hasErrors = (findings: readonly Finding[]): boolean => errorsIn(findings).length > 0;
