import { afterEach, expect, test } from 'vitest';
import { AGREEMENTS, TARIFFS } from '../../../src/catalog/documents/kinds.ts';
import type { LiveTariffs } from '../../../src/catalog/documents/live.ts';
import { createSnapshots } from '../../../src/catalog/published/snapshots.ts';
import { tariffSource } from '../../../src/catalog/published/sources.ts';
import { libraryOf, openBoth } from '../../../src/catalog/published/store-place.ts';
import { scheduleOf } from '../../../src/catalog/tariff/schedule.ts';
import { soon } from '../../soon.ts';
import { smallTariff, TEN_POUNDS } from '../tariff/small-tariff.ts';
import { followOne, publishAll, type Setup, setUpForEachTest } from './setup.ts';

const WHO = { by: 'ann@laptop', now: new Date('2026-03-01T00:00:00Z') };

let setup: Setup;
let tariffs: LiveTariffs | undefined;
setUpForEachTest((fresh) => (setup = fresh));
afterEach(() => tariffs?.close());

const priced = (firstPoundCents: number) =>
  scheduleOf([
    smallTariff({
      file: { effective: '2026-01-01' },
      service: { code: 'GROUND', maximumActualLb: 10 },
      document: { rates: { GROUND: { ...TEN_POUNDS, cents: TEN_POUNDS.cents.with(0, [firstPoundCents, 2_000]) } } },
    }),
  ]);
const publish = (firstPoundCents: number) => publishAll(TARIFFS, setup.deps, priced(firstPoundCents).documents, WHO);
const library = () => libraryOf(TARIFFS, undefined, (use) => use(setup.deps));
const goBack = (version: string, by = WHO.by) => library().goBack(version, { ...WHO, by });
const follow = async () => {
  tariffs = await followOne(tariffSource(setup.deps, createSnapshots(setup.deps.store)), setup.deps);
  return tariffs;
};
const firstPound = ({ current }: LiveTariffs) => current().bookOn('2026-06-01').cards[0]?.rates[1];

test('there are no tariffs until some are published', async () => {
  const live = await follow();
  expect([live.current().ids, live.findings()]).toEqual([[], []]);
  await publish(1_000);
  await soon(() => expect(firstPound(live)).toBe(1_000));
  await publish(1_050);
  await soon(() => expect(firstPound(live)).toBe(1_050));
});

test('tariffs that are in force are not published again', async () => {
  const { version } = await publish(1_000);
  expect(version).toMatch(/^1-[0-9a-f]{16}$/);
  expect(await publish(1_000)).toMatchObject({ version: undefined, placed: [{ isNew: false }] });
});

test('an earlier version comes into force again, and the versions list who published them', async () => {
  const { version } = await publish(1_000);
  await publish(1_050);
  await goBack(version ?? '', 'bob@server');
  expect(firstPound(await follow())).toBe(1_000);
  const versions = await library().versions();
  expect(versions.find(({ isCurrent }) => isCurrent)).toMatchObject({ version, since: { by: 'bob@server' } });
  expect(versions.map((one) => [one.version[0], one.by, one.at])).toEqual([
    ['2', 'ann@laptop', '2026-03-01T00:00:00.000Z'],
    ['1', 'ann@laptop', '2026-03-01T00:00:00.000Z'],
  ]);
});

test('a missing version cannot come into force', async () => {
  await expect(goBack('7-0123456789abcdef')).rejects.toThrow('There is no version 7-0123');
});

test('one of two concurrent publications is refused', async () => {
  await publish(900);
  const outcomes = await Promise.allSettled([publish(1_000), publish(1_050)]);
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message] : []));
  const won = outcomes.findIndex(({ status }) => status === 'fulfilled');
  expect(refused).toEqual([expect.stringContaining('Somebody else has just published tariffs')]);
  expect(firstPound(await follow())).toBe([1_000, 1_050][won]);
});

test('only what was in force is a version: not a refused publication, and not one that was cut short', async () => {
  const first = await publish(900);
  const outcomes = await Promise.allSettled([publish(1_000), publish(1_050)]);
  const [won] = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value.version : []));
  await goBack(first.version ?? '');
  const { places } = await openBoth([TARIFFS, AGREEMENTS], setup.deps);
  await places[0].stage([], WHO);
  const last = await publish(1_100);
  const stored = await setup.deps.store.list('published/tariffs/');
  expect(stored.map((name) => name[0])).toEqual(['1', '2', '2', '4', '4']);
  const listed = (await library().versions()).map(({ version }) => version);
  expect(listed).toEqual([last.version, won, first.version]);
  for (const name of stored.map((file) => file.replace('.json', '')))
    if (!listed.includes(name)) await expect(goBack(name)).rejects.toThrow(`There is no version ${name}.`);
});

test('the number of a version is enough to go back to it', async () => {
  const { version } = await publish(1_000);
  await publish(1_050);
  expect(await goBack('1')).toMatchObject({ version });
  await expect(goBack('3')).rejects.toThrow('There is no version 3. `rates tariff versions` lists the versions.');
});

test('a version with an altered tariff causes a finding, and the last good version stays in force', async () => {
  await publish(1_000);
  const live = await follow();
  const { store } = setup.deps;
  const { version } = await publish(1_050);
  await soon(() => expect(firstPound(live)).toBe(1_050));
  await publish(1_000);
  await soon(() => expect(firstPound(live)).toBe(1_000));
  const key = `tariffs/${priced(1_050).ids[0]}.json`;
  await store.put(key, Buffer.from(String(await store.get(key)).replace('1050', '1051')));
  await expect(goBack(version ?? '')).rejects.toThrow('has changed: ');
  const pointed = JSON.parse((await setup.deps.redis.get('rates:published')) ?? '');
  const broken = { sequence: 4, tariffs: { ...pointed.tariffs, version } };
  await setup.deps.redis.set('rates:published', JSON.stringify(broken));
  live.close();
  const fresh = await follow();
  expect(fresh.findings()).toEqual([
    { severity: 'error', at: 'published', message: expect.stringContaining('has changed: ') },
  ]);
  expect(fresh.current).toThrow('the store could not provide the published tariffs');
});

test('the loaded version stays in force while Redis is unavailable', async () => {
  await publish(1_000);
  const live = await follow();
  setup.deps.redis.disconnect();
  await soon(() => expect(setup.warnings).toHaveLength(1));
  expect(firstPound(live)).toBe(1_000);
});
