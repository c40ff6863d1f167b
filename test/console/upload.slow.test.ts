import { join } from 'node:path';
import { writeXlsx } from 'hucre/xlsx';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listOf } from '../http/batch-api.ts';
import { axeViolations, hasChromium, keepShot, LOOKS, sidewaysScroll, type WatchedPage } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', 'samples', 'shipments.csv');
const UNKNOWN = 'Order;Wt net;To\nA1;2.5;02139\nA2;3;90210\n';

const EXPORTED = [
  'Quantity,Ship Zipcode,Ship Country,Pounds,Ounces,Length,Width,Height,Service',
  '4,02139,United States,2,3,20,20,20,Standard',
  '1,90210,USA,1,0,10,8,4,Two Day',
  '1,10115,Germany,1,0,10,8,4,Standard',
  '',
].join('\n');

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
const choose = (page: Page, file: string | ReturnType<typeof csv>) => page.setInputFiles('input[type=file]', file);
const runButton = (page: Page) => page.getByRole('button', { name: /^Quote (?:all|this)/ });
const figure = (page: Page, label: string) =>
  page.locator('.figure', { has: page.getByText(label, { exact: true }) }).locator('.figure-value');
/** Opens how the list is read, which is folded if nothing is unclear. */
const unfold = (page: Page) => page.getByText('How the list is read').click();

describe.skipIf(!hasChromium)('uploading a list', { timeout: 120_000 }, () => {
  let console: TestConsole;
  let watched: WatchedPage;
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.close());
  beforeEach(async () => {
    watched = await console.open('#/upload');
  });
  afterEach(async () => {
    // Some tests break connections, which Chromium logs.
    expect(watched.problems.filter((problem) => !problem.endsWith('net::ERR_FAILED'))).toEqual([]);
    await watched.context.close();
  });
  const batches = async (): Promise<{ id: string; filename: string; options: Record<string, string> }[]> =>
    (await console.service.call('GET', '?limit=100')).body.batches;
  const batchNamed = async (filename: string) => (await batches()).filter((batch) => batch.filename === filename);

  test('shows a preview with the wrong cells', async () => {
    const { page } = watched;
    await choose(page, SAMPLE);
    await runButton(page).waitFor();
    expect(await runButton(page).textContent()).toBe('Quote all 1,000 rows');
    expect(await figure(page, 'Priced').textContent()).toBe('97%');
    expect(await page.getByText('30 of 1,000 shipments would have a problem').isVisible()).toBe(true);
    await unfold(page);
    await page.getByRole('button', { name: 'Show all 20' }).click();
    const malformed = page.getByRole('row', { name: /Row 17 cannot be read/ });
    expect(await malformed.locator('mark').textContent()).toContain('17');
    expect(await batches()).toEqual([]);
  });

  test('marks the wrong cell and says what is wrong', async () => {
    const { page } = watched;
    await choose(
      page,
      csv('cells.csv', `${listOf(1)}A2,101,1234,3,LB,,\nA3,101,02139,heavy,LB,,\nA4,999,02139,3,LB,,\n`),
    );
    await page.getByText('How the list is read').waitFor();
    await unfold(page);
    await page.getByRole('heading', { name: 'The first 4 rows' }).waitFor();
    const marked = await page.locator('.first-rows mark').allTextContents();
    expect(marked.map((text) => text.replace('Problem here: ', ''))).toEqual(['1234', 'heavy LB', '999']);
    expect(await page.getByText('Weight must be a number.').first().isVisible()).toBe(true);
  });

  test('unknown columns are chosen by menu, and missing ones get a value for all rows', async () => {
    const { page } = watched;
    await choose(page, csv('unknown.csv', UNKNOWN));
    await page
      .getByText(/^Answer \d+ questions? to quote/)
      .first()
      .waitFor();
    expect(await runButton(page).count()).toBe(0);
    await page.getByLabel('Weight (required)', { exact: true }).selectOption('Wt net');
    await page.getByLabel('Destination ZIP code (required)').selectOption('To');
    await page.getByLabel('Warehouse for all rows').selectOption('102');
    await page.getByLabel('Unit of weight for all rows').selectOption('KG');
    await runButton(page).click();
    await page.waitForURL(/#\/batches\//);
    const [batch] = await batchNamed('unknown.csv');
    expect(batch?.options).toEqual({
      columns: 'weight_value:Wt net,postalCode:To',
      warehouse_id: '102',
      units: 'KG',
    });
  });

  test('certain repairs are offered, and made if the user agrees', async () => {
    const { page } = watched;
    await choose(page, csv('zips.csv', `${listOf(1)}A2,101,2139,3,LB,,\n`));
    await page.getByText('Destination ZIP code: “2139” in row 2 is read as “02139” (1 row)').waitFor();
    expect(await figure(page, 'Priced').textContent()).toBe('50%');
    expect(await page.getByLabel('Fix 1 of 2 rows automatically: 1 fewer problem').isChecked()).toBe(false);
    expect(await page.getByRole('button', { name: 'Run anyway' }).isVisible()).toBe(true);
    await page.locator('.sticky-bar').getByRole('button', { name: 'Fix 1 row' }).click();
    await page.getByLabel('1 of 2 rows fixed automatically').waitFor();
    expect(await page.getByText('is read as').allTextContents()).toEqual([
      'Destination ZIP code: “2139” in row 2 is read as “02139” (1 row)',
    ]);
    expect(await figure(page, 'Priced').textContent()).toBe('100%');
    await runButton(page).click();
    await page.waitForURL(/#\/batches\//);
    expect((await batchNamed('zips.csv'))[0]?.options).toEqual({ repair: 'all' });
  });

  test('the sample list has its repair under the problem that it removes', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Try a sample list' }).click();
    const card = (text: string) => page.locator('.fault-kinds li', { hasText: text });
    await card('Unit of weight not valid').waitFor();
    expect(await card('Weight is missing').getByRole('button').allTextContents()).toEqual([
      'Give it a weight: Weight is missing',
    ]);
    await card('Unit of weight not valid').getByRole('button', { name: 'Fix 1 row' }).click();
    await page.getByLabel('1 of 6 rows fixed automatically').waitFor();
    expect(await card('Unit of weight not valid').count()).toBe(0);
    expect(await card('Weight is missing').isVisible()).toBe(true);
  });

  test('rows without a weight take the one that the user gives, which is said and remembered', async () => {
    const { page } = watched;
    const rows = 'A1,101,02139,\nA2,101,10001,4\nA3,101,90210,\nA4,101,60601,5\nA5,101,33101,3\n';
    const gaps = `Order,Warehouse,Zip,Weight (lb)\n${rows}`;
    await choose(page, csv('gaps.csv', gaps));
    const weight = page.getByLabel('Weight for empty cells');
    await weight.waitFor({ state: 'attached' });
    expect(await weight.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Give them a weight' }).click();
    expect(await weight.isVisible()).toBe(true);
    await page.keyboard.type('40');
    expect(await weight.inputValue()).toBe('40');
    await page.getByLabel('Unit', { exact: true }).selectOption('OZ');
    await page.getByText('2 of 5 rows have no weight and take 40 OZ. Each of them says so.').waitFor();
    // The words above are of the choice, and the rows of its preview.
    const read = page.locator('.first-rows').getByText('Weight (empty) read as 2.5 LB');
    await expect.poll(() => read.count()).toBe(2);
    expect(await figure(page, 'Priced').textContent()).toBe('100%');
    for (const width of [1440, 390])
      for (const theme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 1000 });
        await page.emulateMedia({ colorScheme: theme });
        expect([await sidewaysScroll(page), await axeViolations(page)]).toEqual([0, []]);
        await keepShot(page, 'empty-weight', { theme, width });
      }
    await runButton(page).click();
    await page.waitForURL(/#\/batches\//);
    const [batch] = await batchNamed('gaps.csv');
    expect(batch?.options).toEqual({ empty_weight: '40 OZ' });
    const stop = await console.service.work();
    await page.getByText('Completed, all quoted').waitFor();
    await page.getByText(/^\d notes? about the columns$/).click();
    await page.getByText('counts as 2.5 LB in rows whose cell is empty').waitFor();
    await page.getByRole('link', { name: 'Rows', exact: true }).click();
    const noted = page.locator('.rows-table').getByText('Weight (empty) read as 2.5 LB');
    // On a phone, only the price is in sight.
    await noted.first().waitFor({ state: 'attached' });
    await stop();
    expect(await noted.count()).toBe(2);
    await page.goto('/#/upload');
    await choose(page, csv('next.csv', gaps));
    await page.getByText('Your saved choices are in use: “gaps”').waitFor();
    expect(await page.getByLabel('Weight for empty cells').inputValue()).toBe('40');
    expect(await page.getByLabel('Unit', { exact: true }).inputValue()).toBe('OZ');
  });

  test('a double click makes one batch', async () => {
    const { page } = watched;
    await choose(page, csv('double.csv', listOf(4)));
    await runButton(page).dblclick();
    await page.waitForURL(/#\/batches\//);
    expect(await batchNamed('double.csv')).toHaveLength(1);
  });

  test('a list whose response was lost is sent again and makes no second batch', async () => {
    const { page } = watched;
    await choose(page, csv('lost.csv', listOf(4)));
    await runButton(page).waitFor();
    let lost = 0;
    await page.route(
      /\/batches\?filename=/,
      async (route) => {
        await route.fetch();
        lost += 1;
        await route.abort();
      },
      { times: 1 },
    );
    await runButton(page).click();
    await page.waitForURL(/#\/batches\//);
    expect([lost, (await batchNamed('lost.csv')).length]).toEqual([1, 1]);
  });

  test('the page asks before it leaves a running upload, which continues if the user stays', async () => {
    const { page } = watched;
    await page.getByRole('link', { name: 'Batches', exact: true }).click();
    await page.getByRole('link', { name: 'Upload', exact: true }).click();
    await choose(page, csv('slow.csv', listOf(4)));
    await runButton(page).waitFor();
    // Never answered, so that the upload keeps running.
    await page.route(/\/batches\?filename=/, () => undefined);
    let stopped = 0;
    // Leaving a page also ends what it was loading.
    page.on('requestfailed', (request) => (stopped += Number(request.method() === 'POST')));
    await runButton(page).click();
    const progress = page.getByRole('progressbar', { name: 'Upload' });
    const question = page.getByRole('dialog', { name: 'Stop the upload?' });
    const stays = async (): Promise<void> => {
      await question.waitFor();
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await expect.poll(() => new URL(page.url()).hash).toBe('#/upload');
      expect(await progress.isVisible()).toBe(true);
    };
    await progress.waitFor();
    expect(await page.getByText('Leaving it stops the upload').isVisible()).toBe(true);
    await expect.poll(() => page.getByLabel('Encoding').isDisabled()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Tariffs' }).click();
    await question.waitFor();
    expect(await question.textContent()).toContain('slow.csv is still being sent.');
    expect(await axeViolations(page)).toEqual([]);
    await stays();
    await page.evaluate('history.back()');
    await stays();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await stays();
    await choose(page, csv('other.csv', listOf(2)));
    await stays();
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    await progress.waitFor();
    expect(stopped).toBe(0);

    await page.getByRole('link', { name: 'Tariffs' }).click();
    await question.getByRole('button', { name: 'Stop the upload' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
    await expect.poll(() => stopped).toBe(1);
    expect(new URL(page.url()).hash).toBe('#/tariffs');
    await page.evaluate('history.back()');
    await page.getByRole('heading', { level: 1, name: 'Upload' }).waitFor();
    expect(await batchNamed('slow.csv')).toEqual([]);
  });

  test('the page asks before it leaves a list that was not sent', async () => {
    const { page } = watched;
    await choose(page, csv('half.csv', listOf(4)));
    await runButton(page).waitFor();
    // Nothing was chosen yet, so another file takes its place at once.
    await choose(page, csv('whole.csv', listOf(4)));
    await page.getByText('whole.csv').waitFor();
    await page.getByLabel('Compare all services').check();
    await page.getByRole('link', { name: 'Tariffs' }).click();
    const question = page.getByRole('dialog', { name: 'Leave this list?' });
    await question.getByText('whole.csv has not been sent.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Stay here' }).click();
    await choose(page, csv('half.csv', listOf(4)));
    await question.getByRole('button', { name: 'Stay here' }).click();
    expect(await page.getByLabel('Compare all services').isChecked()).toBe(true);
    await page.getByRole('link', { name: 'Tariffs' }).click();
    await question.getByRole('button', { name: 'Leave the list' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
  });

  test('an upload that ends during the question leads to its batch', async () => {
    const { page } = watched;
    await choose(page, csv('ends.csv', listOf(4)));
    await runButton(page).waitFor();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/batches\?filename=/, (route) => held.then(() => route.continue()));
    await runButton(page).click();
    await page.getByRole('link', { name: 'Tariffs' }).click();
    const question = page.getByRole('dialog', { name: 'Stop the upload?' });
    await question.waitFor();
    release();
    await page.getByRole('heading', { level: 1, name: 'ends.csv' }).waitFor();
    expect(await question.count()).toBe(0);
    expect(page.url()).toMatch(/#\/batches\/./);
  });

  test('an upload that fails during the question shows its failure', async () => {
    const { page } = watched;
    await choose(page, csv('fails.csv', listOf(4)));
    await runButton(page).waitFor();
    let fail: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route(/\/batches\?filename=/, (route) => held.then(() => route.abort()));
    await runButton(page).click();
    await page.getByRole('link', { name: 'Tariffs' }).click();
    const question = page.getByRole('dialog', { name: 'Stop the upload?' });
    await question.waitFor();
    fail();
    await page.getByText('The list was refused').waitFor();
    await question.waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).hash).toBe('#/upload');
    expect(await page.getByLabel('Encoding').isEnabled()).toBe(true);
  });

  const field = (page: Page, label: string) => page.locator('tr', { has: page.getByLabel(label, { exact: true }) });
  const main = (page: Page) => page.locator('.sticky-bar .primary');

  test('columns that were found stay found while another is missing, with their values', async () => {
    const { page } = watched;
    await choose(page, csv('found.csv', 'Order,Zip,Wt net\nA1,02139,2.5\nA2,90210,3\nA3,02139,4\nA4,60614,4\n'));
    await page
      .getByText(/^Answer \d+ questions? to quote/)
      .first()
      .waitFor();
    const zip = field(page, 'Destination ZIP code (required)');
    expect(await zip.getByRole('combobox').inputValue()).toBe('Zip');
    expect(await zip.locator('th .hint').textContent()).toBe('Recognized name');
    expect(await zip.locator('.sample').allTextContents()).toEqual(['02139', '90210', '60614']);
    expect(await field(page, 'Weight (required)').locator('.field-error').isVisible()).toBe(true);
    const raw = page.getByRole('table', { name: 'The first rows as they came' });
    expect(await raw.getByRole('columnheader').allTextContents()).toEqual([
      'Row',
      'Ordernot used',
      'ZipDestination ZIP code',
      'Wt netWeight?',
    ]);
    expect(await raw.locator('tbody tr').last().locator('td').allTextContents()).toEqual(['A4', '60614', '4']);
    const mark = (label: string) => field(page, label).locator('.mark').textContent();
    await page.getByLabel('Warehouse for all rows').selectOption('101');
    await expect.poll(() => mark('Warehouse (required)')).toBe('The same for all rows');
    await field(page, 'Weight (required)').getByText('No column is certain. Is it this one?').waitFor();
    await page.getByRole('button', { name: 'Use “Wt net” as Weight' }).click();
    await expect.poll(() => mark('Weight (required)')).toBe('Chosen by you');
  });

  test('says before the run what most rows lack, and leads there first', async () => {
    const { page } = watched;
    const rows = Array.from({ length: 200 }, (_, row) => `A${row},101,${row < 2 ? '02139' : `X${row}`},90210,3`);
    await choose(page, csv('wrong.csv', `Order,Warehouse,Zip,Reference,Weight (lb)\n${rows.join('\n')}\n`));
    await page.getByRole('heading', { name: '198 of 200 shipments would have a problem' }).waitFor();
    const card = page.locator('.fault-kinds li', { hasText: 'Destination ZIP code not valid' });
    expect(await card.getByRole('list', { name: 'In column “Zip”' }).getByRole('listitem').allTextContents()).toEqual([
      ...['X2 row 3', 'X3 row 4', 'X4 row 5', 'and 195 more'],
    ]);
    expect(await card.getByText('“X2” must have the form 12345 or 12345-6789.').isVisible()).toBe(true);
    expect(await main(page).textContent()).toBe('Choose the ZIP code column');
    expect(await page.getByRole('button', { name: 'Run anyway' }).isEnabled()).toBe(true);
    await main(page).click();
    expect(await page.evaluate<string>('document.activeElement.id')).toBe('column-of-postalCode');
    await page.getByLabel('Destination ZIP code (required)').selectOption('Reference');
    await runButton(page).waitFor();
    expect(await page.getByText('would have a problem').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Run anyway' }).count()).toBe(0);
  });

  test('shows the fields with their columns in one table, and folds the others', async () => {
    const { page } = watched;
    await choose(page, csv('named.csv', 'Order,Warehouse,Zip,Lot,Weight (lb)\nA1,101,02139,90210,3\n'));
    await runButton(page).waitFor();
    await unfold(page);
    const zip = page.getByLabel('Destination ZIP code (required)');
    const columns = page.getByRole('table', { name: 'Fields and your columns' }).getByRole('combobox');
    const chosen = () => columns.locator('visible=true').locator('option:checked').allTextContents();
    expect(await chosen()).toEqual([
      ...['Warehouse', 'Zip', 'Weight (lb)', 'From a column name', 'The same for all rows', 'The cheapest service'],
    ]);
    await zip.selectOption('Lot');
    await field(page, 'Destination ZIP code (required)').getByText('Chosen by you').waitFor();
    expect(await zip.isVisible()).toBe(true);
  });

  test('shows columns that look relevant and are not used, and takes one with a click', async () => {
    const { page } = watched;
    const stop = await console.service.work();
    try {
      await choose(page, csv('exported.csv', EXPORTED));
      await page.getByLabel('Warehouse for all rows').selectOption('101');
      await figure(page, 'Priced').waitFor();
      const unused = page.locator('.notice', { hasText: 'may be useful but isn’t used' });
      expect((await unused.locator('li p').allTextContents()).join()).toBe(
        'Quantity may be “Number of packages”: 4, 1. Without it, each row is one package.',
      );
      // The table of service names has what the note says.
      expect(await page.getByText('names services that no tariff has').count()).toBe(0);
      await page.getByRole('button', { name: /^Read the sides as inches ?:/ }).waitFor();
      await unfold(page);
      await page.getByLabel('Unit of dimensions for all rows').selectOption('IN');
      const names = page.getByRole('table', { name: 'Service names and their services' });
      expect(await names.getByRole('rowheader').allTextContents()).toEqual(['Standard 2 rows', 'Two Day 1 row']);
      await names.getByLabel('Standard', { exact: true }).selectOption('C1-GROUND');
      // A name stays in its place when it gets a service.
      await page.getByText('1 row read so far has a name without a service, and no price.').waitFor();
      expect(await names.getByRole('rowheader').allTextContents()).toEqual(['Standard 2 rows', 'Two Day 1 row']);
      await names.getByLabel('Two Day', { exact: true }).selectOption('C1-EXPRESS');
      await expect.poll(() => figure(page, 'Priced').textContent()).toBe('66.7%');
      const rows = await page.locator('.first-rows tbody tr').allTextContents();
      expect(rows[0]).toContain('2.1875 LB, 20 × 20 × 20 IN');
      expect(rows[0]).toContain('C1-GROUND, zone 3, billed 58 lb');
      expect(rows[1]).toContain('C1-EXPRESS');
      expect(await axeViolations(page)).toEqual([]);
      await keepShot(page, 'upload-findings', { theme: 'light', width: 1440 });
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await sidewaysScroll(page)).toBe(0);
      // Each row is a card with its result in sight.
      const result = await page.locator('.first-rows').getByText('C1-GROUND, zone 3, billed 58 lb').boundingBox();
      expect((result?.x ?? 0) + (result?.width ?? 0)).toBeLessThan(390);
      expect(await axeViolations(page)).toEqual([]);
      await keepShot(page, 'upload-findings', { theme: 'light', width: 390 });
      await unused.getByRole('button', { name: 'Use it as “Number of packages”: Quantity' }).click();
      await expect.poll(() => field(page, 'Number of packages').locator('.mark').textContent()).toBe('Chosen by you');
      expect(await unused.count()).toBe(0);
      await runButton(page).click();
      await page.getByRole('heading', { name: 'exported.csv' }).waitFor();
      const [batch] = await batchNamed('exported.csv');
      expect(batch?.options).toMatchObject({
        columns: 'packages:Quantity',
        dimension_units: 'IN',
        service_map: 'Standard:C1-GROUND,Two Day:C1-EXPRESS',
      });
    } finally {
      await stop();
    }
  });

  test('offers the code of a service that is written in other letters', async () => {
    const { page } = watched;
    await choose(page, csv('letters.csv', `${listOf(1)}A2,101,02139,3,LB,c1-ground,\nA3,101,02139,3,LB,Slow,\n`));
    await page.getByRole('button', { name: 'Read “c1-ground” as C1-GROUND' }).click();
    await expect.poll(() => figure(page, 'Priced').textContent()).toBe('66.7%');
    // The user decides on other names.
    await page.locator('.fault-kinds').getByRole('button', { name: 'Choose the services' }).click();
    expect(await page.getByLabel('c1-ground', { exact: true }).inputValue()).toBe('C1-GROUND');
    expect(await page.getByLabel('Slow', { exact: true }).isVisible()).toBe(true);
  });

  test('keeps what is folded after an answer', async () => {
    const { page } = watched;
    await choose(page, csv('quantity.csv', 'Zip,Wt net,Qty Ordered\n02139,2.5,4\n90210,3,1\n'));
    await page.getByLabel('Warehouse for all rows').selectOption('101');
    await page.getByRole('button', { name: 'Use “Wt net” as Weight' }).click();
    await page.getByLabel('Unit of weight for all rows').selectOption('LB');
    await runButton(page).waitFor();
    expect(await page.getByText('1 column may be useful').isVisible()).toBe(true);
    expect(await page.getByRole('heading', { name: 'What the columns mean' }).isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'The first 2 rows' }).isVisible()).toBe(true);
  });

  test('only the beginning of a long list is sent for the preview, and the rest is estimated', async () => {
    const { page } = watched;
    const list = listOf(60_000);
    const looked = page.waitForRequest(/preview=report/);
    await choose(page, csv('long.csv', list));
    const request = await looked;
    expect(request.url()).toContain(`bytes=${list.length}`);
    expect((await request.allHeaders())['content-length']).toBe(String(1024 * 1024));
    await runButton(page).waitFor();
    expect(await figure(page, 'Shipments').textContent()).toMatch(/^about 6\d,\d{3}$/);
  });

  test('a workbook is previewed as a whole, and its sheets are a list', async () => {
    const { page } = watched;
    const header = ['warehouse_id', 'zip', 'Weight (lb)'];
    const sheets = [
      { name: 'June', rows: [header, [101, '02139', 2.5]] },
      { name: 'July', rows: [header, [101, '90210', 2.5], [101, '60614', 3]] },
    ];
    const buffer = Buffer.from(await writeXlsx({ sheets }));
    await page.setInputFiles('input[type=file]', { name: 'june.xlsx', mimeType: '', buffer });
    await runButton(page).waitFor();
    expect(await runButton(page).textContent()).toBe('Quote this row');
    await page.getByText('The sheet "June" is read. Other sheets that look like a list are not: "July".').waitFor();
    expect(await page.getByLabel('Sheet').locator('option').allTextContents()).toEqual(['June', 'July']);
    await page.getByLabel('Sheet').selectOption('July');
    await expect.poll(() => runButton(page).textContent()).toBe('Quote all 2 rows');
    expect(await page.getByLabel('Sheet').inputValue()).toBe('July');
  });

  test('a cover sheet is skipped, and sides without a unit become inches with one click', async () => {
    const { page } = watched;
    const sheets = [
      { name: 'Cover', rows: [['Orders of June'], ['Prepared by', 'Ann']] },
      {
        name: 'Orders',
        rows: [
          ['Warehouse', 'Zip', 'Item Weight (lb)', 'Length', 'Width', 'Height'],
          [101, '02139', 2.5, 12, 9, 4],
          [102, '90210', 3, 10, 8, 6],
        ],
      },
    ];
    const buffer = Buffer.from(await writeXlsx({ sheets }));
    await page.setInputFiles('input[type=file]', { name: 'cover.xlsx', mimeType: '', buffer });
    await page.getByText('“Cover” does not look like a list, so the next sheet that does is read.').waitFor();
    expect(await page.getByLabel('Sheet').inputValue()).toBe('Orders');
    await page.getByText('length 12, width 9, height 4. In the United States').waitFor();
    expect(await main(page).textContent()).toBe('Read the sides as inches');
    await keepShot(page, 'upload-cover', { theme: 'light', width: 1440 });
    await page.getByRole('button', { name: /^Read the sides as inches ?:/ }).click();
    await expect.poll(() => main(page).textContent()).toBe('Quote all 2 rows');
    expect(await page.getByText('Unit of dimensions is missing').count()).toBe(0);
  });

  test('a title above the header is found and skipped, and one weight counts for all rows', async () => {
    const { page } = watched;
    await choose(page, csv('titled.csv', 'Orders of June\n\nOrder,Warehouse,Zip\nA1,101,02139\nA2,102,90210\n'));
    await page.getByText('The column names seem to be in line 3').waitFor();
    await page.getByRole('button', { name: 'Use line 3 as the header' }).click();
    await page.getByText(/^Answer \d+ questions? to quote/).waitFor();
    expect(await page.getByLabel('Column names are in line').inputValue()).toBe('3');
    await page.getByLabel('Weight for all rows', { exact: true }).fill('2.x');
    expect(await page.getByText('Type a number above 0, such as 2.5.').isVisible()).toBe(true);
    await page.getByLabel('Weight for all rows', { exact: true }).fill('2.5');
    await page.getByLabel('Unit of weight for all rows').selectOption('LB');
    await runButton(page).waitFor();
    expect(await field(page, 'Weight (required)').locator('.sample').count()).toBe(0);
    expect(await field(page, 'Weight (required)').locator('.mark').textContent()).toBe('The same for all rows');
    expect(await page.locator('.first-rows tbody tr').allTextContents()).toEqual([
      expect.stringMatching(/^Row 1From101.*2\.5 LB/),
      expect.stringContaining('2.5 LB'),
    ]);
    await runButton(page).click();
    await page.waitForURL(/#\/batches\//);
    expect((await batchNamed('titled.csv'))[0]?.options).toEqual({ header_row: '3', weight: '2.5', units: 'LB' });
  });

  test('remembers choices for lists with the same column names, under a name, until they are deleted', async () => {
    const { page } = watched;
    // The browser asks before a list that was not sent is left.
    page.on('dialog', (dialog) => void dialog.accept());
    const again = async (): Promise<void> => {
      // Another document first, because the console goes to an address of its own without loading again.
      await page.goto('about:blank');
      await page.goto('/#/upload');
      await page.getByRole('heading', { level: 1, name: 'Upload a list' }).waitFor();
    };
    await choose(page, csv('first.csv', 'Order,"Wt, net",Zip,Way\nA1,2.5,02139,"By road, slow"\n'));
    await page.getByLabel('Warehouse for all rows').selectOption('101');
    await page.getByLabel('Weight (required)', { exact: true }).selectOption('Wt, net');
    await page.getByLabel('Unit of weight for all rows').selectOption('LB');
    await unfold(page);
    await page.getByLabel('Shipping service', { exact: true }).selectOption('Way');
    await page.getByLabel('By road, slow').selectOption('C1-GROUND');
    await runButton(page).waitFor();
    expect(await page.getByLabel('Save these choices for next time').isChecked()).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('The shop');
    expect(await axeViolations(page)).toEqual([]);
    await runButton(page).click();
    await page.waitForURL(/#\/batches\//);

    await again();
    await choose(page, csv('second.csv', 'Order,"Wt, net",Zip,Way\nA2,3,90210,"By road, slow"\n'));
    await page.getByText('Your saved choices are in use: “The shop”').waitFor();
    await runButton(page).waitFor();
    expect(await field(page, 'Weight (required)').locator('.mark').textContent()).toBe('Saved choice');
    expect(await page.getByLabel('By road, slow').inputValue()).toBe('C1-GROUND');
    expect(await axeViolations(page)).toEqual([]);
    await keepShot(page, 'upload-remembered', { theme: 'light', width: 1440 });
    await runButton(page).click();
    await page.waitForURL(/#\/batches\//);
    const [first, second] = [await batchNamed('first.csv'), await batchNamed('second.csv')];
    expect(second[0]?.options).toEqual(first[0]?.options);
    expect(second[0]?.options).toEqual({
      columns: 'weight_value:Wt\\, net,shippingService:Way',
      warehouse_id: '101',
      units: 'LB',
      service_map: 'By road\\, slow:C1-GROUND',
    });

    await again();
    await choose(page, csv('third.csv', 'Order,"Wt, net",Zip,Way\nA2,3,90210,"By road, slow"\n'));
    await page.getByRole('button', { name: 'Start over' }).click();
    await page.getByText(/^Answer \d+ questions? to quote/).waitFor();
    await page.getByLabel('Saved choices').selectOption('The shop');
    await runButton(page).waitFor();
    // Another header is another list.
    await again();
    await choose(page, csv('fourth.csv', 'Order,"Wt, net",Zip\nA2,3,90210\n'));
    await page
      .getByText(/^Answer \d+ questions? to quote/)
      .first()
      .waitFor();
    expect(await page.getByText(/saved choices/i).count()).toBe(0);

    await again();
    await page.getByText(/^Saved choices for \d+ kinds? of list$/).click();
    await page.getByRole('button', { name: 'Rename The shop' }).click();
    const name = page.getByLabel('New name of The shop');
    expect(await name.inputValue()).toBe('The shop');
    await name.fill('Our own shop');
    expect(await axeViolations(page)).toEqual([]);
    await keepShot(page, 'upload-rename', { theme: 'light', width: 1440 });
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    const remove = page.getByRole('button', { name: 'Delete Our own shop' });
    await remove.click();
    const question = page.getByRole('dialog', { name: 'Delete “Our own shop”?' });
    await question.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await question.getByRole('button', { name: 'Delete' }).click();
    await remove.waitFor({ state: 'detached' });
  });

  test('a list can be dropped anywhere on the page', async () => {
    const { page } = watched;
    const dropped = JSON.stringify(listOf(2));
    const data = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(new File([${dropped}], 'dropped.csv')); return data; })()`,
    );
    await page.dispatchEvent('h1', 'dragover', { dataTransfer: data });
    await page.dispatchEvent('h1', 'drop', { dataTransfer: data });
    await runButton(page).waitFor();
    expect(await page.getByText('dropped.csv').isVisible()).toBe(true);
  });

  test('a file that is not a list is refused in one sentence', async () => {
    const { page } = watched;
    await choose(page, csv('picture.csv', '\u0000\u0001\u0002PNG'));
    await page.getByText('This list cannot be used').waitFor();
    expect(await runButton(page).count()).toBe(0);
  });

  test.each(LOOKS)('looks right in $theme at $width px, and axe finds nothing', async (look) => {
    const { page, context } = await console.open('#/upload', look);
    await choose(page, SAMPLE);
    await page.getByText('How the list is read').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await axeViolations(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await keepShot(page, 'upload-answer', look);
    await unfold(page);
    await page.getByRole('heading', { name: 'The first 20 rows' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await keepShot(page, 'upload-preview', look);
    await choose(page, csv('unclear.csv', UNKNOWN.replace('Order', 'Id')));
    await page
      .getByText(/^Answer \d+ questions? to quote/)
      .first()
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await keepShot(page, 'upload-unknown', look);
    await choose(page, SAMPLE);
    await page.route(/\/batches\?filename=/, () => undefined);
    await runButton(page).click();
    await expect.poll(() => page.getByLabel('Encoding').isDisabled()).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
    await keepShot(page, 'upload-sending', look);
    await context.close();
  });
});
