import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommanderError } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tariffCommand } from '../../../src/cli/tariff.ts';
import { readTariffFolder } from '../../../src/tariff/folder.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tariff-import-'));
});
afterAll(() => rm(dir, { recursive: true }));

/** Runs `rates tariff …`. */
const run = async (...args: string[]) => {
  let [code, stdout, stderr] = [0, '', ''];
  const command = tariffCommand({
    stdout: {
      write: (text) => {
        stdout += text;
      },
    },
    stderr: {
      write: (text) => {
        stderr += text;
      },
    },
    env: { CLIENTS_FILE: join(dir, 'none.json') },
    setExitCode: (value) => {
      code = value;
    },
  });
  for (const part of [command, ...command.commands])
    part.exitOverride().configureOutput({
      writeErr: (text) => {
        stderr += text;
      },
      writeOut: () => undefined,
    });
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { code: 'usage', stdout, stderr };
  }
  return { code, stdout, stderr };
};

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
const CHART = [
  'origin,destination,UPS-GROUND',
  '070,000-966,5',
  '070,969-994,5',
  '070,02139,2',
  '070,995,44',
  '070,967,46',
];

describe('an import', () => {
  test('writes a tariff that checks, and says what it read', async () => {
    const into = join(dir, 'Small 2031');
    const files = [await file('UPS-GROUND.csv', ...GRID), await file('zones.csv', ...CHART)];
    const { code, stdout, stderr } = await run('import', ...files, '--into', into, '--effective', '2031-01-04');
    expect({ code, stderr: stderr.replace(/@.*/, '') }).toMatchObject({ code: 0 });
    expect(stdout).toContain('UPS-GROUND: 1-2 lb; zones 2-8, 44');
    expect(stdout).toContain('origin 070: 5 destinations; UPS-GROUND');
    expect(stdout).toContain('UPS-3DAY has no rates in these files');
    expect(Object.keys(await contentOf(into))).toEqual(['/rates/UPS-GROUND.csv', '/tariff.json', '/zones/ups.csv']);
    const { 'tariff.json': _, ...rest } = await contentOf(into);
    expect(rest['/rates/UPS-GROUND.csv']).toBe(`${GRID.join('\n')}\n`);
    expect(rest['/zones/ups.csv']).toBe(
      [
        'origin,destination,UPS-GROUND',
        '000-999,967,46',
        '000-999,967-968,',
        '000-999,995,44',
        '000-999,995-999,',
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

  test('gives the same bytes for the same files in any order, and over itself', async () => {
    const files = [await file('UPS-GROUND.csv', ...GRID), await file('zones.csv', ...CHART)];
    await run('import', ...files, '--into', join(dir, 'x'), '--effective', '2031-01-04');
    const first = await contentOf(join(dir, 'x'));
    await run('import', ...files.reverse(), '--into', join(dir, 'x'), '--effective', '2031-01-04');
    expect(await contentOf(join(dir, 'x'))).toEqual(first);
  });

  test('with an unreadable cell writes nothing, names the cell, and leaves the tariff that is there', async () => {
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

  test('is forced past an unreadable cell, which is then empty', async () => {
    const into = join(dir, 'forced');
    const bad = await file('UPS-GROUND.csv', ...GRID.slice(0, 2), '2,2.00,3.00,4.00,5.00,6.00,7.00,8.00,?');
    const { code, stderr } = await run('import', bad, '--into', into, '--effective', '2031-01-04', '--force');
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining('Written by force') });
    expect((await contentOf(into))['/rates/UPS-GROUND.csv']).toContain('2,2.00,3.00,4.00,5.00,6.00,7.00,8.00,\n');
  });

  test('with files that contradict each other writes nothing, and names both places', async () => {
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
      'UPS-GROUND, 1 lb, zone 3: 2.00 in UPS-GROUND.csv, line 2, zone 3, 2.50 in long.csv, line 2, zone 3',
    );
    expect(stdout).toContain('origin 070, destination 100, column UPS-GROUND: zone 5 in a.csv, zone 6 in b.csv');
    expect(await readdir(dir)).not.toContain('no');
  });

  test('lets one file refine at ZIP5s what another says of their ZIP3, and says so', async () => {
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

  test('keeps what a chart says of Alaska to its origin, where that is a zone of the contiguous states', async () => {
    const files = [
      await file('UPS-GROUND.csv', ...GRID),
      await file('all.csv', 'origin,destination,UPS-GROUND', '070,000-999,5'),
    ];
    await run('import', ...files, '--into', join(dir, 'flat'), '--effective', '2031-01-04');
    const chart = (await contentOf(join(dir, 'flat')))['/zones/ups.csv'];
    expect(chart).toContain('\n000-999,995-999,\n');
    expect(chart).toContain('\n070,995-999,5\n');
  });

  test('estimates a service without a chart, but neither to Alaska nor from Puerto Rico, and says so', async () => {
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
    expect(stdout).toContain('UPS-GROUND has no zone chart: all its zones are estimated from the distance');
    expect((await contentOf(into))['/zones/ups-estimated.csv']).toContain('000-999,995-999,\n');
  });

  test('takes the zones of any carrier from a chart with one column zone, and warns where a service has none', async () => {
    const into = join(dir, 'acme');
    const grid = await file('acme.csv', 'service,weight_lb,2,7', 'ACME-EXP,1,5.00,6.00');
    const chart = await file('acme-zones.csv', 'origin,destination,zone', '070,000-999,2', '070,900-919,7');
    expect((await run('import', grid, chart, '--into', into, '--effective', '2031-01-04')).code).toBe(0);
    expect((await contentOf(into))['/zones/acme.csv']).toContain('\n070,900-919,7\n');
    const alone = await run('import', grid, '--into', into, '--effective', '2031-01-04');
    expect(alone).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('ACME-EXP has no zone chart: it reaches nothing'),
    });
  });

  test('adds origins of one file to those of another, though it names its columns otherwise', async () => {
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

  test('takes two services from files that are the same but for their names', async () => {
    const into = join(dir, 'alike');
    const files = [await file('FDX-GROUND.csv', ...GRID), await file('FDX-HOME.csv', ...GRID)];
    await run('import', ...files, '--into', into, '--effective', '2031-01-04');
    expect(Object.keys(await contentOf(into))).toContain('/rates/FDX-HOME.csv');
    expect(Object.keys(await contentOf(into))).toContain('/rates/FDX-GROUND.csv');
  });

  test('keeps surcharges that were added by hand', async () => {
    const into = join(dir, 'fuel');
    const grid = await file('UPS-GROUND.csv', ...GRID);
    await run('import', grid, '--into', into, '--effective', '2031-01-04');
    const path = join(into, 'tariff.json');
    const fuel = { type: 'FUEL', description: 'Fuel', amount: { per: 'percent', rate: '18.50', of: ['BASE'] } };
    await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), surcharges: [fuel] }));
    const { stdout } = await run('import', grid, '--into', into, '--effective', '2031-01-04');
    expect(stdout).toContain('Surcharges of the tariff that was there are kept, since no file speaks of them: FUEL');
    const read = await readTariffFolder(into);
    expect('document' in read && read.document.file.surcharges).toMatchObject([fuel]);
  });

  test('of a file of no known kind, or none that is there, fails and names it', async () => {
    const unknown = await file('notes.txt', 'hello');
    const args = ['--into', join(dir, 'no'), '--effective', '2031-01-04'];
    expect(await run('import', unknown, join(dir, 'absent.pdf'), ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /notes\.txt: it is of no known kind[\s\S]*absent\.pdf: ENOENT[\s\S]*Nothing was written/,
      ),
    });
  });

  test('of charts alone fails: a tariff has rates', async () => {
    const chart = await file('zones.csv', ...CHART);
    const { code, stderr } = await run('import', chart, '--into', join(dir, 'no'), '--effective', '2031-01-04');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('these files hold no rates') });
  });

  test.each([
    ['no date', ['--into', 'x']],
    ['a date that is none', ['--into', 'x', '--effective', '2031-02-30']],
    ['no folder', ['--effective', '2031-01-04']],
    ['an origin that is no ZIP3', ['--into', 'x', '--effective', '2031-01-04', '--origin', 'a.csv=85001']],
  ])('with %s is a usage error', async (_what, args) => {
    expect((await run('import', 'a.csv', ...args)).code).toBe('usage');
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

  test('killed at any instant leaves the old tariff or the new one', async () => {
    const into = join(dir, 'killed');
    const old = await file('UPS-GROUND.csv', ...GRID);
    await run('import', old, '--into', into, '--effective', '2031-01-04');
    const script = await file(
      'rewrite.mts',
      `import { readTariffFolder, writeTariffFolder } from ${JSON.stringify(join(import.meta.dirname, '../../../src/tariff/folder.ts'))};`,
      `const read = await readTariffFolder(${JSON.stringify(into)});`,
      `if (!('document' in read)) throw new Error('no tariff');`,
      `process.stdout.write('ready');`,
      `for (let turn = 0; ; turn++) await writeTariffFolder(${JSON.stringify(into)}, { ...read.document, file: { ...read.document.file, description: 'turn ' + turn } });`,
    );
    for (const afterMs of [3, 17, 41, 76]) {
      const child = spawn(process.execPath, ['--import', 'tsx', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: join(import.meta.dirname, '../../..'),
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
  test('list names versions, dates and what is in force; a folder that does not check fails it', async () => {
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
      stderr: expect.stringContaining('broken does not check:\nerror: broken/'),
    });
  });

  test('list says which two folders have a service from one date on', async () => {
    const tariffs = join(dir, 'twice');
    const grid = await file('UPS-GROUND.csv', ...GRID);
    for (const name of ['first', 'second'])
      await run('import', grid, '--into', join(tariffs, name), '--effective', '2020-01-04');
    const at = 'second beside first: second services UPS-GROUND';
    const message = 'the tariff first has this service from 2020-01-04 on too';
    expect(await run('list', tariffs)).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^first@.*\n$/),
      stderr: `second does not check:\nerror: ${at}: ${message}\n`,
    });
    expect(JSON.parse((await run('list', tariffs, '--json')).stdout)).toMatchObject({
      broken: ['second'],
      errors: [{ severity: 'error', at, message }],
    });
  });

  test('diff shows cells with percentages', async () => {
    const [before, after] = [join(dir, 'before'), join(dir, 'after')];
    await run('import', await file('UPS-GROUND.csv', ...GRID), '--into', before, '--effective', '2031-01-04');
    const raised = GRID.map((line) => line.replace('1,1.00', '1,1.06'));
    await run('import', await file('UPS-GROUND.csv', ...raised), '--into', after, '--effective', '2032-01-04');
    const { code, stdout } = await run('diff', before, after);
    expect(code).toBe(0);
    expect(stdout).toContain('~ rates/UPS-GROUND.csv row 1 column 2: 1.00 → 1.06 (+6.00 %)\n');
    expect(stdout).toContain('~ tariff.json effective: 2031-01-04 → 2032-01-04\n');
    expect(await run('diff', before, join(dir, 'nowhere'))).toMatchObject({ code: 1 });
  });
});
