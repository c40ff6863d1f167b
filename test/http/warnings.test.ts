/** Warnings on the whole batch path, with a carrier that has a zone chart only for New Jersey. */
import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { chartedTariff } from '../catalog/tariff/small-tariff.ts';
import { BATCHES, type BatchApi, HEADER } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true, schedule: scheduleOf([chartedTariff()]) });

// Row 1 has a chart. Row 2 has none. Row 3 has a fault, and has no chart once corrected. Rows 4 to 6 fill a second chunk.
const LIST = [
  HEADER,
  'A1,101,10001,1,LB,GROUND,',
  'A2,102,10001,2,LB,,',
  'A3,103,1001,3,LB,GROUND,',
  'A4,101,10001,1,LB,GROUND,',
  'A5,101,10001,1,LB,GROUND,',
  'A6,102,10001,4,LB,GROUND,',
  '',
].join('\n');

const lastCells = (csv: string): string[] => parse(csv).map((cells: string[]) => cells.at(-1) ?? '');
const text = async (below: string): Promise<string> => (await api.file(below)).text;
const completed = async (query = ''): Promise<string> => {
  const id = await api.upload(LIST, query);
  expect((await api.ended(id)).status).toBe('completed');
  return id;
};
const summaryOf = async (id: string) => (await api.call('GET', `/${id}/summary`)).body;

test('are in the output, the faults file, and the summary with rows and money', async () => {
  const id = await completed();
  const column = ['quote_warnings', '', 'zone.estimated', '', '', '', 'zone.estimated'];
  expect(lastCells(await text(`/${id}/output`))).toEqual(column);
  expect(lastCells(await text(`/${id}/output?partial=true`))).toEqual(column);
  expect(lastCells(await text(`/${id}/faults`))).toEqual(['quote_warnings', '']);
  expect(await summaryOf(id)).toMatchObject({
    totalNetCharge: 78,
    warnings: [{ type: 'zone.estimated', shipments: 2, totalNetCharge: 48 }],
  });
});

test('are in a column of a workbook, and in the last of the console’s rows', async () => {
  const id = await completed('?services=all&repair=zip');
  const answer = await fetch(`${api.api.url}${BATCHES}/${id}/output?format=xlsx`, { headers: api.bearer() });
  const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
  const [header = [], ...quotes] = sheets.find(({ name }) => name === 'quotes')?.rows ?? [];
  expect(quotes.map((cells) => cells[header.indexOf('quote_warnings')] ?? '')).toEqual([
    // With its ZIP code repaired, row 3 is quoted too.
    ...['', 'zone.estimated', 'zone.estimated', '', '', 'zone.estimated'],
  ]);
  const { body } = await api.api.call(`/console${BATCHES}/${id}/rows`, { headers: await api.api.session() });
  expect([body.header.at(-1), body.rows[1].cells.at(-1)]).toEqual(['quote_warnings', 'zone.estimated']);
});

test('are added to a corrected row', async () => {
  const id = await completed();
  const { status } = await api.api.call(`${BATCHES}/${id}/corrections`, {
    method: 'POST',
    headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
    body: (await text(`/${id}/faults`)).replace(',1001,', ',10001,'),
  });
  expect(status).toBe(202);
  expect(await api.ended(id)).toMatchObject({ revision: 2, outcome: 'all_quoted' });
  expect(lastCells(await text(`/${id}/output`))).toEqual([
    ...['quote_warnings', '', 'zone.estimated', 'zone.estimated', '', '', 'zone.estimated'],
  ]);
  expect((await summaryOf(id)).warnings).toEqual([{ type: 'zone.estimated', shipments: 3, totalNetCharge: 72 }]);
});

test('are the same for a row and the same shipment as a single call', async () => {
  const preview = (await api.post(LIST, '?preview=true', { 'Content-Type': 'text/csv' })).body;
  const [charted, estimated] = preview.rows;
  expect(charted.quote).not.toHaveProperty('warnings');
  expect(estimated.quote.warnings).toMatchObject([{ type: 'zone.estimated', arguments: { origin: '60601' } }]);
  expect((await api.api.quote(estimated.request)).body).toEqual(estimated.quote);
});
