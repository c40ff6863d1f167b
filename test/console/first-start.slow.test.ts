/** A first start from an empty folder to a quote, without a terminal but for the start. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../cli/rates.ts';
import { folderForEachTest } from '../folder.ts';
import { filesOf } from '../http/operator/tariff-api.ts';
import { axeViolations, hasChromium, keepShot, type Look, openPage, startChromium } from './chromium.ts';
import { typeSignIn } from './operator-console.ts';

const DESKTOP: Look = { theme: 'light', width: 1440 };
const TOKEN = 'the-token-of-a-first-start';
const WEEKS = 'carrier,services,effective,percent\nPOST,POST-G,2026-01-05,10.00\nPOST,POST-G,2026-01-12,11.00\n';

describe.skipIf(!hasChromium)('an operator who begins with nothing', () => {
  let dataDir: string;
  let browser: Browser;
  let service: ChildProcess | undefined;
  folderForEachTest((made) => (dataDir = made));
  beforeAll(async () => {
    browser = await startChromium();
  }, 60_000);
  // The folder is removed after each test, and a service that still runs writes into it.
  afterEach(async () => {
    service?.kill('SIGTERM');
    if (service?.exitCode === null) await once(service, 'exit');
  });
  afterAll(() => browser.close());

  const start = async (): Promise<readonly string[]> => {
    const settings = { DATA_DIR: dataDir, OPERATOR_TOKEN: TOKEN, PORT: '0', WORKERS: '1', LOG_LEVEL: 'silent' };
    const env = { ...process.env, ...settings, REDIS_URL: '', TARIFFS_DIR: '', AGREEMENTS_DIR: '', CLIENTS_FILE: '' };
    service = spawn(process.execPath, ['--import', 'tsx', join(ROOT, 'src/cli/main.ts'), 'serve'], {
      ...{ cwd: ROOT, env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    if (service.stdout === null) throw new Error('no output');
    for await (const line of createInterface({ input: service.stdout })) if (lines.push(line) === 2) break;
    return lines;
  };

  const addClient = async (page: Page): Promise<string> => {
    await page.getByRole('link', { name: 'Add a client' }).click();
    await page.getByLabel('Id', { exact: true }).fill('acme');
    await page.getByLabel('Number', { exact: true }).fill('101');
    await page.getByLabel('Name').nth(1).fill('Newark');
    await page.getByLabel('State', { exact: true }).fill('NJ');
    await page.getByLabel('ZIP code').fill('07001');
    await page.getByRole('button', { name: 'Add the client' }).click();
    const shown = page.getByRole('dialog', { name: 'Save this now' });
    const secret = (await shown.locator('dd code').nth(1).textContent()) ?? '';
    await shown.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('link', { name: 'Health', exact: true }).click();
    return secret;
  };

  const publish = async (page: Page): Promise<void> => {
    await page.getByRole('link', { name: 'Start a draft' }).click();
    await page.getByLabel('Name').fill('post-2026');
    await page.getByLabel('In force from').fill('2026-01-05');
    await page.getByRole('button', { name: 'Create the draft' }).click();
    const files = Object.entries({ ...filesOf('6.90'), 'fuel.csv': WEEKS }).map(([name, text]) => ({
      ...{ name, mimeType: 'text/csv', buffer: Buffer.from(text) },
    }));
    await page.getByLabel('Choose files').setInputFiles(files);
    await page.getByRole('button', { name: 'Import 3 files' }).click({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Publish from Jan 5, 2026' }).click({ timeout: 120_000 });
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Publish the tariff' });
    await confirm.waitFor();
    for (const box of await dialog.getByRole('checkbox').all()) await box.check();
    await confirm.click();
    await page.getByText(/^Published: post-2026 from /).waitFor({ timeout: 120_000 });
  };

  /** The weeks of the file are over. */
  const addFuel = async (page: Page): Promise<void> => {
    const rates = page.getByRole('table', { name: 'Fuel rates that end' });
    await rates.getByText('11%').waitFor();
    expect(await rates.getByRole('rowheader').last().textContent()).toBe('Jan 5, 2026');
    const fields = rates.getByRole('textbox');
    await keepShot(page, 'first-fuel', DESKTOP);
    expect(await axeViolations(page)).toEqual([]);
    // The second row is the week of today. The first one is the next week.
    await fields.nth(1).fill('a lot');
    await fields.nth(2).fill('12.25');
    await page.getByRole('button', { name: 'Save 2 rates' }).click();
    await page.getByText('not a percentage from 1 to 100').waitFor();
    await fields.nth(1).fill('12.5');
    await page.getByRole('button', { name: 'Save 2 rates' }).click();
    await page.getByText(/^Changed: post-2026 from /).waitFor({ timeout: 60_000 });
    await rates.getByText('12.5%').waitFor();
    await rates.getByText('until Jan 18, 2026, then none until the next rate').waitFor();
  };

  test('is led from the first client to the first quote', async () => {
    const [at = '', where] = await start();
    const url = at.replace('Shipping rates are served at ', '');
    expect(where).toBe(`Operators sign in with OPERATOR_TOKEN at ${url}/#/operator`);
    const { page, problems, context } = await openPage(browser, url, DESKTOP);
    await page.goto('/#/operator');
    await typeSignIn(page, TOKEN);
    await page.getByRole('heading', { name: 'Start here' }).waitFor();
    await keepShot(page, 'first-steps', DESKTOP);
    expect(await axeViolations(page)).toEqual([]);
    const secret = await addClient(page);
    await page.getByText('done').waitFor();
    await publish(page);
    await keepShot(page, 'first-published', DESKTOP);
    await page.goto('/#/operator/health');
    await page.getByText('Workers: in order').waitFor();
    await addFuel(page);

    await keepShot(page, 'first-sign-in', DESKTOP);
    await page.getByRole('link', { name: 'Sign in as the client' }).click();
    await page.getByLabel('Account').fill('acme');
    await page.getByLabel('Secret', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('To ZIP code').fill('10001');
    await page.getByLabel('Weight', { exact: true }).fill('1');
    await page.getByRole('button', { name: 'Get quote' }).click();
    // 1 lb to zone 2, and 12.5% of it.
    await page.getByText('$7.76').first().waitFor();
    await keepShot(page, 'first-quote', DESKTOP);
    await page.goto('/#/operator/health');
    await page.getByText('priced in the last hour').waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Start here' }).count(), { timeout: 20_000 }).toBe(0);
    expect(problems).toEqual([]);
    await context.close();
  }, 300_000);
});
