/** Complete list rates that the project makes. fedex-acceptance.slow.test.ts tests the carrier's own file. */
import { describe, expect, test } from 'vitest';
import { readListRates } from '../../src/import/fedex/list-rates.ts';
import type { PdfPage, PdfWord } from '../../src/import/read/pdf.ts';
import type { ParsedFile } from '../../src/import/read/reader.ts';
import { lineFrom, wordTo } from '../pdf.ts';
import { listRatePages, madeCents, madePerPound } from './made-fedex.ts';

const CONTIGUOUS = ['2', '3', '4', '5', '6', '7', '8'];

/** Zones 13 to 16 share a table, with the prices of zone 13. */
const printedZone = (code: string, zone: string): string =>
  /^1[3-6]$/.test(zone) && code !== 'FDX-GROUND' && code !== 'FDX-HOME' ? '13' : zone;

const titleOf = ({ words }: PdfPage): string => {
  const largest = Math.max(...words.map(({ size }) => size));
  return words
    .filter(({ size }) => size === largest)
    .map(({ text }) => text)
    .join(' ');
};

const PAGES = listRatePages();

/** The pages, with words changed on pages whose title contains a text. */
const edited = (title: string, edit: (word: PdfWord) => PdfWord | readonly PdfWord[]): PdfPage[] =>
  PAGES.map((page) =>
    titleOf(page).includes(title) ? { ...page, words: page.words.flatMap((word) => edit(word)) } : page,
  );

const textTo = (from: string, to: string) => (word: PdfWord) => (word.text === from ? { ...word, text: to } : word);

const foundIn = ({ unreadable }: ParsedFile): string[] =>
  unreadable.map(({ at, text, problem }) => `${at}: ${JSON.stringify(text)} ${problem}`);

describe('list rates', () => {
  const reading = readListRates(PAGES);

  test('have every pound from 1 to 150 in each zone that a service serves', () => {
    const far = [...CONTIGUOUS, '9', '10', '11', '12', '13', '14', '15', '16'].join(' ');
    const nearer = [...CONTIGUOUS, '9', '13', '14', '15', '16'].join(' ');
    const ground = [...CONTIGUOUS, '9', '14', '17', '22', '23', '25', '92', '96'].join(' ');
    expect(reading.unreadable).toEqual([]);
    expect(reading.rates.map(({ code, table }) => [code, table.columns.join(' '), table.cents.length])).toEqual([
      ['FDX-GROUND', ground, 150],
      ['FDX-HOME', ground, 150],
      ['FDX-SAVER', CONTIGUOUS.join(' '), 150],
      ['FDX-2DAY', far, 150],
      ['FDX-2DAYAM', nearer, 150],
      ['FDX-STDOVN', nearer, 150],
      ['FDX-PRIOVN', far, 150],
      ['FDX-1STOVN', far, 150],
    ]);
  });

  test('have the right price in every cell', () => {
    for (const { code, table } of reading.rates)
      expect([code, table.cents]).toEqual([
        code,
        table.cents.map((_, row) => table.columns.map((zone) => madeCents(code, printedZone(code, zone), row + 1))),
      ]);
  });

  test('name the place of a rate: Express Saver, 37 lb, zone 5 on page 11', () => {
    const saver = reading.rates.find(({ code }) => code === 'FDX-SAVER');
    expect(saver?.source(36, 3)).toBe('page 11, row 37 lb, column FedEx Express Saver®, zone 5');
    const ground = reading.rates.find(({ code }) => code === 'FDX-GROUND');
    expect(ground?.source(150, 0)).toBe('page 37, row 150 lb, column zone 2, prorated');
  });

  test('take the effective date from the cover, and name skipped pages', () => {
    expect([reading.kind, reading.effective]).toEqual(['FedEx list rates (PDF)', '2032-01-05']);
    expect(reading.notes).toEqual([
      'the file was updated on 2032-06-01',
      'page 32: multiweight "Intra-Hawaii" names no zone; its table is skipped',
      'FedEx 2Day A.M.: multiweight for zone 10, where it has no rates',
      'FedEx Standard Overnight: multiweight for zone 10, where it has no rates',
      'FedEx Envelope and FedEx Pak rows are skipped: an envelope is not a package, and a pak is priced by its weight',
      'above the top row, ground rates are prorated per pound and rounded to the cent',
      'pages without package rates within the United States: 1, 33-34',
    ]);
  });

  test('prorate ground above 150 lb, at 160.20 / 150 per pound, but not express', () => {
    const above = reading.rates.map(({ code, table }) => [code, table.centsPerLbAboveTop?.[0]]);
    expect(above.slice(0, 3)).toEqual([
      ['FDX-GROUND', 107],
      ['FDX-HOME', 107],
      ['FDX-SAVER', undefined],
    ]);
    const silent = readListRates(edited('FedEx Ground', textTo('exceeds', 'is')));
    expect(silent.rates[0]?.table.centsPerLbAboveTop).toBeUndefined();
  });

  test('have the residential charge of Home Delivery, unless pages disagree on it', () => {
    expect(reading.charges).toEqual([
      {
        carrier: 'FedEx',
        services: ['FDX-HOME'],
        at: 'page 35',
        entry: {
          type: 'RESIDENTIAL',
          description: 'Residential delivery',
          from: '2032-01-05',
          when: { residential: true },
          amount: { per: 'package', usd: '5.55' },
        },
      },
    ]);
    expect(readListRates(edited('rates: Zones', textTo('$5.55', '$6.55'))).charges).toEqual([]);
    expect(readListRates(edited('FedEx Ground', textTo('$5.55', 'dear'))).charges).toEqual([]);
  });

  test('report a row without its pounds for each zone, and each price in it', () => {
    const { unreadable } = readListRates(edited('from Alaska', (word) => (word.text === '77' ? [] : word)));
    const lines = unreadable.map(({ at, problem }) => `${at} ${problem}`);
    expect(lines.filter((line) => line.endsWith(', row 77 lb, column zone 14 is not in the file'))).toHaveLength(5);
    expect(lines.filter((line) => line === 'page 29 is in no row of the table')).toHaveLength(5);
    expect(lines).toHaveLength(25);
  });
});

describe('a page of rates', () => {
  test.each([
    [
      'a column of an unknown service',
      edited('Zone 4', textTo('Saver®', 'Slow®')),
      'page 8, column FedEx Express Slow®: "FedEx Express Slow®" is not a known service',
    ],
    [
      'no column headings',
      edited('Zone 4', (word) => (word.text === 'FedEx' ? [] : word)),
      'page 8: "U.S. package rates: Zone 4" there is no table of weights on this page',
    ],
    [
      'a price between two rows',
      edited('Zone 4', (word) => (word.text === 'Envelope' ? [word, wordTo('7.77', 124, 208.5)] : word)),
      'page 8: "7.77" is in no row of the table',
    ],
    [
      'a missing zone above the columns',
      edited('to Alaska', (word) => (word.text === '11' && word.y < 120 ? [] : word)),
      'page 23, row 1 lb, column FedEx 2Day®, zone 9: "45.10" contradicts page 23',
    ],
  ])('with %s is reported', (_what, pages, line) => {
    expect(foundIn(readListRates(pages)).join('\n')).toContain(line);
  });

  test('without any zone is skipped, with a note', () => {
    const pages = edited('to Hawaii', (word) => (/^1[02]$/.test(word.text) && word.y < 120 ? [] : word));
    const { notes, rates } = readListRates(pages);
    expect(notes).toContain('page 26: "U.S. package rates to Hawaii" names no zone; its table is skipped');
    expect(rates.find(({ code }) => code === 'FDX-2DAY')?.table.columns).not.toContain('10');
  });
});

describe('multiweight', () => {
  test('has prices per pound by zone from 100, 500, 1,000 and 2,000 lb', () => {
    const { multiweight } = readListRates(PAGES);
    for (const { code, table } of multiweight)
      expect([code, table.breaks]).toEqual([
        code,
        [100, 500, 1_000, 2_000].map((fromLb, step) => ({
          fromLb,
          centsPerLb: table.columns.map((zone) =>
            madePerPound(code, zone === '10' ? '9' : printedZone(code, zone), step),
          ),
        })),
      ]);
    const twoDay = multiweight.find(({ code }) => code === 'FDX-2DAY');
    expect(twoDay?.source(1, 3)).toBe('page 31, Zone 5, row 500-999 lb, column FedEx 2Day®');
  });

  test('needs 100 lb, or 200 lb for Express Saver, and 15 lb per package on average', () => {
    const { multiweight } = readListRates(PAGES);
    expect(multiweight.map(({ code, terms }) => [code, terms.minimumTotalLb, terms.minimumAverageLb])).toEqual([
      ['FDX-SAVER', 200, 15],
      ['FDX-2DAY', 100, 15],
      ['FDX-2DAYAM', 100, 15],
      ['FDX-STDOVN', 100, 15],
      ['FDX-PRIOVN', 100, 15],
      ['FDX-1STOVN', 100, 15],
    ]);
  });

  test('has no conditions without its introduction', () => {
    const { multiweight } = readListRates(edited('Multiweight', (word) => (word.size === 6 ? [] : word)));
    expect(multiweight.map(({ terms }) => terms)).toEqual(Array(6).fill({}));
  });

  test('omits zones that the service does not serve: 2Day A.M. to Hawaii', () => {
    const { multiweight } = readListRates(PAGES);
    const morning = multiweight.find(({ code }) => code === 'FDX-2DAYAM');
    expect(morning?.table.columns).toEqual([...CONTIGUOUS, '9', '13', '14', '15', '16']);
    expect(morning?.source(0, 8)).toContain('Zones 13-16');
  });

  test.each([
    [
      'a malformed price',
      textTo('4.05', '4.O5'),
      'row 100-499 lb, column FedEx 2Day®: "4.O5" is not a price per pound',
    ],
    ['an empty cell', (word: PdfWord) => (word.text === '4.05' ? [] : word), 'column FedEx 2Day®: "" is not a price'],
    ['an unknown service', textTo('Saver®', 'Slow®'), 'column FedEx Express Slow®: "3.02" is not a known service'],
    [
      'a heading without a table',
      (word: PdfWord) => (word.text === 'Intra-Hawaii' ? lineFrom('Zone 7', 36, word.y + 80, 9) : word),
      'page 32, Zone 7: "Zone 7" there is no table under this heading',
    ],
  ])('with %s is reported with its place', (_what, edit, line) => {
    expect(foundIn(readListRates(edited('Multiweight', edit))).join('\n')).toContain(line);
  });
});
