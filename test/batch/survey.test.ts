/** What a sweep saw, for the health page. */
import { expect, test } from 'vitest';
import { stateKeys } from '../../src/batch/state.ts';
import { gatherSurvey, surveys } from '../../src/batch/survey.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import { type BatchApi, listOf } from '../http/batch-api.ts';
import { batchApiForEachTest } from '../http/batch-suite.ts';

let api: BatchApi;
batchApiForEachTest((started) => ({ api } = started));

const sweep = () => createSweeper({ ...api, now: () => new Date() })();

test('before the first sweep there is no survey', async () => {
  expect(await surveys.last(api.redis)).toBeUndefined();
});

test('a sweep counts unfinished batches by client and state, and names the one unmoved for longest', async () => {
  const [began, waits] = [await api.upload(listOf(9)), await api.upload(listOf(9))];
  await api.rateChunk(began, 0);
  const [time = 0] = await api.redis.time();
  await api.redis.hset(stateKeys(began).state, 'movedAt', Number(time) - 700);
  await sweep();
  const survey = await surveys.last(api.redis);
  expect(survey?.secondsAgo).toBeLessThan(5);
  expect(survey?.unfinished).toEqual([
    {
      clientId: 'demo',
      counts: { in_progress: 1, queued: 1 },
      oldest: { id: began, status: 'in_progress', seconds: expect.any(Number) },
    },
  ]);
  expect(survey?.unfinished[0]?.oldest.seconds).toBeGreaterThanOrEqual(700);
  expect(survey?.use).toEqual([
    { clientId: 'demo', bytesStored: expect.any(Number), bytesInFlight: 2 * listOf(9).length },
  ]);
  expect(survey?.use[0]?.bytesStored).toBeGreaterThan(2 * listOf(9).length);
  await api.call('DELETE', `/${waits}`);
});

test('a failed batch is listed with its reason until it is a day old', async () => {
  const id = await api.upload(listOf(3));
  await api.failChunk(
    id,
    { index: 0, revision: 1, epoch: undefined },
    Object.assign(new Error('x'), { code: 'ENOSPC' }),
  );
  await sweep();
  const { failures, unfinished } = (await surveys.last(api.redis)) ?? {};
  expect(unfinished).toEqual([]);
  expect(failures).toEqual([
    {
      id,
      clientId: 'demo',
      at: expect.stringMatching(/Z$/),
      message: 'Rows 1 to 3 could not be processed: the disk is full.',
    },
  ]);
  await api.redis.hset(stateKeys(id).state, 'completedAt', new Date(Date.now() - 86_401_000).toISOString());
  await sweep();
  expect((await surveys.last(api.redis))?.failures).toEqual([]);
});

test('a survey stays small: the lists end, and what they omit is counted', () => {
  const now = 1_800_000_000;
  const survey = gatherSurvey(now);
  for (let i = 0; i < 250; i++) {
    const clientId = `client-${i}`;
    survey.look(`b${i}`, { status: 'queued', clientId, movedAt: String(now - i) });
    survey.look(`f${i}`, { status: 'failed', clientId, completedAt: new Date((now - i) * 1_000).toISOString() });
    survey.addUse(clientId, { bytesStored: i, bytesInFlight: 0 });
  }
  const found = survey.found({ held: 0, clockAhead: 0 });
  expect([found.unfinished.length, found.unfinishedOmitted]).toEqual([100, 150]);
  expect(found.unfinished[0]?.oldest).toEqual({ id: 'b249', status: 'queued', seconds: 249 });
  expect([found.use.length, found.useOmitted, found.use[0]?.bytesStored]).toEqual([100, 149, 249]);
  expect([found.failures.length, found.failuresOmitted, found.failures[0]?.id]).toEqual([100, 150, 'f0']);
  expect(JSON.stringify(found).length).toBeLessThan(64_000);
});

test('a survey of another version of the service counts as none', async () => {
  await api.redis.hset('rates:survey', { at: '1', survey: '{"clients":[]}' });
  expect(await surveys.last(api.redis)).toBeUndefined();
});
