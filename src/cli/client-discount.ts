/** `rates client discount`: sets, removes and lists the discounts of a client. */
import { Command } from 'commander';
import { type ClientIo, clientRecord, NO_CHANGE, setClient } from './client-change.ts';
import { idArgument, percentArgument, serviceArgument } from './client-options.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { table } from './format.ts';
import { printJson, say, write } from './io.ts';

interface DiscountFlags {
  readonly remove?: true;
  readonly json?: true;
}

const list = async (id: string, { remove, json }: DiscountFlags, io: ClientIo): Promise<void> => {
  if (remove) throw new CommandFailure('Name the service whose discount to remove.', EXIT.usage);
  const { discounts } = await clientRecord(id, io);
  if (json) return await printJson(io, { discounts });
  const rows = Object.entries(discounts).map(([service, percent]) => [service, `${percent}%`]);
  if (rows.length === 0) say(io, `${id} has no discounts.`);
  await write(
    io.stdout,
    table(rows, ['left', 'right'])
      .map((line) => `${line}\n`)
      .join(''),
  );
};

const change = async (
  id: string,
  service: string,
  percent: string | undefined,
  { remove, ...flags }: DiscountFlags,
  io: ClientIo,
): Promise<void> => {
  if ((percent === undefined) !== (remove === true))
    throw new CommandFailure(`Give the percentage off ${service}, or --remove. Not both.`, EXIT.usage);
  const what = percent === undefined ? { removeDiscount: [service] } : { discount: { [service]: percent } };
  await setClient(id, { ...NO_CHANGE, ...flags, ...what }, io);
};

const EXAMPLES = `
Examples:
  rates client discount acme
  rates client discount acme FDX-GROUND 35
  rates client discount acme FDX-GROUND --remove

The percentage is off the base charge. Where an agreement of the client says something of the service, the agreement wins.`;

export const discountCommand = (io: ClientIo): Command =>
  new Command('discount')
    .description('Set or remove a discount of a client, or list them')
    .argument('<id>', 'the id that `rates client list` shows', idArgument)
    .argument('[service]', 'the service; default: list the discounts', serviceArgument)
    .argument('[percent]', 'the percentage off, such as 35 or 12.5', percentArgument)
    .option('--remove', 'remove the discount on the service')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLES)
    .action((id: string, service: string | undefined, percent: string | undefined, flags: DiscountFlags) =>
      service === undefined ? list(id, flags, io) : change(id, service, percent, flags, io),
    );
