/** USPS's files: the matrix of zones and its exceptions, charts of one origin, prices and holiday charges. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { assembleTariff } from '../../src/import/import.ts';
import type { ReadOptions, Source } from '../../src/import/read/reader.ts';
import { readSource } from '../../src/import/source.ts';
import { quoteOutcome } from '../../src/rating/quote.ts';
import { LIST_PRICES } from '../../src/rating/terms.ts';
import { folderForFile } from '../folder.ts';
import { madePrice, madeZone, noticeCsv, noticeWorkbook, zoneChart, zoneMatrix } from './made-usps.ts';

let dir: string;
folderForFile((made) => (dir = made));

const read = async (name: string, content: string | Buffer, options: ReadOptions = {}): Promise<Source> => {
  await writeFile(join(dir, name), content);
  return readSource(join(dir, name), options);
};

const zonesOf = ({ reading }: Source, origin: string): Map<string, string | undefined> =>
  new Map(
    reading.charts
      .filter((chart) => chart.origin === origin)
      .flatMap(({ chart }) => chart.rows.map(({ destination, zones }) => [destination, zones[0]] as const)),
  );

describe('the matrix', () => {
  test('gives the zones of the origins that are asked for, and leaves open what it does not tell', async () => {
    const { reading } = await read('matrix.txt', zoneMatrix([100, 606, 850]), { origin: '850,600-606' });
    expect(reading).toMatchObject({ kind: 'USPS zone matrix', effective: '2032-01-01', unreadable: [] });
    expect(reading.charts.map(({ origin }) => origin)).toEqual(['606', '850']);
    const zones = zonesOf({ file: '', sha256: '', reading }, '850');
    expect(zones.size).toBe(999 - 2);
    for (const [destination, zone] of zones) expect(zone).toBe(madeZone(850, Number(destination)).replace('0', ''));
    expect(reading.notes.join('\n')).toContain('Origin 850: the zone of 967, 968 is A');
    expect(reading.notes.join('\n')).toContain('Origin 850: some ZIP5s of 1 destination ZIP3s have other zones');
    expect(reading.notes).toContain('The matrix has no origin 601');
  });

  test('is read for the warehouses if nobody names an origin', async () => {
    const { reading } = await read('matrix.txt', zoneMatrix([100, 606, 850]), {
      shipsFrom: ['10001', '10199', '60601'],
    });
    expect(reading.charts.map(({ origin }) => origin)).toEqual(['100', '606']);
    expect(reading.notes).toContain('The matrix has no origin 101');
  });

  test.each([
    [{}, 'name the ZIP3s that you ship from'],
    [{ origin: '000-999' }, 'at most 100 of its origins, and these are 1000'],
    [{ origin: 'Phoenix' }, 'Phoenix is not an origin'],
    [{ origin: '300' }, 'it has none of the origins 300'],
  ])('is refused for %j', async (options, message) => {
    await expect(read('matrix.txt', zoneMatrix([850]), options)).rejects.toThrow(message);
  });

  test('gives the same zones as the chart of an origin, which tells the open ones too', async () => {
    const matrix = zonesOf(await read('matrix.txt', zoneMatrix([850]), { origin: '850' }), '850');
    const source = await read('chart.json', zoneChart(850, '7'), { origin: '850' });
    expect(source.reading).toMatchObject({ effective: '2032-01-01', unreadable: [] });
    const chart = zonesOf(source, '850');
    for (const [destination, zone] of matrix) if (zone !== '') expect(chart.get(destination)).toBe(zone);
    expect([chart.get('967'), chart.get('96900-96938')]).toEqual(['7', '8']);
    await expect(read('chart.json', zoneChart(850, '7'))).rejects.toThrow('does not state its origin');
    const named = await read('zones-850.json', zoneChart(850, '7'));
    expect(named.reading.notes).toContain("the origin 850 is taken from the file's name");
    expect(zonesOf(named, '850')).toEqual(chart);
  });

  test('is not what mentions a chart', async () => {
    const text = 'A chart is JSON: {"Column0": [{"ZipCodes": "005---"}]}.';
    await expect(read('README.md', text, { origin: '850' })).rejects.toThrow('it is of no known kind');
  });
});

test('exceptions apply to the ZIP3s that they contain, and take precedence over the matrix', async () => {
  const lines = ['01012032', '0010009007969009699908', '8500085049967009679902', 'nonsense', ''];
  const exceptions = await read('exceptions.txt', lines.join('\r\n'), { origin: '050,850' });
  expect(exceptions.reading.unreadable).toEqual([{ at: 'line 4', text: 'nonsense', problem: 'not an exception' }]);
  expect([...zonesOf(exceptions, '050')]).toEqual([
    ['96900-96949', '8'],
    ['96950-96999', '8'],
  ]);
  expect([...zonesOf(exceptions, '85000-85049')]).toEqual([
    ['96700-96749', '2'],
    ['96750-96799', '2'],
  ]);
  const matrix = await read('matrix.txt', zoneMatrix([50, 850]), { origin: '050,850' });
  const prices = await read('PM Retail.csv', noticeCsv('Priority Mail - Retail'));
  const { document, contradictions } = assembleTariff([matrix, exceptions, prices], {
    name: 'usps',
    effective: '2032-07-11',
  });
  expect([contradictions, document === undefined]).toEqual([[], false]);
  if (document === undefined) return;
  const zone = (origin: string, postalCode: string) => {
    const { body } = quoted(document, 'USPS-PMR', origin, postalCode, 1);
    return 'shipmentDetail' in body ? body.shipmentDetail.carrierZone : body.fault.type;
  };
  expect(zone('05001', '96910')).toBe('8');
  expect(zone('85001', '96910')).toBe('9');
  expect(zone('85001', '96701')).toBe('2');
  expect(zone('85099', '96701')).toBe('getRates.noDeliveryCoverage');
});

type Document = NonNullable<ReturnType<typeof assembleTariff>['document']>;

const quoted = (
  document: Document,
  shippingService: string,
  origin: string,
  postalCode: string,
  weight: number,
  more: { readonly sides?: readonly number[]; readonly shipDate?: string; readonly addressLine?: string } = {},
) => {
  const [length, width, height] = more.sides ?? [];
  const dimensions = length === undefined ? {} : { dimensions: { units: 'IN', length, width, height } };
  const { shipDate = '2032-08-02', addressLine } = more;
  const address = { postalCode, residential: true, ...(addressLine === undefined ? {} : { addressLine }) };
  const rates = {
    ...{ shippingService, shipper: { warehouse_id: 1 }, recipient: { address }, shipDate },
    packageItems: [{ weight: { units: 'LB', value: weight }, ...dimensions }],
  };
  const warehouse = { id: 1, name: 'One', postalCode: origin, stateOrProvinceCode: 'AZ', countryCode: 'US' };
  const shipper = { warehouses: new Map([[1, warehouse]]), account: LIST_PRICES };
  return quoteOutcome({ rates }, shipper, scheduleOf([document]), new Date('2032-08-02T12:00:00Z'), true);
};

describe('prices', () => {
  test('are read from a CSV of Notice 123', async () => {
    const { reading } = await read('anything.csv', noticeCsv('Priority Mail - Retail'));
    expect(reading).toMatchObject({ kind: 'USPS prices (CSV)', effective: '2032-06-15', unreadable: [] });
    const [rates] = reading.rates;
    expect(rates).toMatchObject({ code: 'USPS-PMR', carrier: 'USPS', dimensionalFactor: 139 });
    expect(rates?.table.columns).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    expect(rates?.table.cents[69]?.[8]).toBe(Number(madePrice(70, 9)) * 100);
    expect(rates?.source(0, 0)).toBe('line 4, column 2');
  });

  test('are read from its workbook, ounces too', async () => {
    const { reading } = await read('notice.xlsx', noticeWorkbook());
    expect(reading.unreadable).toEqual([]);
    expect(
      reading.rates.map(({ code, table }) => [code, table.ounces?.map(({ upToOz }) => upToOz), table.cents.length]),
    ).toEqual([
      ['USPS-GAR', [4, 8, 12, 15.999], 70],
      ['USPS-PMR', undefined, 70],
    ]);
    expect(reading.notes).toEqual(['Sheets without prices by zone of these services, skipped: One']);
  });

  test('name a cell that is no price, and a pound that is missing', async () => {
    const text = noticeCsv('USPS Ground Advantage - Commercial')
      .replace('$8.50', 'free')
      .replace(/^12,.*\n/m, '');
    const { reading } = await read('ga.csv', text);
    expect(reading.rates[0]?.code).toBe('USPS-GA');
    expect(reading.unreadable).toEqual([
      { at: expect.stringMatching(/^line \d+, column \d$/), text: 'free', problem: 'not a price' },
      { at: 'USPS-GA', text: '', problem: 'a row of a whole pound is missing' },
    ]);
  });

  test('as transcribed name their service by the name of their file', async () => {
    const grid = 'weight,zone_1,zone_2\n1 to 8 oz,7.90,8.05\n9 to 15.99 oz,9.55,9.95\n1,9.55,9.95\n';
    const { reading } = await read('ground_advantage_retail_2032-07-11.csv', grid);
    expect(reading.effective).toBe('2032-07-11');
    expect(reading.rates).toMatchObject([
      { code: 'USPS-GAR', carrier: 'USPS', description: 'USPS Ground Advantage, retail' },
    ]);
    expect(reading.rates[0]?.table.ounces?.map(({ upToOz }) => upToOz)).toEqual([8, 15.99]);
  });
});

describe('a tariff', () => {
  const made = async (): Promise<Document> => {
    const holiday = 'weight,pm_retail_z1_4,pm_retail_z5_9\n0-3 lb,0.40,0.85\n4-10 lb,0.65,1.75\n';
    const sources = [
      await read('matrix.txt', zoneMatrix([850], '01012030'), { origin: '850' }),
      await read('notice.xlsx', noticeWorkbook()),
      await read('holiday_2032-10-03_to_2033-01-16.csv', holiday),
    ];
    const { document, contradictions } = assembleTariff(sources, { name: 'usps', effective: '2032-07-11' });
    expect(contradictions).toEqual([]);
    if (document === undefined) throw new Error('nothing was read');
    return document;
  };
  let document: Document;
  beforeAll(async () => {
    document = await made();
  });

  test('delivers to boxes, and adds nothing for homes or fuel', async () => {
    const { status, body } = quoted(document, 'USPS-PMR', '85001', '85101', 2, { addressLine: 'PO Box 7' });
    expect([status, body]).toMatchObject([200, { totalNetCharge: Number(madePrice(2, 2)) }]);
    expect(body).not.toHaveProperty('warnings');
    expect(body).toMatchObject({ explanation: { zone: { chartDate: '2030-01-01' }, sideRounding: 'up' } });
  });

  test.each([
    [[12, 12, 12], 2, undefined],
    [[12, 12, 12.1], Math.ceil((12 * 12 * 13) / 139), undefined],
    [[22, 5, 5], 2, undefined],
    [[22.5, 5, 5], 2, ['handling']],
    [[24, 12, 12], Math.ceil(3_456 / 139), ['handling']],
    [[16, 16, 14], Math.ceil((16 * 16 * 14) / 139), ['handling']],
  ] as const)('bills sides of %j as %i lb', async (sides, pounds, missing) => {
    const { body } = quoted(document, 'USPS-GAR', '85001', '85101', 2, { sides });
    expect(body).toMatchObject({ shipmentDetail: { totalBillingWeight: { value: pounds } } });
    const [warning] = 'warnings' in body ? (body.warnings ?? []) : [];
    expect(warning?.arguments['missing']).toEqual(missing);
  });

  test.each([
    ['2032-10-02', 3, 0],
    ['2032-10-03', 3, 0.4],
    ['2033-01-16', 3.1, 0.65],
    ['2033-01-16', 10, 0.65],
    ['2033-01-17', 10, 0],
  ])('adds holiday charges on %s for %d lb', (shipDate, weight, amount) => {
    const { body } = quoted(document, 'USPS-PMR', '85001', '85101', weight, { shipDate });
    expect(body).toMatchObject({ shipmentDetail: { totalSurcharges: amount } });
  });

  test('says that it lacks the holiday charge above the last band', async () => {
    const { body } = quoted(document, 'USPS-PMR', '85001', '85101', 11, { shipDate: '2032-12-01' });
    expect(body).toMatchObject({
      shipmentDetail: { totalSurcharges: 0.65 },
      warnings: [{ type: 'price.incomplete', arguments: { missing: ['demand'] } }],
    });
    const descriptions = document.file.surcharges.map(({ description }) => description);
    expect(descriptions).toContain('Holiday season, 4 lb or more');
    expect(descriptions).not.toContain('Holiday season, 4 to 10 lb');
  });

  test('takes no more than 70 lb and 130 or 108 inches of length plus girth', async () => {
    expect(quoted(document, 'USPS-PMR', '85001', '85101', 70.5).body).toMatchObject({
      fault: { type: 'getRates.weightNotServed' },
    });
    const sides = [70, 10, 10];
    expect(quoted(document, 'USPS-PMR', '85001', '85101', 5, { sides }).body).toMatchObject({
      fault: { type: 'getRates.sizeNotServed', arguments: { lengthPlusGirth: '110 IN' } },
    });
  });
});

test('holiday charges need their days in the name of the file', async () => {
  await expect(read('holiday.csv', 'weight,ga_comm_z1_4\n0-3 lb,0.40\n')).rejects.toThrow('does not say its days');
});
