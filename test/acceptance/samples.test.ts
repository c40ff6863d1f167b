/**
 * The sample list, row by row. Each row is also sent as a single call, whose body this test builds without the product's
 * code. Both must have the same charges or the same fault.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { BatchApi } from '../http/batch-api.ts';
import { batchApiForFile } from '../http/batch-suite.ts';
import { answerCells } from './fixtures/answer-cells.ts';

type Row = Record<string, string>;

const LIST = readFileSync(join(import.meta.dirname, '..', '..', 'samples', 'shipments.csv'), 'utf8');

/** Rows that ask for options, a few of them wrongly, and sizes that are not served. */
const OPTIONS = [
  'warehouse_id,postalCode,weight_value,weight_units,residential,signature,saturday,declared_value,non_standard_packaging,length,width,height,dimension_units,shippingService',
  '101,02139,2,LB,true,adult,yes,250.50,yes,,,,,C1-GROUND',
  '101,60601,2|3,LB,,direct,N,50000,N,,,,,C1-EXPRESS',
  '103,02139,2,LB,,none,,0,,10,8,4,IN,',
  '101,02139,2,LB,true,Adult_Signature,,99.99,,,,,,',
  '101,02139,2,LB,,yes,,,,,,,,C1-GROUND',
  '101,02139,2,LB,,,maybe,,sometimes,,,,,C1-GROUND',
  '101,02139,2,LB,,,,$250,,,,,,C1-GROUND',
  '101,02139,2,LB,,,,50000.01,,,,,,C1-GROUND',
  '101,02139,2,LB,,,,1.005,,,,,,C1-GROUND',
  '101,02139,2,LB,,,,,,121,4,4,IN,C1-GROUND',
  '101,02139,2,LB,,indirect,,,,100,20,20,IN,C1-EXPRESS',
  '',
].join('\n');

let api: BatchApi;
let rows: Row[];
let optionRows: Row[];
let view: Awaited<ReturnType<BatchApi['ended']>>;
batchApiForFile(
  async (started) => {
    ({ api } = started);
    const id = await api.upload(LIST);
    view = await api.ended(id);
    rows = parse((await api.file(`/${id}/output`)).text, { columns: true });
    const options = await api.upload(OPTIONS);
    await api.ended(options);
    optionRows = parse((await api.file(`/${options}/output`)).text, { columns: true });
  },
  { limits: { chunkRows: 77 }, worker: true },
);

const number = (cell: string): unknown => (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(cell) ? Number(cell) : cell);

/** Words of the columns of options. Any other word is sent as it is, and has a fault. */
const WORDS: Readonly<Record<string, unknown>> = { yes: true, N: false, none: undefined, Adult_Signature: 'adult' };

const optionsOf = (cell: (name: string) => string): Record<string, unknown> => {
  const options: Record<string, unknown> = {};
  const names = { signature: 'signature', saturday: 'saturday', non_standard_packaging: 'nonStandardPackaging' };
  for (const [column, member] of Object.entries(names)) {
    const word = cell(column);
    const value = word in WORDS ? WORDS[word] : word;
    if (word !== '' && value !== undefined) options[member] = value;
  }
  if (cell('declared_value') !== '') options['declaredValue'] = number(cell('declared_value'));
  return options;
};

/** The row's cells as the contract maps them to the body of a single call. */
const requestOf = (row: Row): unknown => {
  const cell = (name: string): string => row[name] ?? '';
  const address: Record<string, unknown> = {};
  for (const name of ['postalCode', 'countryCode', 'addressLine']) if (cell(name) !== '') address[name] = cell(name);
  const residential = cell('residential').toLowerCase();
  if (residential !== '')
    address['residential'] = ['true', 'false'].includes(residential) ? residential === 'true' : cell('residential');
  const columns = ['weight_value', 'weight_units', 'length', 'width', 'height', 'dimension_units'];
  const split = Object.fromEntries(columns.map((name) => [name, cell(name).split('|')]));
  const most = Math.max(...Object.values(split).map(({ length }) => length));
  const at = (name: string, index: number): string => {
    const values = split[name] ?? [];
    const shared = name !== 'weight_value' && values.length === 1;
    return values[shared ? 0 : index] ?? '';
  };
  const hasBox = ['length', 'width', 'height'].some((name) => cell(name) !== '');
  const packageItems = Array.from({ length: most }, (_, index) => {
    const weight: Record<string, unknown> = {};
    if (at('weight_units', index) !== '') weight['units'] = at('weight_units', index);
    if (at('weight_value', index) !== '') weight['value'] = number(at('weight_value', index));
    if (!hasBox) return { weight };
    const dimensions: Record<string, unknown> = {};
    if (at('dimension_units', index) !== '') dimensions['units'] = at('dimension_units', index);
    for (const name of ['length', 'width', 'height'])
      if (at(name, index) !== '') dimensions[name] = number(at(name, index));
    return { weight, dimensions };
  });
  const rates: Record<string, unknown> = { shipper: {}, recipient: { address }, packageItems };
  if (cell('warehouse_id') !== '') rates['shipper'] = { warehouse_id: number(cell('warehouse_id')) };
  if (cell('shippingService') !== '') rates['shippingService'] = cell('shippingService');
  if (cell('shipDate') !== '') rates['shipDate'] = cell('shipDate');
  const options = optionsOf(cell);
  if (Object.keys(options).length > 0) rates['options'] = options;
  return { rates };
};

test('the sample list has 1,000 rows in order, 30 with faults of every kind', () => {
  expect(rows.map((row) => row['input_row'])).toEqual(Array.from({ length: 1_000 }, (_, i) => String(i + 1)));
  expect(view).toMatchObject({
    outcome: 'some_faults',
    rows: { total: 1_000, processed: 1_000, quoted: 970, faulted: 30 },
  });
  expect(Object.keys(view.faults).toSorted()).toEqual([
    'getRates.addressLineRequired',
    'getRates.invalidRequest',
    'getRates.noDeliveryCoverage',
    'getRates.noTariff',
    'getRates.sizeNotServed',
    'getRates.unknownShippingService',
    'getRates.unknownWarehouse',
    'getRates.weightNotServed',
    'row.malformed',
  ]);
});

test('each row has the same charges or fault as the single call', async () => {
  const compared = [...rows, ...optionRows].filter((row) => row['fault_type'] !== 'row.malformed');
  expect(compared).toHaveLength(1_011 - (view.faults['row.malformed'] ?? 0));
  const compare = async (row: Row): Promise<void> => {
    const { status, body } = await api.api.quote(requestOf(row));
    const expected = answerCells(status, body);
    const told = Object.fromEntries(Object.keys(expected).map((name) => [name, row[name]]));
    expect({ row: row['input_row'], ...told }).toEqual({ row: row['input_row'], ...expected });
  };
  for (let at = 0; at < compared.length; at += 20) await Promise.all(compared.slice(at, at + 20).map(compare));
}, 60_000);
