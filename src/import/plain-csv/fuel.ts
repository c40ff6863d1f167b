/** Fuel surcharges in an operator's plain CSV: `carrier`, `services`, `effective`, `percent`, with a row for each week. */
import type { ParsedFuel } from '../read/reader.ts';
import { fuelPercent, NOT_A_FUEL_PERCENT } from './fuel-percent.ts';
import { carrierReader, SERVICES, servicesIn } from './row.ts';
import type { ParsedPlainCsv, PlainTable } from './table.ts';

/** Reads a table of fuel surcharges. Does not check whether two rates are for the same day. */
export const readFuel = (table: PlainTable): ParsedPlainCsv => {
  const carrierIn = carrierReader(table);
  const fuel = table.rows.flatMap((row): ParsedFuel[] => {
    const carrier = carrierIn(row);
    const services = carrier === undefined ? [] : servicesIn(row, carrier);
    if (row.text(SERVICES) === '') row.refuse(SERVICES, 'empty');
    const from = row.date('effective');
    if (row.text('effective') === '') row.refuse('effective', 'empty');
    const percent = fuelPercent(row.text('percent')) ?? row.refuse('percent', NOT_A_FUEL_PERCENT);
    if (carrier === undefined || from === undefined || percent === undefined || row.isBad) return [];
    return [{ carrier, services, at: row.at, from, percent }];
  });
  return { kind: 'fuel surcharges (CSV)', fuel };
};
