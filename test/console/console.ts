/** The console for a test file: the whole service in this process, with a fresh build of the console, and Chromium. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type BatchApi, type BatchApiOptions, startBatchApi } from '../http/batch-api.ts';
import { testRedis } from '../redis.ts';
import { type Look, openPage, startChromium, type WatchedPage } from './chromium.ts';

export interface TestConsole {
  /** The service. No worker runs until the test starts one. */
  readonly service: BatchApi;
  readonly browser: Browser;
  /** Opens a page of the console, such as `#/quote`, signed out. */
  readonly openSignedOut: (hash: string, look?: Partial<Look>) => Promise<WatchedPage>;
  /** Opens a page as the demo client. */
  readonly open: (hash: string, look?: Partial<Look>) => Promise<WatchedPage>;
  readonly close: () => Promise<void>;
}

/** Signs the demo client in without the sign-in page. */
export const signIn = async (context: BrowserContext): Promise<void> => {
  const answer = await context.request.post('/console/session', {
    data: { client_id: 'demo', client_secret: 'demo-secret' },
  });
  if (!answer.ok()) throw new Error(`nobody could sign in: ${await answer.text()}`);
};

const LOOK: Look = { theme: 'light', width: 1440 };

const show = async (page: Page, hash: string): Promise<void> => {
  await page.goto(`/${hash}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

export const startConsole = async (options: Omit<BatchApiOptions, 'redisUrl'> = {}): Promise<TestConsole> => {
  const redis = await testRedis();
  const service = await startBatchApi({ ...options, redisUrl: redis.url });
  const browser = await startChromium();
  const { url } = service.api;

  const openSignedOut: TestConsole['openSignedOut'] = async (hash, look = {}) => {
    const watched = await openPage(browser, url, { ...LOOK, ...look });
    await show(watched.page, hash);
    return watched;
  };
  const open: TestConsole['open'] = async (hash, look = {}) => {
    const watched = await openPage(browser, url, { ...LOOK, ...look });
    await signIn(watched.context);
    await show(watched.page, hash);
    return watched;
  };
  return {
    service,
    browser,
    openSignedOut,
    open,
    close: async () => {
      await browser.close();
      await service.close();
      await redis.stop();
    },
  };
};
