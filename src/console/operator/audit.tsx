/** The audit log: who changed what, and when, newest first. One act is one line. */
import { useState } from 'preact/hooks';
import { isSameAct } from '../../base/audit/same-act.ts';
import { must } from '../../base/must.ts';
import { urlOf, useApi, useLoad } from '../api.ts';
import type { AuditBody } from '../calls.ts';
import { Button, LinkButton } from '../ui/controls.tsx';
import { EmptyState, Notice } from '../ui/feedback.tsx';
import { Fields, type FormField, type Typed } from '../ui/form.tsx';
import { allOf, count, counted, dayOf, instant, withoutVersions } from '../ui/format.ts';
import { PageHead, Rows, Show } from '../ui/kit.tsx';
import type { Col } from '../ui/table.tsx';
import { clientHref } from './clients/part.tsx';

type Entry = AuditBody['entries'][number];
/** At least one entry, newest first. */
type Act = readonly Entry[];

const actsOf = (entries: readonly Entry[]): readonly Act[] => {
  const acts: Entry[][] = [];
  for (const entry of entries) {
    const act = acts.find((one) => isSameAct(must(one.at(-1), 'the last part of an act'), entry));
    if (act === undefined) acts.push([entry]);
    else act.push(entry);
  }
  return acts;
};

const newestOf = (act: Act): Entry => must(act[0], 'an entry of an act');

/** Replaces version ids with dates that people can read: `fedex-2026 from Jan 5, 2026`, `version 7`. */
const named = (text: string): string =>
  withoutVersions(text)
    .replace(/\b(\d{1,15})-[0-9a-f]{16}\b/g, '$1')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, dayOf);

type Change = Entry['changes'][number];

/** Formats `discount on UPS-GROUND: 20% → 22%`. */
const changeText = ({ what, before, after }: Change): string => {
  const values = [before, after ?? 'none'].filter((value) => value !== null).map(named);
  return `${named(what)}: ${[...new Set(values)].join(' → ')}`;
};

const MOST_NAMED = 3;

/** One line about the changes: the changed fields, or the values if all fields change in the same way. */
const briefOf = (act: Act): string => {
  const changes = act.flatMap((entry) => entry.changes);
  if (changes.length === 0) return `${count(act.length)} times`;
  const whats = [...new Set(changes.map(({ what }) => named(what)))];
  const about = whats.length > 1 ? whats : changes.map(({ before, after }) => named(after ?? before ?? ''));
  return about.length <= MOST_NAMED
    ? allOf(about)
    : `${about.slice(0, MOST_NAMED - 1).join(', ')}, and ${about.length - MOST_NAMED + 1} more`;
};

/** Shows a single change. Several changes are folded below one line about them. */
const Changes = (act: Act) => {
  const [first, ...others] = act.flatMap(({ changes }) => changes);
  if (others.length === 0 && act.length === 1) return first === undefined ? null : changeText(first);
  return (
    <details>
      <summary>{briefOf(act)}</summary>
      <ul class="plain hint anywhere">
        {act.flatMap(({ id, at, changes }) =>
          (changes.length === 0 ? [undefined] : changes).map((change) => (
            <li key={`${id} ${change?.what}`}>
              {act.length === 1 ? null : <time dateTime={at}>{instant(at)} </time>}
              {change === undefined ? null : changeText(change)}
            </li>
          )),
        )}
      </ul>
    </details>
  );
};

const colsOf = (names: Readonly<Record<string, string>>): readonly Col<Act>[] => [
  [
    'When',
    (act) => (
      <time class="nowrap" dateTime={newestOf(act).at}>
        {instant(newestOf(act).at)}
      </time>
    ),
  ],
  [
    'Who',
    (act) => {
      const { by, address } = newestOf(act);
      return (
        <span class="nowrap">
          {by} <span class="hint">{address}</span>
        </span>
      );
    },
  ],
  [
    'What',
    (act) => {
      const { action, object, client } = newestOf(act);
      const link = client === undefined ? null : <a href={clientHref(client)}>{names[client] ?? client}</a>;
      return (
        <>
          {action} {object === client ? link : <strong title={object}>{named(object)}</strong>}
          {link === null || object === client ? null : <> for {link}</>}
        </>
      );
    },
    'head',
  ],
  ['Changes', Changes],
];

/** The search fields. Days are in the browser's time zone. */
const midnight = (date: string, days: number): string => {
  const at = new Date(`${date}T00:00`);
  at.setDate(at.getDate() + days);
  return at.toISOString();
};

const FIELDS: readonly FormField[] = [
  { at: 'text', label: 'Search', placeholder: 'A tariff, an agreement, a file, a price', most: 200 },
  { at: 'by', label: 'Who', placeholder: 'Name or id', most: 80 },
  { at: 'client', label: 'Client', placeholder: 'Name or id', most: 80 },
  { at: 'from', label: 'First day', type: 'date' },
  { at: 'to', label: 'Last day', type: 'date' },
];

const wantedIn = ({ text = '', by = '', client = '', from = '', to = '' }: Typed) => ({
  ...{ text: text.trim(), by: by.trim(), client: client.trim() },
  from: from === '' ? '' : midnight(from, 0),
  to: to === '' ? '' : midnight(to, 1),
});

const AuditPage = () => {
  const api = useApi();
  const [typed, setTyped] = useState<Typed>({});
  const [wanted, setWanted] = useState(wantedIn({}));
  // The pages so far, by where they begin: before the entry with this id.
  const [places, setPlaces] = useState<readonly string[]>([]);
  const before = places.at(-1);
  const loaded = useLoad(
    async (signal) => {
      const { entries, ...body } = await api.call('GET /ops/audit', { query: { ...wanted, before }, signal });
      return { ...body, acts: actsOf(entries) };
    },
    [api, before, wanted],
  );
  const next = loaded.data?.next ?? null;
  const busy = loaded.state === 'loading';
  const search = (event: Event): void => {
    event.preventDefault();
    setPlaces([]);
    setWanted(wantedIn(typed));
  };
  return (
    <>
      <PageHead
        title="Audit log"
        lead="What operators did in this console and what clients shared, newest first. Entries are never removed."
      >
        <LinkButton href={urlOf('GET /ops/audit/entries', { query: wanted })} download>
          Download CSV
        </LinkButton>
      </PageHead>
      <form class="fields short audit-search" onSubmit={search}>
        <Fields fields={FIELDS} form={{ typed, setTyped }} problems={{}} />
        <Button submit busy={busy}>
          Search
        </Button>
      </form>
      <Show of={loaded} lines={8}>
        {({ acts, unreadable, names, read }) => (
          <>
            {unreadable.length === 0 ? null : (
              <Notice announced kind="warning" title="Some entries on this page cannot be read">
                <p>Their files in the store are damaged: {unreadable.map((id) => `audit/${id}.json`).join(', ')}</p>
              </Notice>
            )}
            <div class="audit">
              <Rows
                of={acts}
                caption="Entries"
                cards
                keyOf={(act) => newestOf(act).id}
                cols={colsOf(names)}
                empty={
                  next === null ? (
                    <EmptyState title="There are no entries here." />
                  ) : (
                    <EmptyState title={`Nothing found in ${counted(read, 'entry', 'entries')}.`}>
                      <p>Search the older ones.</p>
                    </EmptyState>
                  )
                }
              />
            </div>
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
