/** The periods of surcharges, fuel rates that apply after their last day, and the end of fuel rates. */
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { StaleFuel } from '../../rating/card.ts';
import { isFuel } from '../../rating/charges.ts';
import { byFrom, earlier, FIRST_DAY, LAST_DAY, later, periodsIn, shifted } from './days.ts';
import type { SurchargeEntry, TariffDocument } from './document.ts';

/** The fuel of a service on a day. */
export interface Fuel {
  readonly isCharged: boolean;
  /** Whether an expired rate still applies. */
  readonly isCarried?: true;
  /** The rate on the day, such as `26.00`. Absent if there is none. */
  readonly percent?: string;
  /** The last day before a gap in the rates, or of fuel that has ended. Absent if fuel has no end. */
  readonly lastDay?: string;
  /** The first day of the next rate, if there is no rate on the day. */
  readonly nextDay?: string;
}

interface Period {
  readonly from: string;
  readonly until: string;
  readonly percent?: string;
  readonly source?: string | undefined;
}

/** The days on which a surcharge has a rate or an amount. */
export const periodsOf = ({ amount, from = FIRST_DAY, until = LAST_DAY }: SurchargeEntry): Period[] => {
  if (amount.per !== 'percent') return [{ from, until }];
  if (typeof amount.rate === 'string') return [{ from, until, percent: amount.rate }];
  return periodsIn(amount.rate)
    .map(({ step, ...period }) => ({
      from: later(period.from, from),
      until: earlier(period.until, until),
      percent: step.rate,
      source: step.source,
    }))
    .filter((period) => period.from <= period.until);
};

export const chargesOf = ({ file }: TariffDocument, code: string): SurchargeEntry[] =>
  file.surcharges.filter(({ services }) => services === undefined || services.includes(code));

/**
 * The surcharges of a service. If there is no fuel rate on a day and the tariff carries rates, the last one still applies,
 * also between two rates: the last known rate is closer to the bill than none.
 */
export const chargesAt = (
  document: TariffDocument,
  code: string,
  day: string,
): { readonly entries: readonly SurchargeEntry[]; readonly staleFuel?: StaleFuel } => {
  const entries = chargesOf(document, code);
  const { fuelAfterLastWeek, services } = document.file;
  const isWanted = !services.some((service) => service.code === code && service.hasNo.includes('fuel'));
  if (fuelAfterLastWeek === 'omit' || !isWanted) return { entries };
  const periods = entries.filter(isFuel).flatMap((entry) => periodsOf(entry).map((period) => ({ entry, period })));
  if (periods.some(({ period: { from, until } }) => from <= day && day <= until)) return { entries };
  const ended = periods.filter(({ period }) => period.until < day);
  if (ended.length === 0) return { entries };
  const lastDay = ended.map(({ period }) => period.until).reduce(later);
  const last = new Map(
    ended.flatMap(({ entry, period }) => (period.until === lastDay ? [[entry, period] as const] : [])),
  );
  const held = (entry: SurchargeEntry): SurchargeEntry => {
    const { from, percent, source } = last.get(entry) ?? {};
    if (from === undefined || percent === undefined || entry.amount.per !== 'percent') return entry;
    return { ...entry, until: undefined, amount: { ...entry.amount, rate: [{ from, rate: percent, source }] } };
  };
  const { from, percent } = must([...last.values()][0], 'the last fuel rate');
  const staleFuel = { percent: must(percent, 'the rate of a fuel surcharge'), from, lastDay };
  return { entries: entries.map(held), staleFuel };
};

/** The latest fuel rates of services, newest first. Services with equal rates share an entry. */
export const recentFuel = (document: TariffDocument, codes: readonly string[], most: number) => {
  const ratesOf = (code: string) =>
    chargesOf(document, code)
      .filter(isFuel)
      .flatMap(periodsOf)
      .flatMap(({ from, until, percent }) => (percent === undefined ? [] : [{ from, until, percent }]))
      .toSorted((a, b) => (a.from < b.from ? 1 : -1))
      .slice(0, most);
  const same = grouped(codes, (code) => JSON.stringify(ratesOf(code)));
  return [...same.values()].map((services) => ({ services, rates: ratesOf(must(services[0], 'a service')) }));
};

/** The fuel of a service on a day. */
export const fuelOn = (document: TariffDocument, code: string, day: string): Fuel => {
  const periods = chargesOf(document, code).filter(isFuel).flatMap(periodsOf);
  const now = periods.find(({ from, until }) => from <= day && day <= until);
  if (now === undefined) {
    const before = periods.filter(({ until }) => until < day).map(({ until }) => until);
    const after = periods.filter(({ from }) => from > day).map(({ from }) => from);
    const { staleFuel } = chargesAt(document, code, day);
    return {
      isCharged: false,
      ...(staleFuel && { isCarried: true, percent: staleFuel.percent }),
      ...(before.length > 0 && { lastDay: before.reduce(later) }),
      ...(after.length > 0 && { nextDay: after.reduce(earlier) }),
    };
  }
  let last = now.until;
  for (const { from, until } of periods.toSorted(byFrom))
    if (last < LAST_DAY && from <= shifted(last, 1)) last = later(last, until);
  return { isCharged: true, ...present({ percent: now.percent, lastDay: last === LAST_DAY ? undefined : last }) };
};
