/**
 * Answers and queries of the console's own calls. The pages take their types from here; tests check answers against them.
 * The calls that it shares with the API (`/console/v1/…`) are those of the OpenAPI document.
 */
import { z } from 'zod';
import { HEADER_KEY, keptMapping } from '../../batch/kept-mappings.ts';
import { ROW_ORDERS } from '../../batch/sorted-rows.ts';
import { SCOPES } from '../../clients/clients.ts';
import { FIELD_NAMES } from '../../rating/fields.ts';
import { rateQuoteSchema } from '../../rating/quote.ts';
import { BAND_KEYS } from '../../rows/tally.ts';
import { DOWNLOAD_QUERIES } from '../batch-options.ts';

/** `GET` and `POST /console/session`. */
export const sessionBody = z.object({
  /** Who is signed in; null if nobody is. */
  client: z.object({ id: z.string(), name: z.string(), scopes: z.array(z.enum(SCOPES)) }).nullable(),
  /** The value of `X-CSRF-Token` for every call that changes something. */
  csrf: z.string().nullable(),
  /** Credentials for trying things out; empty if the service does not accept them. */
  samples: z.array(z.object({ client_id: z.string(), client_secret: z.string() })),
});
export type SessionBody = z.output<typeof sessionBody>;

/** `GET /console/mappings`, the mappings saved last first. */
export const mappingsBody = z.object({ mappings: z.array(keptMapping), most: z.int() });
export const mappingsQuery = z.strictObject({
  headerKey: z.string().regex(HEADER_KEY, 'must be the headerKey of a preview').optional(),
});

/** `GET /console/drafts`: the names of agreements that the client may ask about in comparisons. */
export const draftsBody = z.object({ drafts: z.array(z.string()) });
export type DraftsBody = z.output<typeof draftsBody>;

const warehouseId = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be the number of a warehouse')
  .transform(Number);

export const zonesQuery = z.strictObject({
  service: z.string().min(1).max(10),
  date: z.iso.date('must be YYYY-MM-DD').optional(),
  warehouse_id: warehouseId,
});
export const cardQuery = zonesQuery.extend({
  warehouse_id: warehouseId.optional(),
  address: z.enum(['commercial', 'residential'], 'must be commercial or residential').default('commercial'),
});

/**
 * `GET /console/v1/client/shipment/rates/batches/{id}/rows?from=&limit=&outcome=&fault=&service=&zone=&carrierZone=&weight=&search=&sort=&revision=`:
 * rows of the output.
 * `from` is how many rows of the list to skip, whatever their outcome (default 0); with a `sort`, how many rows of that order. `limit` is 1 to 200 (default 50).
 * `fault` is the type of a fault. A running batch has the finished rows from the top without a gap.
 */
export const rowsBody = z.object({
  revision: z.int(),
  /** Whether all rows of the list are done. False if the batch was cancelled or failed before. */
  complete: z.boolean(),
  /** The output's columns. */
  header: z.array(z.string()),
  /** For each field, the index of its column. A field without a column is absent. */
  fields: z.partialRecord(z.enum(FIELD_NAMES), z.int()),
  /** At most `limit` rows; fewer if they are very long. */
  rows: z.array(z.object({ input_row: z.int(), cells: z.array(z.string()) })),
  /**
   * The `from` of the next page; null if there are no more rows (yet). With a service, a zone, a weight or a search, a page
   * may be empty although there is a next one.
   */
  next: z.int().nullable(),
  /** The number of all these rows; null while the batch runs for the first time, and with a search or several filters. */
  total: z.int().nullable(),
  /** With a `sort`: the last row of the list that is in the order. Null if all rows are. */
  sortedTo: z.int().nullable(),
});
export type RowsBody = z.output<typeof rowsBody>;

const ROW_OUTCOMES = ['all', 'quoted', 'faulted'] as const;
const MOST_ROWS = 200;
const LIMIT_RULE = `must be a whole number from 1 to ${MOST_ROWS}`;

export const pageFrom = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number from 0')
  .transform(Number)
  .default(0);
export const pageLimit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, LIMIT_RULE)
  .transform(Number)
  .refine((limit) => limit <= MOST_ROWS, LIMIT_RULE)
  .default(50);

const weightBandQuery = z.enum(BAND_KEYS, `must be one of ${BAND_KEYS.join(', ')}`);

export const rowsQuery = DOWNLOAD_QUERIES.summary
  .extend({
    from: pageFrom,
    limit: pageLimit,
    outcome: z.enum(ROW_OUTCOMES, `must be one of ${ROW_OUTCOMES.join(', ')}`).default('all'),
    fault: z.string().min(1).max(64).optional(),
    service: z.string().min(1).max(64).optional(),
    zone: z.string().min(1).max(16).optional(),
    /** As the carrier names it. */
    carrierZone: z.string().min(1).max(100).optional(),
    /** The upper bound of a weight band in pounds, or `over`. */
    weight: weightBandQuery.optional(),
    /** Text in one of the list's own cells. */
    search: z.string().min(1).max(100).optional(),
    /** Absent: the order of the list. With `-`, the greatest comes first. Rows without a quote come last. */
    sort: z.enum(ROW_ORDERS, `must be one of ${ROW_ORDERS.join(', ')}`).optional(),
  })
  .refine(({ outcome, fault }) => fault === undefined || outcome === 'faulted', {
    path: ['fault'],
    message: 'goes with outcome=faulted only',
  });

/** `GET /console/v1/client/shipment/rates/batches/{id}/row?row=&revision=`: the quote of one row, counted from 1. */
export const rowBody = z.object({
  input_row: z.int(),
  /** With explanations; null if the row has a fault. */
  quote: rateQuoteSchema.nullable(),
  /** Null if the row has a quote. */
  fault: z.object({ type: z.string(), message: z.string() }).nullable(),
  /** In dollars; null if the output has a fault. It differs from the quote's if a later version computes another price. */
  outputNetCharge: z.number().nullable(),
});

export const rowQuery = DOWNLOAD_QUERIES.summary.extend({
  row: z
    .string('must be the number of a row')
    .regex(/^[1-9]\d{0,9}$/, 'must be the number of a row')
    .transform(Number),
});

/**
 * `GET /console/v1/client/shipment/rates/batches/{id}/mending?revision=`: how many faulted rows get a quote if they are
 * repaired. Corrections with `?repair=all` do that.
 */
export const mendingBody = z.object({
  /** Faulted rows that were looked at, from the top, and whether these are all. */
  looked: z.int(),
  all: z.boolean(),
  /** How many of them get a quote. */
  rows: z.int(),
  /** By the column that a repair changes, most rows first. */
  columns: z.array(
    z.object({
      column: z.string(),
      rows: z.int(),
      example: z.object({ row: z.int(), from: z.string(), to: z.string() }),
    }),
  ),
});
