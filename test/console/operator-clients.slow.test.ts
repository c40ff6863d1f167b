/** The operator's pages of clients in Chromium. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RATES, rateRequest } from '../http/api.ts';
import { axeViolations, hasChromium, keepShot, type Look, sidewaysScroll } from './chromium.ts';
import { type OperatorConsole, startOperatorConsole } from './operator-console.ts';

const LOOKS: readonly Look[] = [
  { theme: 'light', width: 1440 },
  { theme: 'dark', width: 1440 },
  { theme: 'light', width: 1024 },
  { theme: 'light', width: 390 },
  { theme: 'dark', width: 390 },
];

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
    await page.keyboard.press('Escape');
    const secret = await shown.locator('dd code').nth(1).textContent();
    await keepShot(page, 'client-secret', { theme: 'light', width: 1440 });
    await shown.getByRole('button', { name: 'I have saved it' }).click();
    return secret ?? '';
  };

  test('a client is added, gets 35 % off Ground in a few clicks, and its next quote has it', async () => {
    const { page, context, problems } = await ops.open('#/operator/clients');
    await page.getByText('There are no clients yet').waitFor();
    await page.getByRole('button', { name: 'Add a client' }).click();
    await page.getByLabel('Id', { exact: true }).fill('acme');
    await page.getByLabel('Name').first().fill('Acme Inc.');
    await page.getByLabel('Number').fill('101');
    await page.getByLabel('Name').nth(1).fill('Newark');
    await page.getByLabel('State').fill('nj');
    await page.getByLabel('ZIP code').fill('7001');
    await page.getByRole('button', { name: 'Add the client' }).click();
    await page.getByText('The ZIP code must be a ZIP code: 12345 or 12345-6789.').waitFor();
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
    await page.getByText('Acme Inc. now has 35 % off C1-GROUND.').waitFor();
    await expect.poll(() => rateTypeOf('acme', secret), { timeout: 10_000 }).toBe('ACCOUNT');
    await keepShot(page, 'client-discount', { theme: 'light', width: 1440 });

    await page.getByRole('link', { name: 'All clients' }).click();
    await page
      .getByRole('row', { name: /Acme Inc/ })
      .getByText('1 discount')
      .waitFor();
    expect(problems).toEqual([]);
    await context.close();
  }, 120_000);

  test('a secret is rotated, warehouses, limits and the webhook change, and the client is revoked after a question', async () => {
    const { page, context, problems } = await ops.open('#/operator/clients/acme');
    await page.getByLabel('The old secret').selectOption('ends now');
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    const secret = await secretIn(page);
    await expect.poll(() => rateTypeOf('acme', secret), { timeout: 10_000 }).toBe('ACCOUNT');

    await page.getByLabel('Number').fill('102');
    await page.getByLabel('Name').first().fill('Honolulu');
    await page.getByLabel('State').fill('HI');
    await page.getByLabel('ZIP code').fill('96813');
    await page.getByRole('button', { name: 'Add the warehouse' }).click();
    await page
      .getByRole('row', { name: /Honolulu/ })
      .getByText('no chart for this origin')
      .first()
      .waitFor();

    await page.getByText('Limits', { exact: true }).click();
    await page.getByLabel('Quotes a minute').fill('many');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Type a whole number, such as 60,000.').waitFor();
    await page.getByLabel('Quotes a minute').fill('6,000');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. It is in force within two seconds.').waitFor();
    await page.getByText('Usually 60,000.').waitFor();

    await page.getByLabel('URL').fill('https://acme.example/rates');
    await page.getByRole('button', { name: 'Save the webhook' }).click();
    await page.getByRole('dialog').getByText('Webhook signing secret').waitFor();
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await page.getByText('The test message was delivered').waitFor();
    await page.getByText('thank you').waitFor();

    for (const look of LOOKS) {
      const other = await ops.open('#/operator/clients/acme', look);
      await other.page.getByRole('heading', { level: 2, name: 'Webhook' }).waitFor();
      await isSound(other.page, 'client', look);
      await other.page.goto('/#/operator/clients');
      await other.page.getByRole('row', { name: /Acme Inc/ }).waitFor();
      await isSound(other.page, 'clients', look);
      expect(other.problems).toEqual([]);
      await other.context.close();
    }

    await page.getByRole('button', { name: 'Revoke this client…' }).click();
    await page.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Revoke this client…' }).click();
    await page.getByRole('button', { name: 'Revoke the client' }).click();
    await page.getByText('This client is revoked').waitFor();
    await expect.poll(() => ops.api.tokenOf('acme', secret), { timeout: 10_000 }).toBeUndefined();
    await keepShot(page, 'client-revoked', { theme: 'light', width: 1440 });
    await page.goto('/#/operator/audit');
    await page.getByRole('row', { name: /Revoked a client/ }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  }, 180_000);
});
