/**
 * Everyday tasks as their users do them, with clicks, filled fields and seconds. On the carriers' genuine tariffs if their files
 * are here, else on the sample tariff.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ABSENT, importGenuine } from '../acceptance/fixtures/genuine-tariff.ts';
import { hasChromium, type WatchedPage } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

const ORDERS = 5_000;
/** As in production. Other tests have small chunks. */
const DEFAULT_CHUNK_ROWS = 5_000;
/** One order in ten has a ZIP code that lost its zero. */
const EACH_LOST = 10;
const ZIPS = ['90001', '60601', '10001', '30301', '98101', '85001', '53202', '77001', '33101'];

/** Orders as Shopify exports them, with the weight that an app adds, after a spreadsheet has saved them. */
const shopifyOrders = async (): Promise<string> => {
  const sample = await readFile(join(import.meta.dirname, '../lists/columns/headers/shopify-orders.csv'), 'utf8');
  const header = (sample.split('\n')[0] ?? '').trim().split(',');
  const lines = Array.from({ length: ORDERS }, (_, at) => {
    const cells: Record<string, string> = {
      Name: `#${1_001 + at}`,
      'Lineitem quantity': '1',
      'Shipping Name': `Buyer ${at}`,
      'Shipping Street': `${at + 1} Main St`,
      'Shipping Country': 'US',
      'Shipping Zip': at % EACH_LOST === 0 ? '2139' : (ZIPS[at % ZIPS.length] ?? ''),
    };
    return [...header.map((name) => cells[name] ?? ''), String(1 + (at % 20))].join(',');
  });
  return [[...header, 'Weight (lb)'].join(','), ...lines, ''].join('\n');
};

/** Counts what a user does, and the time until the answer. */
const createCounter = () => {
  const began = performance.now();
  const count = { clicks: 0, fields: 0 };
  return {
    click: async (target: Locator): Promise<void> => {
      count.clicks += 1;
      await target.click();
    },
    fill: async (field: Locator, value: string): Promise<void> => {
      count.fields += 1;
      await field.fill(value);
    },
    /** Opening a menu and choosing are two clicks. */
    choose: async (menu: Locator, value: string): Promise<void> => {
      count.clicks += 2;
      await menu.selectOption(value);
    },
    /** The user's program for choosing files takes two clicks. */
    file: async (page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> => {
      count.clicks += 2;
      await page.setInputFiles('input[type=file]', file);
    },
    tell: (task: string): typeof count => {
      const seconds = ((performance.now() - began) / 1_000).toFixed(1);
      process.stdout.write(`task: ${task}: ${count.clicks} clicks, ${count.fields} fields, ${seconds} s\n`);
      return count;
    },
  };
};

describe.skipIf(!hasChromium)('an everyday task', { timeout: 300_000 }, () => {
  let console: TestConsole;
  let watched: WatchedPage;
  let page: Page;
  let folder: string;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tasks-'));
    const tariff = ABSENT.length === 0 ? { schedule: await importGenuine(join(folder, 'genuine')) } : {};
    console = await startConsole({ ...tariff, limits: { chunkRows: DEFAULT_CHUNK_ROWS } });
    stop = await console.service.work();
  }, 300_000);
  afterAll(async () => {
    await stop();
    await console.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    watched = await console.open('#/upload');
    ({ page } = watched);
    page.setDefaultTimeout(120_000);
  });
  afterEach(async () => {
    expect(watched.problems).toEqual([]);
    await watched.context.close();
  });

  test('5,000 Shopify orders become a corrected workbook, and a row says why it costs what it does', async () => {
    const list = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(await shopifyOrders()) };
    const user = createCounter();
    await user.file(page, list);
    await user.choose(page.getByLabel('Warehouse for all rows'), '101');
    await user.click(page.getByRole('button', { name: /^Quote all/ }));
    await user.click(page.getByRole('link', { name: 'Fix 500 problems' }));
    await user.click(page.getByRole('button', { name: 'Fix and quote again' }));
    await page.getByText('Completed, all quoted').waitFor();
    const coming = page.waitForEvent('download');
    await user.click(page.getByText('More', { exact: true }));
    await user.click(page.getByRole('link', { name: 'Download Excel' }));
    const file = await (await coming).path();
    expect(user.tell('5,000 Shopify orders to a mended workbook')).toEqual({ clicks: 9, fields: 0 });

    const { sheets } = await readXlsx(await readFile(file));
    const [summary, quotes, faults] = sheets.map(({ rows }) => rows);
    const figure = (name: string): unknown => summary?.find(([first]) => first === name)?.[1];
    expect([figure('Rows with a price'), figure('Rows without a price')]).toEqual([ORDERS, 0]);
    const charges = (quotes ?? []).slice(1).map((row) => Number(row[1]));
    expect(charges).toHaveLength(ORDERS);
    expect(charges.reduce((sum, charge) => sum + charge, 0)).toBeCloseTo(Number(figure('Total net charge')), 2);
    expect(faults).toHaveLength(1);

    const asking = createCounter();
    await asking.click(page.getByRole('link', { name: 'Rows', exact: true }));
    await asking.click(page.getByRole('button', { name: '2: open the receipt', exact: true }));
    const receipt = page.getByRole('dialog', { name: 'Row 2 of orders.csv' });
    await receipt.getByText('Total to pay').waitFor();
    await receipt.getByRole('heading', { name: 'Package 1' }).waitFor();
    expect(asking.tell('why a row costs what it does')).toEqual({ clicks: 2, fields: 0 });
  });

  test('125 missing weights are filled from rows with the same SKU', async () => {
    const rows = Array.from(
      { length: 2_000 },
      (_, at) => `S${at % 5},02139,${at % 16 === 0 ? '' : 2 + (at % 5)},LB,101`,
    );
    const text = ['SKU,postalCode,weight_value,weight_units,warehouse_id', ...rows, ''].join('\n');
    const user = createCounter();
    await user.file(page, { name: 'gaps.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await user.click(page.getByRole('button', { name: /^Quote all/ }));
    await user.click(page.getByRole('link', { name: 'Fix 125 problems' }));
    await user.click(page.getByText('Fill or replace cells of a column'));
    await user.choose(page.getByLabel('Get', { exact: true }), '0');
    await user.click(page.getByRole('button', { name: 'Fill the empty cells' }));
    await page.getByText('125 cells filled.').waitFor();
    await user.click(page.getByRole('button', { name: 'Quote them again' }));
    await page.getByText(/^completed, all quoted$/i).waitFor();
    expect(user.tell('125 missing weights filled')).toEqual({ clicks: 9, fields: 0 });
  });

  test('one month is compared with another', async () => {
    const listOf = (weight: number) =>
      `order,postalCode,lb\n${ZIPS.map((zip, at) => `A${at},${zip},${weight}\n`).join('')}`;
    for (const [name, weight] of [
      ['may.csv', 2],
      ['june.csv', 5],
    ] as const)
      await console.service.ended(
        await console.service.upload(
          listOf(weight),
          `?filename=${name}&warehouse_id=101&units=LB&columns=weight_value:lb`,
        ),
      );
    const user = createCounter();
    await user.click(page.getByRole('link', { name: 'Batches', exact: true }));
    await user.click(page.getByText('Compare two batches, such as two months'));
    await user.click(page.getByRole('button', { name: 'Compare', exact: true }));
    await page.getByRole('heading', { name: 'may.csv against june.csv' }).waitFor();
    await page.getByRole('heading', { name: 'Shipments in both lists', exact: true }).waitFor();
    expect(user.tell('May against June')).toEqual({ clicks: 3, fields: 0 });
  });

  test('a package from New Jersey to 90001 goes by the cheapest service', async () => {
    const user = createCounter();
    await user.click(page.getByRole('link', { name: 'Quote', exact: true }));
    await user.fill(page.getByLabel('To ZIP code'), '90001');
    await user.fill(page.getByLabel('Weight', { exact: true }), '5');
    await user.click(page.getByRole('button', { name: 'Get quote' }));
    await page.getByRole('article', { name: /^Receipt/ }).waitFor();
    expect(user.tell('New Jersey to 90001 by the cheapest')).toEqual({ clicks: 2, fields: 2 });
    const from = await page.getByLabel('From warehouse').inputValue();
    expect(from).toBe('101');
  });
});
