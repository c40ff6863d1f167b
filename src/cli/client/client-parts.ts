/** `rates client warehouse` and `rates client discount`: change a client's warehouses and discounts one by one. */
import { z } from 'zod';
import { CLIENT_FORM } from '../../catalog/clients/clients.ts';
import { clientEdit } from '../../catalog/clients/edit-client.ts';
import { LIMITS } from '../../rating/shipment.ts';
import { command, flag, group, input } from '../command.ts';
import { CommandFailure, wrongUse } from '../exit.ts';
import { table } from '../format.ts';
import {
  cardsNow,
  clientRecord,
  setClient,
  unchartedLines,
  unchartedNotes,
  unchartedWarehouses,
} from './client-change.ts';
import { WAREHOUSES_FILE, warehouseIds, warehouseTexts, withFile } from './client-options.ts';

/** The id of an existing client. */
export const ID = input('<id>', 'the id that `rates client list` shows', CLIENT_FORM.id);

export const JSON_OPTION = flag('--json', 'print the result as JSON');

const warehouseAdd = command({
  path: 'client warehouse add',
  about: 'Add warehouses to a client',
  args: {
    id: ID,
    warehouses: input('[id,name,state,zip...]', 'warehouses; a fifth part is the country', warehouseTexts),
  },
  options: { file: WAREHOUSES_FILE, json: JSON_OPTION },
  examples: [
    "rates client warehouse add acme '102,Reno,NV,89501' '103,Troy,NY,12180'",
    'rates client warehouse add acme --warehouses warehouses.csv',
  ],
  more: "It says which carriers have no zone chart of the warehouse's origin.",
  refuse: ({ warehouses, file }) =>
    warehouses.length === 0 && file === undefined && 'Name a warehouse, or a file with --warehouses.',
  run: async ({ id, warehouses: given, file }, io) => {
    const warehouses = await withFile(given, file);
    if (warehouses.length === 0) throw wrongUse(`${file} has no warehouse.`);
    const cards = await cardsNow(io);
    const { changed: _, ...said } = await setClient(id, clientEdit.parse({ warehouses }), io, (before) => {
      const known = before.warehouses.map(({ warehouse_id }) => warehouse_id);
      const again = warehouses.map(({ warehouse_id }) => warehouse_id).filter((one) => known.includes(one));
      if (again.length > 0)
        throw new CommandFailure(
          `${id} already has a warehouse ${again.join(' and ')}. \`rates client set ${id} --warehouse\` replaces it.`,
        );
    });
    return { ...said, notes: [...said.notes, ...unchartedNotes(cards, warehouses)] };
  },
});

const warehouseRemove = command({
  path: 'client warehouse remove',
  about: 'Remove warehouses from a client',
  args: {
    id: ID,
    removeWarehouses: input(
      '<warehouse_id...>',
      'the warehouses that `rates client warehouse list` shows',
      warehouseIds,
    ),
  },
  options: { json: JSON_OPTION },
  examples: ['rates client warehouse remove acme 102 103'],
  run: ({ id, removeWarehouses }, io) => setClient(id, clientEdit.parse({ removeWarehouses }), io),
});

const warehouseList = command({
  path: 'client warehouse list',
  about: "List a client's warehouses, and which have no zone chart",
  args: { id: ID },
  options: { json: flag('--json', 'as JSON') },
  examples: ['rates client warehouse list acme', 'rates client warehouse list acme --json'],
  run: async ({ id }, io) => {
    const { warehouses } = await clientRecord(id, io);
    const cards = await cardsNow(io);
    const uncharted = unchartedWarehouses(cards, warehouses);
    const rows = warehouses.map(({ warehouse_id, name, address }) => [
      ...[String(warehouse_id), name],
      ...[address.stateOrProvinceCode, address.postalCode, address.countryCode],
    ]);
    return {
      json: () => ({
        warehouses: warehouses.map((one) => ({
          ...one,
          uncharted: uncharted
            .filter(({ warehouse_id }) => warehouse_id === one.warehouse_id)
            .map(({ warehouse_id: _, ...rest }) => rest),
        })),
      }),
      lines: () => [...table(rows, ['right']), ...unchartedLines(cards, warehouses)],
    };
  },
});

/** `35`, `12.5` or `35%`. */
const percentage = z
  .string()
  .transform((text) => text.replace(/ ?%$/, ''))
  .pipe(CLIENT_FORM.percent);

const service = z
  .string()
  .max(LIMITS.shippingServiceLength, `must be a service, which has at most ${LIMITS.shippingServiceLength} characters`);

const discount = command({
  path: 'client discount',
  about: 'Set or remove a discount of a client, or list them',
  args: {
    id: ID,
    service: input('[service]', 'the service; default: list the discounts', service.optional()),
    percent: input('[percent]', 'the percentage off, such as 35 or 12.5', percentage.optional()),
  },
  options: { remove: flag('--remove', 'remove the discount on the service'), json: JSON_OPTION },
  examples: [
    'rates client discount acme',
    'rates client discount acme FDX-GROUND 35',
    'rates client discount acme FDX-GROUND --remove',
  ],
  more: 'The percentage is off the base charge. If an agreement of the client covers the service, the agreement applies instead.',
  refuse: ({ service: named, percent, remove }) => {
    if (named === undefined) return remove && 'Name the service whose discount to remove.';
    return (percent === undefined) !== (remove === true) && `Give the percentage off ${named}, or --remove. Not both.`;
  },
  run: async ({ id, service: named, percent }, io) => {
    if (named !== undefined) {
      const edit = percent === undefined ? { removeDiscounts: [named] } : { discounts: { [named]: percent } };
      return await setClient(id, clientEdit.parse(edit), io);
    }
    const { discounts } = await clientRecord(id, io);
    const rows = Object.entries(discounts).map(([code, off]) => [code, `${off}%`]);
    return {
      json: () => ({ discounts }),
      lines: () => table(rows, ['left', 'right']),
      remarks: () => (rows.length === 0 ? [`${id} has no discounts.`] : []),
    };
  },
});

export const clientParts = [
  group('client warehouse', 'Add, remove or list the warehouses of a client'),
  ...[warehouseAdd, warehouseRemove, warehouseList, discount],
];
