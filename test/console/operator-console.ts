/** The operator's console for a test file: a service with an operator token, the built console, and Chromium. */
import type { Browser, Page } from 'playwright-core';
import { type BatchApi, startBatchApi } from '../http/batch-api.ts';
import {
  OPERATOR_TOKEN,
  type OperatorApi,
  type OperatorApiOptions,
  operatorApiOf,
} from '../http/operator/operator-api.ts';
import { testRedis } from '../redis.ts';
import { type Look, openPage, startChromium, type WatchedPage } from './chromium.ts';

export interface OperatorConsole {
  readonly service: BatchApi;
  readonly api: OperatorApi;
  readonly browser: Browser;
  /** Opens a page, such as `#/operator/audit`, signed in as `Ada`. */
  readonly open: (hash: string, look?: Partial<Look>) => Promise<WatchedPage>;
  readonly close: () => Promise<void>;
}

/** Fills in the page of the sign-in. */
export const typeSignIn = async (page: Page, token: string = OPERATOR_TOKEN, name = 'Ada'): Promise<void> => {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Operator token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
};

export const startOperatorConsole = async (options: OperatorApiOptions = {}): Promise<OperatorConsole> => {
  const redis = await testRedis();
  const service = await startBatchApi({ redisUrl: redis.url });
  const api = await operatorApiOf(service, { ...options, app: { ...options.app } });
  const browser = await startChromium();
  return {
    service,
    api,
    browser,
    open: async (hash, look = {}) => {
      const watched = await openPage(browser, api.url, { theme: 'light', width: 1440, ...look });
      const answer = await watched.context.request.post('/ops/session', {
        data: { token: OPERATOR_TOKEN, name: 'Ada' },
      });
      if (!answer.ok()) throw new Error(`nobody could sign in: ${await answer.text()}`);
      await watched.page.goto(`/${hash}`);
      await watched.page.getByRole('heading', { level: 1 }).waitFor();
      return watched;
    },
    close: async () => {
      await browser.close();
      await api.close();
      await service.close();
      await redis.stop();
    },
  };
};
