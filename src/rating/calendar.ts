/** The calendars of services and warehouses, and the days of lanes: what transit.ts calculates with. */

/** The days of the week, Sunday first. */
export const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** How certain a holiday is: the carrier states it, it follows from the carrier's rule, or nobody has confirmed it. */
export const HOLIDAY_STATUS = ['sourced', 'derived', 'check'] as const;
export type HolidayStatus = (typeof HOLIDAY_STATUS)[number];

/** The days on which a service moves and delivers. */
export interface Calendar {
  readonly weekdays: ReadonlySet<Weekday>;
  /** Holidays by date. */
  readonly holidays: ReadonlyMap<string, HolidayStatus>;
  /** The last day that the holidays are known for. */
  readonly until: string;
}

/** Where the days of a lane stand: the row of `transit.csv`, or the name of the service. */
export interface DaysSource {
  readonly origin: string;
  readonly destination: string;
}

/** The days of one service. Origins and destinations are ZIP5s as numbers. */
export interface TransitTable {
  readonly calendar: Calendar;
  /** Business days; 0 if they are unknown. */
  readonly daysOf: (origin: number, destination: number, column: number) => number;
  readonly sourceOf: (origin: number, destination: number, column: number) => DaysSource;
}

/** When a warehouse hands over: on which days, and until when. */
export interface ShippingHours {
  readonly days: readonly Weekday[];
  /** `15:00`; orders after it leave on the next day. Absent: at any time of the day. */
  readonly cutoff?: string | undefined;
  readonly timeZone: string;
}
