import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi } from './api.ts';

const DIR = join(import.meta.dirname, '..', '..', 'samples', 'requests');

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const expected: Record<string, string> = {
  'one-package.json': 'C1-GROUND 11.99',
  'all-services.json': 'C1-GROUND 19.6',
  'any-warehouse.json': 'C1-GROUND 14.11',
  'several-packages.json': 'C1-EXPRESS 211.47',
  'kilograms.json': 'C1-GROUND 13.44',
  'dimensions.json': 'C1-GROUND 33.39',
  'residential.json': 'C2-GROUND 22.82',
  'options.json': 'C1-EXPRESS 96.77',
  'ship-date.json': 'C1-GROUND 16.36',
  'fault-invalid-request.json': 'getRates.invalidRequest',
  'fault-unknown-service.json': 'getRates.unknownShippingService',
  'fault-unknown-warehouse.json': 'getRates.unknownWarehouse',
  'fault-no-tariff.json': 'getRates.noTariff',
  'fault-address-line-required.json': 'getRates.addressLineRequired',
  'fault-no-delivery-coverage.json': 'getRates.noDeliveryCoverage',
  'fault-outside-the-us.json': 'getRates.noDeliveryCoverage',
  'fault-weight-not-served.json': 'getRates.weightNotServed',
  'fault-size-not-served.json': 'getRates.sizeNotServed',
  'fault-saturday-not-offered.json': 'getRates.saturdayNotOffered',
  'fault-incomplete-price.json': 'getRates.incompletePrice',
};

test('every sample request is in this table', async () => {
  expect((await readdir(DIR)).toSorted()).toEqual(Object.keys(expected).toSorted());
});

test.each(Object.entries(expected))('samples/requests/%s is answered with %s', async (file, outcome) => {
  const { body } = await api.quote(await readFile(join(DIR, file), 'utf8'));
  expect('fault' in body ? body.fault.type : `${body.shippingService} ${body.totalNetCharge}`).toBe(outcome);
});
