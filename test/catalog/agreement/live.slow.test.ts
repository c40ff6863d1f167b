import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeAgreementFolder } from '../../../src/catalog/agreement/folder.ts';
import { type LiveAgreements, watchAgreements } from '../../../src/catalog/documents/live.ts';
import { folderForEachTest } from '../../folder.ts';
import { ownClockMs } from '../../processor-time.ts';
import { soon } from '../../soon.ts';
import { onePercentage } from './one-percentage.ts';

let root = '';
let lines: string[] = [];
let live: LiveAgreements | undefined;

folderForEachTest((made) => (root = made));
beforeEach(() => {
  lines = [];
});
afterEach(() => live?.close());

const at = (name: string): string => join(root, name);
const write = (name: string, percent: string) => writeAgreementFolder(at(name), onePercentage(percent, { name }));
const watch = async (dir = root, intervalMs: number | undefined = 20): Promise<LiveAgreements> => {
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) });
  live = await watchAgreements(dir, { log, ...(intervalMs === undefined ? {} : { intervalMs }) });
  return live;
};
const percentOf = ({ current }: LiveAgreements, name: string) =>
  current()
    .get(name)
    ?.tables.discounts.map(({ percent }) => percent)
    .join();
const refusals = () => lines.filter((line) => line.includes('an agreement is refused')).length;

test('reads a folder of agreements, or the folder of one', async () => {
  await write('acme', '10.00');
  await write('other', '20.00');
  await mkdir(at('notes'));
  const both = await watch();
  expect([...both.current().keys()]).toEqual(['acme', 'other']);
  expect(both.findings()).toEqual([]);
  both.close();
  expect([...(await watch(at('acme'))).current().keys()]).toEqual(['acme']);
});

test('a changed folder is read, and the agreements beside it stay the same objects', async () => {
  await write('acme', '10.00');
  await write('other', '20.00');
  const watched = await watch();
  const before = watched.current();
  await write('acme', '15.00');
  await soon(() => expect(percentOf(watched, 'acme')).toBe('15.00'));
  expect(watched.current().get('other')).toBe(before.get('other'));
  expect(before.get('acme')?.tables.discounts[0]?.percent).toBe('10.00');
});

test('a folder that is written again without a change stays the same object', async () => {
  await write('acme', '10.00');
  const watched = await watch();
  const before = watched.current();
  await write('acme', '10.00');
  await write('new', '1.00');
  await soon(() => expect(percentOf(watched, 'new')).toBe('1.00'));
  expect(watched.current().get('acme')).toBe(before.get('acme'));
});

test('a broken change keeps the last good one, and is reported once', async () => {
  await write('acme', '10.00');
  const watched = await watch();
  await writeFile(at('acme/discounts.csv'), 'discount,services,zones,percent\nIncentive,C1-GROUND,*,lots\n');
  await soon(() => expect(refusals()).toBe(1));
  expect(watched.findings()).toMatchObject([{ severity: 'error', at: expect.stringMatching(/^acme\/discounts\.csv/) }]);
  await write('new', '1.00');
  await soon(() => expect(percentOf(watched, 'new')).toBe('1.00'));
  expect([percentOf(watched, 'acme'), refusals()]).toEqual(['10.00', 1]);
  await write('acme', '15.00');
  await soon(() => expect(percentOf(watched, 'acme')).toBe('15.00'));
  expect(watched.findings()).toEqual([]);
});

test('a removed folder ends its agreement, and a renamed one does not', async () => {
  await write('acme', '10.00');
  await write('other', '20.00');
  const watched = await watch();
  await rm(at('other'), { recursive: true });
  await soon(() => expect([...watched.current().keys()]).toEqual(['acme']));
  await rename(at('acme'), at('.acme.old'));
  await write('new', '1.00');
  await soon(() => expect([...watched.current().keys()].toSorted()).toEqual(['acme', 'new']));
});

test('if two folders have the same name, the first counts and the other is an error', async () => {
  await write('acme', '10.00');
  await writeAgreementFolder(at('second'), onePercentage('20.00', { name: 'acme' }));
  const watched = await watch();
  expect(percentOf(watched, 'acme')).toBe('10.00');
  expect(watched.findings().filter(({ severity }) => severity === 'error')).not.toEqual([]);
});

test('an amendment and its rates are seen, four folders down', async () => {
  await write('acme', '10.00');
  const watched = await watch();
  const rates = at('acme/amendments/2026-07-01/rates');
  await mkdir(rates, { recursive: true });
  await writeFile(join(rates, 'C1-GROUND.csv'), 'weight_lb,2,3\n1,5.00,6.00\n');
  await soon(() =>
    expect(watched.current().get('acme')?.amendments[0]?.rates?.['C1-GROUND']?.cents).toEqual([[500, 600]]),
  );
  await writeFile(join(rates, 'C1-GROUND.csv'), 'weight_lb,2,3\n1,5.50,6.00\n');
  await soon(() =>
    expect(watched.current().get('acme')?.amendments[0]?.rates?.['C1-GROUND']?.cents).toEqual([[550, 600]]),
  );
});

test('of many agreements, one that changes is in force within two seconds', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `client-${index}`);
  for (const name of names) await write(name, '10.00');
  const watched = await watch(root, undefined);
  await write('client-77', '15.00');
  const begun = ownClockMs();
  await soon(() => expect(percentOf(watched, 'client-77')).toBe('15.00'));
  expect(ownClockMs() - begun).toBeLessThan(2_000);
});

test('the errors of an agreement, although its last good version is in use', async () => {
  await write('acme', '10.00');
  const agreements = await watch();
  expect(agreements.errorsOf('acme')).toEqual([]);
  await writeFile(join(at('acme'), 'agreement.json'), '{');
  await soon(() => expect(agreements.errorsOf('acme')).toHaveLength(1));
  expect(percentOf(agreements, 'acme')).toBe('10.00');
  expect(agreements.errorsOf('other')).toEqual([]);
});
