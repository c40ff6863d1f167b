/** Lists in formats that the upload names, in batches and their corrections. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { archive, workbookParts } from '../archive.ts';
import { BATCHES, type BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started));

const rowsOf = async (id: string) =>
  parse<Record<string, string>>((await api.file(`/${id}/output`)).text, { columns: true });

const netOf = async (units: string, value: number, packages = 1, shipDate?: string): Promise<number> => {
  const packageItems = Array.from({ length: packages }, () => ({ weight: { units, value } }));
  const { body } = await api.api.quote({
    rates: { shipDate, shipper: { warehouse_id: 101 }, recipient: { address: { postalCode: '02139' } }, packageItems },
  });
  return body.totalNetCharge;
};

const NET = 'quote_totalNetCharge';

test('rows in other formats equal the single calls that they mean, also when corrected', async () => {
  const list = [
    'zip;Total Weight;Weight Unit;Boxes;Ship Date',
    '02139;7,5;kg;3;1/6/2026',
    '213;1.000,5;g;1;1/6/2026',
    '02139;"1;g;1;1/6/2026',
    '',
  ].join('\n');
  const id = await api.upload(list, '?warehouse_id=101&decimal=comma&date_order=dmy&quotes=none');
  const stop = await api.work();
  await api.ended(id);
  const before = await rowsOf(id);
  expect(Number(before[0]?.[NET])).toBe(await netOf('KG', 2.5, 3, '2026-06-01'));
  expect(before.map((row) => row['quote_status'])).toEqual(['200', '422', '422']);
  expect(before[2]?.['Total Weight']).toBe('"1');
  const findings = (await api.call('GET', `/${id}`)).body.findings as { type: string }[];
  expect(findings.map(({ type }) => type)).toEqual(['column.repairable', 'weight.divided']);

  const faults = (await api.file(`/${id}/faults`)).text;
  const body = faults
    .replace('\n213,', '\n2139,')
    .replace('"""1"', '"1,125 kg"')
    .replace('"1,125 kg",g', '"1,125 kg",');
  const corrected = await api.api.call(`${BATCHES}/${id}/corrections?repair=all`, {
    method: 'POST',
    headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
    body,
  });
  expect(corrected.status).toBe(202);
  await api.ended(id);
  const after = await rowsOf(id);
  await stop();
  expect(after.map((row) => row['quote_status'])).toEqual(['200', '200', '200']);
  expect(Number(after[1]?.[NET])).toBe(await netOf('KG', 1.0005, 1, '2026-06-01'));
  expect(Number(after[2]?.[NET])).toBe(await netOf('KG', 1.125, 1, '2026-06-01'));
});

test('rows of a workbook get units from the formats of their numbers', async () => {
  const texts = '<si><t>zip</t></si><si><t>Weight (lb)</t></si><si><t>02139</t></si>';
  const header = '<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>';
  const row = (format: number, value: string) => `<row><c t="s"><v>2</v></c><c s="${format}"><v>${value}</v></c></row>`;
  const rows = header + row(1, '35') + row(2, '2.04') + row(3, '2.0004') + row(0, '2.0004');
  const formats = ['0&quot; oz&quot;', '0.0 &quot;kg&quot;', '0.0'];
  const workbook = new Uint8Array(archive(workbookParts({ rows, texts, formats })));
  // A workbook has no separator and no quotes.
  const id = await api.upload(workbook, '?warehouse_id=101&delimiter=tab&quotes=none');
  const stop = await api.work();
  await api.ended(id);
  const prices = (await rowsOf(id)).map((own) => Number(own[NET]));
  await stop();
  expect(prices).toEqual([
    await netOf('LB', 2.1875),
    await netOf('KG', 2),
    await netOf('LB', 2),
    await netOf('LB', 2.0004),
  ]);
});
