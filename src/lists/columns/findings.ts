/**
 * Findings: what users should know about the columns before they trust the prices, such as unused columns that look relevant
 * and ambiguous names (contract, Warnings). They are made once per list, from its header and first rows. Their number and
 * length are bounded, because headers are untrusted text.
 */

import { z } from 'zod';
import { FEW, type InSlices, mapInSlices } from '../../base/time-slices.ts';
import type { Origin } from '../../files/input/csv-text.ts';
import { specOf } from '../../rating/fields.ts';
import type { Repair } from '../rows/repair.ts';
import { isLikely, isOfItem } from './aliases.ts';
import { DATE_ORDERS, type DateOrder, isoDay, lengthIn, orderedDay, weightIn } from './cell-forms.ts';
import { type Claim, cellsIn, choosing, quotedName, type Sample, shownName } from './column-choice.ts';
import type { Meanings, ReadOptions } from './columns.ts';
import { type Field, fieldIn, isSide, numberedNames, SIDES } from './fields.ts';
import { isOpposite, looksLike, rowsShown } from './lookalikes.ts';
import { isQuantity, type WeightPer, wordsOf } from './name-grammar.ts';
import { isOfOrders, NO_COLUMN, type Orders, repeatedOrders } from './orders.ts';
import type { ServiceNames } from './service-names.ts';

/** Types of findings, and when a list has them. The schema and the table in the docs are made from these entries. */
export const FINDINGS = {
  'orders.joined': 'Rows with the same order number are priced as one shipment. The message says by which column.',
  'orders.repeated': 'An order number repeats in several rows, and each row is priced as a separate shipment.',
  'column.quantity': 'A column of quantities is not used, because in most lists it counts items, not packages.',
  'column.notTaken': 'A column looks like a field but is not used. The message says what that means for the rows.',
  'column.overrides': 'A column is used, so a value that the upload gives for all rows has no effect.',
  'column.likely': 'A column whose name is not quite clear is used as a field.',
  'column.unreadable': 'A date column has dates that are not in the form YYYY-MM-DD. Rows with them have a fault.',
  'column.repairable': 'A column has cells that can be repaired. Without the repair, rows with them have a fault.',
  'rows.cancelled': 'Rows are cancelled orders, or may be. They are priced like the others.',
  'rows.notCharged':
    'Rows ask for something that no price covers, or may ask: dangerous goods, dry ice, or cash on delivery. The message names the column.',
  'quotes.rows': 'A cell in quotes holds what looks like whole rows. They are not rated.',
  'sheet.others': 'A workbook has other sheets that look like a list. They are not rated.',
  'sheet.merged': 'Merged cells of a sheet span several rows. Only the first row has their value.',
  'sheet.hiddenRows': 'A sheet has hidden rows. They are rated like the others.',
  'sheet.shownNumber':
    'Cells show another number than they have, because of their format. The number that they show is used.',
  'dimensions.noUnit': 'The unit of the dimensions is unknown. Rows with dimensions have a fault.',
  'service.mapped': 'Service names in the list are mapped to codes. The message says which.',
  'service.unknown': 'The list names services that no tariff has. Rows with them have a fault.',
  'weight.empty': 'Empty cells of the weights take the weight that the upload gives. The message says which.',
  'weight.divided': 'A weight is read as the weight of the whole shipment, and divided among its packages.',
  'weight.unclear': 'A weight is read as the weight of each package, but may be the weight of the whole shipment.',
  'weight.units': 'Some weights have another unit in the cell. The unit in the cell is used.',
  'scenario.changesNothing': 'A scenario of a comparison has the same prices as the list.',
  'scenario.noFuel': 'A scenario states fuel for services whose tariff has no fuel surcharge.',
  'findings.more': 'There are more findings than the twenty listed.',
} as const;
type FindingType = keyof typeof FINDINGS;

export const findingBody = z.object({
  type: z.enum(Object.keys(FINDINGS) as FindingType[]),
  message: z.string(),
  column: z.string().describe('The name of the column; empty if the finding is not about a single column.'),
});
export type Finding = z.output<typeof findingBody>;

/** What findings are about. */
interface Found extends Pick<Meanings, 'chosen' | 'passedOver' | 'defaults' | 'ordered'> {
  readonly header: readonly string[];
  readonly reading: ReadOptions;
  /** What the name of the weight column says, if rows have a number of packages and the caller has not decided. */
  readonly weightPer: WeightPer | 'unclear' | undefined;
  /** Whether a weight is for a whole order or shipment. */
  readonly isWhole: boolean;
  readonly services: Pick<ServiceNames, 'findings'>;
  /** The first rows. */
  readonly sample: Sample;
  /** Whether the list has no other rows. */
  readonly isAll: boolean;
}

const MOST_FINDINGS = 20;

const finding = (type: Finding['type'], { name, index }: Pick<Claim, 'name' | 'index'>, message: string): Finding => ({
  type,
  message: `${quotedName({ name, index })} ${message}`,
  column: shownName(name),
});

const ofJoinedOrders = ({ column, quantity }: Orders, { header, ordered, chosen, isWhole }: Found): Finding => {
  const nameOf = (index: number): string => quotedName({ name: header[index] ?? '', index });
  const known = ordered.program === undefined ? '' : `, as in exports of ${ordered.program}`;
  const weight = chosen.get('weight_value');
  const times = quantity === undefined ? '' : `, each times ${nameOf(quantity)}`;
  const weighed =
    weight === undefined
      ? ''
      : isWhole
        ? ` ${quotedName(weight)} is the weight of the whole order.`
        : ` Its weight is the sum of ${quotedName(weight)} of its rows${times}.`;
  return {
    type: 'orders.joined',
    message: `${nameOf(column)} is the number of an order${known}: rows with the same number below each other are priced as one shipment.${weighed} To price each row separately, use ?orders=${NO_COLUMN}.`,
    column: shownName(header[column] ?? ''),
  };
};

/** Returns findings about rows that are order lines or may be. */
const ofOrders = (found: Found): Finding[] => {
  const { header, ordered, reading, sample } = found;
  if (ordered.orders !== undefined) return [ofJoinedOrders(ordered.orders, found)];
  const index = reading.orders === undefined ? repeatedOrders(header, sample) : undefined;
  if (index === undefined) return [];
  const name = header[index] ?? '';
  const message = `has the same number in several rows, and each row is priced as a shipment of its own. If rows with the same number are one shipment, use ?orders=${shownName(name).trim()}.`;
  return [finding('orders.repeated', { name, index }, message)];
};

/** Returns findings about the sheet of a workbook. @param used the columns that the list uses */
export const sheetFindings = (
  { sheet, lists, merged = '', hidden = 0, rounded = [] }: NonNullable<Origin['sheet']>,
  used: readonly (number | undefined)[],
): Finding[] => {
  const say = (type: Finding['type'], message: string): Finding => ({ type, message, column: '' });
  const others = `The sheet "${sheet}" is read. Other sheets that look like a list are not: ${lists}. To read one of them, use ?sheet=NAME.`;
  const unmerge = `The cells ${merged} are merged. Only the first row has their value, and the rows below it are read as if the cell were empty. Unmerge the cells, and fill in each row.`;
  const rated = `${hidden === 1 ? 'A row of the list is' : `${hidden} rows of the list are`} hidden in the sheet, and rated like the others. To leave out hidden rows, delete them.`;
  return [
    ...(lists === '' ? [] : [say('sheet.others', others)]),
    ...(merged === '' ? [] : [say('sheet.merged', unmerge)]),
    ...(hidden === 0 ? [] : [say('sheet.hiddenRows', rated)]),
    ...rounded
      .filter(([column]) => used.includes(column))
      .map(([, cell]) =>
        say(
          'sheet.shownNumber',
          `The cell ${cell}: the shown number is used. To use the other, format the column as General.`,
        ),
      ),
  ];
};

/** Returns the orders that a list seems to have but does not join. */
export const proposedOrders = ({
  header,
  findings,
}: {
  readonly header: readonly string[];
  readonly findings: readonly Finding[];
}): Orders | undefined => {
  const found = findings.find(({ type }) => type === 'orders.repeated');
  return found && { column: header.findIndex((name) => shownName(name) === found.column) };
};

const effectOf = (field: Field, { reading, chosen }: Found): string | undefined => {
  const said = reading.defaults?.[field];
  if (said === undefined || (field === 'weight_value' && chosen.has('weight_ounces'))) return specOf(field).unused;
  return field === 'weight_value'
    ? `each package weighs ${said}, as the upload says`
    : `every row has ${said}, as the upload says`;
};

/** Fields for the size of a package. */
const SIZES: readonly Field[] = [...SIDES, 'dimensions'];

const isFilled = (row: readonly string[], column: number): boolean => (row[column]?.trim() ?? '') !== '';

const ofUnknown = (name: string, index: number, found: Found): Finding | undefined => {
  const { chosen, reading, sample } = found;
  const like = looksLike({ name, index, sample });
  if (like === undefined || isOfOrders(index, found.ordered.orders)) return undefined;
  const rows = sample.filter((row) => isFilled(row, index));
  /** The used columns of fields that have the same meaning. */
  const others = SIZES.includes(like) ? (isSide(like) ? [like, 'dimensions' as const] : SIZES) : [like];
  const used = others.flatMap((field) => chosen.get(field) ?? []);
  const isSettled = used.length > 0 && rows.every((row) => used.some((claim) => isFilled(row, claim.index)));
  if (isSettled || others.some((field) => reading.named?.has(field))) return undefined;
  const say = (type: Finding['type'], message: string): Finding => finding(type, { name, index }, message);
  const quantity = `was not used: most lists count items there. If it counts packages, use ${choosing('packages', name)}.`;
  if (like === 'packages' && isQuantity(name)) return say('column.quantity', quantity);
  const filled = used.filter((claim) => sample.some((row) => isFilled(row, claim.index)));
  const beside = filled.map(quotedName).join(', ');
  const partial = `has cells in rows where ${beside} ${filled.length === 1 ? 'is' : 'are'} empty, but was not used: those rows are priced without them. Move the values to the same column. To use this column instead, add ${choosing(like, name)}.`;
  if (filled.length > 0) return say('column.notTaken', partial);
  const effect = effectOf(like, found);
  if (effect === undefined) return undefined;
  const opposite = `looks like the opposite of the field residential, and was not used: ${effect}. Add a column residential with the opposite values.`;
  if (like === 'residential' && isOpposite({ name, index, sample })) return say('column.notTaken', opposite);
  const message = `looks like the field ${like} but was not used: ${effect}. To use it, add ${choosing(like, name)}.`;
  return say('column.notTaken', message);
};

const LEFT_IN = 'cancelled orders, and their rows are priced like the others. To leave them out, delete those rows.';

/** A cell that says no, or none. */
const NO_CELL = /^(?:0+(?:\.0+)?|no?|none|false|f|n\/?a|-+)$/i;

/** What columns without a field may say of rows: the words of their names, their cells, and the finding. */
const REMARKS: readonly {
  readonly named: RegExp;
  readonly says: (cell: string) => boolean;
  readonly type: FindingType;
  readonly message: string;
  /** The message if the first rows say nothing and others follow. Undefined for names that most lists have. */
  readonly unseen?: string;
}[] = [
  {
    named: /^(?:cancell?ed|cancell?ation)(?: at| on| date)?$/,
    says: (cell) => /^(?:\d{4}-|\d{1,2}[/.]|y$|yes$|true$)/i.test(cell),
    type: 'rows.cancelled',
    message: `marks ${LEFT_IN}`,
    unseen: 'marks no cancelled order there. If it does further down, those rows are priced like the others.',
  },
  {
    named: /^(?:order |financial |payment |shipment )?status$/,
    says: (cell) => /^(?:wc-)?(?:cancell?ed|voided)$/i.test(cell),
    type: 'rows.cancelled',
    message: `names ${LEFT_IN}`,
  },
  {
    named:
      /^(?:is |contains |has )?(?:hazmat|hazardous|dangerous|dry ice|cod|lithium)(?: (?:goods|materials?|amount|weight|batter(?:y|ies)|class))?$/,
    says: (cell) => !NO_CELL.test(cell),
    type: 'rows.notCharged',
    message: 'has values, but no price includes a charge for them: those rows may cost more.',
    unseen: 'has no values there. Rows with values further down may cost more: no price includes a charge for them.',
  },
];

const ofRemarks = (name: string, index: number, { sample, isAll }: Found): Finding | undefined => {
  const words = wordsOf(name).join(' ');
  const remark = REMARKS.find(({ named }) => named.test(words));
  if (remark === undefined) return undefined;
  const { type, says, message, unseen } = remark;
  if (cellsIn(sample, index).some(says)) return finding(type, { name, index }, message);
  if (isAll || unseen === undefined) return undefined;
  return finding(type, { name, index }, `was checked in the first ${sample.length} rows. It ${unseen}`);
};

const ofPassedOver = (claim: Claim, { chosen }: Found, names: readonly string[]): Finding | undefined => {
  const winner = chosen.get(claim.field);
  // Any address line will do: rating only needs to know whether there is one.
  if (winner === undefined || claim.field === 'addressLine') return undefined;
  // The weight of an item needs no finding if the list has the weight of the shipment.
  if (isOfItem(claim)) return undefined;
  const message = `could be the field ${claim.field} but was not used, because ${quotedName(winner)} is. To use it instead, add ${choosing(claim.field, names[claim.index] ?? claim.name)}.`;
  return finding('column.notTaken', claim, message);
};

const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/;

const CALENDAR_DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

const dayIn = (cell: string, order: DateOrder | undefined): string =>
  isoDay(order === undefined ? cell : orderedDay(cell, order));

const DIVIDED =
  'was read as the weight of the whole shipment, and divided equally among its packages. If it is the weight of each package, use ?weight_per=package.';
const UNCLEAR =
  'was read as the weight of each package. If it is the weight of the whole shipment, use ?weight_per=shipment. Otherwise use ?weight_per=package.';

/** Returns findings about the weights: what they are for, and their unit. */
const ofWeights = (
  claim: Claim,
  cells: readonly string[],
  { weightPer, chosen, defaults }: Found,
): readonly Finding[] => {
  const unit = chosen.has('weight_units') ? undefined : defaults.weight_units;
  const other = cells.find((cell) => unit !== undefined && (weightIn(cell)?.unit ?? unit) !== unit);
  const mixed = `has cells in another unit than ${unit}, such as ${shownName(other ?? '')}. The unit in the cell is used.`;
  return [
    ...(weightPer === 'shipment' ? [finding('weight.divided', claim, DIVIDED)] : []),
    ...(weightPer === 'unclear' ? [finding('weight.unclear', claim, UNCLEAR)] : []),
    ...(other === undefined || claim.name.trim() === 'weight_value' ? [] : [finding('weight.units', claim, mixed)]),
  ];
};

/** Cells that a repair can fix: their pattern, what they have, the repair, and the option that asks for it. */
const REPAIRABLE: Readonly<
  Partial<Record<Field, readonly [cells: RegExp, have: string, repair: Repair, option: string]>>
> = {
  postalCode: [
    /^(?:\d{3,4}|\d{7,9}|\d{5}\.0{1,6})$/,
    'ZIP codes without their leading zeros or their hyphen',
    'zip',
    '?repair=zip or ?repair=all',
  ],
  weight_value: [/^\d{0,9},\d{1,2}$/, 'numbers with a decimal comma', 'weight', '?repair=all'],
  declared_value: [
    /^(?:[^\d.-]\D{0,3}\d[\d.,]{0,15}|\d{1,12},[\d.,]{1,15}|\d[\d.,]{0,15} ?USD)$/i,
    'amounts with a currency or separators',
    'value',
    '?repair=all',
  ],
  length: [/^0{1,9}(?:\.0{0,9})?$/, 'sizes of 0', 'size', '?repair=all'],
};

const UNCLEAR_NUMBERS = 'numbers whose comma may separate thousands or be a decimal comma';
const UNCLEAR_COMMA = /^[1-9]\d{0,2},\d{3}$/;

/** Suggests options that make cells readable. Faults cannot suggest them, because single calls get the same faults. */
const ofRepairable = (claim: Claim, cells: readonly string[], { repairs = [], decimal }: ReadOptions): Finding[] => {
  const { field } = claim;
  const [wrong, have, repair, option] = REPAIRABLE[field] ?? [];
  const say = (what: string, way: string): Finding =>
    finding('column.repairable', claim, `has ${what}; rows with them get no price. ${way}`);
  if (decimal !== undefined && repair === 'weight') return [];
  if (field === 'weight_value' && cells.some((cell) => UNCLEAR_COMMA.test(cell)))
    return [say(UNCLEAR_NUMBERS, 'Add ?decimal=point or ?decimal=comma to say what it is.')];
  if (wrong === undefined || have === undefined || repair === undefined || repairs.includes(repair)) return [];
  return cells.some((cell) => wrong.test(cell)) ? [say(have, `Add ${option} to repair them.`)] : [];
};

const ofEmptyWeights = (claim: Claim, { emptyWeight }: ReadOptions): Finding[] => {
  if (emptyWeight === undefined || claim.field !== 'weight_value') return [];
  const { value, units } = emptyWeight;
  const message = `counts as ${value} ${units} in rows whose cell is empty, as the upload says.`;
  return [finding('weight.empty', claim, message)];
};

/** A value for all rows has no effect if the list has the column. */
const ofUnusedValue = (claim: Claim, { defaults = {} }: ReadOptions): Finding[] => {
  const value = defaults[claim.field];
  if (value === undefined) return [];
  const message = `is the field ${claim.field}, so the value ${shownName(value)} for all rows has no effect. To use the value, add ?columns=${claim.field}: to ignore the column.`;
  return [finding('column.overrides', claim, message)];
};

/** A day from 1982 to 2064 as the number that a spreadsheet keeps, which no order of month, day and year makes readable. */
const SERIAL_DATE = /^[345]\d{4}(?:\.\d+)?$/;

const ofChosen = (claim: Claim, cells: readonly string[], all: Found): readonly Finding[] => {
  const { services, chosen, defaults, reading } = all;
  const { field, name, index } = claim;
  const without = `Add ?columns=${field}:`;
  const ofWeight = field === 'weight_value' ? ofWeights(claim, cells, all) : [];
  if (ofWeight.length > 0) return ofWeight;
  const likely = `was used as the field ${field}, for each package of a row. ${without} to ignore the column.`;
  if (isLikely(claim) && !(field === 'weight_value' && all.ordered.orders !== undefined))
    return [finding('column.likely', claim, likely)];
  const fitting = DATE_ORDERS.filter((order) => cells.every((cell) => CALENDAR_DATE.test(dayIn(cell, order))));
  const orders = (fitting.length > 0 ? fitting : DATE_ORDERS).join(' or ');
  const serial = cells.find((cell) => SERIAL_DATE.test(cell));
  const remedy =
    serial === undefined
      ? `To give the order of month, day and year, add ?date_order=${orders}.`
      : `${serial} looks like a spreadsheet's number for a day: format these cells as dates there.`;
  const dates = `has dates that are not in the form YYYY-MM-DD; rows with them get no price. ${remedy} ${without} to ignore the column${field === 'shipDate' ? ', so that every row ships today' : ''}.`;
  if (
    (field === 'shipDate' || field === 'deliver_by') &&
    cells.some((cell) => !ISO_DATE.test(dayIn(cell, reading.dateOrder)))
  )
    return [finding('column.unreadable', claim, dates)];
  if (field === 'shippingService') return services.findings(cells, { name, index });
  const sides = SIZES.flatMap((side) => chosen.get(side) ?? []);
  // If one cell has all sides, the unit is after the last side.
  const side = (cell: string): string => fieldIn({ [field]: index }, field === 'dimensions' ? 'height' : field, cell);
  const hasUnits = chosen.has('dimension_units') || defaults.dimension_units !== undefined;
  const stateUnits = cells.length > 0 && cells.every((cell) => lengthIn(side(cell)) !== undefined);
  if (hasUnits || claim !== sides[0] || stateUnits) return [];
  const names = sides.map(quotedName).join(', ');
  const message = `The unit of ${names} is unknown; rows with dimensions get no price. Use ?dimension_units=IN or CM for all rows.`;
  return [{ type: 'dimensions.noUnit', message, column: shownName(name) }];
};

/** @returns findings about orders, then findings in column order: at most twenty, and one that counts the rest */
export function* findingsOf(found: Found): InSlices<Finding[]> {
  const { header, chosen, passedOver, reading, sample } = found;
  const byColumn = new Map<number, Finding[]>();
  const names = numberedNames(header);
  for (const claim of chosen.values()) {
    const cells = cellsIn(sample, claim.index);
    const own = [...ofChosen(claim, cells, found), ...ofRepairable(claim, cells, reading)];
    byColumn.set(claim.index, [...own, ...ofEmptyWeights(claim, reading), ...ofUnusedValue(claim, reading)]);
  }
  for (const claim of passedOver) {
    const message = ofPassedOver(claim, found, names);
    if (message !== undefined && !byColumn.has(claim.index)) byColumn.set(claim.index, [message]);
  }
  const shown = { ...found, sample: rowsShown(header, sample) };
  const byName = yield* mapInSlices(
    header,
    (name, index) => byColumn.get(index) ?? ofRemarks(name, index, shown) ?? ofUnknown(name, index, shown) ?? [],
    FEW,
  );
  const all = byName.flat();
  const orders = ofOrders(found);
  if (all.length <= MOST_FINDINGS) return [...orders, ...all];
  const more = all.length - MOST_FINDINGS;
  const rest: Finding = {
    type: 'findings.more',
    message: `There ${more === 1 ? 'is 1 more finding' : `are ${more} more findings`} like these.`,
    column: '',
  };
  return [...orders, ...all.slice(0, MOST_FINDINGS), rest];
}
