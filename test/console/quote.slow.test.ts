import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { chartedTariff, oneColumn } from '../catalog/tariff/small-tariff.ts';
import { rateRequest } from '../http/api.ts';
import { hasChromium, keepShot, type WatchedPage } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

const run = promisify(execFile);
/** The texts that are seen, such as those of rows. */
const shown = async (some: Locator): Promise<string[]> =>
  (await some.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());

const LINK = '#/quote?recipient.address.postalCode=02139&packageItems[0].weight.value=2.1';

const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => {
    console.warn('curl is not installed: the copied command is not tried.');
    return false;
  },
);

describe.skipIf(!hasChromium)('the quote page', () => {
  let console: TestConsole;
  let watched: WatchedPage;
  let page: Page;
  beforeAll(async () => {
    console = await startConsole();
    watched = await console.open('#/quote');
    page = watched.page;
  });
  afterEach(() => expect(watched.problems).toEqual([]));
  afterAll(() => console.close());

  const field = (label: string) => page.getByLabel(label, { exact: true });
  const fresh = async (): Promise<void> => {
    await page.goto('/#/quote');
    await page.reload();
  };
  const again = async (): Promise<void> => {
    await fresh();
    await field('To ZIP code').fill('02139');
    await field('Weight').fill('2.1');
  };
  const ask = async (): Promise<void> => {
    const answered = page.waitForResponse((response) => response.url().includes('/shipment/rates'));
    await page.getByRole('button', { name: 'Get quote' }).click();
    await answered;
  };
  const receipt = (service: string) => page.getByRole('article', { name: `Receipt of ${service}` });
  const more = () => page.getByText(/^More options/);
  const line = (name: RegExp) => page.getByRole('row', { name });

  test('offers the client’s warehouses and services', async () => {
    const chicago = field('From warehouse').locator('option', { hasText: '102 · Chicago, IL 60601' });
    await chicago.waitFor({ state: 'attached' });
    expect(await field('Service').locator('option').allTextContents()).toEqual([
      'All services, compared',
      'Carrier 1 Ground · C1-GROUND',
      'Carrier 1 Express · C1-EXPRESS',
      'Carrier 2 Ground · C2-GROUND',
    ]);
  });

  test('shows each charge with its reason, and the total of the single call', async () => {
    await again();
    await ask();
    await receipt('C1-GROUND').waitFor();
    // 2.1 lb is rounded up. The receipt must not call the rounded weight the entered one.
    expect(await receipt('C1-GROUND').textContent()).toContain(
      'Billed at 3 lb: its actual weight, rounded up to the pound',
    );
    expect(await line(/^Base charge/).textContent()).toMatch(/^Base charge\s*\$10\.66/);
    expect(await receipt('C1-GROUND').locator('.lines li').allTextContents()).toEqual([
      'Base charge: rates/C1-GROUND.csv, row 3, column 3',
    ]);
    expect(await line(/^Fuel/).textContent()).toMatch(/12\.5% of base \$10\.66\s*\$1\.33/);
    const { body } = await console.service.api.quote(rateRequest());
    expect(body.totalNetCharge).toBe(11.99);
    expect(await receipt('C1-GROUND').textContent()).toMatch(/Total to pay, USD\s*\$11\.99/);
  });

  test('compares all services, says why one is not available, and shows the receipt of the chosen one', async () => {
    await again();
    await ask();
    await page.getByRole('radio', { name: 'C1-EXPRESS' }).check();
    expect(await receipt('C1-EXPRESS').textContent()).toContain('$40.85');
    expect(await shown(line(/^Carrier 2 Ground/))).toEqual([
      'Carrier 2 Ground C2-GROUND The shipping service C2-GROUND needs the street address.',
    ]);
  });

  test('compares all warehouses, marks the cheapest, and shows the receipt from there', async () => {
    await again();
    await field('To ZIP code').fill('90210');
    await field('From warehouse').selectOption({ label: 'Any warehouse (the cheapest)' });
    await ask();
    const table = page.getByRole('table', { name: 'The price from each warehouse. The quote is from the cheapest.' });
    await table.waitFor();
    const single = async (id: number) => {
      const { body } = await console.service.api.quote(
        rateRequest({
          ...{ shippingService: undefined, shipper: { warehouse_id: id } },
          recipient: { address: { postalCode: '90210' } },
        }),
      );
      return body.totalNetCharge.toFixed(2);
    };
    expect(await shown(table.locator('tbody tr'))).toEqual([
      `101 · Newark, NJ $${await single(101)} Carrier 1 Ground C1-GROUND`,
      `102 · Chicago, IL $${await single(102)} Carrier 1 Ground C1-GROUND`,
      `103 · Los Angeles, CA Cheapest, chosen $${await single(103)} Carrier 1 Ground C1-GROUND`,
    ]);
    expect(await receipt('C1-GROUND').textContent()).toContain(`$${await single(103)}`);
  });

  test('orders services by price or by arrival, with those without an estimate last', async () => {
    const { page: own, context } = await console.open('#/quote');
    await own.route('**/v1/client/shipment/rates?explain=true', async (route) => {
      const body = await (await route.fetch()).json();
      for (const [at, quote] of body.quotes.entries()) if (at > 0) quote.transitDays = 9 - at;
      await route.fulfill({ json: body });
    });
    await own.goto(`/${LINK}`);
    const table = own.getByRole('table', { name: /^Available services/ });
    await table.waitFor();
    const names = () => table.getByRole('rowheader').allTextContents();
    const byPrice = await names();
    expect(byPrice.length).toBeGreaterThan(1);
    await own.getByText('Fastest first').click({ force: true });
    await own.getByText('Available services, fastest first.').waitFor();
    expect(await names()).toEqual([...byPrice.slice(1).toReversed(), byPrice[0]]);
    await context.close();
  });

  test('shows table captions in a narrow window, even if tables are wider', async () => {
    const { page: own, context } = await console.open('#/quote', { width: 360 });
    await own.getByLabel('To ZIP code').fill('02139');
    await own.getByLabel('Weight', { exact: true }).fill('2.1');
    await own.getByRole('button', { name: 'Get quote' }).click();
    const caption = own.getByText('Available services, cheapest first.');
    const end = async (): Promise<number> => {
      const box = await caption.boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    };
    await caption.waitFor();
    expect(await end()).toBeLessThan(344);
    await own.evaluate("document.querySelector('.scroll-region').scrollLeft = 1000");
    expect(await end()).toBeGreaterThan(300);
    await context.close();
  });

  test('shows the price on a phone without scrolling sideways, and each column at 1440 pixels and on paper', async () => {
    const { page: own, context } = await console.open(LINK, { width: 390 });
    const table = own.getByRole('table', { name: /^Available services/ });
    await table.waitFor();
    const price = await table.getByText('$11.99').boundingBox();
    expect((price?.x ?? 390) + (price?.width ?? 0)).toBeLessThan(374);
    // The answer takes the place of the form.
    const button = own.getByRole('button', { name: 'Get quote' });
    expect(await button.isVisible()).toBe(false);
    await own.getByRole('button', { name: 'Edit' }).click();
    expect([await button.isVisible(), await own.locator(':focus').inputValue()]).toEqual([true, '02139']);
    await own.setViewportSize({ width: 1440, height: 900 });
    const cutOff =
      'Math.max(...[...document.querySelectorAll(".scroll-region")].map((own) => own.scrollWidth - own.clientWidth))';
    expect(await own.evaluate<number>(cutOff)).toBe(0);
    await own.setViewportSize({ width: 720, height: 900 });
    await own.emulateMedia({ media: 'print' });
    expect(await own.evaluate<number>(cutOff)).toBe(0);
    expect(await own.getByRole('button', { name: 'Get quote' }).isVisible()).toBe(false);
    await context.close();
  });

  test('has an address with its inputs, which opens the same quote', async () => {
    await again();
    await page.getByRole('button', { name: 'Add a package' }).click();
    await field('Weight').nth(1).fill('30');
    for (const side of ['Length', 'Width', 'Height']) await field(side).nth(1).fill('10');
    await more().click();
    await field('Signature').selectOption('adult');
    await ask();
    await page.getByRole('heading', { name: 'Package 2', level: 3 }).waitFor();
    const total = await page.locator('.receipt-sum').textContent();
    await page.getByRole('button', { name: 'Copy the link to this quote' }).click();
    await page.getByText('Copied').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const { page: other, context } = await console.open(new URL(link).hash);
    await other.getByRole('heading', { name: 'Package 2', level: 3 }).waitFor();
    expect(await other.locator('.receipt-sum').textContent()).toBe(total);
    expect(await other.getByLabel('Length', { exact: true }).nth(1).inputValue()).toBe('10');
    await other.getByText('More options, 1 set').waitFor();
    expect(await other.getByLabel('Signature', { exact: true }).isVisible()).toBe(true);
    expect(await other.getByLabel('Signature', { exact: true }).inputValue()).toBe('adult');
    await context.close();
  });

  test('prices several packages separately, and removes one', async () => {
    await again();
    await page.getByRole('button', { name: 'Add a package' }).click();
    await field('Weight').nth(1).fill('30');
    await ask();
    await page.getByRole('heading', { name: 'Package 2' }).waitFor();
    await page.getByRole('button', { name: 'Remove package 2' }).click();
    await ask();
    await page.getByRole('heading', { name: 'Package 2' }).waitFor({ state: 'detached' });
    expect(await receipt('C1-GROUND').textContent()).toContain('$11.99');
  });

  test('bills a light and big package by its dimensions, and a residential one with its surcharge', async () => {
    await again();
    for (const [side, value] of Object.entries({ Length: '12', Width: '10', Height: '8' }))
      await field(side).fill(value);
    await page.getByLabel('Residential address').check();
    await ask();
    await receipt('C1-GROUND').waitFor();
    expect(await receipt('C1-GROUND').locator('.help summary').textContent()).toBe(
      'Glossary: zone, dimensional weight, fuel surcharge',
    );
    await receipt('C1-GROUND').locator('.help summary').click();
    expect(await page.getByText('The farther it goes, the higher the zone and the price.').isVisible()).toBe(true);
    expect(await page.getByText('From 101 · Newark, NJ 07001 to 02139: 2.1 lb').isVisible()).toBe(true);
    // 12 × 10 × 8 / 139 is 6.9 lb, and 2.1 lb were entered. Both are rounded up, and the receipt says so.
    const text = await receipt('C1-GROUND').textContent();
    expect(text).toContain('Billed at 7 lb: its dimensional weight, which is greater');
    expect(text).toContain(
      'Weight: Actual weight, rounded up: 3 lb. Dimensional weight, rounded up: 7 lb (length × width × height in inches, divided by 139).',
    );
    expect(await line(/^Residential delivery/).textContent()).toBe('Residential delivery$5.15 per package$5.15');
    expect(await line(/^Fuel/).textContent()).toMatch(/12\.5% of \$\d+\.\d\d\$/);
    await page.getByText('Reasons and sources').click();
    await page.getByText('Residential delivery: residential address').waitFor();
    await page.getByText(/^Fuel: base \$\d+\.\d\d, Residential delivery \$5\.15/).waitFor();
  });

  test('shows problems below the fields, and focuses the first', async () => {
    await again();
    await field('To ZIP code').fill('2139');
    await field('Weight').fill('');
    await ask();
    await page.getByText('2139 looks like 02139 without its leading zero.').waitFor();
    await page.getByText('This field is required.').waitFor();
    expect(await page.locator(':focus').inputValue()).toBe('2139');
  });

  test('shows the button without scrolling, and an example before the first quote', async () => {
    const { page: own, context } = await console.open('#/quote');
    await own.setViewportSize({ width: 1440, height: 900 });
    const button = await own.getByRole('button', { name: 'Get quote' }).boundingBox();
    expect((button?.y ?? 900) + (button?.height ?? 0)).toBeLessThan(500);
    expect(await own.getByLabel('Street', { exact: true }).isVisible()).toBe(false);
    await own.getByRole('link', { name: /^2 lb to 90210/ }).click();
    await own.getByRole('article', { name: 'Receipt of C1-GROUND' }).waitFor();
    await own.getByText('From 101 · Newark, NJ 07001 to 90210: 2 lb').waitFor();
    await context.close();
  });

  test('opens the options if one of them is refused', async () => {
    await again();
    await field('Service').selectOption('C2-GROUND');
    expect(await field('Street').isVisible()).toBe(false);
    await ask();
    await field('Street').waitFor();
    expect(await page.locator(':focus').getAttribute('id')).toBe(await field('Street').getAttribute('id'));
  });

  test('says why a shipment has no quote', async () => {
    await again();
    await field('To ZIP code').fill('00901');
    await ask();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('not currently available for this origin/destination combination');
    await field('To ZIP code').fill('02139');
    await more().click();
    await field('Ship date').fill('2019-06-01');
    await ask();
    await page.getByText('No tariff is in force on 2019-06-01.').first().waitFor();
  });

  test('works with the keyboard alone', async () => {
    await fresh();
    await field('To ZIP code').focus();
    await page.keyboard.type('02139');
    await field('Weight').focus();
    await page.keyboard.type('2.1');
    await page.keyboard.press('Enter');
    await receipt('C1-GROUND').waitFor();
    expect(await page.locator(':focus').textContent()).toBe('Result');
  });

  test.skipIf(!hasCurl)('copies a command that gets the same quote for any field values', async () => {
    await again();
    await more().click();
    await field('Street').fill(`1 O'Hara "Way" $HOME \\`);
    await ask();
    await receipt('C1-GROUND').waitFor();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const { stdout } = await run('sh', ['-c', command], { env: { ...process.env, CLIENT_SECRET: 'demo-secret' } });
    expect(JSON.parse(stdout)).toMatchObject({ totalNetCharge: 11.99, quotes: [{}, {}, {}] });
  });
});

describe.skipIf(!hasChromium)('a zone that the carrier numbers in its own way', () => {
  test('is the one of its chart on the receipt', async () => {
    const tariff = chartedTariff({
      service: { rateZones: { '17': 8 }, zones: { chart: 'small', column: 'zone' } },
      document: {
        rates: { GROUND: oneColumn('17', 1_000) },
        charts: { small: { columns: ['zone'], rows: [{ origin: '070', destination: '000-999', zones: ['17'] }] } },
      },
    });
    const console = await startConsole({ schedule: scheduleOf([tariff]) });
    try {
      const { page } = await console.open('#/quote');
      await page.getByLabel('From warehouse', { exact: true }).selectOption('101');
      await page.getByLabel('To ZIP code', { exact: true }).fill('99501');
      await page.getByLabel('Weight', { exact: true }).fill('1');
      await page.getByRole('button', { name: 'Get quote' }).click();
      const receipt = page.getByRole('article', { name: 'Receipt of GROUND' });
      await receipt.waitFor();
      expect(await receipt.textContent()).toContain(
        'Zone 17 (counted as 8) by the zone chart small, from ZIP 070 to ZIP 000-999',
      );
    } finally {
      await console.close();
    }
  });
});

describe.skipIf(!hasChromium)('a missing zone chart', () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await startConsole({ schedule: scheduleOf([chartedTariff()]) });
  });
  afterAll(() => console.close());

  test('is shown beside the warehouse, if any may be used', async () => {
    const { page, context } = await console.open('#/quote');
    await page.getByLabel('From warehouse', { exact: true }).selectOption('any');
    await page.getByLabel('To ZIP code', { exact: true }).fill('60601');
    await page.getByLabel('Weight', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Get quote' }).click();
    const rows = page.getByRole('table', { name: /^The price from each warehouse/ }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await shown(rows)).toEqual([
      '101 · Newark, NJ Cheapest, chosen $10.00 Small Ground GROUND',
      '102 · Chicago, IL Estimated zone $10.00 Small Ground GROUND',
      '103 · Los Angeles, CA Estimated zone $20.00 Small Ground GROUND',
    ]);
    await keepShot(page, 'any-warehouse', { theme: 'light', width: 1440 });
    await context.close();
  });

  test('is shown on the receipt, beside the service, and on the tariffs page', async () => {
    const { page } = await console.open('#/quote');
    await page.getByLabel('From warehouse', { exact: true }).selectOption('102');
    await page.getByLabel('To ZIP code', { exact: true }).fill('10001');
    await page.getByLabel('Weight', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Get quote' }).click();
    const receipt = page.getByRole('article', { name: 'Receipt of GROUND' });
    await receipt.waitFor();
    expect(await receipt.textContent()).toContain(
      'Small has no zone chart for the origin 60601, so the zone was estimated from the distance.',
    );
    await page.goto('/#/tariffs');
    const notice = page.getByText('Zones from there are estimated by distance, and quotes say so.');
    expect(await notice.textContent()).toMatch(/^No zone chart for warehouses .*102 \(Small\)/);
  });
});
