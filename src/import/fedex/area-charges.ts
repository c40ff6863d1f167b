/**
 * FedEx's delivery area charges, by tier. The tables state the amounts. The rules are from the FedEx Service Guide 2026, page
 * 134.
 */
import { getOrMake } from '../../base/maps.ts';
import { present } from '../../base/present.ts';
import { areaChargeOf, CHARGES, type ChargeType } from '../../catalog/tariff/charge-catalog.ts';
import {
  byNetwork,
  type ChargeRow,
  type Context,
  type Draft,
  draftOf,
  isGround,
  maximaOf,
  maximumOf,
  perPackage,
  ruled,
  singles,
  withMaxima,
} from './charge-rows.ts';
import type { Amount, NamedServices } from './fee-text.ts';

/** The rate column of FedEx Ground within Oahu. The charge within Hawaii applies only to these shipments. */
const WITHIN_OAHU = '14';

/** Pounds. Heavier ground packages to Alaska pay a multiple of the charge. */
export const ALASKA_HEAVY_LB = 70;
export const ALASKA_HEAVY_TIMES = 3.5;

/** Returns the kinds in `Extended Residential`, `Remote Commercial` and similar texts. */
const kindsOf = (qualifiers: readonly string[]): string[] =>
  qualifiers.flatMap((text) =>
    text
      .split(/,|\band\b/)
      .map((kind) => kind.trim().toLowerCase())
      .filter((kind) => kind !== ''),
  );

interface Area {
  readonly tier: string;
  readonly type: ChargeType;
  /** Undefined: homes and businesses alike. */
  readonly residential?: boolean;
}

const areaOf = ({ area, qualifiers }: NamedServices): Area | undefined => {
  const kinds = kindsOf(qualifiers);
  const words = kinds.map((kind) => /^(?:(extended|remote) )?(residential|commercial)$/.exec(kind));
  const [first] = words;
  if (first === null || first === undefined || words.some((word) => word === null || word[1] !== first[1]))
    return undefined;
  const tier = area ?? first[1] ?? 'standard';
  const type = areaChargeOf(tier);
  if (type === undefined) return undefined;
  const addresses = new Set(words.map((word) => word?.[2]));
  return { tier, type, ...(addresses.size === 2 ? {} : { residential: addresses.has('residential') }) };
};

const descriptionOf = ({ type, residential }: Area): string => {
  const address = residential === undefined ? '' : `, ${residential ? 'residential' : 'commercial'}`;
  return `${CHARGES[type].description}${address}`;
};

/** For ground packages to Alaska: the usual charge and the charge for heavy packages. Only the higher one is charged. */
const withHeavy = (draft: Draft, amount: Amount): Draft[] => {
  const entry = { ...draft.entry, dearestOf: 'delivery-area' };
  const heavy = {
    ...entry,
    description: `${entry.description}, over ${ALASKA_HEAVY_LB} lb`,
    when: { ...entry.when, actualWeightOverLb: ALASKA_HEAVY_LB },
    amount: perPackage(Math.round(amount.cents * ALASKA_HEAVY_TIMES)),
  };
  return [entry, heavy].map((one) => ({ ...draft, entry: one }));
};

const draftsOf = (area: Area, row: ChargeRow, group: readonly string[], amount: Amount, cap: object): Draft[] => {
  const { tier, type, residential } = area;
  const inOahu = tier === 'intra-hawaii';
  const services = inOahu ? group.filter(isGround) : group;
  if (services.length === 0) return [];
  const when = present({ residential, columns: inOahu ? [WITHIN_OAHU] : undefined });
  const draft = { ...draftOf(row, services, amount, { type, description: descriptionOf(area), when, ...cap }), tier };
  return tier === 'alaska' && services.every(isGround) ? withHeavy(draft, amount) : [draft];
};

export const deliveryArea = (rows: readonly ChargeRow[], context: Context): Draft[] => {
  const maxima = maximaOf(rows, context);
  const byArea = new Map<string, { area: Area; rows: ChargeRow[] }>();
  for (const row of rows.filter(({ names }) => names.maximumFor === undefined)) {
    const area = areaOf(row.names);
    if (area === undefined) {
      context.refuse(row, 'names no known delivery area');
      continue;
    }
    getOrMake(byArea, descriptionOf(area), () => ({ area, rows: [] })).rows.push(row);
  }
  const areas = [...byArea.values()];
  const charged = new Set(areas.flatMap(({ rows: of }) => of.flatMap(({ names }) => kindsOf(names.qualifiers))));
  for (const { row, amounts } of maxima)
    if (amounts.some(({ qualifier }) => kindsOf([qualifier]).some((kind) => !charged.has(kind)) || qualifier === ''))
      context.refuse(row, 'states a maximum for an area without a charge');
  return areas.flatMap(({ area, rows: of }) =>
    ruled(singles(of, context), context).flatMap(({ row, codes, value }) => {
      const kinds = row.names.area === undefined ? kindsOf(row.names.qualifiers) : [];
      const maximum = maximumOf(maxima, ({ qualifier }) => kindsOf([qualifier]).some((kind) => kinds.includes(kind)));
      const groups = area.tier === 'alaska' ? byNetwork(codes) : [codes];
      return groups
        .flatMap((group) => withMaxima(group, maximum))
        .flatMap(({ group, cap }) => draftsOf(area, row, group, value, cap));
    }),
  );
};
