/** What downloads and corrections of a batch may say in their query. */
import type { Request } from 'express';
import { z } from 'zod';
import type { Reading } from '../list/columns.ts';
import { readingOf, readingParameters } from '../list/reading.ts';
import type { Fault } from '../rating/fault.ts';
import { downloadForm, filenameOf, invalid } from './batch-options.ts';

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

export const correctionQuery = z.strictObject({
  filename: z.string().min(1).max(255).optional(),
  encoding: readingParameters.encoding,
  delimiter: readingParameters.delimiter,
  sheet: readingParameters.sheet,
});

export interface CorrectionOptions {
  readonly filename: string | undefined;
  readonly reading: Reading;
}

export const readCorrectionOptions = (req: Request): CorrectionOptions | Fault => {
  const parsed = correctionQuery.safeParse(req.query);
  if (!parsed.success) return invalid(parsed.error);
  return { filename: filenameOf(req, parsed.data.filename), reading: readingOf(parsed.data) };
};
