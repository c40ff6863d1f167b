/**
 * Shared by the readers of carriers' files: the tables that a reader returns, prices in text, and parsing in a sandbox. Each
 * reader parses one file, and `import.ts` joins the results. The reader is chosen by a file's content, never by its name.
 */

import { type Options, parse } from 'csv-parse/sync';
import type { z } from 'zod';
import type {
  AreaList,
  CubicTable,
  MultiweightTable,
  RateTable,
  ServiceEntry,
  SurchargeEntry,
  TransitRow,
  ZoneChart,
} from '../../catalog/tariff/document.ts';
import { rangeText, ZIP3S, ZIP5S_PER_ZIP3 } from '../../catalog/tariff/zip.ts';
import { fill, type Job, linesOfConfined, type ProcessLimits, unnamedFile } from '../../files/sandbox/run.ts';
import { OverLimit, UnreadableFile } from '../../files/unreadable-file.ts';

/** `FedEx`, `UPS`, or another carrier's name from an operator's file. */
type Carrier = string;

/** Prices of one service. Columns are the carrier's own zones (`5`, `17`, `302`). */
export interface ParsedPrices<Table> {
  /** Service code of at most 10 characters, such as `FDX-2DAY`. */
  readonly code: string;
  readonly carrier: Carrier;
  readonly table: Table;
  /** The place of a number in the file, such as `page 14, row 37 lb, column 2Day`. Rows are those of `rowsOf` of its form. */
  readonly source: (row: number, column: number) => string;
}

/** Prices by weight: ounces, pounds, and the price per pound. */
export interface ParsedRates extends ParsedPrices<RateTable> {
  readonly description: string;
  readonly dimensionalFactor?: number;
  /** What the file says about the service in addition to its rates. */
  readonly terms?: Partial<Pick<ServiceEntry, 'maximumActualLb' | 'dimensionalOverCubicIn' | 'hasNo'>>;
  /** Only imported on request: a price for packaging that few shippers use. */
  readonly onRequest?: true;
}

export interface ParsedMultiweight extends ParsedPrices<MultiweightTable> {
  readonly terms: Partial<NonNullable<ServiceEntry['multiweight']>>;
}

/** Cubic prices for small packages. */
export interface ParsedCubic extends ParsedPrices<CubicTable> {
  readonly terms: NonNullable<ServiceEntry['cubic']>;
}

/** Replaces a service code and means every service without a column of its own. */
export const ALL_SERVICES = '*';

export interface ParsedChart {
  /** A carrier, or `ALL_SERVICES`. */
  readonly carrier: Carrier;
  /** The chart's origin: a ZIP3, a ZIP5 or a range of either (`070-076`). All its rows have this origin. */
  readonly origin: string;
  /** Whether the carrier's file states the origin, so that nobody had to enter it. */
  readonly statesOrigin?: true;
  readonly chart: ZoneChart;
  /** The chart's column by service code, as far as the file states it. */
  readonly columnOf: Readonly<Record<string, string>>;
}

export interface ParsedAreas {
  /** Name of the list: lowercase letters, digits and hyphens. */
  readonly name: string;
  /** Absent if the file does not name the carrier of these areas. */
  readonly carrier?: Carrier;
  readonly list: AreaList;
}

/** A carrier and services, as a file names them. */
export interface Charged {
  readonly carrier: Carrier;
  /** Service codes, or groups of the carrier's services such as `ground`. Empty: all services of the carrier. */
  readonly services: readonly string[];
}

/** One charge of a carrier. `import.ts` finds its services and its area list. */
export interface ParsedCharge extends Charged {
  /** The place in words for people, as in `Unreadable`. */
  readonly at: string;
  /** The area tier. It is in one of the carrier's own lists. */
  readonly tier?: string;
  /** Without `services`, `source` and `when.area`. `from` and `until` are as stated in the file. */
  readonly entry: Omit<SurchargeEntry, 'services' | 'source'>;
}

/** A fuel surcharge with its first day. */
export interface ParsedFuel extends Charged {
  readonly at: string;
  /** `YYYY-MM-DD`. */
  readonly from: string;
  /** A percentage with at most two decimals. */
  readonly percent: string;
}

/** Business days for services from one origin. */
export interface ParsedTransit {
  readonly carrier: Carrier;
  readonly rows: readonly TransitRow[];
}

/** Content of the file that the tariff omits: a charge for something that quotes lack, or another country. */
export interface NotTaken {
  readonly at: string;
  readonly text: string;
  readonly reason: string;
}

/** A cell or a larger part of a file that could not be read. */
export interface Unreadable {
  /** The place in words for people: `page 12, row 37 lb, column zone 5`; `line 812, column Zone`. */
  readonly at: string;
  readonly text: string;
  readonly problem: string;
}

/** What a reader says about the parts that it did not take, collected while it reads. */
export class Findings {
  readonly unreadable: Unreadable[] = [];
  readonly notes: string[] = [];

  /** @returns the reading of what cannot be read: nothing */
  refuse(at: string, text: string, problem: string): [] {
    this.unreadable.push({ at, text, problem });
    return [];
  }
}

/** The content of one file, in the file's order. The same bytes always give the same reading. */
export interface ParsedFile {
  /** For example, `FedEx list rates (PDF)`. */
  readonly kind: string;
  readonly rates: readonly ParsedRates[];
  readonly multiweight: readonly ParsedMultiweight[];
  readonly cubic: readonly ParsedCubic[];
  readonly charts: readonly ParsedChart[];
  readonly charges: readonly ParsedCharge[];
  readonly fuel: readonly ParsedFuel[];
  readonly areas: readonly ParsedAreas[];
  readonly transit: readonly ParsedTransit[];
  readonly notTaken: readonly NotTaken[];
  /** The effective date in the file, `YYYY-MM-DD`. */
  readonly effective?: string;
  /** The year of the rates, if the file does not state a date. */
  readonly year?: string;
  readonly unreadable: readonly Unreadable[];
  /** For the operator: skipped tables, applied footnotes. */
  readonly notes: readonly string[];
}

/** The tables that are joined across files one by one. */
export type TableKind = Exclude<keyof typeof NO_TABLES, 'charges' | 'notTaken'>;

/** A reading without tables, for readers that return only some kinds of tables. */
export const NO_TABLES = {
  rates: [],
  multiweight: [],
  cubic: [],
  charts: [],
  charges: [],
  fuel: [],
  areas: [],
  transit: [],
  notTaken: [],
} as const satisfies Partial<ParsedFile>;

/** A file and its reading. */
export interface Source {
  /** File name without folder. */
  readonly file: string;
  readonly sha256: string;
  readonly reading: ParsedFile;
}

export interface ReadOptions {
  /** A ZIP3 or a range of ZIP3s, for files that do not state their origin. */
  readonly origin?: string;
  /** The ZIP5s of the warehouses, for nationwide files. */
  readonly shipsFrom?: readonly string[];
  /**
   * The file's name without folder and extension. It names a table that has no name of its own: a rate grid's service, an area
   * list, a zone list's origin. It never decides the kind of file.
   */
  readonly label?: string;
  readonly signal?: AbortSignal;
}

/** The given origin, or else the ZIP3 in the file's name, if there is exactly one: `Phoenix-850`. */
export const givenOrigin = ({ origin, label = '' }: ReadOptions): string | undefined => {
  const [found, ...others] = label.match(/(?<!\d)\d{3}(?!\d)/g) ?? [];
  return origin ?? (others.length === 0 ? found : undefined);
};

/** Notes for the operator, if the origin comes from the file's name. */
export const originNotes = ({ origin }: ReadOptions, taken: string): string[] =>
  origin === undefined ? [`the origin ${taken} is taken from the file's name`] : [];

/** Reads one file format. The first reader that accepts a file is used. */
export interface Reader {
  /** Must be cheap and decide only by content. `bytes` is the whole file. */
  readonly accepts: (bytes: Uint8Array) => boolean;
  /** Whether its files need an origin that the options lack. Absent: its files state their origin. */
  readonly lacksOrigin?: (options: ReadOptions) => boolean;
  /** @throws RefusedFile if the file as a whole cannot be read */
  readonly read: (bytes: Uint8Array, options: ReadOptions) => Promise<ParsedFile>;
}

/** A file that cannot be read at all: over a limit, damaged, or of an unknown kind. The message is for the operator. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
}

/** The largest file that is read. Carriers' own files are below 2 MB. */
export const MAX_SOURCE_BYTES = 50 * 1024 * 1024;

const NO_RATE = /^(?:[-–—]+|n\/?a)$/i;
const PRICE = /^\$? ?(\d{1,3}(?:,\d{3})+|\d{1,6})(?:\.(\d{1,2}))?$/;

/** Parses `$1,234.5` as 123450 cents. Null if the text means no rate (`-`, `N/A`). Undefined for any other text. */
export const centsInText = (text: string): number | null | undefined => {
  if (NO_RATE.test(text)) return null;
  const [, whole = '', fraction = ''] = PRICE.exec(text) ?? [];
  if (whole === '') return undefined;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
  return cents > 0 ? cents : undefined;
};

/** The lines of a text, or those in its first bytes. */
export const linesIn = (bytes: Uint8Array, most = bytes.length): string[] =>
  new TextDecoder().decode(bytes.subarray(0, most)).split(/\r?\n/);

const refusal = (error: unknown): unknown => {
  if (error instanceof OverLimit) return new RefusedFile(`it is too large to read: ${error.words}`);
  return error instanceof UnreadableFile ? new RefusedFile(`it ${error.problem}`, { cause: error }) : error;
};

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Parses a file in a process with limits.
 * @param line the schema of the JSON lines that the program writes
 * @returns these lines
 * @throws RefusedFile if the file is damaged or over a limit, or if parsing takes too much time or memory
 */
export async function* parseInSandbox<Line>(
  bytes: Uint8Array,
  { line, limits, ...job }: Omit<Job, 'file'> & { readonly line: z.ZodType<Line>; readonly limits?: ProcessLimits },
): AsyncGenerator<Line> {
  job.signal?.throwIfAborted();
  try {
    const file = await unnamedFile();
    try {
      await fill(file, inPieces(bytes), 'file', MAX_SOURCE_BYTES);
      yield* linesOfConfined({ ...job, file }, line, limits);
    } finally {
      await file.close();
    }
  } catch (error) {
    job.signal?.throwIfAborted();
    throw refusal(error);
  }
}

/** Packs days by ZIP code into rows with as few ranges as possible. @param days by ZIP5; 0 if not stated */
export const dayRows = (services: readonly string[], origin: string, days: Uint8Array): TransitRow[] => {
  const rows: { destination: string; days: number }[] = [];
  for (let from = 0, zip = 1; zip <= ZIP3S * ZIP5S_PER_ZIP3; zip++) {
    if (days[zip] === days[from]) continue;
    const own = days[from] ?? 0;
    if (own !== 0) rows.push({ destination: rangeText({ from, to: zip - 1 }), days: own });
    from = zip;
  }
  return services.flatMap((service) => rows.map((row) => ({ service, origin, ...row })));
};

/* Reads CSVs from carriers and operators. */

const MAX_RECORD_BYTES = 64 * 1024;
const SEPARATORS = [',', ';', '\t'];

export const countOf = (mark: string, text: string): number => text.split(mark).length;

/** The most frequent separator. */
export const separatorOf = (text: string): string =>
  SEPARATORS.reduce((best, mark) => (countOf(mark, text) > countOf(best, text) ? mark : best));

/**
 * Reads the records of a CSV. Their lengths may differ.
 * @param content text, or bytes that must be UTF-8
 * @throws RefusedFile if it is not CSV
 */
export const csvRecords = (content: string | Uint8Array, options: Options<string[]> = {}): string[][] => {
  try {
    const text = typeof content === 'string' ? content : new TextDecoder('utf-8', { fatal: true }).decode(content);
    return parse(text, { relax_column_count: true, max_record_size: MAX_RECORD_BYTES, ...options });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RefusedFile(`it cannot be read as CSV: ${reason}`, { cause: error });
  }
};
