/** How a change to an agreement affects bills: the largest rise and fall of net prices by service, and surcharges. */
import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import type { Card } from '../../../rating/card.ts';
import type { Surcharge } from '../../../rating/charges.ts';
import { ownCharge, type Terms } from '../../../rating/terms.ts';
import { termsOf } from '../compile.ts';
import { listAt, variantsOf } from '../compile-charges.ts';
import { type RateCard, rateCardOf } from '../overview.ts';
import type { AgreementState } from './diff.ts';

/** The net price of one weight in one zone, in cents. */
export interface NetCell {
  readonly weight: string;
  readonly column: string;
  readonly before: number;
  readonly after: number;
}

export interface NetChange {
  readonly code: string;
  /** `any` if the change is the same for all addresses. */
  readonly address: 'commercial' | 'residential' | 'any';
  /** Weight and zone cells that exist in both agreements. */
  readonly cells: number;
  readonly changed: number;
  /** The average change in hundredths of a percent. */
  readonly averageHundredths: number;
  /** The largest rise and fall in cents and in percent. Undefined if nothing rises or falls. */
  readonly rise: NetCell | undefined;
  readonly fall: NetCell | undefined;
  readonly steepestRise: NetCell | undefined;
  readonly steepestFall: NetCell | undefined;
}

/** The charge that replaces a list surcharge: cents, or basis points of a percentage. */
export interface ChargeEffect {
  readonly code: string;
  readonly type: string;
  readonly description: string;
  readonly per: Surcharge['amount']['per'];
  readonly columns: readonly string[];
  readonly before: number;
  readonly after: number;
}

export interface LimitEffect {
  readonly code: string;
  readonly limit:
    | 'divisor'
    | 'divisor of larger packages'
    | 'divisor from cubic inches'
    | 'minimum, commercial'
    | 'minimum, residential';
  readonly before: number;
  readonly after: number;
}

const cellsOf = (before: RateCard, after: RateCard): NetCell[] =>
  after.rows.flatMap(({ weight, net }) => {
    const old = before.rows.find((row) => row.weight === weight);
    return net.flatMap((cents, at): NetCell[] => {
      const column = after.columns[at];
      const earlier = column === undefined ? null : (old?.net[before.columns.indexOf(column)] ?? null);
      return cents === null || earlier === null || column === undefined
        ? []
        : [{ weight, column, before: earlier, after: cents }];
    });
  });

const rise = ({ before, after }: NetCell): number => after - before;
const ratio = (cell: NetCell): number => rise(cell) / cell.before;

/** Returns the first cell with the highest value, if that value is above 0. */
const most = (cells: readonly NetCell[], measure: (cell: NetCell) => number): NetCell | undefined => {
  let found: NetCell | undefined;
  for (const cell of cells) if (measure(cell) > (found === undefined ? 0 : measure(found))) found = cell;
  return found;
};

const changeOf = (code: string, residential: boolean, cells: readonly NetCell[]): NetChange => ({
  code,
  address: residential ? 'residential' : 'commercial',
  cells: cells.length,
  changed: cells.filter((cell) => rise(cell) !== 0).length,
  averageHundredths:
    cells.length === 0 ? 0 : Math.round((cells.reduce((sum, cell) => sum + ratio(cell), 0) / cells.length) * 10_000),
  rise: most(cells, rise),
  fall: most(cells, (cell) => -rise(cell)),
  steepestRise: most(cells, ratio),
  steepestFall: most(cells, (cell) => -ratio(cell)),
});

interface Compared {
  readonly card: Card;
  readonly before: Terms | undefined;
  readonly after: Terms | undefined;
}

const netChanges = ({ card, before, after }: Compared): NetChange[] => {
  const changesAt = (isHome: boolean): NetChange => {
    const [old, now] = [rateCardOf(card, before, isHome), rateCardOf(card, after, isHome)];
    return changeOf(card.code, now.residential, cellsOf(old, now));
  };
  const [commercial, residential] = [changesAt(false), changesAt(true)];
  const { address: _one, ...own } = commercial;
  const { address: _other, ...other } = residential;
  if (JSON.stringify(own) !== JSON.stringify(other)) return [commercial, residential];
  const address = card.deliversTo === undefined ? 'any' : card.deliversTo === 'homes' ? 'residential' : 'commercial';
  return [{ ...commercial, address }];
};

/** The billed surcharge in a column. A declared value surcharge has no such amount. */
const billedAt = (surcharge: Surcharge, terms: Terms | undefined, at: ChargeCase, column: number): number => {
  const own = terms && ownCharge(terms, at.index, at.residential, at.fromLb);
  return own === undefined ? listAt(surcharge, column) : must(own.byColumn[column], 'the charge of a column');
};

/** An address type and a first weight. Each agreement charges all packages of a case alike. */
interface ChargeCase {
  readonly index: number;
  readonly residential: boolean;
  readonly fromLb: number;
  /** A description in words. */
  readonly when: readonly string[];
}

const casesOf = ({ before, after }: Compared, index: number): ChargeCase[] => {
  const variants = [before, after].flatMap((terms) =>
    terms?.charges === undefined ? [] : variantsOf(terms.charges, index),
  );
  const isByAddress = variants.some(({ address }) => address !== undefined);
  const starts = [...new Set([0, ...variants.map(({ own }) => own.fromLb)])].sort((a, b) => a - b);
  return (isByAddress ? [false, true] : [false]).flatMap((residential) =>
    starts.map((fromLb) => ({
      ...{ index, residential, fromLb },
      when: [
        ...(isByAddress ? [`${residential ? 'residential' : 'commercial'} address`] : []),
        ...(starts.length > 1 ? [`from ${Math.max(1, fromLb)} lb`] : []),
      ],
    })),
  );
};

const chargeEffects = (compared: Compared): ChargeEffect[] => {
  const { card, before, after } = compared;
  return card.surcharges.flatMap((surcharge, index) => {
    const { type, description, when, amount } = surcharge;
    const effects = casesOf(compared, index).flatMap((at) =>
      card.columns.flatMap((name, column) => {
        const [old, now] = [billedAt(surcharge, before, at, column), billedAt(surcharge, after, at, column)];
        if (old === now || when.columns?.has(column) === false) return [];
        const named = { code: card.code, type, description: [description, ...at.when].join(', '), per: amount.per };
        return [{ name, effect: { ...named, before: old, after: now } }];
      }),
    );
    const same = grouped(effects, ({ effect }) => JSON.stringify(effect));
    return [...same.values()].map((own) => ({
      ...must(own[0], 'an effect').effect,
      columns: own.map(({ name }) => name),
    }));
  });
};

const limitEffects = ({ card, before, after }: Compared): LimitEffect[] => {
  const isDivided = [before, after].some((terms) => terms?.card.secondDivisor !== undefined);
  const dividedOf = (own: Card): [LimitEffect['limit'], number][] =>
    isDivided ? [['divisor of larger packages', (own.secondDivisor ?? own).dimensionalFactor]] : [];
  const limitsOf = (terms: Terms | undefined): readonly [LimitEffect['limit'], number][] => [
    ['divisor', (terms?.card ?? card).dimensionalFactor],
    ...dividedOf(terms?.card ?? card),
    ['divisor from cubic inches', (terms?.card ?? card).dimensionalOverCubicIn],
    ['minimum, commercial', terms?.minimum.commercial.cents ?? card.minimumNetCents],
    ['minimum, residential', terms?.minimum.residential.cents ?? card.minimumNetCents],
  ];
  const old = new Map(limitsOf(before));
  return limitsOf(after).flatMap(([limit, now]) => {
    const earlier = old.get(limit);
    return earlier === undefined || earlier === now
      ? []
      : [{ code: card.code, limit, before: earlier, after: now } satisfies LimitEffect];
  });
};

/** The effect of a change between two states on the services that either state names. */
export const effectOf = (before: AgreementState, after: AgreementState, cards: readonly Card[]) => {
  const compared = cards
    .map((card) => ({
      card,
      before: termsOf(before.document, card, before.day),
      after: termsOf(after.document, card, after.day),
    }))
    .filter((one) => one.before !== undefined || one.after !== undefined);
  return {
    net: compared.flatMap(netChanges),
    charges: compared.flatMap(chargeEffects),
    limits: compared.flatMap(limitEffects),
  };
};
