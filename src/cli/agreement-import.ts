/** `rates agreement import`: reads a grid of discounts into an agreement's folder. */
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { checkOverlaps } from '../agreement/check-lines.ts';
import {
  ADDRESSES,
  type Address,
  AGREEMENT_NAME,
  type AgreementDocument,
  APPLIES_TO,
  type AppliesTo,
  agreementFile,
  NO_TABLES,
} from '../agreement/document.ts';
import { readAgreementFolder, writeAgreementFolder } from '../agreement/folder.ts';
import { type ParsedGrid, readGrid } from '../agreement/import-grid.ts';
import { type MergedDiscounts, mergeDiscounts } from '../agreement/merge-discounts.ts';
import { readGridSheet } from '../agreement/read-grid-file.ts';
import { gridServiceNamer } from '../rows/grid-services.ts';
import { SERVICE_CODE } from '../tariff/document.ts';
import { folderOf, isMissing } from '../tariff/folder-files.ts';
import { RefusedFile } from '../tariff/import/read/reader.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { beginningFolder } from './folder-changes.ts';
import { counted, table } from './format.ts';
import { dateOption, findingText, jsonText, type Output, type TariffIo } from './tariff-import.ts';

interface GridFlags {
  readonly service: readonly string[];
  readonly into: string;
  readonly discount: string;
  readonly address?: Address;
  readonly appliesTo: AppliesTo;
  readonly betterOf?: string;
  readonly tier?: string;
  readonly sheet?: string;
  readonly carrier?: string;
  readonly effective?: string;
  readonly force?: true;
  readonly json?: true;
}

const NOTHING_WRITTEN = 'Nothing was written.';
/** If every cell is wrong, the cause is the same. */
const MAX_SHOWN = 200;

const servicesOption = (text: string): string[] => {
  const codes = text.split(',').map((code) => code.trim().toUpperCase());
  const wrong = codes.find((code) => !SERVICE_CODE.test(code));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is no service code such as UPS-GROUND.`);
  return codes;
};

/** A new agreement with nothing but what the command says. */
const newAgreement = ({ into, carrier, effective }: GridFlags): AgreementDocument => {
  const name = basename(resolve(into));
  if (carrier === undefined || effective === undefined)
    throw new CommandFailure(`${into} has no agreement yet. Add --carrier and --effective to begin one.`, EXIT.usage);
  if (!AGREEMENT_NAME.test(name))
    throw new CommandFailure(
      `The name of the folder is that of the agreement: lower-case letters, digits and hyphens, not ${name}.`,
      EXIT.usage,
    );
  return { file: agreementFile.parse({ name, carrier, effective }), tables: NO_TABLES, amendments: [] };
};

const isEmptyFolder = async (dir: string): Promise<boolean> => {
  try {
    return (await readdir(await folderOf(dir))).length === 0;
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
};

const agreementIn = async (flags: GridFlags): Promise<AgreementDocument> => {
  if (await isEmptyFolder(flags.into)) return newAgreement(flags);
  const read = await readAgreementFolder(flags.into);
  if ('findings' in read)
    throw new CommandFailure(
      `${flags.into} cannot be read:\n${read.findings.map(findingText).join('')}${NOTHING_WRITTEN}`,
    );
  const { carrier, effective } = read.document.file;
  for (const [option, given, own] of [
    ['--carrier', flags.carrier, carrier],
    ['--effective', flags.effective, effective],
  ] as const)
    if (given !== undefined && given !== own)
      throw new CommandFailure(
        `${option} says ${given}, but ${join(flags.into, 'agreement.json')} says ${own}. ${NOTHING_WRITTEN}`,
      );
  return read.document;
};

const MAX_ROWS_NAMED = 5;

const rowsText = (lines: MergedDiscounts['replaced']): string => {
  const rows = lines.slice(0, MAX_ROWS_NAMED).map(({ row }) => row);
  const more = lines.length - rows.length;
  return `${lines.length === 1 ? 'row' : 'rows'} ${rows.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
};

/** Why the lines of the folder stay as they are; undefined if they can be replaced. */
const obstacleOf = (
  { lines, replaced, ofAll }: MergedDiscounts,
  { into, discount, force }: GridFlags,
): string | undefined => {
  const file = join(into, 'discounts.csv');
  if (ofAll.length > 0)
    return `${file} has ${rowsText(ofAll)} of the discount ${discount} for all services. Name its services there, or use another --discount.\n`;
  if (replaced.length > 0 && force !== true)
    return `${file} has ${rowsText(replaced)} of the same discount, service, address and tier. --force replaces them; another --discount adds to them.\n`;
  const overlaps = checkOverlaps(lines, file);
  return overlaps.length === 0 ? undefined : overlaps.map(findingText).join('');
};

const readingText = ({ tables, notes }: ParsedGrid, { discount, tier, appliesTo }: GridFlags): string => {
  const key = [discount, ...(tier === undefined ? [] : [`tier ${tier}`]), ...(appliesTo === 'both' ? [] : [appliesTo])];
  const text = tables.flatMap(({ title, rows }) => [
    `${key.join(', ')}: ${title}, percent`,
    ...table(rows, ['left', ...rows.flatMap((row) => row.slice(1).map(() => 'right' as const))]),
    '',
  ]);
  return [...text, ...notes].map((line) => `${line}\n`).join('');
};

const report = (reading: ParsedGrid, flags: GridFlags, written: boolean, { stdout, stderr }: Output): void => {
  const { lines, unreadable, notes } = reading;
  if (flags.json === true) {
    stdout.write(jsonText({ written: written ? resolve(flags.into) : null, lines, unreadable, notes }));
    return;
  }
  stdout.write(readingText(reading, flags));
  for (const { at, text, problem } of unreadable.slice(0, MAX_SHOWN)) stderr.write(`${at}: "${text}" ${problem}\n`);
  if (unreadable.length > MAX_SHOWN) stderr.write(`and ${unreadable.length - MAX_SHOWN} more\n`);
};

const gridIn = async (path: string, flags: GridFlags): Promise<ParsedGrid> => {
  const { service: services, discount, address, appliesTo, betterOf, tier } = flags;
  try {
    return readGrid(await readGridSheet(path, flags.sheet), {
      ...{ services, serviceNamed: gridServiceNamer(services), discount, appliesTo },
      ...(address === undefined ? {} : { address }),
      ...(betterOf === undefined ? {} : { betterOf }),
      ...(tier === undefined ? {} : { tier }),
    });
  } catch (failure) {
    if (!(failure instanceof RefusedFile)) throw failure;
    throw new CommandFailure(`${path}: ${failure.message}\n${NOTHING_WRITTEN}`, EXIT.failed, { cause: failure });
  }
};

/** The days from which other lines than those of the folder itself count. */
const amendedText = ({ amendments }: AgreementDocument): string =>
  amendments
    .filter(({ discounts }) => discounts !== undefined)
    .map(({ from }) => `From ${from} on, amendments/${from}/discounts.csv counts instead.\n`)
    .join('');

/** @returns the exit code: 0 if the folder was written */
const importGrid = async (path: string, flags: GridFlags, io: TariffIo): Promise<number> => {
  const document = await agreementIn(flags);
  const reading = await gridIn(path, flags);
  const merged = mergeDiscounts(document.tables.discounts, reading.lines);
  const isReadable = reading.unreadable.length === 0 && reading.lines.length > 0;
  const obstacle = isReadable ? obstacleOf(merged, flags) : undefined;
  const isWritten = isReadable && obstacle === undefined;
  if (isWritten)
    await writeAgreementFolder(flags.into, { ...document, tables: { ...document.tables, discounts: merged.lines } });
  report(reading, flags, isWritten, io);
  if (!isWritten) {
    const count = reading.unreadable.length;
    const problem = count === 0 ? 'no percentages of these services' : counted(count, 'unreadable cell');
    io.stderr.write(`${obstacle ?? `${path}: ${problem}.\n`}${NOTHING_WRITTEN}\n`);
    return EXIT.failed;
  }
  const replaced = merged.replaced.length === 0 ? '' : `, ${counted(merged.replaced.length, 'line')} replaced`;
  io.stderr.write(`${join(flags.into, 'discounts.csv')}: ${counted(reading.lines.length, 'line')} added${replaced}\n`);
  io.stderr.write(amendedText(document));
  return EXIT.done;
};

const EXAMPLES = `
Examples:
  rates agreement import ground.xlsx --service UPS-GROUND --into agreements/acme-ups --carrier UPS --effective 2026-01-05
  rates agreement import air.csv --service UPS-2DAY,UPS-NDA --address commercial --into agreements/acme-ups
  rates agreement import tiers.xlsx --sheet "Tier 3" --discount Tier --tier 3 --service UPS-GROUND --into agreements/acme-ups

Weights go down and zones across, or the other way round. Titles, notes, merged cells, rows of services and rows of
residential and commercial are read too. Check what it prints against the paper.`;

/** The command `rates agreement import`. */
export const importCommand = (io: TariffIo): Command =>
  new Command('import')
    .description('Read a grid of discounts from a spreadsheet into an agreement')
    .argument('<grid>', 'XLSX or CSV')
    .requiredOption('--service <codes>', 'the services of the grid: UPS-GROUND,…', servicesOption)
    .requiredOption('--into <dir>', "the agreement's folder; begun if there is none")
    .option('--discount <name>', 'the name of the discount; discounts of several names add up', 'Discount')
    .addOption(new Option('--address <kind>', 'for a grid that does not say it; default: all').choices(ADDRESSES))
    .addOption(new Option('--applies-to <kind>', 'what the discount is on').choices(APPLIES_TO).default('both'))
    .option('--better-of <name>', 'of discounts with the same name here, only the highest counts')
    .option('--tier <name>', 'the tier in which the discount counts')
    .option('--sheet <name>', 'the sheet of a workbook that has several')
    .option('--carrier <name>', 'of a new agreement: the carrier, as the tariff names it')
    .option('--effective <date>', 'of a new agreement: its first ship date, YYYY-MM-DD', dateOption)
    .option('--force', 'replace lines of the same discount, service, address and tier')
    .option('--json', 'report as JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (grid: string, flags: GridFlags) =>
      io.setExitCode(await beginningFolder(flags.into, () => importGrid(grid, flags, io))),
    );
