/** An agreement as tables: its terms and its surcharges. */
import type { Agreement } from '../calls.ts';
import type { Tab } from '../ui/tabs.tsx';
import { Fees, FuelIndex, FuelRates, Notes, ServiceTerms, Surcharges, WholePrices } from './charges.tsx';
import { Discounts } from './discounts.tsx';
import { Tiers } from './tier.tsx';
import { STATES } from './words.ts';

const MARKS = { now: 'mark good', later: 'mark accent', past: 'mark' } as const;

export const StateMark = ({ inForce }: Pick<Agreement, 'inForce'>) => (
  <span class={MARKS[inForce]}>{STATES[inForce]}</span>
);

const Terms = ({ agreement }: { readonly agreement: Agreement }) => (
  <>
    <Tiers agreement={agreement} />
    <Discounts agreement={agreement} />
    <ServiceTerms agreement={agreement} />
    <WholePrices agreement={agreement} />
    <Notes agreement={agreement} />
  </>
);

const Charges = ({ agreement }: { readonly agreement: Agreement }) => (
  <>
    <Surcharges agreement={agreement} />
    <FuelRates agreement={agreement} />
    <FuelIndex agreement={agreement} />
    <Fees agreement={agreement} />
  </>
);

/** An agreement that is not published yet, as a single text. */
export const AgreementTables = (props: { readonly agreement: Agreement }) => (
  <>
    <Terms {...props} />
    <Charges {...props} />
  </>
);

export const agreementTabs = (agreement: Agreement): readonly Tab[] => [
  { at: 'terms', label: 'Terms', show: () => <Terms agreement={agreement} /> },
  { at: 'surcharges', label: 'Surcharges and fees', show: () => <Charges agreement={agreement} /> },
];
