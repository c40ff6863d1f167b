/** `rates tariff fuel add` on a tariff imported from small files. */
import { cp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TariffFile, tariffFile } from '../../src/catalog/tariff/document.ts';
import { folderForFile } from '../folder.ts';
import { rounds } from '../rounds.ts';
import { ratesHere, type Said } from './in-process.ts';

const HEADER = 'weight_lb,2,3,4,5,6,7,8';
const GRID = [HEADER, ...[1, 2].map((lb) => `${lb},10.00,11.00,12.00,13.00,14.00,15.00,16.00`)];
const FUEL = ['carrier,services,effective,percent', 'UPS,ground,2031-06-02,20.00', 'UPS,ground,2031-06-09,21.00'];
const CHARGES = [
  'charge,services,usd',
  'residential surcharge,air,7',
  'residential surcharge,ground,6',
  'declared value,ground,1',
];

let dir = '';
let into = '';
const file = async (name: string, ...lines: string[]): Promise<string> => {
  const path = join(dir, name);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
};
const imported = (paths: readonly string[]): Promise<Said> =>
  ratesHere(['tariff', 'import', ...paths, '--into', into, '--effective', '2031-06-02']);
const add = (...args: string[]): Promise<Said> => ratesHere(['tariff', 'fuel', 'add', into, ...args]);
const addOne = (carrier: string, services: string, effective: string, percent: string): Promise<Said> =>
  add('--carrier', carrier, '--services', services, '--effective', effective, '--percent', percent);
const tariff = async (): Promise<TariffFile> =>
  tariffFile.parse(JSON.parse(await readFile(join(into, 'tariff.json'), 'utf8')));
const fuelOf = async (code: string) => {
  const entries = (await tariff()).surcharges.filter(
    ({ type, services }) => type === 'FUEL' && services?.includes(code),
  );
  expect(entries).toHaveLength(1);
  return entries[0]?.amount;
};
const ratesOf = async (code: string) => {
  const amount = await fuelOf(code);
  return amount?.per === 'percent' ? amount.rate : undefined;
};

const WEEKS = [
  { from: '2031-06-02', rate: '20.00', source: 'fuel.csv, line 2' },
  { from: '2031-06-09', until: '2031-06-15', rate: '21.00', source: 'fuel.csv, line 3' },
];
const ADDED = { from: '2031-06-16', until: '2031-06-22', rate: '21.5', source: 'rates tariff fuel add' };

folderForFile((made) => (dir = made));
beforeAll(async () => {
  into = join(dir, 'tariff');
  const files = [
    await file('UPS-GROUND.csv', ...GRID),
    await file('UPS-2DAY.csv', ...GRID),
    await file('UPS-NDA.csv', ...GRID),
    await file('fuel.csv', ...FUEL),
    await file('charges.csv', ...CHARGES),
  ];
  const said = await imported(files);
  expect(said.code, said.stderr).toBe(0);
  await rename(into, join(dir, 'made'));
});
beforeEach(async () => {
  await rm(into, { recursive: true, force: true });
  await cp(join(dir, 'made'), into, { recursive: true });
});

describe('adds a week', () => {
  test('after the last one, and says so', async () => {
    expect(await ratesOf('UPS-GROUND')).toEqual(WEEKS);
    const { code, stdout, stderr } = await addOne('ups', 'ground', '2031-06-16', '21.5%');
    expect([code, stdout]).toEqual([0, 'UPS-GROUND: 21.5% from 2031-06-16 until 2031-06-22\n']);
    expect(stderr).toMatch(/^tariff: tariff@2031-06-02-[0-9a-f]{8}\n$/);
    expect(await ratesOf('UPS-GROUND')).toEqual([...WEEKS, ADDED]);
    expect((await readdir(into)).toSorted()).toEqual(['imported', 'rates', 'tariff.json', 'zones']);
  });

  test('after a gap, in which there is no fuel', async () => {
    await addOne('UPS', 'UPS-GROUND', '2031-07-07', '22');
    await addOne('UPS', 'UPS-GROUND', '2031-06-23', '23');
    expect(await ratesOf('UPS-GROUND')).toEqual([
      ...WEEKS,
      { from: '2031-06-23', until: '2031-06-29', rate: '23', source: 'rates tariff fuel add' },
      { from: '2031-07-07', until: '2031-07-13', rate: '22', source: 'rates tariff fuel add' },
    ]);
  });

  test('to services that have no fuel yet: on the base and on all their charges except declared value', async () => {
    const { stdout } = await addOne('UPS', 'air', '2031-06-02', '25');
    expect(stdout).toBe(
      'UPS-2DAY, UPS-NDA: 25% from 2031-06-02 until 2031-06-08, a new surcharge on BASE, RESIDENTIAL\n',
    );
    expect(await fuelOf('UPS-NDA')).toEqual({
      per: 'percent',
      rate: [{ from: '2031-06-02', until: '2031-06-08', rate: '25', source: 'rates tariff fuel add' }],
      of: ['BASE', 'RESIDENTIAL'],
    });
  });

  test('and three more at the same time, together with an import, without losing one', {
    repeats: rounds(1) - 1,
  }, async () => {
    const weeks = ['2031-06-16', '2031-06-23', '2031-06-30', '2031-07-07'];
    const said = await Promise.all([
      ...weeks.map((from) => addOne('UPS', 'ground', from, '22')),
      imported([await file('UPS-NDA.csv', ...GRID, '3,20,21,22,23,24,25,26')]),
    ]);
    expect(said.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual(said.map(() => [0, '']));
    const rates = await ratesOf('UPS-GROUND');
    expect(Array.isArray(rates) ? rates.map(({ from }) => from) : rates).toEqual([
      ...WEEKS.map(({ from }) => from),
      ...weeks,
    ]);
    expect(await readFile(join(into, 'rates', 'UPS-NDA.csv'), 'utf8')).toContain('\n3,');
  });

  test('that the next import keeps', async () => {
    await addOne('UPS', 'ground', '2031-06-16', '21.5');
    await addOne('UPS', 'air', '2031-06-02', '25');
    const again = await imported([await file('UPS-NDA.csv', ...GRID, '3,20,21,22,23,24,25,26')]);
    expect(again.code, again.stderr).toBe(0);
    expect(await ratesOf('UPS-GROUND')).toEqual([...WEEKS, ADDED]);
    expect(await ratesOf('UPS-NDA')).toHaveLength(1);
    const later = await imported([
      await file('fuel.csv', ...FUEL, 'UPS,ground,2031-06-16,29', 'UPS,ground,2031-06-23,24'),
    ]);
    expect(later.code, later.stderr).toBe(0);
    expect(await ratesOf('UPS-GROUND')).toMatchObject([
      { from: '2031-06-02', rate: '20.00' },
      { from: '2031-06-09', rate: '21.00' },
      { from: '2031-06-16', rate: '21.5' },
      { from: '2031-06-23', rate: '24' },
    ]);
    await file('fuel.csv', ...FUEL);
  });

  test('and more from a file, without those that are there', async () => {
    const more = await file('more.csv', ...FUEL, 'UPS,ground,2031-06-16,21.5', 'UPS,air,2031-06-16,26');
    const { code, stdout } = await add('--file', more, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      tariff: expect.stringMatching(/^tariff@2031-06-02-/),
      changes: [
        { change: 'unchanged', services: ['UPS-GROUND'], from: '2031-06-02', percent: '20.00' },
        { change: 'unchanged', services: ['UPS-GROUND'], from: '2031-06-09', percent: '21.00' },
        { change: 'added', services: ['UPS-GROUND'], from: '2031-06-16', until: '2031-06-22', percent: '21.5' },
        {
          change: 'added',
          services: ['UPS-2DAY', 'UPS-NDA'],
          from: '2031-06-16',
          until: '2031-06-22',
          percent: '26',
          of: ['BASE', 'RESIDENTIAL'],
        },
      ],
    });
    expect((await ratesOf('UPS-GROUND'))?.[2]).toEqual({ ...ADDED, source: 'more.csv, line 4' });
  });
});

describe('refuses', () => {
  const refusalOf = async (said: Promise<Said>): Promise<[number, string]> => {
    const before = await readFile(join(into, 'tariff.json'));
    const { code, stderr, stdout } = await said;
    expect(stdout).toBe('');
    expect(await readFile(join(into, 'tariff.json'))).toEqual(before);
    return [code, stderr.replace('Nothing was written. rates tariff fuel add: ', '')];
  };

  test.each([
    [
      'UPS',
      'ground',
      '2031-06-09',
      'UPS-GROUND already has 21.00% from 2031-06-09 until 2031-06-15 (fuel.csv, line 3): change it in tariff.json.\n',
    ],
    [
      'UPS',
      'ground',
      '2031-06-15',
      'UPS-GROUND already has 21.00% from 2031-06-09 until 2031-06-15 (fuel.csv, line 3): change it in tariff.json.\n',
    ],
    [
      'UPS',
      'ground',
      '2031-06-05',
      'UPS-GROUND already has 20.00% from 2031-06-02 (fuel.csv, line 2): change it in tariff.json.\n',
    ],
    ['DHL', 'ground', '2031-06-16', 'there is no carrier DHL; the only carrier is UPS.\n'],
    ['UPS', 'boat', '2031-06-16', 'UPS has no service boat; it has UPS-2DAY, UPS-GROUND, UPS-NDA, ground, air.\n'],
    [
      'UPS',
      'UPS-3DAY',
      '2031-06-16',
      'UPS has no service UPS-3DAY; it has UPS-2DAY, UPS-GROUND, UPS-NDA, ground, air.\n',
    ],
  ])('%s %s on %s', async (carrier, services, effective, message) => {
    const [code, stderr] = await refusalOf(addOne(carrier, services, effective, '21.00'));
    const sorted = stderr.replace('UPS-GROUND, UPS-2DAY', 'UPS-2DAY, UPS-GROUND');
    expect([code, sorted]).toEqual([1, message]);
  });

  test('some of the services of one surcharge', async () => {
    await addOne('UPS', 'air', '2031-06-02', '25');
    expect(await refusalOf(addOne('UPS', 'UPS-NDA', '2031-06-09', '25'))).toEqual([
      1,
      'the fuel surcharge of UPS-NDA also applies to UPS-2DAY: name all its services, or split it in tariff.json.\n',
    ]);
  });

  test.each([
    ['a percentage out of form', ['--percent', '0.215', '--effective', '2031-06-16']],
    ['a date that is none', ['--percent', '21', '--effective', '2031-02-30']],
    ['no percentage', ['--effective', '2031-06-16']],
    ['a file beside others', ['--percent', '21', '--effective', '2031-06-16', '--file', 'x.csv']],
  ])('%s, as a usage error', async (_what, args) => {
    expect((await refusalOf(add('--carrier', 'UPS', '--services', 'ground', ...args)))[0]).toBe(2);
  });

  test('a file with bad cells, of another kind or with another rate for a day, as a whole', async () => {
    const bad = await file('bad.csv', ...FUEL, 'UPS,ground,2031-06-16,x');
    expect(await refusalOf(add('--file', bad))).toEqual([
      1,
      'Nothing was written.\nbad.csv, line 4, column percent: "x" is not a percentage from 1 to 100 with at most two decimals, such as 21.5\n',
    ]);
    const grid = join(dir, 'UPS-NDA.csv');
    expect((await refusalOf(add('--file', grid)))[1]).toContain('has no fuel surcharges');
    const other = await file('other.csv', FUEL[0] ?? '', 'UPS,ground,2031-06-16,22', 'UPS,ground,2031-06-02,20.01');
    expect((await refusalOf(add('--file', other)))[1]).toBe(
      'Nothing was written. other.csv, line 3: UPS-GROUND already has 20.00% from 2031-06-02 (fuel.csv, line 2): change it in tariff.json.\n',
    );
  });

  test('a folder without a tariff', async () => {
    const args = ['--carrier', 'UPS', '--services', 'ground', '--effective', '2031-06-16', '--percent', '21'];
    const { code, stderr } = await ratesHere(['tariff', 'fuel', 'add', join(dir, 'nowhere'), ...args]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('nowhere cannot be read:\nerror: tariff.json: is missing'),
    ]);
  });
});
