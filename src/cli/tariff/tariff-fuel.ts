/** `rates tariff fuel add`: adds fuel rates to a tariff's folder. */
import { basename } from 'node:path';
import { z } from 'zod';
import { checkTariff } from '../../catalog/tariff/check/check.ts';
import { errorsIn } from '../../catalog/tariff/findings.ts';
import { readTariffFolder, replaceTariffFile } from '../../catalog/tariff/folder.ts';
import { tariffId } from '../../catalog/tariff/identity.ts';
import { addFuel, type FuelAddition, type FuelChange, neededFuel } from '../../import/add-fuel.ts';
import { carrierNamed } from '../../import/carriers.ts';
import { fuelPercent, NOT_A_FUEL_PERCENT } from '../../import/plain-csv/fuel-percent.ts';
import { RefusedFile } from '../../import/read/reader.ts';
import { readSource } from '../../import/source.ts';
import { command, flag, type Given, group, input, isoDate, required, type Said, text } from '../command.ts';
import { changingFolder } from '../documents.ts';
import { CommandFailure } from '../exit.ts';
import { failureWith } from '../format.ts';

const services = z
  .string()
  .transform((text) => text.split(/[,|;]/).map((name) => name.trim()))
  .refine((names) => !names.includes(''), 'must be services such as ground, or UPS-2DAY,UPS-NDA');

const percent = z.string().transform((text, context) => {
  const read = fuelPercent(text);
  if (read === undefined) context.addIssue({ code: 'custom', message: `is ${NOT_A_FUEL_PERCENT}` });
  return read ?? '';
});

const args = { dir: required('<dir>', "the tariff's folder") };
const options = {
  carrier: text('--carrier <name>', 'such as UPS'),
  services: input(
    '--services <names>',
    'service codes, or ground, air or express; separated by commas',
    services.optional(),
  ),
  effective: input('--effective <date>', 'the first ship date, YYYY-MM-DD', isoDate.optional()),
  percent: input('--percent <percentage>', 'such as 21.5', percent.optional()),
  file: text('--file <csv>', 'a file with several rates instead: carrier, services, effective, percent'),
  json: flag('--json', 'print the changes as JSON'),
};
type Flags = Given<typeof args & typeof options>;

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

/** Refuses an incomplete rate, or a rate in addition to a file. */
const refuse = ({ file, ...given }: Flags): string | false => {
  const parts = [given.carrier, given.services, given.effective, given.percent];
  const isRight = parts.every((part) => (file === undefined ? part : !part));
  return !isRight && 'Name --carrier, --services, --effective and --percent, or only --file with a file of rates.';
};

const additionsOf = async (given: Flags): Promise<readonly FuelAddition[]> => {
  if (given.file !== undefined) return await fromFile(given.file);
  const { carrier = '', services: names = [], effective: from = '', percent: rate = '' } = given;
  const source = 'rates tariff fuel add';
  return [{ carrier: carrierNamed(carrier), services: names, from, percent: rate, source }];
};

const changeText = ({ change, services: names, from, until, percent: rate, of }: FuelChange): string => {
  const line = `${names.join(', ')}: ${rate}% from ${from}`;
  if (change === 'ended') return `${line} now ends on ${until}`;
  if (change === 'unchanged') return `${line} was already there`;
  const made = of === undefined ? '' : `, a new surcharge on ${of.join(', ')}`;
  return `${line}${until === undefined ? '' : ` until ${until}`}${made}`;
};

const addRates = async ({ dir, file }: Flags, additions: readonly FuelAddition[]): Promise<Said> => {
  const read = await readTariffFolder(dir);
  if (!('document' in read)) throw failureWith(`${dir} cannot be read:`, read.findings);
  const needed = file === undefined ? additions : neededFuel(read.document, additions);
  const left = additions.length - needed.length;
  const added = addFuel(read.document, needed, file !== undefined);
  if ('problem' in added) throw new CommandFailure(`Nothing was written. ${added.problem}.`);
  const { document, changes } = added;
  const errors = errorsIn(checkTariff(document));
  if (errors.length > 0) throw failureWith('Nothing was written, because of errors:', errors);
  await replaceTariffFile(dir, document.file);
  const tariff = tariffId(document);
  const unused = `${left} of the file's rates are not used: the tariff does not have their services.`;
  return {
    json: () => ({ tariff, changes }),
    lines: () => changes.map(changeText),
    notes: [...(left > 0 ? [unused] : []), `${basename(dir)}: ${tariff}`],
  };
};

export const tariffFuel = [
  group('tariff fuel', "Change a tariff's fuel surcharges"),
  command({
    path: 'tariff fuel add',
    about: "Add fuel surcharges, such as next week's; the next import keeps them",
    args,
    options,
    examples: [
      'rates tariff fuel add tariffs/2026 --carrier UPS --services ground --effective 2026-11-30 --percent 21.5',
      'rates tariff fuel add tariffs/2026 --carrier FedEx --services FDX-GROUND,FDX-HOME --effective 2026-11-30 --percent 20',
      'rates tariff fuel add tariffs/2026 --file fuel.csv     # carrier,services,effective,percent',
    ],
    refuse,
    run: async (given) => {
      const additions = await additionsOf(given);
      return await changingFolder(given.dir, () => addRates(given, additions));
    },
  }),
];
