/** The differences between the files of two agreements, or of one agreement on two days: settings, lines and rates. */

import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import type { Card } from '../../../rating/card.ts';
import type { Surcharge } from '../../../rating/charges.ts';
import { keysOf } from '../../../rating/fields.ts';
import { basisPointsOf, dollarText } from '../../../rating/quantity.ts';
import { ownCharge, type Terms } from '../../../rating/terms.ts';
import { centsOf } from '../../tariff/compile-charges.ts';
import { compareFacts, comparePrices, type Difference, type Facts, valuesOf } from '../../tariff/diff/diff.ts';
import { average, ratio } from '../../tariff/diff/diff-summary.ts';
import type { MultiweightTable } from '../../tariff/document.ts';
import { MULTIWEIGHT, type PriceForm, RATES } from '../../tariff/prices.ts';
import { type Named, type ZoneRange, zoneText } from '../cells.ts';
import { termsOf } from '../compile.ts';
import { listAt, variantsOf } from '../compile-charges.ts';
import type { AgreementDocument, AgreementTables, DiscountLine, MinimumLine, SurchargeLine } from '../document.ts';
import { type RateCard, rateCardOf } from '../overview.ts';
import { filesOn } from '../versions.ts';

/** An agreement on a day. */
export interface AgreementState {
  readonly document: AgreementDocument;
  readonly day: string;
}

/** The subject of a line, and its value. */
type LineText = readonly [subject: string, value: string];

const servicesText = (services: Named<string>): string => (services === '*' ? 'all services' : services.join('|'));

const zonesText = (zones: Named<ZoneRange>): string => {
  if (zones === '*') return 'all zones';
  const text = zones.map(zoneText).join('|');
  return zones.length === 1 && !text.includes('-') ? `zone ${text}` : `zones ${text}`;
};

const percentText = (percent: string): string => `${dollarText(basisPointsOf(percent))}%`;

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part).join(', ');

const bandText = ({ fromLb, toLb }: Pick<DiscountLine, 'fromLb' | 'toLb'>): string =>
  toLb === undefined ? `from ${fromLb} lb` : `${fromLb}-${toLb} lb`;

const billingText = ({ billing }: Pick<DiscountLine, 'billing'>): string | undefined =>
  billing && `billing ${billing.join('|')}`;

const discountText = (line: DiscountLine): LineText => [
  joined(
    line.discount,
    servicesText(line.services),
    zonesText(line.zones),
    bandText(line),
    line.address === 'any' ? undefined : line.address,
    billingText(line),
    line.appliesTo === 'both' ? undefined : line.appliesTo,
    line.tier === undefined ? undefined : `tier ${line.tier}`,
    line.betterOf === undefined ? undefined : `better of ${line.betterOf}`,
  ),
  line.usd === undefined ? percentText(line.percent) : `${line.usd} off each package`,
];

const minimumText = (line: MinimumLine): LineText => {
  const { services, zones, address, minimum, value, zone, weightLb } = line;
  const cell = joined(zone && `zone ${zone}`, weightLb === undefined ? undefined : `${weightLb} lb`);
  return [
    joined(
      servicesText(services),
      zones && zonesText(zones),
      address === 'any' ? undefined : address,
      billingText(line),
    ),
    `${minimum} ${value}${cell === '' ? '' : ` (${cell})`}`,
  ];
};

const surchargeText = (line: SurchargeLine): LineText => [
  joined(
    line.surcharge,
    servicesText(line.services),
    zonesText(line.zones),
    line.area && `area ${line.area}`,
    line.address,
    billingText(line),
    line.fromLb === undefined && line.toLb === undefined ? undefined : bandText({ fromLb: 1, ...line }),
    line.tier && `tier ${line.tier}`,
    // It applies in addition to another change of the same surcharge.
    line.change === 'at most' ? line.change : undefined,
  ),
  `${line.change} ${line.value}${line.lastYear === undefined ? '' : `% above ${line.lastYear}`}`.trimEnd(),
];

const countsText = (usd: string | undefined, packages: number | undefined): string =>
  joined(usd && dollarText(centsOf(usd)), packages === undefined ? undefined : `${packages} packages`);

const linesOf = (tables: AgreementTables): Readonly<Record<string, readonly LineText[]>> => ({
  'discounts.csv': tables.discounts.map(discountText),
  'minimums.csv': tables.minimums.map(minimumText),
  'surcharges.csv': tables.surcharges.map(surchargeText),
  'fuel.csv': tables.fuel.map(({ services, from, until, percent }) => [
    joined(servicesText(services), `from ${from}`),
    `${percentText(percent)}${until === undefined ? '' : ` to ${until}`}`,
  ]),
  'fuel_index.csv': (tables.fuel_index ?? []).map(({ services, index, fromUsd, percent }) => [
    joined(servicesText(services), `${index} from ${fromUsd}`),
    percentText(percent),
  ]),
  'fuel_prices.csv': (tables.fuel_prices ?? []).map(({ index, from, usd }) => [joined(index, `from ${from}`), usd]),
  'tiers.csv': tables.tiers.map(({ program, tier, fromUsd, fromPackages }) => [
    joined(program, `tier ${tier}`),
    countsText(fromUsd, fromPackages),
  ]),
  'notes.csv': (tables.notes ?? []).map(({ topic, text }) => [topic, text]),
  'spend.csv': tables.spend.map(({ program, weekEnding, usd, packages }) => [
    joined(program, `week ending ${weekEnding}`),
    countsText(usd, packages),
  ]),
});

/** Facts by subject. Lines with the same subject are numbered. */
const factsOf = (lines: readonly LineText[] = []): Facts => {
  const facts = new Map<string, string>();
  for (const [subject, value] of lines) {
    let name = subject;
    for (let at = 2; facts.has(name); at++) name = `${subject} #${at}`;
    facts.set(name, value);
  }
  return facts;
};

/** Prices per pound and per 100 pounds are in separate rows. */
const WHOLE_PRICES: PriceForm<MultiweightTable> = {
  ...MULTIWEIGHT,
  rowsOf: (table) =>
    MULTIWEIGHT.rowsOf(table).map((row) => ({
      ...row,
      label: `${row.label} ${table.perHundred === true ? '(per 100 lb)' : '(per lb)'}`,
    })),
};

/** Returns the differences between the files in force, file by file. */
export const diffAgreements = (before: AgreementState, after: AgreementState): Difference[] => {
  const [old, now] = [filesOn(before.document, before.day), filesOn(after.document, after.day)];
  const [oldLines, nowLines] = [linesOf(old.tables), linesOf(now.tables)];
  return [
    ...compareFacts('agreement.json', new Map(valuesOf('', old.file)), new Map(valuesOf('', now.file))),
    ...Object.keys(nowLines).flatMap((file) => compareFacts(file, factsOf(oldLines[file]), factsOf(nowLines[file]))),
    ...comparePrices('rates', [old.tables.rates, now.tables.rates], RATES),
    ...comparePrices('caps', [old.tables.caps, now.tables.caps], RATES),
    ...comparePrices('multiweight', [old.tables.multiweight ?? {}, now.tables.multiweight ?? {}], WHOLE_PRICES),
  ];
};

/* How a change to an agreement affects bills: the largest rise and fall of net prices by service, and surcharges. */

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
