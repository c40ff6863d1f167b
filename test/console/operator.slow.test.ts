/** The operator's pages in each theme and width: signing in, the audit log, and the queue board. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATOR_TOKEN } from '../http/operator/operator-api.ts';
import {
  axeViolations,
  hasChromium,
  keepShot,
  type Look,
  openPage,
  sidewaysScroll,
  TABLE_LOOKS,
  type WatchedPage,
} from './chromium.ts';
import { type OperatorConsole, startOperatorConsole, typeSignIn } from './operator-console.ts';

describe.skipIf(!hasChromium)('an operator', () => {
  let operators: OperatorConsole;
  beforeAll(async () => {
    operators = await startOperatorConsole();
    await operators.api.audit.record(
      { name: 'Grace Hopper', address: '192.0.2.17' },
      {
        action: 'Changed the client',
        object: 'demo',
        client: 'demo',
        changes: [
          { what: 'discount on C1-GROUND', before: '30%', after: '35%' },
          {
            what: 'webhook',
            before: null,
            after: 'https://shop.example.com/hooks/shipping-rates/batches-that-have-ended',
          },
        ],
      },
    );
  });
  afterAll(() => operators.close());

  test('finds one line for 21 files, with names in place of hashes, and downloads what a search finds', async () => {
    const grace = { name: 'Grace Hopper', address: '192.0.2.17' };
    const object = 'fedex-2026@2026-01-05-0123abcd';
    for (let file = 1; file <= 21; file++)
      await operators.api.audit.record(grace, {
        action: 'Added files to the draft',
        object: 'fedex-2026',
        changes: [{ what: 'file', before: null, after: `zones-${file}.txt` }],
      });
    await operators.api.audit.record(grace, {
      action: 'Published the tariff',
      object,
      changes: [{ what: 'published', before: null, after: object }],
    });
    await operators.api.audit.record(grace, {
      action: 'Published the agreement',
      object: 'acme-ups',
      changes: [
        {
          what: 'from 2026-01-05 on',
          before: 'acme-ups@2026-01-05-0123abcd',
          after: 'acme-ups@2026-01-05-4567cdef',
        },
      ],
    });
    const { page, context, problems } = await operators.open('#/operator/audit');
    // Only their ids differ.
    await page.getByText('from Jan 5, 2026 on: version 0123abcd → version 4567cdef').waitFor();
    const added = page.getByRole('row', { name: /Added files to the draft/ });
    await added.waitFor();
    expect(await added.count()).toBe(1);
    await added.getByText('21 files').click();
    const files = await added.getByRole('listitem').allTextContents();
    expect([...files.slice(0, 3), files.length]).toEqual(['zones-1.txt', 'zones-2.txt', 'zones-3.txt', 21]);
    await added.getByText(/^Since .* From 192\.0\.2\.17\.$/).waitFor();
    expect(await added.locator('summary').count()).toBe(1);
    await page.getByRole('heading', { name: /times in \S+$/ }).waitFor();
    const published = page.getByRole('row', { name: /Published the tariff/ });
    const tariff = published.getByRole('link', { name: 'fedex-2026 from Jan 5, 2026' });
    expect(await tariff.getAttribute('href')).toBe('#/operator/tariffs/fedex-2026%402026-01-05-0123abcd');
    await page.getByText('discount on C1-GROUND: 30% → 35%').waitFor();
    // Where it came from is folded.
    const address = published.getByText('From 192.0.2.17.');
    expect(await address.isVisible()).toBe(false);
    await published.getByText('Details').click();
    await address.waitFor();
    await page.getByRole('row', { name: /Changed the client Demo Outfitters/ }).waitFor();
    await keepShot(page, 'operator-audit-acts', { theme: 'light', width: 1440 });
    await page.getByLabel('Client').fill('outfit');
    await page.getByRole('button', { name: 'Search' }).click();
    await published.waitFor({ state: 'detached' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => line.split(',').slice(3, 7).join(','))).toEqual([
      'action,object,client,what',
      'Changed the client,demo,demo,discount on C1-GROUND',
      'Changed the client,demo,demo,webhook',
    ]);
    expect(problems).toEqual([]);
    await context.close();
  });

  /** Collects what is wrong with the look of a page, and keeps its picture. */
  const judge = async ({ page }: WatchedPage, name: string, look: Look): Promise<string[]> => {
    await keepShot(page, name, look);
    const sideways = await sidewaysScroll(page);
    return [...(await axeViolations(page)), ...(sideways > 0 ? [`${name} is ${sideways} px too wide`] : [])];
  };

  test.each(TABLE_LOOKS)('signs in with the token and a name in $theme at $width px', async (look) => {
    const watched = await openPage(operators.browser, operators.api.url, look);
    const { page, context, problems } = watched;
    await page.goto('/#/operator/audit');
    await page.getByRole('heading', { name: 'Operator', level: 1 }).waitFor();
    await page.getByLabel('Operator token').waitFor();
    const wrong = await judge(watched, 'operator-sign-in', look);
    await typeSignIn(page, 'not the token');
    await page.getByRole('alert').getByText('This is not the operator token.').waitFor();
    wrong.push(...(await judge(watched, 'operator-refused', look)));
    await typeSignIn(page);
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await page.getByText('discount on C1-GROUND').waitFor();
    wrong.push(...(await judge(watched, 'operator-audit', look)));
    // On a phone, a button shows the other fields.
    expect(await page.getByLabel('First day').isVisible()).toBe(look.width > 700);
    if (look.width < 700) await page.getByRole('button', { name: 'Who, client, days' }).click();
    await page.getByLabel('First day').waitFor();
    // Two lines with their padding, on a phone too.
    const entry = await page.locator('.audit tr', { hasText: 'Signed in' }).first().boundingBox();
    expect(entry?.height).toBeLessThan(80);
    expect([...wrong, ...problems]).toEqual([]);
    await context.close();
  });

  test.each(TABLE_LOOKS)('sees the health of a new service in $theme at $width px', async (look) => {
    const watched = await operators.open('#/operator', look);
    const { page, context, problems } = watched;
    await page.getByText(/^Workers: No worker is running/).waitFor();
    await page.getByText('No quotes in the last hour, and no jobs.').waitFor();
    expect(await page.locator('main code').first().textContent()).toBe('rates worker');
    // One sentence, and a mark.
    const [text = ''] = await page.locator('main').allInnerTexts();
    expect(text.match(/.*worker.*/gi)).toEqual([
      'Workers: No worker is running. Batches wait until you start one: rates worker.',
      'Workers',
    ]);
    expect([...(await judge(watched, 'operator-health-new', look)), ...problems]).toEqual([]);
    await context.close();
  });

  test('goes by keyboard from the name to the button, and signs out', async () => {
    const { page, context } = await openPage(operators.browser, operators.api.url, { theme: 'light', width: 1440 });
    await page.goto('/#/operator/audit');
    await page.getByLabel('Your name').focus();
    await page.keyboard.type('Ada');
    await page.keyboard.press('Tab');
    await page.keyboard.type(OPERATOR_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Operator token').waitFor();
    await page.reload();
    await page.getByLabel('Operator token').waitFor();
    await context.close();
  });

  test('signs in over the page whose session has ended, and goes on there', async () => {
    const { page, context, problems } = await operators.open('#/operator/audit');
    // Otherwise the page itself may ask for the sign-in, over the link that is to be clicked.
    await page.getByText('discount on C1-GROUND').waitFor();
    await context.clearCookies();
    await page.getByRole('navigation').getByRole('link', { name: 'Clients' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await dialog.getByLabel('Your name').inputValue()).toBe('Ada');
    await dialog.getByLabel('Operator token').fill(OPERATOR_TOKEN);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Demo Outfitters').waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test('moves between the pages of operators and those of clients, which know nothing of each other', async () => {
    const { page, context, problems } = await operators.open('#/operator/audit');
    await page.goto('/#/upload');
    await page.getByLabel('Account').waitFor();
    await page.goto('/#/operator/nothing');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Audit' }).click();
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test.each(TABLE_LOOKS)('sees the queues in $theme at $width px', async (look) => {
    const watched = await openPage(operators.browser, operators.api.url, look);
    const { page, context, problems } = watched;
    await page.goto('/ops/queues');
    // It leads to the console's own sign-in.
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Operator token').fill(OPERATOR_TOKEN);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Queues' }).waitFor();
    // The board's own page asks for fonts of other hosts, which its policy refuses.
    expect(problems).toEqual([]);
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.getByText('chunk').first().waitFor();
    // The same session opens the operator's pages.
    await page.goto('/#/operator/audit');
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor();
    await context.close();
  });

  test('finds no pages in a service without an operator token', async () => {
    const { page, context } = await openPage(operators.browser, operators.service.api.url, {
      theme: 'light',
      width: 1440,
    });
    await page.goto('/#/operator');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await context.close();
  });
});
