/** Comparisons, newest first: all of the client, or those of one batch. Nothing without any. */
import { useMemo } from 'preact/hooks';
import { comparisonsOf, More, usePaged } from '../batches/batch-list.tsx';
import { ComparisonTable } from '../batches/comparison-table.tsx';
import { FaultNotice } from '../ui/feedback.tsx';

export const Comparisons = ({ batchId }: { readonly batchId?: string }) => {
  const source = useMemo(() => comparisonsOf(batchId), [batchId]);
  const paged = usePaged(source, false);
  const { items, fault, reload } = paged;
  if (fault !== undefined) return <FaultNotice fault={fault} title="Comparisons could not be loaded" retry={reload} />;
  if (items === undefined || items.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="comparisons">
      <h2 id="comparisons">What-if comparisons</h2>
      <ComparisonTable comparisons={items} ofOneBatch={batchId !== undefined} />
      <More of={paged} label="Show older comparisons" />
    </section>
  );
};
