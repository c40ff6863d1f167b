/** Makes lists of shipments of any length: the same seed gives the same bytes. One row in fifty is faulty. */

/** A small generator of pseudo-random numbers (mulberry32): fast, and the same everywhere. */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const ZIPS = [
  '02139',
  '10001',
  '19103',
  '20001',
  '27601',
  '30303',
  '33101',
  '37201',
  '43215',
  '48201',
  '53202',
  '55401',
  '60601',
  '63101',
  '70112',
  '73301',
  '75201',
  '77002',
  '80202',
  '84101',
  '85001',
  '87101',
  '90001',
  '94103',
  '97201',
  '98101',
  '99501',
  '96813',
];
const STREETS = ['Main St', 'Oak Ave', 'Elm St', 'Park Blvd', 'Lake Rd', 'Hill Dr'];
const PRODUCTS = ['socks', 'kettle', 'drill bits', 'notebooks', 'coffee', 'cables'];
const CARRIER_WISHES = ['the cheapest way there is', 'to be there by Friday', 'leave it with a neighbour'];

export const HEADER =
  'order_id,warehouse_id,postalCode,countryCode,addressLine,weight_value,weight_units,shippingService,residential,sku,product,note';

type Random = () => number;
const pick = <T>(random: Random, values: readonly T[]): T => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};

const FAULTY: readonly ((row: string[]) => void)[] = [
  (row) => {
    row[1] = '999';
  },
  (row) => {
    row[2] = '2139';
  },
  (row) => {
    row[2] = '00901';
  },
  (row) => {
    row[3] = 'MX';
  },
  (row) => {
    row[5] = '99.5';
  },
  (row) => {
    row[7] = 'C9-NONE';
  },
];

/** One row, its order number from `index`. */
const rowOf = (random: Random, index: number): string => {
  const kilograms = random() < 0.2;
  const row = [
    `SO-${String(index).padStart(8, '0')}`,
    String(101 + Math.floor(random() * 3)),
    pick(random, ZIPS),
    random() < 0.5 ? 'US' : '',
    `${1 + Math.floor(random() * 9_999)} ${pick(random, STREETS)}`,
    ((1 + Math.floor(random() * (kilograms ? 300 : 700))) / 10).toFixed(1),
    kilograms ? 'KG' : 'LB',
    '',
    random() < 0.3 ? 'true' : 'false',
    `SKU-${1_000 + Math.floor(random() * 9_000)}`,
    pick(random, PRODUCTS),
    pick(random, CARRIER_WISHES),
  ];
  if (index % 50 === 0) pick(random, FAULTY)(row);
  return row.join(',');
};

/** The list in pieces of a thousand rows. */
export function* shipments(rows: number, seed = 1): Generator<string> {
  const random = randomFrom(seed);
  yield `${HEADER}\n`;
  for (let first = 1; first <= rows; first += 1_000) {
    let piece = '';
    for (let index = first; index < Math.min(first + 1_000, rows + 1); index += 1) piece += `${rowOf(random, index)}\n`;
    yield piece;
  }
}
