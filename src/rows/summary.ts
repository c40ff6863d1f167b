/** The summary of a batch for users: counts and spend by service, zone and weight, faults by type. */
import { z } from 'zod';
import { dollars } from '../rating/quantity.ts';
import { type Spend, type Tally, WEIGHT_BANDS } from './tally.ts';

const count = z.int().gte(0);
const spend = { shipments: count, totalNetCharge: z.number() };
type SpendBody = z.output<z.ZodObject<typeof spend>>;

export const summarySchema = z.object({
  rows: z.object({ processed: count, quoted: count, faulted: count }),
  totalNetCharge: z.number(),
  currency: z.literal('USD'),
  byService: z.array(z.object({ shippingService: z.string(), ...spend })),
  byZone: z.array(z.object({ rateZone: z.string(), ...spend })),
  // `overLb` and `toLb` bound the billing weight; the heaviest band has no upper bound.
  byBillingWeight: z.array(z.object({ overLb: z.number(), toLb: z.number().nullable(), ...spend })),
  cheapest: z
    .array(z.object({ shippingService: z.string(), shipments: count }))
    .meta({ description: 'For rows that name no service: how often each service was the cheapest.' }),
  faults: z.record(z.string(), count),
  warnings: z
    .array(z.object({ type: z.string(), ...spend }))
    .meta({ description: 'The number of quoted rows with each warning, and their total.' }),
});
export type Summary = z.output<typeof summarySchema>;

const spendBody = ({ shipments, netCents }: Spend): SpendBody => ({ shipments, totalNetCharge: dollars(netCents) });

const sorted = <T>(byName: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(byName).sort(([a], [b]) => (a < b ? -1 : 1));

export const summaryOf = (tally: Tally): Summary => ({
  rows: { processed: tally.processed, quoted: tally.quoted, faulted: tally.faulted },
  totalNetCharge: dollars(Object.values(tally.byService).reduce((sum, { netCents }) => sum + netCents, 0)),
  currency: 'USD',
  byService: sorted(tally.byService).map(([shippingService, spend]) => ({ shippingService, ...spendBody(spend) })),
  byZone: sorted(tally.byZone).map(([rateZone, spend]) => ({ rateZone, ...spendBody(spend) })),
  byBillingWeight: [...WEIGHT_BANDS, null].flatMap((toLb, index) => {
    const spend = tally.byWeight[toLb === null ? 'over' : String(toLb)];
    return spend === undefined ? [] : [{ overLb: WEIGHT_BANDS[index - 1] ?? 0, toLb, ...spendBody(spend) }];
  }),
  cheapest: sorted(tally.cheapest).map(([shippingService, shipments]) => ({ shippingService, shipments })),
  faults: tally.faults,
  warnings: sorted(tally.warnings).map(([type, spend]) => ({ type, ...spendBody(spend) })),
});
