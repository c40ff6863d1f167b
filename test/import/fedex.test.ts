import { describe, expect, test } from 'vitest';
import { readListRates } from '../../src/import/fedex/list-rates.ts';
import { fedexZoneCsv } from '../../src/import/fedex/zone-csv.ts';
import { readZoneLocator } from '../../src/import/fedex/zone-locator.ts';
import type { PdfPage, PdfWord } from '../../src/import/read/pdf.ts';

const word = (text: string, left: number, y: number, size = 8): PdfWord => ({
  text,
  left,
  right: left + text.length * size * 0.5,
  y,
  size,
});

const line = (text: string, left: number, y: number, size = 8): PdfWord[] =>
  text
    .split(' ')
    .map((part, index, parts) => word(part, left + parts.slice(0, index).join(' ').length * size * 0.6, y, size));

/** A page of two services. `rows` are pounds and two cells. */
const ratePage = (number: number, title: string, rows: [string, string, string][]): PdfPage => ({
  number,
  words: [
    ...line(title, 30, 40, 18),
    ...['FedEx', 'FedEx'].map((text, index) => word(text, 100 + index * 60, 80)),
    word('2Day®', 100, 90),
    ...line('Express Saver®', 160, 90),
    word('Envelope', 30, 95),
    word('19.00', 115, 95),
    word('18.00', 175, 95),
    ...rows.flatMap(([pounds, first, second], index) => {
      const y = 110 + index * 11;
      const cells = [
        { text: first, right: 140 },
        { text: second, right: 200 },
      ].filter(({ text }) => text !== '');
      return [
        { ...word(pounds, 0, y), left: 50, right: 60 },
        ...cells.map(({ text, right }) => ({ text, left: right - 24, right, y: y + 1, size: 7 })),
      ];
    }),
  ],
});

const rising = (from: number, to: number, edit: Record<number, [string, string]> = {}): [string, string, string][] =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const [first, second] = edit[from + index] ?? [`${20 + from + index}.50`, `${10 + from + index}.25`];
    return [String(from + index), first, second];
  });

describe('FedEx list rates', () => {
  test('reads a page by its headings: two services, ten pounds', () => {
    const { rates, unreadable } = readListRates([ratePage(1, 'U.S. package rates: Zone 4', rising(1, 10))]);
    expect(unreadable).toEqual([]);
    expect(rates.map(({ code, table }) => [code, table.columns, table.cents[0], table.cents[9]])).toEqual([
      ['FDX-SAVER', ['4'], [1125], [2025]],
      ['FDX-2DAY', ['4'], [2150], [3050]],
    ]);
  });

  test('reports an amount with a letter in it, with page, row and column', () => {
    const { unreadable } = readListRates([
      ratePage(7, 'U.S. package rates: Zone 4', rising(1, 10, { 6: ['2l.50', '16.25'] })),
    ]);
    expect(unreadable).toEqual([
      { at: 'page 7, row 6 lb, column FedEx 2Day®, zone 4', text: '2l.50', problem: 'is not an amount' },
    ]);
  });

  test('reports a blank cell within a column; blanks at the end of a column mean no service', () => {
    const tail = Object.fromEntries(
      [6, 7, 8, 9, 10, 11, 12].map((pounds) => [pounds, [`${20 + pounds}.50`, ''] as [string, string]]),
    );
    const { unreadable, notes, rates } = readListRates([
      ratePage(1, 'U.S. package rates: Zone 4', rising(1, 12, { ...tail, 3: ['', '13.25'] })),
    ]);
    expect(unreadable).toEqual([{ at: 'page 1, row 3 lb, column FedEx 2Day®, zone 4', text: '', problem: 'is blank' }]);
    expect(notes).toContain('FedEx Express Saver, zone 4: the cells above 5 lb are blank, read as no service');
    expect(rates[0]?.table.cents[5]).toEqual([null]);
  });

  test('reads a mark for no rate as no rate', () => {
    const { unreadable, rates } = readListRates([
      ratePage(1, 'U.S. package rates: Zone 4', rising(1, 10, { 2: ['**', 'NA'] })),
    ]);
    expect([unreadable, rates[0]?.table.cents[1], rates[1]?.table.cents[1]]).toEqual([[], [null], [null]]);
  });

  test('reports a pound that no page has for every zone', () => {
    const { unreadable } = readListRates([
      ratePage(1, 'U.S. package rates: Zone 4', rising(1, 10)),
      ratePage(2, 'U.S. package rates: Zone 4', rising(12, 20)),
    ]);
    expect(unreadable.map(({ at }) => at)).toEqual([
      'FedEx Express Saver, row 11 lb, column zone 4',
      'FedEx 2Day, row 11 lb, column zone 4',
    ]);
  });

  test('reports a cell on which two pages disagree', () => {
    const { unreadable } = readListRates([
      ratePage(1, 'U.S. package rates: Zone 4', rising(1, 10)),
      ratePage(2, 'U.S. package rates: Zone 4', rising(1, 10, { 1: ['21.50', '99.25'] })),
    ]);
    expect(unreadable).toEqual([
      {
        at: 'page 2, row 1 lb, column FedEx Express Saver®, zone 4',
        text: '99.25',
        problem: 'contradicts page 1, row 1 lb, column FedEx Express Saver®, zone 4, which has 11.25',
      },
    ]);
  });

  test('skips international pages', () => {
    const { rates, notes } = readListRates([
      ratePage(1, 'U.S. package rates: Zone 4', rising(1, 10)),
      ratePage(2, 'International package rates to zone C: U.S. export', rising(1, 10)),
    ]);
    expect(rates[0]?.table.columns).toEqual(['4']);
    expect(notes).toContain('pages without package rates within the United States: 2');
  });
});

describe('FedEx zone locator', () => {
  const locator = (rows: [string, string][], far: [string, string, string][]): PdfPage => ({
    number: 1,
    words: [
      ...line('For shipments originating in ZIP code(s):', 20, 40),
      word('12300-12499', 20, 60),
      ...line('Effective: February 7, 2023', 20, 70),
      ...line('Destination ZIP', 20, 100),
      word('Zone', 120, 100),
      ...rows.flatMap(([zips, zone], index) => [word(zips, 20, 112 + index * 9), word(zone, 122, 112 + index * 9)]),
      ...line('Destination ZIP', 20, 300),
      word('Express', 120, 308),
      word('Ground', 180, 308),
      ...far.flatMap(([zips, express, ground], index) => [
        word(zips, 20, 330 + index * 9),
        word(express, 122, 330 + index * 9),
        word(ground, 182, 330 + index * 9),
      ]),
    ],
  });

  test('reads ranges, NA and *, and express and ground zones of Alaska and Hawaii', () => {
    const { charts, unreadable, effective } = readZoneLocator([
      locator(
        [
          ['00000-00399', 'NA'],
          ['00400-00599', '4'],
        ],
        [
          ['00600-00799', '*', 'NA'],
          ['96701', '10', '9'],
        ],
      ),
    ]);
    expect([unreadable, effective, charts[0]?.origin]).toEqual([[], '2023-02-07', '123-124']);
    expect(charts[0]?.chart.rows).toEqual([
      { origin: '123-124', destination: '000-003', zones: ['', ''] },
      { origin: '123-124', destination: '004-005', zones: ['4', '4'] },
      { origin: '123-124', destination: '006-007', zones: ['', ''] },
      { origin: '123-124', destination: '96701', zones: ['10', '9'] },
    ]);
  });

  test('reports a list that has zones for express alone: its ground zones are not no service', () => {
    const page = locator([['00400-00599', '4']], [['96701', '10', '9']]);
    const words = page.words.filter(({ text }) => text !== 'Ground');
    const { charts, unreadable } = readZoneLocator([{ ...page, words }]);
    expect(unreadable).toEqual([
      { at: 'page 1', text: 'Destination ZIP', problem: 'a list has no zone column for ground' },
    ]);
    expect(charts[0]?.chart.rows.map(({ destination }) => destination)).toEqual(['004-005']);
  });

  test('reports a malformed zone, a reversed range and an overlap', () => {
    const { unreadable } = readZoneLocator([
      locator(
        [
          ['00400-00599', '4?'],
          ['00900-00800', '5'],
          ['01000-01399', '2'],
          ['01300-01499', '3'],
        ],
        [],
      ),
    ]);
    expect(unreadable.map(({ at, problem }) => `${at}: ${problem}`)).toEqual([
      'page 1, row 00400-00599, column zone: is not a zone',
      'page 1, row 00900-00800: is not a range of ZIP codes',
      'page 1, row 013-014: overlaps row 010-013',
    ]);
  });
});

describe('FedEx zone list', () => {
  const header = 'State/Province, Dest Zip/Postal Code, Service Days, Zone';
  const read = (lines: string[], origin: string | undefined = '850') =>
    fedexZoneCsv.read(Buffer.from([header, ...lines, ''].join('\n')), origin === undefined ? {} : { origin });

  test('is recognized by its header', () => {
    expect([header, 'zip,tier', '%PDF-1.7'].map((text) => fedexZoneCsv.accepts(Buffer.from(`${text}\n`)))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('reports a ZIP code in the zone column, with its line', async () => {
    const { unreadable } = await read(['MA,02139,5,008', 'HI,96700,4,96700']);
    expect(unreadable).toEqual([
      { at: 'line 3, column Zone', text: '96700', problem: 'is not a zone (for ZIP code 96700)' },
    ]);
  });

  test('reports blank zones, ZIP codes of four digits and contradictions', async () => {
    const { unreadable } = await read(['MA,02139,5,', 'MA,2140,5,008', 'MA,02141,5,008', 'MA,02141,5,007']);
    expect(unreadable.map(({ at, problem }) => `${at}: ${problem}`)).toEqual([
      'line 2, column Zone: is blank (for ZIP code 02139)',
      'line 3, column Dest Zip/Postal Code: is not a ZIP code',
      'line 5, column Zone: contradicts line 4',
    ]);
  });

  test('writes one row for a ZIP3 whose ZIP5s are all listed, and rows for its exceptions', async () => {
    const zips = Array.from({ length: 100 }, (_, index) => `021${String(index).padStart(2, '0')}`);
    const { charts } = await read(
      zips.map((zip) => `MA,${zip},5,${zip === '02139' || zip === '02150' ? '007' : '008'}`),
    );
    expect(charts[0]?.chart.rows.map(({ destination, zones }) => [destination, ...zones])).toEqual([
      ['021', '8', '8'],
      ['02139', '7', '7'],
      ['02150', '7', '7'],
    ]);
  });

  test('does not cover a ZIP5 that is not listed, even if its neighbors are', async () => {
    const { charts } = await read(['MA,02138,5,008', 'MA,02139,5,008', 'MA,02141,5,008']);
    expect(charts[0]?.chart.rows.map(({ destination }) => destination)).toEqual(['02138-02139', '02141']);
  });

  test('reads zone 9 as a ground zone in Hawaii and an express zone in Alaska', async () => {
    const { charts } = await read(['HI,96701,5,009', 'AK,99501,5,009', 'AK,99502,5,017', 'HI,96703,5,012']);
    expect(
      charts.map(({ chart }) => [chart.columns, chart.rows.map((row) => [row.destination, ...row.zones])]),
    ).toEqual([
      [
        ['express'],
        [
          ['96703', '12'],
          ['99501', '9'],
        ],
      ],
      [
        ['ground'],
        [
          ['96701', '9'],
          ['99502', '17'],
        ],
      ],
    ]);
    expect(charts[1]?.columnOf).toEqual({ 'FDX-ECON': 'ground', 'FDX-GROUND': 'ground', 'FDX-HOME': 'ground' });
  });

  test('does not say that a ZIP5 with a ground zone alone has no express service', async () => {
    const zips = Array.from({ length: 99 }, (_, index) => `AK,995${String(index).padStart(2, '0')},5,008`);
    const { charts } = await read([...zips, 'AK,99599,5,017', 'AK,99600,5,NA']);
    expect(charts.map(({ chart }) => chart.rows.map((row) => [row.destination, ...row.zones]))).toEqual([
      [
        ['99500-99598', '8', '8'],
        ['99600', '', ''],
      ],
      [['99599', '17']],
    ]);
  });

  test('rejects a missing or malformed origin', async () => {
    await expect(fedexZoneCsv.read(Buffer.from(`${header}\n`), {})).rejects.toThrow('does not state its origin');
    await expect(read([], '85')).rejects.toThrow('85 is not an origin');
    await expect(fedexZoneCsv.read(Buffer.from(`${header}\n`), { label: 'zones-850-2026' })).resolves.toBeDefined();
    await expect(fedexZoneCsv.read(Buffer.from(`${header}\n`), { label: '850-853' })).rejects.toThrow(
      'Phoenix-850.csv',
    );
  });
});
