/** `?preview=report` and `?header_row=`, as the upload page uses them. */
import { expect, test } from 'vitest';
import { previewBody } from '../../src/lists/preview/preview-body.ts';
import type { BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started));

const report = async (list: NonNullable<RequestInit['body']>, query = '') => {
  const { status, body } = await api.post(list, `?preview=report${query}`);
  expect(status).toBe(200);
  return previewBody.parse(body);
};

test('a report has the mapping if a preview is refused', async () => {
  const list = 'Warehouse,Zip,Net\n101,02139,2\n';
  const refused = await api.post(list, '?preview=true');
  expect([refused.status, refused.body.header]).toEqual([422, ['Warehouse', 'Zip', 'Net']]);
  const seen = await report(list);
  expect(seen.problems).toEqual(refused.body.fault.arguments);
  expect(seen.mapping.fields.map(({ field, column }) => [field, column])).toEqual([
    ['warehouse_id', 'Warehouse'],
    ['postalCode', 'Zip'],
    ['weight_value', null],
    ['weight_units', null],
  ]);
  const clear = await report(list, '&columns=weight_value:Net&units=LB');
  expect([clear.problems, clear.quoted, clear.headerKey]).toEqual([{}, 1, seen.headerKey]);
  const {
    rows: _,
    estimate: __,
    ...same
  } = previewBody.parse((await api.post(list, '?preview=true&columns=weight_value:Net&units=LB')).body);
  expect(clear).toMatchObject(same);
});

test('a file that is not a list is refused by both', async () => {
  for (const preview of ['true', 'report'])
    expect((await api.post('', `?preview=${preview}`)).body.fault.arguments).toHaveProperty('file');
});

test('a title is skipped, and rows, faults and the rest come from the list below it', async () => {
  const header = 'ref,warehouse_id,postalCode,weight_value,weight_units';
  const rows = 'a,101,02139,2,LB\nb,101,213,2,LB\n';
  const titled = `"Orders\nof June",,,,\nby Ann\n${header}\n${rows}`;
  expect(await report(titled)).toMatchObject({ headerRow: 1, suggestedHeaderRow: 3 });
  const seen = await report(titled, '&header_row=3');
  expect(seen).toMatchObject({ headerRow: 3, suggestedHeaderRow: null, rowsRead: 2, quoted: 1, faulted: 1 });
  expect(seen.headerKey).toBe((await report(`${header}\n`.concat(rows))).headerKey);
  const ids = [await api.upload(titled, '?header_row=3'), await api.upload(`${header}\n${rows}`)];
  const stop = await api.work();
  for (const id of ids) await api.ended(id);
  await stop();
  const files = async (what: string) => Promise.all(ids.map(async (id) => (await api.file(`/${id}/${what}`)).text));
  for (const what of ['output', 'faults']) {
    const [own, plain] = await files(what);
    expect(own).toBe(plain);
    expect(own).toContain('b,101,213,2,LB,2,422');
  }
});

test('a list in another encoding has its title skipped too', async () => {
  const list = 'Commandes de l’été\nwarehouse_id,postalCode,weight_value,weight_units\n101,02139,2,LB\n';
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(list, 'utf16le')]);
  expect(await report(utf16, '&header_row=2')).toMatchObject({ quoted: 1, dialect: { encoding: 'utf-16le' } });
});

test('a row that cannot be the header is refused by name', async () => {
  const refused = async (query: string) => (await api.post('a\nb\n', query)).body.fault.arguments;
  expect(await refused('?header_row=0')).toEqual({ header_row: 'must be a whole number from 1 to 100' });
  expect(await refused('?header_row=9')).toEqual({ header_row: 'is 9, but the list has fewer rows' });
});
