/** The summary of a batch for users: counts and spend by service, zone and weight, faults by type. */
import { z } from 'zod';
import { PRICE_PARTS } from '../../rating/charges.ts';
import { dollars } from '../../rating/quantity.ts';
import { inBands, netCentsOf, type Spend, type Tally } from './tally.ts';

const count = z.int().gte(0);
const spend = { shipments: count, totalNetCharge: z.number() };
type SpendBody = z.output<z.ZodObject<typeof spend>>;

const incomplete = count.describe('How many of these prices are incomplete: the carrier will bill more.');

const allServices = z.object({
  rows: count.describe('The quoted rows. Rows with a fault are in no total.'),
  totalAsChosen: z
    .number()
    .describe('The total if each row goes by the service that it names, or by the cheapest if it names none.'),
  totalCheapest: z.number().describe('The total if each row goes by its cheapest service.'),
  saving: z.number().describe('`totalAsChosen` − `totalCheapest`.'),
  incompleteAsChosen: incomplete,
  incompleteCheapest: incomplete,
  services: z
    .array(
      z.object({
        shippingService: z.string(),
        shipments: count.describe('The rows that the service can carry.'),
        notServed: count.describe('The rows that the service cannot carry. They are in none of its totals.'),
        totalNetCharge: z.number().describe('What `shipments` cost by this service.'),
        sameShipmentsAsChosen: z.number().describe('What the same rows cost as chosen.'),
        sameShipmentsCheapest: z.number().describe('What the same rows cost by their cheapest service.'),
        difference: z
          .number()
          .describe('`totalNetCharge` − `sameShipmentsAsChosen`. Negative: this service is cheaper.'),
        incomplete,
      }),
    )
    .describe('Services that can carry the most rows come first, then the cheapest.'),
});
export type AllServices = z.output<typeof allServices>;

/** Only for lists whose rows are order lines. */
export const joinedCount = count.describe(
  'Rows whose order has its quote or its fault in another row. Only for lists with order lines.',
);

export const summarySchema = z.object({
  rows: z.object({ processed: count, quoted: count, faulted: count, joined: joinedCount.optional() }),
  totalNetCharge: z.number(),
  currency: z.literal('USD'),
  byService: z.array(z.object({ shippingService: z.string(), ...spend })),
  byZone: z.array(z.object({ rateZone: z.string(), ...spend })),
  // `overLb` and `toLb` bound the billing weight; the heaviest band has no upper bound.
  byBillingWeight: z.array(z.object({ overLb: z.number(), toLb: z.number().nullable(), ...spend })),
  cheapest: z
    .array(z.object({ shippingService: z.string(), shipments: count }))
    .describe('For rows that name no service: how often each service was the cheapest.'),
  faults: z.record(z.string(), count),
  warnings: z
    .array(z.object({ type: z.string(), ...spend }))
    .describe('The number of quoted rows with each warning, and their total.'),
  incomplete: z
    .object({
      rows: count,
      totalNetCharge: z.number(),
      missing: z.record(z.string(), count).meta({
        description:
          'The number of these rows that are missing each part, such as `fuel`. A row may be missing several.',
        example: { fuel: 12, residential: 3 },
      }),
    })
    .describe('Quoted rows with `price.incomplete`, and their total. The carrier will bill more for them.'),
  allServices: allServices.optional().describe('With `?services=all`: what the quoted rows cost by each service.'),
});
export type Summary = z.output<typeof summarySchema>;

const spendBody = ({ shipments, netCents }: Spend): SpendBody => ({ shipments, totalNetCharge: dollars(netCents) });

const sorted = <T>(byName: Readonly<Record<string, T>>): [string, T][] =>
  Object.entries(byName).sort(([a], [b]) => (a < b ? -1 : 1));

const incompleteBody = ({ warnings, missing }: Tally): Summary['incomplete'] => {
  const { shipments: rows, totalNetCharge } = spendBody(warnings['price.incomplete'] ?? { shipments: 0, netCents: 0 });
  const inOrder = PRICE_PARTS.flatMap((part) => (missing[part] === undefined ? [] : [[part, missing[part]] as const]));
  return { rows, totalNetCharge, missing: Object.fromEntries(inOrder) };
};

const allServicesBody = ({ allServices: all }: Tally): AllServices | undefined => {
  if (all === undefined) return undefined;
  const { rows, asChosenCents, cheapestCents, incompleteAsChosen, incompleteCheapest } = all;
  const services = Object.entries(all.services).map(([shippingService, totals]) => ({
    shippingService,
    shipments: totals.shipments,
    notServed: rows - totals.shipments,
    totalNetCharge: dollars(totals.netCents),
    sameShipmentsAsChosen: dollars(totals.asChosenCents),
    sameShipmentsCheapest: dollars(totals.cheapestCents),
    difference: dollars(totals.netCents - totals.asChosenCents),
    incomplete: totals.incomplete,
  }));
  return {
    rows,
    totalAsChosen: dollars(asChosenCents),
    totalCheapest: dollars(cheapestCents),
    saving: dollars(asChosenCents - cheapestCents),
    incompleteAsChosen,
    incompleteCheapest,
    // Only the total of a service that takes all rows can be compared with the list's total.
    services: services.sort((a, b) => a.notServed - b.notServed || a.totalNetCharge - b.totalNetCharge),
  };
};

/** Returns row counts for clients. Rows that are neither quoted nor faulted are joined. */
export const rowCounts = ({ processed, quoted, faulted }: Pick<Tally, 'processed' | 'quoted' | 'faulted'>) => {
  const joined = processed - quoted - faulted;
  return { processed, quoted, faulted, ...(joined > 0 && { joined }) };
};

export const summaryOf = (tally: Tally): Summary => {
  const allServices = allServicesBody(tally);
  return {
    rows: rowCounts(tally),
    totalNetCharge: dollars(netCentsOf(tally)),
    currency: 'USD',
    byService: sorted(tally.byService).map(([shippingService, spend]) => ({ shippingService, ...spendBody(spend) })),
    byZone: sorted(tally.byZone).map(([rateZone, spend]) => ({ rateZone, ...spendBody(spend) })),
    byBillingWeight: inBands(tally.byWeight, spendBody),
    cheapest: sorted(tally.cheapest).map(([shippingService, shipments]) => ({ shippingService, shipments })),
    faults: tally.faults,
    warnings: sorted(tally.warnings).map(([type, spend]) => ({ type, ...spendBody(spend) })),
    incomplete: incompleteBody(tally),
    ...(allServices && { allServices }),
  };
};
