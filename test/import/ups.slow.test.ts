import { writeXlsx } from 'hucre/xlsx';
import { describe, expect, test } from 'vitest';
import { workbookReader } from '../../src/import/source.ts';

type Grid = (string | number | null)[][];

const read = async (sheets: Record<string, Grid>) => {
  const bytes = await writeXlsx({ sheets: Object.entries(sheets).map(([name, rows]) => ({ name, rows })) });
  return workbookReader.read(bytes, {});
};

const GROUND: Grid = [
  [null, null, null, '2031 Rates'],
  [null, 'Domestic'],
  [],
  [null, 'UPS® Ground'],
  [null, 'Zones', 2, 3],
  [null, '1 Lbs.', 10.5, 11.000000000000002],
  [null, 2, 11, 12],
  [null, 'DAILY RATES'],
  [null, null, null, '2031 Rates'],
  [null, 'UPS® Ground'],
  [null, 'Zones', 2, 3],
  [null, '3 Lbs.', '1,012.25', '$13.00'],
  [null, 'Dimensional Weight of More Than 150 Lbs.'],
  [null, 'Price Per Pound', 0.8, 0.84],
];

/** The ground sheet with one cell changed. Rows and columns count from 0. */
const groundWith = (row: number, column: number, value: string | number | null): Grid =>
  GROUND.map((cells, at) => (at === row ? cells.map((cell, index) => (index === column ? value : cell)) : cells));

describe('daily rates', () => {
  test('make one table from several pages', async () => {
    const { rates, unreadable } = await read({ Anything: GROUND });
    expect(unreadable).toEqual([]);
    expect(rates).toHaveLength(1);
    expect(rates[0]).toMatchObject({ code: 'UPS-GROUND', carrier: 'UPS', dimensionalFactor: 139 });
    expect(rates[0]?.table).toEqual({
      columns: ['2', '3'],
      cents: [
        [1_050, 1_100],
        [1_100, 1_200],
        [101_225, 1_300],
      ],
      centsPerLbAboveTop: [80, 84],
    });
    expect(rates[0]?.source(2, 1)).toBe('sheet Anything, cell D12, row 3 lb, column 3');
  });

  test.each([
    ['a word', groundWith(6, 2, 'call us'), 'sheet G, cell C7 (row 2 lb, column 2)', 'not a price in whole cents'],
    ['an error', groundWith(6, 3, '#REF!'), 'sheet G, cell D7 (row 2 lb, column 3)', 'not a price in whole cents'],
    ['half a cent', groundWith(5, 3, 11.005), 'sheet G, cell D6 (row 1 lb, column 3)', 'not a price in whole cents'],
    ['nothing', groundWith(5, 2, null), 'sheet G, cell C6 (row 1 lb, column 2)', 'empty'],
    ['a negative price', groundWith(5, 2, -1), 'sheet G, cell C6 (row 1 lb, column 2)', 'not a price in whole cents'],
    ['no zone', groundWith(4, 3, 'zone three'), 'sheet G, cell D5', 'not a zone'],
    [
      'no weight',
      groundWith(6, 1, 'two'),
      'sheet G, cell B7',
      'neither a weight nor a price per pound, but C7 has a price',
    ],
  ])('with %s in a cell are reported with the place', async (_what, rows, at, problem) => {
    const { unreadable } = await read({ G: rows });
    expect(unreadable).toContainEqual(expect.objectContaining({ at, problem }));
  });

  test('with a missing weight, or a weight with two prices, are reported', async () => {
    const without = GROUND.filter((_, row) => row !== 6);
    expect((await read({ G: without })).unreadable).toEqual([
      { at: 'sheet G, row 2 lb', text: '', problem: 'the row is missing' },
    ]);
    const { unreadable } = await read({ G: groundWith(11, 1, '2 Lbs.') });
    expect(unreadable.map(({ problem }) => problem)).toEqual([
      'differs from the price in cell C7 for the same weight and zone',
      'differs from the price in cell D7 for the same weight and zone',
    ]);
  });

  test('omit letters and sheets of other services, with notes', async () => {
    const withLetter = [...GROUND.slice(0, 5), [null, 'Letter', 9.99, 9.99], ...GROUND.slice(5)];
    const abroad: Grid = [
      [null, 'Export'],
      [null, 'UPS® Ground'],
      [null, 'Zones', 71],
      [null, 1, 99],
    ];
    const { rates, notes } = await read({ G: withLetter, Abroad: abroad });
    expect(rates.map(({ code }) => code)).toEqual(['UPS-GROUND']);
    expect(notes.join('\n')).toMatch(/Letter rates .*UPS-GROUND/);
    expect(notes.join('\n')).toMatch(/skipped: Abroad/);
  });

  test('have another dimensional factor if the foot of the page says that they are retail', async () => {
    const { rates } = await read({ G: groundWith(7, 1, 'RETAIL RATES') });
    expect(rates[0]?.dimensionalFactor).toBe(166);
  });

  test('may be side by side on one page', async () => {
    const sheet: Grid = [
      [null, 'UPS 3 Day Select®'],
      [null, 'Zones', 302, null, 'Zones', 302],
      [null, '1 Lbs.', 5, null, '2 Lbs.', 6],
    ];
    const { rates } = await read({ S: sheet });
    expect(rates[0]?.table).toEqual({ columns: ['302'], cents: [[500], [600]] });
  });
});

const CHART: Grid = [
  ['ZONE CHART'],
  ['For shipments originating in ZIP Codes 010-01 to 013-99. To determine zone'],
  ['ZONES'],
  ['Dest. ZIP', 'Ground', '3 Day Select', '2nd Day Air', '2nd Day Air A.M.', 'Next Day Air Saver', 'Next Day Air'],
  ['005', '002', '302', '202', '242', '132', '102'],
  ['006', '045', '-', '225', '-', '-', '125'],
  ['010-013', '003', '303', '203', '243', '133', '103'],
  [],
  ['[1] For Guam please refer to the Worldwide Rate and Zone information.'],
  [
    '[2] For Hawaii, the following Postal Codes are Zone 44 for Ground, Zone 124 for Next Day Air and Zone 224 for 2nd Day Air:',
  ],
  [96701, '96706'],
];

const chartWith = (row: number, column: number, value: string | number | null): Grid =>
  CHART.map((cells, at) => (at === row ? cells.map((cell, index) => (index === column ? value : cell)) : cells));

describe('a zone chart', () => {
  test('has the origins of the preamble, zones without leading zeros, and the lists of the footnotes', async () => {
    const { charts, unreadable } = await read({ 'Page 1': CHART });
    expect(unreadable).toEqual([]);
    const [chart] = charts;
    expect(chart?.origin).toBe('010-013');
    expect(chart?.chart.columns.join()).toBe('UPS-GROUND,UPS-3DAY,UPS-2DAY,UPS-2DAYAM,UPS-NDASVR,UPS-NDA');
    expect(chart?.chart.rows.map(({ destination, zones }) => `${destination} ${zones.join()}`)).toEqual([
      '005 2,302,202,242,132,102',
      '006 45,,225,,,125',
      '010-013 3,303,203,243,133,103',
      '96701 44,,224,,,124',
      '96706 44,,224,,,124',
    ]);
    expect(chart?.columnOf['UPS-NDAEAM']).toBe('UPS-NDA');
  });

  test('has a range of ZIP5s as its origin if it is for a part of a ZIP3', async () => {
    const part = chartWith(1, 0, 'For shipments originating in ZIP Codes 100-01 to 100-49.');
    expect((await read({ P: part })).charts[0]?.origin).toBe('10001-10049');
  });

  test('may have footnote marks beside zones, and columns of unknown services', async () => {
    const marked = chartWith(4, 1, '002 [1]').map((cells, row) => (row === 3 ? [...cells, 'Carrier Pigeon'] : cells));
    const { charts, notes, unreadable } = await read({
      P: marked.map((cells, row) => (row === 5 ? ['006', '[2]', '-[1]', '225', '-', '-', '125'] : cells)),
    });
    expect(unreadable).toEqual([]);
    expect(charts[0]?.chart.rows.slice(0, 2).map(({ zones }) => zones.join())).toEqual([
      '2,302,202,242,132,102',
      ',,225,,,125',
    ]);
    expect(notes).toContain('Column Carrier Pigeon is not a known service, skipped');
  });

  test('may have destinations that a spreadsheet turned into numbers', async () => {
    expect((await read({ P: chartWith(4, 0, 5) })).charts[0]?.chart.rows[0]?.destination).toBe('005');
  });

  test.each([
    ['a zone of another service', chartWith(4, 1, '302'), 'sheet P, cell B5 (row 005, column UPS-GROUND)'],
    ['a corrupt zone', chartWith(4, 6, '96700'), 'sheet P, cell G5 (row 005, column UPS-NDA)'],
    ['nothing', chartWith(4, 2, null), 'sheet P, cell C5 (row 005, column UPS-3DAY)'],
    ['a malformed ZIP5', chartWith(10, 1, '9670'), 'sheet P, cell B11'],
    ['a malformed destination', chartWith(6, 0, '01O'), 'sheet P, row 7'],
    ['a destination that occurs twice', chartWith(6, 0, '005'), 'sheet P, cell A7'],
    [
      'an unknown service in a footnote',
      chartWith(9, 0, '[2] These are Zone 44 for Carrier Pigeon:'),
      'sheet P, row 10',
    ],
  ])('with %s is reported with its place', async (_what, rows, at) => {
    expect((await read({ P: rows })).unreadable.map((cell) => cell.at)).toContain(at);
  });
});
