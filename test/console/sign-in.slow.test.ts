import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeViolations, hasChromium, type WatchedPage } from './chromium.ts';
import { signIn, startConsole, type TestConsole } from './console.ts';

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
    await page.getByLabel('Account').fill('demo');
    await page.getByLabel('Secret').fill('demo-secret');
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
    await page.getByLabel('Account').fill('demo');
    await page.getByLabel('Secret').fill('guess');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toContain('The account or the secret is wrong.');
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
    await page.getByLabel('Account').waitFor();
    await page.reload();
    await page.getByLabel('Account').waitFor();
  });

  test('is needed again after the session has ended, and leads to the same page', async () => {
    const { page, context } = watched;
    await page.getByRole('button', { name: 'Sign in as demo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
    await context.clearCookies();
    await page.evaluate("location.hash = '#/batches'");
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.getByRole('button', { name: 'Sign in as demo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Batches' }).waitFor();
  });

  const endedOn = async ({ page, context }: WatchedPage) => {
    await page.getByRole('button', { name: 'Sign in as demo' }).click();
    await page.getByRole('link', { name: 'Quote' }).click();
    await page.getByRole('heading', { level: 1, name: 'Quote' }).waitFor();
    await page.getByLabel(/ZIP/).first().fill('02139');
    await context.clearCookies();
    await page.getByRole('link', { name: 'Tariffs' }).click();
    return page.getByRole('dialog', { name: 'Your session has ended' });
  };

  test('covers the page whose session has ended: Escape does not pass it, and a wrong secret does not either', async () => {
    const { page } = watched;
    const dialog = await endedOn(watched);
    await dialog.waitFor();
    expect(await dialog.getByLabel('Account').inputValue()).toBe('demo');
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.type('guess');
    await page.keyboard.press('Enter');
    await dialog.getByText('The account or the secret is wrong.').waitFor();
    await dialog.getByLabel('Secret', { exact: true }).fill('demo-secret');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Zones' }).getByRole('img').waitFor();
  });

  test('as another client discards the page', async () => {
    const { page } = watched;
    const dialog = await endedOn(watched);
    await dialog.getByRole('button', { name: 'Discard this page and sign in with another account' }).click();
    await page.getByRole('button', { name: 'Sign in as other' }).click();
    await page.getByText('Other Goods').waitFor();
    expect(await dialog.count()).toBe(0);
  });

  test('in another tab is enough for this one', async () => {
    const { page, context } = watched;
    await page.getByRole('button', { name: 'Sign in as demo' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
    await page.getByRole('link', { name: 'Quote' }).click();
    await page.getByLabel('Weight').first().waitFor();
    const quoted = page.waitForResponse((answer) => answer.request().method() === 'POST');
    // Within one second, a sign-in gives the same session.
    await page.waitForTimeout(1_100);
    await signIn(context);
    await page.getByLabel(/ZIP/).first().fill('02139');
    await page.getByLabel('Weight').first().fill('3');
    await page.keyboard.press('Enter');
    expect((await quoted).status()).toBe(403);
    await page
      .getByRole('article', { name: /^Receipt of/ })
      .first()
      .waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('in another tab closes the dialog in this one', async () => {
    const { page, context } = watched;
    const dialog = await endedOn(watched);
    await dialog.waitFor();
    await signIn(context);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Tariffs' }).waitFor();
  });

  test('keeps the chosen theme', async () => {
    const { page } = watched;
    const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    expect(await paper()).toBe('rgb(250, 249, 246)');
    await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
    expect(await paper()).toBe('rgb(20, 22, 21)');
    await page.reload();
    await page.getByLabel('Account').waitFor();
    expect(await paper()).toBe('rgb(20, 22, 21)');
  });
});
