/**
 * Which tariff prices a day. Several lie side by side; for each service the card with the latest effective date not
 * after the day is in force. Tariffs that are a fallback count only on days on which no other tariff is in force.
 */
import type { Card, RateBook } from '../rating/card.ts';
import { cardsOn, changeDays, compileTariff } from './compile.ts';
import type { Finding, TariffDocument } from './document.ts';
import { tariffId } from './identity.ts';

export { tariffId } from './identity.ts';

export interface Schedule {
  /** Of every tariff, in name order, then by date. */
  readonly ids: readonly string[];
  readonly documents: readonly TariffDocument[];
  /** The cards in force on a day, `YYYY-MM-DD`; none where no tariff is. */
  readonly bookOn: (day: string) => RateBook;
  /** The cards in force at an instant: it is today in each tariff's own time zone. */
  readonly bookAt: (instant: Date) => RateBook;
  /** The tariffs of one name, or the one of a full id, by themselves. */
  readonly only: (name: string) => Schedule | undefined;
}

/** Codes of all services that the tariffs have, in their order. */
export const serviceCodes = ({ documents }: Schedule): string[] => [
  ...new Set(documents.flatMap(({ file }) => file.services.map(({ code }) => code))),
];

/** A tariff, compiled, and its cards by the day from which their percentages hold. */
interface Version {
  readonly id: string;
  readonly document: TariffDocument;
  readonly days: readonly string[];
  readonly cards: readonly Card[];
  readonly byChange: Map<number, readonly Card[]>;
}

type Chosen = readonly { readonly version: Version; readonly day: string }[];

const MINUTE_MS = 60_000;
/** Books kept by day. A hostile list may name every day there is. */
const MOST_BOOKS = 400;

/** The day, `YYYY-MM-DD`, that it is in a time zone. */
export const dayIn = (timeZone: string, instant: Date): string => {
  const parts = new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    .formatToParts(instant)
    .map(({ type, value }) => [type, value]);
  const { year, month, day }: Record<string, string> = Object.fromEntries(parts);
  return `${year}-${month}-${day}`;
};

/** Services that two tariffs have with one date: it could not be said which prices them. */
export const conflictsOf = (documents: readonly TariffDocument[]): Finding[] => {
  const holders = new Map<string, string>();
  const findings: Finding[] = [];
  for (const { file } of documents.toSorted(byNameAndDate)) {
    for (const { code } of file.services) {
      const key = `${file.fallback} ${code} ${file.effective}`;
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, file.name);
      else
        findings.push({
          severity: 'error',
          at: `${file.name} services ${code}`,
          message: `the tariff ${holder} has this service from ${file.effective} on too`,
        });
    }
  }
  return findings;
};

const byNameAndDate = ({ file: a }: TariffDocument, { file: b }: TariffDocument): number =>
  `${a.name} ${a.effective}` < `${b.name} ${b.effective}` ? -1 : 1;

const cardsOf = ({ document, cards, days, byChange }: Version, day: string): readonly Card[] => {
  const change = days.findLastIndex((from) => from <= day);
  const known = byChange.get(change);
  if (known !== undefined) return known;
  const resolved = days.length === 0 ? cards : cardsOn(document, cards, day);
  byChange.set(change, resolved);
  return resolved;
};

/** For each service the card of the latest tariff, in the order of the tariffs and of their files. */
const inForce = (chosen: Chosen): { cards: readonly Card[]; byCode: ReadonlyMap<string, Card> } => {
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
  return { cards, byCode: new Map(cards.map((card) => [card.code, card])) };
};

const scheduleOfVersions = (versions: readonly Version[]): Schedule => {
  // As many as there are dates on which anything changes, however many days are asked for.
  const known = new Map<string, ReturnType<typeof inForce>>();

  const bookOf = (dayOf: (version: Version) => string, day: string): RateBook => {
    const begun = versions
      .map((version) => ({ version, day: dayOf(version) }))
      .filter(({ version, day: today }) => version.document.file.effective <= today);
    const proper = begun.filter(({ version }) => !version.document.file.fallback);
    const chosen = proper.length > 0 ? proper : begun;
    const key = chosen
      .map(({ version, day: today }) => `${version.id} ${version.days.findLastIndex((from) => from <= today)}`)
      .join();
    const book = known.get(key) ?? inForce(chosen);
    known.set(key, book);
    return { ...book, day };
  };

  const byDay = new Map<string, RateBook>();
  const bookOn = (day: string): RateBook => {
    const kept = byDay.get(day);
    if (kept !== undefined) return kept;
    const book = bookOf(() => day, day);
    if (byDay.size < MOST_BOOKS) byDay.set(day, book);
    return book;
  };

  let lastAt: { readonly minute: number; readonly book: RateBook } | undefined;
  const bookAt = (instant: Date): RateBook => {
    // Every time zone's midnight falls on a whole minute.
    const minute = Math.floor(instant.getTime() / MINUTE_MS);
    if (lastAt?.minute === minute) return lastAt.book;
    const today = (version: Version | undefined): string =>
      dayIn(version?.document.file.timeZone ?? 'America/New_York', instant);
    const book = bookOf(today, today(versions[0]));
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

/** The schedule of tariffs that `check.ts` and `conflictsOf` found free of errors. Compiles each once. */
export const scheduleOf = (documents: readonly TariffDocument[]): Schedule =>
  scheduleOfVersions(
    documents.toSorted(byNameAndDate).map((document) => {
      const cards = compileTariff(document);
      const id = cards[0]?.tariff ?? tariffId(document);
      return { id, document, days: changeDays(document), cards, byChange: new Map() };
    }),
  );

/**
 * The books of a batch's rows: by `shipDate`, or the book at an instant where a row names no day.
 * @param instant when the batch was created
 */
export const booksOf = (schedule: Schedule, instant: Date): ((shipDate: string | undefined) => RateBook) => {
  const today = schedule.bookAt(instant);
  return (shipDate) => (shipDate === undefined ? today : schedule.bookOn(shipDate));
};
