/** The page of agreements, and the rate card of a client that has one. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Assigned } from '../../src/catalog/agreement/account.ts';
import { agreementFile } from '../../src/catalog/agreement/document.ts';
import { ACME_C1 } from '../catalog/agreement/acme-c1.ts';
import { EARNED, programAgreement } from '../catalog/agreement/clauses/programs.ts';
import { apiWithAgreements } from '../http/agreement-api.ts';
import {
  axeViolations,
  hasChromium,
  keepShot,
  LOOKS,
  type Look,
  openPage,
  sidewaysScroll,
  startChromium,
  type WatchedPage,
} from './chromium.ts';
import { signIn } from './console.ts';

const DAY = '2026-06-01';
const ACCOUNT: Assigned = { document: ACME_C1, account: '1X2Y3Z', warehouses: new Set([101, 102]) };
const DESK: Look = { theme: 'light', width: 1440 };

/** Without the labels that cells have on phones. */
const cellsOf = async (page: Page, table: RegExp, row: RegExp): Promise<string[]> => {
  const found = page.getByRole('table', { name: table }).getByRole('row', { name: row }).first();
  const values = found.locator('.cell-value');
  return (await values.count()) > 0 ? await values.allTextContents() : await found.getByRole('cell').allTextContents();
};

describe.skipIf(!hasChromium)('the pages of a client with agreements', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  /** Opens a page of a client with these agreements on a day, in each look. */
  const open = async (
    agreements: readonly Assigned[],
    day: string,
    hash: string,
    check: (watched: WatchedPage, look: Look) => Promise<void>,
    looks: readonly Look[] = [DESK],
  ): Promise<void> => {
    const api = await apiWithAgreements(day, agreements, []);
    try {
      for (const look of looks) {
        const watched = await openPage(browser, api.url, look);
        await signIn(watched.context);
        await watched.page.goto(`/${hash}`);
        await watched.page.getByRole('heading', { level: 1 }).waitFor();
        await check(watched, look);
        expect(watched.problems).toEqual([]);
        await watched.context.close();
      }
    } finally {
      await api.close();
    }
  };

  const isSound = async (page: Page, name: string, look: Look): Promise<void> => {
    await keepShot(page, name, look);
    expect(await axeViolations(page)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  };

  test('show the tier, discounts, minimum charges and surcharges of an agreement', async () => {
    await open(
      [ACCOUNT],
      DAY,
      '#/agreements',
      async ({ page }, look) => {
        await page.getByRole('heading', { level: 2, name: 'Agreement of Acme with Carrier 1' }).waitFor();
        await page.getByText('C1, Jan 1, 2026 to Dec 31, 2028; account 1X2Y3Z, warehouses 101 and 102').waitFor();
        const figures = await page.locator('.figure').allTextContents();
        expect(figures).toEqual([
          'In forceTier 2since May 17, 2026, by average spend',
          'Average weekly spend$18,0003 known of 52 weeks, to May 23, 2026',
          'Needed for the next tier$12,000more a week on average, for Tier 3',
        ]);
        expect(await cellsOf(page, /^Ground incentive: Carrier 1 Ground/, /11 lb and up/)).toEqual(['18.5%', '9.5%']);
        expect(await cellsOf(page, /^Ground incentive: Carrier 1 Ground/, /6–10 lb/)).toEqual(['10%', '2.5%']);
        expect(await cellsOf(page, /^Express incentive: Carrier 1 Express/, /All weights/)).toEqual(['32%', '35%']);
        expect(await cellsOf(page, /^Earned discount: All C1 services/, /All weights/)).toEqual(['3%', '5%', '7.5%']);
        await isSound(page, 'agreements', look);
        await page.getByRole('link', { name: 'Minimums' }).click();
        expect(await cellsOf(page, /^Minimum charges/, /C1-GROUND/)).toEqual([
          ...['$8.75list: $8.80', 'the rate of zone 2 at 1 lb, less $0.50', '166only over 1,728 cubic incheslist: 139'],
        ]);
        await isSound(page, 'agreements-minimums', look);
        await page.getByRole('link', { name: 'Surcharges' }).click();
        expect(await cellsOf(page, /^Surcharges by/, /^Direct signature/)).toEqual([
          ...['$6.80', 'waived', 'All C1 services', 'waived'],
        ]);
        await isSound(page, 'agreements-surcharges', look);
      },
      LOOKS,
    );
  }, 180_000);

  test('show the tiers of programs, their figures, until when they are in force and what the next ones need', async () => {
    const document = programAgreement({}, EARNED, { carrier: 'C1' });
    await open(
      [{ document }],
      '2026-07-02',
      '#/agreements',
      async ({ page }, look) => {
        await page.getByRole('heading', { level: 3, name: 'Ground volume: tier' }).waitFor();
        expect((await page.getByRole('heading', { level: 3 }).allTextContents()).slice(0, 4)).toEqual([
          ...['Total off today', 'Tier', 'Ground volume: tier', 'Express revenue: tier'],
        ]);
        // 10% base, 1.5% weekly and 2% portfolio. No service of the tariff has the other programs.
        expect(await cellsOf(page, /^Discounts with one/, /^Total/)).toEqual(['All C1 services', '13.5%']);
        expect((await page.locator('.figure').allTextContents()).slice(3)).toEqual([
          'In forceG1since Jul 1, 2026, until Sep 30, 2026, by quarterly packages',
          'Quarterly packages1,300 packagesin the quarter to Jun 30, 2026',
          'Needed for the next tier1,200 packagesmore a quarter, for G2',
          'In forceE2since Apr 26, 2026, until Jul 4, 2026, by annualized spend',
          'Annualized spend$260,000over 4 weeks, to Jun 27, 2026',
          'Needed for the next tier—It is the highest tier',
        ]);
        await page.getByText('1,300 packages of the 2,500 packages that G2 needs').waitFor();
        expect(await cellsOf(page, /^Tiers by quarterly packages$/, /G1/)).toEqual(['1,000 to 2,499 packages', '3%']);
        expect(await cellsOf(page, /^Tiers by annualized spend$/, /E2/)).toEqual([
          '$250,000 and up',
          'Express revenue 6%, Portfolio 2%',
        ]);
        await isSound(page, 'agreements-programs', look);
      },
      LOOKS,
    );
  }, 180_000);

  test('say that a client without an agreement pays the list price', async () => {
    await open([], DAY, '#/agreements', async ({ page }) => {
      await page.getByText('You have no agreement').waitFor();
      await page.getByText('You pay the list price').waitFor();
      await isSound(page, 'agreements-none', DESK);
      await page.getByRole('link', { name: 'See the rate cards' }).click();
      await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
    });
  }, 60_000);

  test('say that an agreement has ended, has not begun, or will change', async () => {
    const amended = { ...ACME_C1, amendments: [{ from: '2026-07-01', surcharges: [] }] };
    const others = [
      [{ document: ACME_C1 }, '2029-02-01', 'This agreement ended on Dec 31, 2028'],
      [{ document: ACME_C1 }, '2025-12-01', 'This agreement begins on Jan 1, 2026'],
      [{ document: amended }, '2026-06-20', 'An amendment takes effect on Jul 1, 2026'],
    ] as const;
    for (const [assigned, day, text] of others)
      await open([assigned], day, '#/agreements', async ({ page }) => {
        await page.getByText(text).waitFor();
        expect(await axeViolations(page)).toEqual([]);
        await keepShot(page, `agreements-${day}`, DESK);
      });
  }, 120_000);

  test('show the agreement that the address names, and that another’s is not found', async () => {
    const file = agreementFile.parse({ ...ACME_C1.file, name: 'acme-c2', carrier: 'C2', description: '' });
    const second = { document: { ...ACME_C1, file } };
    await open([ACCOUNT, second], DAY, '#/agreements/acme-c2', async ({ page }) => {
      await page.getByRole('heading', { level: 2, name: 'acme-c2' }).waitFor();
      const links = page.getByRole('navigation', { name: 'Your agreements' }).getByRole('link');
      expect(await links.allTextContents()).toEqual(['acme-c1C1, in force', 'acme-c2C2, in force']);
      await isSound(page, 'agreements-two', DESK);
      await links.first().click();
      await page.getByRole('heading', { level: 2, name: 'Agreement of Acme with Carrier 1' }).waitFor();
      await page.goto('/#/agreements/others-c1');
      await page.getByText('You have no agreement with this name').waitFor();
    });
  }, 60_000);

  test('show list price, discount and what the client pays, for a business and a home', async () => {
    await open(
      [ACCOUNT],
      DAY,
      '#/tariffs?tab=rates',
      async ({ page }, look) => {
        const card = page.getByRole('table', { name: /^What you pay for a package by Carrier 1 Ground/ });
        // 9% of 9.25 is 0.83, but the minimum charge leaves 0.50.
        await card.getByText('$8.75 minimum').first().waitFor();
        const row = (at: number) => card.getByRole('row').nth(at).getByRole('cell').allTextContents();
        const [usual, , lowest, next] = await row(1);
        expect([usual, lowest, next]).toEqual(['−9%', '$8.75 minimum', '$8.83']);
        const [off, , heavy] = await row(11);
        expect([off, heavy]).toEqual(['−23.5%', '$10.21']);
        await page.getByText('Minimum charge: $8.75 per package.').waitFor();
        await keepShot(page, 'rate-card', look);
        await page.getByLabel('To', { exact: true }).selectOption('a home');
        await card.getByText('−7.5%').first().waitFor();
        const [offAtHome, , atHome] = await row(11);
        expect([offAtHome, atHome]).toEqual(['−14.5%', '$11.41']);
        await isSound(page, 'rate-card-home', look);
        await page.getByRole('link', { name: 'Surcharges', exact: true }).click();
        await page.getByRole('table', { name: /^Surcharges on/ }).waitFor();
        expect(await cellsOf(page, /^Surcharges on/, /^Direct signature/)).toEqual([
          ...['Direct signature', '$6.80', 'waived'],
        ]);
        await isSound(page, 'rate-card-surcharges', look);
        await page.getByRole('link', { name: 'Rates', exact: true }).click();
        await page.getByLabel('From warehouse').selectOption('103');
        await page.getByText('You pay the list price, because this service has no discount.').waitFor();
      },
      [
        { theme: 'dark', width: 1440 },
        { theme: 'light', width: 390 },
      ],
    );
  }, 180_000);

  const quoted = async (page: Page): Promise<string[]> => {
    await page.getByLabel('Service', { exact: true }).selectOption('C1-GROUND');
    await page.getByLabel('To ZIP code').fill('02139');
    await page.getByLabel('Weight', { exact: true }).fill('1');
    await page.getByText(/^More options/).click();
    await page.getByLabel('Signature').selectOption('direct');
    await page.getByRole('button', { name: 'Get quote' }).click();
    const lines = page.getByRole('table', { name: 'Package 1' }).getByRole('row');
    await lines.first().waitFor();
    return (await lines.allTextContents()).slice(1);
  };

  test('show each discount of a quote, what the minimum cancels, and what is waived', async () => {
    const { tables } = ACME_C1;
    const half = tables.discounts.map((line) => ({ ...line, percent: '50.00' }));
    const document = { ...ACME_C1, tables: { ...tables, discounts: half } };
    await open(
      [{ document }],
      '2026-06-20',
      '#/quote',
      async ({ page }, look) => {
        const lines = await quoted(page);
        await keepShot(page, 'quote-agreement', look);
        expect(lines).toEqual([
          'Base charge$9.70',
          'Ground incentive50% of $9.70−$4.85',
          'Earned discount50% of $9.70−$4.85',
          'Minimum charge$0.00 raised to $8.75$8.75',
          'Direct signature required$6.80 per package, waivedwaived',
          'Fuel10% of the discounted base charge of $8.75: 12.5% in the list, less 20%$0.88',
        ]);
        await page.getByText('Reasons and sources').click();
        for (const source of [
          'Base charge: rates/C1-GROUND.csv, row 1, column 3',
          // The rest is in the lines above.
          'Ground incentive: acme-c1/discounts.csv row 2',
          'Earned discount: acme-c1/discounts.csv row 10',
          'Minimum charge: acme-c1/minimums.csv row 2',
          'Direct signature required: acme-c1/surcharges.csv row 3; direct signature',
          'Fuel: acme-c1/surcharges.csv row 4',
        ])
          await page.getByText(source, { exact: true }).waitFor();
        await page.getByText('by your agreement acme-c1 on the tariff').waitFor();
        expect(await page.getByText(/tier/i).allTextContents()).toEqual([
          'Your tier is based on your spend up to May 23, 2026. Your discount may have changed since then.',
        ]);
        await isSound(page, 'quote-agreement', look);
      },
      [DESK, { theme: 'dark', width: 390 }],
    );
  }, 120_000);

  test('say in a quote that the agreement has ended', async () => {
    await open([ACCOUNT], '2029-01-01', '#/quote', async ({ page }) => {
      await quoted(page);
      await page.getByText('Your agreement ended on Dec 31, 2028. This is the list price.').waitFor();
      await page.getByText('at the list prices of the tariff').waitFor();
    });
  }, 60_000);
});
