/**
 * What the core prices with: one compiled, immutable card per shipping service, flat arrays of cents and zone columns.
 * `src/catalog/tariff/compile.ts` makes these from a tariff; one quote is a few array reads.
 */
import { must } from '../base/must.ts';
import type { ChargeTable, PricePart, Refusal, Surcharge } from './charges.ts';
import type { Cents, SideRounding } from './quantity.ts';

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

/** No rate column: the destination is not reached. */
export const NO_COLUMN = 255;

/** Added to a column that was estimated from the distance. A card has fewer columns than this. */
export const ESTIMATED = 128;

/**
 * The zones of one service. Columns are indexes into the card's `columns`. Origins and destinations are ZIP5s as
 * numbers.
 */
export interface ZoneTable {
  /** The zone column of a lane, with `ESTIMATED` added if it was estimated; or `NO_COLUMN`. */
  readonly laneOf: (origin: number, destination: number) => number;
  /** The zone column of a lane, or `NO_COLUMN`. */
  readonly columnOf: (origin: number, destination: number) => number;
  /** How the service's zones from an origin are known. */
  readonly originOf: (origin: number) => OriginZones;
  /** Where a lane's zone came from, for the explanation. */
  readonly sourceOf: (origin: number, destination: number) => ZoneSource;
}

/**
 * `charted`: the tariff states them, in a chart that has the origin or, for a service without charts, by distance.
 * `estimated`: the carrier has charts, but none has the origin. `unreached`: the service takes nothing from there.
 */
export type OriginZones = 'charted' | 'estimated' | 'unreached';

export interface ZoneSource {
  /** The zone chart's name, or `distance`. */
  readonly chart: string;
  /** The chart's own rows that matched, such as `070-076` and `02139`. */
  readonly origin: string;
  readonly destination: string;
  /**
   * True if the zone was estimated from the distance, because no chart has this origin. A service without any chart
   * has its zones by distance: that is its tariff's definition and no estimate.
   */
  readonly estimated: boolean;
  /** The day of the chart, `YYYY-MM-DD`, if it is much older than the tariff. */
  readonly chartDate?: string;
}

/**
 * A price per pound on the weight of a whole shipment (express multiweight). Source: FedEx Service Guide 2026, pages 42
 * and 43 (the terms) and 135 (volumes of a shipment are added up).
 */
export interface Multiweight {
  /** A shipment of less than this has no such price. The shipment's own weight counts, not the average below. */
  readonly minimumTotalLb: number;
  /** A shipment is rated at no less than this for each package. */
  readonly minimumAverageLb: number;
  /** How many pounds a price is for: 1, or 100 for a hundredweight. */
  readonly perLb: number;
  /** Rising weight breaks; `cents` by column, 0 where the column has none. */
  readonly breaks: readonly { readonly fromLb: number; readonly cents: readonly number[] }[];
}

/** The same by an agreement's own table, in place of the list's in these columns. */
export interface OwnMultiweight extends Multiweight {
  readonly columns: ReadonlySet<number>;
  /** The file. */
  readonly source: string;
}

/** Prices of packages of less than a pound, or by volume: rising limits, and cents by column; 0 where there is no rate. */
export interface SmallRates {
  /** Of mass in 10 µg, or of hundredths of a cubic foot or cubic inches. */
  readonly limits: readonly number[];
  /** The limits as the tariff's file writes them. */
  readonly labels: readonly string[];
  readonly centsByColumn: readonly (readonly number[])[];
}

/** The last known rate of fuel, in percent as the tariff writes it, and the first and the last day that it is stated for. */
export interface StaleFuel {
  readonly percent: string;
  readonly from: string;
  readonly lastDay: string;
}

/** The divisor of larger or heavier packages, where an agreement has a second one. */
export interface SecondDivisor {
  readonly dimensionalFactor: number;
  /** Of more cubic inches, or of more mass: the other limit is infinite. */
  readonly overCubicIn: number;
  readonly overMass: number;
}

export interface Card {
  readonly code: string;
  readonly carrier: string;
  readonly description: string;
  /** Name and version of the tariff that this card belongs to. */
  readonly tariff: string;
  readonly addressLineRequired: boolean;
  readonly refusesPoBox: boolean;
  readonly dimensionalFactor: number;
  readonly secondDivisor?: SecondDivisor | undefined;
  readonly sideRounding: SideRounding;
  readonly maximumActualLb: number;
  /** In 0.1 µm; infinite without a limit. */
  readonly maximumLength: number;
  readonly maximumLengthPlusGirth: number;
  /** The dimensional weight of a smaller package does not count. */
  readonly dimensionalOverCubicIn: number;
  readonly deliversTo?: 'homes' | 'businesses';
  /** The options that it does not offer. */
  readonly refusals: readonly Refusal[];
  /** Heaviest row of the rate table, in pounds. */
  readonly topLb: number;
  /** The rate columns, which have the carrier's names of the zones. */
  readonly columns: readonly string[];
  /** The zone from 1 to 8 that each column is reported as. */
  readonly rateZones: readonly number[];
  /** Cents at `column * (topLb + 1) + pounds`; 0 where there is no rate. */
  readonly rates: Int32Array;
  /** Cents per pound above `topLb`, by column; absent where nothing above is taken. */
  readonly centsPerLbAboveTop?: readonly number[];
  /** Rows below one pound. */
  readonly ounces?: SmallRates;
  readonly cubic?: SmallRates & {
    readonly maximumActualLb: number;
    readonly maximumLengthIn: number;
    /** Limits are cubic inches, not hundredths of a cubic foot. */
    readonly inInches: boolean;
    /** There are no prices by weight. */
    readonly only: boolean;
  };
  /**
   * The least that a package of at least this many pounds costs in any column, in cents; infinite where none is taken. The last
   * entry is for all weights above `topLb`.
   */
  readonly leastCents: Float64Array;
  /** A discount never takes a package's base below this. */
  readonly minimumNetCents: Cents;
  readonly multiweight?: Multiweight;
  readonly ownMultiweight?: OwnMultiweight;
  readonly zones: ZoneTable;
  /** How long it takes. Absent if nobody knows. */
  readonly transit?: TransitTable;
  /** The area number of each ZIP5: the same for ZIP codes that have the same tier in each area list; 0 without any. */
  readonly areas: Uint32Array;
  /** Those of the day. Percentages last, so that what they are taken of is known. */
  readonly surcharges: readonly Surcharge[];
  /** The fuel rate that holds on after its last day; undefined if the day has a rate of its own. */
  readonly staleFuel: StaleFuel | undefined;
  /** The parts that a bill has and this card lacks, whatever is shipped. */
  readonly lacks: ReadonlySet<PricePart>;
  /** The surcharges by lane. */
  readonly charges: ChargeTable;
}

/** The cards in force on a day, in the tariffs' order. */
export interface RateBook {
  readonly cards: readonly Card[];
  readonly byCode: ReadonlyMap<string, Card>;
  /** The day the book is of, `YYYY-MM-DD`. */
  readonly day: string;
  /** The minute that it was asked for, in milliseconds; absent if a day was. */
  readonly instant?: number;
  /** Whether any of its services has transit days. */
  readonly hasTransit?: boolean;
}

export interface Warehouse {
  readonly id: number;
  readonly name: string;
  readonly postalCode: string;
  readonly stateOrProvinceCode: string;
  readonly countryCode: string;
  /** Absent if it has not said. */
  readonly shipping?: ShippingHours | undefined;
}

/** The carrier's own name of the zone of a price. */
export const carrierZoneOf = ({ card, column }: { readonly card: Card; readonly column: number }): string =>
  must(card.columns[column], 'the column of a price');
