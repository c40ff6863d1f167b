/** The comparisons of a batch, if it has any. */
import { useMemo } from 'preact/hooks';
import { comparisonsOf, usePaged } from '../batches/batch-list.ts';
import { ComparisonTable } from '../batches/comparison-table.tsx';
import { Button } from '../ui/controls.tsx';
import { FaultNotice } from '../ui/feedback.tsx';

export const Comparisons = ({ batchId }: { readonly batchId: string }) => {
  const source = useMemo(() => comparisonsOf(batchId), [batchId]);
  const { items, hasMore, busy, fault, loadMore, reload } = usePaged(source, false);
  if (fault !== undefined)
    return <FaultNotice fault={fault} title="Its comparisons could not be loaded" retry={reload} />;
  if (items === undefined || items.length === 0) return null;
  return (
    <section class="stack" aria-labelledby="comparisons">
      <h2 id="comparisons">What-if comparisons</h2>
      <ComparisonTable comparisons={items} ofOneBatch />
      {hasMore ? (
        <div class="actions start">
          <Button onClick={loadMore} busy={busy}>
            Show older comparisons
          </Button>
        </div>
      ) : null}
    </section>
  );
};
