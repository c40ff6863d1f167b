import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeViolations, hasChromium, type WatchedPage } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

describe.skipIf(!hasChromium)('signing in', { timeout: 120_000 }, () => {
  let console: TestConsole;
  let watched: WatchedPage;
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.close());
  beforeEach(async () => {
    watched = await console.openSignedOut('#/tariffs');
  });
  afterEach(async () => {
    expect(watched.problems).toEqual([]);
    await watched.context.close();
  });

  test('with id and secret leads to the requested page, and survives a reload', async () => {
    const { page, context } = watched;
    await page.getByLabel('Client id').fill('demo');
    await page.getByLabel('Client secret').fill('demo-secret');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
    expect(await page.getByText('Demo Outfitters').isVisible()).toBe(true);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate<string>('document.cookie')).toBe('');
  });

  test('with a wrong secret says only that', async () => {
    const { page } = watched;
    await page.getByLabel('Client id').fill('demo');
    await page.getByLabel('Client secret').fill('guess');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toContain('The client id or the client secret is wrong.');
    expect(await axeViolations(page)).toEqual([]);
  });

  test('takes one click with the sample clients', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Sign in as other' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
    expect(await page.getByText('Other Goods').isVisible()).toBe(true);
  });

  test('out ends the session', async () => {
    const { page } = watched;
    await page.getByRole('button', { name: 'Sign in as demo' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Client id').waitFor();
    await page.reload();
    await page.getByLabel('Client id').waitFor();
  });

  test('is needed again after the session has ended, and leads to the same page', async () => {
    const { page, context } = watched;
    await page.getByRole('button', { name: 'Sign in as demo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
    await context.clearCookies();
    await page.evaluate("location.hash = '#/batches'");
    await page.getByText('Your session has ended').waitFor();
    await page.getByRole('button', { name: 'Sign in as demo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Batches' }).waitFor();
  });

  test('keeps the chosen theme', async () => {
    const { page } = watched;
    const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(await paper()).toBe('rgb(250, 249, 246)');
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    expect(await paper()).toBe('rgb(20, 22, 21)');
    await page.reload();
    await page.getByLabel('Client id').waitFor();
    expect(await paper()).toBe('rgb(20, 22, 21)');
  });
});
