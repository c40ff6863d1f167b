/** Shared by plain CSVs of charges and of fuel: carriers, services and dates in a row's cells. */
import { SERVICE_CODE } from '../../catalog/tariff/document.ts';
import { CARRIERS, carrierNamed, carrierOf, groupsOf } from '../carriers.ts';
import { RefusedFile } from '../read/reader.ts';
import { type PlainRow, type PlainTable, shown } from './table.ts';

const listIn = (text: string): string[] => text.split(/[|;]/).flatMap((one) => one.trim() || []);

export const SERVICES = 'services';

/** The only possible carriers for a cell of services. For example, only UPS has a group `air`. */
const carriersOfServices = (text: string): string[] =>
  listIn(text).flatMap((one) => {
    if (SERVICE_CODE.test(one) && one.includes('-')) return [carrierOf(one)];
    const having = CARRIERS.filter(({ groups }) => Object.hasOwn(groups, one.toLowerCase()));
    return having.length === 1 ? having.map(({ name }) => name) : [];
  });

/**
 * Finds each row's carrier: from its cell, or for all rows from services that only one carrier has.
 * @throws RefusedFile if neither works
 */
export const carrierReader = (table: PlainTable): ((row: PlainRow) => string | undefined) => {
  if (table.names.includes('carrier'))
    return (row) => {
      const text = row.text('carrier');
      if (text !== '' && text.length <= 40) return carrierNamed(text);
      return row.refuse('carrier', text === '' ? 'empty' : 'over 40 characters');
    };
  const implied = new Set(table.rows.flatMap((row) => carriersOfServices(row.text(SERVICES))));
  const [carrier] = implied;
  if (carrier === undefined) throw new RefusedFile('it does not say whose charges these are: add a column carrier');
  if (implied.size > 1)
    throw new RefusedFile(
      `it has charges of several carriers (${[...implied].sort().join(', ')}): add a column carrier`,
    );
  return () => carrier;
};

/** Service codes and groups in a row's cell. Empty if the cell is empty. Does not check whether the tariff has them. */
export const servicesIn = (row: PlainRow, carrier: string): readonly string[] => {
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
