/** Joins the fuel rates of any number of files into one surcharge for each set of services. */
import { getOrMake } from '../../base/maps.ts';
import { isFueled } from '../../catalog/tariff/charge-catalog.ts';
import { byFrom, DAY_MS, shifted } from '../../catalog/tariff/days.ts';
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import { FUEL } from '../../rating/charges.ts';
import { knownCarrier } from '../carriers.ts';
import type { ParsedFuel } from '../read/reader.ts';
import { namesText, type ServiceName, servicesFor } from './charged-services.ts';
import type { FromFile } from './prices.ts';

type Percentage = Extract<SurchargeEntry['amount'], { per: 'percent' }>;
type FuelRate = Readonly<Exclude<Percentage['rate'], string>[number]> & { readonly source: string };

/** Fuel rates for some services of one carrier. */
export interface Fuel {
  readonly carrier: string;
  readonly services: readonly string[];
  readonly rates: readonly FuelRate[];
}

const WEEK = 7;

/** Whether rates change every week, so that the last one ends. */
export const isWeekly = (carrier: string, rates: readonly { readonly from: string }[]): boolean => {
  if (knownCarrier(carrier)?.hasWeeklyFuel === true) return true;
  const days = rates.map(({ from }) => Date.parse(from) / DAY_MS);
  const steps = days.slice(1).map((day, at) => day - (days[at] ?? day));
  return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] === WEEK;
};

/** The rates in ascending order, one for each first day. */
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
  const rates = [...byDay.values()].sort(byFrom);
  if (!isWeekly(carrier, rates)) return rates;
  return rates.map((rate, at) => {
    const next = rates[at + 1]?.from;
    const isFollowed = next !== undefined && next <= shifted(rate.from, WEEK);
    return isFollowed ? rate : { ...rate, until: shifted(rate.from, WEEK - 1) };
  });
};

/** The last day of a rate; undefined if it has no end. */
const lastDay = (rates: readonly FuelRate[], at: number): string | undefined => {
  const next = rates[at + 1];
  return rates[at]?.until ?? (next === undefined ? undefined : shifted(next.from, -1));
};

/** Groups services that have the same readings. */
const groupsOf = (parts: readonly FromFile<ParsedFuel>[], services: readonly ServiceName[]) => {
  const codesOf = parts.map(({ reading }) => servicesFor(reading, services).codes);
  const groups = new Map<string, { carrier: string; codes: string[]; readings: typeof parts }>();
  for (const { code, carrier } of services) {
    const readings = parts.filter((_, at) => codesOf[at]?.includes(code));
    if (readings.length === 0) continue;
    const key = readings.map((part) => parts.indexOf(part)).join(' ');
    getOrMake(groups, key, () => ({ carrier, codes: [], readings })).codes.push(code);
  }
  return [...groups.values()];
};

/** Reports readings for services that the tariff lacks. A file may contain more than the tariff needs, but no unknown names. */
const unserved = (parts: readonly FromFile<ParsedFuel>[], services: readonly ServiceName[]) => {
  const contradictions = new Set<string>();
  const warnings = new Set<string>();
  for (const { file, reading } of parts) {
    const { carrier, at } = reading;
    const { codes, unknown } = servicesFor(reading, services);
    if (!services.some((service) => service.carrier === carrier))
      warnings.add(`${file}: the fuel of ${carrier} is not used, because there are no rates of ${carrier}`);
    else if (unknown.length > 0) {
      const there = namesText(carrier, services);
      contradictions.add(`${file}, ${at}: ${carrier} has no service ${unknown.join(', ')}; there are ${there}`);
    } else if (codes.length === 0) {
      const names = reading.services.join(', ');
      warnings.add(`${file}: the fuel of ${carrier} ${names} is not used, because there are no rates`);
    }
  }
  return { contradictions: [...contradictions], warnings: [...warnings] };
};

export const mergeFuel = (
  parts: readonly FromFile<ParsedFuel>[],
  { effective, services }: { readonly effective: string; readonly services: readonly ServiceName[] },
) => {
  const { contradictions, warnings } = unserved(parts, services);
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

/** The fuel surcharge on the base rate and on other charges for the same services. */
export const fuelEntry = ({ services, rates }: Fuel, charges: readonly SurchargeEntry[]): SurchargeEntry => {
  const others = charges.filter(
    (charge) => isFueled(charge.type) && charge.services?.some((code) => services.includes(code)),
  );
  return {
    type: FUEL,
    description: 'Fuel',
    services: [...services],
    when: {},
    amount: {
      per: 'percent',
      rate: [...rates],
      of: ['BASE', ...new Set(others.map(({ type }) => type))],
    },
  };
};
