/** An agreement as tables, as its client sees it. */
import { Beside, OwnFuel, ServiceTerms, Surcharges, WholePrices } from '../../agreements/charges.tsx';
import { Discounts } from '../../agreements/discounts.tsx';
import { Tiers } from '../../agreements/tier.tsx';
import type { Agreement } from '../../calls.ts';

export const Grids = ({ agreement }: { readonly agreement: Agreement }) => (
  <>
    <h2>As the client sees it</h2>
    <Tiers agreement={agreement} />
    <Discounts agreement={agreement} />
    <ServiceTerms agreement={agreement} />
    <WholePrices agreement={agreement} />
    <Surcharges agreement={agreement} />
    <OwnFuel agreement={agreement} />
    <Beside agreement={agreement} />
  </>
);
