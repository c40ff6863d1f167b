/** An agreement with every kind of clause, from its folder to what a client sees, in Chromium. */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_CLIENTS } from '../../src/base/config/settings.ts';
import { writeAgreementFolder } from '../../src/catalog/agreement/folder.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { PAPER, PAPER_TARIFF } from '../catalog/agreement/clauses/whole-paper.ts';
import { fixedTariffs } from '../http/api.ts';
import { axeViolations, hasChromium, keepShot, LOOKS, sidewaysScroll } from './chromium.ts';
import { type OperatorConsole, startOperatorConsole } from './operator-console.ts';

describe.skipIf(!hasChromium)('a contract with every kind of clause', () => {
  let dir: string;
  let ops: OperatorConsole;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'console-paper-'));
    const [clientsFile, agreementsDir] = ['clients.json', 'agreements'].map((name) => join(dir, name));
    if (clientsFile === undefined || agreementsDir === undefined) throw new Error('no names');
    await mkdir(agreementsDir);
    await copyFile(SAMPLE_CLIENTS, clientsFile);
    await writeAgreementFolder(join(dir, 'paper'), PAPER);
    const tariffs = fixedTariffs(scheduleOf([PAPER_TARIFF]));
    ops = await startOperatorConsole({ config: { clientsFile, agreementsDir }, app: { tariffs } });
  }, 120_000);
  afterAll(async () => {
    await ops.close();
    await rm(dir, { recursive: true, force: true });
  });

  test('is uploaded as a folder, checked, published, and shown whole', async () => {
    const { page, context, problems } = await ops.open('#/operator/agreements');
    const begun = performance.now();
    const seconds = (): string => `${((performance.now() - begun) / 1_000).toFixed(1)} s`;
    await page.getByRole('button', { name: 'Upload an agreement' }).click();
    await page.getByLabel('Name', { exact: true }).fill('acme');
    await page.getByLabel('From ship date').fill('2026-01-05');
    await page.getByRole('radio', { name: 'A folder' }).check();
    await page.getByLabel('Choose folder').setInputFiles(join(dir, 'paper'));
    await page.getByRole('button', { name: 'Check it' }).click();
    const publish = page.getByRole('button', { name: 'Publish from Jan 5, 2026' });
    await publish.waitFor();
    const checkedAfter = seconds();
    await keepShot(page, 'paper-checked', { theme: 'light', width: 1440 });
    await page.getByText('raises the base by 1.25%: is this what the contract says?').waitFor();
    await publish.click();
    await page.getByRole('heading', { level: 1, name: /^Agreement with Small/ }).waitFor();
    console.log(`checked after ${checkedAfter}, published after ${seconds()}`);
    const parts = {
      Discounts: ['Total off today', 'Quarterly revenue: tier', 'Weekly packages: tier', 'Discounts'],
      Minimums: ['Minimum charge and billing weight', 'Agreed multiweight prices'],
      Surcharges: [
        ...['Surcharges that differ from the list price', 'Agreed fuel rates by fuel price', 'Fees outside the tariff'],
      ],
      Notes: ['Notes'],
    };
    for (const [tab, headings] of Object.entries(parts)) {
      await page.getByRole('link', { name: tab, exact: true }).click();
      await page.getByRole('heading', { name: headings[0] ?? '', exact: true }).waitFor();
      expect(await page.getByRole('heading').allTextContents()).toEqual([
        'Agreement with Small in force',
        'What it says',
        ...headings,
      ]);
    }
    await page.getByRole('link', { name: 'Rate card' }).click();
    await page.getByRole('heading', { name: 'Surcharges at the list price' }).waitFor();
    for (const look of LOOKS) {
      const other = await ops.open('#/operator/agreements/acme', look);
      await other.page.getByRole('heading', { level: 1, name: /^Agreement with Small/ }).waitFor();
      for (const tab of [...Object.keys(parts), 'Rate card']) {
        await other.page.getByRole('link', { name: tab, exact: true }).click();
        await other.page.waitForLoadState('networkidle');
        await keepShot(other.page, `paper-${tab.split(' ', 1).join()}`, look);
        expect(await axeViolations(other.page)).toEqual([]);
        expect(await sidewaysScroll(other.page)).toBe(0);
      }
      await other.context.close();
    }
    expect(problems).toEqual([]);
    await context.close();
  }, 180_000);
});
