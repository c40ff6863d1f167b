/** Of two joined batches: the shipments that only one of them has. */
import type { ComparisonSummary } from '../calls.ts';
import { Figures } from '../ui/charts.tsx';
import { count, money } from '../ui/format.ts';

type Join = NonNullable<ComparisonSummary['join']>;

export const Joined = ({ join }: { readonly join: Join }) => {
  const { gone, new: added, duplicates, withoutKey } = join;
  return (
    <Figures
      figures={[
        { label: 'New shipments', value: count(added.shipments), note: money(added.total) },
        { label: 'Gone shipments', value: count(gone.shipments), note: money(gone.total) },
        {
          label: 'Rows with a repeated key',
          value: count(duplicates.base + duplicates.with),
          note: `${count(duplicates.base)} before, ${count(duplicates.with)} after`,
        },
        {
          label: 'Rows without a key',
          value: count(withoutKey.base + withoutKey.with),
          note: `${count(withoutKey.base)} before, ${count(withoutKey.with)} after`,
        },
      ]}
    />
  );
};
