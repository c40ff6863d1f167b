/**
 * FedEx's genuine zone charts against rows copied by hand from their rendered pages. The files are not part of the
 * project: without them, these tests are skipped. `CARRIER_FILES` names their folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { fedexZoneCsv } from '../../src/import/fedex/zone-csv.ts';
import type { ParsedChart, ParsedFile } from '../../src/import/read/reader.ts';
import { pdfReader } from '../../src/import/source.ts';
import { printedRows } from './printed-rows.ts';

const folder = process.env['CARRIER_FILES'] ?? join(import.meta.dirname, '../../../shared/carrier-files');
const present = existsSync(join(folder, 'fedex-zone-charts'));
const file = (name: string) => readFileSync(join(folder, name));
if (!present) process.stderr.write(`FedEx zone acceptance tests are skipped: no carrier files in ${folder}\n`);

/** Rows as printed: destinations, express zone, ground zone. */
const CHARTS = printedRows('fedex-printed-zones.csv');
const LOCATORS = [...new Set(CHARTS.map(({ chart }) => chart))].map(
  (name) => [name, CHARTS.filter(({ chart }) => chart === name)] as const,
);

const FAR_ROWS = [
  '006-007  ',
  '008  ',
  '009  ',
  '96700 12 9',
  '96701 10 9',
  '96702-96705 12 9',
  '96744 10 9',
  '96745-96757 12 9',
  '96801-96863 10 9',
  '969  ',
  '99500 11 17',
  '99501-99524 9 17',
];

const rowsOf = (chart: ParsedChart | undefined): string[] =>
  (chart?.chart.rows ?? []).map(({ destination, zones }) => `${destination} ${zones.join(' ')}`);

describe.skipIf(!present)('FedEx zone locators', () => {
  test.each(LOCATORS)('%s', async (name, rows) => {
    const [first] = rows;
    const reading = await pdfReader.read(file(`fedex-zone-charts/${name}.pdf`), {});
    const [chart, ...others] = reading.charts;
    expect([reading.kind, reading.effective, reading.unreadable, others]).toEqual([
      'FedEx zone locator (PDF)',
      '2022-01-03',
      [],
      [],
    ]);
    expect([chart?.origin, chart?.chart.columns]).toEqual([first?.['origin'], ['express', 'ground']]);
    expect(rowsOf(chart)).toEqual(expect.arrayContaining([...rows.map(({ printed }) => printed), ...FAR_ROWS]));
  });

  test('07000-07699 has 183 rows, from 00000-00399 to 99578-99999, without a gap', async () => {
    const { charts, notes } = await pdfReader.read(file('fedex-zone-charts/07000-07699.pdf'), {});
    expect(rowsOf(charts[0])).toHaveLength(183);
    expect(notes).toEqual(['2 rows are marked * (ask the carrier): read as no service']);
  });
});

/** Lines of the list. */
const LISTED = [
  'NJ,07506,5,008',
  'PA,16654,4,008',
  'OH,43619,4,007',
  'IL,61159,4,006',
  'AR,72021,3,006',
  'TX,79508,3,005',
  'CA,95175,2,004',
  'OR,97358,3,005',
  'MA,02139,5,008',
  'NY,10001,5,008',
  'IL,60601,4,007',
  'AZ,85001,1,002',
  'CA,90001,2,004',
  'WA,99323,3,005',
];

/** The zones of a ZIP5 in a chart of ZIP3s and ZIP5s. The most specific row wins. */
const zonesIn = (chart: ParsedChart | undefined, zip: string): readonly string[] | undefined => {
  const holding = (chart?.chart.rows ?? []).filter(({ destination }) => {
    const [from = '', to = from] = destination.split('-');
    return from <= zip.slice(0, from.length) && zip.slice(0, to.length) <= to;
  });
  return holding.sort((a, b) => b.destination.length - a.destination.length)[0]?.zones;
};

describe.skipIf(!present)('FedEx zone list for Phoenix', () => {
  let reading: ParsedFile;
  beforeAll(async () => {
    reading = await fedexZoneCsv.read(file('fedex-zone-charts/Phoenix-850.csv'), { origin: '850' });
  });

  test('every line is readable, and the origin is the given one', () => {
    expect([reading.unreadable, reading.charts.map(({ origin }) => origin)]).toEqual([[], ['850', '850']]);
  });

  test.each(LISTED)('%s', (line) => {
    const [, zip = '', , zone = ''] = line.split(',');
    expect(zonesIn(reading.charts[0], zip)).toEqual([String(Number(zone)), String(Number(zone))]);
  });

  test('Hawaii (009) and Alaska (017) are ground zones', () => {
    const [, ground] = reading.charts;
    expect(ground?.chart.columns).toEqual(['ground']);
    expect([zonesIn(ground, '96701'), zonesIn(ground, '99599')]).toEqual([['9'], ['17']]);
    expect(zonesIn(reading.charts[0], '96701')).toBeUndefined();
  });

  test('each of its 58,772 lanes has the zone of the locator for 85000-85099', async () => {
    const locator = await pdfReader.read(file('fedex-zone-charts/85000-85099.pdf'), {});
    const ground = new Map<string, string>();
    for (const { destination, zones } of locator.charts[0]?.chart.rows ?? []) {
      const [from = '', to = from] = destination.split('-');
      for (let zip = Number(from.padEnd(5, '0')); zip <= Number(to.padEnd(5, '9')); zip += 1)
        ground.set(String(zip).padStart(5, '0'), zones[1] ?? '');
    }
    const listed = file('fedex-zone-charts/Phoenix-850.csv').toString().trim().split('\n').slice(1);
    const differing = listed.filter((line) => {
      const [, zip = '', , zone = ''] = line.split(',');
      return ground.get(zip) !== String(Number(zone));
    });
    expect([listed.length, differing]).toEqual([58_772, []]);
  });

  test('does not cover ZIP codes between listed ones: 01006 and 99540', () => {
    expect([zonesIn(reading.charts[0], '01006'), zonesIn(reading.charts[0], '99540')]).toEqual([undefined, undefined]);
  });
});
