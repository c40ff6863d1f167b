/**
 * Calculates when a shipment arrives. Transit days are business days of the service. Its calendar has the days on which
 * it delivers and the carrier's holidays. Nothing is guessed. A lane without transit days has no date. A date after the
 * last day with known holidays is replaced by a reason.
 */
import { z } from 'zod';
import { type Calendar, type Card, type RateBook, type Warehouse, WEEKDAYS, type Weekday } from './card.ts';
import type { Shipment } from './shipment.ts';

const SATURDAY = 6;

export interface Departure {
  /** The first day on which it can leave, `YYYY-MM-DD`. */
  readonly day: string;
  /** Whether that is the day after the request, because the cutoff had passed. */
  readonly afterCutoff: boolean;
  /** Weekdays on which the warehouse hands packages over. Undefined if the client has not set them. */
  readonly days: readonly Weekday[] | undefined;
}

/** How a delivery date was counted, day by day. */
export const countedDelivery = z.object({
  transitDays: z.int(),
  origin: z.string(),
  destination: z.string(),
  afterCutoff: z.boolean().describe('Whether the shipment leaves a day later because the cutoff had passed.'),
  pickup: z.string().optional().describe('The day on which the carrier picks it up.'),
  deliveryDate: z.string().optional(),
  reason: z.string().optional().describe('Why there is no date.'),
  days: z.array(z.object({ date: z.string(), counts: z.boolean(), note: z.string() })),
});
type CountedDelivery = z.output<typeof countedDelivery>;

/** The business days of a service, and the day, or the reason why it cannot be known. */
export type Delivery = Readonly<Pick<CountedDelivery, 'transitDays' | 'deliveryDate' | 'reason'>>;

const DAY_MS = 86_400_000;

const next = (day: string): string => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
const weekdayAt = (day: string): number => new Date(day).getUTCDay();

/** Returns whether a day, `YYYY-MM-DD`, is a Saturday. */
export const isSaturday = (day: string): boolean => weekdayAt(day) === 6;
const weekdayOf = (day: string): Weekday => WEEKDAYS[weekdayAt(day)] ?? 'SUN';

const NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Returns why a calendar does not count a day. Undefined if it does. */
const closedOn = ({ weekdays, holidays }: Calendar, day: string): string | undefined => {
  if (!weekdays.has(weekdayOf(day))) return `${NAMES[weekdayAt(day)]}: not a business day`;
  const status = holidays.get(day);
  if (status === undefined) return undefined;
  return status === 'check' ? 'probably a holiday; the carrier has not confirmed it' : 'holiday';
};

/** Returns the date and the time of day at an instant in a time zone. */
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

/** Caches today's departures, which need the clock. The rows of a list leave from few warehouses. */
const today = new WeakMap<RateBook, Map<Warehouse, Departure>>();

/** Returns when a shipment leaves. Undefined if no service of the book has transit days. */
export const departureOf = (shipment: Shipment, book: RateBook, warehouse: Warehouse): Departure | undefined => {
  if (book.hasTransit !== true) return undefined;
  if (shipment.shipDate !== undefined) return departureFrom(shipment, book, warehouse);
  const departures = today.get(book) ?? new Map<Warehouse, Departure>();
  today.set(book, departures);
  const departure = departures.get(warehouse) ?? departureFrom(shipment, book, warehouse);
  departures.set(warehouse, departure);
  return departure;
};

/** More days than any service takes, including holidays. Ends the search if a calendar has no business days. */
const MOST_DAYS = 120;

type Walk = Delivery & Pick<CountedDelivery, 'pickup' | 'days'>;

const walk = (calendar: Calendar, departure: Departure, transitDays: number, saturday: boolean): Walk => {
  const days: Walk['days'] = [];
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
    // With Saturday delivery, a package can arrive on a Saturday. It does not move on that day.
    const arrives =
      saturday && weekdayAt(date) === SATURDAY && !calendar.holidays.has(date) && counted + 1 === transitDays;
    if (closed === undefined || arrives) counted += 1;
    look(date, arrives ? undefined : closed, `day ${counted}`);
    if (counted === transitDays) return { transitDays, deliveryDate: date, pickup, days };
  }
  return { transitDays, reason: 'the service has no business days', days };
};

const known = new WeakMap<Calendar, Map<string, Delivery>>();
/** More entries than the days and lanes of a list need. */
const MOST_KNOWN = 5_000;

/** A lane of a service, and when the shipment leaves. */
export interface Journey {
  readonly card: Card;
  readonly column: number;
  readonly origin: number;
  readonly destination: number;
  /** Undefined if no service has transit days. */
  readonly departure: Departure | undefined;
  readonly saturday: boolean;
}

/** Returns how long a journey takes, in business days. Undefined if that is unknown. */
const knownOf = ({ card: { transit }, column, origin, destination, departure }: Journey) => {
  const days = transit?.daysOf(origin, destination, column) ?? 0;
  return transit === undefined || departure === undefined || days === 0 ? undefined : { transit, departure, days };
};

/** Returns when a shipment arrives with a service. Undefined if the transit days of the lane are unknown. */
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

/** Explains a delivery day by day. Undefined if the transit days of the lane are unknown. */
export const explainDelivery = (journey: Journey): CountedDelivery | undefined => {
  const found = knownOf(journey);
  if (found === undefined) return undefined;
  const { transit, departure, days } = found;
  return {
    ...walk(transit.calendar, departure, days, journey.saturday),
    ...transit.sourceOf(journey.origin, journey.destination, journey.column),
    afterCutoff: departure.afterCutoff,
  };
};
