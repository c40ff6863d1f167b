/** `rates client warehouse`: adds, removes and lists the warehouses of a client. */
import { Argument, Command } from 'commander';
import type { Warehouse } from '../clients/edit-client.ts';
import { type ClientIo, clientRecord, NO_CHANGE, sayUncharted, setClient } from './client-change.ts';
import { cardsNow, unchartedLines, unchartedWarehouses } from './client-list.ts';
import { idArgument, warehouseId, warehouseOption, warehousesOf } from './client-options.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { table } from './format.ts';
import { printJson, write } from './io.ts';

type Warehouses = readonly Warehouse[];

interface AddFlags {
  readonly warehouses?: string;
  readonly json?: true;
}

const add = async (id: string, warehouse: Warehouses, { warehouses, ...flags }: AddFlags, io: ClientIo) => {
  const given = await warehousesOf({ warehouse, ...(warehouses !== undefined && { warehouses }) });
  if (given.length === 0) throw new CommandFailure('Name a warehouse, or a file with --warehouses.', EXIT.usage);
  await setClient(id, { ...NO_CHANGE, ...flags, warehouse: given }, io, (before) => {
    const known = before.warehouses.map(({ warehouse_id }) => warehouse_id);
    const again = given.map(({ warehouse_id }) => warehouse_id).filter((one) => known.includes(one));
    if (again.length > 0)
      throw new CommandFailure(
        `${id} has a warehouse ${again.join(' and ')} already. \`rates client set ${id} --warehouse\` replaces it.`,
      );
  });
  await sayUncharted(given, io);
};

const list = async (id: string, json: boolean, io: ClientIo): Promise<void> => {
  const { warehouses } = await clientRecord(id, io);
  const cards = await cardsNow(io.env, io);
  if (json) {
    const uncharted = unchartedWarehouses(cards, warehouses);
    const entries = warehouses.map((one) => ({
      ...one,
      uncharted: uncharted
        .filter(({ warehouse_id }) => warehouse_id === one.warehouse_id)
        .map(({ warehouse_id: _, ...rest }) => rest),
    }));
    return await printJson(io, { warehouses: entries });
  }
  const rows = warehouses.map(({ warehouse_id, name, address }) => [
    String(warehouse_id),
    name,
    address.stateOrProvinceCode,
    address.postalCode,
    address.countryCode,
  ]);
  const lines = [...table(rows, ['right']), ...unchartedLines(cards, warehouses)];
  await write(io.stdout, lines.map((line) => `${line}\n`).join(''));
};

const EXAMPLES = {
  add: `
Examples:
  rates client warehouse add acme '102,Reno,NV,89501' '103,Troy,NY,12180'
  rates client warehouse add acme --warehouses warehouses.csv

It says which carriers have no zone chart of the warehouse's origin.`,
  remove: `
Examples:
  rates client warehouse remove acme 102 103`,
  list: `
Examples:
  rates client warehouse list acme
  rates client warehouse list acme --json`,
};

const ID = () => new Argument('<id>', 'the id that `rates client list` shows').argParser(idArgument);

export const warehouseCommand = (io: ClientIo): Command => {
  const command = new Command('warehouse').description('Add, remove or list the warehouses of a client');
  command
    .command('add')
    .description('Add warehouses to a client')
    .addArgument(ID())
    .argument('[id,name,state,zip...]', 'warehouses; a fifth part is the country', warehouseOption, [])
    .option(
      '--warehouses <csv>',
      'warehouses from a CSV with warehouse_id, name, stateOrProvinceCode, postalCode and, outside the US, countryCode',
    )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES.add)
    .action((id: string, warehouses: Warehouses, flags: AddFlags) => add(id, warehouses, flags, io));
  command
    .command('remove')
    .description('Remove warehouses from a client')
    .addArgument(ID())
    .argument('<warehouse_id...>', 'the warehouses that `rates client warehouse list` shows', warehouseId, [])
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES.remove)
    .action(async (id: string, removeWarehouse: readonly number[], flags: Pick<AddFlags, 'json'>) => {
      await setClient(id, { ...NO_CHANGE, ...flags, removeWarehouse }, io);
    });
  command
    .command('list')
    .description("List a client's warehouses, and which have no zone chart")
    .addArgument(ID())
    .option('--json', 'as JSON')
    .addHelpText('after', EXAMPLES.list)
    .action((id: string, { json = false }: { readonly json?: boolean }) => list(id, json, io));
  return command;
};
