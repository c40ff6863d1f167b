/** What answers of the quote, catalogue, token and health routes look like (service specification; contract, HTTP). */
import { z } from 'zod';
import { BATCH_STATUSES } from '../batch/status.ts';
import { SIDE_ROUNDINGS } from '../rating/quantity.ts';
import { findingBody } from '../rows/findings.ts';
import { STATUS } from './faults.ts';

const dollars = z.number().meta({ description: 'US dollars, at most two decimals.' });
const status = z.literal(200).meta({ description: 'The HTTP status.' });
const lb = z.object({ units: z.literal('LB'), value: z.number() });

const cell = z.object({ table: z.string(), row: z.string(), column: z.string() });
const charge = z.object({
  type: z.string(),
  description: z.string(),
  amount: dollars,
  computation: z.string().meta({ description: 'The arithmetic, in words.' }),
  because: z.array(z.string()),
});
const discountComputation = z.string().meta({
  description: 'Where the client has a discount on the service: its arithmetic.',
  example: '12.50 % of 9.25, but 8.80 are left',
});
const explanation = z
  .object({
    zone: z.object({
      rateZone: z.string(),
      column: z.string(),
      chart: z.string().meta({ description: 'The zone chart, or `distance`.' }),
      origin: z.string(),
      destination: z.string(),
      estimated: z.boolean(),
    }),
    dimensionalFactor: z.number(),
    sideRounding: z
      .enum(SIDE_ROUNDINGS)
      .meta({ description: 'How sides were measured: as given, to the nearest inch, or up to the inch.' }),
    packages: z.array(
      z.object({
        actualWeight: lb.meta({ description: 'Rounded up to whole pounds.' }),
        dimensionalWeight: lb,
        billingWeight: lb,
        billed: z.enum(['actual', 'dimensional', 'minimum']),
        rateCell: cell,
        baseCharge: dollars,
        discount: dollars,
        discountComputation: discountComputation.optional(),
        charges: z.array(charge),
      }),
    ),
    shipment: z
      .object({
        rateCell: cell.optional(),
        actualWeight: lb.optional(),
        dimensionalWeight: lb.optional(),
        ratedWeight: lb.optional(),
        baseCharge: dollars.optional(),
        discount: dollars.optional(),
        discountComputation: discountComputation.optional(),
        charges: z.array(charge),
      })
      .optional(),
  })
  .meta({ description: 'With `?explain=true`: how the quote came about.' });

const warning = z.object({
  type: z
    .string()
    .meta({ description: 'Such as `zone.estimated`. The set may grow: pass over types that you do not know.' }),
  message: z.string().meta({ description: 'For people.' }),
  arguments: z.record(z.string(), z.unknown()).meta({ description: 'What it is about, by name.' }),
});

export const quote = z.object({
  status,
  rateType: z
    .enum(['LIST', 'ACCOUNT'])
    .meta({ description: '`ACCOUNT` where the client has a discount on the service.' }),
  totalDiscounts: dollars,
  totalBaseCharge: dollars,
  totalNetCharge: dollars.meta({ description: 'Base charge less discounts plus surcharges.' }),
  shippingService: z.string(),
  carrier: z.string(),
  tariff: z.string().meta({ description: 'Name and version of the tariff.' }),
  shipmentDetail: z.object({
    rateZone: z.string().meta({ description: '`1` to `8`.' }),
    totalBillingWeight: lb.meta({ description: 'In whole pounds.' }),
    currency: z.literal('USD'),
    totalSurcharges: dollars,
    surcharges: z.array(z.object({ type: z.string(), description: z.string(), amount: dollars })),
  }),
  warnings: z.array(warning).optional().meta({
    description:
      'What makes this quote less certain than others and, on the answer itself, members of the request that were passed over; absent if there is nothing.',
  }),
  explanation: explanation.optional(),
});

export const fault = z.object({
  type: z.enum(Object.keys(STATUS)),
  message: z.string().meta({ description: 'For people.' }),
  arguments: z.record(z.string(), z.unknown()).meta({ description: 'The offending input by name.' }),
});

export const errorBody = z.object({
  code: z.int().meta({ description: 'The HTTP status.' }),
  fault,
  header: z.array(z.string()).optional().meta({
    description: 'Names of a list’s columns, the first hundred, where a preview is refused for what they mean.',
  }),
});

export const oauthErrorBody = errorBody.extend({
  error: z.enum([
    'invalid_request',
    'invalid_client',
    'unsupported_grant_type',
    'invalid_scope',
    'unauthorized_client',
  ]),
  error_description: z.string(),
});

export const rateQuote = quote.extend({
  quotes: z
    .array(quote)
    .optional()
    .meta({ description: 'Where the request names no service: every quote, cheapest first. The first is the body.' }),
  unavailable: z
    .array(z.object({ shippingService: z.string(), fault }))
    .optional()
    .meta({ description: 'Services without a quote, and why.' }),
});

export const warehouseList = z.object({
  status,
  warehouses: z.array(
    z.object({
      warehouse_id: z.int(),
      name: z.string(),
      address: z.object({ postalCode: z.string(), stateOrProvinceCode: z.string(), countryCode: z.string() }),
    }),
  ),
});

export const serviceList = z.object({
  status,
  services: z.array(
    z.object({
      shippingService: z.string(),
      carrier: z.string(),
      description: z.string(),
      addressLineRequired: z.boolean(),
    }),
  ),
});

export const limitList = z.object({
  status,
  limits: z.array(
    z.object({
      limit: z.string().meta({ description: 'Its name, as a fault has it.' }),
      most: z.int(),
      used: z
        .int()
        .nullable()
        .meta({ description: 'How much of it is used now; null where that is not counted here.' }),
    }),
  ),
});

export const accessToken = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().meta({ description: 'Seconds.' }),
  scope: z.string(),
});

export const liveness = z.object({ status });
export const readiness = z.object({
  status,
  checks: z.record(z.string(), z.literal('ok')),
  batches: z
    .object({
      stalled: z.record(z.string(), z.int()).describe('Batches that have not moved for a minute, by status.'),
      sweptSecondsAgo: z.int().nullable().describe('When all batches were last looked at; null before the first time.'),
    })
    .optional()
    .describe('What the last sweep over all batches found. It has no part in readiness.'),
});

const instant = z.iso.datetime().nullable();
const count = z.int().gte(0);

export const batch = z.object({
  id: z.string(),
  status: z.enum(BATCH_STATUSES).meta({ description: '`completed` means that the output can be downloaded.' }),
  outcome: z
    .enum(['all_quoted', 'some_faults', 'all_faults'])
    .nullable()
    .meta({ description: 'Set with `completed`.' }),
  revision: z.int(),
  filename: z.string(),
  tariff: z.string(),
  options: z.record(z.string(), z.string()),
  findings: z
    .array(findingBody)
    .meta({ description: 'What to know of the columns: those that look relevant and were not taken, and the like.' }),
  rows: z.object({ total: count.nullable(), processed: count, quoted: count, faulted: count }),
  faults: z.record(z.string(), count).meta({ description: 'Rows by fault type.' }),
  createdAt: z.iso.datetime(),
  startedAt: instant,
  completedAt: instant,
  expiresAt: instant,
  estimatedCompletionAt: instant,
  failure: z
    .object({
      message: z.string(),
      rows: z.object({ from: count, to: count }).optional(),
      limit: z.string().optional().meta({ description: 'The limit of the client that was passed, if it was one.' }),
    })
    .nullable(),
  links: z.record(z.string(), z.string()).meta({ description: 'Paths, relative to the host.' }),
});

export const batchPage = z.object({
  batches: z.array(batch),
  next: z.string().nullable().meta({ description: 'The `cursor` of the next page; null on the last.' }),
});

/** What a webhook is sent. */
export const batchEnded = z.object({
  type: z.enum(['batch.completed', 'batch.failed', 'batch.cancelled']),
  timestamp: z.iso.datetime().meta({ description: 'When it ended.' }),
  data: batch,
});

const spend = { shipments: count, totalNetCharge: z.number() };

export const summary = z.object({
  status: z.literal(200),
  id: z.string(),
  revision: z.int(),
  rows: z.object({ processed: count, quoted: count, faulted: count }),
  totalNetCharge: z.number(),
  currency: z.literal('USD'),
  byService: z.array(z.object({ shippingService: z.string(), ...spend })),
  byZone: z.array(z.object({ rateZone: z.string(), ...spend })),
  byBillingWeight: z.array(z.object({ overLb: z.number(), toLb: z.number().nullable(), ...spend })),
  cheapest: z
    .array(z.object({ shippingService: z.string(), shipments: count }))
    .meta({ description: 'Of the rows that named no service: how often each was the cheapest.' }),
  faults: z.record(z.string(), count),
  warnings: z
    .array(z.object({ type: z.string(), ...spend }))
    .meta({ description: 'How many quoted rows carry each warning, and what they come to.' }),
});
