// 1. Get a token
import { writeFile } from 'node:fs/promises';

const url = 'http://127.0.0.1:3000';
const credentials = { client_id: 'demo', client_secret: 'demo-secret' };

/** The JSON of an answer. A fault becomes an error. */
const call = async <T,>(path: string, init: RequestInit): Promise<T> => {
  const answer = await fetch(url + path, init);
  const body = (await answer.json()) as T & { fault?: { type: string; message: string } };
  if (body.fault) throw new Error(`${body.fault.type}: ${body.fault.message}`);
  return body;
};

const { access_token } = await call<{ access_token: string }>('/token/generate', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(credentials),
});
const authorization = { Authorization: `Bearer ${access_token}` };

// 2. Ask for a quote
interface Quote {
  shippingService: string;
  totalNetCharge: number;
}

const rates = {
  shipper: { warehouse_id: 101 },
  recipient: { address: { postalCode: '02139' } },
  packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
};
const quote = await call<Quote>('/v1/client/shipment/rates', {
  method: 'POST',
  headers: { ...authorization, 'Content-Type': 'application/json' },
  body: JSON.stringify({ rates }),
});
console.log(`${quote.shippingService}: $${quote.totalNetCharge}`);
// → C1-GROUND: $11.99

// 3. Upload a list
interface Batch {
  status: string;
  rows: { quoted: number; faulted: number };
  links: { self: string; output: string };
}

const list = `order,warehouse_id,postalCode,weight_value,weight_units
A1,101,02139,2.1,LB
A2,101,60614,12,LB
A3,101,0213,3,LB
`;
let batch = await call<Batch>('/v1/client/shipment/rates/batches?filename=orders.csv', {
  method: 'POST',
  headers: { ...authorization, 'Content-Type': 'text/csv' },
  body: list,
});

// 4. Wait until it has ended
while (!['completed', 'failed', 'cancelled'].includes(batch.status)) {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  batch = await call<Batch>(batch.links.self, { headers: authorization });
}
console.log(`${batch.status}: ${batch.rows.quoted} quoted, ${batch.rows.faulted} faulted`);
// → completed: 2 quoted, 1 faulted

// 5. Download the result
const output = await fetch(url + batch.links.output, { headers: authorization });
const text = await output.text();
if (!output.ok) throw new Error(text);
await writeFile('orders-quoted.csv', text);
console.log(text);
// → order,…,quote_shippingService,…,quote_totalNetCharge,…,fault_type,…
// → A1,…,C1-GROUND,…,11.99,…
// → A2,…,C1-GROUND,…,19.60,…
// → A3,…,getRates.invalidRequest,…
