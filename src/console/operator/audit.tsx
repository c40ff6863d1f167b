/** The audit log: who changed what, and when, newest first. One act is one line. */
import { useState } from 'preact/hooks';
import { actOf, SIGN_IN } from '../../base/audit/same-act.ts';
import { groupsOf } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { urlOf, useApi, useLoad } from '../api.ts';
import type { AuditBody } from '../calls.ts';
import { operatorHref } from '../navigation.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { EmptyState, Folded, Notice } from '../ui/feedback.tsx';
import { Fields, type FormField, type Typed } from '../ui/form.tsx';
import { allOf, clock, count, counted, day, instant, zoneOf } from '../ui/format.ts';
import { PageHead, Rows, Show } from '../ui/kit.tsx';
import type { Col } from '../ui/table.tsx';
import { changeText } from './clients/access.tsx';
import { agreementHref, clientHref, named } from './part.tsx';

type Entry = AuditBody['entries'][number];
/** At least one entry, newest first. */
type Act = readonly Entry[];

const actsOf = (entries: readonly Entry[]): readonly Act[] => {
  const acts: Entry[][] = [];
  for (const entry of entries) {
    const act = actOf(acts, entry);
    if (act === undefined) acts.push([entry]);
    else act.push(entry);
  }
  return acts;
};

/** The acts of each day in the browser's time zone. */
const daysOf = (acts: readonly Act[]): readonly (readonly Act[])[] => groupsOf(acts, (act) => day(newestOf(act).at));

const newestOf = (act: Act): Entry => must(act[0], 'an entry of an act');

type Change = Entry['changes'][number];

/** `discount on UPS-GROUND: 20% → 22%`. Versions with the same name and day show the ends of their ids. */
const ChangeLine = ({ what, before, after }: Change) => {
  const isAlike = before !== null && after !== null && before !== after && named(before) === named(after);
  const textOf = (value: string): string => (isAlike ? `version ${value.slice(-8)}` : named(value));
  return (
    <>
      {named(changeText(what))}:{' '}
      {before === null || before === after ? null : (
        <>
          <span class="hint">{textOf(before)}</span> →{' '}
        </>
      )}
      <strong>{after === null ? 'none' : textOf(after)}</strong>
    </>
  );
};

const MOST_NAMED = 3;

/** Shows a few changes. More are folded, with the first time and the address. Files are in the order of their names. */
const Changes = (act: Act) => {
  const parts = act.flatMap(({ id, at, object, changes }) =>
    // “Published A” already says that A is new.
    changes.filter(({ before, after }) => before !== null || after !== object).map((change) => ({ id, at, change })),
  );
  const isMany = parts.length > MOST_NAMED;
  const isFiles = isMany && parts.every(({ change }) => change.what === 'file');
  const nameIn = ({ change: { before, after } }: (typeof parts)[number]): string => after ?? before ?? '';
  if (isFiles) parts.sort((a, b) => nameIn(a).localeCompare(nameIn(b), 'en', { numeric: true }));
  const list = (
    <ul class="plain anywhere">
      {parts.map(({ id, at, change }, place) => (
        <li key={`${id} ${change.what}`}>
          {isFiles || clock(at) === clock(parts[place - 1]?.at ?? newestOf(act).at) ? null : (
            <time class="hint" dateTime={at}>
              {clock(at)}{' '}
            </time>
          )}
          {isFiles ? nameIn({ id, at, change }) : <ChangeLine {...change} />}
        </li>
      ))}
    </ul>
  );
  return (
    <div class="stack tiny">
      {isMany || parts.length === 0 ? null : list}
      <Folded title={isMany ? counted(parts.length, isFiles ? 'file' : 'change') : 'Details'}>
        {isMany ? list : null}
        <span class="sub">
          {act.length === 1 ? '' : `Since ${instant(must(act.at(-1), 'the first part of an act').at)}. `}
          From {unique(act.map(({ address }) => address))}.
        </span>
      </Folded>
    </div>
  );
};

/** The page of what an act was done to. */
const hrefOf = ({ action, object, client }: Entry): string => {
  if (object === client) return clientHref(object);
  if (action.includes('agreement')) return agreementHref(object);
  return operatorHref('tariffs', object.includes('@') && !object.includes(',') ? object : undefined);
};

const What = (act: Act, names: Readonly<Record<string, string>>) => {
  const { action, object, client } = newestOf(act);
  const nameOf = (id: string): string => names[id] ?? id;
  return (
    <>
      <span class={action === SIGN_IN ? 'hint' : undefined}>
        {action}
        {act.length > 1 && action === SIGN_IN ? ` ${count(act.length)} times` : ''}
      </span>{' '}
      {object === '' ? null : (
        <a href={hrefOf(newestOf(act))} title={object}>
          {object === client ? nameOf(object) : named(object)}
        </a>
      )}
      {client === undefined || object === client ? null : (
        <>
          {' '}
          for <a href={clientHref(client)}>{nameOf(client)}</a>
        </>
      )}
    </>
  );
};

const unique = (texts: readonly string[]): string => allOf([...new Set(texts)]);

const colsOf = (names: Readonly<Record<string, string>>): readonly Col<Act>[] => [
  ['When', (act) => <time dateTime={newestOf(act).at}>{clock(newestOf(act).at)}</time>],
  ['Who', (act) => unique(act.map(({ by }) => by))],
  ['What', (act) => What(act, names), 'head'],
  ['Changes', Changes],
];

/** Midnight in the browser's time zone, days after a date. */
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
  // A phone shows the first field, and the others on request.
  const [hasAll, showAll] = useState(innerWidth >= 700);
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
        lead="What operators did in this console and what clients shared. Entries are never removed."
      >
        <LinkButton href={urlOf('GET /ops/audit/entries', { query: wanted })} download>
          Download CSV
        </LinkButton>
      </PageHead>
      <form class="search audit-search" onSubmit={search}>
        <Fields fields={hasAll ? FIELDS : FIELDS.slice(0, 1)} form={{ typed, setTyped }} problems={{}} />
        <Button submit busy={busy}>
          Search
        </Button>
        {hasAll ? null : <Button onClick={() => showAll(true)}>Who, client, days</Button>}
      </form>
      <Show of={loaded} lines={8}>
        {({ acts, unreadable, names, read }) => (
          <>
            {unreadable.length === 0 ? null : (
              <Notice announced kind="warning" title="Some entries on this page cannot be read">
                <p>Their files in the store are damaged: {unreadable.map((id) => `audit/${id}.json`).join(', ')}</p>
              </Notice>
            )}
            <div class="audit stack">
              {daysOf(acts).map((some) => {
                const { id, at } = newestOf(must(some[0], 'an act of a day'));
                return (
                  <section key={id} class="stack small">
                    <h2>
                      {day(at)} <span class="hint">times in {zoneOf(at)}</span>
                    </h2>
                    <Rows
                      of={some}
                      caption={`Entries of ${day(at)}`}
                      cards
                      keyOf={(act) => newestOf(act).id}
                      cols={colsOf(names)}
                    />
                  </section>
                );
              })}
              {acts.length > 0 ? null : next === null ? (
                <EmptyState title="There are no entries here." />
              ) : (
                <EmptyState
                  title={`Nothing found in ${counted(read, 'entry', 'entries')}.`}
                  text="Search the older ones."
                />
              )}
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
