/** The user's corrections of faulted rows: what was changed, the file that is sent, and sending it. */
import { useState } from 'preact/hooks';
import type { FaultType } from '../../rating/fault.ts';
import type { Field } from '../../rows/fields.ts';
import { type ApiFault, asFault, isRecord, useApi } from '../api.ts';
import type { Batch, RowsBody } from '../calls.ts';
import { fieldAt } from '../guide.ts';

/** Cells that were changed, by the row's number and the column. */
export type Changes = ReadonlyMap<number, ReadonlyMap<number, string>>;
export type FaultyRow = RowsBody['rows'][number];

/** What was mended of one revision of a batch and is not sent yet: rows of all kinds of fault together. */
export interface Mends {
  readonly revision: number;
  /** Of the output that the rows stand in. */
  readonly header: readonly string[];
  /** The rows as they were, by number. */
  readonly known: ReadonlyMap<number, FaultyRow>;
  readonly changes: Changes;
}

export const noMends = (revision: number): Mends => ({ revision, header: [], known: new Map(), changes: new Map() });

/** @returns the mends with one more; a cell that is as it was is none */
export const withMend = (
  mends: Mends,
  header: Mends['header'],
  row: FaultyRow,
  column: number,
  value: string,
): Mends => {
  const { input_row: number } = row;
  const cells = new Map(mends.changes.get(number));
  if (value === row.cells[column]) cells.delete(column);
  else cells.set(column, value);
  const changes = new Map(mends.changes);
  if (cells.size === 0) changes.delete(number);
  else changes.set(number, cells);
  return { ...mends, header, known: new Map(mends.known).set(number, row), changes };
};

const FIELDS_BY_TYPE: Readonly<Partial<Record<FaultType, readonly Field[]>>> = {
  'getRates.noTariff': ['shipDate'],
  'getRates.unknownShippingService': ['shippingService'],
  'getRates.unknownWarehouse': ['warehouse_id'],
  'getRates.noDeliveryCoverage': ['postalCode', 'countryCode'],
  'getRates.addressLineRequired': ['addressLine'],
  'getRates.weightNotServed': ['weight_value'],
};

const argumentsIn = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    // A cell may be cut; nothing is told of fields then.
    return {};
  }
};

/** What a row says of its fault. */
export const faultIn = ({ header }: Pick<Mends, 'header'>, { cells }: FaultyRow) => {
  const cell = (name: string): string => cells[header.lastIndexOf(name)] ?? '';
  return { type: cell('fault_type'), message: cell('fault_message'), arguments: argumentsIn(cell('fault_arguments')) };
};

/** Columns of a row that its fault is about. */
export const columnsAtFault = (rows: RowsBody, row: FaultyRow): ReadonlySet<number> => {
  const { type, arguments: args } = faultIn(rows, row);
  const told =
    type === 'getRates.invalidRequest'
      ? Object.keys(args).flatMap((path) => fieldAt(path) ?? [])
      : Object.entries(FIELDS_BY_TYPE).flatMap(([own, about]) => (own === type ? about : []));
  return new Set(told.flatMap((field) => rows.fields[field] ?? []));
};

const csvCell = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const csvLine = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** How many rows are mended, by fault type. */
export const mendedByType = ({ header, known, changes }: Mends): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const number of changes.keys()) {
    const row = known.get(number);
    if (row === undefined) continue;
    const { type } = faultIn({ header }, row);
    counts.set(type, (counts.get(type) ?? 0) + 1);
  }
  return counts;
};

/** The corrections as a CSV: the row's number, then the list's own columns with their mended cells. */
export const correctionsOf = ({ header, known, changes }: Mends): string => {
  const own = header.slice(0, header.lastIndexOf('input_row'));
  const lines = [...changes].map(([number, changed]) =>
    csvLine([String(number), ...own.map((_, at) => changed.get(at) ?? known.get(number)?.cells[at] ?? '')]),
  );
  return csvLine(['input_row', ...own]) + lines.join('');
};

export interface Sending {
  readonly busy: boolean;
  /** Why what was sent last was not taken. */
  readonly fault: ApiFault | undefined;
  /** @param file a CSV or a workbook with the numbers of the rows */
  readonly send: (file: Blob) => Promise<void>;
}

/** @param onBatch told of the batch as it is with its next revision */
export const useSending = ({ id }: Batch, onBatch: (batch: Batch) => void): Sending => {
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const send = async (file: Blob): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFault(undefined);
    try {
      onBatch(await api.call('correct', { id, query: { filename: 'corrections.csv' }, file }));
    } catch (error) {
      setFault(asFault(error));
    }
    setBusy(false);
  };
  return { busy, fault, send };
};
