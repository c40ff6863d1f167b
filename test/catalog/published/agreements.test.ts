import { afterEach, expect, test } from 'vitest';
import { AGREEMENTS } from '../../../src/catalog/documents/kinds.ts';
import { byName, type LiveAgreements } from '../../../src/catalog/documents/live.ts';
import { agreementSource } from '../../../src/catalog/published/sources.ts';
import { libraryOf } from '../../../src/catalog/published/store-place.ts';
import { soon } from '../../soon.ts';
import { onePercentage } from '../agreement/one-percentage.ts';
import { followOne, publishAll, type Setup, setUpForEachTest } from './setup.ts';

const WHO = { by: 'ann@laptop', now: new Date('2026-03-01T00:00:00Z') };

let setup: Setup;
let live: LiveAgreements | undefined;
setUpForEachTest((fresh) => (setup = fresh));
afterEach(() => live?.close());

const named = (name: string, percent: string) => onePercentage(percent, { name });
const publish = (percents: Readonly<Record<string, string>>) =>
  publishAll(
    AGREEMENTS,
    setup.deps,
    Object.entries(percents).map(([name, percent]) => named(name, percent)),
    WHO,
  );
const library = () => libraryOf(AGREEMENTS, undefined, (use) => use(setup.deps));
const goBack = (version: string, by = WHO.by) => library().goBack(version, { ...WHO, by });
const follow = async () => {
  live = await followOne(agreementSource(setup.deps), setup.deps);
  return live;
};
const percents = (agreements: ReturnType<LiveAgreements['current']>) =>
  Object.fromEntries([...agreements].map(([name, { tables }]) => [name, tables.discounts[0]?.percent]));

test('there are no agreements until some are published, and followers see each version', async () => {
  const watched = await follow();
  expect([watched.current().size, watched.findings()]).toEqual([0, []]);
  await publish({ acme: '10.00' });
  await soon(() => expect(percents(watched.current())).toEqual({ acme: '10.00' }));
  await publish({ acme: '12.00', other: '20.00' });
  await soon(() => expect(percents(watched.current())).toEqual({ acme: '12.00', other: '20.00' }));
  expect(percents(byName((await library().current()).documents))).toEqual({ acme: '12.00', other: '20.00' });
});

test('an agreement that did not change stays the same object, and is in the store once', async () => {
  await publish({ acme: '10.00', other: '20.00' });
  const watched = await follow();
  const before = watched.current();
  await publish({ acme: '11.00', other: '20.00' });
  await soon(() => expect(percents(watched.current())).toEqual({ acme: '11.00', other: '20.00' }));
  expect(watched.current().get('other')).toBe(before.get('other'));
  expect(await setup.deps.store.list('agreements/')).toHaveLength(3);
});

test('agreements that are in force are not published again, in whatever order', async () => {
  const { version } = await publish({ acme: '10.00', other: '20.00' });
  expect(version).toMatch(/^1-[0-9a-f]{16}$/);
  expect(await publish({ other: '20.00', acme: '10.00' })).toMatchObject({
    version: undefined,
    placed: [{ isNew: false }, { isNew: false }],
  });
});

test('an earlier version comes into force again, and a missing one cannot', async () => {
  const { version } = await publish({ acme: '10.00' });
  await publish({ acme: '12.00' });
  await goBack(version ?? '', 'bob@server');
  expect(percents((await follow()).current())).toEqual({ acme: '10.00' });
  const versions = await library().versions();
  expect(versions.find(({ isCurrent }) => isCurrent)).toMatchObject({ version, since: { by: 'bob@server' } });
  expect(versions.map((one) => one.ids.map((id) => id.split('@')[0]))).toEqual([['acme'], ['acme']]);
  await expect(goBack('9-0123456789abcdef')).rejects.toThrow(
    'There is no version 9-0123456789abcdef. `rates agreement versions` lists the versions.',
  );
});

test('of two publications at the same time, one is refused', async () => {
  await publish({ acme: '10.00' });
  const outcomes = await Promise.allSettled([publish({ acme: '11.00' }), publish({ acme: '12.00' })]);
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []));
  expect(refused).toEqual([expect.stringContaining('Somebody else has just published agreements')]);
});

test('a version with an altered agreement is reported, and the last good version stays in force', async () => {
  await publish({ acme: '10.00' });
  const watched = await follow();
  const { version } = await publish({ acme: '12.00' });
  await soon(() => expect(percents(watched.current())).toEqual({ acme: '12.00' }));
  watched.close();
  await publish({ acme: '10.00' });
  const { store, redis } = setup.deps;
  const [altered = ''] = (await library().versions()).find((one) => one.version === version)?.ids ?? [];
  const key = `agreements/${altered}.json`;
  await store.put(key, Buffer.from(String(await store.get(key)).replace('12.00', '99.00')));
  await expect(goBack(version ?? '')).rejects.toThrow('has changed: ');
  const fresh = await follow();
  const pointed = JSON.parse((await redis.get('rates:published')) ?? '');
  const agreements = { ...pointed.agreements, version };
  await redis.set('rates:published', JSON.stringify({ sequence: 4, agreements }));
  await soon(() =>
    expect(fresh.findings()).toEqual([
      { severity: 'error', at: 'published', message: expect.stringContaining('has changed: ') },
    ]),
  );
  expect(percents(fresh.current())).toEqual({ acme: '10.00' });
});
