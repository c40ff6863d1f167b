import { describe, expect, test } from 'vitest';
import { type ReadOptions, RefusedFile } from '../../src/import/read/reader.ts';
import { plainCsv } from '../../src/import/source.ts';

const bytes = (...lines: string[]): Uint8Array => Buffer.from(lines.join('\n'));
const read = (lines: string[], options: ReadOptions = {}) => plainCsv.read(bytes(...lines), options);
const refusal = (lines: string[], options: ReadOptions = {}) =>
  read(lines, options).catch((error: unknown) => (error instanceof RefusedFile ? error.message : error));

describe('a rate grid', () => {
  const grid = ['weight_lb,2,44', '1,10.00,20', '2,$1,011.50,', 'per_lb,0.80,0.90'];

  test('takes its service from the name of the file', async () => {
    const lines = [grid[0] ?? '', '1,10.00,20', '2,"$1,011.50",', 'per_lb,0.80,0.90'];
    const { rates, unreadable, kind } = await read(lines, { label: 'UPS-GROUND' });
    expect({ kind, unreadable }).toEqual({ kind: 'rate grid (CSV)', unreadable: [] });
    expect(rates[0]).toMatchObject({ code: 'UPS-GROUND', carrier: 'UPS' });
    expect(rates[0]?.table).toEqual({
      columns: ['2', '44'],
      cents: [
        [1_000, 2_000],
        [101_150, null],
      ],
      centsPerLbAboveTop: [80, 90],
    });
    expect(rates[0]?.source(1, 0)).toBe('line 3, zone 2');
  });

  test('may name its services in a column, and separate its cells with semicolons', async () => {
    const { rates } = await read(['Service;Weight (lb);5', 'ACME-1;1;3.00', 'ACME-2;1;4.00']);
    expect(rates.map(({ code, carrier, table }) => [code, carrier, table.cents])).toEqual([
      ['ACME-1', 'ACME', [[300]]],
      ['ACME-2', 'ACME', [[400]]],
    ]);
  });

  test('without a service is rejected', async () => {
    expect(await refusal(grid, { label: 'my rates' })).toMatch(/does not state its service/);
  });

  test('reports unreadable cells with line and column', async () => {
    const lines = ['weight_lb,2', '1,ten', '1.5,3.00', '3,4.00', '3,5.00'];
    expect((await read(lines, { label: 'UPS-GROUND' })).unreadable).toEqual([
      { at: 'line 2, column 2', text: 'ten', problem: 'not a price' },
      { at: 'line 3, column weight_lb', text: '1.5', problem: 'neither whole pounds, ounces below 16 oz nor per_lb' },
      { at: 'line 5, column 2', text: '5.00', problem: 'differs from the price in line 4' },
      { at: 'UPS-GROUND, 1 lb', text: '', problem: 'the row is missing' },
      { at: 'UPS-GROUND, 2 lb', text: '', problem: 'the row is missing' },
    ]);
  });
});

describe('ounces', () => {
  const table = {
    columns: ['2'],
    cents: [[700], [900]],
    ounces: [
      { upToOz: 4, cents: [400] },
      { upToOz: 15.999, cents: [600] },
    ],
  };

  test('are rows of a grid with their unit, in any order', async () => {
    const lines = ['weight_lb,2', '1,7.00', '15.999 oz,6.00', '4oz,4.00', '2,9.00'];
    const { rates, unreadable } = await read(lines, { label: 'USPS-GA' });
    expect(unreadable).toEqual([]);
    expect(rates[0]?.table).toEqual(table);
    expect([0, 1, 2, 3].map((row) => rates[0]?.source(row, 0))).toEqual([
      ...['line 4, zone 2', 'line 3, zone 2'],
      ...['line 2, zone 2', 'line 5, zone 2'],
    ]);
  });

  test('have a column of their own, where 16 are a pound', async () => {
    const both = ['weight_oz,weight_lb,2', '4,,4.00', '15.999,,6.00', '16,,7.00', ',2,9.00'];
    const alone = ['Weight (oz),2', '4,4.00', '15.999,6.00', '16,7.00', '32,9.00'];
    for (const lines of [both, alone]) {
      const { rates, unreadable } = await read(lines, { label: 'USPS-GA' });
      expect(unreadable).toEqual([]);
      expect(rates[0]?.table).toEqual(table);
    }
  });

  test('over a pound, or beside pounds, are unreadable', async () => {
    const lines = ['weight_oz,weight_lb,2', '17,,4.00', '4,1,5.00', '0,,1.00', ',1,7.00'];
    expect((await read(lines, { label: 'USPS-GA' })).unreadable.map(({ at, text }) => [at, text])).toEqual([
      ['line 2, column weight_oz', '17 oz'],
      ['line 3, column weight_oz', '1 lb 4 oz'],
      ['line 4, column weight_oz', '0 oz'],
    ]);
  });
});

describe('cubic prices', () => {
  const header = 'up_to_cubic_ft,maximum_lb,maximum_length_in,2,8';

  test('state for which packages they are', async () => {
    const { cubic, kind, unreadable } = await read([header, '0.2,20,18,8.00,9.00', '0.10,20,18,7.50,'], {
      label: 'USPS-GA',
    });
    expect({ kind, unreadable }).toEqual({ kind: 'cubic prices (CSV)', unreadable: [] });
    expect(cubic?.[0]).toMatchObject({
      code: 'USPS-GA',
      carrier: 'USPS',
      terms: { maximumActualLb: 20, maximumLengthIn: 18 },
      table: {
        columns: ['2', '8'],
        tiers: [
          { hundredths: 10, cents: [750, null] },
          { hundredths: 20, cents: [800, 900] },
        ],
      },
    });
    expect(cubic?.[0]?.source(0, 0)).toBe('line 3, zone 2');
  });

  test('without the heaviest and the longest package are rejected', async () => {
    expect(await refusal(['up_to_cubic_ft,maximum_lb,2', '0.10,20,7.50'], { label: 'USPS-GA' })).toBe(
      'it does not state which packages it prices by volume: add a column maximum_length_in',
    );
  });

  test('report unreadable cells with line and column', async () => {
    const lines = [
      header,
      '0.1,20,18,ten,',
      '0.123,20,18,1.00,',
      '0.10,20,18,1.00,',
      '0.20,70,18,2.00,',
      '0.30,20,,3.00,',
    ];
    expect((await read(lines, { label: 'USPS-GA' })).unreadable).toEqual([
      { at: 'line 2, column 2', text: 'ten', problem: 'not a price' },
      { at: 'line 3, column up_to_cubic_ft', text: '0.123', problem: 'not cubic feet with at most two decimals' },
      { at: 'line 4, column up_to_cubic_ft', text: '0.10', problem: 'is in line 2 too' },
      {
        at: 'line 5, column maximum_lb',
        text: '70',
        problem: 'not a whole number, or not that of the other rows of USPS-GA',
      },
      {
        at: 'line 6, column maximum_length_in',
        text: '',
        problem: 'not a whole number, or not that of the other rows of USPS-GA',
      },
    ]);
  });
});

test('reads rates in long form into a table for each service', async () => {
  const { rates, kind } = await read([
    'service,zone,weight_lb,rate',
    'FDX-2DAY,2,1,9.99',
    'FDX-2DAY,3,1,10.99',
    'FDX-2DAY,2,2,11.99',
    'FDX-2DAY,2,per_lb,0.50',
  ]);
  expect(kind).toBe('rates in long form (CSV)');
  expect(rates[0]).toMatchObject({ code: 'FDX-2DAY', carrier: 'FedEx' });
  expect(rates[0]?.table).toEqual({
    columns: ['2', '3'],
    cents: [
      [999, 1_099],
      [1_199, null],
    ],
    centsPerLbAboveTop: [50, null],
  });
});

test('sorts multiweight prices by weight', async () => {
  const { multiweight } = await read(['from_lb,2,3', '500,1.00,2.00', '100,1.50,'], { label: 'FDX-2DAY' });
  expect(multiweight[0]?.table).toEqual({
    columns: ['2', '3'],
    breaks: [
      { fromLb: 100, centsPerLb: [150, null] },
      { fromLb: 500, centsPerLb: [100, 200] },
    ],
  });
});

describe('a zone chart', () => {
  test('has ZIP3s, ZIP5s and ranges of either, a column for each service, and a chart for each origin', async () => {
    const { charts, unreadable } = await read([
      'origin,destination,UPS-GROUND,FDX-GROUND',
      '070-076,000-999,5,4',
      '070-076,02139,2,-',
      '10001,90001-90010,8,',
    ]);
    expect(unreadable).toEqual([]);
    expect(charts.map(({ carrier, origin, chart }) => [carrier, origin, chart.columns, chart.rows.length])).toEqual([
      ['UPS', '070-076', ['UPS-GROUND'], 2],
      ['FedEx', '070-076', ['FDX-GROUND'], 2],
      ['UPS', '10001', ['UPS-GROUND'], 1],
      ['FedEx', '10001', ['FDX-GROUND'], 1],
    ]);
    expect(charts[1]?.chart.rows[1]).toEqual({ origin: '070-076', destination: '02139', zones: [''] });
  });

  test('with one column zone is for all services of the carrier', async () => {
    const { charts } = await read(['Origin ZIP,Dest ZIP,Zone,Carrier', '070,100,2,UPS']);
    expect(charts[0]).toMatchObject({ carrier: 'UPS', origin: '070', columnOf: { '*': 'zone' } });
  });

  test('may have the columns of a tariff folder, which services share', async () => {
    const { charts } = await read(['origin,destination,express,ground', '070,100,2,3']);
    expect(charts[0]).toMatchObject({ carrier: 'FedEx', columnOf: { 'FDX-HOME': 'ground', 'FDX-2DAY': 'express' } });
    const ups = await read(['origin,destination,UPS-NDA', '070,100,102']);
    expect(ups.charts[0]?.columnOf).toEqual({ 'UPS-NDA': 'UPS-NDA', 'UPS-NDAEAM': 'UPS-NDA' });
  });

  test('reports malformed ZIP codes and zones with line and column', async () => {
    const { unreadable } = await read([
      'origin,destination,zone',
      '7,100,2',
      '070,100-05,2',
      '070,200-100,2',
      '070,100,two!',
    ]);
    expect(unreadable.map(({ at, text }) => [at, text])).toEqual([
      ['line 2, column origin', '7'],
      ['line 3, column destination', '100-05'],
      ['line 4, column destination', '200-100'],
      ['line 5, column zone', 'two!'],
    ]);
  });

  test('with a column that is neither a service code nor zone is rejected', async () => {
    expect(await refusal(['origin,destination,ground service', '070,100,2'])).toBe(
      'its column ground service is neither a service code nor zone',
    );
  });
});

test('names an area list after its file, or by a column', async () => {
  const { areas } = await read(['zip,tier', '99501,alaska', '967-968,hawaii'], { label: 'UPS-Remote' });
  expect(areas).toEqual([
    {
      name: 'ups-remote',
      carrier: 'UPS',
      list: {
        rows: [
          { zip: '99501', tier: 'alaska' },
          { zip: '967-968', tier: 'hawaii' },
        ],
      },
    },
  ]);
  const named = await read(['list,zip,tier', 'a,10001,x', 'b,10001,y']);
  expect(named.areas.map(({ name }) => name)).toEqual(['a', 'b']);
});

describe('an area list', () => {
  const listsOf = async (lines: string[], label: string) =>
    (await read(lines, { label })).areas.map(({ name, carrier, list }) => [name, carrier, list.rows.length]);

  test('has the name and the carrier of its file, without the year', async () => {
    const lines = ['zip,tier', '00130,das_extended', '00516,remote_us48'];
    expect(await listsOf(lines, 'UPS_area_surcharge_ZIPs_2026')).toEqual([['ups-area-surcharge-zips', 'UPS', 2]]);
    expect(await listsOf(lines, 'FedEx areas 2025-06-02 (copy)')).toEqual([['fedex-areas-copy', 'FedEx', 2]]);
    expect(await listsOf(lines, 'upstate')).toEqual([['upstate', undefined, 2]]);
  });

  test('may name its carriers in a column', async () => {
    const lines = ['zip,tier,carrier', '00130,x,ups', '00131,x,ACME', '00132,x,'];
    expect(await listsOf(lines, 'areas')).toEqual([
      ['ups-areas', 'UPS', 1],
      ['acme-areas', 'ACME', 1],
      ['areas', undefined, 1],
    ]);
    const { areas, unreadable } = await read(['list,zip,tier,carrier', 'a,00130,x,UPS', 'a,00131,x,FedEx']);
    expect(areas).toEqual([{ name: 'a', carrier: 'UPS', list: { rows: [{ zip: '00130', tier: 'x' }] } }]);
    expect(unreadable).toEqual([
      { at: 'line 3, column carrier', text: 'FedEx', problem: 'line 2 says that a is of UPS' },
    ]);
  });

  test('without a name is rejected', async () => {
    expect(await refusal(['zip,tier', '10001,a'], { label: '2026' })).toBe(
      'it has no column list, and the name of the file is not a name of a list',
    );
  });
});

test('recognizes a file by its header, with a byte-order mark, other cases and quotes too', () => {
  expect(plainCsv.accepts(bytes('\uFEFF"Origin","Destination","zone"'))).toBe(true);
  expect(plainCsv.accepts(bytes('zip\ttier'))).toBe(true);
  expect(plainCsv.accepts(bytes('warehouse_id,postalCode,weight_value'))).toBe(false);
  expect(plainCsv.accepts(bytes(''))).toBe(false);
});

test('rejects a file that is not UTF-8, is not CSV or has a column twice', async () => {
  await expect(plainCsv.read(Buffer.from([...Buffer.from('zip,tier\n1'), 0xff]), {})).rejects.toThrow(
    /cannot be read as CSV/,
  );
  expect(await refusal(['zip,tier', '"10001,a'])).toMatch(/cannot be read as CSV/);
  expect(await refusal(['zip,tier,Tier', '10001,a,b'])).toBe('it has two columns tier');
});
