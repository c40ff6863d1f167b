/** What answers of the batch routes look like (contract, A batch). */
import { z } from 'zod';
import { findingBody } from '../../rows/findings.ts';

const instant = z.iso.datetime().nullable();
const count = z.int().gte(0);

export const batch = z.object({
  id: z.string(),
  status: z
    .enum([
      'queued',
      'validating',
      'in_progress',
      'finalizing',
      'completed',
      'failed',
      'cancelling',
      'cancelled',
      'expired',
    ])
    .meta({ description: '`completed` means that the output can be downloaded.' }),
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
