/**
 * What the readers of carriers' files share: the tables that a reader returns, prices in text, and parsing in a sandbox.
 * Readers parse one file each; `import.ts` joins what they return. The content of a file decides which reader reads it,
 * never its name.
 */
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
import { linesOfConfined, type ProcessLimits } from '../../files/sandbox/run.ts';
import { spool } from '../../files/sandbox/unnamed-file.ts';
import { OverLimit, UnreadableFile } from '../../files/unreadable-file.ts';

/** `FedEx`, `UPS`, or the name of another carrier in an operator's file. */
type Carrier = string;

/** The rates of one service. Columns are the carrier's own zones (`5`, `17`, `302`). */
export interface ParsedRates {
  /** Service code of at most 10 characters, such as `FDX-2DAY`. */
  readonly code: string;
  readonly carrier: Carrier;
  readonly description: string;
  readonly dimensionalFactor?: number;
  /** What the file says of the service beside its rates. */
  readonly terms?: Partial<Pick<ServiceEntry, 'maximumActualLb' | 'dimensionalOverCubicIn' | 'hasNo'>>;
  /** An import takes it only if it is asked for: a price for packaging that few shippers use. */
  readonly onRequest?: true;
  readonly table: RateTable;
  /**
   * The place of a number in the file, such as `page 14, row 37 lb, column 2Day`. Rows are those of `RATES.rowsOf`: of
   * ounces, of pounds, and the price per pound.
   */
  readonly source: (row: number, column: number) => string;
}

export interface ParsedMultiweight {
  readonly code: string;
  readonly carrier: Carrier;
  readonly table: MultiweightTable;
  readonly terms: Partial<NonNullable<ServiceEntry['multiweight']>>;
  /** As in `ParsedRates`; rows are the table's breaks. */
  readonly source: (row: number, column: number) => string;
}

/** Prices by volume for small packages. */
export interface ParsedCubic {
  readonly code: string;
  readonly carrier: Carrier;
  readonly table: CubicTable;
  readonly terms: NonNullable<ServiceEntry['cubic']>;
  /** As in `ParsedRates`; rows are the table's tiers. */
  readonly source: (row: number, column: number) => string;
}

/** In place of a service code: every service that has no column of its own. */
export const ALL_SERVICES = '*';

export interface ParsedChart {
  /** A carrier, or `ALL_SERVICES`. */
  readonly carrier: Carrier;
  /** The origins of the chart: a ZIP3, a ZIP5 or a range of either (`070-076`). All its rows have this origin. */
  readonly origin: string;
  /** The carrier's own file states the origin. Nobody has typed it. */
  readonly statesOrigin?: true;
  readonly chart: ZoneChart;
  /** The chart's column by service code, as far as the file tells. */
  readonly columnOf: Readonly<Record<string, string>>;
}

export interface ParsedAreas {
  /** Name of the list: lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Absent if the file does not say whose areas these are. */
  readonly carrier?: Carrier;
  readonly list: AreaList;
}

/** One charge of a carrier. `import.ts` finds its services and its list of areas. */
export interface ParsedCharge {
  readonly carrier: Carrier;
  /** Service codes, or groups of the carrier's services such as `ground`. Empty: all services of the carrier. */
  readonly services: readonly string[];
  /** The place as a person finds it, as in `Unreadable`. */
  readonly at: string;
  /** The area tier. The list is the carrier's own that has this tier. */
  readonly tier?: string;
  /** Without `services`, `source` and `when.area`. `from` and `until` are as the file states them. */
  readonly entry: Omit<SurchargeEntry, 'services' | 'source'>;
}

/** A fuel surcharge from a day on. */
export interface ParsedFuel {
  readonly carrier: Carrier;
  /** As in `ChargeReading`. */
  readonly services: readonly string[];
  readonly at: string;
  /** `YYYY-MM-DD`. */
  readonly from: string;
  /** A percentage with at most two decimals. */
  readonly percent: string;
}

/** Business days of services from one origin. */
export interface ParsedTransit {
  readonly carrier: Carrier;
  readonly rows: readonly TransitRow[];
}

/** Something that the file says and the tariff does not take: a charge for what a quote does not have, another country. */
export interface NotTaken {
  readonly at: string;
  readonly text: string;
  readonly reason: string;
}

/** A cell or a larger piece that could not be read. */
export interface Unreadable {
  /** The place as a person finds it: `page 12, row 37 lb, column zone 5`; `line 812, column Zone`. */
  readonly at: string;
  readonly text: string;
  readonly problem: string;
}

/** The content of one file, in the file's order: the same bytes always give the same reading. */
export interface ParsedFile {
  /** `FedEx list rates (PDF)`. */
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
  /** The effective date that the file states, `YYYY-MM-DD`. */
  readonly effective?: string;
  /** The year of the rates, if the file states no more. */
  readonly year?: string;
  readonly unreadable: readonly Unreadable[];
  /** For the operator: skipped tables, footnotes that were applied. */
  readonly notes: readonly string[];
}

/** The tables of a file that are joined with those of others one by one. */
export type TableKind = Exclude<keyof typeof NO_TABLES, 'charges' | 'notTaken'>;

/** A reading without tables, for readers of some kinds of tables. */
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
  /** Name without folder. */
  readonly file: string;
  readonly sha256: string;
  readonly reading: ParsedFile;
}

export interface ReadOptions {
  /** A ZIP3 or a range of ZIP3s, for files that do not state their origin. */
  readonly origin?: string;
  /** The ZIP5s of the warehouses, for files of the whole country. */
  readonly shipsFrom?: readonly string[];
  /**
   * The file's name without folder and extension. It names a table that does not name itself: a rate grid's service, a
   * list of areas, the origin of a zone list. It never decides the kind of a file.
   */
  readonly label?: string;
  readonly signal?: AbortSignal;
}

/** The origin that is given, or the ZIP3 that the file's name states, if it states just one: `Phoenix-850`. */
export const givenOrigin = ({ origin, label = '' }: ReadOptions): string | undefined => {
  const [found, ...others] = label.match(/(?<!\d)\d{3}(?!\d)/g) ?? [];
  return origin ?? (others.length === 0 ? found : undefined);
};

/** For the operator, where the origin is not given and the name's is taken. */
export const originNotes = ({ origin }: ReadOptions, taken: string): string[] =>
  origin === undefined ? [`the origin ${taken} is taken from the file's name`] : [];

/** Reads one file format. The first reader that accepts a file reads it. */
export interface Reader {
  /** Cheap, and by content alone. `bytes` is the whole file. */
  readonly accepts: (bytes: Uint8Array) => boolean;
  /** Whether its files need an origin that the options do not give. Absent: they state theirs. */
  readonly lacksOrigin?: (options: ReadOptions) => boolean;
  /** @throws RefusedFile if the file as a whole cannot be read */
  readonly read: (bytes: Uint8Array, options: ReadOptions) => Promise<ParsedFile>;
}

/** A file that cannot be read at all: over a limit, damaged, of no known kind. The message is for the operator. */
export class RefusedFile extends Error {
  override readonly name = 'RefusedFile';
}

/** The largest file that is read. The carriers' own are below 2 MB. */
export const MAX_SOURCE_BYTES = 50 * 1024 * 1024;

const NO_RATE = /^(?:[-–—]+|n\/?a)$/i;
const PRICE = /^\$? ?(\d{1,3}(?:,\d{3})+|\d{1,6})(?:\.(\d{1,2}))?$/;

/** `$1,234.5` is 123450 cents; null if the text says that there is no rate (`-`, `N/A`); undefined for any other text. */
export const centsInText = (text: string): number | null | undefined => {
  if (NO_RATE.test(text)) return null;
  const [, whole = '', fraction = ''] = PRICE.exec(text) ?? [];
  if (whole === '') return undefined;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
  return cents > 0 ? cents : undefined;
};

export interface SandboxedParser<Line> {
  /** As in `Job`. */
  readonly program: string;
  readonly task: unknown;
  /** The schema of the JSON lines that the program writes. */
  readonly line: z.ZodType<Line>;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: ProcessLimits | undefined;
}

const refusal = (error: unknown): unknown => {
  if (error instanceof OverLimit)
    return new RefusedFile(`it is too large to read: ${error.limit} is at most ${error.most}`);
  return error instanceof UnreadableFile ? new RefusedFile(`it ${error.problem}`, { cause: error }) : error;
};

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Parses a file in a process with limits.
 * @returns the JSON lines that the program writes
 * @throws RefusedFile if the file is damaged or over a limit, or if parsing takes too much time or memory
 */
export async function* parseInSandbox<Line>(
  bytes: Uint8Array,
  { program, task, line, signal, limits }: SandboxedParser<Line>,
): AsyncGenerator<Line> {
  signal?.throwIfAborted();
  try {
    const file = await spool(inPieces(bytes), 'file', MAX_SOURCE_BYTES);
    try {
      yield* linesOfConfined({ program, task, file, signal }, line, limits);
    } finally {
      await file.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw refusal(error);
  }
}
