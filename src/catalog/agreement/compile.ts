/**
 * Compiles an agreement's terms for cards on one day for the core: names become indexes, dollars become cents. `check.ts`
 * must have found no errors in the document.
 */
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { Card } from '../../rating/card.ts';
import type { Billing } from '../../rating/fields.ts';
import { baseByPounds } from '../../rating/package-price.ts';
import { basisPoints, basisPointsOf, cents, dollarText, percentOf, pounds } from '../../rating/quantity.ts';
import type { CardTerms, EarnedTier, Minimum, RateCaps, Terms } from '../../rating/terms.ts';
import { AGREEMENT_ENDED, staleBit, TIER_UNCERTAIN } from '../../rating/warning.ts';
import { ouncesOf, withLeast } from '../tariff/compile.ts';
import { centsOf } from '../tariff/compile-charges.ts';
import { cellCents, type RateTable } from '../tariff/document.ts';
import { OWN_ZONE } from './cells.ts';
import { changedCharges, isFuelBound, ownFuelOf, waivedParts } from './compile-charges.ts';
import { discountTable, ownMultiweightOf } from './compile-discounts.ts';
import type { AgreementDocument, MinimumLine } from './document.ts';
import { isBilledTo, isByBilling, namesService, type Subject, zonesOf } from './subject.ts';
import { bandsOf, earnedText, type Tier } from './tiers.ts';
import { filesOn, lastDayOf, tiersOfDay } from './versions.ts';

/** A rate table by the card's columns, with 0 in columns that the table lacks. */
const ratesIn = (table: RateTable, { columns }: Card): Int32Array => {
  const rows = table.cents.length + 1;
  const rates = new Int32Array(columns.length * rows);
  for (const [at, column] of columns.entries()) {
    const own = table.columns.indexOf(column);
    if (own !== -1)
      table.cents.forEach((row, index) => {
        rates[at * rows + index + 1] = cellCents(row, own) ?? 0;
      });
  }
  return rates;
};

/** The 1-lb cell of the nearest zone that has a rate. This is the minimum without a line of the agreement. */
const nearestCell = (rates: Int32Array, topLb: number, { rateZones }: Card): number => {
  let [nearest, found] = [Number.POSITIVE_INFINITY, 0];
  for (const [at, zone] of rateZones.entries()) {
    const cell = must(rates[at * (topLb + 1) + 1], 'the rate of a pound');
    if (cell > 0 && zone < nearest) [nearest, found] = [zone, cell];
  }
  return found;
};

/** Columns and weights that are not in the agreement's table keep the list's rates. */
const withOwnRates = (card: Card, table: RateTable): Card => {
  const { ounces: _ounces, centsPerLbAboveTop: listAbove, ...rest } = card;
  const { cents: rows, centsPerLbAboveTop: above } = table;
  const topLb = Math.max(rows.length, card.topLb);
  const rates = new Int32Array(card.columns.length * (topLb + 1));
  const centsPerLbAboveTop = card.columns.map((name, column) => {
    const own = table.columns.indexOf(name);
    for (let weightLb = 1; weightLb <= topLb; weightLb++) {
      const row = rows[weightLb - 1];
      let rate = baseByPounds(card, column, weightLb);
      if (own !== -1 && row !== undefined) rate = cellCents(row, own) ?? 0;
      else if (own !== -1 && above !== undefined) rate = (cellCents(above, own) ?? 0) * weightLb;
      rates[column * (topLb + 1) + weightLb] = rate;
    }
    if (own !== -1 && above !== undefined) return cellCents(above, own) ?? 0;
    return listAbove === undefined ? 0 : must(listAbove[column], 'a price per pound of the list');
  });
  return withLeast({
    ...rest,
    topLb,
    rates,
    ...ouncesOf(`rates/${card.code}.csv`, table, card.columns),
    ...(centsPerLbAboveTop.some((each) => each > 0) ? { centsPerLbAboveTop } : {}),
    minimumNetCents: cents(nearestCell(rates, topLb, card)),
  });
};

/** The card with the agreement's own rates, multiweight prices and divisor. */
export const cardOf = (subject: Subject): Card => {
  const { file, tables } = subject.version;
  const { card: list } = subject;
  const fuel = ownFuelOf(subject);
  // The week of the agreement's own fuel rate replaces the week of the list's.
  const card = fuel === undefined || fuel.stale === list.staleFuel ? list : { ...list, staleFuel: fuel.stale };
  const table = tables.rates[card.code];
  const { dimensionalFactor, dimensionalOverCubicIn, secondDivisor: second } = file.services[card.code] ?? {};
  const ownMultiweight = ownMultiweightOf(subject);
  const stated = [table, ownMultiweight, dimensionalFactor, dimensionalOverCubicIn, second];
  if (stated.every((one) => one === undefined)) return card;
  const own = table === undefined ? card : withOwnRates(card, table);
  const { overCubicIn = Number.POSITIVE_INFINITY, overLb = Number.POSITIVE_INFINITY } = second ?? {};
  const secondDivisor = second && {
    ...{ dimensionalFactor: second.dimensionalFactor, overCubicIn },
    overMass: overLb === Number.POSITIVE_INFINITY ? overLb : pounds(overLb),
  };
  return { ...own, ...present({ dimensionalFactor, dimensionalOverCubicIn, secondDivisor, ownMultiweight }) };
};

const capsOf = ({ card, version: { file, tables, folderOf }, prefix }: Subject): RateCaps | undefined => {
  const percent = file.services[card.code]?.rateCapPercent;
  const table = tables.caps[card.code];
  if (percent === undefined || table === undefined) return undefined;
  const rate = basisPoints(10_000 + basisPointsOf(percent));
  const path = `${prefix}${folderOf('caps', card.code)}caps/${card.code}.csv`;
  return {
    topLb: table.cents.length,
    cents: ratesIn(table, card).map((cell) => percentOf(cell, rate)),
    description: `At most ${dollarText(basisPointsOf(percent))}% above last year's rate`,
    source: path,
  };
};

/** The cents of a rate cell, or 0 if there is no rate. */
const rateAt = ({ rates, topLb }: Card, column: number, weightLb: number): number =>
  weightLb > topLb ? 0 : must(rates[column * (topLb + 1) + weightLb], 'a rate of the card');

const minimumCents = ({ minimum, value, zone, weightLb = 1 }: MinimumLine, card: Card, own: number): number => {
  if (minimum === 'usd') return centsOf(value);
  const [named] = zone === undefined || zone === OWN_ZONE ? [] : (zonesOf([{ from: zone, to: zone }], card) ?? []);
  const column = zone === OWN_ZONE ? own : named;
  const cell = column === undefined ? card.minimumNetCents : rateAt(card, column, weightLb);
  return minimum === 'less usd' ? Math.max(0, cell - centsOf(value)) : cell - percentOf(cell, basisPointsOf(value));
};

/** @returns undefined without a line of the agreement: the tariff's minimum applies */
export const minimumFor = (
  subject: Subject,
  card: Card,
  address: 'residential' | 'commercial',
): Minimum | undefined => {
  const { version, prefix } = subject;
  const named = version.tables.minimums.filter(
    (line) => namesService(line.services, subject) && isBilledTo(line, subject),
  );
  // A line for the specific address type wins.
  const lines = [address, 'any'].flatMap((kind) => named.filter((line) => line.address === kind));
  const zones = new Map(lines.map((line) => [line, line.zones === undefined ? undefined : zonesOf(line.zones, card)]));
  const minimumIn = (column: number): Minimum | undefined => {
    const line = lines.find((one) => zones.get(one)?.has(column) !== false);
    if (line === undefined) return undefined;
    const source = `${prefix}${version.folderOf('minimums')}minimums.csv row ${line.row}`;
    return { cents: minimumCents(line, card, column), source };
  };
  if (!lines.some((line) => line.zones !== undefined || line.zone === OWN_ZONE)) return minimumIn(0);
  const byColumn = card.columns.map((_, column) => minimumIn(column) ?? { cents: card.minimumNetCents });
  const [first, ...rest] = byColumn;
  return { ...rest.reduce((least, one) => (one.cents < least.cents ? one : least), must(first, 'a column')), byColumn };
};

/**
 * Returns an agreement's terms for cards on a day, parallel to the cards. A card without terms has its list price. Empty if
 * no card has terms.
 */
export const termsBeside = (document: AgreementDocument, cards: readonly Card[], day: string): CardTerms => {
  if (day < document.file.effective) return [];
  const last = lastDayOf(document);
  if (last !== undefined && last < day)
    return termsBeside(document, cards, last).map(
      (terms, at) => terms && endedTerms(terms.agreement, must(cards[at], 'a card'), last),
    );
  const version = filesOn(document, day);
  const common = { day, version, tiers: tiersOfDay(document, day), prefix: `${version.file.name}/` };
  const terms = cards.map((card) => termsOfCard({ ...common, card, billing: 'shipper' }));
  return terms.some((one) => one !== undefined) ? terms : [];
};

/** Returns an agreement's terms for a card on a day. @returns undefined if there are none: then the list price applies */
export const termsOf = (document: AgreementDocument, card: Card, day: string): Terms | undefined =>
  termsBeside(document, [card], day)[0];

const termsOfCard = (subject: Subject): Terms | undefined => {
  const { card } = subject;
  const own = cardOf(subject);
  if (!isByBilling(subject)) return changesAnything(card, stated(subject, own));
  const billedTo = (billing: Billing): Terms => stated({ ...subject, billing }, own);
  const [recipient, third_party] = [billedTo('recipient'), billedTo('third_party')];
  return { ...billedTo('shipper'), byBilling: { recipient, third_party, return: billedTo('return') } };
};

/** Returns the terms if they change anything. A minimum alone changes nothing because it only limits discounts. */
const changesAnything = (card: Card, terms: Terms): Terms | undefined => {
  const { card: own, discounts, charges, waived, caps, spendUntil } = terms;
  return own !== card || discounts || charges || waived || caps || spendUntil !== undefined ? terms : undefined;
};

/** The list's terms, in the form of an agreement's. */
const listTerms = (agreement: string, card: Card): Terms => ({
  ...{ agreement, endedOn: undefined, card, ratesSource: undefined, discounts: undefined },
  minimum: { commercial: { cents: card.minimumNetCents }, residential: { cents: card.minimumNetCents } },
  ...{
    caps: undefined,
    charges: undefined,
    waived: undefined,
    earned: undefined,
    spendUntil: undefined,
    warnings: 0,
    byBilling: undefined,
  },
});

/** @param own the card with the agreement's rates and divisors */
const stated = (subject: Subject, own: Card): Terms => {
  const { card, version } = subject;
  const charges = changedCharges(subject);
  const list = listTerms(version.file.name, own);
  const uncertain = subject.tiers.find((tier) => tier.isUncertain && hasEarned(tier, subject));
  return {
    ...list,
    ratesSource:
      version.tables.rates[card.code] &&
      `${version.file.name}/${version.folderOf('rates', card.code)}rates/${card.code}.csv`,
    discounts: discountTable(subject),
    minimum: {
      commercial: minimumFor(subject, own, 'commercial') ?? list.minimum.commercial,
      residential: minimumFor(subject, own, 'residential') ?? list.minimum.residential,
    },
    caps: capsOf(subject),
    charges,
    waived: waivedParts(subject),
    earned: earnedOf(subject),
    spendUntil: uncertain && (uncertain.spendUntil ?? null),
    warnings: (uncertain === undefined ? 0 : TIER_UNCERTAIN) | (isFuelBound(card, charges) ? staleBit(own) : 0),
  };
};

/** Whether other tiers of the same program may change the price of the service. */
const hasEarned = (tier: Tier, subject: Subject): boolean => {
  const { discounts, surcharges, tiers } = subject.version.tables;
  const names = new Set(bandsOf(tiers, tier).map((band) => band.tier));
  return [...discounts, ...surcharges].some(
    (line) => line.tier !== undefined && names.has(line.tier) && namesService(line.services, subject),
  );
};

/** Tiers in force that were earned in programs. */
const earnedOf = ({ tiers }: Subject): Terms['earned'] => {
  const earned = tiers.flatMap((one): [string, EarnedTier][] =>
    one.program === undefined || one.tier === undefined
      ? []
      : [[one.tier, { program: one.program, text: earnedText(one) }]],
  );
  return earned.length === 0 ? undefined : new Map(earned);
};

/** The terms of an expired agreement: the list price, and a warning. */
const endedTerms = (agreement: string, card: Card, last: string): Terms => ({
  ...listTerms(agreement, card),
  endedOn: last,
  warnings: AGREEMENT_ENDED | staleBit(card),
});
