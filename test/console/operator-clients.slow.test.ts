/** The operator's pages of clients in Chromium. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_CLIENTS } from '../../src/base/config/settings.ts';
import { deliveries } from '../../src/base/webhook/deliveries.ts';
import { RATES, rateRequest } from '../http/api.ts';
import { axeViolations, hasChromium, keepShot, type Look, sidewaysScroll, TABLE_LOOKS } from './chromium.ts';
import { type OperatorConsole, startOperatorConsole } from './operator-console.ts';

const showTab = async (page: Page, name: string): Promise<void> =>
  await page
    .getByRole('navigation', { name: /^Parts of/ })
    .getByRole('link', { name, exact: true })
    .click();

const isSound = async (page: Page, name: string, look: Look): Promise<void> => {
  await keepShot(page, name, look);
  expect(await axeViolations(page)).toEqual([]);
  expect(await sidewaysScroll(page)).toBe(0);
};

describe.skipIf(!hasChromium)('the pages of clients', () => {
  let dir: string;
  let ops: OperatorConsole;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'console-clients-'));
    const clientsFile = join(dir, 'clients.json');
    await writeFile(clientsFile, '{"clients": []}');
    ops = await startOperatorConsole({
      config: { clientsFile },
      send: async () => ({ status: 202, body: 'thank you', problem: null, ms: 48 }),
    });
  }, 120_000);
  afterAll(async () => {
    await ops.close();
    await rm(dir, { recursive: true, force: true });
  });

  const rateTypeOf = async (id: string, secret: string): Promise<string> => {
    const token = await ops.api.tokenOf(id, secret);
    const { body } = await ops.api.call(RATES, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(rateRequest()),
    });
    return body.rateType;
  };

  const secretIn = async (page: Page): Promise<string> => {
    const shown = page.getByRole('dialog', { name: 'Save this now' });
    await shown.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // No key loses a secret.
    for (const key of ['Escape', 'Escape']) await page.keyboard.press(key);
    const secret = await shown.locator('dd code').nth(1).textContent();
    await keepShot(page, 'client-secret', { theme: 'light', width: 1440 });
    await shown.getByRole('button', { name: 'I have saved it' }).click();
    return secret ?? '';
  };

  test('a client is added, gets 35% off Ground in a few clicks, and its next quote has it', async () => {
    const { page, context, problems } = await ops.open('#/operator/clients');
    await page.getByText('There are no clients yet').waitFor();
    await page.getByRole('button', { name: 'Add a client' }).click();
    await page.getByLabel('Id', { exact: true }).fill('acme');
    await page.getByLabel('Name').first().fill('Acme Inc.');
    await page.getByLabel('Number', { exact: true }).fill('101');
    await page.getByLabel('Name').nth(1).fill('Newark');
    // Typed by hand: a field that cuts it off would save NEW.
    await page.getByLabel('State', { exact: true }).pressSequentially('New Jersey');
    await page.getByLabel('ZIP code').fill('07001');
    await page.getByRole('button', { name: 'Add the client' }).click();
    await page.getByText('The state must be two or three upper-case letters.').waitFor();
    await page.getByLabel('State', { exact: true }).fill('nj');
    await page.getByLabel('ZIP code').fill('7001');
    await page.getByRole('button', { name: 'Add the client' }).click();
    await page.getByText('The ZIP code must have the form 12345 or 12345-6789.').waitFor();
    await page.getByLabel('ZIP code').fill('07001');
    await page.getByRole('button', { name: 'Add the client' }).click();
    const secret = await secretIn(page);
    await page.getByRole('heading', { level: 1, name: 'Acme Inc.' }).waitFor();
    await expect.poll(() => rateTypeOf('acme', secret), { timeout: 10_000 }).toBe('LIST');

    // The task: a service, a percentage, a click.
    await page.getByLabel('Service', { exact: true }).selectOption('C1-GROUND');
    await page.getByLabel('Percent off').fill('a third');
    await page.getByRole('button', { name: 'Set the discount' }).click();
    await page.getByText('Type a percentage from 0 to 100, such as 35 or 12.5.').waitFor();
    await page.getByLabel('Percent off').fill('35 %');
    await page.getByRole('button', { name: 'Set the discount' }).click();
    await page.getByText('Acme Inc. now has 35% off C1-GROUND.').waitFor();
    await expect.poll(() => rateTypeOf('acme', secret), { timeout: 10_000 }).toBe('ACCOUNT');
    await keepShot(page, 'client-discount', { theme: 'light', width: 1440 });
    await page.getByLabel('Service', { exact: true }).selectOption('C1-EXPRESS');
    await page.getByRole('button', { name: 'Edit the discount on C1-GROUND' }).click();
    expect(await page.getByLabel('Percent off').inputValue()).toBe('35');
    expect(await page.getByLabel('Service', { exact: true }).inputValue()).toBe('C1-GROUND');

    await page.getByRole('link', { name: 'All clients' }).click();
    await page
      .getByRole('row', { name: /Acme Inc/ })
      .getByText('1 discount')
      .waitFor();
    expect(problems).toEqual([]);
    await context.close();
  }, 120_000);

  test('of two operators who set the same discount, the second sees that of the first', async () => {
    const [ada, bob] = [await ops.open('#/operator/clients/acme'), await ops.open('#/operator/clients/acme')];
    const set = async ({ page }: typeof ada, percent: string): Promise<void> => {
      await page.getByLabel('Service', { exact: true }).selectOption('C1-EXPRESS');
      await page.getByLabel('Percent off').fill(percent);
      await page.getByRole('button', { name: 'Set the discount' }).click();
    };
    await bob.page.getByLabel('Percent off').waitFor();
    await set(ada, '10');
    await ada.page.getByText('Acme Inc. now has 10% off C1-EXPRESS.').waitFor();
    await set(bob, '20');
    await bob.page.getByText('the discount on C1-EXPRESS of acme from none to 10%').waitFor();
    await bob.page
      .getByRole('row', { name: /C1-EXPRESS/ })
      .getByText('10% off')
      .waitFor();
    await isSound(bob.page, 'client-discount-refused', { theme: 'light', width: 1440 });
    await bob.page.getByLabel('Percent off').fill('100 %');
    expect(await bob.page.getByRole('button', { name: 'Set the discount' }).isDisabled()).toBe(true);
    await isSound(bob.page, 'client-discount-whole', { theme: 'light', width: 1440 });
    await bob.page.getByLabel('Yes, 100% off').check();
    await bob.page.getByRole('button', { name: 'Set the discount' }).click();
    await bob.page.getByText('Acme Inc. now has 100% off C1-EXPRESS.').waitFor();
    await bob.page.getByRole('button', { name: 'Remove the discount on C1-EXPRESS' }).click();
    await bob.page.getByText('no longer has a discount on C1-EXPRESS').waitFor();
    for (const { context } of [ada, bob]) await context.close();
  }, 60_000);

  test('a secret is rotated, warehouses, limits and the webhook change, and the client is revoked after a question', async () => {
    const { page, context, problems } = await ops.open('#/operator/clients/acme');
    await showTab(page, 'Access');
    await page.getByLabel('If you make a new secret, the old one').selectOption('expires now');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const secret = await secretIn(page);
    await expect.poll(() => rateTypeOf('acme', secret), { timeout: 10_000 }).toBe('ACCOUNT');

    await showTab(page, 'Warehouses');
    await page.getByRole('button', { name: 'Add a warehouse' }).click();
    await page.getByLabel('Number', { exact: true }).fill('102');
    await page.getByLabel('Name').first().fill('Honolulu');
    await page.getByLabel('State', { exact: true }).fill('HI');
    await page.getByLabel('ZIP code').fill('96813');
    await page.getByRole('button', { name: 'Add the warehouse' }).click();
    const honolulu = page.getByRole('row', { name: /Honolulu/ });
    await honolulu.getByText('any day').waitFor();
    await honolulu.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Time zone').selectOption('Honolulu');
    await page.getByLabel('Cutoff').fill('15:00');
    await page.getByLabel('Sat', { exact: true }).check();
    await page.getByLabel('ZIP code').fill('Waikiki');
    await page.getByRole('button', { name: 'Save the warehouse' }).click();
    await page.getByText('The ZIP code must have the form 12345 or 12345-6789.').waitFor();
    await page.getByLabel('ZIP code').fill('96815');
    await page.getByRole('button', { name: 'Save the warehouse' }).click();
    await honolulu.getByText('MON TUE WED THU FRI SAT until 3:00 PM').waitFor();
    await honolulu.getByText('HI 96815').waitFor();
    // Without a time zone, its hours are gone.
    await honolulu.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Time zone').selectOption('None');
    await page.getByRole('button', { name: 'Save the warehouse' }).click();
    await honolulu.getByText('any day').waitFor();

    await showTab(page, 'Settings');
    await page.getByText('Limits', { exact: true }).click();
    await page.getByLabel('Quotes per minute').fill('many');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Type a whole number, such as 60,000.').waitFor();
    await page.getByLabel('Quotes per minute').fill('6,000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved and in force.').waitFor();
    await page.getByText('Usually 60,000.').waitFor();

    await showTab(page, 'Access');
    await page.getByLabel('URL', { exact: true }).fill('https://acme.example/rates');
    await page.getByRole('button', { name: 'Save the webhook' }).click();
    await page.getByRole('dialog').getByText('Webhook signing secret').waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByText('The test message was delivered').waitFor();
    await page.getByText('thank you').waitFor();
    await page.getByText('No message was sent in the last seven days.').waitFor();
    const told = {
      id: 'b1-r1-completed',
      event: 'batch.completed',
      batchId: 'b1',
      revision: 1,
      url: 'https://acme.example/rates',
    };
    const at = new Date().toISOString();
    await deliveries.note(ops.service.redis, 'acme', {
      ...{ ...told, attempt: 1, at, outcome: 'failed', status: 503, problem: 'the response status was 503' },
      ...{ body: '', ms: 5, nextAttemptAt: at },
    });
    await deliveries.note(ops.service.redis, 'acme', {
      ...{ ...told, attempt: 2, at, outcome: 'delivered', status: 204, problem: null, body: '', ms: 5 },
      nextAttemptAt: null,
    });

    for (const look of TABLE_LOOKS) {
      const other = await ops.open('#/operator/clients/acme', look);
      await showTab(other.page, 'Access');
      await other.page.getByText(/^failed The response status was 503\. Next attempt:/).waitFor();
      for (const [tab, heading] of [
        ['Prices', 'Agreements'],
        ['Warehouses', 'Warehouses'],
        ['Access', 'Webhook'],
        ['Settings', 'Revoke'],
      ] as const) {
        await showTab(other.page, tab);
        await other.page.getByRole('heading', { level: 2, name: heading }).waitFor();
        await isSound(other.page, `client-${tab.toLowerCase()}`, look);
      }
      await other.page.goto('/#/operator/clients');
      await other.page.getByRole('row', { name: /Acme Inc/ }).waitFor();
      await isSound(other.page, 'clients', look);
      expect(other.problems).toEqual([]);
      await other.context.close();
    }

    await showTab(page, 'Settings');
    await page.getByRole('button', { name: 'Revoke this client…' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Revoke this client…' }).click();
    await page.getByRole('button', { name: 'Revoke the client' }).click();
    await page.getByText('This client is revoked').waitFor();
    await expect.poll(() => ops.api.tokenOf('acme', secret), { timeout: 10_000 }).toBeUndefined();
    await keepShot(page, 'client-revoked', { theme: 'light', width: 1440 });
    await page.goto('/#/operator/audit');
    await page.getByRole('row', { name: /Revoked the client/ }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  }, 180_000);
});

const DISCOUNTS = 'discount,services,percent\nIncentive,C1-GROUND,20\nIncentive,C1-EXPRESS,30\n';

describe.skipIf(!hasChromium)('the pages of agreements', () => {
  let dir: string;
  let ops: OperatorConsole;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'console-agreements-'));
    const clientsFile = join(dir, 'clients.json');
    const agreementsDir = join(dir, 'agreements');
    await mkdir(agreementsDir);
    await copyFile(SAMPLE_CLIENTS, clientsFile);
    ops = await startOperatorConsole({ config: { clientsFile, agreementsDir } });
  }, 120_000);
  afterAll(async () => {
    await ops.close();
    await rm(dir, { recursive: true, force: true });
  });

  const upload = async (page: Page, text: string): Promise<void> => {
    const file = { name: 'discounts.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('Choose files').setInputFiles(file);
    await page.getByRole('button', { name: 'Check it' }).click();
  };

  test('an agreement is uploaded, checked, published, given to a client and changed for it', async () => {
    const { page, context, problems } = await ops.open('#/operator/agreements');
    await page.getByText('There are no agreements yet').waitFor();
    await page.getByRole('button', { name: 'Upload an agreement' }).click();
    await page.getByText('There are no agreements yet').waitFor({ state: 'hidden' });
    await page.getByLabel('Name', { exact: true }).fill('demo-c1');
    await page.getByLabel('Carrier', { exact: true }).fill('C1');
    await page.getByLabel('From ship date').fill('2026-01-05');
    await upload(page, DISCOUNTS.replace('C1-GROUND', 'C1-GRND'));
    await page.getByText('no tariff has the service C1-GRND').waitFor();
    await upload(page, DISCOUNTS);
    await page.getByRole('table', { name: /^Incentive/ }).waitFor();
    await page.getByText('All are at the list price. The rate card has them.').waitFor();
    expect(await page.getByText('Amounts are per package').count()).toBe(0);
    await isSound(page, 'agreement-checked', { theme: 'light', width: 1440 });
    await page.getByRole('radio', { name: 'A pasted grid' }).check();
    await page.getByLabel('Services of the grid').fill('C1-GROUND');
    await page.getByLabel('Name of the discount').fill('Zones');
    // As a spreadsheet copies cells. Zones 2 to 4 have one percentage in the first band.
    await page.evaluate(
      `navigator.clipboard.writeText(${JSON.stringify('Weight\t2\t3-4\t5-8\r\n1-10\t5%\t5%\t6%\r\n11-150\t7%\t8%\t9%\r\n')})`,
    );
    await page.getByLabel('Grid', { exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+V');
    await page.getByRole('button', { name: 'Check it' }).click();
    const grid = page.getByRole('table', { name: /^Zones/ });
    await grid.waitFor();
    const lines = (await grid.getByRole('row').allInnerTexts()).map((text) => text.trim().split(/\s*\t\s*/));
    expect(lines).toEqual([
      ['Billing weight', 'Zone 2', 'Zones 3–4', 'Zones 5–8'],
      ['1–10 lb', '5%', '5%', '6%'],
      ['11–150 lb', '7%', '8%', '9%'],
    ]);
    await page.getByText('The grid: does not cover zone 1 of Carrier 1 Ground').waitFor();
    expect(await page.getByText(/\w+\.csv/).count()).toBe(0);
    await isSound(page, 'agreement-pasted', { theme: 'light', width: 1440 });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await isSound(page, 'agreement-pasted', { theme: 'dark', width: 390 });
    await page.setViewportSize({ width: 1440, height: 1000 });
    await page.getByRole('radio', { name: 'CSV files' }).check();
    await upload(page, DISCOUNTS);
    await page.getByRole('button', { name: 'Publish from Jan 5, 2026' }).click();
    await page.getByRole('heading', { level: 1, name: /^Agreement with C1/ }).waitFor();
    await page.getByText('from Jan 5, 2026, no end date').waitFor();
    await showTab(page, 'Rate card');
    await page.getByRole('table', { name: /^What the client pays for a package by Carrier 1 / }).waitFor();

    await page.goto('/#/operator/clients/demo');
    await page.getByLabel('Only for warehouses').waitFor();
    // The running service follows its agreements.
    const give = async (): Promise<number> => {
      await page.getByRole('button', { name: 'Assign' }).click();
      const given = page.getByRole('table', { name: 'Agreements of the client' });
      return await given.getByRole('link', { name: 'demo-c1' }).count();
    };
    await expect.poll(give, { timeout: 15_000, interval: 700 }).toBe(1);
    await page.getByText('20% off under demo-c1').waitFor();
    await page.getByLabel('Percent off').fill('35');
    await page.getByText('The agreement demo-c1 sets the price of this service.').waitFor();
    await page.getByRole('button', { name: 'Set the discount' }).click();
    await page.getByText(/through its agreement demo-c1\.$/).waitFor();

    for (const look of TABLE_LOOKS) {
      for (const [name, hash] of [
        ['agreement', '#/operator/agreements/demo-c1'],
        ['agreement-surcharges', '#/operator/agreements/demo-c1?tab=surcharges'],
        ['agreement-card', '#/operator/agreements/demo-c1?tab=card'],
        ['agreements', '#/operator/agreements'],
        ['client-agreement', '#/operator/clients/demo'],
      ] as const) {
        const other = await ops.open(hash, look);
        await other.page.getByText('demo-c1').first().waitFor();
        await other.page.waitForLoadState('networkidle');
        if (name === 'agreement-card') {
          await other.page.getByText('Discount: 35% off at every weight and in every zone.').waitFor();
          expect(await other.page.getByRole('columnheader', { name: 'Discount' }).count()).toBe(0);
        }
        await isSound(other.page, name, look);
        expect(other.problems).toEqual([]);
        await other.context.close();
      }
    }

    const change = async (json: unknown): Promise<void> => {
      const headers = await ops.api.signIn();
      expect((await ops.api.send('POST', '/ops/clients/demo', json, headers)).status).toBe(200);
    };
    const ask = async (says: RegExp) => {
      await page.goto('about:blank');
      await page.goto('/#/operator/agreements/demo-c1');
      await page.getByText('1 warning in demo-c1').waitFor();
      await page.getByText(/^discounts\.csv in the amendment from [A-Z]/).waitFor();
      await page.getByRole('button', { name: 'Withdraw' }).click();
      const question = page.getByRole('dialog');
      await question.getByText(says).waitFor();
      return { question, action: question.getByRole('button', { name: 'Withdraw the agreement' }) };
    };
    const used = await ask(/^demo uses it, and would get no prices without it/);
    await used.question.getByRole('heading', { name: 'demo-c1 is in use' }).waitFor();
    expect(await used.action.count()).toBe(0);
    await isSound(page, 'agreement-withdraw', { theme: 'light', width: 1440 });
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await isSound(page, 'agreement-withdraw', { theme: 'dark', width: 390 });
    await used.question.getByRole('button', { name: 'Close' }).click();
    await change({ removeAgreements: ['demo-c1'], drafts: ['demo-c1'] });
    const unused = await ask(/^No client uses it\.$/);
    await unused.question.getByText('demo can no longer ask about it in comparisons.').waitFor();
    await unused.action.click();
    await page.getByText('There are no agreements yet').waitFor();
    await change({ removeDrafts: ['demo-c1'] });
    expect(problems).toEqual([]);
    await context.close();
  }, 240_000);

  test('an agreement with its own multiweight prices is uploaded as a folder, and shown', async () => {
    const folder = join(dir, 'whole-c1');
    await mkdir(join(folder, 'multiweight'), { recursive: true });
    const file = {
      ...{ name: 'whole-c1', carrier: 'C1', effective: '2026-01-05' },
      services: { 'C1-GROUND': { multiweight: { minimumTotalLb: 200 } } },
    };
    await writeFile(join(folder, 'agreement.json'), JSON.stringify(file));
    const table = join(folder, 'multiweight', 'C1-GROUND.csv');
    const { page, context, problems } = await ops.open('#/operator/agreements');
    await page.getByRole('button', { name: 'Upload an agreement' }).click();
    await page.getByLabel('Name', { exact: true }).fill('whole-c1');
    await page.getByLabel('From ship date').fill('2026-01-05');
    await page.getByRole('radio', { name: 'A folder' }).check();
    const send = async (text: string): Promise<void> => {
      await writeFile(table, text);
      await page.getByLabel('Choose folder').setInputFiles(folder);
      await page.getByRole('button', { name: 'Check it' }).click();
    };
    await send('cwt_from_lb,2,9\n200,24.61,31.05\n');
    await page.getByText('multiweight/C1-GROUND.csv column 9').waitFor();
    await send('cwt_from_lb,2,3\n200,24.61,31.05\n500,22.15,\n');
    await page.getByText('2 warnings in this upload').waitFor();
    await page.getByText('multiweight/C1-GROUND.csv row 3 column 3: is empty: such packages are').waitFor();
    const caption = 'Carrier 1 Ground: price per 100 pounds of 200 lb or more, each package counted as at least 15 lb';
    const cells = page.getByRole('table', { name: caption }).getByRole('cell');
    await cells.first().waitFor();
    expect(await cells.allInnerTexts()).toEqual(['$24.61', '$31.05', '$22.15', '—']);
    await isSound(page, 'agreement-whole-checked', { theme: 'light', width: 1440 });
    await page.getByRole('button', { name: 'Publish from Jan 5, 2026' }).click();
    await page.getByRole('heading', { level: 1, name: /^Agreement with / }).waitFor();
    await showTab(page, 'Rate card');
    await page.getByRole('table', { name: /the agreement’s price per 100 pounds, if that is lower$/ }).waitFor();
    await isSound(page, 'agreement-whole', { theme: 'light', width: 1440 });
    expect(problems).toEqual([]);
    await context.close();
  }, 120_000);
});
