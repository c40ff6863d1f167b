/** An operator publishes next year's rates in the console: from small files, and from the carriers' own where they are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BatchApi, startBatchApi } from '../http/batch-api.ts';
import { filesOf, startTariffApi } from '../http/operator/tariff-api.ts';
import { testRedis } from '../redis.ts';
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
import { typeSignIn } from './operator-console.ts';

const DESKTOP: Look = { theme: 'light', width: 1440 };

const carriers = process.env['CARRIER_FILES'] ?? join(import.meta.dirname, '../../../shared/carrier-files');
const charges = process.env['CARRIER_CHARGES'] ?? join(import.meta.dirname, '../../../shared/carrier-charges');
const hasCarriers = existsSync(join(carriers, 'ups-zone-charts')) && existsSync(charges);
if (!hasCarriers) process.stderr.write(`Publishing the carriers' own files is not tested: none in ${carriers}\n`);

const inFolder = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe.skipIf(!hasChromium)('an operator', () => {
  let redis: Awaited<ReturnType<typeof testRedis>>;
  let service: BatchApi;
  let setup: Awaited<ReturnType<typeof startTariffApi>>;
  let browser: Browser;
  beforeAll(async () => {
    redis = await testRedis();
    service = await startBatchApi({ redisUrl: redis.url });
    setup = await startTariffApi(service);
    browser = await startChromium();
    const ada = await setup.signInAs('Ada');
    const draft = await ada.imported({ name: 'post-2026', effectiveDate: '2026-01-05' }, filesOf('6.90'));
    await ada.post(`/ops/tariff-drafts/${draft.id}/publish`, {
      tariff: draft.imported.tariff,
      replace: false,
      acceptDoubts: false,
      version: null,
    });
    await ada.remove(`/ops/tariff-drafts/${draft.id}`);
  }, 180_000);
  afterAll(async () => {
    await browser.close();
    await setup.close();
    await service.close();
    await redis.stop();
  });

  const open = async (look: Look): Promise<WatchedPage> => {
    const watched = await openPage(browser, setup.api.url, look);
    await watched.page.goto('/#/operator/tariffs');
    await typeSignIn(watched.page);
    await watched.page.getByRole('heading', { name: 'History' }).waitFor();
    return watched;
  };

  const judge = async (page: Page, name: string, look: Look): Promise<string[]> => {
    await keepShot(page, name, look);
    const sideways = await sidewaysScroll(page);
    return [...(await axeViolations(page)), ...(sideways > 0 ? [`${name} is ${sideways} px too wide`] : [])];
  };

  const begin = async (page: Page, name: string, date: string): Promise<void> => {
    await page.getByRole('button', { name: 'New draft' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('In force from').fill(date);
    await page.getByRole('button', { name: 'Create the draft' }).click();
    await page.getByRole('heading', { name: 'Files' }).waitFor();
  };

  /** Opens the dialog, reads it, ticks each doubt, and publishes. */
  const publish = async (page: Page, from: string, wrong: string[] = []): Promise<string> => {
    const [, warnings] = /no errors, (\w+) warning/.exec((await page.textContent('main')) ?? '') ?? [];
    await page.getByRole('button', { name: `Publish from ${from}`, exact: true }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Publish the tariff' });
    await confirm.waitFor();
    const boxes = await dialog.getByRole('checkbox').all();
    const waits = dialog.getByText(/^\d+ of \d+ warnings? checked$/);
    if (boxes.length > 0) expect(await waits.textContent()).toMatch(new RegExp(`^0 of ${warnings} `));
    await keepShot(page, 'operator-draft-unchecked', DESKTOP);
    for (const box of boxes) {
      expect(await confirm.isDisabled()).toBe(true);
      await box.check();
    }
    expect(await waits.count()).toBe(0);
    for (const more of await dialog.getByText(/^Show \d+ lines$/).all()) await more.click();
    wrong.push(...(await judge(page, 'operator-draft-publish', DESKTOP)));
    const text = (await dialog.textContent()) ?? '';
    await confirm.click();
    return text;
  };

  test('publishes next year’s rates from dropped files, and goes back', async () => {
    const { page, problems, context } = await open(DESKTOP);
    const wrong = await judge(page, 'operator-tariffs', DESKTOP);
    await begin(page, 'post-2027', '2027-01-04');
    wrong.push(...(await judge(page, 'operator-draft-empty', DESKTOP)));
    const files = Object.entries(filesOf('7.59', '2')).map(([name, text]) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    }));
    await page.getByLabel('Choose files').setInputFiles([...files, { ...files[0], name: 'again.csv' } as never]);
    await page.getByText('again.csv has the same content as rates.csv.').waitFor();
    await page.getByRole('button', { name: 'Import 2 files' }).click();
    await page.getByRole('heading', { name: 'Import report' }).waitFor({ timeout: 120_000 });
    await page.getByText('$7.90 for 2 lb to zone 2').waitFor();
    await page.getByText('Files: add some, change options or import again').click();
    await page.getByRole('table', { name: 'Files of the draft' }).getByText('zone chart (CSV)').waitFor();
    await page.getByText('Rates, charges and zones').click();
    await page
      .getByText(
        'Compared with post-2026, 1 of 4 rates changes (+10%) and zones change from 1 origin. Nothing else changes.',
      )
      .waitFor({ timeout: 120_000 });
    await page.getByText('1 of 4', { exact: true }).waitFor();
    await page.getByText('+10% at 1 lb, zone 2 ($6.90 → $7.59)').waitFor();
    await page.getByText('Zones of ZIP code ranges: 1 changed').waitFor();
    await page.getByLabel('Change for a ZIP code').fill('606');
    await page.getByText('ZIP codes 606..: zone 3, then zone 2').first().waitFor();
    wrong.push(...(await judge(page, 'operator-draft', DESKTOP)));
    const asked = await publish(page, 'Jan 4, 2027', wrong);
    expect(asked).toContain('It applies to 2 clients starting Jan 4, 2027');
    expect(asked).toContain('Compared with post-2026, 1 of 4 rates changes (+10%)');
    await page.getByText(/^Published: post-2027 from Jan 4, 2027/).waitFor({ timeout: 120_000 });
    await page.getByRole('link', { name: 'Tariffs', exact: true }).first().click();
    const row = page.getByRole('row', { name: /post-2027/ }).first();
    await row.getByText('upcoming').waitFor();
    expect(await row.getByRole('link', { name: '2 files' }).getAttribute('href')).toMatch(
      /^#\/operator\/tariffs\/[^@]+$/,
    );
    wrong.push(...(await judge(page, 'operator-tariffs-published', DESKTOP)));
    expect(setup.tariffs.current().documents.map(({ file }) => file.name)).toEqual(['post-2026', 'post-2027']);
    expect(setup.tariffs.current().bookOn('2027-01-04').cards[0]?.rates[1]).toBe(759);

    await page.getByRole('row', { name: /^1 / }).getByRole('button', { name: 'Go back' }).click();
    await page
      .getByRole('dialog')
      .getByText(/^Ship dates from Jan 4, 2027: post-2027 no longer applies, and post-2026 does/)
      .waitFor();
    wrong.push(...(await judge(page, 'operator-tariffs-back', DESKTOP)));
    await page.getByRole('dialog').getByRole('button', { name: 'Go back to version 1' }).click();
    await page.getByText('Withdrawn: post-2027 from Jan 4, 2027.').nth(1).waitFor({ timeout: 120_000 });
    expect(await page.getByRole('row', { name: /^2 / }).textContent()).toContain(
      'Published: post-2027 from Jan 4, 2027.',
    );
    expect(setup.tariffs.current().documents.map(({ file }) => file.name)).toEqual(['post-2026']);
    expect([...wrong, ...problems]).toEqual([]);
    await context.close();
  }, 400_000);

  test('sees which file cannot be read and why, and goes on', async () => {
    const { page, problems, context } = await open(DESKTOP);
    await begin(page, 'wrong', '2027-02-01');
    const files = { ...filesOf('6.90'), 'notes.txt': 'nothing of use' };
    await page
      .getByLabel('Choose files')
      .setInputFiles(
        Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })),
      );
    await page.getByRole('button', { name: 'Import 3 files' }).click();
    await page.getByText('Nothing was imported').waitFor({ timeout: 120_000 });
    await page.getByRole('alert').getByText('notes.txt:').waitFor();
    await page.getByRole('row', { name: /^notes\.txt.*refused.*it is of no known kind/ }).waitFor();
    expect(await page.getByText('not imported yet').count()).toBe(2);
    const wrong = await judge(page, 'operator-draft-refused', DESKTOP);
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    await page.getByRole('button', { name: 'Import 2 files' }).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard the draft' }).click();
    await page.getByRole('heading', { name: 'Tariffs', level: 1 }).waitFor();
    expect([...wrong, ...problems]).toEqual([]);
    await context.close();
  }, 300_000);

  test('finds the pages readable in each theme and width', async () => {
    const ada = await setup.signInAs('Ada');
    const draft = await ada.imported({ name: 'looks', effectiveDate: '2027-03-01' }, filesOf('7.59', '2'), 120_000);
    for (const look of TABLE_LOOKS) {
      const { page, problems, context } = await open(look);
      const wrong = await judge(page, 'operator-tariffs', look);
      await page.getByRole('table', { name: 'Tariffs' }).getByRole('link').first().click();
      await page.getByText('A client pays the list price, unless it has a discount or an agreement.').waitFor();
      wrong.push(...(await judge(page, 'operator-tariff', look)));
      expect(await page.getByRole('link', { name: 'missing' }).first().getAttribute('href')).toBe('#/operator/tariffs');
      await page.goto(`/#/operator/tariffs/${draft.id}`);
      await page.getByText('Rates, charges and zones').click();
      await page.getByText('+10% at 1 lb').waitFor();
      wrong.push(...(await judge(page, 'operator-draft', look)));
      expect([...wrong, ...problems]).toEqual([]);
      await context.close();
    }
  }, 600_000);

  test.skipIf(!hasCarriers)(
    'publishes the carriers’ own files',
    async () => {
      const { page, problems, context } = await open(DESKTOP);
      await begin(page, 'carriers-2026', '2026-04-20');
      const files = [...inFolder(carriers), ...inFolder(charges)];
      // Its own name states the origin.
      const phoenix = files.find((path) => path.endsWith('Phoenix-850.csv')) ?? '';
      await page.getByLabel('Choose files').setInputFiles(files.filter((path) => path !== phoenix));
      await page
        .getByLabel('Choose files')
        .setInputFiles([{ name: 'phoenix.csv', mimeType: 'text/csv', buffer: readFileSync(phoenix) }]);
      await page.getByRole('button', { name: `Import ${files.length} files` }).click({ timeout: 120_000 });
      await page.getByText(/^Reading .*: \d+ of 21 files are done/).waitFor();
      await page.getByText('Where does phoenix.csv ship from?').waitFor();
      const wrong = await judge(page, 'operator-draft-importing', DESKTOP);
      await page.getByLabel('Origin of phoenix.csv').fill('850');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      // The import that asked goes on: nobody imports again.
      await page.getByText('15 services, no errors, 13 warnings.').waitFor({ timeout: 600_000 });
      wrong.push(...(await judge(page, 'operator-draft-carriers', DESKTOP)));
      // The report, publishing and the folded rest are on one screen.
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      expect(height).toBeLessThanOrEqual(900);
      // What leaves shipments without a price, or with an incomplete one, needs no click.
      const shown = await page.locator('.report details[open] summary').allTextContents();
      expect(shown).toEqual([
        expect.stringMatching(/^When it begins/),
        expect.stringMatching(/^Shipments without a price/),
        expect.stringMatching(/^Incomplete/),
      ]);
      await page.getByText(/^Other warnings/).click();
      const warnings = await page.getByRole('listitem').allTextContents();
      expect(warnings).toContain(
        'FedEx Express Saver: no rates for zones 9, 10, 11, 12 of zone chart fdx, so nothing can be quoted there',
      );
      expect(warnings).toHaveLength(13);
      expect(warnings[1]).toContain('nothing can be quoted there');
      expect(warnings.join('\n')).not.toMatch(/surcharges\[|\.csv row|declaredValue/);
      const asked = await publish(page, 'Apr 20, 2026', wrong);
      expect(asked).toContain('New tariff: 15 services. No other tariff has any of them.');
      expect(asked).toContain('in the past: quotes change at once');
      // The lines that one tick accepts can be read next to it.
      expect(asked).toContain(warnings.at(-1));
      await page.getByText(/^Published: carriers-2026 from Apr 20, 2026/).waitFor({ timeout: 300_000 });
      expect(setup.tariffs.current().bookOn('2026-05-01').byCode.has('FDX-GROUND')).toBe(true);
      expect([...wrong, ...problems]).toEqual([]);
      await context.close();
    },
    1_800_000,
  );
});
