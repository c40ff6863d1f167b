/** What a client pays instead of the list: its agreements and its flat discounts, by warehouse. */
import { byText } from '../../base/by-text.ts';
import { getOrMake } from '../../base/maps.ts';
import type { Card, RateBook } from '../../rating/card.ts';
import { type BasisPoints, dollarText } from '../../rating/quantity.ts';
import { type Account, type CardTerms, LIST_PRICES, NO_TERMS } from '../../rating/terms.ts';
import { termsBeside } from './compile.ts';
import { type AgreementDocument, agreementFile, NO_TABLES } from './document.ts';
import { changeDaysOf } from './versions.ts';

/** A client's agreement, for all or some of its warehouses. */
export interface Assigned {
  readonly document: AgreementDocument;
  readonly warehouses?: ReadonlySet<number> | undefined;
  /** The client's account number with the carrier, shown on pages. */
  readonly account?: string | undefined;
}

export type FlatDiscounts = ReadonlyMap<string, BasisPoints>;

/** The parts of an account. They can be stored with a batch and sent to another process. */
export interface AccountParts {
  /** Percentages off the base by service, for services that no agreement mentions. */
  readonly discounts: FlatDiscounts;
  readonly agreements: readonly Assigned[];
}

const FLAT = 'Account discount';

/** The smallest agreement: a percentage on a service. Its lines have no row because they are in no file. */
const flatAgreement = (discounts: FlatDiscounts): AgreementDocument => ({
  file: { ...agreementFile.parse({ name: 'flat', carrier: '-', effective: '0001-01-01' }), name: '' },
  tables: {
    ...NO_TABLES,
    discounts: [...discounts].map(([code, rate]) => ({
      ...{ row: 0, discount: FLAT, services: [code], zones: '*' as const, fromLb: 1 },
      ...{ address: 'any' as const, appliesTo: 'both' as const, percent: dollarText(rate) },
    })),
  },
  amendments: [],
});

/** The cap on cached terms, over all agreements, card lists and steps. A list of shipments may name every day of a year. */
const MAX_KEPT = 4_000;

const startedFor = (document: AgreementDocument) => ({
  /** The days on which the agreement changes. */
  days: changeDaysOf(document),
  /** Keyed by step, which is the index of the latest of `days` to begin. */
  byCards: new WeakMap<readonly Card[], Map<number, CardTerms>>(),
});

let compiled = new WeakMap<AgreementDocument, ReturnType<typeof startedFor>>();
let kept = 0;

/** The terms of one agreement. They are compiled once for all days on which neither the cards nor the agreement changes. */
const termsIn = (document: AgreementDocument, { cards, day }: RateBook): CardTerms => {
  const { days, byCards } = getOrMake(compiled, document, () => startedFor(document));
  const steps = getOrMake(byCards, cards, () => new Map());
  const step = days.findLastIndex((from) => from <= day);
  const known = steps.get(step);
  if (known !== undefined) return known;
  const terms = termsBeside(document, cards, day);
  if (kept >= MAX_KEPT) {
    compiled = new WeakMap();
    kept = 0;
  }
  steps.set(step, terms);
  kept += 1;
  return terms;
};

/**
 * Later terms win: flat discounts, then agreements for all warehouses, then agreements for the warehouse. An expired
 * agreement does not win over one in force.
 */
const merged = (parts: readonly CardTerms[]): CardTerms => {
  const [first = NO_TERMS, ...rest] = parts.filter(({ length }) => length > 0);
  return rest.reduce(
    (all, part) =>
      all.map((before, at) => {
        const terms = part[at];
        const isInForce = before !== undefined && before.agreement !== '' && before.endedOn === undefined;
        return terms === undefined || (terms.endedOn !== undefined && isInForce) ? before : terms;
      }),
    first,
  );
};

/** The account of a client whose agreement is missing or unusable. It has no prices at all. */
export class NoAccount extends Error {
  constructor() {
    super('an agreement of the client cannot be used');
    this.name = 'NoAccount';
  }
}

/** Throws `NoAccount` when a price is requested, so that nobody gets list prices by mistake. */
export const NO_ACCOUNT: Account = {
  termsOn: () => {
    throw new NoAccount();
  },
};

/** No warehouse has this id, so agreements for certain warehouses do not apply. */
export const NO_WAREHOUSE = -1;

export const accountOf = ({ discounts, agreements }: AccountParts): Account => {
  if (discounts.size === 0 && agreements.length === 0) return LIST_PRICES;
  // If one agreement follows another, the later one wins.
  const assigned = agreements.toSorted((a, b) => byText(a.document.file.effective, b.document.file.effective));
  const flat = flatAgreement(discounts);
  const general = assigned.filter(({ warehouses }) => warehouses === undefined);
  const special = assigned.filter(({ warehouses }) => warehouses !== undefined);
  const documentsFor = (warehouseId: number): AgreementDocument[] => [
    ...(discounts.size === 0 ? [] : [flat]),
    ...general.map(({ document }) => document),
    ...special.filter(({ warehouses }) => warehouses?.has(warehouseId)).map(({ document }) => document),
  ];
  const isSpecial = (warehouseId: number): boolean => special.some(({ warehouses }) => warehouses?.has(warehouseId));
  let last: { readonly book: RateBook; readonly terms: Map<number, CardTerms> } | undefined;
  return {
    termsOn: (book, warehouseId) => {
      if (last?.book !== book) last = { book, terms: new Map() };
      const key = isSpecial(warehouseId) ? warehouseId : NO_WAREHOUSE;
      return getOrMake(last.terms, key, () => merged(documentsFor(key).map((document) => termsIn(document, book))));
    },
  };
};
