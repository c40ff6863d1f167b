/** Checks the dated part of an agreement: fuel rates. */
import type { Finding } from '../../tariff/document.ts';
import { error } from '../../tariff/findings.ts';
import type { AgreementTables, FuelLine } from '../document.ts';
import type { FileOf } from '../findings.ts';
import { servicesMeet } from './check-lines.ts';

export const checkFuel = (lines: readonly FuelLine[], file: string): Finding[] =>
  lines.flatMap((line, index): Finding[] => {
    const at = `${file} row ${line.row}`;
    if (line.until !== undefined && line.until < line.from)
      return [error(`${at} column until`, `is before ${line.from}, the value of from: correct one of them`)];
    const clash = lines
      .slice(0, index)
      .filter(({ services }) => servicesMeet(services, line.services))
      .find((other) => {
        const [first, second] = other.from <= line.from ? [other, line] : [line, other];
        return first.from === second.from || (first.until !== undefined && second.from <= first.until);
      });
    if (clash === undefined) return [];
    return [error(at, `overlaps row ${clash.row} for a service that both rows name: correct from or until`)];
  });

/** Checks that bands of one price rise and name the same services, and that named prices have weeks, none too low. */
export const checkFuelIndex = ({ fuel_index = [], fuel_prices = [] }: AgreementTables, fileOf: FileOf): Finding[] => {
  const [bandFile, priceFile] = [fileOf('fuel_index'), fileOf('fuel_prices')];
  const bands = fuel_index.flatMap((line, at): Finding[] => {
    const place = `${bandFile} row ${line.row}`;
    const before = fuel_index.slice(0, at).findLast(({ services }) => servicesMeet(services, line.services));
    if (before === undefined) return [];
    const isOne = before.index === line.index && String(before.services) === String(line.services);
    if (!isOne)
      return [error(place, `shares a service with row ${before.row}: give both rows the same services and index`)];
    if (Number(before.fromUsd) < Number(line.fromUsd)) return [];
    return [
      error(`${place} column from_usd`, `must be more than ${before.fromUsd} in row ${before.row}: bands must rise`),
    ];
  });
  const leastOf = (index: string): number =>
    fuel_index.reduce((least, one) => (one.index === index ? Math.min(least, Number(one.fromUsd)) : least), Infinity);
  const prices = fuel_prices.flatMap((line, at): Finding[] => {
    const place = `${priceFile} row ${line.row}`;
    const same = fuel_prices.slice(0, at).find(({ index, from }) => index === line.index && from === line.from);
    if (same !== undefined) return [error(`${place} column from`, `is also in row ${same.row}: remove one of them`)];
    const least = leastOf(line.index);
    if (least === Infinity)
      return [error(`${place} column index`, `${bandFile} has no bands of ${line.index}: correct it, or add them`)];
    if (least <= Number(line.usd)) return [];
    return [error(`${place} column usd`, `is below the first band of ${bandFile}: add a band for it`)];
  });
  return [...bands, ...prices];
};
