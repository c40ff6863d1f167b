/** What a batch came to, for people's questions: counts and spend by service, zone and weight, faults by type. */
import { dollars } from '../rating/quantity.ts';
import { type Spend, type Tally, WEIGHT_BANDS } from './tally.ts';

interface SpendBody {
  readonly shipments: number;
  readonly totalNetCharge: number;
}

export interface Summary {
  readonly rows: { readonly processed: number; readonly quoted: number; readonly faulted: number };
  readonly totalNetCharge: number;
  readonly currency: 'USD';
  readonly byService: readonly ({ readonly shippingService: string } & SpendBody)[];
  readonly byZone: readonly ({ readonly rateZone: string } & SpendBody)[];
  /** `overLb` and `toLb` bound the billing weight; the heaviest band has no upper bound. */
  readonly byBillingWeight: readonly ({ readonly overLb: number; readonly toLb: number | null } & SpendBody)[];
  /** Of the rows that named no service: how often each was the cheapest. */
  readonly cheapest: readonly { readonly shippingService: string; readonly shipments: number }[];
  readonly faults: Readonly<Record<string, number>>;
  /** How many quoted rows carry each warning, and what they come to. */
  readonly warnings: readonly ({ readonly type: string } & SpendBody)[];
}

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
