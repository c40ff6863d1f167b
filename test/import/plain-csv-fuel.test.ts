import { expect, test } from 'vitest';
import { RefusedFile } from '../../src/import/read/reader.ts';
import { plainCsv } from '../../src/import/source.ts';

const read = (...lines: string[]) => plainCsv.read(Buffer.from(lines.join('\n')), {});

test('reads a fuel surcharge from each row', async () => {
  const { kind, fuel, unreadable } = await read(
    'carrier,services,effective,percent',
    'UPS,ground,2026-06-15,26.50',
    'fedex,express|FDX-HOME,2026-06-15,27 %',
    'ACME,ACME-1;ACME-2,2026-06-15,0',
  );
  expect({ kind, unreadable }).toEqual({ kind: 'fuel surcharges (CSV)', unreadable: [] });
  expect(fuel).toEqual([
    { carrier: 'UPS', services: ['ground'], at: 'line 2', from: '2026-06-15', percent: '26.50' },
    { carrier: 'FedEx', services: ['express', 'FDX-HOME'], at: 'line 3', from: '2026-06-15', percent: '27' },
    { carrier: 'ACME', services: ['ACME-1', 'ACME-2'], at: 'line 4', from: '2026-06-15', percent: '0' },
  ]);
});

test('keeps two rates for one day, because the assembly names them', async () => {
  const { fuel } = await read('carrier,services,effective,percent', 'UPS,air,2026-06-15,26', 'UPS,air,2026-06-15,27');
  expect(fuel.map(({ percent }) => percent)).toEqual(['26', '27']);
});

test('takes the carrier from services that only one has', async () => {
  const { fuel } = await read('services,effective,percent', 'ground,2026-06-15,26', 'air,2026-06-15,27');
  expect(fuel.map(({ carrier }) => carrier)).toEqual(['UPS', 'UPS']);
  await expect(read('services,effective,percent', 'ground,2026-06-15,26')).rejects.toThrow(RefusedFile);
});

const PERCENT = 'not a percentage from 1 to 100 with at most two decimals, such as 21.5';

test.each([
  ['effective', '2026-02-30', 'not a date such as 2026-06-15'],
  ['effective', '', 'empty'],
  ['percent', '', PERCENT],
  ['percent', '21,5', PERCENT],
  ['percent', '0.265', PERCENT],
  ['percent', '0.27', PERCENT],
  ['percent', '21.505', PERCENT],
  ['percent', '101', PERCENT],
  ['percent', '-3', PERCENT],
  ['services', '', 'empty'],
  ['services', 'boat', 'boat is not a service code or ground or air'],
  ['carrier', '', 'empty'],
])('names a bad %s: %j', async (column, text, problem) => {
  const cells: Record<string, string> = { carrier: 'UPS', services: 'air', effective: '2026-06-15', percent: '21.5' };
  cells[column] = text;
  const { fuel, unreadable } = await read(Object.keys(cells).join(';'), Object.values(cells).join(';'));
  expect(fuel).toEqual([]);
  expect(unreadable).toEqual([{ at: `line 2, column ${column}`, text, problem }]);
});
