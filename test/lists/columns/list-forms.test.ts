/** How rows are read if the upload names the form of the list, or if cells are not values of a request. */
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import type { Schedule } from '../../../src/catalog/tariff/schedule.ts';
import { createScanner } from '../../../src/files/csv/scanner.ts';
import type { ReadOptions } from '../../../src/lists/columns/columns.ts';
import { findHeader } from '../../../src/lists/columns/header.ts';
import { readOptionsOf } from '../../../src/lists/list-options.ts';
import { previewList } from '../../../src/lists/preview/preview.ts';
import type { Preview } from '../../../src/lists/preview/preview-body.ts';
import { rowBody } from '../../../src/lists/rows/row.ts';
import { createRowReader } from '../../../src/lists/rows/row-reader.ts';
import { readShipment } from '../../../src/rating/shipment.ts';
import { demoShipper, planList, rateList, referenceSchedule } from '../rows/fixtures.ts';

const MOST = 65_536;

let schedule: Schedule;
beforeAll(async () => {
  schedule = await referenceSchedule();
});

const listed = (list: string, reading: ReadOptions) => ({
  reading: { defaults: { warehouse_id: '101' }, ...reading },
  bytes: Buffer.from(list),
});

/** Reads each row of a list, and checks that it equals its single call. */
const read = async (list: string, given: ReadOptions = {}) => {
  const { bytes, reading } = listed(list, given);
  const head = await findHeader(bytes, true, reading, MOST);
  if (head === 'more' || 'problems' in head) throw new Error(JSON.stringify(head));
  const { row, scan } = createScanner(head.columns.dialect, MOST);
  const reader = createRowReader(row, head.columns);
  const text = bytes.toString('latin1');
  const rows: { weights: unknown; packages: readonly unknown[]; fault: string; shipDate: unknown }[] = [];
  for (let at = head.bodyStart; scan(text, at, true) === 'row'; at = row.next) {
    const shipment = reader.read(rows.length + 1);
    const fault = shipment instanceof Failed ? shipment.fault : undefined;
    const body = rowBody(reader.cell) as {
      rates: { packageItems: { weight: unknown }[]; shipDate?: string };
    };
    if (fault?.type !== 'row.malformed') expect(shipment).toEqual(readShipment(body));
    const { packageItems, shipDate } = body.rates;
    rows.push({
      ...{ weights: packageItems[0]?.weight, packages: packageItems, shipDate },
      fault: fault === undefined ? '' : JSON.stringify(fault),
    });
  }
  return { rows, findings: head.columns.findings, columns: head.columns };
};

const problemsOf = async (list: string, given: ReadOptions = {}): Promise<Readonly<Record<string, string>>> => {
  const { bytes, reading } = listed(list, given);
  const head = await findHeader(bytes, true, reading, MOST);
  return head !== 'more' && 'problems' in head ? head.problems : {};
};

const weightsIn = async (name: string, cells: readonly string[], given: ReadOptions = {}) => {
  const lines = cells.map((cell) => `02139,"${cell}"\n`).join('');
  const { rows } = await read(`zip,${name}\n${lines}`, given);
  return rows.map(({ weights, fault }) => (fault === '' ? weights : 'fault'));
};

describe('a unit in the cell of a weight', () => {
  const LB = { defaults: { warehouse_id: '101', weight_units: 'LB' } };

  test('counts, whatever the unit for all rows is', async () => {
    expect(await weightsIn('Weight', ['35 oz', '2.5kg', '500 g', '3 lbs.', '4'], LB)).toEqual([
      { units: 'LB', value: 2.1875 },
      { units: 'KG', value: 2.5 },
      { units: 'KG', value: 0.5 },
      { units: 'LB', value: 3 },
      { units: 'LB', value: 4 },
    ]);
    expect(await weightsIn('Weight (lb)', ['2.0 kg', '2'])).toEqual([
      { units: 'KG', value: 2 },
      { units: 'LB', value: 2 },
    ]);
    expect(await weightsIn('Weight (oz)', ['2 lb', '35 oz', '35'])).toEqual([
      { units: 'LB', value: 2 },
      { units: 'LB', value: 2.1875 },
      { units: 'LB', value: 2.1875 },
    ]);
  });

  test('needs no unit for all rows if each of the first cells has one', async () => {
    expect(await weightsIn('Weight', ['35 oz', '2 kg'])).toEqual([
      { units: 'LB', value: 2.1875 },
      { units: 'KG', value: 2 },
    ]);
    expect(Object.keys(await problemsOf('zip,Weight\n02139,35 oz\n02139,2\n'))).toEqual(['weight_units']);
  });

  test('is reported if it differs from the unit for all rows', async () => {
    const { findings } = await read('zip,Weight (lb)\n02139,3 lb\n02139,2.0 kg\n');
    expect(findings.map(({ message }) => message)).toEqual([
      '"Weight (lb)" (column 2) has cells in another unit than LB, such as 2.0 kg. The unit in the cell is used.',
    ]);
    expect((await read('zip,Weight (lb)\n02139,3 lb\n')).findings).toEqual([]);
  });

  test('causes a fault that says so if it contradicts the row’s own units', async () => {
    const { rows } = await read('zip,Weight,Weight Unit\n02139,35 oz,lb\n02139,35 oz,oz\n02139,35 oz,\n');
    expect(rows.map(({ fault }) => fault)).toEqual([
      expect.stringContaining('its weight is in OZ, but its units are LB'),
      '',
      '',
    ]);
  });

  test('is not accepted in a column with the request’s own name', async () => {
    const { rows } = await read('zip,weight_value\n02139,35 oz\n', LB);
    expect(rows[0]?.fault).toContain('a unit belongs in units, KG or LB');
  });

  test('counts in a pair of pounds and ounces', async () => {
    const { rows } = await read('zip,Pounds,Ounces\n02139,2 lb,3 oz\n02139,2 kg,3 oz\n');
    expect(rows[0]?.weights).toEqual({ units: 'LB', value: 2.1875 });
    expect(rows[1]?.fault).toContain('its ounces can only be added to a weight in LB');
  });
});

describe('a unit in the cells of dimensions', () => {
  const sides = async (cells: string, given: ReadOptions = {}, more = '') => {
    const { rows } = await read(`zip,Weight (lb),Length,Width,Height${more}\n02139,2,${cells}\n`, given);
    const [item] = rows[0]?.packages ?? [];
    return rows[0]?.fault === '' ? (item as { dimensions: unknown }).dimensions : rows[0]?.fault;
  };

  test('counts if all sides agree', async () => {
    expect(await sides('12 in,9 in,6 in')).toEqual({ units: 'IN', length: 12, width: 9, height: 6 });
    expect(await sides('"12""","9""","6"""')).toEqual({ units: 'IN', length: 12, width: 9, height: 6 });
    const IN = { defaults: { warehouse_id: '101', dimension_units: 'IN' } };
    expect(await sides('30 cm,20 cm,10 cm', IN)).toEqual({ units: 'CM', length: 30, width: 20, height: 10 });
    expect(await sides('12 in,9,6', IN)).toEqual({ units: 'IN', length: 12, width: 9, height: 6 });
    const list = 'zip,Weight (lb),Length,Width,Height\n02139,2,12 in,9 in,6 in\n';
    expect((await read(list)).findings).toEqual([]);
  });

  test.each<[string, string, string?, ReadOptions['defaults']?]>([
    ['its length is in CM, but its units are IN', '12 cm,9,6', '', { dimension_units: 'IN' }],
    ['its width is in CM, but its length is in IN', '12 in,9 cm,6 in', '', { dimension_units: 'IN' }],
    ['its width is in CM, but its length is in IN', '12 in,9 cm,6'],
    ['its length is in IN, but its units are CM', '12 in,9 in,6 in,CM', ',Dimension Unit'],
    ['its height is in CM, but its units are IN', '12,9,6 cm,inches', ',Dimension Unit'],
  ])('is a fault that says: %s', async (reason, cells, more, defaults) => {
    const given = defaults === undefined ? {} : { defaults: { warehouse_id: '101', ...defaults } };
    expect(await sides(cells, given, more)).toContain(`"reason":"${reason}"`);
  });

  test('is not read if a side has none, or if the units of the row are none of a request', async () => {
    expect(await sides('12 in,9,6')).toContain('dimensions.units","message":"is required"');
    expect(await sides('12 in,9 in,6 in,feet', {}, ',Dimension Unit')).toContain('must be one of IN, CM');
  });

  test('counts for all sides of one cell, under any name', async () => {
    const size = async (cell: string, given: ReadOptions = {}, name = 'LxWxH') => {
      const named = new Map([['dimensions', name]] as const);
      const { rows, findings } = await read(`zip,Weight (lb),${name}\n02139,2,${cell}\n`, { ...given, named });
      const [item] = rows[0]?.packages ?? [];
      const types = findings.map(({ type }) => type);
      return [rows[0]?.fault === '' ? (item as { dimensions?: unknown }).dimensions : 'fault', ...types];
    };
    const INCHES = { units: 'IN', length: 12, width: 9, height: 6 };
    const IN = { defaults: { warehouse_id: '101', dimension_units: 'IN' } };
    const CM = { defaults: { warehouse_id: '101', dimension_units: 'CM' } };
    expect(await size('12 x 9 x 6 in')).toEqual([INCHES]);
    expect(await size('12 x 9 x 6 in', {}, 'dimensions')).toEqual([INCHES]);
    expect(await size('12in x 9in x 6in')).toEqual([INCHES]);
    expect(await size('"12"" x 9"" x 6"""')).toEqual([INCHES]);
    expect(await size('12 x 9 x 6 in', CM)).toEqual([INCHES]);
    expect(await size('12 x 9 in x 6', CM)).toEqual(['fault']);
    expect(await size('12 cm x 9 x 6 in', IN)).toEqual(['fault']);
    expect(await size('"12,0x9x6"', { ...IN, decimal: 'comma' })).toEqual([INCHES]);
    expect(await size('12x9x6')).toEqual(['fault', 'dimensions.noUnit']);
    expect(await size('0x0x0', { repairs: ['size'] })).toEqual([undefined, 'dimensions.noUnit']);
  });
});

describe('?decimal=', () => {
  test('says what commas and points mean', async () => {
    const cells = ['1,250', '1,250.5', '2.5', '0.25'];
    expect(await weightsIn('Weight (g)', cells, { decimal: 'point' })).toEqual([
      { units: 'KG', value: 1.25 },
      { units: 'KG', value: 1.2505 },
      { units: 'KG', value: 0.0025 },
      { units: 'KG', value: 0.00025 },
    ]);
    expect(await weightsIn('Weight (g)', ['1,250', '1.250,5', '1.250', '250'], { decimal: 'comma' })).toEqual([
      { units: 'KG', value: 0.00125 },
      { units: 'KG', value: 1.2505 },
      { units: 'KG', value: 1.25 },
      { units: 'KG', value: 0.25 },
    ]);
    expect(await weightsIn('Weight (lb)', ['5,000', '1.500', '2,5 kg'], { decimal: 'comma' })).toEqual([
      { units: 'LB', value: 5 },
      'fault',
      { units: 'KG', value: 2.5 },
    ]);
  });

  test('does not change values that the upload gives for all rows', async () => {
    const given = {
      decimal: 'comma',
      defaults: { warehouse_id: '101', weight_value: '2.500', weight_units: 'LB' },
    } as const;
    const { rows } = await read('zip\n02139\n', given);
    expect(rows[0]?.weights).toEqual({ units: 'LB', value: 2.5 });
  });

  test('counts before repairs', async () => {
    const given = {
      decimal: 'comma',
      repairs: ['weight'],
      defaults: { warehouse_id: '101', weight_units: 'LB' },
    } as const;
    expect(await weightsIn('weight_value', ['1,125 kg', '1.000 g', '2,5'], given)).toEqual([
      { units: 'KG', value: 1.125 },
      { units: 'KG', value: 1 },
      { units: 'LB', value: 2.5 },
    ]);
  });

  test('resolves a comma that may mean two things', async () => {
    const { rows } = await read('zip,Weight (g)\n02139,"1,250"\n');
    expect(rows[0]?.fault).toContain('must be a number; its comma may separate thousands or be a decimal comma');
    const LB = { defaults: { warehouse_id: '101', weight_units: 'LB' } };
    const own = await read('zip,weight_value\n02139,"1,000 g"\n02139,"1,250.5 g"\n', LB);
    expect(own.rows[0]?.fault).toContain('its comma may separate thousands or be a decimal comma');
    expect(own.rows[1]?.fault).not.toContain('comma');
    const { findings } = await read('zip,weight_value\n02139,"1,000"\n', LB);
    expect(findings.map(({ message }) => message)).toEqual([
      '"weight_value" (column 2) has numbers whose comma may separate thousands or be a decimal comma; rows with them get no price. Add ?decimal=point or ?decimal=comma to say what it is.',
    ]);
  });
});

test('?repair=weight repairs a number whose separators can mean only one thing', async () => {
  const given = { repairs: ['weight'], defaults: { warehouse_id: '101', weight_units: 'LB' } } as const;
  expect(await weightsIn('weight_value', ['1,250.5 g', '1.250,5 g', '1,000 g'], given)).toEqual([
    { units: 'KG', value: 1.2505 },
    { units: 'KG', value: 1.2505 },
    'fault',
  ]);
});

describe('?date_order=', () => {
  const daysOf = async (cells: readonly string[], dateOrder?: 'mdy' | 'dmy' | 'ymd') => {
    const lines = cells.map((cell) => `02139,2,${cell}\n`).join('');
    const { rows } = await read(`zip,Weight (lb),Ship Date\n${lines}`, { dateOrder });
    return rows.map(({ shipDate, fault }) => (fault === '' ? shipDate : 'fault'));
  };

  test('says in which order dates are written', async () => {
    const day = '2026-06-01';
    expect(await daysOf(['6/1/2026', '06-01-26', '6.1.2026 14:30', '2026-06-01', '13/1/2026'], 'mdy')).toEqual([
      ...[day, day, day, day],
      'fault',
    ]);
    expect(await daysOf(['1/6/2026', '2026-06-01', '6/2026'], 'dmy')).toEqual([day, day, 'fault']);
    expect(await daysOf(['2026/6/1', '26.6.1', '2026-06-01 00:00:00', '6/1/2026'], 'ymd')).toEqual([
      ...[day, day, day],
      'fault',
    ]);
    expect(await daysOf(['6/1/2026'])).toEqual(['fault']);
    for (const order of ['mdy', 'dmy', 'ymd'] as const)
      expect(await daysOf(['2026/6/1', '2026-06-01 18:00'], order)).toEqual([day, day]);
  });

  test.each(['T10:00:00Z', 'T10:00:00.000Z', 'T10:00:00+00:00', ' 10:00:00 -0400', ' 10:00:00 UTC', ' 1:05:00 PM PDT'])(
    'ignores the time of day and its zone: %s',
    async (time) => {
      expect(await daysOf([`2026-06-01${time}`], 'ymd')).toEqual(['2026-06-01']);
    },
  );

  test('does not read a time in another form', async () => {
    expect(await daysOf(['2026-06-01 noon', '2026-06-01 10', '2026-06-01T10:00:00+0'], 'ymd')).toEqual([
      ...['fault', 'fault', 'fault'],
    ]);
  });

  test('is suggested by the finding, but not by the fault, which single calls have too', async () => {
    const { rows, findings } = await read('zip,Weight (lb),Ship Date\n02139,2,6/1/2026\n');
    expect(rows[0]?.fault).toContain('must be a date, YYYY-MM-DD"');
    expect(findings[0]?.message).toContain('?date_order=mdy or dmy.');
    expect((await read('zip,Weight (lb),Ship Date\n02139,2,6/1/2026\n', { dateOrder: 'mdy' })).findings).toEqual([]);
  });
});

describe('the weight of a whole shipment', () => {
  const eachOf = async (list: string, given: ReadOptions = {}) => {
    const { rows } = await read(list, given);
    return rows.map(({ packages, fault }) =>
      fault === '' ? packages.map((item) => (item as { weight: { value: number } }).weight.value) : 'fault',
    );
  };
  const LIST =
    'zip,Shipment - Weight (Oz),Shipment - Package Count\n02139,240,3\n02139,240,1\n02139,240,\n02139,240,0\n';

  test('is divided among its packages, and the finding says so', async () => {
    expect(await eachOf(LIST)).toEqual([[5, 5, 5], [15], [15], 'fault']);
    expect((await read(LIST)).findings.map(({ message }) => message)).toEqual([
      '"Shipment - Weight (Oz)" (column 2) was read as the weight of the whole shipment, and divided equally among its packages. If it is the weight of each package, use ?weight_per=package.',
    ]);
  });

  test('is the weight of each package if the upload says so', async () => {
    expect((await eachOf(LIST, { weightPer: 'package' }))[0]).toEqual([15, 15, 15]);
    expect((await eachOf('zip,Weight (lb),Boxes\n02139,15,3\n', { weightPer: 'shipment' }))[0]).toEqual([5, 5, 5]);
  });

  test('is rounded up if it cannot be divided exactly', async () => {
    const list = 'zip,Total Weight (lb),Boxes\n02139,10,3\n02139,3.0000000003,3\n02139,1|2,2\n';
    expect(await eachOf(list)).toEqual([
      [3.333333334, 3.333333334, 3.333333334],
      [1.0000000001, 1.0000000001, 1.0000000001],
      [1, 2],
    ]);
  });
});

describe('quotes', () => {
  const TABS = 'order\tzip\tname\tWeight (lb)\n1\t02139\t"Acme\t2\n2\t10001\t12 in"\t3\n3\t90001\tx\t4\n';
  const OUT = 'quote_totalNetCharge';
  const own: ReadOptions = { defaults: { warehouse_id: '101' } };
  const rated = (list: string, reading: ReadOptions): Record<string, string>[] =>
    parse(rateList(Buffer.from(list), schedule, 2, 16, reading).output, { columns: true });

  test('that join two rows are reported in the preview and by the plan', async () => {
    const message =
      'A quoted cell of row 1 seems to hold whole rows. They are not rated as rows of their own. If the list does not quote cells, use ?quotes=none.';
    const preview = await previewOf(TABS, own);
    expect(preview.findings.map((finding) => finding.message)).toEqual([message]);
    expect(rated(TABS, own)).toHaveLength(2);
    const planned = planList(Buffer.from(TABS), {}, 16, own);
    expect('findings' in planned && planned.findings.map((finding) => finding.message)).toEqual([message]);
  });

  test('are not reported for a note with several lines', async () => {
    const list = 'zip,Weight (lb),note,x\n02139,2,"a, b\nc",1\n02139,2,"a\nb, c, d\n",1\n';
    expect((await previewOf(list, own)).findings).toEqual([]);
  });

  test('are text with ?quotes=none, and the output has every row', async () => {
    const rows = rated(TABS, { ...own, quotes: 'none' });
    expect(rows.map((row) => [row['name'], row['zip'], row[OUT] !== ''])).toEqual([
      ['"Acme', '02139', true],
      ['12 in"', '10001', true],
      ['x', '90001', true],
    ]);
    const commas = rated('zip,name,Weight (lb)\n02139,"Acme,2\n10001,"a"" b,3\n', { ...own, quotes: 'none' });
    expect(commas.map((row) => [row['name'], row[OUT] !== ''])).toEqual([
      ['"Acme', true],
      ['"a"" b', true],
    ]);
  });

  test('that break a row cause a fault that says what to do', async () => {
    const { rows } = await read('zip,name,Weight (lb)\n02139,"Acme" Inc,2\n');
    expect(rows[0]?.fault).toContain(
      'there is text after a closing quote; if the list quotes no cells, use ?quotes=none',
    );
  });
});

const previewOf = async (list: string, reading: ReadOptions): Promise<Preview> => {
  const bytes = Buffer.from(list);
  const context = {
    ...{ reading, maximumRowBytes: MOST, shipper: demoShipper, schedule, now: new Date('2026-06-01T12:00:00Z') },
    headerKey: String,
  };
  const preview = await previewList({ bytes, complete: true, encoding: 'utf-8', totalBytes: bytes.length }, context);
  if (!('rows' in preview)) throw new Error(JSON.stringify(preview));
  return preview;
};

describe('other cells that need help', () => {
  test('sizes of 0 count as no dimensions with ?repair=all', async () => {
    const list = 'zip,Weight (lb),Length,Width,Height\n02139,2,0,0.0,0\n02139,2,0,9,6\n';
    const given = readOptionsOf({ warehouse_id: '101', dimension_units: 'IN' });
    const { rows } = await read(list, given);
    expect(rows[0]?.fault).toContain('must be greater than 0');
    const repaired = await read(list, readOptionsOf({ warehouse_id: '101', dimension_units: 'IN', repair: 'all' }));
    expect(repaired.rows.map(({ fault }) => fault === '')).toEqual([true, false]);
    expect(repaired.rows[0]?.packages[0]).toEqual({ weight: { units: 'LB', value: 2 } });
    const preview = await previewOf(list, given);
    const removes = ['length', 'width', 'height'].map((field) => ({ type: 'getRates.invalidRequest', field, rows: 1 }));
    expect(preview.repairAll.kinds).toEqual([
      { what: 'dimensions', rows: 1, before: '0 x 0.0 x 0 IN', after: 'no dimensions', input_row: 1, removes },
    ]);
  });

  test('United States (US) is the United States', async () => {
    const countriesOf = async (name: string, given: ReadOptions = {}) => {
      const cells = ['United States (US)', 'United States (USA)', 'United States (MX)', 'Mexico (MX)'];
      const { rows } = await read(
        `zip,Weight (lb),${name}\n${cells.map((cell) => `02139,2,${cell}\n`).join('')}`,
        given,
      );
      return rows.map(({ fault }) => fault);
    };
    expect(await countriesOf('Country')).toEqual(['', '', expect.stringContaining('must be two letters'), '']);
    const [own] = await countriesOf('countryCode');
    expect(own).toContain('this looks like US');
    expect((await countriesOf('countryCode', { repairs: ['zip'] }))[0]).toBe('');
  });

  test('an invisible mark is named, and ?repair=zip removes it', async () => {
    const list = 'zip,Weight (lb)\n\u200e02139,2\n02139-1234\u200f,2\n02139,\u200e2\n';
    const { rows } = await read(list);
    expect(rows.map(({ fault }) => fault)).toEqual([
      expect.stringContaining('it has the invisible character U+200E'),
      expect.stringContaining('it has the invisible character U+200F'),
      expect.stringContaining('must be a number; it has the invisible character U+200E'),
    ]);
    const repaired = await read(list, { repairs: ['zip'] });
    expect(repaired.rows.map(({ fault }) => fault === '')).toEqual([true, true, false]);
  });

  test('Units with a number of items is not a unit of weight', async () => {
    const list = 'zip,Weight (oz),Units\n02139,20,3\n02139,20,1\n';
    const { findings, columns } = await read(list);
    expect(columns.fields.weight_units).toBeUndefined();
    expect(findings.map(({ type, column }) => [type, column])).toEqual([['column.quantity', 'Units']]);
    const { mapping } = await previewOf(list, { defaults: { warehouse_id: '101' } });
    expect(mapping.columns.map(({ looksLike }) => looksLike)).toEqual([null, null, 'packages']);
    expect((await read('zip,Weight,Units\n02139,20,oz\n')).columns.fields.weight_units).toBe(2);
    expect(await problemsOf('zip,Weight,Units\n02139,20,3\n')).toHaveProperty('weight_units');
  });
});
