import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listOf } from '../http/batch-api.ts';
import { axeViolations, hasChromium, keepShot, LOOKS, type WatchedPage } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

describe.skipIf(!hasChromium)('a session that ends', { timeout: 120_000 }, () => {
  let console: TestConsole;
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.close());
  beforeEach(async () => {
    watched = await console.open('#/upload');
    page = watched.page;
  });
  afterEach(async () => {
    expect(watched.problems).toEqual([]);
    await watched.context.close();
  });
  const dialog = () => page.getByRole('dialog', { name: 'Your session has ended' });
  const signInAgain = async (): Promise<void> => {
    await dialog().getByRole('button', { name: 'Sign in as demo' }).click();
    await dialog().waitFor({ state: 'detached' });
  };

  test('keeps corrected cells, and sends them after the user has signed in', async () => {
    const stop = await console.service.work();
    const id = await console.service.upload(`${listOf(2)}A3,101,02139,heavy,LB,,\n`, '?filename=mended.csv');
    await console.service.ended(id);
    await page.goto(`/#/batches/${id}?tab=problems`);
    await page.getByLabel('weight_value, row 3').fill('4');
    await watched.context.clearCookies();
    await page.getByRole('button', { name: /^Quote .* again$/ }).click();
    await dialog().waitFor();
    expect(await page.getByLabel('weight_value, row 3').inputValue()).toBe('4');
    await signInAgain();
    await page.getByText('Completed, all quoted').waitFor();
    await stop();
    const { text } = await console.service.file(`/${id}/output`);
    expect(text.split('\n')[3]).toMatch(/^A3,101,02139,4,LB,,,3,200,/);
  });

  test('keeps the chosen file and its options, and goes on with the preview and the upload', async () => {
    await page.setInputFiles('input[type=file]', csv('kept.csv', 'Order;Wt net;To\nA1;2.5;02139\n'));
    await page.getByLabel('Destination ZIP code (required)').selectOption('To');
    await page.getByLabel('Weight (required)', { exact: true }).selectOption('Wt net');
    await page.getByLabel('Unit of weight for all rows').selectOption('KG');
    await watched.context.clearCookies();
    await page.getByLabel('Warehouse for all rows').selectOption('102');
    await signInAgain();
    const run = page.getByRole('button', { name: 'Quote this row' });
    await run.waitFor();
    await watched.context.clearCookies();
    await run.click();
    await signInAgain();
    await page.getByRole('heading', { level: 1, name: 'kept.csv' }).waitFor();
    const { batches } = (await console.service.call('GET', '?limit=5')).body;
    expect(batches.filter(({ filename }: { filename: string }) => filename === 'kept.csv')).toEqual([
      expect.objectContaining({
        options: { columns: 'postalCode:To,weight_value:Wt net', warehouse_id: '102', units: 'KG' },
      }),
    ]);
  });

  test.each(LOOKS)('asks in a dialog that looks right in $theme at $width px', async (look) => {
    const other = await console.open('#/quote', look);
    await other.context.clearCookies();
    await other.page.evaluate("location.hash = '#/batches'");
    await other.page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    expect(await axeViolations(other.page)).toEqual([]);
    await keepShot(other.page, 'session-ended', look);
    await other.context.close();
  });
});
