/** The health page of a service that has work and trouble, in each theme and width. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createErrorLog } from '../../src/base/error-log.ts';
import { stateKeys } from '../../src/batch/state.ts';
import { createSweeper } from '../../src/batch/sweep.ts';
import { signSlots } from '../../src/batch/workers.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { createQuoteCounts } from '../../src/http/quote-counts.ts';
import { completeTariff } from '../catalog/tariff/complete-tariff.ts';
import { fixedTariffs } from '../http/api.ts';
import { listOf } from '../http/batch-api.ts';
import { axeViolations, hasChromium, keepShot, sidewaysScroll, TABLE_LOOKS } from './chromium.ts';
import { type OperatorConsole, startOperatorConsole } from './operator-console.ts';

describe.skipIf(!hasChromium)('the health page', () => {
  let operators: OperatorConsole;
  let stuck = '';
  let isStoreFull = false;
  const line = (fields: Record<string, unknown>): string =>
    JSON.stringify({ level: 'error', time: new Date().toISOString(), pid: 1, name: 'worker', ...fields });
  /** The stuck batch last moved 66 minutes ago, for a page that opens up to 55 seconds after this call. */
  const surveyWithStuckBatch = async () => {
    const { redis } = operators.service;
    await redis.hset(stateKeys(stuck).state, 'movedAt', Number((await redis.time())[0]) - 66 * 60 - 5);
    await createSweeper({ ...operators.service, now: () => new Date() })();
  };

  beforeAll(async () => {
    operators = await startOperatorConsole({
      app: {
        tariffs: fixedTariffs(scheduleOf([completeTariff()])),
        checks: {
          process: async () => undefined,
          redis: async () => undefined,
          store: async () => {
            if (isStoreFull) throw new Error('ENOSPC: no space left on device, write');
          },
          tariff: async () => undefined,
        },
      },
    });
    const { service } = operators;
    const { redis } = service;
    stuck = await service.upload(listOf(9));
    const failed = await service.upload(listOf(3));
    await service.upload(listOf(6));
    await service.rateChunk(stuck, 0);
    const error = Object.assign(new Error('x'), { code: 'ENOSPC' });
    await service.failChunk(failed, { index: 0, revision: 1, epoch: undefined }, error);
    await signSlots(redis, 'rates-worker-1-4711', 4);
    const count = createQuoteCounts(redis, () => new Date());
    for (const outcome of ['quoted', 'faulted', 'refused', 'refused'] as const) count(outcome);
    const errors = createErrorLog();
    errors.keepIn(redis);
    for (let i = 0; i < 12; i++)
      errors.take(
        line({
          msg: 'rows could not be rated',
          batchId: failed,
          err: { message: 'ENOSPC: no space left on device' },
        }),
      );
    errors.take(
      line({ msg: 'a call could not be answered', name: 'api', requestId: 'b7c1', err: { message: 'a bug' } }),
    );
    await errors.close();
  });
  afterAll(() => operators.close());

  test.each(TABLE_LOOKS)('says what needs attention in $theme at $width px', async (look) => {
    await surveyWithStuckBatch();
    const { page, context, problems } = await operators.open('#/operator', look);
    await page.getByText(/^Workers: Batch b\w+ of demo has not moved for 1 h 6 min\. See the queues$/).waitFor();
    await page
      .getByText(/^1 batch failed in the last day\. Rows 1 to 3 could not be processed: the disk is full\./)
      .waitFor();
    await page.getByRole('cell', { name: 'Rows 1 to 3 could not be processed: the disk is full.' }).waitFor();
    await page
      .getByText(
        /^The logs of the last day have 13 errors\. The newest: (?:a call could not be answered|rows could not be rated)\./,
      )
      .waitFor();
    await page
      .getByText(/^Tariff: The fuel rates of Small ended on Jun 14, 2026/)
      .first()
      .waitFor();
    await page.getByText('Rows could not be rated', { exact: true }).waitFor();
    await page.getByRole('cell', { name: '12', exact: true }).waitFor();
    await page.getByText('1 with a problem, 2 refused').waitFor();
    for (const part of ['Workers: trouble', 'Tariff: trouble', 'Store: in order'])
      await page.getByText(part, { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Jobs by queue' }).count()).toBe(0);
    // A job that has failed leaves its queue, so the failed batch is the only count of it.
    expect(await page.getByRole('columnheader').allTextContents()).not.toContain('Failed');
    const titles = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(titles.slice(0, 3)).toEqual(['Unfinished batches', 'Failed batches of the last day', 'Fuel rates']);
    await keepShot(page, 'operator-health', look);
    const sideways = await sidewaysScroll(page);
    expect([...(await axeViolations(page)), ...problems, sideways]).toEqual([0]);
    await context.close();
  });

  test('refreshes itself, until it is paused', async () => {
    const { page, context, problems } = await operators.open('#/operator/health');
    await page.getByText('Store: in order').waitFor();
    isStoreFull = true;
    await page.getByText(/^Store does not work: ENOSPC: no space left on device, write\./).waitFor();
    await page.getByRole('button', { name: 'Pause refresh' }).click();
    isStoreFull = false;
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/ops/health')) calls += 1;
    });
    await page.waitForTimeout(6_000);
    expect(calls).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Store: in order').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test('says that uploads are refused if the disk has less space than is reserved', async () => {
    const full = await startOperatorConsole({
      app: { reserveBytes: 2 ** 50, checks: { store: async () => undefined } },
    });
    try {
      const { page } = await full.open('#/operator/health');
      await page.getByText(/^Store: Its disk has [\d.]+ GB free, less than the 1125900 GB that are reserved/).waitFor();
      await page.getByText('Store: trouble').waitFor();
      await page.getByText(/^[\d.]+ GB free$/).waitFor();
    } finally {
      await full.close();
    }
  });

  test('leads to the queue board in the same session', async () => {
    const { page, context } = await operators.open('#/operator/health');
    await page.getByRole('link', { name: 'Queues', exact: true }).click();
    await page.getByText('chunk').first().waitFor();
    await context.close();
  });
});
