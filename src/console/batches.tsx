/** The page of the client's batches, newest first, with their states and a search field. */
import { useState } from 'preact/hooks';
import './batch/batch.css';
import { useCall } from './api.ts';
import { Against } from './batches/against.tsx';
import { ALL_BATCHES, Comparisons, More, usePaged } from './batches/batch-list.tsx';
import type { Batch } from './calls.ts';
import { href } from './navigation.tsx';
import { RunState, stateOf } from './ui/batch-state.tsx';
import { LinkButton, Select, TextField } from './ui/controls.tsx';
import { EmptyState, FaultNotice, Skeleton } from './ui/feedback.tsx';
import { bytes, count, counted, day, instant, money } from './ui/format.ts';
import { Rows } from './ui/kit.tsx';

const keptUntil = ({ expiresAt, status }: Batch): string => {
  if (status === 'expired') return 'files deleted';
  return expiresAt === null ? '—' : day(expiresAt);
};

/** Each row is a shipment, or one line of an order that is a shipment. */
const shipmentsOf = ({ rows: { total, processed, joined = 0 } }: Batch): string =>
  total === null || total === 0 ? '—' : count(joined === 0 ? total : processed - joined);

const totalOf = ({ totalNetCharge }: Batch): string => (totalNetCharge === null ? '—' : money(totalNetCharge));

const BatchTable = ({ batches }: { readonly batches: readonly Batch[] }) => (
  <div class="batches">
    <Rows
      caption="Batches, newest first"
      cards
      of={batches}
      keyOf={({ id }) => id}
      cols={[
        [
          'List',
          (batch) => (
            <>
              <a class="anywhere" href={href.batch(batch.id)}>
                {batch.filename}
              </a>
              {batch.revision > 1 ? <span class="hint"> revision {batch.revision}</span> : null}
            </>
          ),
          'head',
        ],
        ['State', (batch) => <RunState run={batch} name={batch.filename} />],
        [
          'Shipments',
          (batch) => (
            <span>
              {shipmentsOf(batch)}
              {batch.rows.joined === undefined ? null : (
                <span class="sub">in {counted(batch.rows.total ?? 0, 'row')}</span>
              )}
            </span>
          ),
          'number',
        ],
        ['Priced', ({ rows }) => count(rows.quoted), 'number'],
        ['Problems', ({ rows }) => count(rows.faulted), 'number'],
        ['Total', (batch) => <strong>{totalOf(batch)}</strong>, 'number'],
        ['Uploaded', ({ createdAt }) => <span class="nowrap">{instant(createdAt)}</span>],
        ['Kept until', (batch) => <span class="nowrap">{keptUntil(batch)}</span>],
      ]}
    />
  </div>
);

/**
 * The storage that the client's batches use, and its limit.
 * @param batches their number; the storage is loaded again when it changes
 */
const Kept = ({ batches }: { readonly batches: number }) => {
  const { data } = useCall('GET /v1/client/limits', {}, [batches]);
  const kept = data?.limits.find(({ limit }) => limit === 'bytesStored');
  if (kept === undefined || kept.used === null) return null;
  const isNearlyFull = kept.used >= 0.9 * kept.most;
  return (
    <p class={isNearlyFull ? undefined : 'hint'}>
      {bytes(kept.used)} of {bytes(kept.most)} used.
      {isNearlyFull ? ' Delete batches that you no longer need: when storage is full, new lists are refused.' : ''}
    </p>
  );
};

const DAY_MS = 86_400_000;

const TIMES = [
  { value: '', label: 'At any time' },
  { value: '1', label: 'In the last 24 hours' },
  { value: '3', label: 'In the last 3 days' },
  { value: '7', label: 'In the last 7 days' },
  { value: '30', label: 'In the last 30 days' },
] as const;

/** @param days the maximum days since the upload; empty for no maximum */
const matches =
  (wanted: string, days: string) =>
  (batch: Batch): boolean =>
    (days === '' || Date.now() - Date.parse(batch.createdAt) <= Number(days) * DAY_MS) &&
    `${batch.filename} ${batch.id} ${stateOf(batch).text}`.toLowerCase().includes(wanted);

interface ListedProps {
  readonly batches: readonly Batch[];
  readonly isFiltered: boolean;
  readonly busy: boolean;
}

const Listed = ({ batches, isFiltered, busy }: ListedProps) => {
  if (batches.length > 0) return <BatchTable batches={batches} />;
  if (!isFiltered)
    return (
      <EmptyState title="No lists yet">
        <p>Upload a list of shipments. It stays here for a few days with its prices.</p>
        <LinkButton href={href.upload} kind="primary">
          Upload a list
        </LinkButton>
      </EmptyState>
    );
  return busy ? (
    <Skeleton lines={3} label="Searching" />
  ) : (
    <EmptyState title="No batch matches">
      <p>The search looks at file names, ids and states. Try fewer letters, or a longer period.</p>
    </EmptyState>
  );
};

export const BatchesPage = () => {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const [days, setDays] = useState('');
  const isFiltered = wanted !== '' || days !== '';
  const paged = usePaged(ALL_BATCHES, isFiltered);
  const { items: batches, hasMore, busy, fault, reload } = paged;
  const shown = batches?.filter(matches(wanted, days)) ?? [];
  return (
    <>
      <div class="page-head">
        <h1>Batches</h1>
        <LinkButton href={href.upload} kind="primary">
          Upload a list
        </LinkButton>
      </div>
      <FaultNotice fault={fault} retry={reload} />
      {batches === undefined ? (
        fault === undefined ? (
          <Skeleton lines={8} label="Loading batches" />
        ) : null
      ) : (
        <>
          {batches.length === 0 ? null : (
            <div class="search">
              <TextField
                label="Search"
                type="search"
                value={search}
                onChange={setSearch}
                placeholder="File name, id or state"
              />
              <Select label="Uploaded" value={days} options={TIMES} onChange={setDays} />
              <p class="hint" role="status">
                {!isFiltered ? '' : `${counted(shown.length, 'batch', 'batches')} found`}
              </p>
            </div>
          )}
          <Listed batches={shown} isFiltered={isFiltered} busy={busy || hasMore} />
          <Kept batches={batches.length} />
          {isFiltered ? null : (
            <>
              <More of={paged} label="Show older batches" />
              <Against batches={batches} />
              <Comparisons />
            </>
          )}
        </>
      )}
    </>
  );
};
