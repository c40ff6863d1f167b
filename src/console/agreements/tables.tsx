/** An agreement as tables, as its client sees it. */
import type { Agreement } from '../calls.ts';
import { Beside, OwnFuel, ServiceTerms, Surcharges, WholePrices } from './charges.tsx';
import { Discounts } from './discounts.tsx';
import { Tiers } from './tier.tsx';

export const AgreementTables = ({ agreement }: { readonly agreement: Agreement }) => (
  <>
    <Tiers agreement={agreement} />
    <Discounts agreement={agreement} />
    <ServiceTerms agreement={agreement} />
    <WholePrices agreement={agreement} />
    <Surcharges agreement={agreement} />
    <OwnFuel agreement={agreement} />
    <Beside agreement={agreement} />
  </>
);
