/** Options of the commands that take a list: values for columns that it does not have, as the upload takes them. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Defaults } from '../batch/columns.ts';

export interface ListFlags {
  readonly warehouseId?: string;
  readonly units?: string;
  readonly service?: string;
  readonly residential?: true;
  readonly tariff?: string;
}

const warehouseId = (text: string): string => {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at most 10 digits.');
  return text;
};

const serviceCode = (text: string): string => {
  if (text.length < 1 || text.length > 10) throw new InvalidArgumentError('It must have 1 to 10 characters.');
  return text;
};

export const withListOptions = (command: Command): Command =>
  command
    .option('--warehouse-id <id>', 'the warehouse, for a list without that column', warehouseId)
    .addOption(new Option('--units <unit>', 'of the weights, for a list without that column').choices(['LB', 'KG']))
    .option('--service <code>', 'the shipping service, for a list without that column', serviceCode)
    .option('--residential', 'all go to homes, for a list without that column')
    .option('--tariff <name>', 'rate with this tariff; those in force unless given');

export const defaultsOf = ({ warehouseId: id, units, service, residential }: ListFlags): Defaults => ({
  ...(id === undefined ? {} : { warehouse_id: id }),
  ...(units === undefined ? {} : { weight_units: units }),
  ...(service === undefined ? {} : { shippingService: service }),
  ...(residential === undefined ? {} : { residential: 'true' }),
});

/** The same as parameters of the upload. */
export const queryOf = ({ warehouseId: id, units, service, residential, tariff }: ListFlags): URLSearchParams => {
  const given = { warehouse_id: id, units, shippingService: service, residential: residential && 'true', tariff };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, value);
  return query;
};

/** What is wrong with a file, a line each; the upload's parameters are called by the options' names. */
export const problemLines = (problems: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(problems).map(
    ([what, problem]) =>
      `  ${what}: ${String(problem)
        .replace('the upload says ?warehouse_id=', '--warehouse-id is given')
        .replace('the upload says ?units=', '--units is given')}`,
  );
