/** The periods of surcharges, and until when a tariff knows the fuel rates of a service. */
import { earlier, FIRST_DAY, LAST_DAY, later, periodsIn, shifted } from './days.ts';
import type { SurchargeEntry, TariffDocument } from './document.ts';

/** The fuel of a service on a day. */
export interface Fuel {
  readonly isCharged: boolean;
  /** The rate on the day, such as `26.00`; absent if there is none. */
  readonly percent?: string;
  /** The last day of this rate and of those that follow it without a gap; absent if fuel has no end. Of fuel that is over: its last day. */
  readonly lastDay?: string;
  /** If there is no rate: the first day of the next one. */
  readonly nextDay?: string;
}

interface Period {
  readonly from: string;
  readonly until: string;
  readonly percent?: string;
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
    }))
    .filter((period) => period.from <= period.until);
};

/** Fuel is a percentage, as the core has it. */
const isFuel = ({ type, amount }: SurchargeEntry): boolean => amount.per === 'percent' && type.startsWith('FUEL');

/** The surcharges of a service. */
export const chargesOf = ({ file }: TariffDocument, code: string): SurchargeEntry[] =>
  file.surcharges.filter(({ services }) => services === undefined || services.includes(code));

/** The fuel of a service on a day. */
export const fuelOn = (document: TariffDocument, code: string, day: string): Fuel => {
  const periods = chargesOf(document, code).filter(isFuel).flatMap(periodsOf);
  const now = periods.find(({ from, until }) => from <= day && day <= until);
  if (now === undefined) {
    const before = periods.filter(({ until }) => until < day).map(({ until }) => until);
    const after = periods.filter(({ from }) => from > day).map(({ from }) => from);
    return {
      isCharged: false,
      ...(before.length === 0 ? {} : { lastDay: before.reduce(later) }),
      ...(after.length === 0 ? {} : { nextDay: after.reduce(earlier) }),
    };
  }
  let last = now.until;
  for (const { from, until } of periods.toSorted((a, b) => (a.from < b.from ? -1 : 1)))
    if (last < LAST_DAY && from <= shifted(last, 1)) last = later(last, until);
  return {
    isCharged: true,
    ...(now.percent === undefined ? {} : { percent: now.percent }),
    ...(last === LAST_DAY ? {} : { lastDay: last }),
  };
};
