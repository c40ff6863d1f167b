/** `rates compare`, with the sample list and tariffs. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { comparisonSummarySchema } from '../../src/lists/comparison/summary.ts';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';
import { ROOT } from './rates.ts';

const SAMPLE = join(ROOT, 'samples', 'shipments.csv');
const REFERENCE = join(ROOT, 'samples', 'tariffs', 'reference');
const AGREEMENT = join(ROOT, 'samples', 'agreements', 'sample-c1');

let dir: string;
folderForFile((made) => (dir = made));

const compare = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  ratesHere(['compare', SAMPLE, ...args], { env });

const rowsOf = (csv: string): readonly Record<string, string>[] => parse(csv, { columns: true });

const summaryOf = (stdout: string) => comparisonSummarySchema.loose().parse(JSON.parse(stdout));

const GROUND = 'all to Ground: service=C1-GROUND';

describe('the rows', () => {
  test('have both scenarios next to the current cost, whatever the size of a chunk', async () => {
    const specs = ['--against', GROUND, '--against', 'discounts=C1-GROUND 35; divisor=166', '-o', '-'];
    const { code, stdout } = await compare(specs, { CHUNK_ROWS: '7' });
    expect(code).toBe(4);
    expect(stdout.split('\n').length).toBe(1_002);
    const side = (name: string) => `service_${name},zone_${name},carrier_zone_${name},billing_weight_${name}`;
    const ends = (name: string) => `difference_${name},warnings_${name},fault_${name}`;
    const [ground, cut] = ['all_to_ground', 'percent_off_c1_ground_35_divis'];
    const [header, ...rows] = stdout.split('\n');
    expect(header?.slice(header.indexOf('input_row'))).toBe(
      `input_row,net_base,${side('base')},state_base,warnings_base,fault_base,` +
        `net_${ground},${side(ground)},${ends(ground)},net_${cut},${side(cut)},${ends(cut)}`,
    );
    for (const row of [
      'SO-100003,Dune Books,101,77401,3.2,LB,C1-GROUND,US,500 Lake Shore Dr,true,,,,,,3,' +
        '21.30,C1-GROUND,7,7,4,TX,,,21.30,C1-GROUND,7,7,4,0.00,,,15.87,C1-GROUND,7,7,4,-5.43,,',
      // By service: 148.28 − 4.67 is 143.61. No discount is for C2-GROUND.
      'SO-100007,Bluebird Café,103,24605,85.8,LB,C2-GROUND,US,9537 2nd Ave,true,,,,,,7,' +
        '148.28,C2-GROUND,8,8,86,VA,,,143.61,C1-GROUND,8,8,86,-4.67,,,148.28,C2-GROUND,8,8,86,0.00,,',
      // The cheapest of all services is another one with the discount.
      'SO-100008,Bluebird Café,101,98178,0.1,LB,,,"8074 2nd Ave, Apt 9",,7,5,3,IN,,8,' +
        '13.33,C2-GROUND,8,8,1,WA,,,13.44,C1-GROUND,8,8,1,0.11,,,9.90,C1-GROUND,8,8,1,-3.43,,',
    ])
      expect(rows).toContain(row);
    expect((await compare(specs)).stdout).toBe(stdout);
  });

  test('have the prices of rates run, and in a scenario those of a list that is changed that way', async () => {
    const clients = JSON.parse(await readFile(join(ROOT, 'samples', 'clients.json'), 'utf8'));
    clients.clients[0].agreements = [{ name: 'sample-c1' }];
    await writeFile(join(dir, 'clients.json'), JSON.stringify(clients));
    const env = { CLIENTS_FILE: join(dir, 'clients.json'), AGREEMENTS_DIR: join(ROOT, 'samples', 'agreements') };
    const output = join(dir, 'compared.csv');
    const { stdout, stderr } = await compare(['--against', 'list: agreement=none', '-o', output], env);
    const compared = rowsOf(await readFile(output, 'utf8'));
    const own = rowsOf((await ratesHere(['run', SAMPLE, '-o', '-'], { env })).stdout);
    const list = rowsOf((await ratesHere(['run', SAMPLE, '-o', '-'])).stdout);
    const sides = (rows: readonly Record<string, string>[]) =>
      rows.map((row) => [
        ...[row['input_row'], row['order_number'], row['quote_totalNetCharge'], row['quote_shippingService']],
        ...[row['quote_rateZone'], row['quote_carrierZone'], row['quote_warnings'], row['fault_type']],
      ]);
    const of = (side: string) =>
      compared.map((row) => [
        ...[row['input_row'], row['order_number'], row[`net_${side}`], row[`service_${side}`]],
        ...[row[`zone_${side}`], row[`carrier_zone_${side}`], row[`warnings_${side}`], row[`fault_${side}`]],
      ]);
    expect(of('base')).toEqual(sides(own));
    expect(of('list')).toEqual(sides(list));
    expect(own.filter((row, at) => row['quote_totalNetCharge'] !== list[at]?.['quote_totalNetCharge'])).not.toEqual([]);
    expect([stdout, stderr]).toEqual(['', expect.stringContaining(`1,000 rows in the list and in 1 scenario in`)]);
    expect(stderr).toContain(`, in ${output}\nlist: $`);
  });
});

describe('scenarios', () => {
  test('of a file follow those of --against, and folders are tariffs and agreements', async () => {
    const file = join(dir, 'scenarios.json');
    await writeFile(file, JSON.stringify({ scenarios: [{ name: 'draft', agreement: AGREEMENT }, { warehouse: 101 }] }));
    await cp(REFERENCE, join(dir, 'dearer'), { recursive: true });
    const tariff = JSON.parse(await readFile(join(REFERENCE, 'tariff.json'), 'utf8'));
    tariff.name = 'dearer';
    for (const { amount } of tariff.surcharges)
      if (amount.per === 'percent' && Array.isArray(amount.rate)) for (const step of amount.rate) step.rate = '50.00';
      else if (amount.per === 'percent') amount.rate = '50.00';
    await writeFile(join(dir, 'dearer', 'tariff.json'), JSON.stringify(tariff));
    const { code, stdout } = await compare([
      ...['--against', `dear fuel: tariff=${join(dir, 'dearer')}`, '--scenarios', file, '--json'],
    ]);
    expect(code).toBe(4);
    const { scenarios } = summaryOf(stdout);
    expect(scenarios.map(({ name }) => name)).toEqual(['dear fuel', 'draft', 'from warehouse 101']);
    expect(scenarios.map(({ difference }) => Math.sign(difference))).toEqual([1, -1, expect.any(Number)]);
    const [dear] = scenarios;
    expect(dear?.attribution.map(({ part }) => part)).toContain('FUEL');
  });

  test('that change nothing are compared with a warning', async () => {
    const { stdout, stderr } = await compare(['--against', 'as today:', '--json']);
    expect(stderr).toContain('Note: Scenario 1 (as today) changes nothing: its prices are those of the list.');
    const { scenarios, findings } = summaryOf(stdout);
    expect(scenarios[0]).toMatchObject({ difference: 0, dearer: { shipments: 0 }, cheaper: { shipments: 0 } });
    expect(findings).toContainEqual(expect.objectContaining({ type: 'scenario.changesNothing' }));
  });
});

test('a sentence for each scenario says what it costs, also without rows and numbers', async () => {
  const money = (value: number): string => value.toLocaleString('en-US', { style: 'currency', currency: 'USD' });
  const specs = ['--against', GROUND, '--against', 'discounts=C1-GROUND 35', '--against', 'as today:'];
  const { scenarios } = summaryOf((await compare([...specs, '--json'])).stdout);
  const { code, stdout, stderr } = await compare(specs);
  expect([code, stdout]).toEqual([4, '']);
  expect(scenarios.map(({ difference }) => Math.sign(difference))).toEqual([-1, -1, 0]);
  for (const { name, shipments, total, baseTotal, difference, percent } of scenarios) {
    const share = Math.abs(percent ?? 0).toFixed(2);
    const less = `instead of ${money(baseTotal)}, ${money(-difference)} less (${share}%)`;
    const change = difference === 0 ? ', the same as in the list' : ` ${less}`;
    expect(stderr).toContain(`${name}: ${money(total)}${change} on ${shipments} shipments.\n`);
  }
});

test('each scenario names the rows that its total leaves out, and what its prices lack', async () => {
  const [files, into, list] = [join(dir, 'post'), join(dir, 'bare', 'post'), join(dir, 'bare.csv')];
  await mkdir(files);
  await writeFile(join(files, 'rates.csv'), 'service,weight_lb,2,3\nPOST-G,1,6.90,8.00\nPOST-G,2,7.90,9.00\n');
  await writeFile(join(files, 'zones.csv'), 'origin,destination,POST-G\n070,000-499,2\n070,500-999,3\n');
  await ratesHere(['tariff', 'import', files, '--into', into, '--effective', '2026-01-05']);
  const rows = ['101,02139,1.5,LB,true', '101,60601,1,LB,false', '101,60601,50,LB,false', '101,60601,,LB,false'];
  await writeFile(list, `warehouse_id,postalCode,weight_value,weight_units,residential\n${rows.join('\n')}\n`);
  const sides = `post: tariff=${join(dir, 'bare')}; service=POST-G`;
  const { stderr } = await ratesHere(['compare', list, '--against', sides]);
  expect(stderr.split('\n').slice(2)).toEqual([
    '  Not compared: 1 with a price only in the list, 1 without a price',
    '  Warnings: in the list none; in the scenario price.incomplete 2',
    '  Missing from the compared prices: in the list none; in the scenario fuel 2, deliveryArea 2, handling 2, limits 2, residential 1',
    '',
  ]);
});

test('the parts of a difference add up to it to the cent', async () => {
  const { scenarios } = summaryOf((await compare(['--against', GROUND, '--json'])).stdout);
  for (const { attribution, difference } of scenarios) {
    const cents = attribution.reduce((sum, part) => sum + Math.round(part.difference * 100), 0);
    expect([attribution.length > 0, cents]).toEqual([true, Math.round(difference * 100)]);
  }
});

describe('bad input is refused before anything is rated', () => {
  const refused = async (args: readonly string[], ...parts: readonly string[]): Promise<void> => {
    const { code, stdout, stderr } = await compare(args);
    expect([code, stdout]).toEqual([2, '']);
    for (const part of parts) expect(stderr).toContain(part);
  };

  test.each([
    [['--json', '-o', '-'], 'The rows and --json cannot both go to standard output. Name a file with -o.'],
    [['--summary'], "unknown option '--summary'"],
    [['-o', 'x.xlsx'], 'The name of the output must end in .csv or .parquet here, and x.xlsx does not.'],
    [['--json', '--jobs', '0'], 'It must be a whole number from 1 to 256.'],
    [['-o', SAMPLE], 'The output would replace the list'],
  ])('%j', (args, message) => refused(['--against', GROUND, ...args], message));

  test.each([
    [
      'tariff=ups',
      '--against 1, tariff must be one of reference@2020-01-01-',
      'there is no tariff ups. A folder needs',
    ],
    ['tariff=./nowhere', '--against 1, tariff must name a folder with a tariff; ./nowhere cannot be read'],
    ['agreement=acme', '--against 1, agreement must be one of none', 'there is no agreement acme. A folder needs'],
    ['agreement=./nowhere', '--against 1, agreement has errors in ./nowhere', 'agreement.json: is missing'],
    ['service=UPS', '--against 1, service names UPS, but the services are C1-GROUND, C1-EXPRESS, C2-GROUND'],
    ['map=C1-GROUND>X', '--against 1, map names X, but the services are'],
    ['divisor=X 166', '--against 1, divisor names X, but the services are'],
    ['divisor=0', '--against 1, divisor must be at least 1'],
    ['fuel=101', '--against 1, fuel must be at most 100'],
    ['fuel=C1-GROUND 1.234', '--against 1, fuel.C1-GROUND must have at most two decimals'],
    ['carrier=UPS', '--against 1, carrier must be one of C1, C2'],
    ['warehouse=104', '--against 1, warehouse must be among 101, 102, 103; 104 is not'],
    ['ship-date=tomorrow', '--against 1, ship-date must be a date, YYYY-MM-DD'],
    ['service=C1-GROUND; map=C2-GROUND>C1-GROUND', '--against 1, map cannot be combined with service'],
    ['bogus', '--against 1 has no key "bogus": the keys are'],
  ])('--against "%s"', (spec, ...parts) => refused(['--against', spec, '--json'], ...parts));

  test('names each of several problems, with its own number', () =>
    refused(
      ['--against', GROUND, '--against', 'service=A', '--against', 'tariff=b'],
      'Nothing was compared:\n  --against 2, service names',
      '\n  --against 3, tariff must',
    ));

  test('more than eight scenarios, and none', async () => {
    const nine = Array.from({ length: 9 }, (_, at) => ['--against', `divisor=${100 + at}`]).flat();
    await refused([...nine, '--json'], 'There are 9 scenarios. A comparison has at most 8: leave some out.');
    await refused(['--json'], 'Say what to compare with: --against SPEC, or --scenarios FILE.json.');
  });

  test('files that hold no scenarios', async () => {
    const file = join(dir, 'bad.json');
    for (const [text, message] of [
      ['{', `${file} is not JSON`],
      ['{}', `${file} must be a list of scenarios`],
      ['[]', `${file} has no scenario`],
      ['[{"servise":"A"}]', `${file} scenario 1, servise is unknown: correct its name, or remove it`],
      ['[{},{"dimensionalFactor":0}]', `${file} scenario 2, dimensionalFactor must be at least 1`],
      ['[{"tariff":"ups"}]', `${file} scenario 1, tariff must be one of`],
    ] as const) {
      await writeFile(file, text);
      await refused(['--scenarios', file, '--json'], message);
    }
  });

  test('a draft agreement and a tariff with errors show their findings', async () => {
    const draft = join(dir, 'draft');
    await cp(AGREEMENT, draft, { recursive: true });
    const own = JSON.parse(await readFile(join(draft, 'agreement.json'), 'utf8'));
    await writeFile(join(draft, 'agreement.json'), JSON.stringify({ ...own, carrier: '' }));
    await refused(
      ['--against', `agreement=${draft}`, '--json'],
      `--against 1, agreement has errors in ${draft}; correct them first:\n  agreement.json carrier: `,
    );
    const broken = join(dir, 'broken');
    await mkdir(broken);
    await writeFile(join(broken, 'tariff.json'), '{}');
    await refused(
      ['--against', `tariff=${broken}`, '--json'],
      `--against 1, tariff has errors in ${broken}; correct them first:\n  broken/tariff.json`,
    );
  });
});
