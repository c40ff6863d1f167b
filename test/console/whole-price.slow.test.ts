/** Options, sizes that a service does not take, and prices that lack something, on the pages. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { smallTariff } from '../catalog/tariff/small-tariff.ts';
import { hasChromium, keepShot, LOOKS, type WatchedPage } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

/** Charges for adult signatures and nothing else; accepts packages up to 108 inches. No fuel, no residential charge. */
const TARIFF = smallTariff({
  file: {
    surcharges: [
      {
        type: 'SIGNATURE_ADULT',
        description: 'Adult signature',
        when: { signature: ['adult'] },
        amount: { per: 'package', usd: '9.35' },
      },
    ],
  },
  service: {
    dimensionalFactor: 10_000,
    maximumLengthIn: 108,
    maximumLengthPlusGirthIn: 165,
    hasNo: ['deliveryArea', 'handling'],
  },
});

describe.skipIf(!hasChromium)('the whole price', { timeout: 60_000 }, () => {
  let console: TestConsole;
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    console = await startConsole({ schedule: scheduleOf([TARIFF]) });
    watched = await console.open('#/quote');
    page = watched.page;
  });
  afterEach(() => expect(watched.problems).toEqual([]));
  afterAll(() => console.close());

  const field = (label: string) => page.getByLabel(label, { exact: true });
  const ask = async (): Promise<void> => {
    const answered = page.waitForResponse((response) => response.url().includes('/shipment/rates'));
    await page.getByRole('button', { name: 'Get quote' }).click();
    await answered;
  };
  const again = async (): Promise<void> => {
    await page.goto('/#/quote');
    await page.reload();
    await field('To ZIP code').fill('10001');
    await field('Weight').fill('1');
  };

  test('a quote has the options of the form, and says in words what its price lacks', async () => {
    await again();
    await field('Residential address').check();
    await page.getByText(/^More options/).click();
    await field('Signature').selectOption('adult');
    await field('Declared value, USD').fill('250');
    await field('Saturday delivery').check();
    await ask();
    const receipt = page.getByRole('article', { name: 'Receipt of GROUND' });
    await receipt.waitFor();
    expect(await page.getByRole('row', { name: /^Adult signature/ }).textContent()).toContain('$9.35');
    expect(await receipt.locator('.doubt').textContent()).toBe(
      'This price does not include the fuel surcharge, the residential charge, the Saturday delivery charge, and the declared value charge, because the tariff has none for this day. The bill may be higher.',
    );
    expect(await receipt.locator('.big').textContent()).toBe('at least $19.35');
    expect(await receipt.locator('.receipt-sum').textContent()).toBe('Total to pay, USDat least $19.35');
    for (const look of LOOKS) {
      await page.setViewportSize({ width: look.width, height: 1_000 });
      await page.emulateMedia({ colorScheme: look.theme });
      await keepShot(page, 'whole-price', look);
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  test('a compared price says beside it what it lacks, and is not called the cheapest', async () => {
    const complete = smallTariff({
      file: { name: 'complete' },
      service: { code: 'AIR' },
      document: { rates: { AIR: { columns: ['2', '8'], cents: [[1_150, 2_000]] } } },
    });
    const own = await startConsole({ schedule: scheduleOf([TARIFF, complete]) });
    const { page: compared } = await own.open('#/quote');
    await compared.getByLabel('To ZIP code').fill('10001');
    await compared.getByLabel('Weight', { exact: true }).fill('1');
    await compared.getByRole('button', { name: 'Get quote' }).click();
    const table = compared.getByRole('table', { name: /^Available services, lowest known price first\./ });
    await table.waitFor();
    const totals = await table.locator('tbody tr td:last-child').allTextContents();
    expect(totals).toEqual(['Totalat least $10.00without the fuel surcharge', 'Total$11.50']);
    expect(await compared.getByText('The bill may be higher').count()).toBe(1);
    for (const look of LOOKS) {
      await compared.setViewportSize({ width: look.width, height: 1_000 });
      await compared.emulateMedia({ colorScheme: look.theme });
      await keepShot(compared, 'compared-whole-price', look);
    }
    await own.close();
  });

  test('a package that is too large is reported at its dimensions', async () => {
    await again();
    await page.getByRole('button', { name: 'Add a package' }).click();
    await field('Weight').nth(1).fill('1');
    for (const [side, value] of Object.entries({ Length: '121', Width: '1', Height: '1' }))
      await field(side).nth(1).fill(value);
    await ask();
    const second = page.getByRole('group', { name: 'Package 2' });
    expect(await second.locator('.field-error').textContent()).toBe(
      'GROUND accepts packages up to 108 IN in length; package 2 has 121 IN.',
    );
    expect(await page.getByRole('group', { name: 'Package 1' }).locator('.field-error').count()).toBe(0);
    await keepShot(page, 'too-large', { theme: 'light', width: 1_440 });
    for (const [side, value] of Object.entries({ Length: '100', Width: '20', Height: '20' }))
      await field(side).nth(1).fill(value);
    await ask();
    await page.getByText('165 IN in length plus girth; package 2 has 180 IN.').first().waitFor();
  });

  test('a declared value that cannot be read is reported at its field', async () => {
    await again();
    await page.getByText(/^More options/).click();
    await field('Declared value, USD').fill('$1,250');
    await ask();
    await page.getByText('Must be a number of dollars, such as 1250.50.').waitFor();
    expect(await page.locator('input:focus').inputValue()).toBe('$1,250');
  });

  test('a batch says in how many rows its prices lack something, and marks the columns of a size', async () => {
    const list =
      'warehouse_id,postalCode,weight_value,weight_units,residential,saturday,length,width,height,dimension_units\n' +
      '101,10001,1,LB,true,yes,,,,\n101,10001,1,LB,,,,,,\n101,10001,1,LB,,,121,1,1,IN\n';
    const stop = await console.service.work();
    const id = await console.service.upload(list, '?filename=sizes.csv');
    await console.service.ended(id);
    await stop();
    const summary = await console.service.call('GET', `/${id}/summary`);
    expect(summary.body.incomplete).toEqual({
      rows: 2,
      totalNetCharge: 20,
      missing: { fuel: 2, residential: 1, saturday: 1 },
    });
    await page.goto(`/#/batches/${id}`);
    await page.getByText('without the fuel surcharge', { exact: false }).first().waitFor();
    await page.getByText('1 kind of warning').click();
    const warnings = page.getByRole('table', { name: 'Warnings, in the column quote_warnings' });
    expect(await warnings.getByRole('row', { name: /^Incomplete price/ }).textContent()).toBe(
      'Incomplete price' +
        'the fuel surcharge (2 shipments), the residential charge (1 shipment), and the Saturday delivery charge (1 shipment)' +
        '2$20.00',
    );
    expect(await page.locator('.doubt').textContent()).toBe(
      'All prices are without the fuel surcharge; ' +
        '1 price is without the residential charge or the Saturday delivery charge. ' +
        'The bill may differ until the tariff or the agreement is updated.',
    );
    await page.getByRole('link', { name: 'Fix 1 problem' }).click();
    await page.getByText('Too long or too large for the service').first().waitFor();
    await keepShot(page, 'whole-price-batch', { theme: 'light', width: 1_440 });
  });
});
