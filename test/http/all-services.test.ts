/** The summary of a list with all services equals the sums of single calls, also after corrections. */
import { expect, test } from 'vitest';
import { BATCHES, type BatchApi, HEADER } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';

let api: BatchApi;
batchApiForFile((started) => ({ api } = started), { worker: true });

type Cells = readonly [service: string, postalCode: string, weight: number, street: string];

/** C2-GROUND needs the street. The last row has a fault. Chunks have three rows. */
const ROWS: readonly Cells[] = [
  ['C1-EXPRESS', '02139', 2.1, '1 Main St'],
  ['', '90210', 7, '2 Main St'],
  ['C1-GROUND', '60614', 66, ''],
  ['C2-GROUND', '60614', 12, '3 Main St'],
  ['', '94110', 3, ''],
  ['C2-GROUND', '33101', 1, ''],
];
const listOf = (rows: readonly Cells[]): string =>
  [
    HEADER,
    ...rows.map(([service, zip, weight, street], at) => `A${at},101,${zip},${weight},LB,${service},${street}`),
    '',
  ].join('\n');

interface Quote {
  readonly shippingService: string;
  readonly totalNetCharge: number;
}

/** The net charges of the row's single call for every service, in cents, cheapest first. */
const netsOf = async ([, postalCode, value, addressLine]: Cells): Promise<[string, number][]> => {
  const { body } = await api.api.quote({
    rates: {
      shipper: { warehouse_id: 101 },
      recipient: { address: { postalCode, ...(addressLine === '' ? {} : { addressLine }) } },
      packageItems: [{ weight: { units: 'LB', value } }],
    },
  });
  const quotes: readonly Quote[] = body.quotes;
  return quotes.map(({ shippingService, totalNetCharge }) => [shippingService, Math.round(totalNetCharge * 100)]);
};

/** The same sums, from single calls. */
const expected = async (rows: readonly Cells[]) => {
  const priced = await Promise.all(
    rows.map(async (row) => {
      const nets = await netsOf(row);
      const least = nets[0]?.[1] ?? Number.NaN;
      return { nets: new Map(nets), least, chosen: new Map(nets).get(row[0]) ?? least };
    }),
  );
  const sum = (of: typeof priced, cents: (row: (typeof priced)[number]) => number): number =>
    of.reduce((total, row) => total + cents(row), 0) / 100;
  const saving = sum(priced, ({ chosen, least }) => chosen - least);
  return {
    rows: rows.length,
    totalAsChosen: sum(priced, ({ chosen }) => chosen),
    totalCheapest: sum(priced, ({ least }) => least),
    saving,
    incompleteAsChosen: 0,
    incompleteCheapest: 0,
    services: ['C1-GROUND', 'C1-EXPRESS', 'C2-GROUND'].map((shippingService) => {
      const taken = priced.filter(({ nets }) => nets.has(shippingService));
      const net = ({ nets }: (typeof priced)[number]): number => nets.get(shippingService) ?? Number.NaN;
      return {
        shippingService,
        shipments: taken.length,
        notServed: rows.length - taken.length,
        totalNetCharge: sum(taken, net),
        sameShipmentsAsChosen: sum(taken, ({ chosen }) => chosen),
        sameShipmentsCheapest: sum(taken, ({ least }) => least),
        difference: sum(taken, (row) => net(row) - row.chosen),
        incomplete: 0,
      };
    }),
  };
};

const summaryOf = async (id: string) => (await api.call('GET', `/${id}/summary`)).body;

test('are the sums of single calls, also for corrected rows', async () => {
  const id = await api.upload(listOf(ROWS), '?services=all');
  expect(await api.ended(id)).toMatchObject({ outcome: 'some_faults', rows: { faulted: 1 } });
  const before = await expected(ROWS.slice(0, 5));
  expect((await summaryOf(id)).allServices).toEqual(before);
  expect(before.saving).toBeGreaterThan(0);

  const { status } = await api.api.call(`${BATCHES}/${id}/corrections`, {
    method: 'POST',
    headers: { ...api.bearer(), 'Content-Type': 'text/csv' },
    body: (await api.file(`/${id}/faults`)).text.replace('C2-GROUND,,', 'C2-GROUND,4 Main St,'),
  });
  expect(status).toBe(202);
  expect(await api.ended(id)).toMatchObject({ revision: 2, outcome: 'all_quoted' });
  const corrected = [...ROWS.slice(0, 5), ['C2-GROUND', '33101', 1, '4 Main St'] as const];
  expect((await summaryOf(id)).allServices).toEqual(await expected(corrected));
  expect((await api.call('GET', `/${id}/summary?revision=1`)).body.allServices).toEqual(before);
});

test('are absent without ?services=all', async () => {
  const id = await api.upload(listOf(ROWS));
  await api.ended(id);
  expect(await summaryOf(id)).not.toHaveProperty('allServices');
});
