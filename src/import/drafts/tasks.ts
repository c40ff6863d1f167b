/**
 * The tasks of the process that works on tariff drafts: importing files, and comparing a draft with another tariff. `process.ts`
 * runs them.
 */
import { z } from 'zod';
import { fileOf } from '../../base/process/programs.ts';
import type { CoveredOrigin } from '../../catalog/tariff/coverage.ts';
import type { partsOf } from '../../catalog/tariff/diff/diff.ts';
import type { ServiceChange } from '../../catalog/tariff/diff/diff-summary.ts';
import type { ZoneChanges } from '../../catalog/tariff/zones-by-zip3.ts';
import { createFairSlots, type FairSlots } from '../../files/sandbox/fair-slots.ts';
import { linesOfConfined, type ProcessLimits } from '../../files/sandbox/run.ts';
import { OverLimit, UnreadableFile } from '../../files/unreadable-file.ts';
import { TARIFF_PARTS } from '../../rating/charges.ts';
import { reportBody } from '../report/body.ts';

/** How far an import has read its files. */
export const readingProgress = z.object({
  /** Number of files that have been read. */
  read: z.int(),
  of: z.int(),
  /** Names of the files that are being read. */
  reading: z.array(z.string()).default([]),
  /** Names of the files that wait for an operator to enter their origin. */
  waiting: z.array(z.string()).default([]),
});
export type ReadingProgress = Readonly<z.output<typeof readingProgress>>;

export interface ImportTask {
  readonly kind: 'import';
  readonly files: readonly {
    readonly path: string;
    readonly origin?: string | undefined;
    /** The file that receives an operator's answer, if this file lacks its origin. */
    readonly answer: string;
  }[];
  /** The tariff's name. */
  readonly name: string;
  /** `YYYY-MM-DD` */
  readonly effective: string;
  /** Requested services, from those that are imported only on request. */
  readonly services: readonly string[];
  /** The folder of a tariff. Its files and decisions are kept. */
  readonly base: string | undefined;
  /** A JSON file with the document of the published tariff of this name. */
  readonly published: string | undefined;
  /** The clients' warehouses, or none if they are unknown. */
  readonly origins: readonly CoveredOrigin[];
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
  readonly origins: readonly CoveredOrigin[];
}

export type DraftTask = ImportTask | CompareTask;

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
  /** Whether a part of the price is in the tariff, missing, or not charged by the carrier. */
  parts: z.record(z.enum(TARIFF_PARTS), z.enum(['present', 'missing', 'none'])),
});

const text = z.string().default('');
/** A tariff that an import made. */
const importedTariff = z.object({
  /** Name and version; null if the files contain no rates. */
  tariff: z.string().nullable(),
  /** The tariff with this name at the time of the import, from which it keeps the operators' decisions. */
  on: z.string().nullable().default(null),
  /** Older imports have no descriptions and no sample prices. */
  services: z.array(z.object({ code: z.string(), carrier: z.string(), description: text, sample: text })),
  /** Unreadable cells and contradictions. */
  doubts: z.int(),
  errors: z.int(),
  report: reportBody,
  /** As of the first day; null if the tariff has errors. */
  coverage: z.object({ day: z.string(), services: z.array(serviceCoverage) }).nullable(),
});

export const importResult = z.union([
  /** Files that cannot be read, or services that no file has. */
  z.object({
    refused: z.array(z.object({ file: z.string(), reason: z.string(), lacksOrigin: z.boolean().default(false) })),
  }),
  importedTariff,
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

/* Starts the process that works on tariff drafts. Only one runs at a time, with limits of memory and time. */

/** All carriers' files for one year take 0.5 GB and a minute. The processes that read single files have their own limits. */
const LIMITS: ProcessLimits = { heapMb: 1_536, memoryMb: 2_048, processorS: 600, silentS: 300 };
const DEADLINE_MS = 900_000;
/** Limits on operators' tasks, running and waiting. */
const SLOTS = { running: 1, openPerClient: 3, open: 6 };

/** The task could not be done. The message is for users. */
export class TaskRefused extends Error {
  override readonly name = 'TaskRefused';
}

export interface TaskOptions {
  /** The user who requests the task. */
  readonly by: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReadingProgress) => void;
}

export type DraftTasks = ReturnType<typeof createDraftTasks>;

const refusal = (error: unknown, late: AbortSignal): unknown => {
  if (late.aborted) return new TaskRefused(`It took more than ${DEADLINE_MS / 60_000} minutes.`);
  if (error instanceof OverLimit) return new TaskRefused(`It is too much: ${error.words}.`);
  return error instanceof UnreadableFile ? new TaskRefused(`The tariff ${error.problem}.`) : error;
};

/** Runs a task when it is its turn. @returns the last line that the process writes */
const run = async (slots: FairSlots, task: DraftTask, { by, signal, onProgress }: TaskOptions): Promise<TaskLine> => {
  const slot = slots.enter(by);
  if (slot === undefined) throw new TaskRefused('Too many imports and comparisons wait. Try again in a minute.');
  const late = AbortSignal.timeout(DEADLINE_MS);
  try {
    await slot.turn();
    const job = {
      program: fileOf('import/drafts/process'),
      task,
      signal: signal === undefined ? late : AbortSignal.any([late, signal]),
    };
    let last: TaskLine | undefined;
    for await (const line of linesOfConfined(job, taskLine, LIMITS)) {
      last = line;
      if ('progress' in line) onProgress?.(line.progress);
    }
    if (last === undefined) throw new Error('the process ended without a result');
    return last;
  } catch (error) {
    throw refusal(error, late);
  } finally {
    slot.release();
  }
};

/** The tasks share their slots. They throw a {TaskRefused} if too many wait, or if one takes too much time or memory. */
export const createDraftTasks = () => {
  const slots = createFairSlots(SLOTS);
  return {
    import: async (task: ImportTask, options: TaskOptions): Promise<ImportResult> => {
      const line = await run(slots, task, options);
      if ('imported' in line) return line.imported;
      throw new Error('the process did not import');
    },
    compare: async (task: CompareTask, options: TaskOptions): Promise<CompareResult> => {
      const line = await run(slots, task, options);
      if ('compared' in line) return line.compared;
      throw new Error('the process did not compare');
    },
  };
};
