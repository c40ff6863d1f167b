/** How a change to an agreement affects bills: the largest rise and fall of net prices by service, and surcharges. */
import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import type { Card } from '../../../rating/card.ts';
import type { Surcharge } from '../../../rating/charges.ts';
import { keysOf } from '../../../rating/fields.ts';
import { ownCharge, type Terms } from '../../../rating/terms.ts';
import { average, ratio } from '../../tariff/diff/diff-summary.ts';
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

/** Returns the first cell with the highest value, if that value is above 0. */
const most = (cells: readonly NetCell[], measure: (cell: NetCell) => number): NetCell | undefined => {
  let found: NetCell | undefined;
  for (const cell of cells) if (measure(cell) > (found === undefined ? 0 : measure(found))) found = cell;
  return found;
};

/** @param cells the cells that exist in both agreements */
const changeOf = (code: string, residential: boolean, cells: readonly NetCell[]) => ({
  code,
  address: residential ? ('residential' as const) : ('commercial' as const),
  cells: cells.length,
  changed: cells.filter((cell) => rise(cell) !== 0).length,
  /** The average change in hundredths of a percent. */
  averageHundredths: average(cells),
  /** The largest rise and fall in cents and in percent. Undefined if nothing rises or falls. */
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

/** `any`: the change is the same for all addresses. */
export type NetChange = Omit<ReturnType<typeof changeOf>, 'address'> & {
  readonly address: 'commercial' | 'residential' | 'any';
};

const netChanges = ({ card, before, after }: Compared): NetChange[] => {
  const changesAt = (isHome: boolean) => {
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

/** Address types and first weights. Each agreement charges all packages of a case alike. */
const casesOf = ({ before, after }: Compared, index: number) => {
  const variants = [before, after].flatMap((terms) =>
    terms?.charges === undefined ? [] : variantsOf(terms.charges, index),
  );
  const isByAddress = variants.some(({ address }) => address !== undefined);
  const starts = [...new Set([0, ...variants.map(({ own }) => own.fromLb)])].sort((a, b) => a - b);
  return (isByAddress ? [false, true] : [false]).flatMap((residential) =>
    starts.map((fromLb) => ({
      ...{ index, residential, fromLb },
      /** A description in words. */
      when: [
        ...(isByAddress ? [`${residential ? 'residential' : 'commercial'} address`] : []),
        ...(starts.length > 1 ? [`from ${Math.max(1, fromLb)} lb`] : []),
      ],
    })),
  );
};

type ChargeCase = ReturnType<typeof casesOf>[number];

/** The charges that replace list surcharges: cents, or basis points of a percentage. */
const chargeEffects = (compared: Compared) => {
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

export type ChargeEffect = ReturnType<typeof chargeEffects>[number];

const limitEffects = ({ card, before, after }: Compared) => {
  const isDivided = [before, after].some((terms) => terms?.card.secondDivisor !== undefined);
  const limitsOf = (terms: Terms | undefined) => {
    const own = terms?.card ?? card;
    const minimum = (address: 'commercial' | 'residential'): number =>
      terms?.minimum[address].cents ?? card.minimumNetCents;
    return {
      divisor: own.dimensionalFactor,
      'divisor of larger packages': isDivided ? (own.secondDivisor ?? own).dimensionalFactor : 0,
      'divisor from cubic inches': own.dimensionalOverCubicIn,
      'minimum, commercial': minimum('commercial'),
      'minimum, residential': minimum('residential'),
    };
  };
  const [old, now] = [limitsOf(before), limitsOf(after)];
  return keysOf(now).flatMap((limit) => {
    const change = { code: card.code, limit, before: old[limit], after: now[limit] };
    return change.before === change.after ? [] : [change];
  });
};
export type LimitEffect = ReturnType<typeof limitEffects>[number];

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
