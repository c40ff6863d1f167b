/**
 * What a reader makes of one file that a carrier publishes: tables as they stand there, in our own shapes, and every
 * cell that it could not make sense of. Readers know formats, not tariffs: joining readings into a tariff is done
 * elsewhere. A reader is chosen by the file's content, never by its name.
 */
import type { AreaList, MultiweightTable, RateTable, SurchargeEntry, ZoneChart } from '../document.ts';

/** `FedEx`, `UPS`, or what an operator's own file calls another. */
type Carrier = string;

/** The rates of one service. Columns are the carrier's own zones (`5`, `17`, `302`). */
export interface RateReading {
  /** Service code of at most 10 characters, such as `FDX-2DAY`. */
  readonly code: string;
  readonly carrier: Carrier;
  readonly description: string;
  readonly dimensionalFactor?: number;
  readonly table: RateTable;
  /**
   * Where a number stands in the file, such as `page 14, row 37 lb, column 2Day`. `row` and `column` are those of
   * `table.cents`; the row after the last is the price per pound above it.
   */
  readonly source: (row: number, column: number) => string;
}

export interface MultiweightReading {
  readonly code: string;
  readonly carrier: Carrier;
  readonly table: MultiweightTable;
  readonly minimumTotalLb?: number;
  readonly minimumAverageLb?: number;
  /** As in `RateReading`; rows are the table's breaks. */
  readonly source: (row: number, column: number) => string;
}

export interface ChartReading {
  readonly carrier: Carrier;
  /** The origins that the chart is for: a ZIP3, a ZIP5 or a range of either (`070-076`). All its rows have it. */
  readonly origin: string;
  readonly chart: ZoneChart;
  /** The chart's column by service code, for the services whose column the file tells. */
  readonly columnOf: Readonly<Record<string, string>>;
}

export interface AreaReading {
  readonly carrier: Carrier;
  /** Name of the list: lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly list: AreaList;
}

/** A cell, or a larger piece, that holds something which could not be read. */
export interface Unreadable {
  /** Page or sheet, row and column as a person finds them: `page 12, row 37 lb, column zone 5`; `line 812, column Zone`. */
  readonly at: string;
  /** What stands there. */
  readonly text: string;
  readonly problem: string;
}

/** What one file held. Order is the file's own, so that the same bytes always give the same reading. */
export interface Reading {
  /** `FedEx list rates (PDF)`. */
  readonly kind: string;
  readonly rates: readonly RateReading[];
  readonly multiweight: readonly MultiweightReading[];
  readonly charts: readonly ChartReading[];
  readonly surcharges: readonly SurchargeEntry[];
  readonly areas: readonly AreaReading[];
  /** Date from which the file says that it holds, `YYYY-MM-DD`. */
  readonly effective?: string;
  readonly unreadable: readonly Unreadable[];
  /** What a person should know of it: tables passed over, footnotes understood. */
  readonly notes: readonly string[];
}

export interface ReadOptions {
  /** For files that do not say it themselves: a ZIP3, or a range of ZIP3s. */
  readonly origin?: string;
  /**
   * The file's name without folder and ending. It names a table that does not name itself (a rate grid's service, a list
   * of areas); what kind a file is, it never tells.
   */
  readonly label?: string;
  readonly signal?: AbortSignal;
}

/** One kind of container. Every reader is asked in turn; the first that accepts reads. */
export interface Reader {
  /** For people: `PDF`, `XLSX`, `FedEx zone CSV`. */
  readonly kind: string;
  /** By content alone; cheap. `bytes` is the whole file. */
  readonly accepts: (bytes: Uint8Array) => boolean;
  /** @throws RefusedFile where the file as a whole cannot be read */
  readonly read: (bytes: Uint8Array, options: ReadOptions) => Promise<Reading>;
}

/** A file that is not read at all: over a limit, damaged, of no known kind. The message is for the operator. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
}

/** Files over this are refused before they are read. The carriers' own are below 2 MB. */
export const MAX_SOURCE_BYTES = 50 * 1024 * 1024;
