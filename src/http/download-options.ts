/** What downloads and corrections of a batch may say in their query. */
import type { Request } from 'express';
import { z } from 'zod';
import type { Fault } from '../rating/fault.ts';
import type { Reading } from '../rows/columns.ts';
import { readingOf } from '../rows/list-options.ts';
import type { Repair } from '../rows/repair.ts';
import { createQuery, downloadForm, filenameOf, invalid } from './batch-options.ts';

const downloadQuery = z.strictObject({
  partial: z.enum(['true', 'false'], 'must be true or false').optional(),
  revision: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1')
    .transform(Number)
    .optional(),
  ...downloadForm,
});

/** What each download may be asked; the rows not processed are as they came in. */
export const DOWNLOAD_QUERIES = {
  output: downloadQuery,
  faults: downloadQuery.omit({ partial: true }),
  unprocessed: z.strictObject({}),
  summary: downloadQuery.pick({ revision: true }),
} as const;

export interface DownloadOptions {
  readonly partial: boolean;
  readonly revision: number | undefined;
  readonly form: { readonly format?: 'csv' | 'xlsx' | undefined; readonly output?: 'excel' | 'plain' | undefined };
}

export const readDownloadOptions = (req: Request, what: keyof typeof DOWNLOAD_QUERIES): DownloadOptions | Fault => {
  const parsed = DOWNLOAD_QUERIES[what].safeParse(req.query);
  if (!parsed.success) return invalid(parsed.error);
  const { partial, revision, format, output } = downloadQuery.parse(req.query);
  return { partial: partial === 'true', revision, form: { format, output } };
};

/** The options of the upload: how the file is written, what is mended in it, and what the batch was created with. */
export const correctionQuery = createQuery.omit({ preview: true, bytes: true });

export interface CorrectionOptions {
  readonly filename: string | undefined;
  /** How the corrections are written. */
  readonly reading: Pick<Reading, 'encoding' | 'delimiter' | 'sheet'>;
  /** What is mended in them, beside what the batch mends in every row. */
  readonly repairs: readonly Repair[];
}

/** What corrections say for themselves; all other options are the batch's. */
const OWN_OPTIONS = new Set(['filename', 'encoding', 'delimiter', 'sheet', 'repair']);

/** An option that the batch was not created with cannot hold for some of its rows alone. */
const otherThan = (given: Readonly<Record<string, unknown>>, options: Readonly<Record<string, string>>) =>
  Object.entries(given)
    .filter(([name, value]) => !OWN_OPTIONS.has(name) && value !== undefined && value !== options[name])
    .map(([path]) => ({
      path,
      message:
        options[path] === undefined
          ? 'must be left out: the batch was created without it'
          : `must be ${JSON.stringify(options[path])}, as the batch was created with, or left out`,
    }));

/** @param options of the batch, as its upload gave them */
export const readCorrectionOptions = (
  req: Request,
  options: Readonly<Record<string, string>>,
): CorrectionOptions | Fault => {
  const parsed = correctionQuery.safeParse(req.query);
  if (!parsed.success) return invalid(parsed.error);
  const issues = otherThan(parsed.data, options);
  if (issues.length > 0) return { type: 'getRates.invalidRequest', issues };
  const { encoding, delimiter, sheet, repairs = [] } = readingOf(parsed.data);
  return { filename: filenameOf(req, parsed.data.filename), reading: { encoding, delimiter, sheet }, repairs };
};
