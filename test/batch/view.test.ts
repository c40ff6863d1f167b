/** The batch as clients see it, from its state in Redis. */
import { describe, expect, test } from 'vitest';
import { finalFields, initialFields, readFields, viewOf } from '../../src/batch/view.ts';
import { EMPTY_TALLY } from '../../src/lists/output/tally.ts';
import { documentOf, idOf, partWith } from './fixtures.ts';

const NOW = new Date('2026-06-01T12:10:00Z');
const DOCUMENT = documentOf({ options: { repair: 'zip' }, tariffs: ['a@2026', 'b@2026'] });

/** The view of a new batch with more fields in its state. */
const viewWith = (fields: Readonly<Record<string, string>> = {}, status = 'queued', revision = 1) => {
  const raw = { ...initialFields(DOCUMENT, status, revision), ...fields };
  const read = readFields(raw);
  if (read === undefined) throw new Error('there are no fields');
  return viewOf(idOf(1), read, raw, NOW);
};

test('a new batch has its sizes, and no later fields', () => {
  const self = `/v1/client/shipment/rates/batches/${idOf(1)}`;
  expect(viewWith()).toEqual({
    id: idOf(1),
    status: 'queued',
    outcome: null,
    revision: 1,
    filename: 'june.csv',
    tariff: 'a@2026, b@2026',
    options: { repair: 'zip' },
    findings: [],
    rows: { total: 10, processed: 0, quoted: 0, faulted: 0 },
    faults: {},
    createdAt: '2026-06-01T12:00:00.000Z',
    startedAt: null,
    completedAt: null,
    expiresAt: null,
    estimatedCompletionAt: null,
    failure: null,
    totalNetCharge: null,
    links: {
      self,
      events: `${self}/events`,
      output: `${self}/output`,
      faults: `${self}/faults`,
      unprocessed: `${self}/unprocessed`,
      summary: `${self}/summary`,
      cancel: `${self}/cancel`,
      retry: `${self}/retry`,
      corrections: `${self}/corrections`,
      comparisons: `${self}/comparisons`,
    },
  });
});

test('faults are counted by type, sorted by name, without zeros', () => {
  const { faults } = viewWith({ 'fault:row.malformed': '2', 'fault:getRates.noTariff': '3', 'fault:gone': '0' });
  expect(Object.entries(faults)).toEqual([
    ['getRates.noTariff', 3],
    ['row.malformed', 2],
  ]);
});

describe('the outcome', () => {
  test.each([
    ['of a batch that is not completed', 'in_progress', '10', '0', null],
    ['of a batch that failed', 'failed', '10', '0', null],
    ['without a fault', 'completed', '10', '0', 'all_quoted'],
    ['with a fault', 'completed', '9', '1', 'some_faults'],
    ['with faults only', 'completed', '0', '10', 'all_faults'],
  ])('%s', (_what, status, quoted, faulted, outcome) => {
    expect(viewWith({ quoted, faulted }, status).outcome).toBe(outcome);
  });

  test('of a list without rows is all_quoted', () => {
    expect(viewWith({ rows: '0' }, 'completed').outcome).toBe('all_quoted');
  });
});

describe('the estimate of the end', () => {
  const running = { startedAt: '2026-06-01T12:04:00.000Z', processed: '4' };

  test('assumes the pace so far: 4 rows took 6 minutes, and 6 rows remain', () => {
    expect(viewWith(running, 'in_progress').estimatedCompletionAt).toBe('2026-06-01T12:19:00.000Z');
  });

  test.each([
    ['before a row is done', { ...running, processed: '0' }, 'in_progress', 1],
    ['before it begins', { processed: '4' }, 'in_progress', 1],
    ['while the output is assembled', running, 'finalizing', 1],
    ['for corrections, which keep most rows', running, 'in_progress', 2],
  ])('is absent %s', (_when, fields, status, revision) => {
    expect(viewWith(fields, status, revision).estimatedCompletionAt).toBeNull();
  });
});

describe('how a batch ended', () => {
  const FINAL = {
    startedAt: '2026-06-01T12:01:00.000Z',
    completedAt: '2026-06-01T12:05:00.000Z',
    expiresAt: '2026-06-08T12:05:00.000Z',
    tally: partWith().tally,
    failure: null,
  };

  test('is in its fields: counts, times and faults', () => {
    expect(viewWith(finalFields({ ...FINAL, status: 'completed' }))).toMatchObject({
      status: 'completed',
      outcome: 'some_faults',
      revision: 1,
      rows: { total: 10, processed: 10, quoted: 9, faulted: 1 },
      faults: { 'row.malformed': 1 },
      startedAt: '2026-06-01T12:01:00.000Z',
      completedAt: '2026-06-01T12:05:00.000Z',
      expiresAt: '2026-06-08T12:05:00.000Z',
      failure: null,
    });
  });

  test('has its total once it has ended, and not while corrections run', () => {
    const byService = { GROUND: { shipments: 6, netCents: 7_001 }, EXPRESS: { shipments: 3, netCents: 9_000 } };
    const fields = finalFields({ ...FINAL, tally: { ...FINAL.tally, byService }, status: 'completed' });
    expect(viewWith(fields)).toHaveProperty('totalNetCharge', 160.01);
    expect(viewWith({ ...fields, status: 'in_progress' })).toHaveProperty('totalNetCharge', null);
    const { netCents: _, ...earlier } = fields;
    expect(viewWith(earlier)).toHaveProperty('totalNetCharge', null);
  });

  test('names the rows that failed, and the revision of an expired batch', () => {
    const failure = { message: 'Rows 4 to 6 could not be processed.', rows: { from: 4, to: 6 } };
    const fields = finalFields({
      ...FINAL,
      status: 'failed',
      startedAt: null,
      tally: EMPTY_TALLY,
      failure,
      revision: 3,
    });
    expect(viewWith(fields)).toMatchObject({ status: 'failed', failure, startedAt: null, revision: 3 });
  });
});

describe('fields in Redis', () => {
  test('mean that there is no batch if there are none', () => {
    expect(readFields({})).toBeUndefined();
  });

  test('are an error if they are not those of a batch', () => {
    expect(() => readFields({ ...initialFields(DOCUMENT, 'queued', 1), status: 'asleep' })).toThrow('completed');
    expect(() => readFields({ status: 'queued' })).toThrow('createdAt');
  });

  test('get a new epoch each time that the state is created', () => {
    const epochs = [1, 2].map(() => initialFields(DOCUMENT, 'queued', 1)['epoch']);
    expect(epochs[0]).toMatch(/^[0-9a-f]{12}$/);
    expect(epochs[0]).not.toBe(epochs[1]);
  });
});
