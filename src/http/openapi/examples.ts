/**
 * Example answers to calls with the sample files, for the document. The list has two rows, and one of them has a fault.
 * Batches are built with the same code as real answers.
 */
import { type BatchFields, type BatchView, type ComparisonView, comparisonSchema, viewOf } from '../../batch/view.ts';
import { comparisonSummaryOf, resultOf } from '../../lists/comparison/summary.ts';
import { emptySums } from '../../lists/comparison/sums.ts';
import { faultObject } from '../faults.ts';

const TARIFF = 'reference@2020-01-01-6736f834';
const ID = 'b0mm7p6yo02gy094pw5qynme4a';
const CREATED_AT = '2026-03-01T12:00:00.000Z';

export const REQUEST = {
  rates: {
    shippingService: 'C1-GROUND',
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139', countryCode: 'US' } },
    packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
  },
};

export const QUOTE = {
  status: 200,
  rateType: 'LIST',
  totalDiscounts: 0,
  discounts: [],
  totalBaseCharge: 10.66,
  totalNetCharge: 11.99,
  shippingService: 'C1-GROUND',
  carrier: 'C1',
  tariff: TARIFF,
  shipmentDetail: {
    rateZone: '3',
    carrierZone: '3',
    totalBillingWeight: { units: 'LB', value: 3 },
    currency: 'USD',
    totalSurcharges: 1.33,
    surcharges: [{ type: 'FUEL', description: 'Fuel', amount: 1.33 }],
  },
};

const warehouse = (id: number, name: string, postalCode: string, stateOrProvinceCode: string) => ({
  warehouse_id: id,
  name,
  address: { postalCode, stateOrProvinceCode, countryCode: 'US' },
});

export const WAREHOUSES = {
  status: 200,
  warehouses: [
    warehouse(101, 'Newark', '07001', 'NJ'),
    warehouse(102, 'Chicago', '60601', 'IL'),
    warehouse(103, 'Los Angeles', '90001', 'CA'),
  ],
};

const service = (shippingService: string, description: string, addressLineRequired: boolean) => ({
  ...{ shippingService, carrier: shippingService.slice(0, 2), description, addressLineRequired },
});

export const SERVICES = {
  status: 200,
  services: [
    service('C1-GROUND', 'Carrier 1 Ground', false),
    service('C1-EXPRESS', 'Carrier 1 Express', false),
    service('C2-GROUND', 'Carrier 2 Ground', true),
  ],
};

export const LIMIT_LIST = {
  status: 200,
  limits: [
    { limit: 'quotesPerMinute', most: 60_000, used: null },
    { limit: 'bytesStored', most: 34_359_738_368, used: 1_204_113 },
  ],
};

export const TOKEN = {
  access_token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhY21lIn0.c2lnbmF0dXJl',
  token_type: 'Bearer',
  expires_in: 3_600,
  scope: 'quote batch',
};

export const CREDENTIALS = { client_id: 'acme', client_secret: 'the-secret-of-acme' };

export const LIST = `order,warehouse_id,postalCode,weight_value,weight_units,shippingService
A1,101,02139,2.1,LB,C1-GROUND
A2,101,00901,3,LB,C1-GROUND
`;

const FAULTS = { 'getRates.noDeliveryCoverage': 1 };
const QUEUED: BatchFields = {
  clientId: 'acme',
  status: 'queued',
  revision: 1,
  filename: 'orders.csv',
  tariff: TARIFF,
  options: '{}',
  findings: '[]',
  rows: 2,
  chunks: 1,
  processed: 0,
  quoted: 0,
  faulted: 0,
  createdAt: CREATED_AT,
};

const viewAs = (id: string, fields: Partial<BatchFields>, faults: Readonly<Record<string, number>>) => {
  const counts = Object.entries(faults).map(([type, count]) => [`fault:${type}`, String(count)]);
  return viewOf(id, { ...QUEUED, ...fields }, Object.fromEntries(counts), new Date(CREATED_AT));
};
type ViewAs<V> = (fields: Partial<BatchFields>, faults?: Readonly<Record<string, number>>) => V;

/** Views in several states. @param ended fields that it has only at the end */
const statesOf = <V>(as: ViewAs<V>, ended: Partial<BatchFields>) => {
  const startedAt = '2026-03-01T12:00:00.040Z';
  const done = { processed: 2, quoted: 1, faulted: 1, startedAt, status: 'completed' } as const;
  const times = { completedAt: '2026-03-01T12:00:00.220Z', expiresAt: '2026-03-08T12:00:00.220Z' };
  return {
    queued: as({}),
    completed: as({ ...done, ...times, ...ended }, FAULTS),
    cancelling: as({ status: 'cancelling' }),
    resumed: as({ status: 'in_progress', startedAt }),
    /** The row without a fault is kept. */
    corrected: as({ status: 'in_progress', revision: 2, processed: 1, quoted: 1, startedAt }),
  };
};

export const BATCHES = statesOf<BatchView>((fields, faults = {}) => viewAs(ID, fields, faults), { netCents: 1199 });

const EXAMPLE_SERVICE = { shipments: 1, notServed: 0, sameShipmentsAsChosen: 11.99, sameShipmentsCheapest: 11.99 };

/** The summary of a list that was uploaded with `?services=all`. */
export const SUMMARY = {
  status: 200,
  id: ID,
  revision: 1,
  rows: { processed: 2, quoted: 1, faulted: 1 },
  totalNetCharge: 11.99,
  currency: 'USD',
  byService: [{ shippingService: 'C1-GROUND', shipments: 1, totalNetCharge: 11.99 }],
  byZone: [{ rateZone: '3', shipments: 1, totalNetCharge: 11.99 }],
  byBillingWeight: [{ overLb: 2, toLb: 5, shipments: 1, totalNetCharge: 11.99 }],
  cheapest: [],
  faults: FAULTS,
  warnings: [],
  incomplete: { rows: 0, totalNetCharge: 0, missing: {} },
  allServices: {
    rows: 1,
    totalAsChosen: 11.99,
    totalCheapest: 11.99,
    saving: 0,
    incompleteAsChosen: 0,
    incompleteCheapest: 0,
    services: [
      { shippingService: 'C1-GROUND', ...EXAMPLE_SERVICE, totalNetCharge: 11.99, difference: 0, incomplete: 0 },
      { shippingService: 'C1-EXPRESS', ...EXAMPLE_SERVICE, totalNetCharge: 40.85, difference: 28.86, incomplete: 0 },
      {
        shippingService: 'C2-GROUND',
        shipments: 0,
        notServed: 1,
        totalNetCharge: 0,
        sameShipmentsAsChosen: 0,
        sameShipmentsCheapest: 0,
        difference: 0,
        incomplete: 0,
      },
    ],
  },
};

const rowRequest = (postalCode: string, value: number) => ({
  rates: {
    shippingService: 'C1-GROUND',
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode } },
    packageItems: [{ weight: { units: 'LB', value } }],
  },
});

const NOT_SERVED = faultObject({ type: 'getRates.noDeliveryCoverage', postalCode: '00901' });

const FIELDS = ['warehouse_id', 'postalCode', 'weight_value', 'weight_units', 'shippingService'];

/** At most three values of each column of the example list. */
const SAMPLES = [['101'], ['02139', '00901'], ['2.1', '3'], ['LB'], ['C1-GROUND']];
const CELLS = SAMPLES.map(([first = '', second = first]) => [first, second]);

export const PREVIEW = {
  status: 200,
  sheets: [],
  problems: {},
  headerRow: 1,
  headerKey: 'q485krFv4XkFBw3y-DA5UnTHkeHapOnAcYVCcC2mMd8',
  suggestedHeaderRow: null,
  mapping: {
    fields: FIELDS.map((field, index) => ({
      ...{ field, how: 'name', column: field, position: index + 2, value: null },
      ...{ samples: SAMPLES[index], problem: null },
    })),
    columns: [
      { position: 1, name: 'order', samples: ['A1', 'A2'], cells: ['A1', 'A2'], field: null, looksLike: null },
      ...FIELDS.map((field, index) => ({
        ...{ position: index + 2, name: field, samples: SAMPLES[index], cells: CELLS[index] },
        ...{ field, looksLike: null },
      })),
    ],
    columnCount: 6,
  },
  dialect: { encoding: 'utf-8', delimiter: ',', lineBreak: 'lf' },
  columns: FIELDS.map((field, index) => ({ field, column: field, position: index + 2 })),
  unknownColumns: { count: 1, names: ['order'] },
  findings: [],
  services: [{ name: 'C1-GROUND', code: 'C1-GROUND', rows: 2 }],
  defaults: {},
  rowsRead: 2,
  joined: 0,
  orders: null,
  quoted: 1,
  faulted: 1,
  faults: FAULTS,
  warnings: {},
  missing: {},
  rows: [
    { input_row: 1, request: rowRequest('02139', 2.1), repairs: [], quote: QUOTE, fault: null },
    { input_row: 2, request: rowRequest('00901', 3), repairs: [], quote: null, fault: NOT_SERVED },
  ],
  faultKinds: [
    {
      ...{ type: NOT_SERVED.type, kind: NOT_SERVED.type, field: 'postalCode', column: 'postalCode' },
      ...{ rows: 1, estimatedRows: 1 },
      message: NOT_SERVED.message,
      examples: [{ input_row: 2, value: '00901' }],
    },
  ],
  repairs: { asked: [], rows: 0, kinds: [], emptyWeights: 0 },
  repairAll: {
    rows: 0,
    quoted: 1,
    faulted: 1,
    examples: [],
    kinds: [],
    zipList: 'US Census Bureau, ZIP code tabulation areas of 2021',
  },
  estimate: { exact: true, rows: 2, faulted: 1, seconds: 0.1, totalNetCharge: 11.99, currency: 'USD' },
};

const endOf = <V extends BatchView>(type: string, data: V) => ({ type, timestamp: data.completedAt, data });

export const BATCH_ENDED = endOf('batch.completed', BATCHES.completed);

export const DELIVERIES = {
  deliveries: [
    {
      id: `${ID}-r1-completed`,
      event: 'batch.completed',
      batchId: ID,
      revision: 1,
      attempt: 1,
      at: '2026-03-01T12:00:00.300Z',
      url: 'https://shop.example.com/hook',
      outcome: 'delivered',
      status: 204,
      problem: null,
      body: '',
      ms: 84,
      nextAttemptAt: null,
    },
  ],
};

const SHARE = { id: 'l0TzJ3Dk5UJx9fQa', createdAt: '2026-06-01T12:00:00.000Z', endsAt: '2026-06-08T12:00:00.000Z' };
const SHARE_TOKEN = 'bmpw4k3n40123456789abcdefg.Zk9vYmFyYmF6cXV4Zk9vYmFyYmF6cXV4';
export const SHARES = {
  made: { status: 200, ...SHARE, token: SHARE_TOKEN, link: `/#/shared/${SHARE_TOKEN}` },
  list: { status: 200, shares: [SHARE], most: 10 },
};

const COMPARISON_ID = 'c0mm7p6yq13h4z6kd0r8w2nf5t';

const COMPARED: Pick<ComparisonView, 'batch' | 'with' | 'scenarios'> = {
  with: null,
  batch: { id: ID, revision: 1, filename: 'orders.csv' },
  scenarios: [
    {
      name: 'All to Express',
      changes: 'all to C1-EXPRESS',
      column: 'all_to_express',
      scenario: { name: 'All to Express', service: 'C1-EXPRESS' },
      result: null,
    },
  ],
};

export const COMPARISON_REQUEST = { scenarios: COMPARED.scenarios.map(({ scenario }) => scenario) };

export const COMPARISONS = statesOf<ComparisonView>(
  (fields, faults = {}) =>
    comparisonSchema.parse(viewAs(COMPARISON_ID, { comparison: JSON.stringify(COMPARED), ...fields }, faults)),
  { results: JSON.stringify(emptySums(1).scenarios.map(resultOf)) },
);

export const COMPARISON_SUMMARY = {
  status: 200,
  id: COMPARISON_ID,
  ...comparisonSummaryOf(
    { ...emptySums(1), base: { rows: 2, priced: 1, cents: 1199, faults: FAULTS, warnings: {}, missing: {} } },
    COMPARISON_REQUEST.scenarios,
  ),
};

export const COMPARISON_ENDED = endOf('comparison.completed', COMPARISONS.completed);
