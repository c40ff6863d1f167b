/** A list with a row for each line of an order, from the upload to the rows of its output. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium, keepShot } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

const SHOPIFY = [
  'Name,Lineitem quantity,Lineitem name,Shipping Zip,Shipping Country,Lineitem weight (lb),warehouse_id',
  '#1001,2,Tee,02139,US,1.5,101',
  '#1001,1,Mug,,,0.25,',
  '#1002,1,Cap,60601,US,3,101',
  '#1003,1,Tee,90001,US,1,101',
  '#1003,2,Bag,,,,',
  '',
].join('\n');

const PLAIN = [
  'Order ID,postalCode,weight_value,weight_units,warehouse_id',
  '5,02139,1,LB,101',
  '5,02139,2.25,LB,101',
  '6,02139,1,LB,101',
  '',
].join('\n');

const choose = (page: Page, name: string, text: string) =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const figure = (page: Page, label: string) =>
  page.locator('.figure', { has: page.getByText(label, { exact: true }) }).locator('.figure-value');

describe.skipIf(!hasChromium)('lines of orders', { timeout: 120_000 }, () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.close());

  test('are one shipment in an export of a shop, and the user can turn it off', async () => {
    const { page, context } = await console.open('#/upload');
    await choose(page, 'shopify.csv', SHOPIFY);
    await page.getByText('5 rows belong to 3 orders: they are priced as 3 shipments').waitFor();
    await keepShot(page, 'orders-preview', { theme: 'light', width: 1280 });
    expect(await page.getByText('may be “Number of packages”').count()).toBe(0);
    await page.getByText('See row 1, of the same order').waitFor();
    await page.getByText('5 rows belong to 3 orders').click();
    expect(await page.getByLabel('The weight of a row counts').inputValue()).toBe('Lineitem quantity');
    await page.getByRole('button', { name: 'Price each row separately' }).click();
    await page.getByText('Each row is priced separately, even if').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('5 rows belong to 3 orders').waitFor();
    const stop = await console.service.work();
    await page.getByRole('button', { name: /^Quote (?:all|this)/ }).click();
    await page.waitForURL(/#\/batches\//);
    await page.getByText('in 5 rows').waitFor();
    expect(await figure(page, 'Shipments').textContent()).toBe('3');
    await page.getByText('for 2 shipments').waitFor();
    await page.getByText('33.3% of shipments').waitFor();
    await page.getByRole('link', { name: 'Rows', exact: true }).click();
    await page.getByRole('heading', { name: 'Rows and prices' }).waitFor();
    const lines = page.getByRole('button', { name: '1 more row of the order in row 1' });
    await lines.waitFor();
    expect(await page.getByText('See row 1', { exact: true }).count()).toBe(0);
    await lines.click();
    await page.getByText('See row 1', { exact: true }).waitFor();
    await keepShot(page, 'orders-batch', { theme: 'light', width: 1280 });
    await page.getByRole('button', { name: '1: open the receipt' }).click();
    await page.getByRole('dialog').getByText('$12.53').first().waitFor();
    await keepShot(page, 'orders-receipt', { theme: 'light', width: 1280 });
    await stop();
    await context.close();
  });

  test('are proposed in another list, and joined by one click', async () => {
    const { page, context } = await console.open('#/upload');
    await choose(page, 'plain.csv', PLAIN);
    await page.getByText('3 rows belong to 2 orders by “Order ID”').waitFor();
    await keepShot(page, 'orders-proposed', { theme: 'light', width: 1280 });
    await page.getByRole('button', { name: 'Price each order as one shipment' }).click();
    await page.getByText('3 rows belong to 2 orders: they are priced as 2 shipments').waitFor();
    await page.getByRole('button', { name: /^Quote (?:all|this)/ }).click();
    await page.waitForURL(/#\/batches\//);
    const { body } = await console.service.call('GET', '?limit=100');
    expect(body.batches[0].options).toEqual({ orders: 'Order ID' });
    await context.close();
  });
});
