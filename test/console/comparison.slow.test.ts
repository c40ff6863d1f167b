/** What if: from a finished batch to the rows behind a bar, and the address that a colleague opens. */
import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../src/base/must.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { referenceSchedule, sampleClients } from '../http/api.ts';
import { comparisonsOf } from '../http/comparison-api.ts';
import {
  axeViolations,
  hasChromium,
  keepShot,
  LOOKS,
  type Look,
  sidewaysScroll,
  type WatchedPage,
} from './chromium.ts';
import { signIn, startConsole, type TestConsole } from './console.ts';

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const SIGNED = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', signDisplay: 'exceptZero' });
const signed = (value: number): string => SIGNED.format(value).replace('-', '−');

/** The reference tariff, and one that takes effect next year with half of its fuel surcharge. */
const tariffs = async () => {
  const { documents } = await referenceSchedule();
  const next = documents.map((document) => ({
    ...document,
    file: {
      ...document.file,
      name: 'next',
      effective: `${new Date().getFullYear() + 1}-01-04`,
      fallback: false,
      surcharges: document.file.surcharges.map((entry) =>
        entry.type === 'FUEL'
          ? { ...entry, amount: { ...entry.amount, rate: [{ from: '2020-01-01', rate: '6.25' }] } }
          : entry,
      ),
    },
  }));
  return scheduleOf([...documents, ...next]);
};

const looks: readonly Look[] = [...LOOKS, { theme: 'light', width: 1024 }];

describe.skipIf(!hasChromium)('what if', { timeout: 120_000 }, () => {
  let console: TestConsole;
  let watched: WatchedPage;
  let page: Page;
  let batch: string;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const clients = new Map(await sampleClients());
    clients.set('demo', { ...must(clients.get('demo'), 'the client'), drafts: ['ups-2027'] });
    console = await startConsole({ limits: { chunkRows: 100 }, schedule: await tariffs(), clients });
    stop = await console.service.work();
    const list = (await readFile('samples/shipments.csv', 'utf8')).split('\n').slice(0, 301).join('\n');
    batch = await console.service.upload(`${list}\n`, '?filename=november.csv');
    await console.service.ended(batch);
  }, 60_000);
  afterAll(async () => {
    await stop();
    await console.close();
  });
  beforeEach(async () => {
    watched = await console.open(`#/batches/${batch}`);
    page = watched.page;
  });
  afterEach(async () => {
    expect(watched.problems).toEqual([]);
    await watched.context.close();
  });

  const preset = (name: RegExp) => page.getByRole('button', { name }).click();
  const compareNow = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: 'What if: november.csv' }).waitFor();
    await page.getByRole('heading', { name: 'Scenarios', exact: true }).waitFor();
    return new URL(page.url()).hash.split('/').at(-1) ?? '';
  };
  /** Opens a part, and waits until it is shown: parts share names of controls. */
  const part = async (name: string, on = page): Promise<void> => {
    const link = on.getByRole('navigation', { name: 'Parts of the comparison' }).getByRole('link', { name });
    await link.click();
    await link.and(on.locator('[aria-current]')).waitFor();
  };
  const rowOf = (table: string, name: RegExp) =>
    page.getByRole('table', { name: table, exact: true }).getByRole('row', { name }).getByRole('cell').allInnerTexts();

  test('the batch can be downloaded after a visit to a comparison of it', async () => {
    const { compare, ended } = comparisonsOf(console.service);
    const id = await compare(batch, [{ service: 'C2-GROUND' }]);
    await ended(id);
    await page.goto(`/#/comparisons/${id}?tab=moves`);
    await page.getByRole('table', { name: 'Where the money moves' }).waitFor();
    await page.goto(`/#/batches/${batch}`);
    const link = page.getByRole('link', { name: 'Download CSV' });
    await page.getByRole('table', { name: 'Shipments by billing weight' }).waitFor();
    const downloading = page.waitForEvent('download');
    await link.click();
    expect((await downloading).suggestedFilename()).toBe('november-output.csv');
  });

  test('is printed whole, whatever part is open', async () => {
    const { compare, ended } = comparisonsOf(console.service);
    const id = await compare(batch, [{ service: 'C1-EXPRESS' }]);
    await ended(id);
    await page.goto(`/#/comparisons/${id}`);
    const moves = page.getByRole('table', { name: 'Where the money moves' });
    await page.getByRole('heading', { name: 'Scenarios', exact: true }).waitFor();
    expect(await moves.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await moves.isVisible()).toBe(true);
    await page.getByRole('table', { name: 'Largest increases' }).waitFor();
    await page.emulateMedia({ media: null });
  });

  test('compares two batches by a column of both lists', async () => {
    const listOf = (header: string, ...rows: readonly string[]) => [header, ...rows, ''].join('\n');
    const may = listOf('Order No,zip,lb,Note', 'A1,02139,2,x', 'A2,10001,3,x', 'A3,90210,4,x');
    const june = listOf('zip,lb,Order No', '02139,2,A1', '10001,9,A2', '60601,1,A4');
    for (const [name, text] of [
      ['may.csv', may],
      ['june.csv', june],
    ] as const) {
      const options = `?filename=${name}&warehouse_id=101&units=LB&columns=weight_value:lb`;
      await console.service.ended(await console.service.upload(text, options));
    }
    await page.goto('/#/batches');
    await page.getByText('Compare two batches, such as two months').click();
    const chosen = (label: string) => page.getByLabel(label, { exact: true }).locator('option:checked').textContent();
    expect([await chosen('Before'), await chosen('After')]).toEqual([
      expect.stringMatching(/^may\.csv, /),
      expect.stringMatching(/^june\.csv, /),
    ]);
    const key = page.getByLabel('Rows are the same shipment if they have the same');
    await key.waitFor();
    expect(await key.inputValue()).toBe('Order No');
    expect(await key.locator('option').allTextContents()).toEqual(['Order No', 'zip', 'lb']);
    for (const look of looks) {
      await page.setViewportSize({ width: look.width, height: 900 });
      await page.emulateMedia({ colorScheme: look.theme });
      expect([await sidewaysScroll(page), await axeViolations(page)]).toEqual([0, []]);
      await keepShot(page, 'batches-against', look);
    }
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('heading', { name: 'may.csv against june.csv' }).waitFor();
    await page.getByRole('heading', { name: 'Shipments in both lists', exact: true }).waitFor();
    await page.getByText('may.csv, all rows').waitFor();
    const totals = page.getByRole('table', { name: 'Totals of the shipments in both lists' });
    expect((await totals.locator('thead th').allTextContents()).slice(0, 4)).toEqual([
      ...['List', 'may.csv', 'june.csv', 'Difference'],
    ]);
    const { summary } = comparisonsOf(console.service);
    const { join } = await summary(new URL(page.url()).hash.split('/').at(-1) ?? '');
    expect(join).toMatchObject({ gone: { shipments: 1 }, new: { shipments: 1 } });
  });

  test('leads from a batch to totals, the rows behind a bar, files, and a link for a colleague', async () => {
    await page.getByRole('link', { name: 'What if…' }).click();
    await page.getByText(/for \d+ shipments/).waitFor();
    // No service of the tariff has transit days.
    expect(await page.getByRole('button', { name: /^Cheapest within/ }).count()).toBe(0);
    await preset(/^One service for all/);
    await page
      .getByRole('region', { name: 'Scenario 1' })
      .getByLabel('Service', { exact: true })
      .selectOption('C2-GROUND');
    await preset(/^Next year’s rates/);
    expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('All by Carrier 2 Ground');
    const id = await compareNow();
    const { call, summary: summaryOf, file } = comparisonsOf(console.service);
    const summary = await summaryOf(id);
    const [ground, next] = summary.scenarios;
    expect((await call('GET', `/${id}`)).body.scenarios.map(({ scenario }: { scenario: unknown }) => scenario)).toEqual(
      [
        { name: 'All by Carrier 2 Ground', service: 'C2-GROUND' },
        { name: 'Next year’s rates', tariff: [expect.stringMatching(/^next@/)] },
      ],
    );

    expect((await rowOf('Totals of the scenarios', /^All by Carrier 2 Ground/)).slice(0, 3)).toEqual([
      ...[DOLLARS.format(ground.baseTotal), DOLLARS.format(ground.total)],
      `${signed(ground.difference)}\n${ground.percent < 0 ? '−' : '+'}${Math.abs(ground.percent)}%`,
    ]);
    expect(next.difference).toBeLessThan(0);
    const headline = `Next year’s rates saves ${DOLLARS.format(-next.difference)} (${Math.abs(next.percent)}%)`;
    expect(await page.getByText(headline).count()).toBe(1);

    await part('Where the money moves');
    await page.getByRole('radio', { name: 'Next year’s rates' }).check();
    const causes = page.getByRole('table', { name: 'Where the money moves' });
    expect(await causes.getByRole('row', { name: /^Fuel/ }).textContent()).toContain(signed(next.difference));
    expect(await causes.getByRole('row', { name: /^Total/ }).textContent()).toContain(signed(next.difference));

    const zone = next.byZone.find(({ rateZone }: { rateZone: string }) => rateZone === '5');
    await page.getByRole('button', { name: /^Zone 5 ?: show its shipments/ }).press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Zone 5' });
    await sheet.getByText(`Next year’s rates: ${zone.shipments} shipments, ${signed(zone.difference)}`).waitFor();
    const rows = sheet.getByRole('row');
    await rows.nth(1).waitFor();
    let sum = 0;
    let seen = 0;
    for (;;) {
      const cells = await rows.evaluateAll((all) =>
        all.slice(1).map((row) => [...row.querySelectorAll('.cell-value')].map((cell) => cell.textContent ?? '')),
      );
      seen += cells.length;
      for (const [change = ''] of cells)
        sum += Math.round(Number(change.replace('−', '-').replaceAll(/[+$,]/g, '')) * 100);
      const more = sheet.getByRole('button', { name: 'Next' });
      if (await more.isDisabled()) break;
      const first = await rows.nth(1).textContent();
      await more.click();
      await expect.poll(() => rows.nth(1).textContent(), { timeout: 10_000 }).not.toBe(first);
    }
    expect({ seen, sum }).toEqual({ seen: zone.shipments, sum: Math.round(zone.difference * 100) });
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Zone 5: show its shipments');

    await part('Summary');
    for (const [name, query] of [
      ['Download CSV', ''],
      ['Download JSON', '?format=json'],
    ] as const) {
      const coming = page.waitForEvent('download');
      if (query !== '') await page.getByText('More', { exact: true }).click();
      await page.getByRole('link', { name }).click();
      expect(await readFile(await (await coming).path(), 'utf8')).toBe((await file(`/${id}/output${query}`)).text);
    }
    const coming = page.waitForEvent('download');
    await page.getByText('More', { exact: true }).click();
    await page.getByRole('link', { name: 'Download Excel' }).click();
    expect((await coming).suggestedFilename()).toBe('november-comparison.xlsx');

    const link = page.url();
    await opensFor('demo', link, 'What if: november.csv');
    await opensFor('other', link, 'Comparison not found');
  });

  /** Opens an address in a separate browser. */
  const opensFor = async (client: 'demo' | 'other', address: string, text: string): Promise<void> => {
    const own = await console.openSignedOut('');
    await signInAs(own.context, client);
    await own.page.goto(address);
    await own.page.reload();
    await own.page.getByText(text).first().waitFor();
    expect(own.problems).toEqual([]);
    await own.context.close();
  };
  const signInAs = async (context: BrowserContext, client: 'demo' | 'other'): Promise<void> => {
    if (client === 'demo') return signIn(context);
    const answer = await context.request.post('/console/session', {
      data: { client_id: client, client_secret: `${client}-secret` },
    });
    expect(answer.ok()).toBe(true);
  };

  test('says beside the field what is missing, and what the service refuses', async () => {
    await page.getByRole('link', { name: 'What if…' }).click();
    await preset(/^Something else/);
    const card = page.getByRole('region', { name: 'Scenario 1' });
    await page.getByText('Scenario 1: Choose what changes.').waitFor();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await card.getByText('Choose what changes.').waitFor();
    await card.getByRole('checkbox', { name: 'Fuel surcharge', exact: true }).check();
    const fuel = card.getByRole('group', { name: 'Fuel surcharge' });
    const rate = fuel.getByLabel('List fuel surcharge, %');
    await rate.fill('120');
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await fuel.getByText('Type a percentage from 0 to 100').waitFor();
    expect(await rate.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(':focus').inputValue()).toBe('120');
    await rate.fill('10.5');
    await page.getByText('1 scenario for 300 rows of november.csv').waitFor();
    await card.getByRole('checkbox', { name: 'Services', exact: true }).check();
    const services = card.getByRole('group', { name: 'Services', exact: true });
    await services.getByRole('radio', { name: 'One service for all' }).check();
    await page.route('**/comparisons', async (route) => {
      const sent = route.request().postDataJSON();
      sent.scenarios[0].service = 'C9-NONE';
      await route.continue({ postData: JSON.stringify(sent) });
    });
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await services.getByText(/names C9-NONE, but the services are/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.unroute('**/comparisons');
    await card.getByRole('checkbox', { name: 'Services', exact: true }).uncheck();
    await services.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name', { exact: true }).first().inputValue()).toBe('Fuel 10.5%');
    await page.getByRole('link', { name: 'Tariffs' }).click();
    await page
      .getByRole('dialog', { name: 'Discard 1 scenario?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    await compareNow();
  });

  test('sends every kind of change as it was chosen', async () => {
    await page.getByRole('link', { name: 'What if…' }).click();
    await preset(/^Something else/);
    const card = page.getByRole('region', { name: 'Scenario 1' });
    const change = async (name: string) => {
      await card.getByRole('checkbox', { name, exact: true }).check();
      return card.getByRole('group', { name, exact: true });
    };
    const rates = await change('Rates');
    await rates.getByText('C1, C2; not in force yet').waitFor();
    await rates.getByRole('checkbox', { name: /^“next” from/ }).check();
    const agreement = await change('Agreement');
    const names = agreement.getByLabel('Agreement', { exact: true }).getByRole('option');
    expect(await names.allTextContents()).toEqual(['ups-2027, a draft']);
    await agreement.getByRole('radio', { name: 'Percent off' }).check();
    await agreement.getByLabel(/C1-GROUND$/).fill('12.5');
    const services = await change('Services');
    await services.getByRole('radio', { name: 'Swap services' }).check();
    await services.getByLabel(/C1-EXPRESS, \d+ now/).selectOption('C1-GROUND');
    const origin = await change('Origin');
    await origin.getByRole('radio', { name: 'One warehouse' }).check();
    await origin.getByLabel('Warehouse', { exact: true }).selectOption({ label: 'Chicago, IL 60601, number 102' });
    const day = await change('Ship date');
    await day.getByLabel('Ship date of all rows').fill('2027-02-01');
    const divisor = await change('Divisor');
    await divisor.getByRole('radio', { name: 'By service' }).check();
    await divisor.getByLabel(/C2-GROUND$/).fill('166');
    const fuel = await change('Fuel surcharge');
    await fuel.getByLabel('List fuel surcharge, %').fill('8');
    await card.getByLabel('Name', { exact: true }).fill('Everything');
    const id = await compareNow();
    const { body } = await comparisonsOf(console.service).call('GET', `/${id}`);
    expect(body.scenarios[0].scenario).toEqual({
      name: 'Everything',
      tariff: [expect.stringMatching(/^next@/)],
      discounts: { 'C1-GROUND': 12.5 },
      serviceMap: { 'C1-EXPRESS': 'C1-GROUND' },
      warehouse: 102,
      shipDate: '2027-02-01',
      dimensionalFactor: { 'C2-GROUND': 166 },
      fuel: 8,
    });
  });

  test('shows no sums of a scenario that prices nothing', async () => {
    const { compare, ended } = comparisonsOf(console.service);
    const id = await compare(batch, [{ name: 'Nothing in time', service: 'cheapest', by: 1 }]);
    await ended(id);
    await page.goto(`/#/comparisons/${id}`);
    const row = page.getByRole('table', { name: 'Totals of the scenarios' }).getByRole('row').nth(1);
    await row.waitFor();
    expect((await row.locator('.cell-value').allTextContents()).slice(0, 4)).toEqual(['—', '—', '—', '0']);
    await page.goto(`/#/batches/${batch}`);
  });

  test('lists comparisons on the page of their batch and on that of all batches, and deletes one', async () => {
    const { compare, ended } = comparisonsOf(console.service);
    const id = await compare(batch, [{ name: 'To be deleted', service: 'C1-GROUND' }]);
    await ended(id);
    await page.getByRole('link', { name: 'Comparisons', exact: true }).click();
    await page
      .getByRole('table', { name: 'Comparisons, newest first' })
      .getByRole('link', { name: 'To be deleted' })
      .waitFor();
    await page.goto('/#/batches');
    await page.getByRole('link', { name: 'To be deleted' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByRole('heading', { name: 'november.csv', exact: true }).waitFor();
    await page.goto(`/#/comparisons/${id}`);
    await page.getByText('Comparison not found').waitFor();
  });

  test('shows the progress of a comparison, which can be cancelled', async () => {
    await stop();
    const id = await comparisonsOf(console.service).compare(batch, [{ name: 'Later', service: 'C1-GROUND' }]);
    await page.goto(`/#/comparisons/${id}`);
    await page.getByRole('heading', { name: '0 of 300 rows' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel the comparison' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the comparison' }).click();
    stop = await console.service.work();
    await page.getByText('The comparison was cancelled').waitFor();
  });

  test.each(looks)('has no problems in $theme at $width px', async (look) => {
    const { compare, ended } = comparisonsOf(console.service);
    const id = await compare(batch, [{ service: 'cheapest' }, { name: 'Warehouse 103', warehouse: 103 }]);
    await ended(id);
    const own = await console.open(`#/batches/${batch}/what-if`, look);
    const isSound = async (name: string): Promise<void> => {
      await keepShot(own.page, name, look);
      expect(await axeViolations(own.page)).toEqual([]);
      expect(await sidewaysScroll(own.page)).toBe(0);
    };
    for (const name of [/^Cheapest service/, /^Next year/, /^Something else/])
      await own.page.getByRole('button', { name }).click();
    const cards = own.page.getByRole('region', { name: /^Scenario/ });
    // Complete scenarios are one line each.
    await expect.poll(() => cards.getByLabel('Name', { exact: true }).locator('visible=true').count()).toBe(1);
    await cards.first().getByText('Scenario 1: Cheapest service for each shipment').click();
    expect(await cards.first().getByLabel('Name', { exact: true }).inputValue()).toBe(
      'Cheapest service for each shipment',
    );
    const card = cards.last();
    for (const name of ['Agreement', 'Services', 'Origin', 'Divisor'])
      await card.getByRole('checkbox', { name, exact: true }).check();
    await isSound('what-if');
    await own.page.goto('/#/batches');
    await own.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await own.page.getByRole('link', { name: 'Each to its cheapest service; Warehouse 103' }).first().waitFor();
    await isSound('comparisons');
    await own.page.goto(`/#/comparisons/${id}`);
    await own.page.getByRole('heading', { name: 'Scenarios', exact: true }).waitFor();
    await isSound('comparison');
    await part('Rows', own.page);
    await own.page.getByRole('heading', { name: 'Largest savings' }).waitFor();
    await isSound('comparison-extremes');
    await part('Where the money moves', own.page);
    await own.page.getByRole('radio', { name: 'Warehouse 103' }).and(own.page.locator(':visible')).check();
    await own.page.getByRole('button', { name: /^Zone 8 ?: show/ }).click();
    await own.page.getByRole('dialog').getByRole('table').waitFor();
    await isSound('comparison-rows');
    expect(own.problems).toEqual([]);
    await own.context.close();
  });
});
