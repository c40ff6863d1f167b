/** A result that is shared by a link, and what it is on paper. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BATCHES, listOf } from '../http/batch-api.ts';
import { comparisonsOf } from '../http/comparison-api.ts';
import { axeViolations, hasChromium, keepShot, LOOKS, openPage, sidewaysScroll } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

const LIST = `${listOf(37)}A38,101,02139,heavy,LB,,\nA39,101,1234,3,LB,,\n`;

describe.skipIf(!hasChromium)('a shared result', { timeout: 120_000 }, () => {
  let console: TestConsole;
  let batch: string;
  let comparison: string;
  beforeAll(async () => {
    console = await startConsole();
    const stop = await console.service.work();
    batch = await console.service.upload(LIST, '?filename=june.csv');
    await console.service.ended(batch);
    const comparisons = comparisonsOf(console.service);
    comparison = await comparisons.compare(batch, [{ service: 'C1-EXPRESS' }]);
    await comparisons.ended(comparison);
    await stop();
  });
  afterAll(() => console.close());

  const linkOf = async (result: string): Promise<string> => {
    const { service } = console;
    const place = result.startsWith('c') ? BATCHES.replace('batches', 'comparisons') : BATCHES;
    const made = await service.api.call(`${place}/${result}/shares`, {
      method: 'POST',
      headers: { ...service.bearer(), 'Content-Type': 'application/json' },
      body: JSON.stringify({ days: 7 }),
    });
    return made.body.link;
  };
  /** What stands on the page on paper, without what is not there. */
  const onPaper = async (page: Page, name: string): Promise<string> => {
    await page.emulateMedia({ media: 'print' });
    const folder = process.env['SCREENSHOTS_DIR'];
    if (folder !== undefined) await page.pdf({ path: `${folder}/${name}.pdf`, format: 'Letter' });
    // biome-ignore lint/performance/useDomNodeTextContent: what is not printed does not count
    return (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
  };

  test('is made, opened by somebody without an account, downloaded, and ended by its client', async () => {
    const { page, context, problems } = await console.open(`#/batches/${batch}`);
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('button', { name: 'Share…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Share this batch' });
    await dialog.getByText('There are no links.').waitFor();
    await dialog.getByText(/^From \w{3} \d+, \d{4}, a link shows only the totals/).waitFor();
    await dialog.getByLabel('The link expires after').selectOption('1');
    await dialog.getByText(/^From \w{3} \d+, \d{4}, a link shows only the totals/).waitFor({ state: 'hidden' });
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    const link = (await dialog.locator('code').textContent()) ?? '';
    expect(link).toMatch(/\/#\/shared\/b\w{25}\.[\w-]{32}$/);
    expect(await axeViolations(page)).toEqual([]);
    await keepShot(page, 'share', { theme: 'light', width: 1440 });

    const guest = await openPage(console.browser, console.service.api.url, { theme: 'light', width: 1440 });
    const asked: string[] = [];
    guest.page.on('request', (request) => asked.push(request.url()));
    await guest.page.goto(link.slice(link.indexOf('/#')));
    await guest.page.getByRole('heading', { name: 'june.csv', level: 1 }).waitFor();
    await guest.page.getByText(/^Demo Outfitters shared this result\. The link works until \w{3} \d+, \d{4}/).waitFor();
    await guest.page.getByText('All 37 priced shipments go by Carrier 1 Ground.').waitFor();
    await guest.page.getByText('Rows 1–25 of 39').waitFor();
    for (const name of ['Sign out', 'Share…', 'Delete', 'What if…'])
      expect(await guest.page.getByRole('button', { name }).count()).toBe(0);
    expect(await guest.page.getByRole('navigation').count()).toBe(0);
    const [download] = await Promise.all([
      guest.page.waitForEvent('download'),
      guest.page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('june.csv');
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toBe((await console.service.file(`/${batch}/output`)).text);
    const secret = link.slice(link.lastIndexOf('.') + 1);
    expect(asked.filter((url) => new URL(url).pathname.includes(secret) || url.includes(`?${secret}`))).toEqual([]);

    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('There are no links.').waitFor();
    await guest.page.reload();
    await guest.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    // Chromium logs the 404.
    expect([...problems, ...guest.problems.filter((text) => !text.includes('404'))]).toEqual([]);
    await guest.context.close();
    await context.close();
  });

  test.each(LOOKS)('looks right in $theme at $width px', async (look) => {
    for (const [result, heading] of [
      [batch, 'june.csv'],
      [comparison, 'What if: june.csv'],
    ] as const) {
      const guest = await openPage(console.browser, console.service.api.url, look);
      await guest.page.goto(await linkOf(result));
      await guest.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      await guest.page
        .getByText(result === batch ? 'Rows 1–25 of 39' : 'Scenarios')
        .first()
        .waitFor();
      await keepShot(guest.page, `shared-${heading.length}`, look);
      expect(await axeViolations(guest.page)).toEqual([]);
      expect(await sidewaysScroll(guest.page)).toBe(0);
      expect(guest.problems).toEqual([]);
      await guest.context.close();
    }
  });

  test('has on paper its totals and rows, and none of the controls', async () => {
    const { page, context } = await console.open(`#/batches/${batch}`);
    await page.getByText('Shipments by billing weight').first().waitFor();
    const text = await onPaper(page, 'batch');
    for (const word of ['june.csv', 'Total net charge', 'Shipments by billing weight', '2 shipments have a problem'])
      expect(text).toContain(word);
    for (const word of ['Sign out', 'Agreements', 'Download', 'Share…', 'Delete', 'Kept until', 'Glossary:', 'Fix 2'])
      expect(text).not.toContain(word);
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('link', { name: 'Rows', exact: true }).click();
    await page.getByText('Rows 1–25 of 39').waitFor();
    const rows = await onPaper(page, 'batch-rows');
    expect(rows).toContain('june.csv');
    expect(rows).toContain('Rows and prices');
    expect(rows).not.toContain('Shipments by billing weight');
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`/#/comparisons/${comparison}`);
    await page.getByRole('heading', { name: 'Scenarios' }).waitFor();
    const compared = await onPaper(page, 'comparison');
    for (const word of ['What if: june.csv', 'Scenarios']) expect(compared).toContain(word);
    for (const word of ['Sign out', 'Anyone who signs in', 'JSON', 'What if…', 'Delete'])
      expect(compared).not.toContain(word);
    await context.close();
  });
});
