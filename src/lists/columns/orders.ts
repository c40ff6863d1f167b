/**
 * Finds the order columns of a list with one row per order line, as shops export them: the column with the order number, and
 * the column with the quantity of a line. Consecutive rows of one order are one shipment (`rows/order-lines.ts`).
 */
import type { Problems } from '../../files/input/text-options.ts';
import { quotedName, type Sample, shownName } from './column-choice.ts';
import { MOST_NAME_CHARACTERS, normal, repeatedName } from './fields.ts';
import { isQuantity, listed, type WeightPer, weightPerName, wordsOf } from './name-grammar.ts';

/** Option value: rows are not joined, or the list has no item quantities. A column with this name cannot be chosen. */
export const NO_COLUMN = 'none';

export interface Orders {
  /** The column with the order number. */
  readonly column: number;
  /** The column with the quantity of the line. Undefined: each line counts once. */
  readonly quantity?: number | undefined;
}

/**
 * Exports with one row per order line. Names are in the form of `normal`, separated by spaces: of the order's number, of
 * columns that the export also has, and of the item quantity. The first quantity in the header is used.
 */
const EXPORTS = [
  ['Shopify', 'name', 'lineitemquantity', 'lineitemquantity'],
  ['Amazon', 'orderid', 'orderitemid quantitypurchased', 'quantitytoship quantitypurchased'],
  ['WooCommerce', 'ordernumber orderid', 'item#', 'quantity(refund) quantity'],
  ['WooCommerce', 'orderid', 'itemquantity', 'itemquantity'],
  ['BigCommerce', 'orderid', 'combinedproductweight', ''],
].map(([program = '', order = '', beside = '', quantity = '']) => ({
  program,
  order: listed(order),
  beside: listed(beside),
  quantity: listed(quantity),
}));

/** Names of order number columns, in the form of `normal` without `#` and periods. */
const NUMBERS: ReadonlySet<string> = new Set(
  ['order', 'sales order', 'amazon order', 'shop order'].flatMap((order) =>
    ['', 'number', 'no', 'id', 'name', 'ref', 'reference'].map((what) => normal(`${order} ${what}`)),
  ),
);

const isOrderNumber = (name: string): boolean =>
  name.length <= MOST_NAME_CHARACTERS && NUMBERS.has(normal(name).replaceAll(/[#.]/g, ''));

/** Returns what the weights of a column are for, by its name. In order lines, a combined weight is for the whole order. */
export const weightPerOf = (name: string, isOfOrders: boolean): WeightPer | 'unclear' | undefined =>
  isOfOrders && wordsOf(name).includes('combined') ? 'shipment' : weightPerName(name);

export interface AskedOrders {
  /** The name of the column with the order number, or `none`. Undefined: the header decides. */
  readonly orders?: string | undefined;
  /** The name of the column with the quantities, or `none`. Undefined: the header decides. */
  readonly itemQuantity?: string | undefined;
}

export interface FoundOrders {
  readonly orders: Orders | undefined;
  /** The program whose exports have this header. Undefined if the caller names the column. */
  readonly program: string | undefined;
  readonly problems: Problems;
}

const quoted = (header: readonly string[], index: number): string => quotedName({ name: header[index] ?? '', index });

/** Returns the columns with this name. Exact matches win. */
const called = (header: readonly string[], name: string): readonly number[] => {
  const places = [...header.keys()];
  const own = places.filter((at) => header[at]?.trim() === name.trim());
  return own.length > 0 ? own : places.filter((at) => repeatedName(header[at] ?? '') === repeatedName(name));
};

/** @param used the columns of fields, which are not item quantities */
export const ordersOf = (
  header: readonly string[],
  { orders: asked, itemQuantity }: AskedOrders,
  used: ReadonlySet<number>,
): FoundOrders => {
  const problems: Record<string, string> = {};
  const named = (parameter: string, name: string): number | undefined => {
    const [place, another] = called(header, name);
    if (place === undefined) problems[parameter] = `names "${shownName(name)}", which is not in the header`;
    else if (another !== undefined) problems[parameter] = `names "${shownName(name)}", and two columns have this name`;
    return place;
  };
  const names = header.map(normal);
  const placeOf = (among: readonly string[]): number | undefined =>
    among.map((name) => names.indexOf(name)).find((at) => at !== -1);
  const known = EXPORTS.find(
    ({ order, beside }) => placeOf(order) !== undefined && beside.every((name) => names.includes(name)),
  );
  const isOff = asked === NO_COLUMN || (asked === undefined && known === undefined);
  const column = isOff ? undefined : asked === undefined ? placeOf(known?.order ?? []) : named('orders', asked);
  if (column === undefined) {
    if (itemQuantity !== undefined && itemQuantity !== NO_COLUMN && problems['orders'] === undefined)
      problems['item_quantity'] = 'is only for lists whose rows are lines of orders: use ?orders= too';
    return { orders: undefined, program: undefined, problems };
  }
  const counting = header.flatMap((name, at) =>
    name.length <= MOST_NAME_CHARACTERS &&
    isQuantity(name) &&
    !wordsOf(name).includes('total') &&
    !used.has(at) &&
    at !== column
      ? [at]
      : [],
  );
  const own = known === undefined ? (counting.length === 1 ? counting[0] : undefined) : placeOf(known.quantity);
  const quantity =
    itemQuantity === undefined ? own : itemQuantity === NO_COLUMN ? undefined : named('item_quantity', itemQuantity);
  const isUsed = quantity !== undefined && used.has(quantity);
  if (isUsed && itemQuantity !== undefined)
    problems['item_quantity'] =
      `names ${quoted(header, quantity)}, which has another meaning: name another column, or use ?columns= too`;
  return {
    orders: { column, ...(quantity !== undefined && !isUsed && { quantity }) },
    program: asked === undefined ? known?.program : undefined,
    problems,
  };
};

/** Whether a column has the order number or the quantity of a line. */
export const isOfOrders = (index: number, orders: Orders | undefined): boolean =>
  orders !== undefined && (index === orders.column || index === orders.quantity);

/** Finds a column of order numbers in which consecutive rows have the same number. */
export const repeatedOrders = (header: readonly string[], sample: Sample): number | undefined => {
  const repeats = (index: number): boolean =>
    sample.some((row, at) => {
      const number = row[index]?.trim() ?? '';
      return at > 0 && number !== '' && sample[at - 1]?.[index]?.trim() === number;
    });
  const found = header.findIndex((name, index) => isOrderNumber(name) && repeats(index));
  return found === -1 ? undefined : found;
};
