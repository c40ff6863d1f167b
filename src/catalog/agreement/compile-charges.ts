/** Compiles the agreement's charges that replace a card's surcharges. */
import { getOrMake } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { Card, StaleFuel } from '../../rating/card.ts';
import { isFuel, PRICE_PARTS, type Signature, type Surcharge } from '../../rating/charges.ts';
import { basisPointsOf, dollarText, percentOf } from '../../rating/quantity.ts';
import {
  afterChanges,
  type ChangedCharge,
  type ChargeChange,
  type OwnCharges,
  type Terms,
  type WaivedParts,
} from '../../rating/terms.ts';
import { incompleteBits } from '../../rating/warning.ts';
import { chargesOfPart } from '../tariff/charge-catalog.ts';
import { centsOf } from '../tariff/compile-charges.ts';
import { periodOn, shifted } from '../tariff/days.ts';
import type { FuelPriceLine, SurchargeLine } from './document.ts';
import { isBilledTo, namesService, type Subject, zonesOf } from './subject.ts';
import { isInForce } from './tiers.ts';

/*
 * Fuel rates by an index: percentages by bands of a fuel price, and the price of each week. Like the tariff's rates, the
 * last known price applies after its week too, and quotes say so.
 */

/** The price of an index in force on a day. Undefined before the first price. */
export const fuelPriceOn = (lines: readonly FuelPriceLine[] = [], index: string, day: string) => {
  let line: FuelPriceLine | undefined;
  for (const one of lines) if (one.index === index && one.from <= day && !(line && line.from > one.from)) line = one;
  if (line === undefined) return undefined;
  const lastDay = shifted(line.from, 6);
  return { line, lastDay, isStale: lastDay < day };
};

/** The agreement's own fuel rate on a day. If the rate's week is over, `stale` has that week. */
interface OwnFuel {
  readonly change: ChargeChange;
  readonly stale?: StaleFuel;
}

/** The agreement's own fuel rate on the day: from `fuel.csv`, or else from the index. Undefined without one. */
export const ownFuelOf = (subject: Subject): OwnFuel | undefined => {
  const { card, version, prefix, day } = subject;
  if (!card.surcharges.some(isFuel)) return undefined;
  const { fuel, fuel_index: bands = [], fuel_prices: prices } = version.tables;
  const rate = periodOn(
    fuel.filter(({ services }) => namesService(services, subject)),
    day,
  );
  const sourceOf = (table: 'fuel' | 'fuel_index', row: number): string =>
    `${prefix}${version.folderOf(table)}${table}.csv row ${row}`;
  if (rate !== undefined)
    return { change: { kind: 'own rate', value: basisPointsOf(rate.percent), source: sourceOf('fuel', rate.row) } };
  const own = bands.filter(({ services }) => namesService(services, subject));
  const [first] = own;
  const price = first && fuelPriceOn(prices, first.index, day);
  if (price === undefined) return undefined;
  const { line, lastDay, isStale } = price;
  const band = own.findLast(({ fromUsd }) => Number(fromUsd) <= Number(line.usd));
  if (band === undefined) return undefined;
  const value = basisPointsOf(band.percent);
  const reckoned = `${band.index} at ${line.usd} from ${line.from}`;
  return {
    change: { kind: 'own rate', value, reckoned, source: sourceOf('fuel_index', band.row) },
    ...(isStale && { stale: { percent: dollarText(value), from: line.from, lastDay } }),
  };
};

/** Whether a line names a surcharge type: either exactly or by its first letters and a star. */
export const namesType = (named: string, type: string): boolean =>
  named.endsWith('*') ? type.startsWith(named.slice(0, -1)) : type === named;

const changeOf = (line: SurchargeLine, { amount }: Surcharge, subject: Subject): ChargeChange => {
  const { card, version, prefix } = subject;
  const columns = zonesOf(line.zones, card);
  const isPercent = amount.per === 'percent' || line.change === 'percent off' || line.change === 'points off';
  const { change: kind, value: text, lastYear } = line;
  const source = `${prefix}${version.folderOf('surcharges')}surcharges.csv row ${line.row}`;
  const limited = present({ columns, tier: line.tier });
  if (lastYear !== undefined) {
    const before = centsOf(lastYear);
    const reckoned = `${dollarText(basisPointsOf(text))}% above ${dollarText(before)}`;
    return { kind, value: before + percentOf(before, basisPointsOf(text)), reckoned, source, ...limited };
  }
  return { kind, value: kind === 'waived' ? 0 : isPercent ? basisPointsOf(text) : centsOf(text), source, ...limited };
};

/** Changes that replace the list's amount completely. */
export const SETTLED: readonly ChargeChange['kind'][] = ['fixed', 'exactly', 'waived'];

/** Whether a card's fuel charge in any column depends on a rate that expires: the list's, or the agreement's own. */
export const isFuelBound = ({ surcharges }: Pick<Card, 'surcharges'>, charges: Terms['charges']): boolean =>
  surcharges.some(
    (surcharge, at) =>
      isFuel(surcharge) &&
      ![charges?.commercial, charges?.residential].every((own) =>
        own?.[at]?.changes.some(({ kind, columns }) => columns === undefined && SETTLED.includes(kind)),
      ),
  );

const linesFor = (surcharge: Surcharge, subject: Subject, address: SurchargeLine['address']): SurchargeLine[] =>
  subject.version.tables.surcharges.filter(
    (line) =>
      namesType(line.surcharge, surcharge.type) &&
      namesService(line.services, subject) &&
      isBilledTo(line, subject) &&
      (line.area === undefined || line.area === surcharge.tier) &&
      (line.address === undefined || line.address === address) &&
      isInForce(line, subject.tiers),
  );

/** The list charge in a column: cents, or basis points for a percentage. 0 for a declared value surcharge. */
export const listAt = ({ amount }: Surcharge, column: number): number => {
  if (amount.per === 'percent') return amount.rate;
  return amount.per === 'declaredValue' ? 0 : must(amount.centsByColumn[column], 'the cents of a column');
};

/** The lines of surcharges that no card has in any area or tier: fees that only the paper agreement mentions. */
export const feeLines = (version: Subject['version'], cards: readonly Card[]): SurchargeLine[] =>
  version.tables.surcharges.filter(
    ({ surcharge, services }) =>
      !cards.some(
        (card) =>
          namesService(services, { card, version }) && card.surcharges.some(({ type }) => namesType(surcharge, type)),
      ),
  );

const keys = new WeakMap<ChangedCharge, string>();
/** Charges by their source lines. Services and days share charges that are equal. */
const alike = new WeakMap<readonly SurchargeLine[], Map<string, ChangedCharge>>();

/** Returns an equal charge of another service or day, if there is one. */
const shared = (own: ChangedCharge, lines: readonly SurchargeLine[]): ChangedCharge => {
  const changes = own.changes.map(
    ({ kind, value, reckoned = '', source, columns }) =>
      `${kind} ${value} ${reckoned} ${source} ${columns === undefined ? '' : [...columns].join()}`,
  );
  const heavier = own.heavier === undefined ? '' : keys.get(own.heavier);
  const key = `${own.fromLb} ${own.byColumn.join()} ${changes.join(' ')}\n${heavier}`;
  keys.set(own, key);
  return getOrMake(
    getOrMake(alike, lines, () => new Map<string, ChangedCharge>()),
    key,
    () => own,
  );
};

/** The charges for an address type, by weight band from the heaviest. */
const chargeFor = (surcharge: Surcharge, subject: Subject, address: SurchargeLine['address']) => {
  const { columns } = subject.card;
  // A limit applies after the other changes.
  const lines = linesFor(surcharge, subject, address).sort(
    (a, b) => Number(a.change === 'at most') - Number(b.change === 'at most'),
  );
  const fuel = isFuel(surcharge) ? ownFuelOf(subject) : undefined;
  if (lines.length === 0 && fuel === undefined) return undefined;
  const starts = new Set([0]);
  for (const { fromLb = 1, toLb } of lines) {
    if (fromLb > 1) starts.add(fromLb);
    if (toLb !== undefined) starts.add(toLb + 1);
  }
  let own: ChangedCharge | undefined;
  for (const fromLb of [...starts].sort((a, b) => b - a)) {
    const inBand = lines.filter((line) => (line.fromLb ?? 1) <= Math.max(1, fromLb) && fromLb <= (line.toLb ?? fromLb));
    const changes = [...(fuel ? [fuel.change] : []), ...inBand.map((line) => changeOf(line, surcharge, subject))];
    const byColumn = Int32Array.from(columns, (_, column) =>
      afterChanges({ changes }, column, listAt(surcharge, column), surcharge.amount.per === 'percent'),
    );
    own = shared({ byColumn, changes, fromLb, heavier: own }, subject.version.tables.surcharges);
  }
  return own;
};

/** @returns charges by address type, one list for both if no line distinguishes them; undefined if the list's apply */
export const changedCharges = (subject: Subject): Terms['charges'] => {
  const { card, version } = subject;
  const chargesFor = (address: 'residential' | 'commercial'): OwnCharges =>
    card.surcharges.map((surcharge) => {
      const { residential } = surcharge.when;
      const own = residential === undefined ? address : residential ? 'residential' : 'commercial';
      return chargeFor(surcharge, subject, own);
    });
  const commercial = chargesFor('commercial');
  const isByAddress = version.tables.surcharges.some(({ address }) => address !== undefined);
  const residential = isByAddress ? chargesFor('residential') : commercial;
  return [...commercial, ...residential].some((own) => own !== undefined) ? { commercial, residential } : undefined;
};

const bySignature = <T>(make: (signature: Signature | 'none') => T): Readonly<Record<Signature | 'none', T>> => ({
  ...{ none: make('none'), indirect: make('indirect'), direct: make('direct'), adult: make('adult') },
});

/** The bit of each part with charges of its own, and their types. */
const CHARGES_OF_PARTS = bySignature((signature) =>
  PRICE_PARTS.map((part) => ({ bit: incompleteBits(new Set([part])), types: chargesOfPart(part, signature) })).filter(
    ({ types }) => types.length > 0,
  ),
);

/** Whether a line takes off the whole of a charge, at every weight and in every area. */
const isWaiver = ({ change, value, area, fromLb = 1, toLb }: SurchargeLine): boolean =>
  (change === 'waived' || (change === 'percent off' && Number(value) === 100)) &&
  area === undefined &&
  fromLb <= 1 &&
  toLb === undefined;

/** The parts that an agreement waives whether the tariff has them or not: every charge of a part, at every weight and in every area. */
export const waivedParts = (subject: Subject): Terms['waived'] => {
  const { card, version, tiers } = subject;
  const waivers = version.tables.surcharges
    .filter((line) => isWaiver(line) && namesService(line.services, subject) && isBilledTo(line, subject))
    .filter((line) => isInForce(line, tiers))
    .map((line) => ({ ...line, columns: zonesOf(line.zones, card) }));
  if (waivers.length === 0) return undefined;
  const partsFor = (own: SurchargeLine['address']): WaivedParts =>
    bySignature((signature) =>
      Int32Array.from(card.columns, (_, column) => {
        const here = waivers.filter(({ address = own, columns }) => address === own && columns?.has(column) !== false);
        const isWaived = (type: string): boolean => here.some(({ surcharge }) => namesType(surcharge, type));
        return CHARGES_OF_PARTS[signature].reduce(
          (bits, { bit, types }) => (types.every(isWaived) ? bits | bit : bits),
          0,
        );
      }),
    );
  const waived = { commercial: partsFor('commercial'), residential: partsFor('residential') };
  const all = Object.values(waived).flatMap((parts) => Object.values(parts));
  return all.some((bits) => bits.some((bit) => bit !== 0)) ? waived : undefined;
};

/** A charge that replaces a surcharge, who pays it, and its weights in words. */
export interface Variant {
  readonly own: ChangedCharge;
  /** Undefined: both. */
  readonly address: 'residential' | 'commercial' | undefined;
  /** Such as `residential address` and `11 to 20 lb`. */
  readonly when: readonly string[];
}

/** Every way in which an agreement charges a surcharge of the card. Some of them may be the list's. */
export const variantsOf = (charges: NonNullable<Terms['charges']>, place: number): Variant[] => {
  const [commercial, residential] = [charges.commercial[place], charges.residential[place]];
  const bandsOf = (first: ChangedCharge | undefined, address: Variant['address']): Variant[] => {
    const bands: Variant[] = [];
    for (let own = first; own !== undefined; own = own.heavier) {
      const { fromLb, heavier } = own;
      const from = Math.max(1, fromLb);
      const weights =
        heavier !== undefined ? [`${from} to ${heavier.fromLb - 1} lb`] : fromLb > 0 ? [`from ${from} lb`] : [];
      const when = [...(address === undefined ? [] : [`${address} address`]), ...weights];
      bands.push({ own, address, when });
    }
    return bands;
  };
  if (commercial === residential) return bandsOf(commercial, undefined);
  return [...bandsOf(commercial, 'commercial'), ...bandsOf(residential, 'residential')];
};
