/** `/docs` in a real browser, in each theme and width: what it shows and does, and that it calls no other host. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi } from '../http/api.ts';
import { DOCUMENT } from '../http/conformance.ts';
import {
  axeViolations,
  hasChromium,
  keepShot,
  type Look,
  openPage,
  sidewaysScroll,
  startChromium,
  TABLE_LOOKS,
  type WatchedPage,
} from './chromium.ts';

const [NARROW, , WIDE] = TABLE_LOOKS;

describe.skipIf(!hasChromium)('/docs', () => {
  let api: Awaited<ReturnType<typeof startApi>>;
  let browser: Browser;
  beforeAll(async () => {
    api = await startApi();
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser.close();
    await api.close();
  });

  const open = async (look: Look, anchor = ''): Promise<WatchedPage> => {
    const watched = await openPage(browser, api.url, look);
    // Violations that scripts catch are not in the browser's log. This event reports them.
    await watched.page.addInitScript(
      'window.violations = []; addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective + " " + event.blockedURI));',
    );
    await watched.page.goto(`/docs${anchor}`);
    await watched.page.waitForLoadState('networkidle');
    return watched;
  };

  test.each(TABLE_LOOKS)('looks right in the $theme theme, $width pixels wide', { timeout: 180_000 }, async (look) => {
    const { page, context, problems } = await open(look);
    const background = await page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');
    expect(background).toBe(look.theme === 'dark' ? 'rgb(20, 22, 21)' : 'rgb(250, 249, 246)');
    const items = Object.values<object>({ ...DOCUMENT.paths, ...DOCUMENT.webhooks });
    expect(await page.locator('.method').count()).toBe(items.flatMap((item) => Object.keys(item)).length);
    await keepShot(page, 'docs', look);
    expect(await axeViolations(page)).toEqual([]);
    // What is closed at first must fit too.
    await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
    expect(await sidewaysScroll(page)).toBe(0);
    expect([...problems, ...(await page.evaluate<string[]>('violations'))]).toEqual([]);
    await context.close();
  });

  test('shows the program of one language, copies it whole, and remembers the choice', async () => {
    const { page, context, problems } = await open(WIDE);
    const start = page.locator('#quick-start');
    expect(await start.locator('pre:visible').count()).toBe(5);
    await page.getByRole('radio', { name: 'Python' }).check();
    expect(await start.locator('pre:visible').count()).toBe(5);
    await page.getByRole('button', { name: 'Copy all five steps' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const program = await page.evaluate<string>('navigator.clipboard.readText()');
    // The program calls the service that the page comes from.
    expect(program).toContain(`URL = "${api.url}"`);
    expect(program).toMatch(/^import csv\n[\s\S]+fault_type"\]\)\n# → A1[\s\S]+\n$/);
    await page.getByRole('button', { name: 'Copy: Ask for a quote, Python' }).click();
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toMatch(/^rates = \{\n/);
    await page.reload();
    expect(await page.getByRole('radio', { name: 'Python' }).isChecked()).toBe(true);
    expect(problems).toEqual([]);
    await context.close();
  });

  test('has the theme that is chosen, also on the pages of the console', async () => {
    const { page, context, problems } = await open(WIDE);
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    await page.getByRole('button', { name: 'Switch to the light theme' }).waitFor();
    await page.reload();
    const background = 'getComputedStyle(document.documentElement).backgroundColor';
    expect(await page.evaluate<string>(background)).toBe('rgb(20, 22, 21)');
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('button', { name: 'Switch to the light theme' }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test('a link from an operation leads to its fault, and the contents follow', async () => {
    const { page, context, problems } = await open(WIDE, '#getShippingRates');
    const current = page.locator('#contents [aria-current]');
    await expect.poll(() => current.textContent()).toBe('Get shipping rates');
    await page.locator('#getShippingRates').getByRole('link', { name: 'getRates.noTariff' }).click();
    await expect.poll(() => current.textContent()).toBe('Faults');
    const box = await page.getByRole('heading', { name: 'getRates.noTariff' }).boundingBox();
    expect(box?.y).toBeGreaterThan(52);
    expect(box?.y).toBeLessThan(300);
    expect(problems).toEqual([]);
    await context.close();
  });

  test('has its contents behind a button where there is no room for them', async () => {
    const { page, context, problems } = await open(NARROW);
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Contents' }).click();
    await contents.getByRole('link', { name: 'Cancel a batch' }).click();
    expect(await contents.isVisible()).toBe(false);
    expect(new URL(page.url()).hash).toBe('#cancelBatch');
    expect(problems).toEqual([]);
    await context.close();
  });

  test('shows all programs without scripts', async () => {
    const context = await browser.newContext({ baseURL: api.url, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto('/docs');
    expect(await page.locator('#quick-start pre:visible').count()).toBe(5);
    await page.getByRole('radio', { name: 'TypeScript' }).check();
    expect(await page.locator('#start-quote pre:visible').textContent()).toContain('interface Quote');
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
    await context.close();
  });
});
