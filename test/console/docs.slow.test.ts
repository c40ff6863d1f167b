/** `/docs` in a real browser: what it shows, and that it calls no other host. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../http/api.ts';
import { DOCUMENT } from '../http/conformance.ts';
import { hasChromium, keepShot, openPage, startChromium } from './chromium.ts';
import { builtConsole } from './console.ts';

const LOOK = { theme: 'light', width: 1440 } as const;

describe.skipIf(!hasChromium)('/docs', () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  let browser: Browser;
  beforeAll(async () => {
    api = await startApi({ consoleDir: builtConsole() });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  test('shows every operation, within its policy and without another host', async () => {
    const { page, context, problems } = await openPage(browser, api.url, LOOK);
    const asked: string[] = [];
    // Violations that scripts catch are not in the browser's log. This event reports them.
    await page.addInitScript(
      'window.violations = []; addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective + " " + event.blockedURI));',
    );
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto('/docs');
    await page.locator('.opblock').first().waitFor();
    const items = Object.values<object>({ ...DOCUMENT.paths, ...DOCUMENT.webhooks });
    const operations = items.flatMap((item) => Object.keys(item));
    expect(await page.locator('.opblock').count()).toBe(operations.length);
    await page.locator('.opblock', { hasText: '/v1/client/shipment/rates' }).first().click();
    await page.locator('.opblock.is-open .opblock-body .responses-table').first().waitFor();
    await page.waitForLoadState('networkidle');
    await keepShot(page, 'docs', LOOK);
    expect(asked).toContain('/openapi.json');
    expect([...problems, ...(await page.evaluate<string[]>('violations'))]).toEqual([]);
    await context.close();
  });
});
