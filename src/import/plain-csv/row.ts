/** What plain CSVs of charges and of fuel have in common: carriers, services and dates in the cells of a row. */
import { z } from 'zod';
import { SERVICE_CODE } from '../../catalog/tariff/document.ts';
import { CARRIERS, carrierNamed, carrierOf, groupsOf } from '../carriers.ts';
import { RefusedFile, type Unreadable } from '../read/reader.ts';
import { cellIn, type PlainRow, type PlainTable, unreadableCell } from './table.ts';

const MAX_SHOWN = 80;

/** A cell for a message: a huge one is cut. */
const shown = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** A row whose cells are read by their column's name. Collects what cannot be read. */
export class RowReader {
  readonly row: PlainRow;
  readonly #refused = new Set<string>();
  readonly #table: PlainTable;
  readonly #unreadable: Unreadable[];

  constructor(table: PlainTable, row: PlainRow, unreadable: Unreadable[]) {
    this.row = row;
    this.#table = table;
    this.#unreadable = unreadable;
  }

  /** The cell of a column such as `zone_from`; empty if there is none. */
  text(column: string): string {
    return cellIn(this.#table, this.row, column.replaceAll('_', ''));
  }

  /** Whether any cell could not be read. */
  get isBad(): boolean {
    return this.#refused.size > 0;
  }

  /** Says that a cell cannot be read. One problem of a cell is enough. */
  refuse(column: string, problem: string, text = this.text(column)): undefined {
    if (this.#refused.has(column)) return undefined;
    this.#refused.add(column);
    this.#unreadable.push(unreadableCell(this.row, column, shown(text), problem));
    return undefined;
  }

  /** The cell if it has this form; undefined if it is empty. */
  matching(column: string, form: RegExp, problem: string): string | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    return form.test(text) ? text : this.refuse(column, problem);
  }

  date(column: string): string | undefined {
    const text = this.text(column);
    if (text === '') return undefined;
    return z.iso.date().safeParse(text).success ? text : this.refuse(column, 'not a date such as 2026-06-15');
  }
}

const listIn = (text: string): string[] =>
  text
    .split(/[|;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '');

export const SERVICES = 'services';

/** The carriers that a cell of services can only be of: `air` is a group of UPS's alone. */
const carriersOfServices = (text: string): string[] =>
  listIn(text).flatMap((one) => {
    if (SERVICE_CODE.test(one) && one.includes('-')) return [carrierOf(one)];
    const having = CARRIERS.filter(({ groups }) => Object.hasOwn(groups, one.toLowerCase()));
    return having.length === 1 ? having.map(({ name }) => name) : [];
  });

/**
 * How each row's carrier is known: from its cell, or for all rows from the services that only one carrier has.
 * @throws RefusedFile if neither tells it
 */
export const carrierReader = (table: PlainTable): ((row: RowReader) => string | undefined) => {
  if (table.names.includes('carrier'))
    return (row) => {
      const text = row.text('carrier');
      if (text !== '' && text.length <= 40) return carrierNamed(text);
      return row.refuse('carrier', text === '' ? 'empty' : 'over 40 characters');
    };
  const implied = new Set(table.rows.flatMap((row) => carriersOfServices(cellIn(table, row, SERVICES))));
  const [carrier] = implied;
  if (carrier === undefined || implied.size > 1)
    throw new RefusedFile(
      carrier === undefined
        ? 'it does not say whose charges these are: add a column carrier'
        : `it is of several carriers (${[...implied].sort().join(', ')}): add a column carrier`,
    );
  return () => carrier;
};

/** Codes and groups of services in the cell of a row. Empty if the cell is. Whether a tariff has them is not judged. */
export const servicesIn = (row: RowReader, carrier: string): readonly string[] => {
  const groups = Object.keys(groupsOf(carrier));
  const named = listIn(row.text(SERVICES)).map((one) => (groups.includes(one.toLowerCase()) ? one.toLowerCase() : one));
  for (const one of named) {
    if (groups.includes(one)) continue;
    if (!SERVICE_CODE.test(one)) {
      row.refuse(SERVICES, `${shown(one)} is not ${['a service code', ...groups].join(' or ')}`);
    } else if (groups.length > 0 && carriersOfServices(one).some((own) => own !== carrier))
      row.refuse(SERVICES, `${one} is not a service of ${carrier}`);
  }
  return [...new Set(named)];
};
