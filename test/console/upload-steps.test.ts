import { describe, expect, test } from 'vitest';
import { choicesIn, DEFAULT_OPTIONS, hasChoices, queryOf, textsOf } from '../../src/console/upload/list-options.ts';
import { cureOf, isRefused, isTitle, nextStep } from '../../src/console/upload/next-step.ts';
import type { Preview } from '../../src/lists/preview/preview-body.ts';

const kindOf = (kind: Partial<Preview['faultKinds'][number]>): Preview['faultKinds'][number] => ({
  ...{
    type: 'getRates.invalidRequest',
    kind: 'getRates.invalidRequest postalCode',
    field: 'postalCode',
    column: 'Zip',
    rows: 10,
  },
  ...{ estimatedRows: 10, message: 'must have the form', examples: [], ...kind },
});

const previewOf = (preview: Partial<Preview>): Preview => ({
  ...{ status: 200, sheets: [], problems: {}, headerRow: 1, headerKey: 'k', suggestedHeaderRow: null },
  dialect: { encoding: 'utf-8', delimiter: ',', lineBreak: 'lf' },
  mapping: { fields: [], columns: [], columnCount: 0 },
  ...{ columns: [], defaults: {}, unknownColumns: { count: 0, names: [] }, findings: [], services: [] },
  ...{
    rowsRead: 10,
    quoted: 10,
    faulted: 0,
    faults: {},
    joined: 0,
    orders: null,
    warnings: {},
    missing: {},
    faultKinds: [],
    rows: [],
  },
  repairs: { asked: [], rows: 0, kinds: [], emptyWeights: 0 },
  repairAll: { rows: 0, quoted: 10, faulted: 0, examples: [], kinds: [], zipList: '' },
  estimate: { exact: true, rows: 10, faulted: 0, seconds: 1, totalNetCharge: 1, currency: 'USD' },
  ...preview,
});

const MOST_WRONG = { quoted: 1, faulted: 9 } as const;
const NO_REPAIR = { rows: 0, quoted: 1, faulted: 9, examples: [], kinds: [], zipList: '' } as const;

describe('the next step with a list', () => {
  test('is to run it while most rows are right', () => {
    const preview = previewOf({ faulted: 4, quoted: 6, faultKinds: [kindOf({ rows: 4 })] });
    expect(nextStep(preview, DEFAULT_OPTIONS)).toEqual({ run: 'Quote all 10 rows' });
  });

  test('is none while a column is missing: the list cannot run', () => {
    const own = { field: 'weight_value', how: 'none', column: null, position: null, value: null } as const;
    const fields: Preview['mapping']['fields'] = [{ ...own, samples: [], problem: 'missing' }];
    const mapping = { ...previewOf({}).mapping, fields };
    const preview = previewOf({ problems: { weight_value: 'missing' }, mapping });
    expect(isRefused(preview)).toBe(true);
  });

  test('is the column that is wrong in most rows, before running anyway', () => {
    const preview = previewOf({
      ...MOST_WRONG,
      faultKinds: [kindOf({ rows: 9 })],
      repairAll: { ...NO_REPAIR, kinds: [], examples: [] },
    });
    expect(nextStep(preview, DEFAULT_OPTIONS)).toEqual({
      first: { label: 'Choose the ZIP code column', id: 'column-of-postalCode' },
      run: 'Run anyway',
    });
  });

  test('is to repair if that fixes most rows, or the kind of fault that most have', () => {
    const removes = [{ type: 'getRates.invalidRequest', field: 'postalCode' as const, rows: 8 }];
    const kinds = [{ what: 'postalCode' as const, rows: 8, before: '2139', after: '02139', input_row: 1, removes }];
    const repairAll = { rows: 8, quoted: 1, faulted: 9, examples: [], kinds, zipList: '' };
    const also = kindOf({ type: 'getRates.unknownShippingService', field: 'shippingService', rows: 1 });
    const preview = previewOf({ ...MOST_WRONG, faultKinds: [kindOf({ rows: 8 }), also], repairAll });
    expect(nextStep(preview, DEFAULT_OPTIONS)).toEqual({
      first: { label: 'Fix 8 rows', options: { repair: true } },
      run: 'Run anyway',
    });
    expect(nextStep(preview, { ...DEFAULT_OPTIONS, repair: true }).first).toEqual({
      label: 'Choose the ZIP code column',
      id: 'column-of-postalCode',
    });
  });

  test('offers a repair under the problem that it removes, and under no other', () => {
    const [missing, unit] = [kindOf({ field: 'weight_value', rows: 1 }), kindOf({ field: 'weight_units', rows: 1 })];
    const removes = [{ type: 'getRates.invalidRequest', field: 'weight_units' as const, rows: 1 }];
    const kinds = [{ what: 'weight_value' as const, rows: 1, before: '14', after: '0.875', input_row: 3, removes }];
    const preview = previewOf({ faulted: 2, quoted: 8, repairAll: { ...NO_REPAIR, examples: [], rows: 1, kinds } });
    expect(cureOf(missing, preview, DEFAULT_OPTIONS)).toBeUndefined();
    expect(cureOf(unit, preview, DEFAULT_OPTIONS)).toEqual({ label: 'Fix 1 row', options: { repair: true } });
    expect(cureOf(unit, preview, { ...DEFAULT_OPTIONS, repair: true })).toBeUndefined();
  });

  test('is to read the sides as inches if nothing says their unit', () => {
    const faultKinds = [kindOf({ field: 'dimension_units', rows: 9 })];
    const finding = { type: 'dimensions.noUnit', message: 'The unit is unknown.', column: 'Length' } as const;
    const preview = previewOf({
      ...MOST_WRONG,
      faultKinds,
      repairAll: { ...NO_REPAIR, kinds: [], examples: [] },
      findings: [finding],
    });
    expect(nextStep(preview, DEFAULT_OPTIONS)).toEqual({
      first: { label: 'Read the sides as inches', options: { dimension_units: 'IN' } },
      run: 'Run anyway',
    });
  });

  test('waits for the row with the column names if a title was read', () => {
    const problems = { postalCode: 'missing' };
    expect(isTitle(previewOf({ problems, suggestedHeaderRow: 3 }))).toBe(true);
    expect(isTitle(previewOf({ problems, suggestedHeaderRow: null }))).toBe(false);
  });

  test('is to run it if each row is wrong in its own way', () => {
    const faultKinds = [
      kindOf({ rows: 3 }),
      kindOf({ rows: 3, field: 'weight_value' }),
      kindOf({ rows: 3, field: null }),
    ];
    const preview = previewOf({ ...MOST_WRONG, faultKinds, repairAll: { ...NO_REPAIR, kinds: [], examples: [] } });
    expect(nextStep(preview, DEFAULT_OPTIONS)).toEqual({ run: 'Quote all 10 rows' });
  });

  test('for unknown services is their table', () => {
    const kind = kindOf({ type: 'getRates.unknownShippingService', field: 'shippingService' });
    const preview = previewOf({ services: [{ name: 'Road', code: null, rows: 1 }] });
    expect(cureOf(kind, preview, DEFAULT_OPTIONS)).toEqual({ label: 'Choose the services', id: 'service-names' });
    const lower = previewOf({ services: [{ name: 'c1 ground', code: null, rows: 3 }] });
    expect(cureOf(kind, lower, DEFAULT_OPTIONS, [{ shippingService: 'C1-EXPRESS' }])).toMatchObject({
      id: 'service-names',
    });
    expect(cureOf(kind, lower, DEFAULT_OPTIONS, [{ shippingService: 'C1-GROUND' }])).toEqual({
      label: 'Read “c1 ground” as C1-GROUND',
      options: { services: { 'c1 ground': 'C1-GROUND' } },
    });
  });
});

describe('the choices of a list', () => {
  const options = {
    ...DEFAULT_OPTIONS,
    columns: { postalCode: 'Zip: to, or \\ from', weight_value: '', packages: 'Boxes' },
    services: { 'By road, slow: 5 days': 'C1-GROUND', Any: '' },
    warehouse_id: '101',
    weight: '2.5',
  };

  test('come back from their texts', () => {
    const { columns, services, warehouse_id, weight } = choicesIn(textsOf(options));
    expect({ columns, warehouse_id, weight }).toEqual({ columns: options.columns, warehouse_id: '101', weight: '2.5' });
    expect(textsOf({ ...options, services })).toEqual(textsOf(options));
    expect(queryOf('a.csv', { ...DEFAULT_OPTIONS, ...choicesIn(textsOf(options)) })).toEqual(queryOf('a.csv', options));
  });

  test('are none without a choice', () => {
    expect(hasChoices(DEFAULT_OPTIONS)).toBe(false);
    expect(hasChoices(options)).toBe(true);
    expect(textsOf(choicesIn({}))).toEqual({});
  });
});
