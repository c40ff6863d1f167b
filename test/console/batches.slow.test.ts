import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listOf } from '../http/batch-api.ts';
import { axeViolations, hasChromium } from './chromium.ts';
import { startConsole, type TestConsole } from './console.ts';

describe.skipIf(!hasChromium)('the list of batches', () => {
  let console: TestConsole;
  beforeAll(async () => {
    console = await startConsole();
  });
  afterAll(() => console.close());

  test('says what to do if there are none', async () => {
    const { page, problems, context } = await console.open('#/batches');
    await page.getByText('No lists yet').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'Upload a list' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Upload' }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test('shows the state of each, and follows running ones', async () => {
    const { service } = console;
    const { page, problems, context } = await console.open('#/batches');
    const faulty = `${listOf(2)}A3,101,02139,heavy,LB,,\n`;
    await service.upload(faulty, '?filename=march.csv');
    await page.reload();
    const row = page.getByRole('row', { name: /march.csv/ });
    await row.getByText('Waiting').waitFor();
    const stop = await service.work();
    await row.getByText('Completed with problems').waitFor();
    await stop();
    expect(await row.getByRole('cell').allTextContents()).toMatchObject({
      1: 'Shipments3',
      2: 'Priced2',
      3: 'Problems1',
      6: expect.stringMatching(/^Kept until[A-Z][a-z]{2} \d{1,2}, \d{4}$/),
    });
    const { body } = await service.call('GET', '');
    const total = `$${body.batches[0].totalNetCharge.toFixed(2)}`;
    expect((await row.getByRole('cell').allTextContents())[4]).toBe(`Total${total}`);
    await page.getByRole('link', { name: 'Upload', exact: true }).click();
    const recent = page.getByRole('listitem').filter({ hasText: 'march.csv' });
    await recent.getByText(total).waitFor();
    await recent.getByRole('link', { name: 'march.csv' }).click();
    await page.getByRole('heading', { level: 1, name: /march.csv/ }).waitFor();
    await page.getByRole('link', { name: 'Batches' }).click();
    await row.getByRole('link', { name: 'march.csv' }).click();
    await page.getByRole('heading', { level: 1, name: /march.csv/ }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test('shows a hundred at a time, and searches all of them by name', async () => {
    const { service } = console;
    for (let index = 1; index <= 105; index++) await service.upload(listOf(1), `?filename=list-${index}.csv`);
    const { page, problems, context } = await console.open('#/batches');
    const rows = page.getByRole('row');
    await page.getByText('list-105.csv').waitFor();
    expect(await rows.count()).toBe(101);
    const search = page.getByLabel('Search');
    await search.fill('march');
    await page.getByText('1 batch found').waitFor();
    expect(await rows.count()).toBe(2);
    await page.getByLabel('Uploaded').selectOption('In the last 24 hours');
    await page.getByText('1 batch found').waitFor();
    await page.getByLabel('Uploaded').selectOption('At any time');
    await search.fill('nothing like it');
    await page.getByText('No batch matches').waitFor();
    await search.fill('');
    await expect.poll(() => rows.count()).toBe(107);
    await page.reload();
    await page.getByRole('button', { name: 'Show older batches' }).click();
    await expect.poll(() => rows.count()).toBe(107);
    await page.getByRole('button', { name: 'Show older batches' }).waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
    await context.close();
  });

  test('has a sample list and a template on the first page', async () => {
    const { page, problems, context } = await console.open('#/upload');
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download a template' }).click();
    expect((await coming).suggestedFilename()).toBe('shipments-template.csv');
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try a sample list' }).click();
    await page.getByRole('button', { name: 'Quote all 6 rows' }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });

  test('reports that the service does not answer, and tries again on request', async () => {
    const { page, context } = await console.open('#/batches');
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Quote' }).click();
    await page.getByRole('link', { name: 'Batches' }).click();
    await page.getByText('The service does not answer.').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('march.csv').or(page.getByText('list-105.csv')).first().waitFor();
    await context.close();
  });
});
