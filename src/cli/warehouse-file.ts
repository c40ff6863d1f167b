/** Warehouses from a CSV file. */
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { CLIENT_FORM } from '../clients/clients.ts';
import type { Warehouse } from '../clients/edit-client.ts';
import { Failed } from '../rating/fault.ts';
import { check, type Problem, pathText } from '../rating/validation.ts';
import { CommandFailure } from './exit.ts';

/** The problem as a sentence about the member, or about the whole value. */
export const sentence = ({ path, message }: Problem): string => `${pathText(path) || 'It'} ${message}`;

const csvRows = z.array(
  z.object({
    warehouse_id: z.string(),
    name: z.string(),
    stateOrProvinceCode: z.string(),
    postalCode: z.string(),
    countryCode: z.string().optional(),
  }),
);

/**
 * Reads a file of warehouses.
 * @param before warehouses given as options
 * @throws {CommandFailure} with the rows that cannot be used
 */
export const warehousesIn = async (file: string, before: readonly Warehouse[]): Promise<readonly Warehouse[]> => {
  const rows = csvRows.safeParse(
    parse(await readFile(file), { columns: true, bom: true, trim: true, skip_empty_lines: true }),
  );
  if (!rows.success)
    throw new CommandFailure(`${file} needs the columns warehouse_id, name, stateOrProvinceCode and postalCode.`);
  const warehouses = rows.data.map(({ warehouse_id, name, stateOrProvinceCode, postalCode, countryCode }) => ({
    warehouse_id: Number(warehouse_id),
    name,
    address: { postalCode, stateOrProvinceCode, countryCode: countryCode || 'US' },
  }));
  const checked = check(CLIENT_FORM.warehouses, [...before, ...warehouses]);
  if (!(checked instanceof Failed)) return warehouses;
  const problems = checked.fault.map(({ path: [index, ...path], message }) =>
    typeof index === 'number'
      ? `row ${index - before.length + 1}: ${sentence({ path, message })}`
      : sentence({ path: [], message }),
  );
  throw new CommandFailure(`${file} cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
};
