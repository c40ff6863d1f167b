/** Fuel rates that have ended or will end soon, as findings and as seconds left. */

import type { Logger } from 'pino';
import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import { poll } from '../../../base/poll.ts';
import { present } from '../../../base/present.ts';
import { isOfStore } from '../../../base/store/store.ts';
import { DAY_MS, shifted } from '../days.ts';
import type { Finding, TariffDocument } from '../document.ts';
import { warning } from '../findings.ts';
import { fuelOn } from '../fuel.ts';
import { dayIn, type Schedule } from '../schedule.ts';

/** Fuel rates that end within this many days are reported. */
const NOTICE_DAYS = 7;

/**
 * The fuel rates of a tariff that have ended or will end within a week, by carrier and last day.
 * @param codes services to check. Default: all
 */
const fuelEnds = (document: TariffDocument, day: string, codes?: ReadonlySet<string>) => {
  const { services: all, fuelAfterLastWeek } = document.file;
  const found = all.flatMap(({ code, carrier, hasNo }) => {
    if (codes?.has(code) === false || hasNo.includes('fuel')) return [];
    const { isCharged, lastDay, nextDay } = fuelOn(document, code, day);
    if (lastDay === undefined || lastDay > shifted(day, NOTICE_DAYS)) return [];
    return [{ code, carrier, lastDay, nextDay, hasEnded: !isCharged }];
  });
  const ends = grouped(found, ({ carrier, lastDay, nextDay }) => `${carrier} ${lastDay} ${nextDay}`);
  return [...ends.values()].map((same) => {
    const { carrier, lastDay, nextDay, hasEnded } = must(same[0], 'a service');
    const services = same.map(({ code }) => code);
    return {
      ...{ carrier, services },
      /** The last day with a rate. */
      ...{ lastDay, hasEnded },
      /** Whether the last rate still applies after its last day. */
      carries: fuelAfterLastWeek === 'carry',
      // The first day of the next rate. Absent if there is none.
      ...present({ nextDay }),
      /** Whether these are all services of the carrier in this tariff. */
      allServices: all.every((one) => one.carrier !== carrier || services.includes(one.code)),
    };
  });
};
type FuelEnd = ReturnType<typeof fuelEnds>[number];

const ADVICE = 'Add the next rates: rates tariff fuel add';

/** A sentence without a period. */
export const fuelEndText = (end: FuelEnd): string => {
  const { carrier, services, allServices, lastDay, carries } = end;
  const of = `fuel of ${carrier}${allServices ? '' : ` (${services.join(', ')})`}`;
  if (!end.hasEnded) return `${of} has no rate after ${lastDay}. ${ADVICE}`;
  const again = end.nextDay === undefined ? '' : ` before ${end.nextDay}`;
  return `${of} ended on ${lastDay}: prices for later ship dates${again} ${carries ? 'use its last rate' : 'have no fuel'}. ${ADVICE}`;
};

export const fuelFindings = (document: TariffDocument, day: string): Finding[] =>
  fuelEnds(document, day).map((end) => warning('tariff.json surcharges', fuelEndText(end)));

/** The services in force at an instant, by tariff, with the tariff's local day. */
const servicesInForce = (schedule: Schedule, instant: Date) => {
  const { cards } = schedule.bookAt(instant);
  return schedule.documents.map((document, at) => {
    const id = must(schedule.ids[at], 'the id of a tariff');
    const codes = new Set(cards.filter(({ tariff }) => tariff === id).map(({ code }) => code));
    return { document, id, codes, day: dayIn(document.file.timeZone, instant) };
  });
};

/** The fuel rates of services in force that have ended or will end within a week. */
export const fuelEndsNow = (schedule: Schedule, instant: Date) =>
  servicesInForce(schedule, instant).flatMap(({ document, id, codes, day }) =>
    fuelEnds(document, day, codes).map((end) => ({ tariff: id, ...end })),
  );

/**
 * Seconds from the beginning of today until fuel rates end, by service in force: 86400 on the last day, 0 or less after it.
 * Omits services without fuel rates or whose rates have no end.
 */
export const fuelSecondsLeft = (schedule: Schedule, instant: Date) =>
  servicesInForce(schedule, instant).flatMap(({ document, codes, day }) =>
    document.file.services.flatMap(({ code, carrier, hasNo }) => {
      if (!codes.has(code) || hasNo.includes('fuel')) return [];
      const { lastDay } = fuelOn(document, code, day);
      if (lastDay === undefined) return [];
      return [{ carrier, service: code, seconds: (Date.parse(lastDay) + DAY_MS - Date.parse(day)) / 1_000 }];
    }),
  );
export type FuelLeft = ReturnType<typeof fuelSecondsLeft>[number];

/* Logs once a day which fuel rates of the services in force have ended or will end within a week. */

export interface FuelWatchOptions {
  readonly tariffs: { readonly current: () => Schedule };
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => Date;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 60_000;

/** Watches until closed. Newly ending fuel rates are logged at once. */
export const watchFuel = ({
  tariffs,
  log,
  now,
  intervalMs = INTERVAL_MS,
}: FuelWatchOptions): { readonly close: () => void } => {
  let day = '';
  let logged = new Set<string>();

  const check = async (): Promise<void> => {
    let ends: ReturnType<typeof fuelEndsNow>;
    const instant = now();
    try {
      ends = fuelEndsNow(tariffs.current(), instant);
    } catch (err) {
      // If what is published is unknown, this is already logged.
      if (!isOfStore(err)) log.warn({ err }, 'cannot examine fuel rates');
      return;
    }
    const today = dayIn('America/New_York', instant);
    if (today !== day) logged = new Set();
    day = today;
    for (const { hasEnded, allServices: _all, ...end } of ends) {
      const key = JSON.stringify([end, hasEnded]);
      if (logged.has(key)) continue;
      logged.add(key);
      const held = end.carries ? 'prices use the last one' : 'prices have no fuel';
      log.warn(end, hasEnded ? `fuel rates have ended: ${held}` : 'fuel rates end soon');
    }
  };

  const { stop: close } = poll(check, intervalMs);
  return { close };
};
