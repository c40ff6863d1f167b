/** The user's corrections of faulted rows: what was changed, the file to send, and sending it. */
import { must } from '../../base/must.ts';
import type { ApiFault } from '../../http/client/fault.ts';
import { argumentsIn, problemsOf } from '../../lists/columns/fault-words.ts';
import { fieldAt } from '../../rating/fields.ts';
import { useApi } from '../api.ts';
import type { Batch, RowsBody } from '../calls.ts';
import { guidanceOf } from '../guide.ts';
import { useAct } from '../ui/kit.tsx';

/** Changed cells by row number and column. */
export type Changes = ReadonlyMap<number, ReadonlyMap<number, string>>;
export type FaultyRow = RowsBody['rows'][number];

/** Unsent corrections of one revision, for all kinds of fault. */
export interface Corrections {
  readonly revision: number;
  /** The header of the output. */
  readonly header: readonly string[];
  /** The original rows by number. */
  readonly known: ReadonlyMap<number, FaultyRow>;
  readonly changes: Changes;
}

export const noCorrections = (revision: number): Corrections => ({
  revision,
  header: [],
  known: new Map(),
  changes: new Map(),
});

/** Adds a changed cell. Removes it if the value is the original one. */
export const withCorrection = (
  corrections: Corrections,
  header: Corrections['header'],
  row: FaultyRow,
  column: number,
  value: string,
): Corrections => {
  const { input_row: number } = row;
  const cells = new Map(corrections.changes.get(number));
  if (value === row.cells[column]) cells.delete(column);
  else cells.set(column, value);
  const changes = new Map(corrections.changes);
  if (cells.size === 0) changes.delete(number);
  else changes.set(number, cells);
  return { ...corrections, header, known: new Map(corrections.known).set(number, row), changes };
};

export const faultIn = ({ header }: Pick<Corrections, 'header'>, { cells }: FaultyRow) => {
  const cell = (name: string): string => cells[header.lastIndexOf(name)] ?? '';
  return { type: cell('fault_type'), message: cell('fault_message'), arguments: argumentsIn(cell('fault_arguments')) };
};

/** The columns of a row that its fault is about. */
export const columnsAtFault = (rows: RowsBody, row: FaultyRow): ReadonlySet<number> => {
  const { type, arguments: args } = faultIn(rows, row);
  const told =
    type === 'getRates.invalidRequest'
      ? Object.keys(args).flatMap((path) => fieldAt(path) ?? [])
      : guidanceOf(type).fields;
  return new Set(told.flatMap((field) => rows.fields[field] ?? []));
};

const csvCell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** The number of corrected rows by kind of problem. */
export const correctedByKind = ({ header, known, changes }: Corrections): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const number of changes.keys()) {
    const row = known.get(number);
    if (row === undefined) continue;
    const { type, message, arguments: args } = faultIn({ header }, row);
    for (const { kind } of problemsOf(type, message, args)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
};

/** The corrections as CSV: the row number, then the columns of the list. */
export const correctionsOf = ({ header, known, changes }: Corrections): string => {
  const own = header.slice(0, header.lastIndexOf('input_row'));
  const lines = [...changes].map(([number, changed]) =>
    csvLine([
      String(number),
      ...own.map((_, at) => changed.get(at) ?? must(known.get(number), 'a corrected row').cells[at] ?? ''),
    ]),
  );
  return csvLine(['input_row', ...own]) + lines.join('');
};

export interface Sending {
  readonly busy: boolean;
  /** Why the last file was refused. */
  readonly fault: ApiFault | undefined;
  /** @param file a CSV or a workbook with row numbers */
  readonly send: (file: Blob) => Promise<void>;
  /** Sends all rows with a fault unchanged, to be repaired. */
  readonly mend: () => Promise<void>;
}

/** @param onBatch receives the batch with its new revision */
export const useSending = ({ id }: Batch, onBatch: (batch: Batch) => void): Sending => {
  const api = useApi();
  const { busy, fault, run } = useAct();
  const sendFile = (fileOf: () => Promise<Blob>, repair?: 'all'): Promise<void> =>
    run(async () => {
      const asked = { id, query: { filename: 'corrections.csv', repair }, type: 'application/octet-stream' };
      const call = 'POST /v1/client/shipment/rates/batches/{id}/corrections';
      onBatch(await api.call(call, { ...asked, content: await fileOf() }));
    });
  const faultedRows = async (): Promise<Blob> =>
    (await api.answerOf('GET /v1/client/shipment/rates/batches/{id}/faults', { id })).blob();
  return { busy, fault, send: (file) => sendFile(async () => file), mend: () => sendFile(faultedRows, 'all') };
};
