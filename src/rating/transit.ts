/**
 * When a shipment arrives. The days of a service are business days of its own; the date follows its calendar: the days on
 * which it delivers, and the carrier's holidays. Nothing is guessed: a lane without days, or a date after the last day that
 * the holidays are known for, has no date, and a reason instead.
 */
import {
  type Calendar,
  type Card,
  type DaysSource,
  type RateBook,
  type Warehouse,
  WEEKDAYS,
  type Weekday,
} from './card.ts';
import type { Shipment } from './shipment.ts';

const SATURDAY = 6;

/** Where and when a shipment leaves. */
export interface Departure {
  /** The first day on which it can leave, `YYYY-MM-DD`. */
  readonly day: string;
  /** Whether that is a day after the day of the request, because the cutoff had passed. */
  readonly afterCutoff: boolean;
  /** The days on which the warehouse hands over; undefined if it has not said. */
  readonly days: readonly Weekday[] | undefined;
}

/** A day that was looked at, and why it does not count, if it does not. */
export interface CountedDay {
  readonly date: string;
  readonly counts: boolean;
  readonly note: string;
}

export interface Delivery {
  /** Business days of the service. */
  readonly transitDays: number;
  /** Absent if it cannot be known: `reason` says why. */
  readonly deliveryDate?: string;
  readonly reason?: string;
}

const DAY_MS = 86_400_000;

const next = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
const weekdayAt = (day: string): number => new Date(day).getUTCDay();
const weekdayOf = (day: string): Weekday => WEEKDAYS[weekdayAt(day)] ?? 'SUN';

const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Why a calendar does not count a day; undefined if it does. */
const closedOn = ({ weekdays, holidays }: Calendar, day: string): string | undefined => {
  if (!weekdays.has(weekdayOf(day))) return `${NAMES[weekdayAt(day)]}: not a business day`;
  const status = holidays.get(day);
  if (status === undefined) return undefined;
  return status === 'check' ? 'probably a holiday; the carrier has not confirmed it' : 'holiday';
};

/** The date and the minute of the day at an instant in a time zone. */
const clockIn = (timeZone: string, instant: number): { readonly day: string; readonly time: string } => {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  return { day: `${part['year']}-${part['month']}-${part['day']}`, time: `${part['hour']}:${part['minute']}` };
};

const departureFrom = (
  { shipDate }: Pick<Shipment, 'shipDate'>,
  { day, instant }: RateBook,
  { shipping }: Warehouse,
): Departure => {
  const days = shipping?.days;
  if (shipDate !== undefined) return { day: shipDate, afterCutoff: false, days };
  if (shipping === undefined || instant === undefined) return { day, afterCutoff: false, days };
  const clock = clockIn(shipping.timeZone, instant);
  const afterCutoff = shipping.cutoff !== undefined && clock.time >= shipping.cutoff;
  return { day: afterCutoff ? next(clock.day) : clock.day, afterCutoff, days };
};

/** Those of today, for which the clock must be read: the rows of a list leave from few warehouses. */
const today = new WeakMap<RateBook, Map<Warehouse, Departure>>();

/**
 * When a shipment leaves.
 * @returns undefined if no service of the book has days
 */
export const departureOf = (shipment: Shipment, book: RateBook, warehouse: Warehouse): Departure | undefined => {
  if (book.hasTransit !== true) return undefined;
  if (shipment.shipDate !== undefined) return departureFrom(shipment, book, warehouse);
  const departures = today.get(book) ?? new Map<Warehouse, Departure>();
  today.set(book, departures);
  const departure = departures.get(warehouse) ?? departureFrom(shipment, book, warehouse);
  departures.set(warehouse, departure);
  return departure;
};

/** Longer than any service takes, with its holidays: a calendar without a business day ends the search. */
const MOST_DAYS = 120;

interface Walk extends Delivery {
  /** The day on which the carrier takes it. */
  readonly pickup?: string;
  readonly days: readonly CountedDay[];
}

const walk = (calendar: Calendar, departure: Departure, transitDays: number, saturday: boolean): Walk => {
  const days: CountedDay[] = [];
  const look = (date: string, why: string | undefined, what: string): void => {
    days.push({ date, counts: why === undefined, note: why ?? what });
  };
  let date = departure.day;
  let pickup: string | undefined;
  for (let counted = 0, seen = 0; seen < MOST_DAYS; seen++, date = next(date)) {
    if (date > calendar.until)
      return { transitDays, reason: `the carrier's holidays are known up to ${calendar.until}`, days };
    const closed = closedOn(calendar, date);
    if (pickup === undefined) {
      const idle = departure.days?.includes(weekdayOf(date)) === false ? 'the warehouse does not ship' : closed;
      look(date, idle, 'leaves the warehouse');
      if (idle === undefined) pickup = date;
      continue;
    }
    // On a Saturday that was asked for it arrives, but it does not move on.
    const arrives =
      saturday && weekdayAt(date) === SATURDAY && !calendar.holidays.has(date) && counted + 1 === transitDays;
    if (closed === undefined || arrives) counted += 1;
    look(date, arrives ? undefined : closed, `day ${counted}`);
    if (counted === transitDays) return { transitDays, deliveryDate: date, pickup, days };
  }
  return { transitDays, reason: 'the service has no business days', days };
};

const known = new WeakMap<Calendar, Map<string, Delivery>>();
/** More than a list has days and lanes. */
const MOST_KNOWN = 5_000;

/** A lane of a service, and when the shipment leaves. */
export interface Journey {
  readonly card: Card;
  readonly column: number;
  readonly origin: number;
  readonly destination: number;
  /** Undefined if no service has days. */
  readonly departure: Departure | undefined;
  /** Whether Saturday delivery was asked for. */
  readonly saturday: boolean;
}

/** How long a journey takes, in business days; undefined if that is unknown. */
const knownOf = ({ card: { transit }, column, origin, destination, departure }: Journey) => {
  const days = transit?.daysOf(origin, destination, column) ?? 0;
  return transit === undefined || departure === undefined || days === 0 ? undefined : { transit, departure, days };
};

/**
 * When a shipment arrives by a service.
 * @returns undefined if the days of the lane are unknown
 */
export const deliveryOf = (journey: Journey): Delivery | undefined => {
  const found = knownOf(journey);
  if (found === undefined) return undefined;
  const { transit, departure, days } = found;
  const { saturday } = journey;
  const key = `${departure.day} ${days} ${saturday} ${departure.days?.join('') ?? ''}`;
  const deliveries = known.get(transit.calendar) ?? new Map<string, Delivery>();
  known.set(transit.calendar, deliveries);
  const before = deliveries.get(key);
  if (before !== undefined) return before;
  const { days: _, pickup: __, ...delivery } = walk(transit.calendar, departure, days, saturday);
  if (deliveries.size >= MOST_KNOWN) deliveries.clear();
  deliveries.set(key, delivery);
  return delivery;
};

/** How a delivery came about, day by day; undefined if the days of the lane are unknown. */
export const explainDelivery = (
  journey: Journey,
): (Walk & DaysSource & { readonly afterCutoff: boolean }) | undefined => {
  const found = knownOf(journey);
  if (found === undefined) return undefined;
  const { transit, departure, days } = found;
  return {
    ...walk(transit.calendar, departure, days, journey.saturday),
    ...transit.sourceOf(journey.origin, journey.destination, journey.column),
    afterCutoff: departure.afterCutoff,
  };
};
