/** Joins the fuel rates of any number of files into one surcharge for each set of services. */

import { isFueled } from '../../catalog/tariff/charge-catalog.ts';
import { DAY_MS, shifted } from '../../catalog/tariff/days.ts';
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import { FUEL } from '../../rating/charges.ts';
import { knownCarrier } from '../carriers.ts';
import type { ParsedFuel } from '../read/reader.ts';
import { namesText, type ServiceName, servicesFor } from './charged-services.ts';
import type { FromFile } from './prices.ts';

interface FuelRate {
  readonly from: string;
  readonly until?: string;
  readonly rate: string;
  readonly source: string;
}

/** The fuel rates of services of one carrier. */
export interface Fuel {
  readonly carrier: string;
  readonly services: readonly string[];
  readonly rates: readonly FuelRate[];
}

export interface MergedFuel {
  readonly fuel: readonly Fuel[];
  readonly contradictions: readonly string[];
  readonly warnings: readonly string[];
}

const WEEK = 7;

/** Whether rates change every week, so that the last of them ends. */
export const isWeekly = (carrier: string, days: readonly string[]): boolean => {
  if (knownCarrier(carrier)?.hasWeeklyFuel === true) return true;
  const steps = days.slice(1).map((day, at) => (Date.parse(day) - Date.parse(days[at] ?? day)) / DAY_MS);
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] === WEEK;
};

/** One rate for each day, from the first day on. */
const ratesOf = (
  carrier: string,
  name: string,
  readings: readonly FromFile<ParsedFuel>[],
  contradictions: string[],
): FuelRate[] => {
  const byDay = new Map<string, FuelRate>();
  for (const { file, reading } of readings) {
    const { from, percent } = reading;
    const source = `${file}, ${reading.at}`;
    const before = byDay.get(from);
    if (before === undefined) byDay.set(from, { from, rate: percent, source });
    else if (Number(before.rate) !== Number(percent))
      contradictions.push(
        `Fuel of ${name} from ${from}: ${before.rate}% in ${before.source}, ${percent}% in ${source}`,
      );
  }
  const rates = [...byDay.values()].sort((a, b) => (a.from < b.from ? -1 : 1));
  if (
    !isWeekly(
      carrier,
      rates.map(({ from }) => from),
    )
  )
    return rates;
  return rates.map(({ from, ...rate }, at) => {
    const next = rates[at + 1]?.from;
    return next !== undefined && next <= shifted(from, WEEK)
      ? { from, ...rate }
      : { from, until: shifted(from, WEEK - 1), ...rate };
  });
};

/** The last day of a rate; undefined if it holds for good. */
const lastDay = (rates: readonly FuelRate[], at: number): string | undefined => {
  const next = rates[at + 1];
  return rates[at]?.until ?? (next === undefined ? undefined : shifted(next.from, -1));
};

interface Group {
  readonly carrier: string;
  readonly codes: string[];
  readonly readings: readonly FromFile<ParsedFuel>[];
}

/** Services that have the same readings are one group. */
const groupsOf = (parts: readonly FromFile<ParsedFuel>[], services: readonly ServiceName[]): Group[] => {
  const codesOf = parts.map(({ reading }) => servicesFor(reading, services).codes);
  const groups = new Map<string, Group>();
  for (const { code, carrier } of services) {
    const readings = parts.filter((_, at) => codesOf[at]?.includes(code));
    if (readings.length === 0) continue;
    const key = readings.map((part) => parts.indexOf(part)).join(' ');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { carrier, codes: [code], readings });
    else group.codes.push(code);
  }
  return [...groups.values()];
};

/** Readings of services that the tariff does not have. A file may hold more than a tariff needs, but no unknown names. */
const unserved = (
  parts: readonly FromFile<ParsedFuel>[],
  services: readonly ServiceName[],
): { readonly contradictions: readonly string[]; readonly warnings: readonly string[] } => {
  const contradictions = new Map<string, string>();
  const warnings = new Map<string, string>();
  for (const { file, reading } of parts) {
    const { carrier, at } = reading;
    const { codes, unknown } = servicesFor(reading, services);
    if (!services.some((service) => service.carrier === carrier)) {
      const text = `${file}: the fuel of ${carrier} is not used, because there are no rates of ${carrier}`;
      warnings.set(text, text);
    } else if (unknown.length > 0) {
      const text = `${file}, ${at}: ${carrier} has no service ${unknown.join(', ')}; there are ${namesText(carrier, services)}`;
      contradictions.set(text, text);
    } else if (codes.length === 0) {
      const text = `${file}: the fuel of ${carrier} ${reading.services.join(', ')} is not used, because there are no rates`;
      warnings.set(text, text);
    }
  }
  return { contradictions: [...contradictions.values()], warnings: [...warnings.values()] };
};

export const mergeFuel = (
  parts: readonly FromFile<ParsedFuel>[],
  { effective, services }: { readonly effective: string; readonly services: readonly ServiceName[] },
): MergedFuel => {
  const { contradictions: strangers, warnings } = unserved(parts, services);
  const contradictions = [...strangers];
  const fuel = groupsOf(parts, services).flatMap(({ carrier, codes, readings }): Fuel[] => {
    const name = codes.join(', ');
    const all = ratesOf(carrier, name, readings, contradictions);
    const rates = all.filter((_, at) => (lastDay(all, at) ?? effective) >= effective);
    const last = all.at(-1);
    if (rates.length > 0 || last === undefined) return [{ carrier, services: codes, rates }];
    contradictions.push(
      `Fuel of ${name} ends on ${last.until} (${last.source}), before the tariff begins on ${effective}`,
    );
    return [];
  });
  return { fuel, contradictions, warnings };
};

/** The surcharge of a carrier's fuel on the base and on other charges of the same services. */
export const fuelEntry = ({ services, rates }: Fuel, charges: readonly SurchargeEntry[]): SurchargeEntry => {
  const others = charges.filter(
    (charge) => charge.services?.some((code) => services.includes(code)) === true && isFueled(charge.type),
  );
  return {
    type: FUEL,
    description: 'Fuel',
    services: [...services],
    when: {},
    amount: {
      per: 'percent',
      rate: rates.map((rate) => ({ ...rate })),
      of: ['BASE', ...new Set(others.map(({ type }) => type))],
    },
  };
};
