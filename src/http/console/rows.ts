/** The console's calls for pages of the output: rows of a batch or a comparison, one row, and what repairs would fix. */
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { type RowsWanted, rowsPage } from '../../batch/output/rows-page.ts';
import { ROW_ORDERS, sortedPage } from '../../batch/output/sorted-rows.ts';
import { type BatchDocument, records } from '../../batch/records.ts';
import { comparedRowsPage, ROW_GROUPS, ROW_OUTCOMES } from '../../batch/work/compared-rows.ts';
import { mendingOf, rowQuote } from '../../batch/work/row-quote.ts';
import { MOST_SCENARIOS } from '../../lists/comparison/scenario.ts';
import { BAND_KEYS, type Tally } from '../../lists/output/tally.ts';
import { DOWNLOAD_QUERIES } from '../batches/batch-options.ts';
import { partsServed, readOf } from '../batches/downloads.ts';
import { countUpTo, invalid } from '../input.ts';
import { call, type Service } from '../service.ts';

const OUTCOMES = ['all', 'quoted', 'faulted'] as const;

const pageFrom = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number from 0')
  .transform(Number)
  .default(0);
const pageLimit = countUpTo(200, 50);

const weightBandQuery = z.enum(BAND_KEYS, `must be one of ${BAND_KEYS.join(', ')}`);

const rowsQuery = DOWNLOAD_QUERIES.summary
  .extend({
    from: pageFrom,
    limit: pageLimit,
    outcome: z.enum(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`).default('all'),
    fault: z.string().min(1).max(64).optional(),
    /** The kind of a problem of the fault, as in the answer of `mending`. */
    kind: z.string().min(1).max(100).optional(),
    service: z.string().min(1).max(64).optional(),
    zone: z.string().min(1).max(16).optional(),
    /** The carrier's name of the zone. */
    carrierZone: z.string().min(1).max(100).optional(),
    /** The upper bound of a weight band in pounds, or `over`. */
    weight: weightBandQuery.optional(),
    /** Text in one of the list's own cells. */
    search: z.string().min(1).max(100).optional(),
    /** Default: the order of the list. With `-`, the greatest comes first. Rows without a quote come last. */
    sort: z.enum(ROW_ORDERS, `must be one of ${ROW_ORDERS.join(', ')}`).optional(),
  })
  .refine(({ outcome, fault }) => fault === undefined || outcome === 'faulted', {
    path: ['fault'],
    message: 'goes with outcome=faulted only',
  })
  .refine(({ fault, kind }) => kind === undefined || fault !== undefined, {
    path: ['kind'],
    message: 'goes with fault only',
  });

const rowQuery = DOWNLOAD_QUERIES.summary.extend({
  row: z
    .string('must be the number of a row')
    .regex(/^[1-9]\d{0,9}$/, 'must be the number of a row')
    .transform(Number),
});

/**
 * `scenario` counts from 1. `by` and `value` choose rows as the summary groups them, such as `by=zone&value=8`. `by=row` takes
 * row numbers separated by commas.
 */
const SCENARIO_RULE = `must be a whole number from 1 to ${MOST_SCENARIOS}`;

const comparedRowsQuery = z
  .strictObject({
    from: pageFrom,
    limit: pageLimit,
    scenario: z
      .string()
      .regex(/^[1-8]$/, SCENARIO_RULE)
      .transform(Number)
      .default(1),
    by: z.enum(ROW_GROUPS, `must be one of ${ROW_GROUPS.join(', ')}`).default('all'),
    value: z.string().max(400).default(''),
    sort: z.enum(['difference'], 'must be difference').optional(),
  })
  .superRefine(({ by, value }, context) => {
    const refuse = (message: string): void => context.addIssue({ code: 'custom', path: ['value'], message });
    if (by !== 'all' && value === '') refuse(`must say which rows by=${by} chooses`);
    else if (by === 'row' && !/^\d{1,10}(?:,\d{1,10}){0,39}$/.test(value))
      refuse('must be at most 40 numbers of rows, with commas');
    else if (by === 'outcome' && !ROW_OUTCOMES.some((outcome) => outcome === value))
      refuse(`must be one of ${ROW_OUTCOMES.join(', ')}`);
  });

/** @returns null if the tally does not tell */
const totalOf = (tally: Tally, wanted: RowsWanted): number | null => {
  const { outcome, fault, kind, service, zone, carrierZone, weight, search } = wanted;
  const { byService, byZone, byWeight } = tally;
  const narrowed = [
    { ledger: byService, key: service },
    { ledger: byZone, key: zone },
    { ledger: byWeight, key: weight },
  ].flatMap(({ ledger, key }) => (key === undefined ? [] : [ledger[key]?.shipments ?? 0]));
  if ([search, carrierZone, kind].some((one) => one !== undefined) || narrowed.length > 1) return null;
  const [narrow] = narrowed;
  if (narrow !== undefined) return outcome === 'faulted' ? 0 : narrow;
  if (fault !== undefined) return tally.faults[fault] ?? 0;
  return { all: tally.processed, quoted: tally.quoted, faulted: tally.faulted }[outcome];
};

/** For each field, the index of its column in the output. */
const fieldsOf = ({ columns }: BatchDocument): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(columns.fields).map(([field, index]) => [field, columns.passed.indexOf(index)]));

/** What rerating needs. */
const rater = ({ store, snapshots, maxList: { maximumRowBytes } }: Service) => ({ store, snapshots, maximumRowBytes });

const scenarioProblem = ({ comparison }: BatchDocument, scenario: number): string | undefined => {
  if (comparison?.join !== undefined) return 'must be left out: the comparison joins two batches';
  const most = comparison?.scenarios.length ?? 0;
  return scenario > most ? `must be from 1 to ${most}: the comparison has no more scenarios` : undefined;
};

const BATCH = '/console/v1/client/shipment/rates/batches/{id}';

export const rowCalls = {
  /** The rows of a comparison behind a group of its summary. */
  getComparedRows: call({
    is: 'GET /console/v1/client/shipment/rates/comparisons/{id}/rows',
    ...{ caller: 'batch', limit: 'reads' },
    query: comparedRowsQuery,
    find: readOf('comparison'),
    handle: async ({ service, found: { batch, document }, query }) => {
      const problem = scenarioProblem(document, query.scenario);
      if (problem !== undefined) return invalid({ scenario: problem });
      const served = await partsServed(service, batch, { partial: true, revision: undefined });
      if (served instanceof Failed) return served;
      const { parts, complete } = served;
      return { complete, ...(await comparedRowsPage(service.store, document, parts, query)) };
    },
  }),
  /** The kinds of problems, and the number of faulted rows that get a quote if they are repaired. Corrections with `?repair=all` repair them. */
  getMending: call({
    ...{ is: `GET ${BATCH}/mending`, caller: 'batch', limit: 'reads' },
    query: DOWNLOAD_QUERIES.summary,
    find: readOf('batch'),
    handle: async ({ service, found: { batch, document }, query }) => {
      const served = await partsServed(service, batch, { partial: false, revision: query.revision });
      return served instanceof Failed ? served : await mendingOf(rater(service), document, served.parts);
    },
  }),
  /** The quote of one row, counted from 1, with explanations. */
  getRow: call({
    ...{ is: `GET ${BATCH}/row`, caller: 'batch', limit: 'reads' },
    query: rowQuery,
    find: readOf('batch'),
    handle: async ({ service, found: { batch, document }, query }) => {
      const served = await partsServed(service, batch, { partial: true, revision: query.revision });
      if (served instanceof Failed) return served;
      const rated = await rowQuote(rater(service), document, served, query.row);
      if (rated === undefined) return invalid({ row: 'must be a row that has been rated' });
      const { answer, outputNetCharge } = rated;
      return {
        input_row: query.row,
        /** Null if the row has a fault. */
        quote: answer.status === 200 ? answer.body : null,
        /** Null if the row has a quote. */
        fault: answer.status === 200 ? null : { type: answer.body.fault.type, message: answer.body.fault.message },
        /** In dollars. Null if the output has a fault. Differs from the quote if a later version computes another price. */
        outputNetCharge,
      };
    },
  }),
  /** Rows of the output. A running batch returns finished rows from the top, up to the first gap. */
  getRows: call({
    ...{ is: `GET ${BATCH}/rows`, caller: 'batch', limit: 'reads' },
    query: rowsQuery,
    find: readOf('batch'),
    handle: async ({ service, found: { batch, document }, query }) => {
      const { revision: asked, sort, ...wanted } = query;
      const served = await partsServed(service, batch, { partial: true, revision: asked });
      if (served instanceof Failed) return served;
      const { parts, revision, complete } = served;
      const { store } = service;
      const reading =
        sort === undefined
          ? rowsPage(store, document, parts, wanted)
          : sortedPage(store, document, parts, wanted, sort);
      const [page, final] = await Promise.all([reading, records.final(store, batch.id, revision)]);
      return {
        revision,
        /** Whether all rows of the list are done. False if the batch was cancelled or failed before. */
        complete,
        /** For each field, the index of its column. Fields without a column are left out. */
        fields: fieldsOf(document),
        /** Number of all these rows. Null during the first run of the batch, and with a search or several filters. */
        total: final === undefined ? null : totalOf(final.tally, wanted),
        /** With `sort`: the last row of the list that the order includes. Null if it includes all rows. */
        sortedTo: null,
        ...page,
      };
    },
  }),
};
