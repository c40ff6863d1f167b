/** The first sheet of a workbook: what a batch costs, what its total does not include, and what makes up the total. */
import { encodeText } from '../../files/csv/cell.ts';
import {
  dayNumber,
  type FormatName,
  formatIndex,
  letters,
  numberCell,
  textCell,
} from '../../files/xlsx/cell-writer.ts';
import { faultTitle, partName, warningTitle } from '../../lists/columns/plain-words.ts';
import { type Summary, summaryOf } from '../../lists/output/summary.ts';
import type { Tally } from '../../lists/output/tally.ts';
import { estimatedCharges } from '../../lists/preview/estimate.ts';
import type { BatchDocument } from '../records.ts';

/** What a workbook summarizes: the tally of all its rows, and their revision. */
export interface Summed {
  readonly tally: Tally;
  readonly revision: number;
}

interface Cell {
  readonly value: string | number;
  readonly format: FormatName;
}
/** An empty row separates blocks. */
type Row = readonly Cell[];

const text = (value: string): Cell => ({ value, format: 'text' });
const whole = (value: number): Cell => ({ value, format: 'whole' });
const dollars = (value: number): Cell => ({ value, format: 'dollars' });
const heading = (first: string, ...numbers: readonly string[]): Row => [
  { value: first, format: 'heading' },
  ...numbers.map((value): Cell => ({ value, format: 'numberHeading' })),
];
const EMPTY: Row = [];

const about = ({ filename, createdAt, tariffs }: BatchDocument, revision: number): readonly Row[] => [
  [{ value: filename, format: 'title' }],
  [text('Uploaded'), { value: dayNumber(createdAt.slice(0, 10)) ?? createdAt, format: 'date' }],
  [text('Tariff'), text(tariffs.join(', '))],
  ...(revision > 1 ? [[text('Revision'), whole(revision)]] : []),
  [text('Amounts'), text('US dollars')],
];

const result = ({ rows, totalNetCharge }: Summary, total: number): readonly Row[] => [
  EMPTY,
  heading('Result', ''),
  [text('Total net charge'), dollars(totalNetCharge)],
  ...(rows.quoted > 0 ? [[text('Average per row with a price'), dollars(totalNetCharge / rows.quoted)]] : []),
  [text('Rows of the list'), whole(total)],
  [text('Rows with a price'), whole(rows.quoted)],
  [text('Rows without a price'), whole(rows.faulted)],
  ...(rows.joined === undefined ? [] : [[text('Rows priced with another row of their order'), whole(rows.joined)]]),
  ...(total > rows.processed ? [[text('Rows that were not rated'), whole(total - rows.processed)]] : []),
];

/** Lists what the total does not include. */
const missing = ({ rows, totalNetCharge, incomplete }: Summary, total: number): readonly Row[] => {
  const unpriced = total - rows.quoted - (rows.joined ?? 0);
  const estimate = estimatedCharges(unpriced, { rows: rows.quoted, total: totalNetCharge });
  const parts = Object.entries(incomplete.missing);
  if (unpriced === 0 && incomplete.rows === 0)
    return [
      EMPTY,
      heading('Not in the total', ''),
      [text('Nothing: every row has a price, and no price is known to be incomplete.')],
    ];
  return [
    EMPTY,
    heading('Not in the total', 'Rows', 'Estimate'),
    ...(unpriced > 0
      ? [[text('Rows without a price'), whole(unpriced), ...(estimate === undefined ? [] : [dollars(estimate)])]]
      : []),
    ...parts.map(([part, lacking]): Row => [text(`Prices without ${partName(part)}`), whole(lacking)]),
    ...(estimate === undefined
      ? []
      : [[text('The estimate is the number of these rows times the average price of the other rows.')]]),
    ...(parts.length === 0
      ? []
      : [[text('The carrier will bill more for incomplete prices. Several parts may be missing in a row.')]]),
  ];
};

interface Group {
  readonly name: string;
  readonly shipments: number;
  readonly totalNetCharge: number;
}

const groups = (title: string, all: readonly Group[], total: number): readonly Row[] =>
  all.length === 0
    ? []
    : [
        EMPTY,
        heading(title, 'Rows', 'Net charge', 'Mean', 'Share of the total'),
        ...all.map(
          ({ name, shipments, totalNetCharge }): Row => [
            text(name),
            whole(shipments),
            dollars(totalNetCharge),
            dollars(totalNetCharge / shipments),
            ...(total > 0 ? [{ value: totalNetCharge / total, format: 'share' } as const] : []),
          ],
        ),
      ];

const byCharge = (a: Group, b: Group): number => b.totalNetCharge - a.totalNetCharge;

const bandName = ({ overLb, toLb }: Summary['byBillingWeight'][number]): string => {
  if (toLb === null) return `Over ${overLb} lb`;
  return overLb === 0 ? `Up to ${toLb} lb` : `Over ${overLb} to ${toLb} lb`;
};

const counts = (title: string, named: readonly (readonly [name: string, rows: number])[]): readonly Row[] =>
  named.length === 0
    ? []
    : [EMPTY, heading(title, 'Rows'), ...named.map(([name, rows]): Row => [text(name), whole(rows)])];

const rowsOf = (document: BatchDocument, { tally, revision }: Summed): readonly Row[] => {
  const summary = summaryOf(tally);
  const { totalNetCharge, byService, byZone, byBillingWeight, faults, warnings } = summary;
  const services = byService.map((group) => ({ ...group, name: group.shippingService })).sort(byCharge);
  const zones = byZone.map((group) => ({ ...group, name: `Zone ${group.rateZone}` }));
  const weights = byBillingWeight.map((group) => ({ ...group, name: bandName(group) }));
  const faulted = Object.entries(faults).map(([type, rows]) => [faultTitle(type), rows] as const);
  return [
    ...about(document, revision),
    ...result(summary, document.rows),
    ...missing(summary, document.rows),
    ...counts(
      'Why rows have no price',
      faulted.sort(([, a], [, b]) => b - a),
    ),
    ...groups('By service', services, totalNetCharge),
    ...groups('By zone', zones, totalNetCharge),
    ...groups('By billed weight', weights, totalNetCharge),
    ...counts(
      'Notes on prices',
      warnings.map(({ type, shipments }) => [warningTitle(type), shipments] as const),
    ),
  ];
};

const cellXml = ({ value, format }: Cell, reference: string): string =>
  typeof value === 'number'
    ? numberCell(reference, String(value), formatIndex(format))
    : textCell(reference, encodeText(value), formatIndex(format));

const WIDTHS = [44, 16, 16, 16, 20] as const;

/** Returns the sheet's XML. */
export const summarySheet = (document: BatchDocument, summed: Summed): Buffer => {
  const rows = rowsOf(document, summed).map((row, index) => {
    const cells = row.flatMap((cell, at) => (cell.value === '' ? [] : [cellXml(cell, `${letters(at)}${index + 1}`)]));
    return `<row r="${index + 1}">${cells.join('')}</row>`;
  });
  const columns = WIDTHS.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  return Buffer.from(
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
      '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
      // Prints one page wide, and as many pages long as needed.
      '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' +
      '<sheetViews><sheetView showGridLines="0" tabSelected="1" workbookViewId="0"/></sheetViews>' +
      `<sheetFormatPr defaultRowHeight="15"/><cols>${columns.join('')}</cols><sheetData>${rows.join('')}</sheetData>` +
      '<pageSetup orientation="portrait" fitToWidth="1" fitToHeight="0"/></worksheet>',
    'latin1',
  );
};
