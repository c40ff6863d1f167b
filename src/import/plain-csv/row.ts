/** What plain CSVs of charges and of fuel have in common: carriers, services and dates in the cells of a row. */
import { SERVICE_CODE } from '../../catalog/tariff/document.ts';
import { CARRIERS, carrierNamed, carrierOf, groupsOf } from '../carriers.ts';
import { RefusedFile } from '../read/reader.ts';
import { type PlainRow, type PlainTable, shown } from './table.ts';

const listIn = (text: string): string[] => text.split(/[|;]/).flatMap((one) => one.trim() || []);

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
    throw new RefusedFile(`it is of several carriers (${[...implied].sort().join(', ')}): add a column carrier`);
  return () => carrier;
};

/** Codes and groups of services in the cell of a row. Empty if the cell is. Whether a tariff has them is not judged. */
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
