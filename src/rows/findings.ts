/**
 * Findings: what users should know about the columns before they trust the prices, such as unused columns that look relevant
 * and ambiguous names (contract, Warnings). They are made once for a list, from its header and first rows. Their number and
 * length are bounded, because headers are untrusted text.
 */
import { z } from 'zod';
import { type InSlices, mapInSlices } from '../time-slices.ts';
import { bare, isLikely, meaningOf } from './aliases.ts';
import { type Claim, choosing, quotedName, shownName } from './column-choice.ts';
import { type Field, isoDay } from './fields.ts';

export const findingBody = z.object({
  type: z.enum([
    'column.quantity',
    'column.notTaken',
    'column.likely',
    'column.unreadable',
    'dimensions.noUnit',
    'service.mapped',
    'service.unknown',
    'scenario.changesNothing',
    'scenario.noFuel',
    'findings.more',
  ]),
  message: z.string(),
  column: z
    .string()
    .meta({ description: 'The name of the column; empty if the finding is not about a single column.' }),
});
export type Finding = z.output<typeof findingBody>;

/** The input for findings. */
export interface Found {
  readonly header: readonly string[];
  readonly chosen: ReadonlyMap<Field, Claim>;
  readonly passedOver: readonly Claim[];
  /** Fields that have no column, according to the caller. */
  readonly declined: ReadonlySet<Field>;
  /** The weight of all packages, if the upload gives it. */
  readonly weight: string | undefined;
  readonly hasDimensionUnits: boolean;
  readonly services: {
    readonly findings: (cells: readonly string[], column: Pick<Claim, 'name' | 'index'>) => Finding[];
  };
  /** The first rows. */
  readonly sample: readonly (readonly string[])[];
}

const MOST_FINDINGS = 20;

const finding = (type: Finding['type'], { name, index }: Pick<Claim, 'name' | 'index'>, message: string): Finding => ({
  type,
  message: `${quotedName({ name, index })} ${message}`,
  column: shownName(name),
});

/** Words in names of columns that do not describe the package or its destination. */
const OTHERS = new Set(
  (
    'from sender shipper origin return returns billing bill payer payor payment third party tp sold soldto buyer importer exporter ' +
    'store item items lineitem line product variant sku unit price cost charge charges amount total tax taxes fee discount ' +
    'value currency name phone email fulfillment status requires tracking zone girth type insured insurance predefined count ' +
    'state province city id code number reference notes note message customs declared manufacturing'
  ).split(' '),
);

interface Lookalike {
  readonly field: Field;
  readonly words: readonly string[];
  /** One of these must be in the name too. */
  readonly beside?: readonly string[];
  /** Words of `OTHERS` that this name may have. */
  readonly despite?: readonly string[];
  readonly effect: string;
}

const LOOKALIKES: readonly Lookalike[] = [
  { field: 'postalCode', words: ['zip', 'zipcode', 'postal', 'postcode'], effect: '' },
  {
    field: 'weight_value',
    words: ['weight', 'wt', 'mass', 'lb', 'lbs', 'pounds', 'oz', 'ounces', 'grams', 'kg'],
    effect: '',
  },
  { field: 'countryCode', words: ['country'], effect: 'every row counts as US' },
  {
    field: 'residential',
    words: ['residential', 'commercial', 'residence'],
    effect: 'no row counts as residential',
  },
  { field: 'length', words: ['dimensions', 'dimension', 'dims', 'length', 'size'], effect: 'no dimensions are read' },
  {
    field: 'shippingService',
    words: ['service', 'carrier', 'method', 'shipvia', 'via'],
    effect: 'all services are compared, and the cheapest is taken',
  },
  {
    field: 'signature',
    words: ['signature'],
    despite: ['requires', 'type', 'status'],
    effect: 'no signature is charged',
  },
  { field: 'saturday', words: ['saturday'], despite: ['requires'], effect: 'no Saturday delivery is charged' },
  {
    field: 'declared_value',
    words: ['declared', 'decl', 'insured', 'insurance'],
    beside: ['value', 'amount'],
    despite: ['declared', 'insured', 'insurance', 'value', 'amount'],
    effect: 'no declared value is charged',
  },
  {
    field: 'non_standard_packaging',
    words: ['nonstandard', 'standard'],
    beside: ['packaging', 'container'],
    despite: ['type'],
    effect: 'no packaging is charged for',
  },
];

const wordsOf = (name: string): readonly string[] =>
  name
    .slice(0, 100)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);

/** What an unrecognized name seems to mean. */
const looksLike = (name: string): Lookalike | undefined => {
  const words = wordsOf(name);
  const others = words.filter((word) => OTHERS.has(word));
  return LOOKALIKES.find(
    ({ words: own, beside, despite = [] }) =>
      words.some((word) => own.includes(word)) &&
      (beside === undefined || words.some((word) => beside.includes(word))) &&
      others.every((word) => despite.includes(word)),
  );
};

const QUANTITIES = new Set(['quantity', 'qty', 'orderquantity', 'orderqty', 'totalquantity', 'totalqty']);

/** The field that the name of an unused column means or seems to mean. */
export const fieldLike = (name: string): Field | undefined =>
  meaningOf(name)?.field ?? (QUANTITIES.has(bare(name)) ? 'packages' : looksLike(name)?.field);

/** Columns that seem to be a field, for the message that the field is missing. */
export function* lookalikes(header: readonly string[], field: Field): InSlices<string[]> {
  const names = yield* mapInSlices(header, (name, index) =>
    looksLike(name)?.field === field && meaningOf(name) === undefined ? [quotedName({ name, index })] : [],
  );
  return names.flat();
}

const ofUnknown = (name: string, index: number, { chosen, declined, weight }: Found): Finding | undefined => {
  const isOpen = (field: Field): boolean => !chosen.has(field) && !declined.has(field);
  if (QUANTITIES.has(bare(name)))
    return isOpen('packages')
      ? finding(
          'column.quantity',
          { name, index },
          `was not used: most lists count items there. If it counts packages, use ${choosing('packages', name)}.`,
        )
      : undefined;
  const like = looksLike(name);
  if (like === undefined || !isOpen(like.field)) return undefined;
  const isWeight = like.field === 'weight_value' && weight !== undefined && !chosen.has('weight_ounces');
  const effect = isWeight ? `each package weighs ${weight}, as the upload says` : like.effect;
  if (effect === '') return undefined;
  return finding(
    'column.notTaken',
    { name, index },
    `looks like the ${like.field} but was not used: ${effect}. To use it, add ${choosing(like.field, name)}.`,
  );
};

const ofPassedOver = (claim: Claim, { chosen }: Found): Finding | undefined => {
  const winner = chosen.get(claim.field);
  // Any address line will do: rating only needs to know whether there is one.
  if (winner === undefined || claim.field === 'addressLine') return undefined;
  const message = `could be the ${claim.field} but was not used, because ${quotedName(winner)} is. To use it instead, add ${choosing(claim.field, claim.name)}.`;
  return finding('column.notTaken', claim, message);
};

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

const ofChosen = (claim: Claim, { sample, services, chosen, hasDimensionUnits }: Found): Finding[] => {
  const { field, name, index } = claim;
  const cells = sample.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '');
  const without = `?columns=${field}: ignores the column`;
  if (isLikely(claim))
    return [finding('column.likely', claim, `was used as the ${field} of each row's package. ${without}.`)];
  if (field === 'shipDate' && cells.some((cell) => !ISO_DATE.test(isoDay(cell))))
    return [
      finding(
        'column.unreadable',
        claim,
        `has dates that are not in the form YYYY-MM-DD; rows with them have a fault. ${without}, so that every row ships today.`,
      ),
    ];
  if (field === 'shippingService') return services.findings(cells, { name, index });
  const sides = (['length', 'width', 'height'] as const).flatMap((side) => chosen.get(side) ?? []);
  if (hasDimensionUnits || claim !== sides[0]) return [];
  const all = sides.map(quotedName).join(', ');
  const message = `The unit of ${all} is unknown; rows with dimensions have a fault. Use ?dimension_units=IN or CM for all rows.`;
  return [{ type: 'dimensions.noUnit', message, column: shownName(name) }];
};

/** @returns the findings in the order of their columns: at most twenty, and one that counts the rest */
export function* findingsOf(found: Found): InSlices<Finding[]> {
  const { header, chosen, passedOver } = found;
  const byColumn = new Map<number, Finding[]>();
  for (const claim of chosen.values()) byColumn.set(claim.index, ofChosen(claim, found));
  for (const claim of passedOver) {
    const message = ofPassedOver(claim, found);
    if (message !== undefined && !byColumn.has(claim.index)) byColumn.set(claim.index, [message]);
  }
  const byName = yield* mapInSlices(
    header,
    (name, index) => byColumn.get(index) ?? ofUnknown(name, index, found) ?? [],
  );
  const all = byName.flat();
  if (all.length <= MOST_FINDINGS) return all;
  const more = all.length - MOST_FINDINGS;
  const rest: Finding = { type: 'findings.more', message: `There are ${more} more findings like these.`, column: '' };
  return [...all.slice(0, MOST_FINDINGS), rest];
}
