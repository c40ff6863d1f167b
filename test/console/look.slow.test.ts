/** Every page in every theme and width: accessibility, sideways scrolling, errors, foreign requests. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOf } from '../http/batch-api.ts';
import { axeViolations, hasChromium, keepShot, LOOKS, sidewaysScroll } from './chromium.ts';
import { signIn, startConsole, type TestConsole } from './console.ts';

/** A page, and what must be visible before it is tested. */
interface Place {
  readonly name: string;
  readonly hash: string;
  readonly ready: (page: Page) => Promise<unknown>;
}

const seen = (text: string | RegExp) => (page: Page) => page.getByText(text).first().waitFor();

const quoted = async (page: Page): Promise<void> => {
  await page.getByLabel('To ZIP code').fill('90210');
  await page.getByLabel('Weight', { exact: true }).fill('2.1');
  await page.getByRole('button', { name: 'Get quote' }).click();
  await page.getByRole('article', { name: /^Receipt/ }).waitFor();
};

const refused = async (page: Page): Promise<void> => {
  // On a phone, the last answer is in the place of the form.
  const edit = page.getByRole('button', { name: 'Edit' });
  if (await edit.isVisible()) await edit.click();
  await page.getByLabel('To ZIP code').fill('2139');
  await page.getByRole('button', { name: 'Get quote' }).click();
  await page.getByRole('alert').waitFor();
};

const SIGN_IN: Place = { name: 'sign-in', hash: '', ready: seen('Just trying it out?') };

describe.skipIf(!hasChromium)('pages', () => {
  let console: TestConsole;
  let places: readonly Place[] = [];
  beforeAll(async () => {
    console = await startConsole({ limits: { chunkRows: 200 } });
    const { service } = console;
    const stop = await service.work();
    const sound = await service.upload(listOf(40), '?filename=sound.csv');
    const faulty = await service.upload(await readFile('samples/shipments.csv', 'utf8'), '?filename=mixed.csv');
    await service.ended(sound);
    await service.ended(faulty);
    await stop();
    await service.upload(listOf(20), '?filename=waiting.csv');
    places = [
      { name: 'upload', hash: '#/upload', ready: seen('Upload') },
      { name: 'quote', hash: '#/quote', ready: seen('Try a quote') },
      { name: 'quote-answered', hash: '#/quote', ready: quoted },
      { name: 'quote-refused', hash: '#/quote', ready: refused },
      { name: 'batches', hash: '#/batches', ready: seen('mixed.csv') },
      { name: 'batch', hash: `#/batches/${faulty}`, ready: seen('Fix 30 problems') },
      { name: 'batch-rows', hash: `#/batches/${faulty}?tab=rows`, ready: seen('Rows and prices') },
      { name: 'tariffs', hash: '#/tariffs', ready: seen('Zone 8') },
      { name: 'unknown', hash: '#/nowhere', ready: seen('Page not found') },
    ];
  });
  afterAll(() => console.close());

  /** The problems of a page. */
  const wrongWith = async (page: Page): Promise<string[]> => {
    const sideways = await sidewaysScroll(page);
    return [...(await axeViolations(page)), ...(sideways === 0 ? [] : [`${sideways} px too wide`])];
  };

  test.each(LOOKS)(
    'have no problems in $theme at $width px',
    async (look) => {
      const { page, context, problems } = await console.openSignedOut('', look);
      const wrong: string[] = [];
      for (const { name, hash, ready } of [SIGN_IN, ...places]) {
        if (name === 'upload') await signIn(context).then(() => page.reload());
        await page.goto(`/${hash}`);
        await ready(page);
        await keepShot(page, name, look);
        wrong.push(...(await wrongWith(page)).map((what) => `${name}: ${what}`));
      }
      expect([...wrong, ...problems]).toEqual([]);
      await context.close();
    },
    180_000,
  );
});
