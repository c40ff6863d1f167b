/**
 * The work on drafts of tariffs that a process of its own does: importing files, and comparing a draft with another tariff.
 * `process.ts` does it.
 */
import { z } from 'zod';
import { reportBody } from '../report/body.ts';

export interface ImportTask {
  readonly kind: 'import';
  readonly files: readonly { readonly path: string; readonly origin?: string | undefined }[];
  readonly name: string;
  /** `YYYY-MM-DD` */
  readonly effective: string;
  /** Services that are taken only on request. */
  readonly services: readonly string[];
  /** The folder of a tariff whose files and decisions are kept. */
  readonly base: string | undefined;
  /** A file with the document of the published tariff of the name, as JSON. */
  readonly published: string | undefined;
  readonly origins: readonly TaskOrigin[];
  /** Where to write the tariff's folder. */
  readonly into: string;
}

export interface CompareTask {
  readonly kind: 'compare';
  /** A file with a tariff's document as JSON. */
  readonly before: string;
  /** The folder of a tariff. */
  readonly after: string;
  readonly origins: readonly TaskOrigin[];
}

export type DraftTask = ImportTask | CompareTask;

/** A warehouse in the United States. */
export interface TaskOrigin {
  readonly zip5: string;
  readonly label: string;
}

const partState = z.enum(['present', 'missing', 'none']);

/** What a tariff has for a service, as `coverageOf` finds it. */
const serviceCoverage = z.object({
  service: z.string(),
  zones: z.object({
    origins: z.array(z.string()),
    warehouses: z.array(
      z.object({ warehouse: z.string(), zones: z.enum(['charted', 'distance', 'estimated', 'unreached']) }),
    ),
  }),
  fuel: z.object({ percent: z.string().optional(), lastDay: z.string().optional(), nextDay: z.string().optional() }),
  areas: z.object({ tiers: z.array(z.string()), zipCodes: z.int() }),
  limits: z.object({ lengthIn: z.int().nullable(), lengthPlusGirthIn: z.int().nullable() }),
  parts: z.object({
    fuel: partState,
    residential: partState,
    deliveryArea: partState,
    handling: partState,
    limits: partState,
    signature: partState,
    saturday: partState,
    declaredValue: partState,
  }),
});

export const importResult = z.union([
  /** Files that cannot be read, or services that no file has. */
  z.object({ refused: z.array(z.object({ file: z.string(), reason: z.string() })) }),
  z.object({
    /** Name and version; null if the files contain no rates. */
    tariff: z.string().nullable(),
    services: z.array(z.object({ code: z.string(), carrier: z.string() })),
    /** Unreadable cells and contradictions. */
    doubts: z.int(),
    errors: z.int(),
    report: reportBody,
    /** On the first day; null if the tariff has errors. */
    coverage: z.object({ day: z.string(), services: z.array(serviceCoverage) }).nullable(),
  }),
]);
export type ImportResult = z.output<typeof importResult>;

const counts = z.array(z.object({ file: z.string(), added: z.int(), removed: z.int(), changed: z.int() }));
const change = z.object({ cells: z.int(), averageHundredths: z.int() });

export const compareResult = z.object({
  /** Rates by weight, of services that differ. Averages are hundredths of a percent. */
  rates: z.array(
    z.object({
      code: z.string(),
      added: z.int(),
      removed: z.int(),
      changed: z.int(),
      cells: z.int(),
      averageHundredths: z.int(),
      largest: z
        .object({
          weightLb: z.int(),
          column: z.string(),
          before: z.string(),
          after: z.string(),
          percent: z.string(),
        })
        .optional(),
      columns: z.array(z.string()),
      bands: z.array(z.object({ fromLb: z.int(), toLb: z.int(), byColumn: z.array(change.nullable()) })),
    }),
  ),
  otherRows: counts,
  cubic: counts,
  multiweight: counts,
  zones: counts,
  areas: counts,
  removed: z.array(z.string()),
  added: z.array(z.string()),
  /** How many settings differ, and the first of them. */
  settings: z.object({
    count: z.int(),
    first: z.array(z.object({ what: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  }),
  /** By origin; services with the same changes are together. `changed` has zones before and after by ZIP3. */
  zoneChanges: z.array(
    z.object({
      services: z.array(z.string()),
      origin: z.string(),
      labels: z.array(z.string()),
      changed: z.record(z.string(), z.tuple([z.string().nullable(), z.string().nullable()])),
    }),
  ),
});
export type CompareResult = z.output<typeof compareResult>;

/** What the process writes, line by line. `read`: so many files have been read. */
export const taskLine = z.union([
  z.object({ read: z.int() }),
  z.object({ imported: importResult }),
  z.object({ compared: compareResult }),
]);
export type TaskLine = z.output<typeof taskLine>;
