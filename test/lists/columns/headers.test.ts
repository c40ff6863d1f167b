import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { scheduleOf, serviceCodes } from '../../../src/catalog/tariff/schedule.ts';
import type { Problems } from '../../../src/files/input/text-options.ts';
import type { Columns, ReadOptions } from '../../../src/lists/columns/columns.ts';
import { type BadHeader, type ListHeader, readHeader } from '../../../src/lists/columns/header.ts';
import { readingParameters, readOptionsOf } from '../../../src/lists/list-options.ts';
import { previewList } from '../../../src/lists/preview/preview.ts';
import { quoteOutcome } from '../../../src/rating/quote.ts';
import { smallTariff, TEN_POUNDS } from '../../catalog/tariff/small-tariff.ts';
import { demoShipper, rateList } from '../rows/fixtures.ts';
import { callOf, EXPORTS, type Export, listOf, MORE_EXPORTS, type MoreExport } from './header-exports.ts';

const CODES = ['UPS-GROUND', 'UPS-2DAY', 'FDX-GROUND', 'FDX-2DAY'];
const service = (code: string) => ({
  code,
  carrier: code.slice(0, 3),
  description: code,
  dimensionalFactor: 139,
  zones: { distanceMiles: [500] },
});
const SCHEDULE = scheduleOf([
  smallTariff({
    file: { services: CODES.map(service) },
    document: { rates: Object.fromEntries(CODES.map((code) => [code, TEN_POUNDS])) },
  }),
]);
const NOW = new Date('2026-06-01T12:00:00Z');

const reading = (query: string): ReadOptions =>
  readOptionsOf(
    z.object(readingParameters).parse(Object.fromEntries(new URLSearchParams(query))),
    serviceCodes(SCHEDULE),
  );

const headOf = (list: string, query: string): ListHeader | BadHeader => {
  const head = readHeader(Buffer.from(list), true, reading(query), 1_048_576);
  if (head === 'more') throw new Error('a whole list was not enough');
  return head;
};

const columnsOf = (list: string, query: string): Columns => {
  const head = headOf(list, query);
  if ('problems' in head) throw new Error(JSON.stringify(head.problems));
  return head.columns;
};

const askedBy = (list: string, said = ''): Problems => {
  const head = headOf(list, said);
  return 'problems' in head ? head.problems : {};
};

const previewOf = async (list: string, query: string) => {
  const bytes = Buffer.from(list);
  const context = {
    reading: reading(query),
    maximumRowBytes: 1_048_576,
    shipper: demoShipper,
    schedule: SCHEDULE,
    now: NOW,
    headerKey: String,
  };
  const beginning = { bytes, complete: true, encoding: 'utf-8', totalBytes: bytes.length } as const;
  const preview = await previewList(beginning, context);
  if (!('rows' in preview)) throw new Error(JSON.stringify(preview));
  return preview;
};

describe.each(EXPORTS)('$title', (from: Export) => {
  test('only asks for missing values, and says how to give them', () => {
    const asked = askedBy(listOf(from));
    expect(Object.keys(asked).filter((field) => !['warehouse_id', 'weight_units'].includes(field))).toEqual([]);
    expect(asked['warehouse_id']).toContain('?warehouse_id=');
    if ('weight_units' in asked) expect(asked['weight_units']).toContain('?units=');
    const { lacksWeight, ...asItIs } = from;
    if (lacksWeight) expect(askedBy(listOf(asItIs))).toHaveProperty('weight_value');
  });

  test('has rows with the same charges as their single calls', async () => {
    const list = listOf(from);
    const { rows } = await previewOf(list, from.said);
    expect(rows[0]?.request).toEqual(callOf(from.call));
    const single = quoteOutcome(callOf(from.call), demoShipper, SCHEDULE, NOW);
    expect([single.status, rows[0]?.fault]).toEqual([200, null]);
    expect(rows[0]?.quote).toEqual(single.body);
    const { output } = rateList(Buffer.from(list), SCHEDULE, 5_000, 65_536, reading(from.said));
    const [row]: Record<string, string>[] = parse(output, { columns: true });
    expect(Number(row?.['quote_totalNetCharge'])).toBe(
      'totalNetCharge' in single.body ? single.body.totalNetCharge : -1,
    );
  });

  test('has a row to Berlin, which is not covered and is never quoted for New York', async () => {
    const { rows } = await previewOf(listOf(from), from.said);
    expect(rows.at(-1)?.fault?.type).toBe('getRates.noDeliveryCoverage');
    expect(rows.at(-1)?.fault?.arguments).toEqual({ postalCode: '10115' });
  });
});

/** Describes how another export is read after the user's answers. */
const readMore = ({ header, cells = {}, said }: MoreExport) => {
  const names = header.split(',');
  const row = names.map((name) => cells[name] ?? '');
  const list = [names, row].map((line) => `${line.join(',')}\n`).join('');
  const asked = askedBy(list, said);
  const given = [
    'warehouse_id=101',
    ...('weight_value' in asked ? ['weight=2.1'] : []),
    ...('weight_units' in asked ? ['units=LB'] : []),
    ...(said === undefined ? [] : [said]),
  ];
  const columns = columnsOf(list, given.join('&'));
  const used = new Set(Object.values(columns.fields).map((index) => names[index] ?? ''));
  return { names, columns, used, told: columns.findings };
};

describe('more exports', () => {
  test('there are 32 of them', () => {
    expect(MORE_EXPORTS).toHaveLength(32);
    expect(new Set(MORE_EXPORTS.map(({ title }) => title)).size).toBe(32);
  });

  test.each(MORE_EXPORTS)('$title: no column that a price depends on is ignored silently', (from) => {
    const { names, used, told } = readMore(from);
    expect(from.relevant.filter((name) => !names.includes(name))).toEqual([]);
    const passed = from.relevant.filter((name) => !used.has(name) && !told.some(({ column }) => column === name));
    expect(passed).toEqual([]);
    expect([...used].filter((name) => !from.relevant.includes(name))).toEqual([]);
  });

  test('have at most one unnecessary question in ten files', () => {
    const needless = MORE_EXPORTS.flatMap((from) =>
      readMore(from).told.flatMap(({ column }) =>
        column === '' || from.relevant.includes(column) ? [] : [`${from.title}: ${column}`],
      ),
    );
    expect(needless).toEqual(['Wix, orders: Total order quantity', 'Newegg, orders: Quantity Shipped']);
  });
});

describe('the table of the headers', () => {
  const cell = (text: string): string => text.replaceAll('|', '\\|');
  const listed = (texts: readonly string[]): string => (texts.length === 0 ? '–' : texts.map(cell).join('<br>'));

  const moreLineOf = (from: MoreExport): string => {
    const { columns, told } = readMore(from);
    const found = Object.entries(columns.fields).map(([field, index]) => `${field}: \`${columns.header[index]}\``);
    const findings = told.map(({ type, column }) => `${type}: \`${column}\``);
    return `| **${from.title}** | ${listed(found)} | ${listed(findings)} |`;
  };

  const lineOf = (from: Export): string => {
    const list = listOf(from);
    const { fields, header, defaults } = columnsOf(
      list,
      `warehouse_id=101${'weight_units' in askedBy(list) ? '&units=LB' : ''}`,
    );
    const asked = Object.keys(askedBy(list));
    const unit = 'weight_units' in askedBy(list) ? undefined : defaults.weight_units;
    const found = Object.entries(fields)
      .filter(([field]) => field !== 'weight_value' || !from.lacksWeight)
      .map(([field, index]) => `${field}: \`${header[index]}\``);
    const needed = [
      ...(from.lacksWeight ? ['a column of weights, such as `Weight (lb)`'] : []),
      ...asked.map((field) => (field === 'weight_units' ? '`?units=`' : '`?warehouse_id=`')),
    ];
    const findings = columnsOf(list, `warehouse_id=101${'weight_units' in askedBy(list) ? '&units=LB' : ''}`).findings;
    const told = findings.map(({ type, column }) => `${type}: \`${column}\``);
    const units = unit === undefined || from.lacksWeight ? [] : [`weight_units: ${unit}, by the name`];
    return `| **${from.title}** (${from.source}) | ${listed([...found, ...units])} | ${listed(needed)} | ${listed(told)} |`;
  };

  test('is what the documentation shows', async () => {
    const page = [
      '# Known headers',
      '',
      'How the service reads the headers of 21 exports: which columns it finds by itself, what else the upload needs (a parameter,',
      'or a column that you add), and which findings it reports. The tariff has services of UPS and FedEx.',
      '`npx vitest run test/lists/columns/headers.test.ts -u` writes this page from the files in `test/lists/columns/headers`, and',
      'without `-u` the test fails if the page is out of date.',
      '',
      '| export | found | asked | findings |',
      '| --- | --- | --- | --- |',
      ...EXPORTS.map(lineOf),
      '',
      `For ${MORE_EXPORTS.length} more exports we have only the names and a few cells (\`test/lists/columns/headers/more.jsonl\`). The upload gives a`,
      'weight for all rows with `?weight=`, and names a column if none is found or if two look like the same field.',
      '',
      '| export | found | findings |',
      '| --- | --- | --- |',
      ...MORE_EXPORTS.map(moreLineOf),
      '',
    ].join('\n');
    await expect(page).toMatchFileSnapshot('../../../docs/headers.md');
  });
});
