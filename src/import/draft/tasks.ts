/**
 * The tasks of the process that works on tariff drafts: importing files, and comparing a draft with another tariff. `process.ts`
 * runs them.
 */
import { z } from 'zod';
import type { partsOf } from '../../catalog/tariff/diff/diff-parts.ts';
import type { ServiceChange } from '../../catalog/tariff/diff/diff-summary.ts';
import { partState } from '../../catalog/tariff/view/schemas.ts';
import type { ZoneChanges } from '../../catalog/tariff/zones-by-zip3.ts';
import { TARIFF_PARTS } from '../../rating/charges.ts';
import { readingProgress } from '../progress.ts';
import { reportBody } from '../report/body.ts';

export interface ImportTask {
  readonly kind: 'import';
  readonly files: readonly {
    readonly path: string;
    readonly origin?: string | undefined;
    /** The file that receives an operator's answer, if this file lacks its origin. */
    readonly answer: string;
  }[];
  readonly name: string;
  /** `YYYY-MM-DD` */
  readonly effective: string;
  /** Requested services, from those that are imported only on request. */
  readonly services: readonly string[];
  /** The folder of a tariff. Its files and decisions are kept. */
  readonly base: string | undefined;
  /** A JSON file with the document of the published tariff of this name. */
  readonly published: string | undefined;
  readonly origins: readonly TaskOrigin[];
  /** Where to write the tariff folder. */
  readonly into: string;
}

export interface CompareTask {
  readonly kind: 'compare';
  /** A JSON file with a tariff's document. */
  readonly before: string;
  /** A tariff folder. */
  readonly after: string;
  /** Whether it replaces the other tariff. If not, services that only the other one has stay in force. */
  readonly replaces: boolean;
  readonly origins: readonly TaskOrigin[];
}

export type DraftTask = ImportTask | CompareTask;

/** A warehouse in the United States. */
export interface TaskOrigin {
  readonly zip5: string;
  readonly label: string;
}

/** What a tariff has for a service, as found by `coverageOf`. */
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
  parts: z.record(z.enum(TARIFF_PARTS), partState),
});

export const importResult = z.union([
  /** Files that cannot be read, or services that no file has. */
  z.object({
    refused: z.array(z.object({ file: z.string(), reason: z.string(), lacksOrigin: z.boolean().default(false) })),
  }),
  z.object({
    /** Name and version; null if the files contain no rates. */
    tariff: z.string().nullable(),
    services: z.array(z.object({ code: z.string(), carrier: z.string() })),
    /** Unreadable cells and contradictions. */
    doubts: z.int(),
    errors: z.int(),
    report: reportBody,
    /** As of the first day; null if the tariff has errors. */
    coverage: z.object({ day: z.string(), services: z.array(serviceCoverage) }).nullable(),
  }),
]);
export type ImportResult = z.output<typeof importResult>;

export interface CompareResult extends Omit<ReturnType<typeof partsOf>, 'settings'> {
  /** Services of the other tariff that stay in force. */
  readonly stays: readonly string[];
  /** Rates by weight, for the services that differ. */
  readonly rates: readonly ServiceChange[];
  /** The number of settings that differ, and the first of them. */
  readonly settings: {
    readonly count: number;
    readonly first: readonly { readonly what: string; readonly before: string | null; readonly after: string | null }[];
  };
  readonly zoneChanges: readonly (ZoneChanges & { readonly labels: readonly string[] })[];
}

/** The lines that the process writes. */
export const taskLine = z.union([
  z.object({ progress: readingProgress }),
  z.object({ imported: importResult }),
  // Not validated: it is never stored, and both processes run the same version.
  z.object({ compared: z.custom<CompareResult>((value) => typeof value === 'object') }),
]);
export type TaskLine = z.output<typeof taskLine>;
