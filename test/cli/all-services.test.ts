/** `rates run` says what a list costs by each service. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForFile } from '../folder.ts';
import { ratesHere } from './in-process.ts';

const SAMPLE = join(import.meta.dirname, '../../samples/shipments.csv');

let dir: string;
folderForFile((made) => (dir = made));

const run = (...args: string[]) =>
  ratesHere(['run', SAMPLE, '-o', join(dir, 'out.csv'), '--tariff', 'reference', ...args]);

test('with --all-services, in sentences and as JSON', async () => {
  const { stdout, stderr } = await run('--all-services', '--json');
  expect(stderr).toContain(
    'The cheapest service for each shipment saves $14,830.61 (24.9%): $44,847.94 instead of $59,678.55 as in the list.\n' +
      'If all 970 shipments go by C1-GROUND, they cost $44,866.03.\n',
  );
  const { totalNetCharge, allServices } = JSON.parse(stdout);
  expect([totalNetCharge, allServices.totalAsChosen, allServices.services[0].totalNetCharge]).toEqual([
    59_678.55, 59_678.55, 44_866.03,
  ]);
});

test('and not without it', async () => {
  const { stdout, stderr } = await run('--json');
  expect(stderr).not.toContain('shipments go by');
  expect(JSON.parse(stdout)).not.toHaveProperty('allServices');
});
