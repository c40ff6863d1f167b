/** `rates tariff fuel add`: adds fuel rates to a tariff's folder. */
import { basename } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { checkTariff, hasErrors } from '../tariff/check.ts';
import { readTariffFolder, replaceTariffFile } from '../tariff/folder.ts';
import { tariffId } from '../tariff/identity.ts';
import { addFuel, type FuelAddition, type FuelChange, neededFuel } from '../tariff/import/add-fuel.ts';
import { fuelPercent, NOT_A_FUEL_PERCENT } from '../tariff/import/plain-csv/fuel.ts';
import { carrierNamed } from '../tariff/import/read/carrier-rules.ts';
import { RefusedFile } from '../tariff/import/read/reader.ts';
import { readSource } from '../tariff/import/source.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { changingFolder } from './folder-changes.ts';
import { dateOption, findingText, jsonText, type TariffIo } from './tariff-import.ts';

const EXAMPLES = `
Examples:
  rates tariff fuel add tariffs/2026 --carrier UPS --services ground --effective 2026-11-30 --percent 21.5
  rates tariff fuel add tariffs/2026 --carrier FedEx --services FDX-GROUND,FDX-HOME --effective 2026-11-30 --percent 20
  rates tariff fuel add tariffs/2026 --file fuel.csv     # carrier,services,effective,percent`;

interface FuelFlags {
  readonly carrier?: string;
  readonly services?: readonly string[];
  readonly effective?: string;
  readonly percent?: string;
  readonly file?: string;
  readonly json?: true;
}

const percentOption = (text: string): string => {
  const percent = fuelPercent(text);
  if (percent === undefined) throw new InvalidArgumentError(`It is ${NOT_A_FUEL_PERCENT}.`);
  return percent;
};

const servicesOption = (text: string): readonly string[] => {
  const names = text.split(/[,|;]/).map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It must be services such as ground, or UPS-2DAY,UPS-NDA.');
  return names;
};

const fromFile = async (path: string): Promise<FuelAddition[]> => {
  const { file, reading } = await readSource(path).catch((failure: unknown) => {
    throw failure instanceof RefusedFile ? new CommandFailure(`${path}: ${failure.message}`) : failure;
  });
  const bad = reading.unreadable.map(
    ({ at, text, problem }) => `${file}, ${at}: ${JSON.stringify(text)} is ${problem}`,
  );
  if (bad.length > 0) throw new CommandFailure(`Nothing was written.\n${bad.slice(0, 50).join('\n')}`);
  if (reading.fuel.length === 0)
    throw new CommandFailure(`${path} has no fuel surcharges: it needs carrier, services, effective and percent.`);
  return reading.fuel.map(({ at, ...fuel }) => ({ ...fuel, source: `${file}, ${at}` }));
};

const additionsOf = async ({ carrier, services, effective, percent, file }: FuelFlags): Promise<FuelAddition[]> => {
  const flags = [carrier, services, effective, percent];
  if (file !== undefined && flags.every((flag) => flag === undefined)) return await fromFile(file);
  if (file !== undefined || !carrier || !services || !effective || !percent)
    throw new CommandFailure(
      'Name --carrier, --services, --effective and --percent, or a file of rates with --file alone.',
      EXIT.usage,
    );
  return [{ carrier: carrierNamed(carrier), services, from: effective, percent, source: 'rates tariff fuel add' }];
};

const changeText = ({ change, services, from, until, percent, of }: FuelChange): string => {
  const rate = `${services.join(', ')}: ${percent}% from ${from}`;
  if (change === 'ended') return `${rate} now ends on ${until}\n`;
  if (change === 'unchanged') return `${rate} was there already\n`;
  const made = of === undefined ? '' : `, a new surcharge on ${of.join(', ')}`;
  return `${rate}${until === undefined ? '' : ` until ${until}`}${made}\n`;
};

const addRates = async (
  dir: string,
  additions: readonly FuelAddition[],
  flags: FuelFlags,
  io: TariffIo,
): Promise<void> => {
  const read = await readTariffFolder(dir);
  if (!('document' in read))
    throw new CommandFailure(`${dir} cannot be read:\n${read.findings.map(findingText).join('').trimEnd()}`);
  const needed = flags.file === undefined ? additions : neededFuel(read.document, additions);
  const left = additions.length - needed.length;
  const added = addFuel(read.document, needed, flags.file !== undefined);
  if ('problem' in added) throw new CommandFailure(`Nothing was written. ${added.problem}.`);
  const { document, changes } = added;
  const errors = checkTariff(document).filter(({ severity }) => severity === 'error');
  if (hasErrors(errors))
    throw new CommandFailure(`Nothing was written, because of errors:\n${errors.map(findingText).join('').trimEnd()}`);
  await replaceTariffFile(dir, document.file);
  if (left > 0) io.stderr.write(`${left} of the file's rates are not used: the tariff has no such services.\n`);
  const tariff = tariffId(document);
  io.stdout.write(flags.json === true ? jsonText({ tariff, changes }) : changes.map(changeText).join(''));
  io.stderr.write(`${basename(dir)}: ${tariff}\n`);
};

/** The command `rates tariff fuel`. */
export const fuelCommand = (io: TariffIo): Command => {
  const fuel = new Command('fuel').description("Change a tariff's fuel surcharges");
  fuel
    .command('add')
    .description("Add fuel surcharges, such as next week's; the next import keeps them")
    .argument('<dir>', "the tariff's folder")
    .option('--carrier <name>', 'such as UPS')
    .option('--services <names>', 'service codes, or ground, air or express; several with commas', servicesOption)
    .option('--effective <date>', 'the first ship date, YYYY-MM-DD', dateOption)
    .option('--percent <percentage>', 'such as 21.5', percentOption)
    .addOption(new Option('--file <csv>', 'instead several: carrier, services, effective, percent'))
    .addHelpText('after', EXAMPLES)
    .option('--json', 'print the changes as JSON')
    .action(async (dir: string, flags: FuelFlags) => {
      const additions = await additionsOf(flags);
      await changingFolder(dir, () => addRates(dir, additions, flags, io));
    });
  return fuel;
};
