import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { compileTariff } from '../../src/catalog/tariff/compile.ts';
import { bandOf, isInUse, milesBetween } from '../../src/catalog/tariff/distance.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { zipText } from '../../src/catalog/tariff/zip.ts';
import { ratesHere } from '../cli/in-process.ts';
import { folderForFile } from '../folder.ts';

let dir: string;
folderForFile((made) => (dir = made));

/** Runs `rates tariff …`. */
const run = (...args: string[]) => ratesHere(['tariff', ...args], { env: { CLIENTS_FILE: join(dir, 'none.json') } });

const file = async (name: string, ...lines: string[]): Promise<string> => {
  const path = join(dir, name);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
};

/** Everything in a folder, by path. */
const contentOf = async (folder: string): Promise<Record<string, string>> => {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.sort().map(async (path) => [path.slice(folder.length), await readFile(path, 'utf8')])),
  );
};

const GRID = [
  'weight_lb,2,3,4,5,6,7,8,44',
  '1,1.00,2.00,3.00,4.00,5.00,6.00,7.00,9.00',
  '2,2.00,3.00,4.00,5.00,6.00,7.00,8.00,10.00',
];
const FAR_GRID = ['weight_lb,2,3,4,5,6,7,8,9,10,12', '1,1.00,2.00,3.00,4.00,5.00,6.00,7.00,8.00,9.00,9.50'];
const FAR_CHART = (origin: string): string[] => [
  'origin,destination,FDX-2DAY,FDX-GROUND',
  `${origin},010-899,5,5`,
  `${origin},967-968,10,9`,
];
const CHART = [
  'origin,destination,UPS-GROUND',
  '070,000-966,5',
  '070,969-994,5',
  '070,02139,2',
  '070,995,44',
  '070,967,46',
];

describe('an import', () => {
  test('writes a valid tariff, and reports what it read', async () => {
    const into = join(dir, 'Small 2031');
    const files = [await file('UPS-GROUND.csv', ...GRID), await file('zones.csv', ...CHART)];
    const { code, stdout, stderr } = await run('import', ...files, '--into', into, '--effective', '2031-01-04');
    expect({ code, stderr: stderr.replace(/@.*/, '') }).toMatchObject({ code: 0 });
    expect(stdout).toContain('UPS-GROUND: 1-2 lb; zones 2-8, 44');
    expect(stdout).toContain('origin 070: 5 destinations; UPS-GROUND');
    expect(stdout).toContain('UPS 3 Day Select has no rates in these files');
    expect(Object.keys(await contentOf(into))).toEqual([
      '/imported/files.json',
      expect.stringMatching(/^\/imported\/files\/[0-9a-f]{8}\/zones.csv$/),
      expect.stringMatching(/^\/imported\/files\/[0-9a-f]{8}\/UPS-GROUND.csv$/),
      '/imported/rates/UPS-GROUND.csv',
      '/imported/tariff.json',
      '/imported/zones/ups.csv',
      '/rates/UPS-GROUND.csv',
      '/tariff.json',
      '/zones/ups.csv',
    ]);
    const { 'tariff.json': _, ...rest } = await contentOf(into);
    expect(rest['/rates/UPS-GROUND.csv']).toBe(`${GRID.join('\n')}\n`);
    expect(rest['/zones/ups.csv']).toBe(
      [
        'origin,destination,UPS-GROUND',
        '000-999,006-009,',
        '000-999,090-098,',
        '000-999,340,',
        '000-999,962-966,',
        '000-999,967,46',
        '000-999,968-969,',
        '000-999,995,44',
        '000-999,996-999,',
        '006-009,000-999,',
        '070,000-966,5',
        '070,02139,2',
        '070,969-994,5',
        '967-968,000-999,',
        '969,000-999,',
        '995-999,000-999,',
        '',
      ].join('\n'),
    );
    const read = await readTariffFolder(into);
    expect('document' in read && read.document.file).toMatchObject({
      name: 'small-2031',
      effective: '2031-01-04',
      services: [
        {
          code: 'UPS-GROUND',
          refusesPoBox: true,
          rateZones: { 44: 8, 46: 8 },
          zones: {
            chart: 'ups',
            column: 'UPS-GROUND',
            distanceMiles: [156, 312, 618, 1023, 1422, 1823],
            distanceColumns: ['2', '3', '4', '5', '6', '7', '8'],
          },
        },
      ],
    });
    expect((await run('check', into)).code).toBe(0);
  });

  test('writes the same bytes for the same files in any order, and when repeated', async () => {
    const files = [await file('UPS-GROUND.csv', ...GRID), await file('zones.csv', ...CHART)];
    await run('import', ...files, '--into', join(dir, 'x'), '--effective', '2031-01-04');
    const first = await contentOf(join(dir, 'x'));
    await run('import', ...files.reverse(), '--into', join(dir, 'x'), '--effective', '2031-01-04');
    expect(await contentOf(join(dir, 'x'))).toEqual(first);
  });

  test('with an unreadable cell names the cell, and keeps the existing tariff', async () => {
    const into = join(dir, 'kept');
    const good = await file('UPS-GROUND.csv', ...GRID);
    await run('import', good, '--into', into, '--effective', '2031-01-04');
    const before = await contentOf(into);
    const bad = await file('UPS-3DAY.csv', 'weight_lb,302', '1,9.00', '2,1O.00');
    const { code, stdout, stderr } = await run('import', good, bad, '--into', into, '--effective', '2031-01-04');
    expect(code).toBe(1);
    expect(stdout).toContain('UPS-3DAY.csv, line 3, column 302: "1O.00": not a price');
    expect(stderr).toContain('Nothing was written: 1 unreadable cell, 0 contradictions');
    expect(await contentOf(into)).toEqual(before);
  });

  test('with --force leaves an unreadable cell empty', async () => {
    const into = join(dir, 'forced');
    const bad = await file('UPS-GROUND.csv', ...GRID.slice(0, 2), '2,2.00,3.00,4.00,5.00,6.00,7.00,8.00,?');
    const { code, stderr } = await run('import', bad, '--into', into, '--effective', '2031-01-04', '--force');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Written because of --force') });
    expect((await contentOf(into))['/rates/UPS-GROUND.csv']).toContain('2,2.00,3.00,4.00,5.00,6.00,7.00,8.00,\n');
  });

  test('with contradicting files writes nothing, and names both places', async () => {
    const one = await file('UPS-GROUND.csv', ...GRID);
    const other = await file('long.csv', 'service,zone,weight_lb,rate', 'UPS-GROUND,3,1,2.50');
    const zones = [
      await file('a.csv', ...CHART),
      await file('b.csv', 'origin,destination,UPS-GROUND', '070,100-101,6'),
    ];
    const { code, stdout } = await run(
      'import',
      one,
      other,
      ...zones,
      '--into',
      join(dir, 'no'),
      '--effective',
      '2031-01-04',
    );
    expect(code).toBe(1);
    expect(stdout).toContain(
      'UPS Ground, 1 lb, zone 3: 2.00 in UPS-GROUND.csv, line 2, zone 3, 2.50 in long.csv, line 2, zone 3',
    );
    expect(stdout).toContain('origin 070, destination 100, column UPS-GROUND: zone 5 in a.csv, zone 6 in b.csv');
    expect(await readdir(dir)).not.toContain('no');
  });

  test('with charts of two spellings of a carrier writes nothing, and names the spelling', async () => {
    const grid = await file('acme.csv', 'service,weight_lb,2,carrier', 'ACME-EXP,1,5.00,Acme', 'ACME-STD,1,4.00,ACME');
    const columns = 'origin,destination,carrier';
    const charts = [
      await file('a.csv', `${columns},ACME-EXP`, '070,000-999,Acme,2'),
      await file('b.csv', `${columns},ACME-STD`, '070,000-999,ACME,2'),
    ];
    const into = join(dir, 'spellings');
    const { code, stdout } = await run('import', grid, ...charts, '--into', into, '--effective', '2031-01-04');
    expect(code).toBe(1);
    expect(stdout).toContain('Charts of Acme and of another carrier have the name acme: spell the carrier in one way');
    expect(await readdir(dir)).not.toContain('spellings');
  });

  test('lets ZIP5s of one file refine a ZIP3 of another, with a warning', async () => {
    const files = [
      await file('UPS-GROUND.csv', ...GRID),
      await file('a.csv', ...CHART),
      await file('b.csv', 'origin,destination,UPS-GROUND', '070,10001-10003,6'),
    ];
    const { code, stdout } = await run('import', ...files, '--into', join(dir, 'fine'), '--effective', '2031-01-04');
    expect(code).toBe(0);
    expect(stdout).toContain('b.csv gives ZIP5s other zones than a.csv gives their ZIP3s, and wins (3 ZIP5s)');
    expect((await contentOf(join(dir, 'fine')))['/zones/ups.csv']).toContain('070,10001-10003,6\n');
  });

  test('keeps a zone of the contiguous states to Alaska for its origin alone', async () => {
    const files = [
      await file('UPS-GROUND.csv', ...GRID),
      await file('all.csv', 'origin,destination,UPS-GROUND', '070,000-999,5'),
    ];
    await run('import', ...files, '--into', join(dir, 'flat'), '--effective', '2031-01-04');
    const chart = (await contentOf(join(dir, 'flat')))['/zones/ups.csv'];
    expect(chart).toContain('\n000-999,995-999,\n');
    expect(chart).toContain('\n070,000-999,5\n');
  });

  test('serves Puerto Rico if the charts do, also from an origin without a chart, but no place that no chart serves', async () => {
    const files = [
      await file('UPS-GROUND.csv', ...GRID.map((line, row) => `${line},${['45', '20.00', '21.00'][row]}`)),
      await file('a.csv', ...CHART, '070,006-007,45'),
      await file('b.csv', 'origin,destination,UPS-GROUND', '606,400-899,4', '606,006-007,45'),
    ];
    const into = join(dir, 'territories');
    expect((await run('import', ...files, '--into', into, '--effective', '2031-01-04')).code).toBe(0);
    const read = await readTariffFolder(into);
    if (!('document' in read)) throw new Error('not written');
    expect(read.document.file.notServed).toEqual([]);
    const [card] = compileTariff(read.document);
    const zone = (origin: number, destination: number): string | undefined =>
      card?.columns[card.zones.columnOf(origin, destination)];
    // From Newark and Chicago, which have charts, and from Atlanta, which has none.
    for (const origin of [7001, 60601, 30012])
      expect([683, 801, 9012, 34001, 96201, 96910].map((zip) => zone(origin, zip))).toEqual(
        origin === 7001 ? ['45', '5', '5', '5', '5', '5'] : ['45', ...new Array(5).fill(undefined)],
      );
    expect(zone(901, 683)).toBeUndefined();
  });

  test('loses no coverage with one more chart that omits or contradicts destinations', async () => {
    const zoneOf = async (name: string, ...more: string[]): Promise<(string | undefined)[]> => {
      const files = [await file('FDX-2DAY.csv', ...FAR_GRID), await file('FDX-GROUND.csv', ...FAR_GRID)];
      files.push(await file('a.csv', ...FAR_CHART('070')), await file('b.csv', ...FAR_CHART('300')), ...more);
      const into = join(dir, name);
      const flags = ['--into', into, '--effective', '2031-01-04', '--origin', 'list.csv=850'];
      expect((await run('import', ...files, ...flags)).code).toBe(0);
      const read = await readTariffFolder(into);
      if (!('document' in read)) throw new Error('not written');
      const cards = compileTariff(read.document);
      return [43194, 85001].map((origin) => {
        const card = cards.find(({ code }) => code === 'FDX-2DAY');
        return card?.columns[card.zones.columnOf(origin, 96813)];
      });
    };
    expect(await zoneOf('before')).toEqual(['10', '10']);
    // A list of ZIP5s with only the ground zone of Hawaii.
    const list = await file('list.csv', 'State/Province, Dest Zip/Postal Code, Service Days, Zone', 'HI,96813,5,009');
    expect(await zoneOf('after', list)).toEqual(['10', '10']);
    const other = await file('c.csv', ...FAR_CHART('530').map((line) => line.replace(',10,', ',12,')));
    expect(await zoneOf('other', other)).toEqual(['10', '10']);
  });

  test('estimates a service without a chart, but neither to Alaska nor from Puerto Rico, with a warning', async () => {
    const into = join(dir, 'estimated');
    const { code, stdout } = await run(
      'import',
      await file('UPS-GROUND.csv', ...GRID),
      '--into',
      into,
      '--effective',
      '2031-01-04',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('UPS Ground has no zone chart: all zones are estimated from the distance');
    expect((await contentOf(into))['/zones/ups-estimated.csv']).toContain('000-999,995-999,\n');
  });

  test('takes the zones of any carrier from a chart with one column zone, and warns if a service has no chart', async () => {
    const into = join(dir, 'acme');
    const grid = await file('acme.csv', 'service,weight_lb,2,7', 'ACME-EXP,1,5.00,6.00');
    const chart = await file('acme-zones.csv', 'origin,destination,zone', '070,000-999,2', '070,900-919,7');
    expect((await run('import', grid, chart, '--into', into, '--effective', '2031-01-04')).code).toBe(0);
    expect((await contentOf(into))['/zones/acme.csv']).toContain('\n070,900-919,7\n');
    const alone = await run('import', grid, '--into', join(dir, 'acme alone'), '--effective', '2031-01-04');
    expect(alone).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ACME-EXP has no zone chart: no destination is reached'),
    });
  });

  test('joins the origins of files with different column names', async () => {
    const into = join(dir, 'joined');
    const files = [
      await file('UPS-GROUND.csv', ...GRID),
      await file('ups-nda.csv', 'service,weight_lb,102,103', 'UPS-NDA,1,5.00,6.00', 'UPS-NDAEAM,1,7.00,8.00'),
      await file('a.csv', 'origin,destination,UPS-GROUND,UPS-NDA', '070,100-199,2,102'),
      await file('b.csv', 'origin,destination,UPS-NDAEAM', '606,100-199,103'),
      await file('c.csv', 'origin,destination,zone,carrier', '750,100-199,3,UPS'),
    ];
    expect((await run('import', ...files, '--into', into, '--effective', '2031-01-04')).code).toBe(0);
    const read = await readTariffFolder(into);
    if (!('document' in read)) throw new Error('not written');
    const { file: tariff, charts } = read.document;
    const said = tariff.services.map(({ code, zones: { chart = '', column = '' } }) => {
      const rows = charts[chart]?.rows.filter(({ destination }) => destination === '100-199') ?? [];
      const at = charts[chart]?.columns.indexOf(column) ?? -1;
      return `${code} ${rows.map(({ origin, zones }) => `${origin}:${zones[at]}`).join(' ')}`;
    });
    expect(said).toEqual(['UPS-GROUND 070:2 750:3', 'UPS-NDA 070:102 750:3', 'UPS-NDAEAM 070:102 606:103 750:3']);
  });

  describe('of multiweight prices and areas', () => {
    const MULTIWEIGHT = ['service,from_lb,2,3,96', 'UPS-GROUND,100,0.50,0.60,0.70', 'UPS-GROUND,500,0.40,0.50,0.60'];
    const AREAS = ['zip,tier', '99501,remote', '005,far'];
    const filesOf = async () => [
      await file('UPS-GROUND.csv', ...GRID),
      await file('zones.csv', ...CHART),
      await file('multiweight.csv', ...MULTIWEIGHT),
      await file('delivery.csv', ...AREAS),
    ];
    const importInto = (into: string, files: readonly string[]) =>
      run('import', ...files, '--into', into, '--effective', '2031-01-04');

    test('writes both, and omits multiweight to a zone without rates', async () => {
      const into = join(dir, 'lists');
      const { code, stdout } = await importInto(into, await filesOf());
      expect(code).toBe(0);
      expect(stdout).toContain('UPS-GROUND: multiweight from 100 lb; zones 2, 3, 96');
      expect(stdout).toContain('areas delivery: 2 ZIP codes or ranges');
      expect(stdout).toContain('UPS Ground has multiweight prices, but no rates, for 96: omitted');
      const content = await contentOf(into);
      expect(content['/multiweight/UPS-GROUND.csv']).toBe('from_lb,2,3\n100,0.50,0.60\n500,0.40,0.50\n');
      expect(content['/areas/delivery.csv']).toBe('zip,tier\n005,far\n99501,remote\n');
    });

    test('names the places of contradictions', async () => {
      const other = [
        await file('multiweight-2.csv', 'service,from_lb,2', 'UPS-GROUND,500,0.45'),
        await file('areas.csv', 'list,zip,tier', 'delivery,005,near'),
      ];
      const { code, stdout } = await importInto(join(dir, 'no'), [...(await filesOf()), ...other]);
      expect(code).toBe(1);
      expect(stdout).toContain(
        'UPS Ground multiweight, from 500 lb, zone 2: 0.45 in multiweight-2.csv, line 2, zone 2, 0.40 in multiweight.csv, line 3, zone 2',
      );
      expect(stdout).toContain('area 005 of delivery: near in areas.csv, far in delivery.csv');
    });

    test('keeps what the operator changed, and updates the rest', async () => {
      const into = join(dir, 'lists by hand');
      await importInto(into, await filesOf());
      for (const [name, from, to] of [
        ['multiweight/UPS-GROUND.csv', '500,0.40', '500,0.33'],
        ['areas/delivery.csv', '005,far', '005,close'],
        ['zones/ups.csv', '070,02139,2', '070,02139,3'],
      ] as const)
        await writeFile(join(into, name), (await readFile(join(into, name), 'utf8')).replace(from, to));
      const newer = [
        await file('raised.csv', ...MULTIWEIGHT.map((line) => line.replace(',0.60,', ',0.66,'))),
        await file('delivery.csv', ...AREAS.map((line) => line.replace('remote', 'remotest')), '006,far'),
        await file('zones.csv', ...CHART.map((line) => line.replace('070,995,44', '070,995,46'))),
      ];
      expect((await importInto(into, newer)).code).toBe(0);
      const content = await contentOf(into);
      expect(content['/multiweight/UPS-GROUND.csv']).toBe('from_lb,2,3\n100,0.50,0.66\n500,0.33,0.50\n');
      expect(content['/areas/delivery.csv']).toBe('zip,tier\n005,close\n006,far\n99501,remotest\n');
      expect(content['/zones/ups.csv']).toMatch(/^070,02139,3\n/m);
      expect(content['/zones/ups.csv']).toMatch(/^000-999,995,46\n/m);
    });
  });

  test('reads two services from files with the same content and different names', async () => {
    const into = join(dir, 'alike');
    const files = [await file('FDX-GROUND.csv', ...GRID), await file('FDX-HOME.csv', ...GRID)];
    await run('import', ...files, '--into', into, '--effective', '2031-01-04');
    expect(Object.keys(await contentOf(into))).toContain('/rates/FDX-HOME.csv');
    expect(Object.keys(await contentOf(into))).toContain('/rates/FDX-GROUND.csv');
  });

  describe('into a folder that the operator has changed', () => {
    type Json = { services: Record<string, unknown>[]; notServed: string[]; surcharges: Record<string, unknown>[] };
    const FUEL = { type: 'FUEL', description: 'Fuel', amount: { per: 'percent', rate: '18.50', of: ['BASE'] } };
    const importInto = (into: string, ...files: string[]) =>
      run('import', ...files, '--into', into, '--effective', '2031-01-04');
    const change = async (into: string, how: (tariff: Json) => void): Promise<void> => {
      const path = join(into, 'tariff.json');
      const tariff = JSON.parse(await readFile(path, 'utf8'));
      how(tariff);
      await writeFile(path, JSON.stringify(tariff));
    };
    const documentIn = async (into: string) => {
      const read = await readTariffFolder(into);
      if (!('document' in read)) throw new Error('it cannot be read');
      return read.document;
    };
    const serviceIn = async (into: string, code: string) =>
      (await documentIn(into)).file.services.find((service) => service.code === code);
    const twoServices = async (name: string): Promise<{ into: string; files: string[] }> => {
      const into = join(dir, name);
      const long = ['service,weight_lb,2,3', 'UPS-GROUND,1,1.00,2.00', 'UPS-3DAY,1,3.00,4.00'];
      const files = [await file(`${name}.csv`, ...long), await file(`${name}-zones.csv`, ...CHART)];
      expect((await importInto(into, ...files)).code).toBe(0);
      return { into, files };
    };

    test('keeps the decisions, and lists them', async () => {
      const { into, files } = await twoServices('decided');
      await change(into, ({ services, notServed, surcharges }) => {
        Object.assign(services[0] ?? {}, { dimensionalFactor: 166, minimumNet: { column: '2', weightLb: 1 } });
        services.splice(1, 1);
        notServed.push('005');
        surcharges.push(FUEL);
      });
      const { code, stdout } = await importInto(into, ...files);
      expect(code).toBe(0);
      expect(stdout).toContain('Decided by the operator, and kept:\n');
      for (const line of [
        'service UPS-3DAY: the files have it, the tariff does not',
        'surcharge FUEL "Fuel": the tariff has it, the files do not',
        'tariff.json service UPS-GROUND.dimensionalFactor: the files say 139, the tariff has 166',
        'tariff.json service UPS-GROUND.minimumNet.column: the files say nothing, the tariff has 2',
      ])
        expect(stdout).toContain(`  ${line}\n`);
      const { file: kept, rates } = await documentIn(into);
      expect(kept.services).toMatchObject([
        { code: 'UPS-GROUND', dimensionalFactor: 166, minimumNet: { column: '2', weightLb: 1 } },
      ]);
      expect(kept.notServed).toContain('005');
      expect(kept.surcharges).toMatchObject([FUEL]);
      expect(Object.keys(rates)).toEqual(['UPS-GROUND']);
      const checked = await run('check', into);
      expect(checked.stdout).toContain('your decision: service UPS-3DAY: the files have it, the tariff does not\n');
    });

    test('takes new prices, but keeps a price that was set by hand', async () => {
      const { into } = await twoServices('hand');
      const path = join(into, 'rates', 'UPS-GROUND.csv');
      await writeFile(path, (await readFile(path, 'utf8')).replace('1.00', '0.77'));
      const raised = ['service,weight_lb,2,3', 'UPS-GROUND,1,1.10,2.20', 'UPS-3DAY,1,3.30,4.40'];
      expect((await importInto(into, await file('hand-new.csv', ...raised))).stdout).toContain(
        'rates/UPS-GROUND.csv row 1 column 2: the files say 1.10, the tariff has 0.77',
      );
      const { rates } = await documentIn(into);
      expect([rates['UPS-GROUND']?.cents, rates['UPS-3DAY']?.cents]).toEqual([[[77, 220]], [[330, 440]]]);
    });

    test('adds one chart without the other files, and replaces older tables', async () => {
      const { into } = await twoServices('one by one');
      const added = await importInto(into, await file('more.csv', 'origin,destination,UPS-GROUND', '606,100-199,3'));
      expect(added.code).toBe(0);
      expect(added.stdout).toContain('Imported earlier, and kept:\n  one by one.csv\n  one by one-zones.csv\n');
      const origins = (await documentIn(into)).charts['ups']?.rows.map(({ origin }) => origin);
      expect(origins).toEqual(expect.arrayContaining(['070', '606']));
      expect((await serviceIn(into, 'UPS-3DAY'))?.dimensionalFactor).toBe(139);
      const newer = await importInto(into, await file('newer.csv', 'service,weight_lb,2,3', 'UPS-GROUND,1,9.00,9.50'));
      expect(newer.stdout).toContain('one by one.csv: newer files replace 1 of its 2 tables');
      // The third import reads the files of the first two again: what the second replaced stays replaced.
      await importInto(into, await file('third.csv', 'origin,destination,UPS-GROUND', '750,100-199,4'));
      const { rates } = await documentIn(into);
      expect([rates['UPS-GROUND']?.cents, rates['UPS-3DAY']?.cents]).toEqual([[[900, 950]], [[300, 400]]]);
    });

    test('for another date ignores the earlier files, but keeps the decisions', async () => {
      const { into } = await twoServices('dates');
      await change(into, ({ surcharges }) => surcharges.push(FUEL));
      const next = await file('next.csv', 'service,weight_lb,2,3', 'UPS-GROUND,1,5.00,6.00');
      expect((await run('import', next, '--into', into, '--effective', '2032-01-04')).code).toBe(0);
      const { file: kept } = await documentIn(into);
      expect([kept.effective, kept.services.map(({ code }) => code)]).toEqual(['2032-01-04', ['UPS-GROUND']]);
      expect(kept.surcharges).toMatchObject([FUEL]);
    });

    test('refuses a folder that no import made, and changes nothing', async () => {
      const { into, files } = await twoServices('by hand');
      await rm(join(into, 'imported'), { recursive: true });
      const before = await contentOf(into);
      const { code, stderr } = await importInto(into, ...files);
      expect(code).toBe(1);
      expect(stderr).toContain('The tariff in the folder was not made by an import');
      expect(stderr).toContain('Import into a new folder');
      expect(await contentOf(into)).toEqual(before);
    });
  });

  describe('of a chart for origin 606', () => {
    /** Zones by distance from an origin. Every `wrong`th row has another zone. */
    const importChart = async (origin: number, wrong: number) => {
      const rows = Array.from({ length: 890 }, (_, at) => at + 10)
        .filter(isInUse)
        .map((zip3, at) => {
          const zone = 2 + bandOf(milesBetween(origin, zip3), [156, 312, 618, 1023, 1422, 1823]);
          return `606,${zipText(zip3, 3)},${at % wrong === 0 ? ((zone + 1) % 7) + 2 : zone}`;
        });
      const files = [
        await file('UPS-GROUND.csv', ...GRID),
        await file('chart.csv', 'origin,destination,UPS-GROUND', ...rows),
      ];
      return run('import', ...files, '--into', join(dir, 'chart'), '--effective', '2031-01-04');
    };

    test('reports zones that fit another origin', async () => {
      const { code, stdout } = await importChart(70, Number.POSITIVE_INFINITY);
      expect(code).toBe(1);
      expect(stdout).toMatch(
        /chart\.csv: \d+% of the zones fit the distances from 606, and \d+% fit those from 07\d: is the origin right\?/,
      );
    });

    test('accepts it if a tenth of its zones do not fit the distance', async () => {
      expect((await importChart(606, 10)).code).toBe(0);
    });
  });

  test('reads columns named Zone 2, and rejects one that is not a zone', async () => {
    const grid = await file('UPS-GROUND.csv', 'weight_lb,Zone 2,zone_3,Zone4', '1,1.00,2.00,3.00');
    const into = join(dir, 'zone names');
    await run('import', grid, '--into', into, '--effective', '2031-01-04');
    expect((await contentOf(into))['/rates/UPS-GROUND.csv']).toBe('weight_lb,2,3,4\n1,1.00,2.00,3.00\n');
    const bad = await file('UPS-GROUND.csv', 'weight_lb,2,Fuel (%)', '1,1.00,2.00');
    expect((await run('import', bad, '--into', join(dir, 'bad zones'), '--effective', '2031-01-04')).stderr).toContain(
      'its column Fuel (%) is not a zone: name it 2 or Zone 2',
    );
  });

  test('of an unknown or missing file fails and names it', async () => {
    const unknown = await file('notes.txt', 'hello');
    const args = ['--into', join(dir, 'no'), '--effective', '2031-01-04'];
    expect(await run('import', unknown, join(dir, 'absent.pdf'), ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /notes\.txt: it is of no known kind[\s\S]*absent\.pdf: it does not exist[\s\S]*Nothing was written/,
      ),
    });
  });

  test('of charts alone keeps them and fails, because a tariff needs rates', async () => {
    const chart = await file('zones.csv', ...CHART);
    const { code, stderr } = await run('import', chart, '--into', join(dir, 'no'), '--effective', '2031-01-04');
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('keeps these files. It is not a tariff yet, because they contain no rates'),
    });
  });

  test.each([
    ['no date', ['--into', 'x']],
    ['an invalid date', ['--into', 'x', '--effective', '2031-02-30']],
    ['no folder', ['--effective', '2031-01-04']],
    ['an origin that is no ZIP3', ['--into', 'x', '--effective', '2031-01-04', '--origin', 'a.csv=85001']],
  ])('with %s is a usage error', async (_what, args) => {
    expect((await run('import', 'a.csv', ...args)).code).toBe(2);
  });

  test('reports as JSON', async () => {
    const grid = await file('UPS-GROUND.csv', ...GRID);
    const { stdout } = await run('import', grid, '--into', join(dir, 'json'), '--effective', '2031-01-04', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      written: join(dir, 'json'),
      files: [{ file: 'UPS-GROUND.csv', kind: 'rate grid (CSV)', services: [{ code: 'UPS-GROUND', weights: 2 }] }],
      unreadable: [],
      contradictions: [],
      errors: [],
    });
  });

  test('leaves the old tariff or the new one when it is killed', async () => {
    const into = join(dir, 'killed');
    const old = await file('UPS-GROUND.csv', ...GRID);
    await run('import', old, '--into', into, '--effective', '2031-01-04');
    const script = await file(
      'rewrite.mts',
      `import { readTariffFolder, writeTariffFolder } from ${JSON.stringify(join(import.meta.dirname, '../../src/catalog/tariff/folder.ts'))};`,
      `const read = await readTariffFolder(${JSON.stringify(into)});`,
      `if (!('document' in read)) throw new Error('no tariff');`,
      `process.stdout.write('ready');`,
      `for (let turn = 0; ; turn++) await writeTariffFolder(${JSON.stringify(into)}, { ...read.document, file: { ...read.document.file, description: 'turn ' + turn } });`,
    );
    for (const afterMs of [3, 17, 41, 76]) {
      const child = spawn(process.execPath, ['--import', 'tsx', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: join(import.meta.dirname, '../..'),
      });
      await once(child.stdout, 'data');
      await sleep(afterMs);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const read = await readTariffFolder(into);
      expect('document' in read && read.document.rates['UPS-GROUND']?.cents).toHaveLength(2);
    }
  });
});

describe('list and diff', () => {
  test('list names versions, dates and what is in force, and fails if a folder has errors', async () => {
    const tariffs = join(dir, 'tariffs');
    const grid = await file('UPS-GROUND.csv', ...GRID);
    await run('import', grid, '--into', join(tariffs, 'first'), '--effective', '2020-01-04');
    await run('import', grid, '--into', join(tariffs, 'later'), '--effective', '2999-01-04');
    const { code, stdout } = await run('list', tariffs);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^first@2020-01-04-[0-9a-f]{8}: from 2020-01-04, 1 service, in force now: all$/m);
    expect(stdout).toMatch(/^later@2999-01-04-[0-9a-f]{8}: from 2999-01-04, 1 service, in force now: none$/m);
    await cp(join(tariffs, 'first'), join(tariffs, 'broken'), { recursive: true });
    await rm(join(tariffs, 'broken', 'rates'), { recursive: true });
    expect(await run('list', tariffs)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('broken has errors:\nerror: broken/'),
    });
  });

  test('list names two folders that have a service from the same date', async () => {
    const tariffs = join(dir, 'twice');
    const grid = await file('UPS-GROUND.csv', ...GRID);
    for (const name of ['first', 'second'])
      await run('import', grid, '--into', join(tariffs, name), '--effective', '2020-01-04');
    const at = 'second services UPS-GROUND';
    const message = 'the tariff first also has this service from 2020-01-04';
    expect(await run('list', tariffs)).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^first@.*\n$/),
      stderr: `second has errors:\nerror: ${at}: ${message}\n`,
    });
    expect(JSON.parse((await run('list', tariffs, '--json')).stdout)).toMatchObject({
      broken: ['second'],
      errors: [{ severity: 'error', at, message }],
    });
  });

  test('diff begins with averages and the largest change; --cells and --csv list cells with percentages', async () => {
    const [before, after] = [join(dir, 'before'), join(dir, 'after')];
    await run('import', await file('UPS-GROUND.csv', ...GRID), '--into', before, '--effective', '2031-01-04');
    const raised = GRID.map((line) => line.replace('1,1.00', '1,1.06'));
    await run('import', await file('UPS-GROUND.csv', ...raised), '--into', after, '--effective', '2032-01-04');
    const { code, stdout } = await run('diff', before, after);
    expect(code).toBe(0);
    expect(stdout).toContain('UPS-GROUND: 1 of 16 rates changed, on average by +0.38%\n');
    expect(stdout).toContain('    largest: +6.00% at 1 lb to zone 2 (1.00 → 1.06)\n');
    expect(stdout).toMatch(/1-2 lb +\+3\.00% +0\.00%/);
    expect(stdout).toContain('  effective: 2031-01-04 → 2032-01-04\n');
    expect(stdout).not.toContain('~ rates/');
    const cells = await run('diff', before, after, '--cells');
    expect(cells.stdout).toContain('~ rates/UPS-GROUND.csv row 1 column 2: 1.00 → 1.06 (+6.00%)\n');
    const csv = await run('diff', before, after, '--csv');
    expect(csv.stdout).toMatch(/^change,at,before,after,percent\n/);
    expect(csv.stdout).toContain('changed,rates/UPS-GROUND.csv row 1 column 2,1.00,1.06,+6.00%\n');
    expect(await run('diff', before, join(dir, 'nowhere'))).toMatchObject({ code: 1 });
  });
});
