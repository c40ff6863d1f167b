/**
 * Chooses the tariff in force on a day. For each service, the card with the latest effective date up to the day is in force.
 * Fallback tariffs apply only on days without another tariff in force.
 */
import { byText } from '../../base/by-text.ts';
import { getOrMake } from '../../base/maps.ts';
import { type Card, cardList, type RateBook } from '../../rating/card.ts';
import { cardsOn, changeDays, compileTariff } from './compile.ts';
import type { Finding, TariffDocument } from './document.ts';
import { error } from './findings.ts';
import { tariffId } from './identity.ts';

export { tariffId } from './identity.ts';

export interface Schedule {
  /** The ids of all tariffs, sorted by name and date. */
  readonly ids: readonly string[];
  readonly documents: readonly TariffDocument[];
  /** The cards in force on a day, `YYYY-MM-DD`. Empty if no tariff is in force. */
  readonly bookOn: (day: string) => RateBook;
  /** The cards in force at an instant. Each tariff's time zone determines its day. */
  readonly bookAt: (instant: Date) => RateBook;
  /** The schedule of the tariffs with a name, or of the tariff with an id. */
  readonly only: (name: string) => Schedule | undefined;
}

/** The codes of all services, in the order of the tariffs. */
export const serviceCodes = ({ documents }: Schedule): string[] => [
  ...new Set(documents.flatMap(({ file }) => file.services.map(({ code }) => code))),
];

interface Version {
  readonly id: string;
  readonly document: TariffDocument;
  readonly days: readonly string[];
  readonly cards: readonly Card[];
  /** Cards, by index of the latest day in `days` to begin. */
  readonly byChange: Map<number, readonly Card[]>;
}

const MINUTE_MS = 60_000;

/** Whether any service of any tariff has transit days. */
export const hasTransit = ({ documents }: Schedule): boolean =>
  documents.some(({ file, transit = [] }) =>
    file.services.some(
      ({ code, transit: terms }) => terms?.days !== undefined || transit.some(({ service }) => service === code),
    ),
  );

/** The number of books to cache by day. A hostile list may name every day of the calendar. */
const MAX_BOOKS = 400;

/** The date in a time zone, `YYYY-MM-DD`. */
export const dayIn = (timeZone: string, instant: Date): string => {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(instant)
    .map(({ type, value }) => [type, value]);
  const { year, month, day }: Record<string, string> = Object.fromEntries(parts);
  return `${year}-${month}-${day}`;
};

/** Returns an error for each service that two tariffs have from the same date. By their names, or those of their folders. */
export const conflictsOf = (
  { file }: TariffDocument,
  { file: other }: TariffDocument,
  [own, twin]: readonly [string, string] = [file.name, other.name],
): Finding[] => {
  if (file.effective !== other.effective || file.fallback !== other.fallback) return [];
  const codes = new Set(other.services.map(({ code }) => code));
  const message = `the tariff ${twin} also has this service from ${file.effective}`;
  return file.services.flatMap(({ code }) => (codes.has(code) ? error(`${own} services ${code}`, message) : []));
};

const byNameAndDate = ({ file: a }: TariffDocument, { file: b }: TariffDocument): number =>
  `${a.name} ${a.effective}` < `${b.name} ${b.effective}` ? -1 : 1;

const cardsOf = ({ document, cards, days, byChange }: Version, day: string): readonly Card[] => {
  const change = days.findLastIndex((from) => from <= day);
  return getOrMake(byChange, change, () => (days.length === 0 ? cards : cardsOn(document, cards, day)));
};

/** The latest tariff's card for each service, in the order of the tariffs and their files. */
const inForce = (chosen: readonly { readonly version: Version; readonly day: string }[]) => {
  const latest = new Map<string, { effective: string; card: Card }>();
  for (const { version, day } of chosen) {
    const { effective } = version.document.file;
    for (const card of cardsOf(version, day)) {
      const held = latest.get(card.code);
      if (held === undefined || held.effective < effective) latest.set(card.code, { effective, card });
    }
  }
  const cards = chosen
    .flatMap(({ version, day }) => cardsOf(version, day))
    .filter((card) => latest.get(card.code)?.card === card);
  return cardList(cards);
};

const scheduleOfVersions = (versions: readonly Version[]): Schedule => {
  // Bounded by the number of changes, not by the number of requested days.
  const known = new Map<string, ReturnType<typeof inForce>>();
  // The latest day comes first, because the last entry of a service counts.
  const starts = new Map(
    versions
      .flatMap(({ document: { file } }) => file.services.map(({ code }) => [code, file.effective] as const))
      .sort(([, a], [, b]) => byText(b, a)),
  );

  const bookOf = (dayOf: (version: Version) => string, day: string): RateBook => {
    const begun = versions
      .map((version) => ({ version, day: dayOf(version) }))
      .filter(({ version, day: today }) => version.document.file.effective <= today);
    const proper = begun.filter(({ version }) => !version.document.file.fallback);
    const chosen = proper.length > 0 ? proper : begun;
    const key = chosen
      .map(({ version, day: today }) => `${version.id} ${version.days.findLastIndex((from) => from <= today)}`)
      .join();
    const book = getOrMake(known, key, () => inForce(chosen));
    return { ...book, day, starts, hasTransit: book.cards.some(({ transit }) => transit !== undefined) };
  };

  const byDay = new Map<string, RateBook>();
  const bookOn = (day: string): RateBook => {
    const kept = byDay.get(day);
    if (kept !== undefined) return kept;
    const book = bookOf(() => day, day);
    if (byDay.size < MAX_BOOKS) byDay.set(day, book);
    return book;
  };

  let lastAt: { readonly minute: number; readonly book: RateBook } | undefined;
  const bookAt = (instant: Date): RateBook => {
    // Midnight is on a whole minute in every time zone.
    const minute = Math.floor(instant.getTime() / MINUTE_MS);
    if (lastAt?.minute === minute) return lastAt.book;
    const today = (version: Version | undefined): string =>
      dayIn(version?.document.file.timeZone ?? 'America/New_York', instant);
    const book = { ...bookOf(today, today(versions[0])), instant: minute * MINUTE_MS };
    lastAt = { minute, book };
    return book;
  };

  const parts = new Map<string, Schedule>();
  const only = (name: string): Schedule | undefined => {
    const before = parts.get(name);
    if (before !== undefined) return before;
    const own = versions.filter(({ id, document }) => id === name || document.file.name === name);
    if (own.length === 0) return undefined;
    const part = scheduleOfVersions(own);
    parts.set(name, part);
    return part;
  };

  return {
    ids: versions.map(({ id }) => id),
    documents: versions.map(({ document }) => document),
    bookOn,
    bookAt,
    only,
  };
};

/** The schedule of tariffs. `checkTariff` and `conflictsOf` must have found no errors. Compiles each tariff once. */
export const scheduleOf = (documents: readonly TariffDocument[]): Schedule =>
  scheduleOfVersions(
    documents.toSorted(byNameAndDate).map((document) => {
      const cards = compileTariff(document);
      const id = cards[0]?.tariff ?? tariffId(document);
      return { id, document, days: changeDays(document), cards, byChange: new Map() };
    }),
  );

/**
 * Books for the rows of a batch: by `shipDate`, or at an instant for rows without one.
 * @param instant when the batch was created
 */
export const booksOf = (schedule: Schedule, instant: Date): ((shipDate: string | undefined) => RateBook) => {
  const today = schedule.bookAt(instant);
  return (shipDate) => (shipDate === undefined ? today : schedule.bookOn(shipDate));
};
