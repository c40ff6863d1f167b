/** The page that asks operators for their token, in every theme and width, and the queue board behind it. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorRoutes } from '../../src/http/operators.ts';
import { openQueues, type Queues } from '../../src/queue/jobs.ts';
import type { Redis } from '../../src/redis/connection.ts';
import { startApi } from '../http/api.ts';
import { openRedis, type TestRedis, testRedis } from '../redis.ts';
import { axeViolations, hasChromium, keepShot, LOOKS, openPage, sidewaysScroll, startChromium } from './chromium.ts';

const TOKEN = 'the-operators-own-token-0123456789';

describe.skipIf(!hasChromium)('an operator', () => {
  let server: TestRedis;
  let redis: Redis;
  let queues: Queues;
  let api: Awaited<ReturnType<typeof startApi>>;
  let browser: Browser;
  beforeAll(async () => {
    server = await testRedis();
    redis = await openRedis(server.url);
    queues = openQueues(redis);
    api = await startApi({ operatorRouter: operatorRoutes({ queues, operatorToken: TOKEN }) });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
    await queues.close();
    redis.disconnect();
    await server.stop();
  });

  test.each(LOOKS)('must give the token in $theme at $width px, and then sees the queues', async (look) => {
    const { page, context, problems } = await openPage(browser, api.url, look);
    const wrong: string[] = [];
    const judge = async (name: string): Promise<void> => {
      await keepShot(page, name, look);
      wrong.push(...(await axeViolations(page)), ...((await sidewaysScroll(page)) > 0 ? [`${name} is too wide`] : []));
    };
    await page.goto('/ops/queues');
    await judge('operators');
    const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    expect(paper).toBe(look.theme === 'light' ? 'rgb(250, 249, 246)' : 'rgb(20, 22, 21)');
    await page.keyboard.type('not the token');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That is not the operator token.').waitFor();
    await judge('operators-refused');
    expect([...wrong, ...problems]).toEqual([]);
    await page.getByLabel('Operator token').fill(TOKEN);
    await page.getByRole('button', { name: 'Show the queues' }).click();
    await page.getByText('chunk').first().waitFor();
    await context.close();
  });
});
