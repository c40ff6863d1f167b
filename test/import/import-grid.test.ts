import { describe, expect, test } from 'vitest';
import { type GridOptions, readGrid } from '../../src/import/agreement/import-grid.ts';
import type { Cell } from '../../src/import/read/xlsx.ts';

const NAMES: Readonly<Record<string, string>> = {
  ground: 'UPS-GROUND',
  'ups ground': 'UPS-GROUND',
  'ups 2nd day air': 'UPS-2DAY',
};

const OPTIONS: GridOptions = {
  services: ['UPS-GROUND'],
  serviceNamed: (text) => NAMES[text.toLowerCase()],
  discount: 'Incentive',
  appliesTo: 'both',
};

const readRows = (rows: readonly (readonly Cell[])[], options: Partial<GridOptions> = {}, merged: string[] = []) =>
  readGrid(
    { name: 'Grid', rows: rows.map((cells, at) => ({ number: at + 1, cells })), merged },
    { ...OPTIONS, ...options },
  );

const texts = (notes: ReturnType<typeof readRows>['notes']): string[] => notes.map(({ at, says }) => `${at} ${says}`);

/** A line as text: services, address, weights, zones, percentage. */
const lines = (rows: readonly (readonly Cell[])[], options: Partial<GridOptions> = {}, merged: string[] = []) => {
  const { lines: read, unreadable } = readRows(rows, options, merged);
  expect(unreadable).toEqual([]);
  return read.map(({ services, address, fromLb, toLb, zones, percent }) => {
    const zone = zones === '*' ? '*' : zones.map(({ from, to }) => (from === to ? from : `${from}-${to}`)).join('|');
    return `${services === '*' ? '*' : services.join('|')} ${address} ${fromLb}-${toLb ?? ''} ${zone} ${percent}`;
  });
};

const problems = (rows: readonly (readonly Cell[])[], options: Partial<GridOptions> = {}, merged: string[] = []) =>
  readRows(rows, options, merged).unreadable.map(({ at, problem }) => `${at} ${problem}`);

describe('a grid with bands down and zones across', () => {
  test('is read with its percent signs, blanks and dashes', () => {
    expect(
      lines([
        ['Weight', 'Zone 2', 'Zone 3', 'Zone 4', 'Zone 5'],
        ['1-5', '0%', '2.5%', '2.5%', ''],
        ['6 to 10 lbs', 10, '10.00', 10, '-'],
        ['11+', '14.5%', 'n/a', '18.50', '18.5% off'],
      ]),
    ).toEqual([
      'UPS-GROUND any 1-5 2 0.00',
      'UPS-GROUND any 1-5 3-4 2.50',
      'UPS-GROUND any 6-10 2-4 10.00',
      'UPS-GROUND any 11- 2 14.50',
      'UPS-GROUND any 11- 4-5 18.50',
    ]);
  });

  test.each([
    ['1-5', '1-5'],
    ['1 – 5', '1-5'],
    ['1 to 5 lbs.', '1-5'],
    ['1-5 lb', '1-5'],
    ['0-5', '1-5'],
    ['1.0 - 5.0', '1-5'],
    ['up to 5', '1-5'],
    ['under 6 lbs', '1-5'],
    ['7', '7-7'],
    ['7 lb', '7-7'],
    ['31+', '31-'],
    ['31 lbs+', '31-'],
    ['over 30', '31-'],
    ['> 30', '31-'],
    ['≥ 31', '31-'],
    ['151 lbs and up', '151-'],
    ['151 & above', '151-'],
    ['1,001 lbs and up', '1001-'],
    ['All weights', '1-'],
  ])('reads the band %s', (text, band) => {
    expect(
      lines([
        ['Weight', 'Zone 2'],
        [text, '5%'],
      ]),
    ).toEqual([`UPS-GROUND any ${band} 2 5.00`]);
  });

  test.each([
    ['Zone 2', '2'],
    ['Zone 002', '2'],
    ['Zones 2-4', '2-4'],
    ['zones 2 thru 4', '2-4'],
    ['Zones 2, 3 & 44', '2-3|44'],
    ['Z8', '8'],
    ['All zones', '*'],
    ['Zones: All', '*'],
    ['Discount', '*'],
    ['202', '202'],
    ['202-208', '202-208'],
  ])('reads the zones %s', (text, zones) => {
    expect(
      lines([
        ['Weight', text],
        ['1-5 lb', '5%'],
      ]),
    ).toEqual([`UPS-GROUND any 1-5 ${zones} 5.00`]);
  });

  test('may have a title above, notes below and a row between, and may be anywhere', () => {
    const { notes: said, ...read } = readRows([
      [null, 'Acme Corp.'],
      [null, 'Customer', 'ACME 77'],
      [],
      [null, null, 2, 3],
      [null, 1, 5, 6],
      [],
      [null, 2, 7, 8],
      [null, 'Rates are off the daily list. The residential surcharge is apart.'],
    ]);
    expect(read.unreadable).toEqual([]);
    expect(read.lines.map(({ fromLb, toLb, zones, percent }) => [fromLb, toLb, zones, percent])).toEqual([
      [1, 1, [{ from: '2', to: '2' }], '5.00'],
      [1, 1, [{ from: '3', to: '3' }], '6.00'],
      [2, 2, [{ from: '2', to: '2' }], '7.00'],
      [2, 2, [{ from: '3', to: '3' }], '8.00'],
    ]);
    expect(texts(said)).toEqual([
      'Grid B1 is a title or a note: Acme Corp.',
      'Grid B2 is not read: Customer',
      'Grid C2 is not read: ACME 77',
      'Grid B8 is a title or a note: Rates are off the daily list. The residential surcharge is apart.',
    ]);
  });

  test('has what the command says in each line', () => {
    const { lines: read } = readRows(
      [
        ['lb', 'All zones'],
        ['1+', '5%'],
      ],
      {
        services: ['UPS-GROUND', 'UPS-2DAY'],
        ...{ address: 'commercial', appliesTo: 'multiweight', betterOf: 'best', tier: '3' },
      },
    );
    expect(read).toEqual([
      {
        ...{ discount: 'Incentive', betterOf: 'best', services: ['UPS-GROUND', 'UPS-2DAY'], zones: '*', fromLb: 1 },
        ...{ address: 'commercial', appliesTo: 'multiweight', tier: '3', percent: '5.00' },
      },
    ]);
  });
});

describe('headers in several rows', () => {
  const TWO = [
    'UPS-GROUND commercial 1-5 2 1.00',
    'UPS-GROUND commercial 1-5 3 2.00',
    'UPS-GROUND residential 1-5 2 3.00',
    'UPS-GROUND residential 1-5 3 4.00',
  ];

  test('of a CSV, where merged cells are empty', () => {
    expect(
      lines([
        ['', 'Commercial', '', 'Residential', ''],
        ['Weight', '2', '3', '2', '3'],
        ['1-5', '1%', '2%', '3%', '4%'],
      ]),
    ).toEqual(TWO);
  });

  test('of a workbook, with merged cells', () => {
    expect(
      lines(
        [
          ['Weight', 'Commercial', null, 'Residential'],
          [null, 2, 3, 2, 3],
          ['1-5', '1%', '2%', '3%', '4%'],
        ],
        {},
        ['A1:A2', 'B1:C1', 'D1:E1'],
      ),
    ).toEqual(TWO);
  });

  test('and addresses in the headers of zones', () => {
    expect(
      lines([
        ['Weight', 'Commercial Zone 2', 'Commercial Zone 3', 'Residential - Zone 2', 'Zone 3 (Residential)'],
        ['1-5', '1%', '2%', '3%', '4%'],
      ]),
    ).toEqual(TWO);
  });

  test('the example of a public filing: no zones, addresses side by side', () => {
    expect(
      lines([
        ['UPS Ground'],
        ['Weight (lbs)', 'Commercial', 'Residential'],
        ['1-5', '0%', '1.5%'],
        ['6-10', '10%', '3.5%'],
        ['31-150', '18.5%', '9.5%'],
      ]),
    ).toEqual([
      'UPS-GROUND commercial 1-5 * 0.00',
      'UPS-GROUND commercial 6-10 * 10.00',
      'UPS-GROUND commercial 31-150 * 18.50',
      'UPS-GROUND residential 1-5 * 1.50',
      'UPS-GROUND residential 6-10 * 3.50',
      'UPS-GROUND residential 31-150 * 9.50',
    ]);
  });

  test('of services; those that the command does not name are left out', () => {
    const rows = [
      ['', 'UPS Ground', '', 'UPS 2nd Day Air'],
      ['lb', 'Zone 2', 'Zone 3', 'All zones'],
      ['1-5', '1%', '2%', '30%'],
    ];
    expect(lines(rows, { services: ['UPS-GROUND', 'UPS-2DAY'] })).toEqual([
      'UPS-GROUND any 1-5 2 1.00',
      'UPS-GROUND any 1-5 3 2.00',
      'UPS-2DAY any 1-5 * 30.00',
    ]);
    const { lines: some, notes } = readRows(rows);
    expect(some.map(({ services }) => services)).toEqual([['UPS-GROUND'], ['UPS-GROUND']]);
    expect(notes.map(({ isDoubt }) => isDoubt)).toEqual([true]);
    expect(texts(notes)).toEqual([
      'Grid D1 is of UPS-2DAY, which is not one of the services of the grid, so it is left out: UPS 2nd Day Air',
    ]);
  });

  test('a header of zones over several columns, whose cells are merged or empty', () => {
    const rows = [
      ['lb', 'Zones 2-4', null, null, 'Zones 5-8', null],
      ['1-5', '5%', '5%', '5%', '6%', null],
      ['6-10', '7%', null, null, '8%'],
    ];
    const expected = ['1-5 2-4 5.00', '1-5 5-8 6.00', '6-10 2-4 7.00', '6-10 5-8 8.00'];
    expect(lines(rows, {}, ['B1:D1', 'E1:F1', 'B3:D3'])).toEqual(expected.map((line) => `UPS-GROUND any ${line}`));
    expect(lines(rows)).toEqual(expected.map((line) => `UPS-GROUND any ${line}`));
  });

  test('grids below each other, each with a title', () => {
    expect(
      lines(
        [
          ['2026 UPS Ground Commercial Package Incentives Off Effective Rates'],
          ['Weight', 'All zones'],
          ['1-5', '0%'],
          ['6+', '10%'],
          ['UPS Ground Residential'],
          ['1-5', '1.5%'],
          ['6+', '3.5%'],
          ['UPS 2nd Day Air'],
          ['Weight', '2-8'],
          ['1+', '30%'],
        ],
        { services: ['UPS-GROUND', 'UPS-2DAY'] },
      ),
    ).toEqual([
      'UPS-GROUND commercial 1-5 * 0.00',
      'UPS-GROUND commercial 6- * 10.00',
      'UPS-GROUND residential 1-5 * 1.50',
      'UPS-GROUND residential 6- * 3.50',
      'UPS-2DAY any 1- 2-8 30.00',
    ]);
  });

  test('services and addresses left of the weights', () => {
    expect(
      lines(
        [
          ['', '', 'Weight', 'All zones'],
          ['UPS Ground', 'Commercial', '1-5', '1%'],
          ['', '', '6+', '2%'],
          ['', 'Residential', '1+', '3%'],
          ['UPS 2nd Day Air', 'Commercial', '1+', '4%'],
        ],
        { services: ['UPS-GROUND', 'UPS-2DAY'] },
      ),
    ).toEqual([
      'UPS-GROUND commercial 1-5 * 1.00',
      'UPS-GROUND commercial 6- * 2.00',
      'UPS-GROUND residential 1- * 3.00',
      'UPS-2DAY commercial 1- * 4.00',
    ]);
  });
});

describe('a grid with zones down and bands across', () => {
  test.each([
    ['the word zone', ['', '1-5', '6+'], ['Zone 2', '1%', '2%'], ['Zone 3', '1%', '3%']],
    ['the word lb', ['', '1-5 lb', '6 lb +'], ['2', '1%', '2%'], ['3', '1%', '3%']],
    ['a band that begins with 1', ['Zone', '1-5', '6-999'], ['2', '1%', '2%'], ['3', '1%', '3%']],
  ])('is recognized by %s', (_, ...rows) => {
    expect(lines(rows).map((line) => line.replace('6-999', '6-'))).toEqual([
      'UPS-GROUND any 1-5 2-3 1.00',
      'UPS-GROUND any 6- 2 2.00',
      'UPS-GROUND any 6- 3 3.00',
    ]);
  });

  test('is refused if it may be either', () => {
    expect(() =>
      readRows([
        ['', '2', '3'],
        ['2', '1%', '2%'],
      ]),
    ).toThrow(
      'the grid at A1 does not distinguish weights from zones: write weights as "1-5 lb", or zones as "Zone 2"',
    );
  });
});

describe('what cannot be read is named by its cell', () => {
  const withCell = (text: Cell) => [
    ['Weight', 'Zone 2', 'Zone 3'],
    ['1-5', '1%', text],
    ['6+', '2%', '3%'],
  ];

  test.each([
    ['call', 'Grid C2 is not a percentage such as 18.5%'],
    ['#REF!', 'Grid C2 is not a percentage such as 18.5%'],
    ['-5%', 'Grid C2 is not a percentage such as 18.5%'],
    ['18,5', 'Grid C2 is not a percentage such as 18.5%'],
    ['$1.50', 'Grid C2 is an amount of money; a discount is a percentage'],
    ['100.01%', 'Grid C2 is more than 100%'],
    ['18.555%', 'Grid C2 has more than two decimals'],
    [0.185, 'Grid C2 may be 0.185% or 18.5%: write it with a percent sign'],
    [true, 'Grid C2 is not a percentage such as 18.5%'],
  ])('%s among percentages', (text, problem) => {
    expect(problems(withCell(text))).toEqual([problem]);
  });

  test('fractions without a percent format', () => {
    expect(
      problems([
        ['Weight', 'Zone 2'],
        ['1-5', 0.07],
        ['6+', 0.185],
      ]),
    ).toEqual([
      'Grid B2 may be 0.07% or 7%: write it with a percent sign',
      'Grid B3 may be 0.185% or 18.5%: write it with a percent sign',
    ]);
  });

  test('a band that is a date, and one that is not a weight', () => {
    expect(
      problems([
        ['Weight', 'Zone 2'],
        ['1-5', '1%'],
        ['2026-06-10', '2%'],
        ['10-Jun', '2%'],
        ['Letter', '3%'],
        ['10.5-20', '3%'],
        ['20-11', '3%'],
      ]),
    ).toEqual([
      'Grid A3 is a date: spreadsheet programs turn 6-10 into a date. Write 6 to 10 instead',
      'Grid A4 is a date: spreadsheet programs turn 6-10 into a date. Write 6 to 10 instead',
      'Grid A5 is neither a weight nor a zone',
      'Grid A6 is neither a weight nor a zone',
      'Grid A7 is neither a weight nor a zone',
    ]);
  });

  test('a header that is not a zone, and a column without a header', () => {
    const known =
      'is neither zones (2, 2-8, Zone 2, All zones), residential or commercial, nor a service of --service (UPS-GROUND)';
    expect(
      problems([
        ['Weight', 'Zone 2', 'UPS Nowhere'],
        ['1-5', '1%', '2%'],
      ]),
    ).toEqual([`Grid C1 ${known}`, `Grid A2 has no row of headers above it: ${known.replace('is neither ', '')}`]);
    expect(
      problems([
        ['Weight', 'Zone 2'],
        ['1-5', '1%', '2%'],
      ]),
    ).toEqual(['Grid C2 has no header above it']);
  });

  test('a row without a weight', () => {
    expect(
      problems([
        ['Weight', 'Zone 2', 'Zone 3'],
        ['1-5', '1', '2'],
        ['', '10', '20'],
      ]),
    ).toEqual(['Grid B3 has no weight or zone beside it']);
  });

  test('cells that say the same twice', () => {
    expect(
      problems([
        ['Weight', 'Zones 2-4', 'Zone 4'],
        ['1-5', '1%', '2%'],
        ['5-9', '', '2%'],
      ]),
    ).toEqual([
      'Grid C2 has the same service, address, weight and zone as B2',
      'Grid C3 has the same service, address, weight and zone as B2',
    ]);
  });

  test('an unknown service, without blaming the cells below it', () => {
    expect(
      problems([
        ['', 'UPS Ground', '', 'Overnight', ''],
        ['Weight', 'Residential', 'Commercial', 'Residential', 'Commercial'],
        ['1-5', '1%', '2%', '1%', '2%'],
      ]).map((problem) => problem.replace(/ nor a service.*/, '')),
    ).toEqual(['Grid D1 is neither zones (2, 2-8, Zone 2, All zones), residential or commercial,']);
  });

  test('an address that differs from the command’s, or that a sentence may mean', () => {
    const rows = [['Residential'], ['Weight', 'All zones'], ['1+', '1%']];
    expect(lines(rows)).toEqual(['UPS-GROUND residential 1- * 1.00']);
    expect(problems(rows, { address: 'commercial' })).toEqual([
      'Grid A1 is for residential addresses, but --address says commercial',
    ]);
    const sentence = [['Not for residential delivery of Acme'], ...rows.slice(1)];
    expect(problems(sentence)).toEqual([
      'Grid A1 may name the addresses that the grid applies to: state them with --address',
    ]);
    expect(lines(sentence, { address: 'commercial' })).toEqual(['UPS-GROUND commercial 1- * 1.00']);
  });

  test('a percentage in place of a weight or a title', () => {
    expect(problems([['Weight', 'Zone 2'], ['1-5', '1%'], ['10%'], ['12%', '3%']])).toEqual([
      'Grid A3 is a percentage, but a weight, a zone or a title is expected here',
      'Grid A4 is a percentage, but a weight, a zone or a title is expected here',
    ]);
  });

  test('a sheet of more than a grid can have', () => {
    const grid = [['Weight', 'Zone 2'], ...Array.from({ length: 1_000 }, (_, at) => [`${at + 1}`, '1%'])];
    expect(() =>
      readRows(
        grid,
        {},
        Array.from({ length: 10 }, (_, at) => `A${at + 1}:ZZ2000`),
      ),
    ).toThrow('it has more than 100000 merged cells, so it is not a grid of discounts');
    expect(() => readRows(Array.from({ length: 2_001 }, () => ['1', '1%']))).toThrow('it has more than 2000 rows');
    expect(() => readRows([Array.from({ length: 201 }, () => '1%')])).toThrow('it has more than 200 columns');
  });

  test('a sheet without a grid', () => {
    expect(() => readRows([['Hello'], ['a', 'b']])).toThrow(
      'Grid has no grid: there is no percentage beside a weight such as 1-5 or a zone',
    );
  });
});

test('shows what it read as grids', () => {
  const { tables } = readRows([
    ['', 'Commercial', '', 'Residential'],
    ['lb', '2-4', '5-8', '*'],
    ['1-5', '1%', '1%', '3%'],
    ['6+', '4%', '', '5%'],
  ]);
  expect(tables).toEqual([
    {
      title: 'UPS-GROUND, commercial',
      rows: [
        ['lb', 'zone 2-4', 'zone 5-8'],
        ['1-5', '1.00', '1.00'],
        ['6+', '4.00', ''],
      ],
    },
    {
      title: 'UPS-GROUND, residential',
      rows: [
        ['lb', 'all zones'],
        ['1-5', '3.00'],
        ['6+', '5.00'],
      ],
    },
  ]);
});
