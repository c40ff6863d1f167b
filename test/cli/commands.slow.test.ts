import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';
import { ROOT, rates } from './rates.ts';

let dir: string;
folderForFile((made) => (dir = made));

const json = (text: string | Buffer): unknown => JSON.parse(String(text));

describe('rates', () => {
  test('prints its usage and ends with 2 for a missing or unknown command', async () => {
    expect(await rates([])).toMatchObject({ code: 2, stderr: expect.stringContaining('quote [options]') });
    expect(await rates(['nope'])).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command 'nope'") });
  });

  test('prints help on standard output and ends with 0', async () => {
    const { code, stdout, stderr } = await ratesHere(['help', 'run']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('rates run shipments.csv -o quoted.csv');
  });

  test('names every wrong setting and ends with 1', async () => {
    const { code, stderr } = await ratesHere(['quote', '--warehouse', '101', '--zip', '60601', '--weight', '5'], {
      env: { PORT: 'x', WORKERS: '0' },
    });
    expect(code).toBe(1);
    expect(stderr).toContain('PORT must be a whole number');
    expect(stderr).toContain('WORKERS must be a whole number');
  });

  test('api and worker say that they need a Redis', async () => {
    for (const command of ['api', 'worker'])
      expect(await ratesHere([command], { env: { REDIS_URL: '' } })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^REDIS_URL is not set/),
      });
  });
});

describe('rates quote', () => {
  test('prints a receipt: 5 lb from New Jersey to Chicago, a home, is 20.51', async () => {
    const { code, stdout, stderr } = await ratesHere(
      ['quote', '--warehouse', '101', '--zip', '60601', '--weight', '5', '--residential'],
      { env: { NO_COLOR: '1' } },
    );
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    expect(lines.slice(3, 8)).toEqual([
      'Base charge           13.08',
      'Residential delivery   5.15',
      'Fuel                   2.28',
      '───────────────────────────',
      'Total USD             20.51',
    ]);
    expect(lines).toContain('  C1-EXPRESS  C1  zone 5  5 LB  62.94');
    expect(stdout).not.toContain('\u001b');
  });

  test('uses dimensions: 5 lb of 12 × 12 × 12 inches are billed as 13 lb with the factor 139', async () => {
    const args = ['quote', '--warehouse', '101', '--zip', '60601', '--weight', '5', '--service', 'C1-GROUND', '--json'];
    const billed = async (...more: readonly string[]) =>
      JSON.parse((await ratesHere([...args, ...more])).stdout).shipmentDetail.totalBillingWeight.value;
    expect(await billed('--length', '12', '--width', '12', '--height', '12')).toBe(13);
    const centimeters = ['--length', '30.48', '--width', '30.48', '--height', '30.48', '--dimension-units', 'CM'];
    expect(await billed(...centimeters)).toBe(13);
    expect(await billed('--weight', '6', '--length', '12', '--length', '6', '--width', '12', '--height', '12')).toBe(
      20,
    );
  });

  test('--json prints the API’s body for a request from standard input', async () => {
    const input = await readFile(join(ROOT, 'samples', 'requests', 'one-package.json'));
    const { code, stdout } = await rates(['quote', '--request', '-', '--json'], { input });
    expect(code).toBe(0);
    expect(json(stdout)).toMatchObject({ status: 200, rateType: 'LIST', shipmentDetail: { currency: 'USD' } });
  });

  test('a fault ends with 4 and lists valid choices', async () => {
    const flags = ['quote', '--warehouse', '999', '--zip', '60601', '--weight', '5'];
    const { code, stdout, stderr } = await ratesHere(flags);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toContain('No quote: The warehouse 999 is not registered');
    expect(stderr).toContain('101 (Newark), 102 (Chicago), 103 (Los Angeles)');
    const asJson = await ratesHere([...flags, '--json']);
    expect(asJson.code).toBe(4);
    expect(json(asJson.stdout)).toMatchObject({ code: 422, fault: { type: 'getRates.unknownWarehouse' } });
  });

  test('missing flags and an unknown client end with 2, invalid JSON with 1', async () => {
    expect(await ratesHere(['quote', '--zip', '60601'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--warehouse, --weight'),
    });
    const named = ['quote', '--warehouse', '101', '--zip', '60601', '--weight', '5', '--client', 'nobody'];
    expect(await ratesHere(named)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The clients there are demo, other'),
    });
    expect(await ratesHere(['quote', '--request', '-'], { input: '{' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not JSON'),
    });
    expect(await ratesHere(['quote', '--request', '-'], { input: '{}' })).toMatchObject({
      stderr: 'No quote: `rates` is required. (getRates.invalidRequest)\n',
    });
  });
});

describe('rates run', () => {
  test('prints findings about columns, and takes options that settle them', async () => {
    const list = join(dir, 'etsy.csv');
    await writeFile(
      list,
      'Quantity,Ship Zipcode,Weight (lb),Length,Width,Height,Service\n4,02139,2,20,20,20,Standard\n',
    );
    const output = join(dir, 'etsy-quoted.csv');
    const run = (...more: string[]) => ratesHere(['run', list, '-o', output, '--warehouse', '101', ...more]);
    const { code, stderr } = await run();
    expect(code).toBe(4);
    expect(stderr).toContain(
      'Note: "Quantity" (column 1) was not used: most lists count items there. If it counts packages, use --columns=packages:Quantity.',
    );
    expect(stderr).toContain('Use --dimension-units=IN or CM for all rows.');
    const settled = await run('--dimension-units', 'IN', '--service-map', 'Standard:C1-GROUND', '--json');
    expect(settled.code).toBe(0);
    expect(json(settled.stdout)).toMatchObject({
      byService: [{ shippingService: 'C1-GROUND', shipments: 1 }],
      findings: [{ type: 'column.quantity', column: 'Quantity' }],
    });
    expect(await run('--service-map', 'Standard')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is invalid. "Standard" must be a name, a colon and a code'),
    });
    expect(await run('--service-map', 'Standard:GRND')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--service-map maps "standard" to GRND, which is not a service'),
    });
  });

  const SAMPLE = join(ROOT, 'samples', 'shipments.csv');

  test('quotes the sample list: 1,000 rows, 30 of them with faults of every kind, and ends with 4', async () => {
    const output = join(dir, 'quoted.csv');
    const { code, stdout, stderr } = await ratesHere(['run', SAMPLE, '-o', output, '--json']);
    expect(code).toBe(4);
    expect(stderr).toContain('970 quotes, 30 faults');
    expect(stderr).toContain('\nTotal: $59,678.55\n');
    expect(json(stdout)).toMatchObject({
      rows: { processed: 1000, quoted: 970, faulted: 30 },
      faults: {
        'getRates.invalidRequest': 8,
        'getRates.noDeliveryCoverage': 4,
        'getRates.unknownShippingService': 3,
        'getRates.unknownWarehouse': 3,
        'getRates.noTariff': 3,
        'getRates.addressLineRequired': 3,
        'getRates.weightNotServed': 3,
        'getRates.sizeNotServed': 1,
        'row.malformed': 2,
      },
    });
    const rows: Record<string, string>[] = parse(await readFile(output), { columns: true });
    expect(rows).toHaveLength(1000);
    expect(rows[0]).toMatchObject({ order_number: 'SO-100001', input_row: '1', quote_totalNetCharge: '10.91' });
    expect((await readdir(dir)).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test('writes the same bytes through pipes and for any chunk size', async () => {
    const input = await readFile(SAMPLE);
    const expected = await readFile(join(dir, 'quoted.csv'));
    const { stdout } = await rates(['run', '-', '-o', '-'], { input, env: { CHUNK_ROWS: '7' } });
    expect(stdout.toString()).toBe(expected.toString());
  });

  test('takes missing columns from options, and ends with 0 without faults', async () => {
    const { code, stdout } = await ratesHere(['run', '-', '-o', '-', '--units', 'LB', '--warehouse', '101'], {
      input: 'zip,weight\n60601,5\n',
    });
    expect(code).toBe(0);
    expect(parse(stdout, { columns: true })).toMatchObject([
      { zip: '60601', weight: '5', quote_shippingService: 'C1-GROUND', quote_totalNetCharge: '14.72' },
    ]);
  });

  test('says which columns are missing, with the names of options, and keeps an existing output', async () => {
    const output = join(dir, 'kept.csv');
    await writeFile(output, 'before');
    const { code, stderr } = await ratesHere(['run', '-', '-o', output], { input: 'zip,weight\n60601,5\n' });
    expect(code).toBe(1);
    expect(stderr).toContain('weight_units: required column missing');
    expect(stderr).toContain('or set --units for all rows');
    expect(await readFile(output, 'utf8')).toBe('before');
  });

  test('a missing file ends with 1; a missing -o, or rows and JSON on one output, with 2', async () => {
    expect(await ratesHere(['run', join(dir, 'none.csv'), '-o', '-'])).toMatchObject({
      code: 1,
      stderr: `${join(dir, 'none.csv')} does not exist. Check the name.\n`,
    });
    expect(await ratesHere(['run', SAMPLE])).toMatchObject({ code: 2, stderr: expect.stringContaining('--output') });
    expect(await ratesHere(['run', SAMPLE, '-o', '-', '--json'])).toMatchObject({ code: 2 });
  });
});
