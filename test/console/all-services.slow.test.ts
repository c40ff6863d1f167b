/** The page of a list with all services begins with what it costs by each. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { HEADER, listOf } from '../http/batch-api.ts';
import { axeViolations, hasChromium, keepShot, LOOKS, sidewaysScroll, type WatchedPage } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

describe.skipIf(!hasChromium)('a list with all services', { timeout: 120_000 }, () => {
  let console: TestConsole;
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    console = await startConsole({ limits: { chunkRows: 200 } });
    watched = await console.open('#/batches');
    page = watched.page;
  });
  afterEach(() => expect(watched.problems).toEqual([]));
  afterAll(() => console.close());

  const finished = async (list: string, query: string): Promise<string> => {
    const stop = await console.service.work();
    const id = await console.service.upload(list, `?filename=list.csv${query}`);
    await console.service.ended(id);
    await stop();
    return id;
  };
  const show = async (id: string): Promise<void> => {
    await page.goto(`/#/batches/${id}`);
    await page.getByRole('heading', { name: 'list.csv' }).waitFor();
    await page.getByText('Total net charge').waitFor();
  };
  const section = () => page.getByRole('region', { name: 'All services compared' });

  test('begins with the sentence, and the table has the same sums', async () => {
    const id = await finished(await readFile('samples/shipments.csv', 'utf8'), '&services=all');
    await show(id);
    await section().getByText('If all 970 shipments go by Carrier 1 Ground').waitFor();
    expect(await section().getByRole('paragraph').allTextContents()).toEqual([
      'The cheapest service for each shipment saves $14,830.61 (24.9%): $44,847.94 instead of $59,678.55 as in the list.',
      'If all 970 shipments go by Carrier 1 Ground, they cost $44,866.03.',
      'Each difference is for the same shipments. It compares a service with the one that the row names, or with the cheapest if the row names none.',
      '30 shipments with a problem are not in these totals.',
    ]);
    const rows = section().getByRole('row');
    // Without the labels that cells have on phones.
    const textsOf = (row: Locator) => row.locator('th, .cell-value').allTextContents();
    expect(await Promise.all((await rows.all()).map(textsOf))).toEqual([
      ['Service', 'Total', 'Difference', 'Shipments', 'Not served'],
      ['As in the list', '$59,678.55', '–', '970', '0'],
      ['Cheapest for each shipment', '$44,847.94', '−$14,830.61', '970', '0'],
      ['Carrier 1 Ground', '$44,866.03', '−$14,812.52', '970', '0'],
      ['Carrier 1 Express', '$148,192.31', '+$88,513.76', '970', '0'],
      ['Carrier 2 Ground', '$27,547.51for 586 of 970', '−$8,708.69', '586', '384'],
    ]);
    for (const look of LOOKS) {
      await page.setViewportSize({ width: look.width, height: 900 });
      await page.emulateMedia({ colorScheme: look.theme });
      expect([await axeViolations(page), await sidewaysScroll(page)]).toEqual([[], 0]);
      await keepShot(page, 'all-services', look);
    }
    // On a phone, the money is in sight.
    await page.setViewportSize({ width: 390, height: 900 });
    const edgeOf = (text: string) =>
      section()
        .getByText(text, { exact: true })
        .boundingBox()
        .then((box) => (box === null ? Number.NaN : box.x + box.width));
    expect(await edgeOf('+$88,513.76')).toBeLessThan(374);
    await keepShot(page, 'all-services', { theme: 'dark', width: 390 });
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  test('says that a service takes some of the shipments, and that nobody saves anything', async () => {
    const streetless = 'A1,101,02139,2,LB,C1-GROUND,';
    const id = await finished(
      `${HEADER}\n${streetless}\n${streetless.replace('A1', 'A2')}1 Main St\n`,
      '&services=all',
    );
    await show(id);
    await section().getByText('If all 2 shipments go by Carrier 1 Ground, they cost').waitFor();
    await section().getByText(', the same as in the list.').waitFor();
    await section().getByText('for 1 of 2').waitFor();
    expect(await section().getByText('in none of these totals').count()).toBe(0);
  });

  test('shows the list and its cheapest services first, and all of them on demand', async () => {
    const id = await finished(listOf(3), '&services=all');
    await page.route(`**/${id}/summary`, async (route) => {
      const body = await (await route.fetch()).json();
      const [first] = body.allServices.services;
      for (let at = 1; at <= 12; at++) body.allServices.services.push({ ...first, shippingService: `MORE-${at}` });
      await route.fulfill({ json: body });
    });
    await show(id);
    await section()
      .getByRole('button', { name: /^Show all 1\d$/ })
      .waitFor();
    expect(await section().locator('tbody tr').count()).toBe(5);
    await section()
      .getByRole('button', { name: /^Show all/ })
      .click();
    await section().getByText('MORE-12').waitFor();
    expect(await section().getByRole('button', { name: /^Show/ }).count()).toBe(0);
  });

  test('says why there is nothing to compare', async () => {
    const id = await finished(`${HEADER}\nA1,101,0213,2,LB,,\n`, '&services=all');
    await show(id);
    await section().getByText('No row has a quote, so there is nothing to compare.').waitFor();
  });

  test('says which prices are incomplete', async () => {
    const id = await finished(listOf(3), '&services=all');
    await page.route(`**/${id}/summary`, async (route) => {
      const body = await (await route.fetch()).json();
      Object.assign(body.allServices, { incompleteCheapest: 2 });
      Object.assign(body.allServices.services[0], { incomplete: 1 });
      await route.fulfill({ json: body });
    });
    await show(id);
    const text = 'and the carrier will bill more: 1 by Carrier 1 Ground and 2 by the cheapest service.';
    await section().getByText(text).waitFor();
    await section()
      .getByRole('row', { name: /^Cheapest for each shipment at least .*2 incomplete/ })
      .waitFor();
    await section()
      .getByRole('row', { name: /^Carrier 1 Ground at least .*1 incomplete/ })
      .waitFor();
    expect(
      await section()
        .getByText(/\d incomplete/)
        .count(),
    ).toBe(2);
    await page.unroute(`**/${id}/summary`);
  });

  test('is not there for other lists', async () => {
    await show(await finished(listOf(3), ''));
    expect(await section().count()).toBe(0);
  });
});
