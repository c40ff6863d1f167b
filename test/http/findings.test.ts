import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { BATCHES, type BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true });

type Row = Record<string, string>;
const rowsOf = async (id: string, what = 'output'): Promise<Row[]> =>
  parse((await api.file(`/${id}/${what}`)).text, { columns: true });
const done = async (list: string, query: string) => api.ended(await api.upload(list, query));

const LIST = 'Quantity,Ship Zipcode,Weight (lb)\n4,02139,2\n';
const QUANTITY = {
  type: 'column.quantity',
  message:
    '"Quantity" (column 1) was not used: most lists count items there. If it counts packages, use ?columns=packages:Quantity.',
  column: 'Quantity',
};

test('a bare quantity costs one package, and the batch, the list of batches and the preview say so', async () => {
  const one = await done('Ship Zipcode,Weight (lb)\n02139,2\n', '?warehouse_id=101');
  const four = await done(LIST, '?warehouse_id=101&columns=packages:Quantity');
  const batch = await done(LIST, '?warehouse_id=101');
  const net = async ({ id }: { id: string }) => (await rowsOf(id))[0]?.['quote_totalNetCharge'];
  expect([await net(one), await net(batch), await net(four)]).toEqual(['11.45', '11.45', '45.80']);
  expect([one.findings, batch.findings, four.findings]).toEqual([[], [QUANTITY], []]);
  const listed = (await api.call('GET', '')).body.batches.find(({ id }: { id: string }) => id === batch.id);
  expect(listed.findings).toEqual([QUANTITY]);
  const preview = await api.post(LIST, '?preview=true&warehouse_id=101');
  expect(preview.body.findings).toEqual([QUANTITY]);
});

test('?dimension_units= gives all rows their unit, as a single call does', async () => {
  const list = 'zip,Weight (lb),Length,Width,Height\n02139,2,20,20,20\n';
  const without = await done(list, '?warehouse_id=101');
  expect(without.findings).toMatchObject([{ type: 'dimensions.noUnit' }]);
  expect((await rowsOf(without.id))[0]?.['fault_arguments']).toBe(
    '{"rates.packageItems[0].dimensions.units":"is required"}',
  );
  const given = await done(list, '?warehouse_id=101&dimension_units=IN');
  const [row] = await rowsOf(given.id);
  const single = await api.api.quote({
    rates: {
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode: '02139' } },
      packageItems: [
        { weight: { units: 'LB', value: 2 }, dimensions: { units: 'IN', length: 20, width: 20, height: 20 } },
      ],
    },
  });
  expect([given.findings, row?.['quote_billingWeight_value']]).toEqual([[], '58']);
  expect(Number(row?.['quote_totalNetCharge'])).toBe(single.body.totalNetCharge);
  const named = 'zip,Weight (lb),Length (in),Width_in,Height [in]\n02139,2,20,20,20\n';
  const inName = await done(named, '?warehouse_id=101');
  expect((await rowsOf(inName.id))[0]?.['quote_billingWeight_value']).toBe('58');
});

const SERVICES = 'zip,Weight (lb),Service\n02139,2,Standard\n02139,2,USPS Ground Advantage\n0213,2,standard\n';

test('service names are read with the map of the upload, also in corrections', async () => {
  const batch = await done(SERVICES, '?warehouse_id=101&service_map=Standard:C1-EXPRESS');
  const rows = await rowsOf(batch.id);
  expect(rows.map((row) => row['quote_shippingService'])).toEqual(['C1-EXPRESS', '', '']);
  expect(rows[1]?.['fault_arguments']).toBe(
    '{"rates.shippingService":"must have at most 10 characters; GET /v1/client/services lists the codes in force"}',
  );
  expect(batch.findings).toMatchObject([
    { type: 'column.repairable', column: 'zip' },
    {
      type: 'service.unknown',
      message: expect.stringContaining('"USPS Ground Advantage"; rows with them get no price'),
    },
  ]);
  const faults = (await api.file(`/${batch.id}/faults`)).text.replace(',,0213', ',02139').replace('0213,', '02139,');
  const taken = await api.api.call(`${BATCHES}/${batch.id}/corrections`, {
    method: 'POST',
    headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
    body: faults,
  });
  expect(taken.status).toBe(202);
  await api.ended(batch.id);
  expect((await rowsOf(batch.id)).map((row) => row['quote_shippingService'])).toEqual(['C1-EXPRESS', '', 'C1-EXPRESS']);
});

test('an unknown service name has the same fault as in a single call', async () => {
  const batch = await done('zip,Weight (lb),Service\n02139,2,Standard\n', '?warehouse_id=101');
  const [row] = await rowsOf(batch.id);
  const single = await api.api.quote({
    rates: {
      shippingService: 'Standard',
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode: '02139' } },
      packageItems: [{ weight: { units: 'LB', value: 2 } }],
    },
  });
  expect(row?.['fault_type']).toBe('getRates.unknownShippingService');
  expect(row?.['fault_message']).toBe(single.body.fault.message);
});

test.each([
  ['Standard', '"Standard" must be a name, a colon and a code, as in UPS Ground:UPS-GROUND,FedEx 2Day:FDX-2DAY'],
  [
    'Standard:C1-GRND',
    'maps "standard" to C1-GRND, which is not a service; the services are C1-GROUND, C1-EXPRESS, C2-GROUND',
  ],
])('?service_map=%s is refused, and the entry is named', async (map, message) => {
  const { status, body } = await api.post(SERVICES, `?warehouse_id=101&service_map=${encodeURIComponent(map)}`);
  expect([status, body.fault.arguments]).toEqual([422, { service_map: message }]);
});

test('the preview lists the service names in the rows, and how each is read', async () => {
  const { body } = await api.post(SERVICES, '?preview=true&warehouse_id=101&service_map=Standard:C1-EXPRESS');
  expect(body.services).toEqual([
    { name: 'Standard', code: 'C1-EXPRESS', rows: 1 },
    { name: 'USPS Ground Advantage', code: null, rows: 1 },
    { name: 'standard', code: 'C1-EXPRESS', rows: 1 },
  ]);
});
