/** The audit log: who changed what, and when, newest first. */
import { useState } from 'preact/hooks';
import { useApi, useLoad } from '../api.ts';
import type { AuditBody } from '../calls.ts';
import { Button } from '../ui/controls.tsx';
import { EmptyState, Notice } from '../ui/feedback.tsx';
import { instant } from '../ui/format.ts';
import { PageHead, Rows, Show } from '../ui/kit.tsx';
import type { Col } from '../ui/table.tsx';

type Entry = AuditBody['entries'][number];

const NOTHING = <span class="hint">nothing</span>;

const Changes = ({ changes }: Pick<Entry, 'changes'>) => (
  <ul class="plain hint">
    {changes.map(({ what, before, after }) => (
      <li key={what} class="anywhere">
        <strong>{what}:</strong> {before ?? NOTHING} <span aria-hidden="true">→</span>
        <span class="visually-hidden">to</span> {after ?? NOTHING}
      </li>
    ))}
  </ul>
);

const COLS: readonly Col<Entry>[] = [
  [
    'When',
    ({ at }) => (
      <time class="nowrap" dateTime={at}>
        {instant(at)}
      </time>
    ),
  ],
  [
    'Who',
    ({ by, address }) => (
      <>
        {by} <span class="sub">{address}</span>
      </>
    ),
    'head',
  ],
  [
    'What',
    ({ action, object, changes }) => (
      <>
        {action} {object === '' ? null : <strong>{object}</strong>}
        {changes.length === 0 ? null : <Changes changes={changes} />}
      </>
    ),
  ],
];

const AuditPage = () => {
  const api = useApi();
  // The pages so far: each begins before the entry with this id.
  const [places, setPlaces] = useState<readonly string[]>([]);
  const before = places.at(-1);
  const loaded = useLoad((signal) => api.call('GET /ops/audit', { query: { before }, signal }), [api, before]);
  const next = loaded.data?.next ?? null;
  const busy = loaded.state === 'loading';
  return (
    <>
      <PageHead
        title="Audit log"
        lead="What operators have done in this console, newest first. Nothing removes an entry."
      >
        <Button onClick={loaded.reload} busy={busy}>
          Refresh
        </Button>
      </PageHead>
      <Show of={loaded} lines={8}>
        {({ entries, unreadable }) => (
          <>
            {unreadable.length === 0 ? null : (
              <Notice kind="warning" title="Some entries of this page cannot be read">
                <p>Their files in the store are damaged: {unreadable.map((id) => `audit/${id}.json`).join(', ')}</p>
              </Notice>
            )}
            <Rows
              of={entries}
              caption="Entries"
              keyOf={({ id }) => id}
              cols={COLS}
              empty={<EmptyState title="There are no entries here yet." />}
            />
          </>
        )}
      </Show>
      {places.length === 0 && next === null ? null : (
        <div class="actions">
          <Button onClick={() => setPlaces(places.slice(0, -1))} disabled={places.length === 0} busy={busy}>
            Newer
          </Button>
          <Button onClick={() => next !== null && setPlaces([...places, next])} disabled={next === null} busy={busy}>
            Older
          </Button>
        </div>
      )}
    </>
  );
};

export default AuditPage;
