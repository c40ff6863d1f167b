/** Checks the prices of small packages: rows in ounces, and cubic prices. */
import { must } from '../../../base/must.ts';
import { dollarText } from '../../../rating/quantity.ts';
import { cellCents, type Finding, type RateTable, type ServiceEntry, type TariffDocument } from '../document.ts';
import { error, warning } from '../findings.ts';
import { CUBIC, type PriceRow } from '../prices.ts';

/**
 * Checks a column of the rows at the top of a file. Gaps are errors. Prices that do not rise are warnings.
 * @param nameOf the limit of a row for people
 */
const checkColumn = (
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
export const checkOunces = (file: string, { columns, cents, ounces = [] }: RateTable): Finding[] => {
  const rows = ounces.map((row) => ({ label: `${row.upToOz} oz`, cents: row.cents }));
  const top = rows.at(-1);
  if (top === undefined) return [];
  return columns.flatMap((column, at) => {
    const findings = checkColumn(file, rows, { column, at }, (label) => label);
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
export const checkCubic = ({ cubic, rates }: TariffDocument, service: ServiceEntry, at: string): Finding[] => {
  const { code } = service;
  const unit = Object.hasOwn(cubic, code) && cubic[code]?.inInches === true ? 'inches' : 'feet';
  const volume = (label: string): string => `${label} cubic ${unit}`;
  const file = `cubic/${code}.csv`;
  const table = Object.hasOwn(cubic, code) ? cubic[code] : undefined;
  if (service.cubic === undefined)
    return table === undefined
      ? []
      : [error(file, 'exists, but the service has no cubic: state maximumActualLb and maximumLengthIn')];
  if (table === undefined) return [error(`${at}.cubic`, `${file} is missing`)];
  const findings: Finding[] = [];
  if (service.cubic.maximumActualLb === 0)
    findings.push(error(`${at}.cubic.maximumActualLb`, 'must be at least 1: no package weighs nothing'));
  if (new Set(table.columns).size < table.columns.length) findings.push(error(file, 'has a column twice'));
  const columns = Object.hasOwn(rates, code) ? must(rates[code], 'a rate table').columns : [];
  const rows = CUBIC.rowsOf(table);
  table.columns.forEach((column, index) => {
    if (!columns.includes(column))
      findings.push(error(`${file} column ${column}`, 'is not a column of the rate table'));
    else if (rows.every(({ cents }) => cellCents(cents, index) === null))
      findings.push(error(`${file} column ${column}`, 'has no prices'));
    findings.push(...checkColumn(file, rows, { column, at: index }, volume));
  });
  return findings;
};
