/** Books of scenarios: the base's books with other tariffs, another fuel percentage, one carrier or other divisors. */
import { must } from '../../base/must.ts';
import { areasOf, chargesOn } from '../../catalog/tariff/compile-charges.ts';
import { later } from '../../catalog/tariff/days.ts';
import type { SurchargeEntry, TariffDocument } from '../../catalog/tariff/document.ts';
import { chargesOf } from '../../catalog/tariff/fuel.ts';
import type { Schedule } from '../../catalog/tariff/schedule.ts';
import { type Card, type CardList, cardList, type RateBook } from '../../rating/card.ts';
import { isFuel } from '../../rating/charges.ts';
import type { Account, CardTerms, Terms } from '../../rating/terms.ts';
import type { Scenario } from './scenario.ts';

export type BookOn = (shipDate: string | undefined) => RateBook;

/** The number of books that are kept. A list may use every day of a year. */
const MOST_BOOKS = 800;

type Cards = RateBook['cards'];

const isSame = (a: Cards, b: Cards): boolean => a.length === b.length && a.every((card, at) => card === b[at]);

/**
 * Returns a function that changes the cards of each book once. Books that end up with the same cards share their list, so
 * that agreements are compiled with it once.
 */
const mapped = (change: (cards: Cards, day: string) => Cards): ((book: RateBook) => RateBook) => {
  const kept = new Map<RateBook, RateBook>();
  const lists = new WeakMap<Cards, CardList[]>();
  const listFor = ({ cards, day }: RateBook): CardList => {
    const own = change(cards, day);
    const known = lists.get(cards) ?? [];
    const same = known.find((list) => isSame(list.cards, own));
    if (same !== undefined) return same;
    const list = cardList(own);
    lists.set(cards, [...known, list]);
    return list;
  };
  return (book) => {
    const known = kept.get(book);
    if (known !== undefined) return known;
    const own = { ...book, ...listFor(book) };
    if (kept.size >= MOST_BOOKS) kept.clear();
    kept.set(book, own);
    return own;
  };
};

/** Returns the tariffs that a scenario names. */
const namedIn = (schedule: Schedule) =>
  schedule.ids.flatMap((id) => {
    const own = must(schedule.only(id), id);
    return own.documents.map(({ file: { effective, fallback } }) => ({ effective, fallback, schedule: own }));
  });

type NamedTariff = ReturnType<typeof namedIn>[number];

/** Returns the card of each service of the named tariffs on a day: the latest in force, otherwise the first to come. */
const cardsOfNamed = (tariffs: readonly NamedTariff[], day: string): ReadonlyMap<string, Card> => {
  const chosen = new Map<string, Card>();
  const inForce = tariffs.filter(({ effective }) => effective <= day).toSorted(byEffective);
  const toCome = tariffs
    .filter(({ effective }) => effective > day)
    .toSorted(byEffective)
    .reverse();
  // Later entries replace earlier ones. A tariff in force wins over all to come, and the next to come over those after it.
  for (const { effective, schedule } of [...toCome, ...inForce])
    for (const card of schedule.bookOn(later(day, effective)).cards) chosen.set(card.code, card);
  return chosen;
};

const byEffective = (a: NamedTariff, b: NamedTariff): number => (a.effective < b.effective ? -1 : 1);

/** Returns a function that gives the sort key of a card: the tariff's name and date, then the place in its file. */
const placesIn = (schedules: readonly Schedule[]): ((card: Card) => string) => {
  const places = new Map<string, string>();
  for (const { ids, documents } of schedules)
    for (const [at, { file }] of documents.entries())
      for (const [index, { code }] of file.services.entries())
        places.set(`${ids[at]} ${code}`, `${file.name} ${file.effective} ${String(index).padStart(3, '0')}`);
  return ({ tariff, code }) => must(places.get(`${tariff} ${code}`), 'the place of a card');
};

/**
 * Replaces the base's tariffs with the named ones for their services. A tariff that is not yet in force counts as on its
 * first day. Other services stay. The order is the same as for a list that is rated with these tariffs.
 * @param base the books of `schedule`
 */
export const replaced = (base: BookOn, schedule: Schedule, named: Schedule): BookOn => {
  const placeOf = placesIn([schedule, named]);
  const tariffs = namedIn(named);
  const proper = tariffs.filter(({ fallback }) => !fallback);
  const put = mapped((before, day) => {
    const own = new Map([
      ...cardsOfNamed(
        tariffs.filter(({ fallback }) => fallback),
        day,
      ),
      ...cardsOfNamed(proper, day),
    ]);
    const cards = [...before.filter(({ code }) => !own.has(code)), ...own.values()];
    return cards.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
  });
  return (shipDate) => put(base(shipDate));
};

/** Whether a tariff has a fuel surcharge for a service on any day. */
export const hasFuel = (document: TariffDocument, code: string): boolean => chargesOf(document, code).some(isFuel);

type Fuel = NonNullable<Scenario['fuel']>;

/** Returns a document with another fuel percentage for a service. Undefined if it has no fuel or none is asked for. */
const withPercent = (document: TariffDocument, code: string, fuel: Fuel): TariffDocument | undefined => {
  const percent = typeof fuel === 'number' ? fuel : fuel[code];
  if (percent === undefined || !hasFuel(document, code)) return undefined;
  const rate = percent.toFixed(2);
  const surcharges = document.file.surcharges.map((entry): SurchargeEntry => {
    const { amount } = entry;
    return isFuel(entry) && amount.per === 'percent' ? { ...entry, amount: { ...amount, rate } } : entry;
  });
  return { ...document, file: { ...document.file, surcharges } };
};

/**
 * Returns books with another fuel percentage for all or some services, the same on every day. An agreement's reduction of
 * fuel applies to it. A service without a fuel surcharge stays without one.
 * @param schedules all tariffs of the books
 */
export const withFuel = (bookOn: BookOn, schedules: readonly Schedule[], fuel: Fuel): BookOn => {
  const documents = new Map(
    schedules.flatMap(({ ids, documents: own }) => own.map((document, at) => [ids[at], document] as const)),
  );
  const changed = new WeakMap<Card, Card>();
  const change = (card: Card, day: string): Card => {
    const known = changed.get(card);
    if (known !== undefined) return known;
    const document = must(documents.get(card.tariff), card.tariff);
    const service = document.file.services.find(({ code }) => code === card.code);
    const other = service === undefined ? undefined : withPercent(document, card.code, fuel);
    // A tariff that is not yet in force counts as on its first day.
    const onDay = later(day, document.file.effective);
    const own =
      other === undefined || service === undefined
        ? card
        : { ...card, ...chargesOn(other, service, card.columns, areasOf(document), onDay) };
    changed.set(card, own);
    return own;
  };
  const put = mapped((cards, day) => cards.map((card) => change(card, day)));
  return (shipDate) => put(bookOn(shipDate));
};

/** Returns books with only the services of one carrier. */
export const onlyOf = (bookOn: BookOn, carrier: string): BookOn => {
  const keep = mapped((cards) => cards.filter((card) => card.carrier === carrier));
  return (shipDate) => keep(bookOn(shipDate));
};

/** Returns books and an account with other dimensional factors, which override an agreement's factors. */
export const withFactors = (
  bookOn: BookOn,
  account: Account,
  factors: NonNullable<Scenario['dimensionalFactor']>,
): { readonly bookOn: BookOn; readonly account: Account } => {
  const factorOf = ({ code, dimensionalFactor }: Card): number =>
    typeof factors === 'number' ? factors : (factors[code] ?? dimensionalFactor);
  const changed = new WeakMap<Card, Card>();
  const change = (card: Card): Card => {
    const own = changed.get(card) ?? { ...card, dimensionalFactor: factorOf(card), secondDivisor: undefined };
    changed.set(card, own);
    return own;
  };
  const changeIn = ({ byBilling: by, ...stated }: Terms): Terms => ({
    ...stated,
    card: change(stated.card),
    byBilling: by && {
      recipient: changeIn(by.recipient),
      third_party: changeIn(by.third_party),
      return: changeIn(by.return),
    },
  });
  const put = mapped((cards) => cards.map(change));
  const before = new WeakMap<RateBook, RateBook>();
  const known = new WeakMap<CardTerms, CardTerms>();
  const termsOn: Account['termsOn'] = (book, warehouseId) => {
    const terms = account.termsOn(must(before.get(book), 'the book without other divisors'), warehouseId);
    const kept = known.get(terms);
    if (kept !== undefined) return kept;
    const own = terms.map((stated) => stated && changeIn(stated));
    known.set(terms, own);
    return own;
  };
  return {
    bookOn: (shipDate) => {
      const book = bookOn(shipDate);
      const own = put(book);
      before.set(own, book);
      return own;
    },
    account: { termsOn },
  };
};

/** Looks up today's book only once, because almost every row asks for it. */
export const withToday = (bookOn: BookOn): BookOn => {
  const today = bookOn(undefined);
  return (shipDate) => (shipDate === undefined ? today : bookOn(shipDate));
};
