/** The page of all comparisons of the client, newest first. */
import { comparisonsOf, usePaged } from './batches/batch-list.ts';
import { ComparisonTable } from './batches/comparison-table.tsx';
import { href } from './navigation.tsx';
import { Button, LinkButton } from './ui/controls.tsx';
import { EmptyState, FaultNotice, Skeleton } from './ui/feedback.tsx';

const ALL = comparisonsOf();

const ComparisonsPage = () => {
  const { items, hasMore, busy, fault, loadMore, reload } = usePaged(ALL, false);
  return (
    <>
      <div class="page-head">
        <div class="stack small">
          <h1>Comparisons</h1>
          <p class="lead">What lists would cost under other rates, services, warehouses or discounts.</p>
        </div>
        <LinkButton href={href.batches}>Batches</LinkButton>
      </div>
      {fault === undefined ? null : <FaultNotice fault={fault} retry={reload} />}
      {items === undefined ? (
        fault === undefined ? (
          <Skeleton lines={6} label="Loading comparisons" />
        ) : null
      ) : items.length === 0 ? (
        <EmptyState title="No comparisons yet">
          <p>Open a finished batch and choose “What if…”.</p>
          <LinkButton href={href.batches} kind="primary">
            See the batches
          </LinkButton>
        </EmptyState>
      ) : (
        <ComparisonTable comparisons={items} />
      )}
      {hasMore ? (
        <div class="actions start">
          <Button onClick={loadMore} busy={busy}>
            Show older comparisons
          </Button>
        </div>
      ) : null}
    </>
  );
};

export default ComparisonsPage;
