/** What is wrong with faulted rows, and what the service's own repairs would fix: they are rated again, but nothing is written. */

import { setImmediate as turn } from 'node:timers/promises';
import { must } from '../base/must.ts';
import { cellOf, decodeText, encodeText, writeCell } from '../files/csv/cell.ts';
import { OWN_DIALECT } from '../files/csv/map-rows.ts';
import { createScanner } from '../files/csv/scanner.ts';
import { argumentsIn, problemsOf } from '../lists/columns/fault-words.ts';
import { type OutputColumn, placeOf } from '../lists/output/output-columns.ts';
import { createFaultKinds } from '../lists/preview/preview-costs.ts';
import { correctedLine } from '../lists/rows/corrected-row.ts';
import { columnWith } from '../lists/rows/fault-field.ts';
import { createRater, type RatingContext } from '../lists/rows/rate-rows.ts';
import { REPAIRS } from '../lists/rows/repair.ts';
import { FIELD_NAMES } from '../rating/fields.ts';
import { type Part, rowsPage } from './output/rows-page.ts';
import type { BatchDocument } from './records.ts';
import { loadContext, type RaterDeps } from './work/chunk-rows.ts';

/** Maximum number of faulted rows that one call checks. */
const MOST_ROWS = 2_000;
/** Rows between two turns of the event loop. */
const SLICE_ROWS = 100;

export interface Mending {
  /** Faulted rows that were checked, from the top. */
  readonly looked: number;
  /** Whether these are all the faulted rows. */
  readonly all: boolean;
  /** Their problems by kind, as in a preview. */
  readonly kinds: ReturnType<ReturnType<typeof createFaultKinds>['result']>;
  /** How many of them get a quote. */
  readonly rows: number;
  /** By the column that a repair changes, most rows first. The first row is the example. */
  readonly columns: readonly {
    readonly column: string;
    readonly rows: number;
    readonly example: { readonly row: number; readonly from: string; readonly to: string };
  }[];
}

type Column = Mending['columns'][number];

/** @returns a function that turns a row's output cells into a repaired line of the batch's list, with the changed columns */
const createRepair = ({ columns, format }: BatchDocument, { maximumRowBytes }: RatingContext) => {
  const { row, scan } = createScanner(OWN_DIALECT, maximumRowBytes);
  const cells = columns.header.map((_, index) => columns.passed.indexOf(index));
  const form = { columns, format };
  const lineOf = (text: string, repairs: typeof REPAIRS | readonly []): string | undefined => {
    scan(text, 0, true);
    return correctedLine(text, row, cells, { ...form, repairs });
  };
  const cellsOf = (line: string): readonly string[] => {
    scan(line, 0, true);
    return columns.header.map((_, index) => decodeText(cellOf(line, row, index)));
  };
  return (own: readonly string[]) => {
    const text = `${own.map((cell) => encodeText(writeCell(cell))).join(',')}\n`;
    const line = lineOf(text, REPAIRS);
    const before = lineOf(text, []);
    if (line === undefined || before === undefined || line === before) return undefined;
    const [old, mended] = [cellsOf(before), cellsOf(line)];
    const changed = mended.flatMap((to, index) => {
      const [from, column] = [must(old[index], 'a cell'), must(columns.header[index], 'a column')];
      return from === to ? [] : [{ column, from, to }];
    });
    return { line, changed };
  };
};

/** @param parts the finished parts of the revision, in order */
export const mendingOf = async (deps: RaterDeps, document: BatchDocument, parts: readonly Part[]): Promise<Mending> => {
  const wanted = { from: 0, limit: MOST_ROWS, outcome: 'faulted' } as const;
  const page = await rowsPage(deps.store, document, parts, wanted);
  const context = await loadContext(deps, document);
  const own = { ...context, columns: { ...context.columns, dialect: OWN_DIALECT } };
  const repair = createRepair(document, context);
  const first = document.columns.passed.length;
  const cellAt = (cells: readonly string[], name: OutputColumn): string => cells[first + placeOf(name)] ?? '';
  const { header, fields } = document.columns;
  const fieldOf = new Map(FIELD_NAMES.map((field) => [header[fields[field] ?? -1], field]));
  const kinds = createFaultKinds(document.columns);
  const columns = new Map<string, Column>();
  let rows = 0;
  for (const [at, { input_row: number, cells }] of page.rows.entries()) {
    if ((at + 1) % SLICE_ROWS === 0) await turn();
    const type = cellAt(cells, 'fault_type');
    const told = problemsOf(type, cellAt(cells, 'fault_message'), argumentsIn(cellAt(cells, 'fault_arguments')));
    const main = fieldOf.get(cellAt(cells, 'fault_column'));
    const problems = type === 'getRates.invalidRequest' ? told : told.map((one) => ({ ...one, field: main }));
    kinds.add(number, type, problems, (field) => {
      const column = columnWith(field, document.columns);
      if (column === undefined) return document.columns.defaults[field] ?? '';
      return cells[document.columns.passed.indexOf(column)] ?? '';
    });
    // A row that kills the process also has such a fault. It must not be rated here. Rows of orders cannot be rated alone.
    if (type.startsWith('row.')) continue;
    const repaired = repair(cells.slice(0, first));
    if (repaired === undefined) continue;
    const rater = createRater(Buffer.from(repaired.line, 'latin1'), number, own);
    while (rater.step(1));
    if (rater.result().tally.quoted === 0) continue;
    rows += 1;
    for (const { column, from, to } of repaired.changed) {
      const known = columns.get(column) ?? { column, rows: 0, example: { row: number, from, to } };
      columns.set(column, { ...known, rows: known.rows + 1 });
    }
  }
  const byRows = [...columns.values()].sort((a, b) => b.rows - a.rows);
  const all = page.next === null;
  return { looked: page.rows.length, all, kinds: kinds.result((own) => (all ? own : null)), rows, columns: byRows };
};
