/**
 * Fuel rates by an index: percentages by bands of a fuel price, and the price of each week. Like the tariff's rates, the
 * last known price applies after its week too, and quotes say so.
 */
import type { StaleFuel } from '../../rating/card.ts';
import { isFuel } from '../../rating/charges.ts';
import { basisPointsOf, dollarText } from '../../rating/quantity.ts';
import type { ChargeChange } from '../../rating/terms.ts';
import { periodOn, shifted } from '../tariff/days.ts';
import type { FuelPriceLine } from './document.ts';
import { namesService, type Subject } from './subject.ts';

/** The price of an index in force on a day. Undefined before the first price. */
export const fuelPriceOn = (lines: readonly FuelPriceLine[] = [], index: string, day: string) => {
  let line: FuelPriceLine | undefined;
  for (const one of lines) if (one.index === index && one.from <= day && !(line && line.from > one.from)) line = one;
  if (line === undefined) return undefined;
  const lastDay = shifted(line.from, 6);
  return { line, lastDay, isStale: lastDay < day };
};

/** The agreement's own fuel rate on a day. If the rate's week is over, `stale` has that week. */
interface OwnFuel {
  readonly change: ChargeChange;
  readonly stale?: StaleFuel;
}

/** The agreement's own fuel rate on the day: from `fuel.csv`, or else from the index. Undefined without one. */
export const ownFuelOf = (subject: Subject): OwnFuel | undefined => {
  const { card, version, prefix, day } = subject;
  if (!card.surcharges.some(isFuel)) return undefined;
  const { fuel, fuel_index: bands = [], fuel_prices: prices } = version.tables;
  const rate = periodOn(
    fuel.filter(({ services }) => namesService(services, subject)),
    day,
  );
  const sourceOf = (table: 'fuel' | 'fuel_index', row: number): string =>
    `${prefix}${version.folderOf(table)}${table}.csv row ${row}`;
  if (rate !== undefined)
    return { change: { kind: 'own rate', value: basisPointsOf(rate.percent), source: sourceOf('fuel', rate.row) } };
  const own = bands.filter(({ services }) => namesService(services, subject));
  const [first] = own;
  const price = first && fuelPriceOn(prices, first.index, day);
  if (price === undefined) return undefined;
  const { line, lastDay, isStale } = price;
  const band = own.findLast(({ fromUsd }) => Number(fromUsd) <= Number(line.usd));
  if (band === undefined) return undefined;
  const value = basisPointsOf(band.percent);
  const reckoned = `${band.index} at ${line.usd} from ${line.from}`;
  return {
    change: { kind: 'own rate', value, reckoned, source: sourceOf('fuel_index', band.row) },
    ...(isStale && { stale: { percent: dollarText(value), from: line.from, lastDay } }),
  };
};
