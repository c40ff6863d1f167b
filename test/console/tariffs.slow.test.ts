import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { completeTariff } from '../catalog/tariff/complete-tariff.ts';
import { fixedTariffs, startApi } from '../http/api.ts';
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
import { signIn, startConsole, type TestConsole } from './console.ts';

/** The reference tariff with another name and date, and each rate some cents higher. */
const tariffFrom = async (name: string, effective: string, more: number) => {
  const reference = await readTariffFolder('samples/tariffs/reference');
  if (!('document' in reference)) throw new Error(JSON.stringify(reference.findings));
  const { document } = reference;
  const rates = Object.fromEntries(
    Object.entries(document.rates).map(([code, table]) => [
      code,
      { ...table, cents: table.cents.map((row) => row.map((cents) => (cents === null ? null : cents + more))) },
    ]),
  );
  return { ...document, rates, file: { ...document.file, name, effective, fallback: false } };
};

const showTab = async (page: Page, name: string): Promise<void> =>
  await page.getByRole('navigation', { name: 'Parts of the tariff' }).getByRole('link', { name, exact: true }).click();

describe.skipIf(!hasChromium)('the tariffs page', () => {
  let console: TestConsole;
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    console = await startConsole();
    watched = await console.open('#/tariffs');
    page = watched.page;
    await page.getByRole('img', { name: /^Zones from/ }).waitFor();
  });
  afterEach(() => expect(watched.problems).toEqual([]));
  afterAll(() => console.close());

  test('lists the tariff in force with its services', async () => {
    await page.getByText('Today’s prices come from tariff “reference” (since Jan 1, 2020).').waitFor();
    await showTab(page, 'Coverage');
    await page.getByRole('heading', { name: 'reference' }).waitFor();
    // The choice of a service rules the other parts alone.
    expect(await page.getByLabel('Service', { exact: true }).isVisible()).toBe(false);
    await page.getByText('Weight limits, requirements and version').first().click();
    const services = page.getByRole('table', { name: 'Services of reference' });
    const row = services.getByRole('row', { name: /^Carrier 2 Ground C2-GROUND/ });
    expect(await row.locator('.cell-value').allTextContents()).toEqual(['C2', 'in force', '150', '166', 'required']);
    await page.getByText(/^Version reference@2020-01-01-/).waitFor();
    await showTab(page, 'Zones');
  });

  test('says the zone of a ZIP code', async () => {
    const zip = page.getByLabel('Zone of a ZIP code');
    await zip.fill('90210');
    await page.getByText('ZIP codes 902..: zone 8').first().waitFor();
    await zip.fill('021');
    await page.getByText('ZIP codes 021..: zone 3').first().waitFor();
    await zip.fill('00901');
    await page.getByText('ZIP codes 009..: not served').first().waitFor();
    await zip.fill('000');
    await page.getByText('No ZIP code begins with 000.').waitFor();
    await zip.fill('');
  });

  test('says the zone of the place under the pointer', async () => {
    const map = page.getByRole('img', { name: /^Zones from/ });
    const box = await map.boundingBox();
    // Kansas, the middle of the mainland.
    await map.hover({ position: { x: (box?.width ?? 0) * 0.49, y: (box?.height ?? 0) * 0.5 } });
    await page.getByText(/ZIP codes 6\d\d\.\.: zone 6/).waitFor();
  });

  test('shows the zones from another warehouse', async () => {
    await page.getByLabel('From warehouse').selectOption('103');
    await page.getByRole('img', { name: /^Zones from 103/ }).waitFor();
    await page.getByLabel('Zone of a ZIP code').fill('021');
    await page.getByText('ZIP codes 021..: zone 8').first().waitFor();
  });

  test('lists in a table what the map shows', async () => {
    await page.getByText('All ZIP codes by zone, as a table').click();
    const zones = page.getByRole('table', { name: /^First three digits/ });
    expect(await zones.getByRole('row', { name: /^Zone 1 / }).textContent()).toMatch(/^Zone 1\d+900–/);
    expect(await zones.getByRole('row', { name: /^Not served/ }).textContent()).toBe('Not served5006–009, 969');
  });

  test('shows the rate card of the chosen service, and its surcharges', async () => {
    await showTab(page, 'Rates');
    await page.getByLabel('Service', { exact: true }).selectOption('C1-GROUND');
    const card = page.getByRole('table', { name: /^Base charge of a package by Carrier 1 Ground/ });
    const row = await card.getByRole('row').nth(3).textContent();
    expect(row).toBe('3$9.48$10.07$10.66$11.25$11.84$12.43$13.02$13.61');
    expect(await card.getByRole('row').count()).toBe(51);
    await page.getByRole('button', { name: 'Show all 151' }).click();
    expect(await card.getByRole('row').count()).toBe(152);
    // Heavier packages pay for every pound.
    const above = card.getByRole('row', { name: /^over 150/ });
    expect(await above.getByRole('cell').first().textContent()).toBe('$0.41');
    await page.getByLabel('Service', { exact: true }).selectOption('C1-EXPRESS');
    await page.getByRole('table', { name: /^Base charge of a package by Carrier 1 Express/ }).waitFor();
    await showTab(page, 'Surcharges');
    const charges = page.getByRole('table', { name: 'Surcharges on the base charge' });
    // Only what a business can be charged.
    await charges.getByRole('row', { name: /^Fuel/ }).waitFor();
    expect(await charges.getByRole('row', { name: /^Residential delivery/ }).count()).toBe(0);
    await page.getByLabel('To', { exact: true }).selectOption('a home');
    await charges.getByRole('row', { name: /^Residential delivery/ }).waitFor();
    const whenOf = (name: RegExp) => charges.getByRole('row', { name }).locator('.cell-value').first().textContent();
    expect(await whenOf(/^Delivery area, residential/)).toBe('Residential address; ZIP code in this area');
    expect(await whenOf(/^Oversize/)).toMatch(/^Longest side over 96 in, or /);
    const priceOf = (name: RegExp) => charges.getByRole('row', { name }).locator('.cell-value').last().textContent();
    expect(await priceOf(/^Residential delivery/)).toBe('$5.15');
    expect(await priceOf(/^Fuel/)).toBe('15%');
    await charges.getByText('of the base charge and 9 surcharges').click();
    await charges.getByText(/Residential delivery; Delivery area, residential; /).waitFor();
    await showTab(page, 'Rates');
  });

  test('scrolls a rate card that is too wide with the keyboard', async () => {
    await page.setViewportSize({ width: 390, height: 740 });
    const card = page.getByRole('region', { name: /by billing weight and zone$/ });
    await card.focus();
    await page.keyboard.press('End');
    const scrolled = () => page.evaluate<number>("document.querySelector('.rate-card > .scroll-region').scrollTop");
    await expect.poll(scrolled).toBeGreaterThan(800);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

/** The complete tariff with many services, the half of them with rates alone. */
const partlyComplete = (): TariffDocument => {
  const { file, rates, ...rest } = completeTariff();
  const [ground] = file.services;
  if (ground === undefined) throw new Error('no service');
  const full = ['GROUND', 'HOME', '2DAY'].map((code) => ({ ...ground, code }));
  const bare = ['EXPRESS', 'SAVER', 'OVERNIGHT'].map((code) => {
    const { maximumLengthIn: _length, maximumLengthPlusGirthIn: _girth, ...terms } = ground;
    return { ...terms, code, carrier: 'Other' };
  });
  const services = [...full, ...bare];
  const surcharges = file.surcharges.map((entry) => ({ ...entry, services: full.map(({ code }) => code) }));
  const tables = Object.fromEntries(services.map(({ code }) => [code, rates['GROUND'] ?? { columns: [], cents: [] }]));
  return { ...rest, file: { ...file, services, surcharges }, rates: tables };
};

describe.skipIf(!hasChromium)('the coverage', () => {
  const open = async (day: string, check: (watched: WatchedPage, look: Look) => Promise<void>) => {
    const api = await startApi({
      tariffs: fixedTariffs(scheduleOf([partlyComplete()])),
      now: () => new Date(`${day}T12:00:00Z`),
    });
    const browser = await startChromium();
    try {
      for (const look of LOOKS) {
        const watched = await openPage(browser, api.url, look);
        await signIn(watched.context);
        await watched.page.goto('/#/tariffs?tab=coverage');
        await check(watched, look);
        expect(watched.problems).toEqual([]);
        await watched.context.close();
      }
    } finally {
      await browser.close();
      await api.close();
    }
  };

  test('says in words what each service has and lacks, and that fuel ends', async () => {
    await open('2026-06-12', async ({ page }, look) => {
      const table = page.getByRole('table', { name: /^What prices from small include on Jun 12, 2026/ });
      await table.waitFor();
      // Services with the same parts share a row.
      const cellsOf = (name: RegExp) => table.getByRole('row', { name }).locator('.cell-value').allTextContents();
      expect(await cellsOf(/^All 3 Small services/)).toEqual([
        'Chart: 101. Estimated: 102, 103',
        '25.5% to Jun 14, 2026',
        'yes',
        '2 tiers, 102 ZIP codes',
        'yes',
        '108 in long or 165 in length plus girth',
        'signature, Saturday, declared value',
      ]);
      expect(await cellsOf(/^All 3 Other services/)).toEqual([
        'Chart: 101. Estimated: 102, 103',
        ...['missing', 'missing', 'missing', 'missing', 'missing', 'missing signature, Saturday, declared value'],
      ]);
      await page.getByText('Fuel rates end within a week. Small: there are no rates after Jun 14, 2026.').waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
      expect(await table.getByRole('row', { name: /^All 3 Other/ }).textContent()).toMatch(
        /Small Ground \([-\w]+\), Small/,
      );
      await keepShot(page, 'tariffs-coverage', look);
    });
  }, 120_000);

  test('says since when the last fuel rate has applied', async () => {
    await open('2026-06-20', async ({ page }, look) => {
      await page
        .getByText('Prices use the last known fuel rate. Small: the last rate ended on Jun 14, 2026.')
        .waitFor();
      const table = page.getByRole('table', { name: /^What prices from small/ });
      expect(await table.getByRole('row', { name: /^All 3 Small/ }).textContent()).toContain(
        '25.5% ended Jun 14, 2026',
      );
      await keepShot(page, 'tariffs-fuel-over', look);
    });
  }, 120_000);
});

describe.skipIf(!hasChromium)('upcoming tariffs', () => {
  test('are listed separately, and show their zones and rates in advance', async () => {
    const now = () => new Date('2026-06-01T12:00:00Z');
    const documents = [await tariffFrom('year', '2026-01-05', 100), await tariffFrom('year', '2027-01-04', 200)];
    const schedule = scheduleOf(documents);
    const api = await startApi({ tariffs: fixedTariffs(schedule), now });
    const browser = await startChromium();
    try {
      const { page, context, problems } = await openPage(browser, api.url, { theme: 'light', width: 1440 });
      await signIn(context);
      await page.goto('/#/tariffs?tab=rates');
      const card = page.getByRole('table', { name: /^Base charge of a package/ });
      await card.getByText('$9.80', { exact: true }).waitFor();
      await showTab(page, 'Coverage');
      expect(await page.getByRole('heading', { level: 2, name: 'year' }).count()).toBe(2);
      await page.getByText('From Jan 4, 2027').waitFor();
      expect(await page.getByText('upcoming', { exact: true }).count()).toBe(4);
      await showTab(page, 'Rates');
      await page.getByLabel('As of').selectOption('Jan 4, 2027');
      await card.getByText('$10.80', { exact: true }).waitFor();
      await keepShot(page, 'tariffs-to-come', { theme: 'light', width: 1440 });
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      await api.close();
    }
  });

  test('can be chosen while none is in force, and the page says so', async () => {
    const now = () => new Date('2026-06-01T12:00:00Z');
    const schedule = scheduleOf([
      await tariffFrom('year', '2028-01-03', 200),
      await tariffFrom('year', '2027-01-04', 100),
    ]);
    const api = await startApi({ tariffs: fixedTariffs(schedule), now });
    const browser = await startChromium();
    try {
      for (const look of LOOKS) {
        const { page, context, problems } = await openPage(browser, api.url, look);
        await signIn(context);
        await page.goto('/#/tariffs?tab=rates');
        const none = page.getByText('No tariff is in force today', { exact: true });
        await none.waitFor();
        await page.getByText('with a ship date from Jan 4, 2027 on').waitFor();
        expect(await axeViolations(page)).toEqual([]);
        expect(await sidewaysScroll(page)).toBe(0);
        await keepShot(page, 'tariffs-none-today', look);
        const asOf = page.getByLabel('As of');
        expect(await asOf.locator('option').allTextContents()).toEqual(['today', 'Jan 4, 2027', 'Jan 3, 2028']);
        await asOf.focus();
        await asOf.selectOption('Jan 4, 2027');
        const card = page.getByRole('table', { name: /^Base charge of a package/ });
        await card.getByText('$9.80', { exact: true }).waitFor();
        expect(await page.locator('select:focus').inputValue()).toBe('2027-01-04');
        await asOf.selectOption('today');
        await none.waitFor();
        expect(problems).toEqual([]);
        await context.close();
      }
    } finally {
      await browser.close();
      await api.close();
    }
  }, 120_000);

  test('do not exist without an operator, and the page says so', async () => {
    const schedule = scheduleOf([]);
    const api = await startApi({ tariffs: fixedTariffs(schedule) });
    const browser = await startChromium();
    try {
      const { page, context, problems } = await openPage(browser, api.url, { theme: 'light', width: 1440 });
      await signIn(context);
      await page.goto('/#/tariffs');
      await page.getByText('No tariffs yet').waitFor();
      expect(await page.getByLabel('As of').count()).toBe(0);
      expect(problems).toEqual([]);
    } finally {
      await browser.close();
      await api.close();
    }
  });
});
