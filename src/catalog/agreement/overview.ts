/** An agreement's terms for a service on a day as tables, so that people can compare them with the paper agreement. */
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { Card, SmallRates } from '../../rating/card.ts';
import { isFuel, type Surcharge } from '../../rating/charges.ts';
import { dollars, dollarText } from '../../rating/quantity.ts';
import { combinationAt, discountOn, type Terms } from '../../rating/terms.ts';
import { type Address, columnsText } from './cells.ts';
import { termsOf } from './compile.ts';
import { listAt, type Variant, variantsOf } from './compile-charges.ts';
import type { AgreementDocument } from './document.ts';
import type { AgreementDiscount, OwnPrices } from './view/schemas.ts';

/** The kinds of shipments that a service carries. */
const kindsOf = ({ deliversTo, multiweight, ownMultiweight }: Card) =>
  [false, true]
    .filter((whole) => !whole || multiweight !== undefined || ownMultiweight !== undefined)
    .flatMap((whole) =>
      [false, true]
        .filter((home) => deliversTo === undefined || home === (deliversTo === 'homes'))
        .map((home) => ({ residential: home, multiweight: whole })),
    );

/** The positions of equal items. */
const alike = (items: readonly unknown[]): number[][] => [
  ...grouped(items.keys(), (at) => JSON.stringify(items[at])).values(),
];

const sameNumbers = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((value, at) => value === b[at]);

/** The first pounds of the weight bands. */
const startsOf = ({ discounts }: Terms): number[] => {
  if (discounts === undefined) return [1];
  const { bands, bandCount } = discounts;
  const inside = Array.from({ length: bandCount - 1 }, (_, band) => bands.indexOf(band));
  const starts = [...inside, bands.length].map((pounds) => Math.max(1, pounds));
  return [...new Set(starts)].sort((a, b) => a - b);
};

const gridOf = (terms: Terms, kind: ReturnType<typeof kindsOf>[number]) => {
  const { columns } = terms.card;
  const rateAt = (column: number, pounds: number): number =>
    combinationAt(terms, column, pounds, kind.residential, kind.multiweight).rate;
  const starts = startsOf(terms);
  const byColumn = columns.map((_, column) => starts.map((pounds) => rateAt(column, pounds)));
  const groups = alike(byColumn);
  const rows = starts.map((pounds) => groups.map(([column = 0]) => rateAt(column, pounds)));
  const firsts = rows.flatMap((row, at) => (at > 0 && sameNumbers(row, rows[at - 1] ?? []) ? [] : [at]));
  return {
    /** Rate columns with the same percentages. */
    zones: groups.map((group) => group.flatMap((column) => columns[column] ?? [])),
    /** The last band has no `toLb`. `rates` is parallel to `zones`. */
    bands: firsts.map((at, place) => {
      const next = starts[firsts[place + 1] ?? starts.length];
      const end = next === undefined ? {} : { toLb: next - 1 };
      return { fromLb: starts[at] ?? 1, ...end, rates: rows[at] ?? [] };
    }),
  };
};

/** Percentages off, in basis points, by weight and zone. Neighbors with equal percentages are merged. */
const gridsOf = (terms: Terms) => {
  if (terms.discounts === undefined) return [];
  const kinds = kindsOf(terms.card);
  const grids = kinds.map((kind) => gridOf(terms, kind));
  return alike(grids).flatMap((group) => {
    const grid = grids[group[0] ?? 0];
    return grid === undefined ? [] : [{ kinds: group.flatMap((at) => kinds[at] ?? []), ...grid }];
  });
};
export type DiscountGrid = ReturnType<typeof gridsOf>[number];

/** A surcharge with the agreement's change, in cents or basis points. A declared value surcharge has no amount. */
const billedOf = (surcharge: Surcharge, { own, when: limits }: Variant, { columns, rateZones }: Card) => {
  const { type, description, when, amount } = surcharge;
  const places = [...columns.keys()].filter((column) => when.columns?.has(column) !== false);
  const figures = places.map((column) => ({
    list: listAt(surcharge, column),
    billed: must(own.byColumn[column], 'the amount of a column'),
    /** Empty if the list's amount is billed. */
    changes: own.changes
      .filter((change) => change.columns?.has(column) !== false)
      .map(({ kind, value, source }) => ({ kind, value, source })),
  }));
  const groups = alike(figures).map((group) => group.map((at) => must(places[at], 'a column')));
  const zonesOf = (group: readonly number[]): number[] => [
    ...new Set(group.flatMap((column) => rateZones[column] ?? [])),
  ];
  return {
    ...{ type, description: [description, ...limits].join(', '), per: amount.per },
    /** Zones with the same change. */
    zones: groups.map((group) => {
      const zones = zonesOf(group).sort((a, b) => a - b);
      const others = groups.filter((other) => other !== group).flatMap(zonesOf);
      const [first] = group;
      return {
        columns: group.flatMap((column) => columns[column] ?? []),
        // The zones 1 to 8 that the columns are reported as, unless another column of the service has the same zone.
        ...(zones.some((zone) => others.includes(zone)) ? {} : { rateZones: zones }),
        ...must(figures[places.indexOf(must(first, 'a column'))], 'the figures of a column'),
      };
    }),
  };
};
export type BilledSurcharge = ReturnType<typeof billedOf>;

/** The list's fuel rate and the billed fuel rate, in basis points, for the first zone. Undefined if the tariff has none on the day. */
const fuelOf = (list: Card, { charges }: Terms) => {
  const at = list.surcharges.findIndex(isFuel);
  const fuel = list.surcharges[at];
  if (fuel === undefined) return undefined;
  const listed = listAt(fuel, 0);
  return { list: listed, billed: charges?.commercial[at]?.byColumn[0] ?? listed };
};

/** @returns undefined if the agreement has no multiweight prices of its own */
export const ownPricesOf = ({ ownMultiweight: own, columns: names }: Card): OwnPrices | undefined => {
  if (own === undefined) return undefined;
  const { columns, breaks, ...rest } = own;
  const places = [...columns];
  return {
    ...rest,
    zones: places.map((column) => must(names[column], 'a rate column')),
    breaks: breaks.map(({ fromLb, cents }) => ({
      fromLb,
      usd: places.map((column) => (cents[column] ? dollars(cents[column]) : null)),
    })),
  };
};

/** @param list the tariff's card @param terms the agreement's terms for the card */
export const serviceTerms = (list: Card, terms: Terms) => {
  const { card, caps, charges } = terms;
  const discounts = gridsOf(terms);
  const rates = discounts.flatMap(({ bands }) => bands.flatMap((band) => band.rates));
  return {
    code: list.code,
    carrier: list.carrier,
    description: list.description,
    tariff: list.tariff,
    // If the agreement has expired, the other values are the list's.
    ...present({ endedOn: terms.endedOn, ratesSource: terms.ratesSource }),
    dimensionalFactor: { list: list.dimensionalFactor, billed: card.dimensionalFactor },
    ...present({ secondDivisor: card.secondDivisor }),
    dimensionalOverCubicIn: { list: list.dimensionalOverCubicIn, billed: card.dimensionalOverCubicIn },
    minimum: { listCents: list.minimumNetCents, ...terms.minimum },
    ...present({ caps: caps?.description, multiweight: ownPricesOf(card) }),
    discounts,
    /** Amounts off each package, in words. */
    dollarsOff: [
      ...new Set(
        (terms.discounts?.combinations ?? []).flatMap(({ parts }) =>
          parts.flatMap(({ cents: off, description, source = '' }) =>
            off === undefined ? [] : [`${description}: ${dollarText(off)} off each package (${source})`],
          ),
        ),
      ),
    ],
    /** The lowest and the highest percentage off, in basis points. */
    discountRange: { least: rates.length === 0 ? 0 : Math.min(...rates), most: Math.max(...rates, 0) },
    surcharges: list.surcharges.flatMap((surcharge, at) =>
      charges === undefined ? [] : variantsOf(charges, at).map((variant) => billedOf(surcharge, variant, list)),
    ),
    fuel: fuelOf(list, terms),
  };
};
export type ServiceTerms = ReturnType<typeof serviceTerms>;

/** The terms of all cards that an agreement changes on a day. */
export const servicesOf = (document: AgreementDocument, cards: readonly Card[], day: string): ServiceTerms[] =>
  cards.flatMap((card) => {
    const terms = termsOf(document, card, day);
    return terms === undefined ? [] : [serviceTerms(card, terms)];
  });

/** The percentages off base charges, such as `5% to 40%`; null if there are none. */
export const rangeText = (services: readonly ServiceTerms[]): string | null => {
  const least = Math.min(...services.map(({ discountRange }) => discountRange.least)) / 100;
  const most = Math.max(0, ...services.map(({ discountRange }) => discountRange.most)) / 100;
  if (most === 0) return null;
  return least === most ? `${most}%` : `${least}% to ${most}%`;
};

const TOTAL = { discount: 'Total', betterOf: null, billing: null, tier: null, counts: true, usd: null } as const;

/** What all discounts on a single package add up to. */
const totalOf = ({ discounts }: ServiceTerms) =>
  discounts.flatMap(({ kinds, zones, bands }) => {
    const [kind, other] = kinds.filter(({ multiweight }) => !multiweight);
    if (kind === undefined) return [];
    const address: Address = other !== undefined ? 'any' : kind.residential ? 'residential' : 'commercial';
    return bands.flatMap(({ fromLb, toLb = null, rates }) =>
      rates.map((rate, at) => ({
        ...{ ...TOTAL, appliesTo: 'both' as const, fromLb, toLb, address, percent: rate / 100 },
        zones: zones.length === 1 ? null : columnsText(zones[at] ?? []).split(', '),
      })),
    );
  });

/** What all discounts add up to, as lines of discounts. Services with the same percentages share them. */
export const totalsOf = (services: readonly ServiceTerms[]): AgreementDiscount[] => {
  const totals = services.map(totalOf);
  return alike(totals).flatMap((group) => {
    const codes = group.flatMap((at) => services[at]?.code ?? []);
    return (totals[group[0] ?? 0] ?? []).map((line) => ({ ...line, services: codes }));
  });
};

/* The effective rate card: the list price, the discount and the net price of a package of each weight. */

const NO_MINIMUM = { commercial: { cents: 0 }, residential: { cents: 0 } } as const;

/**
 * A weight of the card. Lists are parallel to the columns, in cents, with null where there is no rate.
 * @param base by column, 0 where there is no rate
 */
const rowOf = (
  weight: string,
  billingLb: number,
  base: readonly number[],
  terms: Terms | undefined,
  residential: boolean,
) => {
  const free = terms === undefined ? undefined : { ...terms, minimum: NO_MINIMUM };
  const off = (own: Terms | undefined): number[] =>
    base.map((cents, column) => (own === undefined ? 0 : discountOn(own, column, billingLb, residential, cents)));
  const discount = off(terms);
  const wanted = off(free);
  const rated = (pick: (list: number, discount: number, wanted: number) => number): (number | null)[] =>
    base.map((cents, at) =>
      cents === 0 ? null : pick(cents, must(discount[at], 'a discount'), must(wanted[at], 'a wanted discount')),
    );
  return {
    /** `1`, or `8 oz` below a pound. */
    weight,
    billingLb,
    list: rated((list) => list),
    discount: rated((_, given) => given),
    net: rated((list, given) => list - given),
    /** The part of the percentages and the cap that the minimum cancels. */
    swallowed: rated((_, given, whole) => whole - given),
  };
};

const ounceRows = (ounces: SmallRates, terms: Terms | undefined, residential: boolean) =>
  ounces.labels.map((label, at) =>
    rowOf(label, 1, must(ounces.centsByColumn[at], 'a row of ounces'), terms, residential),
  );

/**
 * The rate card of a service for single packages without dimensions.
 * @param list the tariff's card
 * @param terms the agreement's terms for the card; undefined: the list price
 */
export const rateCardOf = (list: Card, terms: Terms | undefined, residential: boolean) => {
  const card = terms?.card ?? list;
  const { code, columns, topLb, rates, ounces, deliversTo } = card;
  const isHome = deliversTo === 'homes' || (residential && deliversTo !== 'businesses');
  const weights = Array.from({ length: topLb }, (_, at) => at + 1);
  return {
    code,
    residential: isHome,
    columns,
    // Where the rates are, if they are the agreement's own.
    ...present({ ratesSource: terms?.ratesSource }),
    minimumCents: (isHome ? terms?.minimum.residential : terms?.minimum.commercial)?.cents ?? card.minimumNetCents,
    rows: [
      ...(ounces === undefined ? [] : ounceRows(ounces, terms, isHome)),
      ...weights.map((pounds) => {
        const base = columns.map((_, column) => must(rates[column * (topLb + 1) + pounds], 'a rate of the card'));
        return rowOf(String(pounds), pounds, base, terms, isHome);
      }),
    ],
  };
};
export type RateCard = ReturnType<typeof rateCardOf>;
