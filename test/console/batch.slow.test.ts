import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deliveries } from '../../src/base/webhook/deliveries.ts';
import { listOf } from '../http/batch-api.ts';
import { axeViolations, hasChromium, keepShot, LOOKS, sidewaysScroll, type WatchedPage } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

/** 40 rows; the last three have faults of two kinds. */
const MIXED = `${listOf(37)}A38,101,02139,heavy,LB,,\nA39,101,1234,3,LB,,\nA40,101,02139,3,LB,C9-NONE,\n`;

describe.skipIf(!hasChromium)('the page of a batch', { timeout: 120_000 }, () => {
  let console: TestConsole;
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.close());
  beforeEach(async () => {
    watched = await console.open('#/batches');
    page = watched.page;
  });
  afterEach(async () => {
    // Some tests break connections, which Chromium logs.
    expect(watched.problems.filter((problem) => !problem.endsWith('net::ERR_FAILED'))).toEqual([]);
    await watched.context.close();
  });

  /** @param part the tab; absent: the first one */
  const show = (id: string, part?: 'problems' | 'rows') =>
    page.goto(`/#/batches/${id}${part === undefined ? '' : `?tab=${part}`}`);
  const finished = async (list: string, filename = 'list.csv'): Promise<string> => {
    const stop = await console.service.work();
    const id = await console.service.upload(list, `?filename=${filename}`);
    await console.service.ended(id);
    await stop();
    return id;
  };
  const figure = (label: string) =>
    page.locator('.figure', { has: page.getByText(label, { exact: true }) }).locator('.figure-value');

  test('shows each change until the end, also after a reload', async () => {
    const id = await console.service.upload(listOf(30), '?filename=waiting.csv');
    await show(id);
    await page.getByRole('heading', { name: '0 of 30 rows' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '0 of 30 rows' }).waitFor();
    const stop = await console.service.work();
    await page.getByText('Completed, all quoted').waitFor();
    await stop();
    expect(await figure('Shipments').textContent()).toBe('30');
    expect(await page.title()).toBe('waiting.csv · Shipping rates');
  });

  test('says whether the client’s webhook was notified, and looks again after a failure', async () => {
    const id = await finished(listOf(30));
    const at = new Date().toISOString();
    const attempt = (outcome: 'delivered' | 'failed', problem: string | null) => ({
      ...{
        id: `${id}-r1-completed`,
        event: 'batch.completed',
        batchId: id,
        revision: 1,
        attempt: 1,
        at,
        outcome,
        problem,
      },
      ...{ url: 'https://example.com/hook', status: null, body: '', ms: 5 },
      nextAttemptAt: problem === null ? null : at,
    });
    const { redis } = console.service;
    await deliveries.note(redis, 'demo', attempt('failed', 'the response status was 503'));
    await show(id);
    await page.getByText(/Your webhook could not be notified on .*: the response status was 503\. The next/).waitFor();
    await keepShot(page, 'batch-webhook', { theme: 'light', width: 1440 });
    await deliveries.note(redis, 'demo', attempt('delivered', null));
    await page.getByText(/^Your webhook was notified on /).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('reports a lost connection, and continues when it returns', async () => {
    const id = await console.service.upload(listOf(30));
    const { body: batch } = await console.service.call('GET', `/${id}`);
    let heard = 0;
    await page.route(`**/batches/${id}*`, (route) => route.abort());
    await page.route('**/events', (route) => {
      heard += 1;
      const body = `id: 1\nevent: batch\ndata: ${JSON.stringify(batch)}\n\n`;
      return heard === 1 ? route.fulfill({ contentType: 'text/event-stream', body }) : route.abort();
    });
    await show(id);
    await page.getByText('Connection lost. Trying again.').waitFor();
    expect(await page.getByRole('heading', { name: '0 of 30 rows' }).isVisible()).toBe(true);
    await page.unrouteAll();
    await page.getByText('Connection lost. Trying again.').waitFor({ state: 'hidden' });
    const stop = await console.service.work();
    await page.getByText('Completed, all quoted').waitFor();
    await stop();
  });

  test('polls the batch if the event stream is refused', async () => {
    const id = await console.service.upload(listOf(30));
    await page.route('**/events', (route) => route.fulfill({ status: 503, body: '' }));
    await show(id);
    await page.getByRole('heading', { name: '0 of 30 rows' }).waitFor();
    const stop = await console.service.work();
    await page.getByText('Completed, all quoted').waitFor();
    await stop();
  });

  test('says that updates have stopped until they resume', async () => {
    const id = await console.service.upload(listOf(30));
    const { body: batch } = await console.service.call('GET', `/${id}`);
    const body = `id: 1\nevent: batch\ndata: ${JSON.stringify(batch)}\n\n`;
    const isAway = async (): Promise<void> => {
      await page.route('**/events', (route) => route.fulfill({ status: 404, body: '' }));
      await page.route(`**/batches/${id}`, (route) => route.fulfill({ status: 404, json: {} }), { times: 1 });
    };
    const gone = page.getByText('Updates have stopped');
    await isAway();
    await page.route('**/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }), { times: 1 });
    await show(id);
    await gone.waitFor();
    expect(await page.getByText('Connection lost').count()).toBe(0);
    expect(await page.getByRole('heading', { name: '0 of 30 rows' }).isVisible()).toBe(true);
    await page.unroute('**/events');
    await page.getByRole('button', { name: 'Try again' }).click();
    await gone.waitFor({ state: 'detached' });

    // The old page must not take the only answer.
    const address = page.url();
    await page.goto('about:blank');
    await isAway();
    await page.goto(address);
    await page.getByText('Batch not found').waitFor();
    await page.unroute('**/events');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: '0 of 30 rows' }).waitFor();
    expect(await gone.count()).toBe(0);
  });

  test('removes that message when a call returns the batch', async () => {
    const id = await console.service.upload(listOf(30));
    const { body: batch } = await console.service.call('GET', `/${id}`);
    const body = `id: 1\nevent: batch\ndata: ${JSON.stringify(batch)}\n\n`;
    await page.route('**/events', (route) => route.fulfill({ status: 404, body: '' }));
    await page.route('**/events', (route) => route.fulfill({ contentType: 'text/event-stream', body }), { times: 1 });
    await page.route(`**/batches/${id}`, (route) => route.fulfill({ status: 404, json: {} }), { times: 1 });
    await show(id);
    const gone = page.getByText('Updates have stopped');
    await gone.waitFor();
    await page.getByRole('button', { name: 'Cancel the batch' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the batch' }).click();
    await gone.waitFor({ state: 'detached' });
    await page.unroute('**/events');
    const stop = await console.service.work();
    await page.getByText('The batch was cancelled').waitFor();
    await stop();
    expect(await gone.count()).toBe(0);
  });

  test('shows results as charts with numbers, and as files', async () => {
    const id = await finished(MIXED);
    await show(id);
    await page.getByText('Completed with problems').waitFor();
    const { body: summary } = await console.service.call('GET', `/${id}/summary`);
    const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
    await page.getByText('All 37 priced shipments go by Carrier 1 Ground. All go to zone 3.').waitFor();
    const weights = page.getByRole('table', { name: 'Shipments by billing weight' });
    expect(await weights.textContent()).toContain(dollars.format(summary.byBillingWeight[0].totalNetCharge));
    expect(await figure('Total net charge').textContent()).toBe(dollars.format(summary.totalNetCharge));
    const others = page.getByText('More', { exact: true });
    for (const [name, below] of [
      ['Download CSV', 'output'],
      ['Rows with a problem, CSV', 'faults'],
    ] as const) {
      const coming = page.waitForEvent('download');
      if (below === 'faults') await others.click();
      await page.getByRole('link', { name }).click();
      const download = await coming;
      expect(await readFile(await download.path(), 'utf8')).toBe((await console.service.file(`/${id}/${below}`)).text);
    }
    const coming = page.waitForEvent('download');
    await others.click();
    await page.getByRole('link', { name: 'Download Excel' }).click();
    expect((await coming).suggestedFilename()).toBe('list-output.xlsx');
    const last = page.waitForEvent('download');
    await others.click();
    await page.getByRole('link', { name: 'Download Parquet' }).click();
    expect((await last).suggestedFilename()).toBe('list-output.parquet');
  });

  test('shows millions of dollars whole in a narrow window', async () => {
    const id = await finished(MIXED);
    const { body: summary } = await console.service.call('GET', `/${id}/summary`);
    const [first] = summary.byService;
    const byService = ['C1-GROUND', 'C2-GROUND'].map((shippingService) => ({
      ...first,
      ...{ shippingService, totalNetCharge: 3_795_379.5, shipments: 96_900 },
    }));
    const { page: own, context } = await console.open('#/batches', { width: 360 });
    await own.route('**/summary', (route) =>
      route.fulfill({ json: { ...summary, totalNetCharge: 87_666_839, byService } }),
    );
    await own.goto(`/#/batches/${id}`);
    await own.getByRole('cell', { name: '96,900', exact: true }).first().waitFor();
    expect(await own.locator('.figure-value').first().textContent()).toBe('$87,666,839.00');
    expect(await sidewaysScroll(own)).toBe(0);
    const ends = await own.evaluate<number[]>(
      "[...document.querySelectorAll('.figure')].map((own) => own.scrollWidth - own.clientWidth)",
    );
    expect(ends).toEqual([0, 0, 0, 0]);
    await context.close();
  });

  test('offers a workbook first to those who sent one, and totals before the notes on columns', async () => {
    const id = await finished(`${MIXED.replace('\n', ',Qty\n').replaceAll(',,\n', ',,,\n')}`, 'list.csv');
    await show(id);
    await page.getByText('Completed with problems').waitFor();
    const main = page.getByRole('region', { name: 'Downloads' }).getByRole('link').first();
    expect(await main.textContent()).toBe('Download CSV');
    const { body: batch } = await console.service.call('GET', `/${id}`);
    const order = await page.getByText(/^(?:\d notes? about the columns|Total net charge)$/).allTextContents();
    expect(order).toEqual(['Total net charge', expect.stringMatching('about the columns')]);
    const event = `id: 1\nevent: batch\ndata: ${JSON.stringify({ ...batch, filename: 'list.XLSX' })}\n\n`;
    await page.route('**/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: event }));
    await page.reload();
    await page.getByRole('heading', { name: 'list.XLSX' }).waitFor();
    expect(await main.textContent()).toBe('Download Excel');
    await page.unroute('**/events');
    const columns = event.replace('list.XLSX', 'list.parquet');
    await page.route('**/events', (route) => route.fulfill({ contentType: 'text/event-stream', body: columns }));
    await page.reload();
    await page.getByRole('heading', { name: 'list.parquet' }).waitFor();
    expect(await main.textContent()).toBe('Download Parquet');
  });

  test('shows the reason of a row without a price on a phone', async () => {
    const id = await finished(MIXED);
    const { page: own, context } = await console.open(`#/batches/${id}?tab=rows`, { width: 390 });
    const region = own.locator('section', { has: own.getByRole('heading', { name: 'Rows and prices' }) });
    await region.getByRole('radio', { name: 'Problems' }).check();
    const reason = region.getByText('Weight must be a number. See column “weight_value”.');
    await reason.waitFor();
    const box = await reason.boundingBox();
    expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThan(374);
    expect(await sidewaysScroll(own)).toBe(0);
    await context.close();
  });

  test('a long reason does not widen the column of prices', async () => {
    const { page: own, context } = await console.open(`#/batches/${await finished(MIXED)}?tab=rows`);
    await own.getByRole('button', { name: 'Next' }).click();
    await own.getByText('Weight must be a number. See column “weight_value”.').waitFor();
    const header = await own.getByRole('columnheader', { name: 'Net charge' }).boundingBox();
    expect(header?.width).toBeLessThan(160);
    await context.close();
  });

  test('keeps the cells of a row folded on a phone until they are asked for', async () => {
    const id = await finished(`${listOf(1)}A2,101,02139,3,LB,C2-GROUND,\n`, 'street.csv');
    const { page: own, context } = await console.open(`#/batches/${id}?tab=problems`, { width: 390 });
    await own.getByText('The shipping service C2-GROUND needs the street address.').waitFor();
    const service = own.getByLabel('shippingService, row 2');
    expect(await service.isVisible()).toBe(false);
    await own.getByRole('button', { name: 'All cells of row 2' }).click();
    expect(await service.inputValue()).toBe('C2-GROUND');
    expect(await service.isVisible()).toBe(true);
    await context.close();
  });

  test('says that the service does not answer, what is safe, and continues by itself', async () => {
    await show(await console.service.upload(listOf(30)));
    await page.getByRole('heading', { name: '0 of 30 rows' }).waitFor();
    const notice = page.getByText('Nothing is lost: batches keep running, and this page keeps what you typed.');
    // It takes connections and never answers.
    const silent = (): void => undefined;
    await page.route('**/livez', silent);
    await page.route('**/batches?*', silent);
    await notice.waitFor();
    await page.unroute('**/livez');
    await notice.waitFor({ state: 'detached' });
    // It refuses connections.
    await page.route('**/livez', (route) => route.abort());
    await page.route('**/batches?*', (route) => route.abort());
    await page.goto('/#/batches');
    await notice.waitFor();
    await page.unroute('**/batches?*');
    await page.unroute('**/livez');
    await page.getByRole('table').first().waitFor();
    await notice.waitFor({ state: 'detached' });
  });

  test('shows its rows in pages, by outcome', async () => {
    await show(await finished(MIXED), 'rows');
    const region = page.locator('section', { has: page.getByRole('heading', { name: 'Rows and prices' }) });
    await region.getByText('Rows 1–25 of 40').waitFor();
    await region.getByRole('button', { name: 'Next' }).click();
    await region.getByText('Rows 26–40 of 40').waitFor();
    expect(await region.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);
    await region.getByRole('radio', { name: 'Problems' }).check();
    await region.getByText('Rows 1–3 of 3').waitFor();
    expect(await region.getByRole('rowheader').allTextContents()).toEqual(['38', '39', '40']);
    expect(await region.getByRole('button', { name: 'Previous' }).isDisabled()).toBe(true);
  });

  test('shows the rows behind a bar, and those with a text', async () => {
    const id = await finished(MIXED);
    const { body: summary } = await console.service.call('GET', `/${id}/summary`);
    await show(id, 'rows');
    const region = page.locator('section', { has: page.getByRole('heading', { name: 'Rows and prices' }) });
    await region.getByText('Rows 1–25 of 40').waitFor();
    await region.getByRole('button', { name: 'Next' }).click();
    await region.getByText('Rows 26–40 of 40').waitFor();
    const part = (name: string) =>
      page.getByRole('navigation', { name: 'Parts of the batch' }).getByRole('link', { name });
    await part('Summary').click();
    const [band] = summary.byBillingWeight;
    await page.getByRole('button', { name: /^2 lb ?: show its rows/ }).press('Enter');
    await region.getByText(`Rows 1–${Math.min(25, band.shipments)} of ${band.shipments}`).waitFor();
    expect(await region.getByLabel('Billing weight').inputValue()).toBe('2');
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('rows');
    expect(await part('Rows').getAttribute('aria-current')).toBe('true');
    await page.evaluate('history.back()');
    await page.getByRole('button', { name: /^2 lb ?: show its rows/ }).waitFor();
    await part('Rows').click();
    await region.getByRole('button', { name: 'Clear' }).click();
    // Two texts that are typed at once both count.
    const search = region.getByLabel('Search your columns');
    await search.fill('a3');
    await region.getByLabel('Carrier’s zone').fill('99');
    await region.getByText('No rows match').waitFor();
    await expect.poll(() => search.inputValue()).toBe('a3');
    await region.getByRole('button', { name: 'Clear' }).click();
    await region.getByText('Rows 1–25 of 40').waitFor();
    expect(await search.inputValue()).toBe('');
    await search.fill('a3');
    await region.getByText('Rows 1–11').waitFor();
    expect(await region.getByRole('rowheader').count()).toBe(11);
    await region.getByRole('radio', { name: 'Problems' }).check();
    await region.getByLabel('Problem', { exact: true }).selectOption('Shipping service not available');
    await region.getByText('No rows match').waitFor();
    await region.getByRole('button', { name: 'Clear' }).click();
    await region.getByText('Rows 1–3 of 3').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('sorts its rows, names faults in plain words, and estimates what they cost', async () => {
    const id = await finished(MIXED);
    const { body: summary } = await console.service.call('GET', `/${id}/summary`);
    const estimate = Math.round((3 * summary.totalNetCharge) / 37).toLocaleString('en-US');
    await show(id);
    await page.getByText(`They are not in the total. Estimated cost: $${estimate}`).waitFor();
    await page.getByRole('link', { name: 'Fix 3 problems' }).click();
    const problems = page.getByRole('region', { name: '3 shipments with a problem' });
    await problems.getByText(`Not in the total. Estimated cost: $${estimate}`).waitFor();
    await page.getByRole('link', { name: 'Rows', exact: true }).click();
    const region = page.locator('section', { has: page.getByRole('heading', { name: 'Rows and prices' }) });
    await region.getByText('Rows 1–25 of 40').waitFor();
    await region.getByLabel('Sort by').selectOption('Highest charge first');
    const charges = async (): Promise<string[]> => region.locator('tbody tr td:nth-child(3)').allTextContents();
    const numberOf = (text: string | undefined): number => Number(text?.replace('$', ''));
    await expect
      .poll(async () => {
        const shown = (await charges()).map(numberOf);
        return shown.every((charge, at) => charge <= (shown[at - 1] ?? charge));
      })
      .toBe(true);
    const first = (await charges()).map(numberOf);
    await region.getByRole('button', { name: 'Next' }).click();
    await region.getByText('Rows 26–40 of 40').waitFor();
    const rest = await charges();
    expect(rest.slice(-3)).toEqual([
      'Weight must be a number. See column “weight_value”.',
      expect.stringContaining('1234 looks like 01234'),
      expect.stringContaining('C9-NONE'),
    ]);
    expect(numberOf(rest[0])).toBeLessThanOrEqual(first.at(-1) ?? 0);
    await region.getByRole('radio', { name: 'Problems' }).check();
    await region.getByText('1234 looks like 01234 without its leading zero.').waitFor();
    expect(await region.getByRole('columnheader').allTextContents()).not.toContain('fault_arguments');
    expect(await region.textContent()).not.toMatch(/\?repair=|rates\.|getRates|quote_/);
    expect(await axeViolations(page)).toEqual([]);
  });

  test('offers no repair of a list that was uploaded with all repairs, whatever is left', async () => {
    const stop = await console.service.work();
    const list = `${listOf(1)}A2,101,7001,3,LB,,\nA3,101,1234,3,LB,,\n`;
    const id = await console.service.upload(list, '?filename=zeros.csv&repair=all');
    await console.service.ended(id);
    await stop();
    await show(id, 'problems');
    await page.getByText('1234 looks like 01234 without its leading zero.').first().waitFor();
    await page.getByRole('link', { name: 'Rows', exact: true }).click();
    const read = page.getByRole('cell', { name: 'Destination ZIP code 7001 read as 07001' });
    await read.waitFor();
    const headers = await page.getByRole('columnheader').allTextContents();
    expect(headers).toContain('Zone');
    // It would repeat the zone.
    expect(headers).not.toContain('Carrier’s zone');
    await page.setViewportSize({ width: 390, height: 740 });
    await read.waitFor();
    expect(await page.getByRole('cell', { name: 'LB', exact: true }).count()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await page.locator('main').textContent()).not.toMatch(/can be fixed automatically|can repair|repair=/i);
  });

  test('opens the receipt of a row in a dialog, though the list was not explained', async () => {
    const id = await finished(MIXED);
    await show(id, 'rows');
    await page.getByRole('button', { name: '2: open the receipt', exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Row 2 of list.csv' });
    await dialog.getByText('Total to pay').waitFor();
    await dialog.getByRole('heading', { name: 'Package 1' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: '38: open the receipt', exact: true }).count()).toBe(0);
  });

  test('lists faults by kind with advice, and lets users correct rows in place', async () => {
    const id = await finished(MIXED, 'mend.csv');
    await show(id, 'problems');
    await page.getByRole('heading', { name: '3 shipments with a problem' }).waitFor();
    await page.getByRole('list', { name: 'In column “weight_value”' }).getByText('heavy row 38').waitFor();
    const weight = page.getByLabel('weight_value, row 38');
    await weight.waitFor();
    expect(await weight.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('postalCode, row 38').getAttribute('aria-invalid')).toBe('false');
    expect(await page.locator('.fault-title').allTextContents()).toEqual([
      '1 Weight not valid',
      '1 Destination ZIP code not valid',
      '1 Shipping service not available',
    ]);
    await weight.fill('4');
    await page.getByRole('button', { name: /Show the rows.*Destination ZIP/ }).click();
    await page.getByLabel('postalCode, row 39').fill('01234');
    await page.getByText('2 rows corrected, with 2 kinds of problem, not sent yet.').waitFor();
    const stop = await console.service.work();
    await page.getByRole('button', { name: 'Quote them again' }).click();
    await page.getByText('Revision 2').waitFor();
    await page.getByRole('heading', { name: '1 shipment with a problem' }).waitFor();
    await console.service.until(id, ({ revision, status }) => revision === 2 && status === 'completed');
    await stop();
    const { text } = await console.service.file(`/${id}/output`);
    expect(text.split('\n')[38]).toMatch(/^A38,101,02139,4,LB,,,38,200,/);
    expect(text.split('\n')[39]).toMatch(/^A39,101,01234,3,LB,,,39,200,/);
    await expect
      .poll(() => page.locator('.fault-title').allTextContents())
      .toEqual(['1 Shipping service not available']);
  });

  test('fixes with one button all rows that a repair can price', async () => {
    const id = await finished(`${MIXED}A41,101,2139,3,LB,,\nA42,101,2139,3,LB,,\n`, 'zeros.csv');
    await show(id, 'problems');
    await page.getByRole('heading', { name: /^[23] rows can be fixed automatically$/ }).waitFor();
    await page.getByText(/for example row (39|41), /).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const stop = await console.service.work();
    await page.getByRole('button', { name: 'Fix and quote again' }).click();
    await page.getByText('Revision 2').waitFor();
    await page.getByRole('heading', { name: /^[23] shipments with a problem$/ }).waitFor();
    await console.service.until(id, ({ revision, status }) => revision === 2 && status === 'completed');
    await stop();
    const { text } = await console.service.file(`/${id}/output`);
    expect(text.split('\n')[41]).toMatch(/^A41,101,02139,3,LB,,,41,200,/);
    expect(await page.getByRole('button', { name: 'Fix and quote again' }).count()).toBe(0);
  });

  const weight = () => page.getByLabel('weight_value, row 38');
  const unsent = (text: string) => page.locator('.sticky-bar').getByText(text);
  const chooseKind = (title: string) =>
    page.getByRole('button', { name: new RegExp(`Show the rows.*${title}`) }).click();

  test('keeps corrections of one kind of fault while another is shown, and sends all at once', async () => {
    const id = await finished(MIXED, 'kinds.csv');
    await show(id, 'problems');
    await weight().fill('4');
    await chooseKind('Destination ZIP code');
    await page.getByLabel('postalCode, row 39').fill('01234');
    await chooseKind('Shipping service not available');
    await unsent('2 rows corrected, with 2 kinds of problem, not sent yet.').waitFor();
    await page.getByLabel('shippingService, row 40').fill('C1-GROUND');
    await unsent('3 rows corrected, with 3 kinds of problem, not sent yet.').waitFor();
    expect(await page.locator('.fault-corrected').allTextContents()).toEqual([
      '1 row corrected, not sent yet',
      '1 row corrected, not sent yet',
      '1 row corrected, not sent yet',
    ]);
    expect(await axeViolations(page)).toEqual([]);
    await chooseKind('Weight not valid');
    expect(await weight().inputValue()).toBe('4');
    // So does another part of the page.
    await page.getByRole('link', { name: 'Rows', exact: true }).click();
    await page.getByText('Rows 1–25 of 40').waitFor();
    await page.getByRole('link', { name: /^Problems/ }).click();
    expect(await weight().inputValue()).toBe('4');
    const stop = await console.service.work();
    await page.getByRole('button', { name: 'Quote them again' }).click();
    await page.getByText('Completed, all quoted').waitFor();
    await stop();
    const { text } = await console.service.file(`/${id}/output`);
    expect(text.split('\n').slice(38, 41)).toEqual([
      expect.stringMatching(/^A38,101,02139,4,LB,,,38,200,/),
      expect.stringMatching(/^A39,101,01234,3,LB,,,39,200,/),
      expect.stringMatching(/^A40,101,02139,3,LB,C1-GROUND,,40,200,/),
    ]);
    await page.getByRole('link', { name: 'Tariffs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
  });

  /** 15 rows without a weight: of the SKUs S1, S2 and S3. Rows with a price have 4 lb for S1, and 5 and 6 lb for S2. */
  const GAPS = [
    'order,warehouse_id,postalCode,weight_value,weight_units,SKU',
    ...['4,LB,S1', '4,LB,S1', '5,LB,S2', '6,LB,S2'].map((cells, at) => `P${at},101,02139,${cells}`),
    ...Array.from({ length: 15 }, (_, at) => `G${at},101,02139,,LB,S${(at % 3) + 1}`),
    '',
  ].join('\n');
  const fillButton = () => page.getByRole('button', { name: 'Fill the empty cells' });
  const openFill = () => page.getByText('Fill or replace cells of a column').click();

  test('fills the gaps of a column from like rows, then with one value, on all pages at once', async () => {
    const id = await finished(GAPS, 'gaps.csv');
    await show(id, 'problems');
    await openFill();
    expect(await page.getByLabel('Column', { exact: true }).locator('option:checked').textContent()).toBe(
      'weight_value',
    );
    await page.getByLabel('Get', { exact: true }).selectOption({ label: 'The value of rows with the same SKU' });
    await fillButton().click();
    // 5 rows of each SKU: S1 has one weight, S2 has two, S3 has none.
    await page.getByText('5 cells filled. 10 empty cells left').waitFor();
    await unsent('5 rows corrected, not sent yet.').waitFor();
    expect(await page.getByLabel('weight_value, row 5').inputValue()).toBe('4');
    expect(await page.getByLabel('weight_value, row 6').inputValue()).toBe('');
    await page.getByLabel('Get', { exact: true }).selectOption({ label: 'One value' });
    await page.getByLabel('Value', { exact: true }).fill('7');
    await fillButton().click();
    await page.getByText('10 cells filled.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const stop = await console.service.work();
    await page.getByRole('button', { name: 'Quote them again' }).click();
    await page.getByText('Completed, all quoted').waitFor();
    await stop();
    const { text } = await console.service.file(`/${id}/output`);
    const weights = text
      .split('\n')
      .slice(5, 20)
      .map((line) => line.split(',')[3]);
    expect(weights).toEqual(['4', '7', '7', '4', '7', '7', '4', '7', '7', '4', '7', '7', '4', '7', '7']);
  });

  test('marks the cell because of which a row cannot be read, apart from rows without one', async () => {
    const [names, row] = listOf(1).split('\n');
    await show(await finished(`${names},Pieces\n${row},1.5\n${row},1,,,,surplus\n`, 'pieces.csv'), 'problems');
    const pieces = page.getByLabel('Pieces, row 1');
    await pieces.waitFor();
    expect(await pieces.getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('postalCode, row 1').getAttribute('aria-invalid')).toBe('false');
    await page.getByRole('list', { name: 'In column “Pieces”' }).getByText('1.5 row 1').waitFor();
    await page.getByRole('button', { name: /Show the rows/ }).click();
    await page.getByLabel('postalCode, row 2').waitFor();
    expect(await pieces.count()).toBe(0);
  });

  test('replaces all cells of a column that have the same text', async () => {
    await show(await finished(GAPS.replaceAll(',02139,,LB', ',02139,tbd,LB'), 'tbd.csv'), 'problems');
    await openFill();
    await page.getByLabel('Cells with').fill('tbd');
    await page.getByLabel('Value', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Replace these cells' }).click();
    await page.getByText('15 cells filled.').waitFor();
    await unsent('15 rows corrected, not sent yet.').waitFor();
    expect(await page.getByLabel('weight_value, row 5').inputValue()).toBe('3');
  });

  test('takes a column that was copied from a spreadsheet, also for rows of later pages', async () => {
    await show(await finished(GAPS, 'paste.csv'), 'problems');
    await page.getByLabel('weight_value, row 5').focus();
    const lines = Array.from({ length: 12 }, (_, at) => String(at + 1)).join('\r\n');
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(`${lines}\r\n`)})`);
    await page.keyboard.press('ControlOrMeta+V');
    await unsent('12 rows corrected, not sent yet.').waitFor();
    // The page has rows 5 to 14, and the next one begins with row 15.
    expect(await page.getByLabel('weight_value, row 14').inputValue()).toBe('10');
    await page
      .getByRole('region', { name: '15 shipments with a problem' })
      .getByRole('button', { name: 'Next' })
      .click();
    await page.getByLabel('weight_value, row 16').waitFor();
    expect(await page.getByLabel('weight_value, row 16').inputValue()).toBe('12');
    expect(await page.getByLabel('weight_value, row 17').inputValue()).toBe('');
  });

  test('asks before unsent corrections are lost, and keeps them if the user stays', async () => {
    const id = await finished(MIXED);
    await show(id, 'problems');
    await weight().fill('4');
    await unsent('1 row corrected, not sent yet.').waitFor();
    const question = page.getByRole('dialog', { name: 'Discard 1 corrected row?' });
    const stays = async (): Promise<void> => {
      await question.waitFor();
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await question.waitFor({ state: 'detached' });
      await expect.poll(() => new URL(page.url()).hash).toBe(`#/batches/${id}?tab=problems`);
      expect(await weight().inputValue()).toBe('4');
    };
    await page.getByRole('link', { name: 'Tariffs' }).click();
    await question.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await stays();
    await page.evaluate('history.back()');
    await stays();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await stays();
    const { text } = await console.service.file(`/${id}/faults`);
    const buffer = Buffer.from(text.replace('heavy', '5'));
    const file = page.getByLabel('Upload a corrected file');
    await file.setInputFiles({ name: 'corrected.csv', mimeType: 'text/csv', buffer });
    await stays();
    expect((await console.service.call('GET', `/${id}`)).body.revision).toBe(1);

    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    expect(await weight().inputValue()).toBe('4');

    await page.evaluate('history.back()');
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { level: 1, name: 'Batches' }).waitFor();
    await page.evaluate('history.forward()');
    await weight().waitFor();
    expect(await weight().inputValue()).toBe('heavy');
    await weight().fill('4');
    await page.getByRole('button', { name: 'Undo all' }).click();
    await page.getByRole('link', { name: 'Tariffs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
  });

  test('takes a corrected file, and says what is wrong with one that it refuses', async () => {
    const id = await finished(MIXED);
    await show(id, 'problems');
    const input = page.getByLabel('Upload a corrected file');
    await input.setInputFiles({ name: 'no.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n') });
    await page.getByText('The file was refused').waitFor();
    const { text } = await console.service.file(`/${id}/faults`);
    const stop = await console.service.work();
    await input.setInputFiles({
      name: 'corrected.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text.replace('heavy', '5').replace('1234', '01234').replace('C9-NONE', 'C1-GROUND')),
    });
    await page.getByText('Completed, all quoted').waitFor();
    await stop();
  });

  test('says how long a batch has waited, behind what, and how long it will take', async () => {
    await finished(listOf(20), 'before.csv');
    const others = [await console.service.upload(listOf(5)), await console.service.upload(listOf(30))];
    await page.clock.setFixedTime(Date.now() + 120_000);
    await show(others[1] ?? '');
    await page.getByText('at the pace of before.csv').waitFor();
    await page.getByText('not done, 5 rows left').waitFor();
    expect([await figure('Your other lists').textContent(), await figure('Then it takes').textContent()]).toEqual([
      ...['1', 'about 1 second'],
    ]);
    expect(await figure('Waiting').textContent()).toMatch(/^2 min/);
    await page.getByText(/^Most lists begin within a minute/).waitFor();
    const stop = await console.service.work();
    for (const id of others) await console.service.ended(id);
    await stop();
  });

  test('asks before it cancels and before it deletes', async () => {
    const id = await console.service.upload(listOf(30));
    await show(id);
    await page.getByRole('button', { name: 'Cancel the batch' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel this batch?' });
    await question.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    expect((await console.service.call('GET', `/${id}`)).body.status).toBe('queued');
    await page.getByRole('button', { name: 'Cancel the batch' }).click();
    await question.getByRole('button', { name: 'Cancel the batch' }).click();
    const stop = await console.service.work();
    await page.getByText('The batch was cancelled').waitFor();
    await stop();
    await page.getByText('More', { exact: true }).click();
    expect(await page.getByRole('link', { name: 'Unfinished rows, as uploaded' }).isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('heading', { level: 1, name: 'Batches' }).waitFor();
    expect((await console.service.call('GET', `/${id}`)).status).toBe(404);
  });

  test('says why the batch failed, and retries the missing rows on request', async () => {
    const { service } = console;
    const id = await service.upload(listOf(4));
    await service.failChunk(id, { index: 0, revision: 1 });
    await show(id);
    await page.getByText('The batch failed').waitFor();
    await page.getByText('Rows 1 to 3 could not be processed').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const stop = await service.work();
    await page.getByRole('button', { name: 'Retry the missing rows' }).click();
    await page.getByText('Completed, all quoted').waitFor();
    await stop();
  });

  test('says that a batch does not exist', async () => {
    await show('nobody-knows');
    await page.getByText('Batch not found').waitFor();
  });

  test.each(LOOKS)('looks right in $theme at $width px, and axe finds nothing', async (look) => {
    const done = await finished(MIXED, 'shipments.csv');
    const waiting = await console.service.upload(listOf(30), '?filename=waiting.csv');
    const { page: own, context } = await console.open(`#/batches/${waiting}`, look);
    await own.getByRole('heading', { name: '0 of 30 rows' }).waitFor();
    expect(await axeViolations(own)).toEqual([]);
    await keepShot(own, 'batch-waiting', look);
    await own.goto(`/#/batches/${done}`);
    await own.getByText('All 37 priced shipments').waitFor();
    expect(await axeViolations(own)).toEqual([]);
    expect(await sidewaysScroll(own)).toBe(0);
    await keepShot(own, 'batch-summary', look);
    await own.goto(`/#/batches/${done}?tab=rows`);
    await own.getByText('Rows 1–25').waitFor();
    expect(await axeViolations(own)).toEqual([]);
    expect(await sidewaysScroll(own)).toBe(0);
    await keepShot(own, 'batch-rows', look);
    await own.goto(`/#/batches/${done}?tab=problems`);
    await own.getByLabel('weight_value, row 38').fill('4');
    await own.getByText('1 row corrected, not sent yet.').first().waitFor();
    expect(await axeViolations(own)).toEqual([]);
    expect(await sidewaysScroll(own)).toBe(0);
    await keepShot(own, 'batch-done', look);
    await context.close();
  });
});
