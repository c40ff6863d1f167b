/** The audit log: who changed what, and when, newest first. */
import './audit.css';
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../api.ts';
import type { AuditBody } from '../calls.ts';
import { Button } from '../ui/controls.tsx';
import { EmptyState, FaultNotice, Notice, Skeleton } from '../ui/feedback.tsx';
import { instant } from '../ui/format.ts';
import { type Column, Table } from '../ui/table.tsx';

type Entry = AuditBody['entries'][number];

const NOTHING = <span class="hint">nothing</span>;

const Changes = ({ changes }: Pick<Entry, 'changes'>) => (
  <ul class="audit-changes">
    {changes.map(({ what, before, after }) => (
      <li key={what}>
        <span class="audit-what">{what}</span> {before ?? NOTHING} <span aria-hidden="true">→</span>
        <span class="visually-hidden">to</span> {after ?? NOTHING}
      </li>
    ))}
  </ul>
);

const COLUMNS: readonly Column<Entry>[] = [
  {
    key: 'at',
    label: 'When',
    cell: ({ at }) => (
      <time class="nowrap" dateTime={at}>
        {instant(at)}
      </time>
    ),
  },
  {
    key: 'by',
    label: 'Who',
    heads: true,
    cell: ({ by, address }) => (
      <>
        {by} <span class="hint audit-address">{address}</span>
      </>
    ),
  },
  {
    key: 'what',
    label: 'What',
    cell: ({ action, object, changes }) => (
      <>
        {action} {object === '' ? null : <strong>{object}</strong>}
        {changes.length === 0 ? null : <Changes changes={changes} />}
      </>
    ),
  },
];

/** The pages so far: each begins before the entry with this id. */
const usePlaces = () => {
  const [places, setPlaces] = useState<readonly string[]>([]);
  return {
    before: places.at(-1),
    isFirst: places.length === 0,
    older: (next: string) => setPlaces((all) => [...all, next]),
    newer: () => setPlaces((all) => all.slice(0, -1)),
  };
};

const AuditPage = () => {
  const api = useApi();
  const { before, isFirst, older, newer } = usePlaces();
  const { state, data, reload, ...failed } = useLoad(
    (signal) => api.call('audit', { query: { before }, signal }),
    [api, before],
  );
  const next = data?.next ?? null;
  return (
    <>
      <div class="page-head">
        <div>
          <h1>Audit log</h1>
          <p class="lead">What operators have done in this console, newest first. Nothing removes an entry.</p>
        </div>
        <Button onClick={reload} busy={state === 'loading'}>
          Load again
        </Button>
      </div>
      {'fault' in failed ? <FaultNotice fault={failed.fault} retry={reload} /> : null}
      {data === undefined && state === 'loading' ? <Skeleton lines={8} /> : null}
      {data !== undefined && data.unreadable.length > 0 ? (
        <Notice kind="warning" title="Some entries of this page cannot be read">
          <p>Their files in the store are damaged: {data.unreadable.map((id) => `audit/${id}.json`).join(', ')}</p>
        </Notice>
      ) : null}
      {data === undefined ? null : data.entries.length === 0 ? (
        <EmptyState title="There are no entries here yet." />
      ) : (
        <Table caption="Entries" captionHidden columns={COLUMNS} rows={data.entries} keyOf={({ id }) => id} />
      )}
      {isFirst && next === null ? null : (
        <div class="actions">
          <Button onClick={newer} disabled={isFirst} busy={state === 'loading'}>
            Newer
          </Button>
          <Button onClick={() => next !== null && older(next)} disabled={next === null} busy={state === 'loading'}>
            Older
          </Button>
        </div>
      )}
    </>
  );
};

export default AuditPage;
