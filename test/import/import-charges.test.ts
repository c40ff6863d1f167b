/** Imports of charges, fuel and areas from files: what is written, what is reported, and what stops an import. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foldersIn, TARIFFS } from '../../src/catalog/documents/kinds.ts';
import type { TariffFile } from '../../src/catalog/tariff/document.ts';
import { ratesHere } from '../cli/in-process.ts';
import { folderForFile } from '../folder.ts';

let dir: string;
let folders = 0;
folderForFile((made) => (dir = made));

type Files = Readonly<Record<string, readonly string[]>>;

/** Runs `rates tariff import` with files of these lines. */
const importInto = async (
  into: string,
  files: Files,
  { effective = '2026-01-05', json = false, force = false } = {},
) => {
  const paths = Object.keys(files).map((name) => join(dir, name));
  for (const [name, lines] of Object.entries(files)) await writeFile(join(dir, name), `${lines.join('\n')}\n`);
  const flags = ['--into', into, '--effective', effective, ...(json ? ['--json'] : []), ...(force ? ['--force'] : [])];
  return await ratesHere(['tariff', 'import', ...paths, ...flags], { env: { CLIENTS_FILE: join(dir, 'none.json') } });
};

const folder = (): string => join(dir, `tariff-${++folders}`);

const tariffIn = async (into: string): Promise<TariffFile> =>
  JSON.parse(await readFile(join(into, 'tariff.json'), 'utf8'));

const RATES: Files = {
  'rates.csv': ['service,weight_lb,2,3,4,5,6,7,8', 'UPS-GROUND,1,1.00,2.00,3.00,4.00,5.00,6.00,7.00'],
  'air.csv': ['service,weight_lb,202,203', 'UPS-2DAY,1,8.00,9.00'],
  'zones.csv': ['origin,destination,UPS-GROUND,UPS-2DAY', '070,000-899,2,202'],
};
const AREAS = ['zip,tier', '00501,das', '00502,das', '00503,far'];
const CHARGES = [
  'carrier,charge,services,address,area,usd,from,until',
  'UPS,residential surcharge,ground,residential,,6.50,,',
  'UPS,delivery area surcharge,,residential,das,6.55,,',
  'UPS,address correction,,,,25.50,,',
  'UPS,saturday delivery,UPS-NDA,,,16.00,,',
];
const FUEL = ['carrier,services,effective,percent', 'UPS,ground,2026-01-05,21.50', 'UPS,ground,2026-01-12,22.75'];
const ALL: Files = { ...RATES, 'ups-areas.csv': AREAS, 'charges.csv': CHARGES, 'fuel.csv': FUEL };

test('charges, fuel and areas are written with their sources, and reported file by file', async () => {
  const into = folder();
  const { code, stdout } = await importInto(into, ALL);
  expect({ code, stdout }).toMatchObject({ code: 0 });
  const { surcharges } = await tariffIn(into);
  expect(surcharges.map(({ type, services, source, when }) => [type, services, source, when])).toEqual([
    ['RESIDENTIAL', ['UPS-GROUND'], 'charges.csv, line 2', { residential: true }],
    [
      'DELIVERY_AREA',
      ['UPS-GROUND', 'UPS-2DAY'],
      'charges.csv, line 3',
      { residential: true, area: { list: 'ups-areas', tier: 'das' } },
    ],
    ['FUEL', ['UPS-GROUND'], undefined, {}],
  ]);
  expect(surcharges[2]?.amount).toEqual({
    per: 'percent',
    rate: [
      { from: '2026-01-05', rate: '21.50', source: 'fuel.csv, line 2' },
      { from: '2026-01-12', until: '2026-01-18', rate: '22.75', source: 'fuel.csv, line 3' },
    ],
    of: ['BASE', 'RESIDENTIAL', 'DELIVERY_AREA'],
  });
  const lines = stdout.split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      '  RESIDENTIAL "Residential surcharge", UPS Ground: 6.50 per package',
      '  DELIVERY_AREA "Delivery area surcharge, residential", UPS: 6.55 per package',
      '  Not imported:',
      '    line 4: address correction: depends on what a quote does not have',
      '  fuel, UPS Ground: 2 rates from 2026-01-05 until 2026-01-18, 21.50 to 22.75%',
      '  areas ups-areas of UPS: 3 ZIP codes or ranges (das 2, far 1)',
      '  charges.csv: UPS Next Day Air: 1 charge is not used, because there are no rates',
      '  UPS Ground: on 2026-01-05, the tariff does not include additional handling and oversize charges, the signature charge, the Saturday delivery charge, the declared value charge. Quotes will say that they are incomplete',
      '  UPS 2nd Day Air: on 2026-01-05, the tariff does not include the fuel surcharge, the residential charge, additional handling and oversize charges, the signature charge, the Saturday delivery charge, the declared value charge. Quotes will say that they are incomplete',
    ]),
  );
});

test('the report as JSON has the charges, the fuel, the tiers and what was not taken', async () => {
  const { stdout } = await importInto(folder(), ALL, { json: true });
  const { files } = JSON.parse(stdout) as { readonly files: readonly { readonly file: string }[] };
  const fileNamed = (name: string) => files.find(({ file }) => file === name);
  expect(fileNamed('charges.csv')).toMatchObject({
    charges: [{ type: 'RESIDENTIAL', source: 'charges.csv, line 2' }, { type: 'DELIVERY_AREA' }],
    notTaken: [{ at: 'line 4', text: 'address correction', reason: 'depends on what a quote does not have' }],
  });
  expect(fileNamed('fuel.csv')).toMatchObject({
    fuel: [
      {
        services: ['UPS-GROUND'],
        rates: 2,
        from: '2026-01-05',
        until: '2026-01-18',
        lowestPercent: '21.50',
        highestPercent: '22.75',
      },
    ],
  });
  expect(fileNamed('ups-areas.csv')).toMatchObject({
    areas: [{ name: 'ups-areas', carrier: 'UPS', tiers: { das: 2, far: 1 } }],
  });
});

describe('nothing is written, and the place is named,', () => {
  const charge = (...rows: string[]) => [CHARGES[0] ?? '', ...rows];
  test.each<[string, Files, string]>([
    [
      'if charges are of another year than the rates',
      { 'charges.csv': charge('UPS,residential surcharge,,residential,,6.50,2024-01-01,2024-12-31') },
      'charges.csv: the last of its charges ends on 2024-12-31, and the tariff begins on 2026-01-05',
    ],
    [
      'if there are two fuel rates for one day',
      { 'fuel.csv': [...FUEL, 'UPS,ground,2026-01-12,23.00'] },
      'Fuel of UPS-GROUND from 2026-01-12: 22.75% in fuel.csv, line 3, 23.00% in fuel.csv, line 4',
    ],
    [
      'if a charge is for an unknown service',
      { 'charges.csv': charge('UPS,residential surcharge,UPS-MOON,residential,,6.50,,') },
      'UPS-MOON',
    ],
    [
      'if a charge is for an area that no list of its carrier has',
      {
        'areas.csv': ['carrier,zip,tier', 'UPS,00501,remote'],
        'charges.csv': charge('UPS,delivery area surcharge,,,das,6.55,,'),
      },
      'charges.csv, line 2: no list of areas of UPS has the tier das (ups-areas of UPS with remote)',
    ],
    [
      'if demand periods overlap',
      {
        'charges.csv': charge(
          'UPS,demand surcharge: residential,,residential,,0.50,2026-10-05,2026-11-22',
          'UPS,demand surcharge: residential,,residential,,0.70,2026-11-20,2027-01-16',
        ),
      },
      '0.50 per package from 2026-10-05 until 2026-11-22 in charges.csv, line 2, 0.70 per package from 2026-11-20 until 2027-01-16 in charges.csv, line 3',
    ],
  ])('%s', async (_, files, message) => {
    const into = folder();
    const { code, stdout, stderr } = await importInto(into, { ...RATES, ...files });
    expect({ code, text: stdout + stderr }).toEqual({ code: 1, text: expect.stringContaining(message) });
    expect(stderr).toContain('Nothing was written');
    expect(await readdir(dir)).not.toContain(into.split('/').at(-1));
  });
});

test('a file may hold more than the tariff needs', async () => {
  const into = folder();
  const files = { 'fedex-areas.csv': AREAS, 'fuel.csv': [...FUEL, 'FedEx,ground,2026-01-12,23.00'] };
  const { code, stdout } = await importInto(into, { ...RATES, ...files });
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(stdout).toContain('fedex-areas.csv: the areas of FedEx are not used, because there are no rates of FedEx');
  expect(stdout).toContain('fuel.csv: the fuel of FedEx is not used, because there are no rates of FedEx');
  expect((await readdir(into)).sort()).toEqual(['imported', 'rates', 'tariff.json', 'zones']);
  expect((await tariffIn(into)).surcharges.map(({ type, services }) => [type, services])).toEqual([
    ['FUEL', ['UPS-GROUND']],
  ]);
});

test('files may come one after the other, in any order, those without rates first too', async () => {
  const orders = [
    ['fuel.csv', 'zones.csv', 'rates.csv', 'charges.csv', 'air.csv', 'ups-areas.csv'],
    ['rates.csv', 'charges.csv', 'ups-areas.csv', 'air.csv', 'zones.csv', 'fuel.csv'],
  ];
  const same = join(folder(), 'one');
  const once = await importInto(same, ALL, { json: true });
  const { tariff } = JSON.parse(once.stdout);
  expect(tariff).toMatch(/^one@/);
  for (const order of orders) {
    const into = join(folder(), 'one');
    const told: string[] = [];
    for (const name of order) told.push((await importInto(into, { [name]: ALL[name] ?? [] }, { force: true })).stderr);
    expect(told.at(-1)).toContain(`one: ${tariff}`);
    if (order[0] !== 'fuel.csv') continue;
    expect(told[0]).toContain('keeps these files. It is not a tariff yet, because they contain no rates');
    expect(told[1]).toContain('keeps these files');
  }
});

test('files without rates leave another folder as it is, and are no tariff of a folder of tariffs', async () => {
  const root = folder();
  await mkdir(join(root, 'notes'), { recursive: true });
  const { code, stderr } = await importInto(join(root, 'notes'), { 'fuel.csv': FUEL });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('Nothing was written, because these files contain no rates'),
  ]);
  expect(await readdir(join(root, 'notes'))).toEqual([]);
  expect((await importInto(join(root, 'waiting'), { 'fuel.csv': FUEL })).code).toBe(1);
  expect((await importInto(join(root, 'ready'), RATES)).code).toBe(0);
  expect((await foldersIn(TARIFFS, root)).map((dir) => basename(dir))).toEqual(['notes', 'ready']);
});

test('fuel alone is added to a tariff that was not imported', async () => {
  const into = folder();
  await importInto(into, RATES);
  await rm(join(into, 'imported'), { recursive: true });
  const both = [...FUEL, 'FedEx,ground,2026-01-05,23.00'];
  const { code, stdout } = await importInto(into, { 'fuel.csv': both });
  expect({ code, stdout }).toMatchObject({ code: 0 });
  expect(stdout).toContain('These files contain only fuel: all else is as it was in the tariff');
  const { services, surcharges } = await tariffIn(into);
  expect(services.map((service) => service.code)).toEqual(['UPS-GROUND', 'UPS-2DAY']);
  expect(surcharges.map(({ type, services: of }) => [type, of])).toEqual([['FUEL', ['UPS-GROUND']]]);
  const other = await importInto(into, {
    'fuel.csv': ['carrier,services,effective,percent', 'UPS,ground,2026-01-05,9.00'],
  });
  expect(other).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('UPS-GROUND already has 21.50% from 2026-01-05'),
  });
});

describe('a later import into the folder', () => {
  const fuelOf = async (into: string) => {
    const amount = (await tariffIn(into)).surcharges.find(({ type }) => type === 'FUEL')?.amount;
    return amount?.per === 'percent' && typeof amount.rate !== 'string'
      ? amount.rate.map(({ from, until, rate }) => [from, until, rate])
      : [];
  };
  const change = async (into: string, edit: (file: TariffFile) => void): Promise<void> => {
    const file = await tariffIn(into);
    edit(file);
    await writeFile(join(into, 'tariff.json'), JSON.stringify(file));
  };
  const NEXT = { 'next.csv': ['carrier,services,effective,percent', 'UPS,UPS-GROUND,2026-01-19,23.25'] };

  test('of a week of fuel adds the week, and keeps everything else', async () => {
    const into = folder();
    await importInto(into, ALL);
    const before = await tariffIn(into);
    const { code, stdout } = await importInto(into, NEXT);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(await fuelOf(into)).toEqual([
      ['2026-01-05', undefined, '21.50'],
      ['2026-01-12', undefined, '22.75'],
      ['2026-01-19', '2026-01-25', '23.25'],
    ]);
    const after = await tariffIn(into);
    expect(after.surcharges.slice(0, 2)).toEqual(before.surcharges.slice(0, 2));
    expect(after.services).toEqual(before.services);
  });

  test('of fuel replaces the rate of the same week', async () => {
    const into = folder();
    await importInto(into, ALL);
    await importInto(into, { 'mended.csv': ['carrier,services,effective,percent', 'UPS,ground,2026-01-12,24.00'] });
    expect(await fuelOf(into)).toEqual([
      ['2026-01-05', undefined, '21.50'],
      ['2026-01-12', '2026-01-18', '24.00'],
    ]);
  });

  test('keeps a week of fuel that the operator added', async () => {
    const into = folder();
    await importInto(into, ALL);
    await change(into, ({ surcharges }) => {
      const amount = surcharges.find(({ type }) => type === 'FUEL')?.amount;
      if (amount?.per === 'percent' && typeof amount.rate !== 'string')
        amount.rate.push({ from: '2026-01-26', until: '2026-02-01', rate: '25' });
    });
    expect((await importInto(into, NEXT)).code).toBe(0);
    expect(await fuelOf(into)).toEqual([
      ['2026-01-05', undefined, '21.50'],
      ['2026-01-12', undefined, '22.75'],
      ['2026-01-19', '2026-01-25', '23.25'],
      ['2026-01-26', '2026-02-01', '25'],
    ]);
  });

  test('of newer charges ends the older ones on the day before, and keeps those that it does not have', async () => {
    const into = folder();
    await importInto(into, ALL);
    const { code } = await importInto(into, {
      'july.csv': [CHARGES[0] ?? '', 'UPS,residential surcharge,ground,residential,,6.95,2026-07-13,'],
    });
    expect(code).toBe(0);
    const { surcharges } = await tariffIn(into);
    expect(surcharges.map(({ type, from, until, source }) => [type, from, until, source])).toEqual([
      ['RESIDENTIAL', undefined, '2026-07-12', 'charges.csv, line 2'],
      ['RESIDENTIAL', '2026-07-13', undefined, 'july.csv, line 2'],
      ['DELIVERY_AREA', undefined, undefined, 'charges.csv, line 3'],
      ['FUEL', undefined, undefined, undefined],
    ]);
  });

  test('keeps an amount that the operator changed, also if the file has new dates', async () => {
    const into = folder();
    await importInto(into, ALL);
    await change(into, ({ surcharges }) => {
      const [first] = surcharges;
      if (first?.amount.per === 'package') first.amount.usd = '3.00';
    });
    const dated = CHARGES.map((line) => line.replace('6.50,,', '6.60,2026-01-05,2026-12-31'));
    const { code, stdout } = await importInto(into, { 'charges.csv': dated });
    expect({ code, stdout }).toMatchObject({ code: 0 });
    const [first] = (await tariffIn(into)).surcharges;
    expect([first?.amount, first?.until]).toEqual([{ per: 'package', usd: '3.00' }, '2026-12-31']);
    expect(stdout).toContain(
      'tariff.json surcharge RESIDENTIAL "Residential surcharge".amount.usd: the files say 6.60, the tariff has 3.00',
    );
  });

  test('names a surcharge of the operator that the files have too', async () => {
    const into = folder();
    await importInto(into, RATES);
    await change(into, ({ surcharges }) => {
      surcharges.push({
        type: 'RESIDENTIAL',
        description: 'Homes',
        services: ['UPS-GROUND'],
        when: { residential: true },
        amount: { per: 'package', usd: '5.00' },
      });
    });
    const { code, stdout } = await importInto(into, { 'ups-areas.csv': AREAS, 'charges.csv': CHARGES });
    expect(code).toBe(0);
    expect(stdout).toContain(
      'surcharge RESIDENTIAL "Homes" of UPS-GROUND and surcharge RESIDENTIAL "Residential surcharge" of UPS-GROUND: the first is yours, and both are charged. Remove yours if they are one charge',
    );
  });
});
