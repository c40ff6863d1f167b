/** Sentences about what a list costs by each service. */
import { expect, test } from 'vitest';
import { allServicesText } from '../../../src/lists/columns/all-services-text.ts';
import type { AllServices } from '../../../src/lists/output/summary.ts';

type Service = AllServices['services'][number];

const service = (shippingService: string, totalNetCharge: number, more: Partial<Service> = {}): Service => ({
  shippingService,
  shipments: 970,
  notServed: 0,
  totalNetCharge,
  sameShipmentsAsChosen: 13_000,
  sameShipmentsCheapest: 11_000,
  difference: totalNetCharge - 13_000,
  incomplete: 0,
  ...more,
});

const SUM: AllServices = {
  rows: 970,
  totalAsChosen: 13_000,
  totalCheapest: 11_000,
  saving: 2_000,
  incompleteAsChosen: 0,
  incompleteCheapest: 0,
  services: [service('C1-GROUND', 12_345.67), service('C1-EXPRESS', 40_000)],
};

test('name what the cheapest service for each shipment saves, and the best service for all', () => {
  expect(allServicesText(SUM)).toEqual([
    'The cheapest service for each shipment saves $2,000.00 (15.4%): $11,000.00 instead of $13,000.00 as in the list.',
    'If all 970 shipments go by C1-GROUND, they cost $12,345.67.',
  ]);
});

test('say that there is nothing to save', () => {
  expect(allServicesText({ ...SUM, totalAsChosen: 11_000, saving: 0 })).toEqual([
    'The cheapest service for each shipment costs $11,000.00, the same as in the list.',
    'If all 970 shipments go by C1-GROUND, they cost $12,345.67.',
  ]);
});

test('compare a service that takes only some shipments on those shipments', () => {
  const some = { shipments: 960, notServed: 10, sameShipmentsAsChosen: 12_900 };
  expect(allServicesText({ ...SUM, services: [service('C2-GROUND', 9_000, some)] })[1]).toBe(
    'No service takes all 970 shipments. C2-GROUND takes most, 960: they cost $9,000.00 by C2-GROUND and $12,900.00 as in the list.',
  );
});

test('use the singular for one shipment', () => {
  const one = { ...SUM, rows: 1, services: [service('C1-GROUND', 12, { shipments: 1 })] };
  expect(allServicesText(one)).toEqual([
    'The cheapest service saves $2,000.00 (15.4%): $11,000.00 instead of $13,000.00 as in the list.',
    'If the shipment goes by C1-GROUND, it costs $12.00.',
  ]);
});

test('say which of the compared prices are incomplete', () => {
  expect(allServicesText({ ...SUM, incompleteCheapest: 1_200 }).at(-1)).toBe(
    'Some of these prices are incomplete, and the carrier will bill more: 1,200 by the cheapest service.',
  );
  const services = [service('C1-GROUND', 12_345.67, { incomplete: 5 })];
  expect(allServicesText({ ...SUM, services, incompleteCheapest: 12, incompleteAsChosen: 3 }).at(-1)).toBe(
    'Some of these prices are incomplete, and the carrier will bill more: 5 by C1-GROUND, 12 by the cheapest service, and 3 as in the list.',
  );
});

test('mark the totals that are incomplete, and what they seem to save', () => {
  const services = [service('C1-GROUND', 12_345.67, { incomplete: 5 })];
  expect(allServicesText({ ...SUM, services, incompleteCheapest: 12, incompleteAsChosen: 3 }).slice(0, -1)).toEqual([
    'The cheapest service for each shipment seems to save $2,000.00 (15.4%): at least $11,000.00 instead of at least $13,000.00 as in the list.',
    'If all 970 shipments go by C1-GROUND, they cost at least $12,345.67.',
  ]);
});

test('say that all of them are', () => {
  const services = [service('C1-GROUND', 12_345.67, { shipments: 960, notServed: 10, incomplete: 960 })];
  expect(allServicesText({ ...SUM, services, incompleteCheapest: 970, incompleteAsChosen: 970 }).at(-1)).toBe(
    'All of these prices are incomplete, and the carrier will bill more.',
  );
});

test('say nothing about a list without a quote', () => {
  expect(allServicesText({ ...SUM, rows: 0 })).toEqual([]);
});
