/**
 * The columns of a workbook's sheets: first the results that people look for, then the list's own columns, then the rest.
 * Programs find columns by their names, so the order is for people alone.
 */
import { columnsOf, isComparedCount, isComparedMoney } from '../comparison/columns.ts';
import type { Field } from '../rows/fields.ts';
import { addedColumns, isCountColumn, isMoneyColumn } from '../rows/output-format.ts';
import type { ColumnKind, SheetColumn } from '../xlsx/sheet-writer.ts';
import type { BatchDocument } from './records.ts';

/** The added columns that stand before the list's own, in a sheet of all rows and in one of rows with a fault. */
const FIRST = {
  quotes: [
    'input_row',
    'quote_totalNetCharge',
    'quote_shippingService',
    'ship_from',
    'quote_rateZone',
    'quote_billingWeight_value',
    'fault_message',
  ],
  faults: ['input_row', 'fault_message'],
  comparison: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type SheetName = keyof typeof FIRST;

/** The list's own columns that hold numbers. ZIP codes, warehouses and all that the service does not read stay text. */
const DECIMALS: readonly Field[] = [
  'weight_value',
  'weight_ounces',
  'packages',
  'length',
  'width',
  'height',
  'declared_value',
];

const WIDTH = 16;
/** Of the arrow that filters a column, beside its name. */
const ARROW = 4;
const WIDTHS: ReadonlyMap<string, number> = new Map([
  ['input_row', 10],
  ['fault_message', 40],
]);

/** The names of the columns that the service adds. */
export const addedTo = ({ columns, format, comparison }: BatchDocument): readonly string[] =>
  comparison === undefined ? addedColumns(columns, format) : columnsOf(comparison);

const kindOfAdded = (name: string, isComparison: boolean): ColumnKind => {
  if ((isComparison ? isComparedMoney : isMoneyColumn)(name)) return 'money';
  return (isComparison ? isComparedCount : isCountColumn)(name) ? 'count' : 'text';
};

const ownColumns = ({ columns }: BatchDocument): readonly SheetColumn[] => {
  const decimals = new Set(DECIMALS.map((field) => columns.fields[field]));
  const kindOf = (index: number): ColumnKind => {
    if (index === columns.fields.shipDate) return 'date';
    return decimals.has(index) ? 'plain' : 'text';
  };
  return columns.passed.map((index, from) => ({ from, kind: kindOf(index), width: WIDTH }));
};

export const sheetColumns = (document: BatchDocument, sheet: SheetName): readonly SheetColumn[] => {
  const isComparison = document.comparison !== undefined;
  const own = ownColumns(document);
  const added = addedTo(document).map((name, index) => ({
    name,
    from: own.length + index,
    kind: kindOfAdded(name, isComparison),
    width: WIDTHS.get(name) ?? Math.max(WIDTH, name.length + ARROW),
  }));
  const names: readonly string[] = FIRST[sheet];
  const first = names.flatMap((name) => added.find((column) => column.name === name) ?? []);
  return [...first, ...own, ...added.filter((column) => !first.includes(column))];
};
