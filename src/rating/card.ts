/**
 * The core's price data: one compiled, immutable card per shipping service, with flat arrays of cents and zone columns.
 * `src/catalog/tariff/compile.ts` makes cards from a tariff. One quote is a few array reads.
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

/** The days on which a service moves and delivers packages. */
export interface Calendar {
  readonly weekdays: ReadonlySet<Weekday>;
  readonly holidays: ReadonlyMap<string, HolidayStatus>;
  /** The last day that the holidays are known for. */
  readonly until: string;
}

/** Source of a lane's transit days: the row of `transit.csv`, or the name of the service. */
export interface DaysSource {
  readonly origin: string;
  readonly destination: string;
}

/** Transit days of one service. Origins and destinations are ZIP5s as numbers. */
export interface TransitTable {
  readonly calendar: Calendar;
  /** Business days; 0 if they are unknown. */
  readonly daysOf: (origin: number, destination: number, column: number) => number;
  readonly sourceOf: (origin: number, destination: number, column: number) => DaysSource;
}

/** When a warehouse hands packages to the carrier: on which days, and until what time. */
export interface ShippingHours {
  readonly days: readonly Weekday[];
  /** Time such as `15:00`. Orders from then on leave the next day. Undefined without a cutoff. */
  readonly cutoff?: string | undefined;
  readonly timeZone: string;
}

/** Means that a lane has no rate column. The service does not reach the destination. */
export const NO_COLUMN = 255;

/** Added to a column whose zone was estimated from the distance. A card has fewer columns than this. */
export const ESTIMATED = 128;

/**
 * The zones of one service. Columns are indexes into the card's `columns`. Origins and destinations are ZIP5s as
 * numbers.
 */
export interface ZoneTable {
  /** Returns the zone column of a lane, or `NO_COLUMN`. `ESTIMATED` is added if the zone was estimated. */
  readonly laneOf: (origin: number, destination: number) => number;
  /** Returns the zone column of a lane, or `NO_COLUMN`. */
  readonly columnOf: (origin: number, destination: number) => number;
  /** Returns how the service's zones from an origin are known. */
  readonly originOf: (origin: number) => OriginZones;
  /** Returns where a lane's zone came from, for the explanation. */
  readonly sourceOf: (origin: number, destination: number) => ZoneSource;
}

/**
 * `charted`: the tariff states the zones, in a chart with the origin or, for a service without charts, by distance.
 * `estimated`: the carrier has charts, but none has the origin. `unreached`: the service takes no packages from there.
 */
export type OriginZones = 'charted' | 'estimated' | 'unreached';

export interface ZoneSource {
  /** The zone chart's name, or `distance`. */
  readonly chart: string;
  /** The rows of the chart that matched, such as `070-076` and `02139`. */
  readonly origin: string;
  readonly destination: string;
  /**
   * True if the zone was estimated from the distance, because no chart has this origin. A service without any chart
   * defines its zones by distance. Such a zone is not an estimate.
   */
  readonly estimated: boolean;
  /** Date of the chart, `YYYY-MM-DD`, if it is much older than the tariff. */
  readonly chartDate?: string;
}

/**
 * A price per pound on the weight of a whole shipment (express multiweight). Source: FedEx Service Guide 2026, pages 42
 * and 43 (the terms) and 135 (volumes of a shipment are added up).
 */
export interface Multiweight {
  /** A lighter shipment has no such price. The shipment's own weight counts, not the average below. */
  readonly minimumTotalLb: number;
  /** Pounds per package. A shipment is rated at no less than this times its packages. */
  readonly minimumAverageLb: number;
  /** How many pounds a price is for: 1, or 100 for a hundredweight. */
  readonly perLb: number;
  /** Weight breaks in rising order. `cents` is by column, 0 where a column has no price. */
  readonly breaks: readonly { readonly fromLb: number; readonly cents: readonly number[] }[];
}

/** An agreement's own multiweight table. It replaces the list's table in these columns. */
export interface OwnMultiweight extends Multiweight {
  readonly columns: ReadonlySet<number>;
  /** The file that states the table. */
  readonly source: string;
}

/** Rates for packages below one pound or by volume: rising limits, with cents by column; 0 where there is no rate. */
export interface SmallRates {
  /** Mass in 10 µg, or volume in hundredths of a cubic foot or in cubic inches. */
  readonly limits: readonly number[];
  /** The limits as the tariff's file writes them. */
  readonly labels: readonly string[];
  readonly centsByColumn: readonly (readonly number[])[];
}

/** The last known fuel rate, in percent as the tariff writes it, and the first and last day that it is stated for. */
export interface StaleFuel {
  readonly percent: string;
  readonly from: string;
  readonly lastDay: string;
}

/** A second divisor, which some agreements have for larger or heavier packages. */
export interface SecondDivisor {
  readonly dimensionalFactor: number;
  /** Applies to packages over this volume or over this mass. The other limit is infinite. */
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
  /** Cubic inches. A package that is not larger has no dimensional weight. */
  readonly dimensionalOverCubicIn: number;
  /** Greater dimensional weights are billed as this one. Infinite without a limit. */
  readonly maximumDimensionalLb: number;
  readonly deliversTo?: 'homes' | 'businesses';
  /** The options that the service does not offer. */
  readonly refusals: readonly Refusal[];
  /** Heaviest row of the rate table, in pounds. */
  readonly topLb: number;
  /** Rate columns, named by the carrier's zones. */
  readonly columns: readonly string[];
  /** The zone from 1 to 8 that each column is reported as. */
  readonly rateZones: readonly number[];
  /** Cents at `column * (topLb + 1) + pounds`; 0 where there is no rate. */
  readonly rates: Int32Array;
  /** Cents per pound above `topLb`, by column. Undefined if heavier packages are not accepted. */
  readonly centsPerLbAboveTop?: readonly number[];
  /** Rows below one pound. */
  readonly ounces?: SmallRates;
  readonly cubic?: SmallRates & {
    readonly maximumActualLb: number;
    readonly maximumLengthIn: number;
    /** Whether limits are cubic inches instead of hundredths of a cubic foot. */
    readonly inInches: boolean;
    /** Whether there are no prices by weight. */
    readonly only: boolean;
  };
  /**
   * Lowest cost in cents, in any column, of a package with at least as many pounds as the index. Infinite where no
   * package is accepted. The last entry is for all weights above `topLb`.
   */
  readonly leastCents: Float64Array;
  /** A discount never lowers a package's base below this. */
  readonly minimumNetCents: Cents;
  readonly multiweight?: Multiweight;
  readonly ownMultiweight?: OwnMultiweight;
  readonly zones: ZoneTable;
  /** Undefined if the transit days are unknown. */
  readonly transit?: TransitTable;
  /** Area number of each ZIP5. ZIP codes with the same tier in every area list share a number. 0 without any tier. */
  readonly areas: Uint32Array;
  /** Surcharges of the day. Percentages come last, after the amounts that they apply to. */
  readonly surcharges: readonly Surcharge[];
  /** The last known fuel rate, if it is used after its last day. Undefined if the day has its own rate. */
  readonly staleFuel: StaleFuel | undefined;
  /** Parts of a carrier's bill that this card lacks for every shipment. */
  readonly lacks: ReadonlySet<PricePart>;
  readonly charges: ChargeTable;
}

/** Cards in the tariffs' order. */
export interface CardList {
  readonly cards: readonly Card[];
  readonly byCode: ReadonlyMap<string, Card>;
  /** The index of the card that was the cheapest last time. It is a guess that saves work. No price depends on it. */
  readonly cheapest: { at: number };
}

export const cardList = (cards: readonly Card[]): CardList => ({
  ...{ cards, byCode: new Map(cards.map((card) => [card.code, card])), cheapest: { at: 0 } },
});

/** The cards in force on a day. */
export interface RateBook extends CardList {
  /** The day that the book is for, `YYYY-MM-DD`. */
  readonly day: string;
  /** The requested minute in epoch milliseconds. Undefined if a day was requested. */
  readonly instant?: number;
  /** Whether any of its services has transit days. */
  readonly hasTransit?: boolean;
  /** The first day of each service of the tariffs, by code. It may be later. */
  readonly starts: ReadonlyMap<string, string>;
}

export interface Warehouse {
  readonly id: number;
  readonly name: string;
  readonly postalCode: string;
  readonly stateOrProvinceCode: string;
  readonly countryCode: string;
  /** Undefined if the client has not set it. */
  readonly shipping?: ShippingHours | undefined;
}

/** Returns the carrier's name of the zone of a price. */
export const carrierZoneOf = ({ card, column }: { readonly card: Card; readonly column: number }): string =>
  must(card.columns[column], 'the column of a price');
