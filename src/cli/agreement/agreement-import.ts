import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { present } from '../../base/present.ts';
import { ADDRESSES, APPLIES_TO } from '../../catalog/agreement/cells.ts';
import { checkOverlaps } from '../../catalog/agreement/check/check-lines.ts';
import { AGREEMENT_NAME, type AgreementDocument, agreementFile, NO_TABLES } from '../../catalog/agreement/document.ts';
import { readAgreementFolder, writeAgreementFolder } from '../../catalog/agreement/folder.ts';
import { SERVICE_CODE } from '../../catalog/tariff/document.ts';
import { capped, severalOf } from '../../catalog/tariff/findings.ts';
import { folderOf, namesIn } from '../../catalog/tariff/folder-files.ts';
import {
  gridServiceNamer,
  type MergedDiscounts,
  mergeDiscounts,
  type ParsedGrid,
  readGrid,
  readGridSheet,
} from '../../import/agreement/import-grid.ts';
import { RefusedFile } from '../../import/read/reader.ts';
import { BILLINGS } from '../../rating/fields.ts';
import { command, flag, type Given, input, isoDate, required, type Said, text } from '../command.ts';
import { beginningFolder } from '../documents.ts';
import { CommandFailure, EXIT, wrongUse } from '../exit.ts';
import { counted, failureWith, findingText, table } from '../format.ts';

const NOTHING_WRITTEN = 'Nothing was written.';
/** The number of problems to show. If every cell is wrong, the cause is the same. */
const MAX_SHOWN = 200;

const services = z
  .string()
  .transform((text) => text.split(',').map((code) => code.trim().toUpperCase()))
  .superRefine((codes, context) => {
    const wrong = codes.find((code) => !SERVICE_CODE.test(code));
    if (wrong !== undefined)
      context.addIssue({ code: 'custom', message: `has "${wrong}", which is not a service code such as UPS-GROUND` });
  });

const args = { grid: required('<grid>', 'XLSX or CSV') };
const options = {
  service: input('--service <codes>', 'the services of the grid: UPS-GROUND,…', services),
  into: required('--into <dir>', "the agreement's folder; created if there is none"),
  discount: input(
    '--discount <name>',
    'the name of the discount; discounts with different names add up',
    z.string().default('Discount'),
  ),
  address: input('--address <kind>', 'for a grid that does not say it; default: all', z.enum(ADDRESSES).optional()),
  billing: input('--billing <who>', 'who must pay for it to apply; default: all', z.enum(BILLINGS).optional()),
  appliesTo: input('--applies-to <kind>', 'what the discount is on', z.enum(APPLIES_TO).default('both')),
  betterOf: text('--better-of <name>', 'of discounts with the same name here, only the highest applies'),
  tier: text('--tier <name>', 'the tier in which the discount applies'),
  sheet: text('--sheet <name>', 'the sheet of a workbook that has several'),
  carrier: text('--carrier <name>', 'for a new agreement: the carrier, as in the tariff'),
  effective: input('--effective <date>', 'for a new agreement: its first ship date, YYYY-MM-DD', isoDate.optional()),
  force: flag('--force', 'replace lines of the same discount, service, address, billing and tier'),
  json: flag('--json', 'report as JSON'),
};
type GridFlags = Given<typeof options>;

/** A new agreement with only the command's settings. */
const newAgreement = ({ into, carrier, effective }: GridFlags): AgreementDocument => {
  const name = basename(resolve(into));
  if (carrier === undefined || effective === undefined)
    throw wrongUse(`${into} has no agreement yet. Add --carrier and --effective to create one.`);
  if (!AGREEMENT_NAME.test(name))
    throw wrongUse(`The folder is named after the agreement: lower-case letters, digits and hyphens, not ${name}.`);
  return { file: agreementFile.parse({ name, carrier, effective }), tables: NO_TABLES, amendments: [] };
};

const agreementIn = async (flags: GridFlags): Promise<AgreementDocument> => {
  if ((await namesIn(await folderOf(flags.into))).length === 0) return newAgreement(flags);
  const read = await readAgreementFolder(flags.into);
  if ('findings' in read) throw failureWith(`${flags.into} cannot be read:`, read.findings, [NOTHING_WRITTEN]);
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

const rowsText = (lines: MergedDiscounts['replaced']): string =>
  `${lines.length === 1 ? 'row' : 'rows'} ${severalOf(lines.map(({ row }) => row))}`;

/** Why the folder's lines must stay. Undefined if they may be replaced. */
const obstacleOf = (
  { lines, replaced, ofAll }: MergedDiscounts,
  { into, discount, force }: GridFlags,
): string | undefined => {
  const file = join(into, 'discounts.csv');
  if (ofAll.length > 0)
    return `${file} has ${rowsText(ofAll)} of the discount ${discount} for all services. Name its services there, or use another --discount.`;
  if (replaced.length > 0 && force !== true)
    return `${file} has ${rowsText(replaced)} of the same discount, service, address, billing and tier. --force replaces them; another --discount adds to them.`;
  const overlaps = checkOverlaps(lines, file);
  return overlaps.length === 0 ? undefined : overlaps.map(findingText).join('\n');
};

const noteText = ({ at, says }: ParsedGrid['notes'][number]): string => `${at} ${says}`;

const readingLines = ({ tables, notes }: ParsedGrid, { discount, tier, appliesTo }: GridFlags): readonly string[] => {
  const key = [discount, ...(tier === undefined ? [] : [`tier ${tier}`]), ...(appliesTo === 'both' ? [] : [appliesTo])];
  const lines = tables.flatMap(({ title, rows }) => [
    `${key.join(', ')}: ${title}, percent`,
    ...table(rows, ['left', ...rows.flatMap((row) => row.slice(1).map(() => 'right' as const))]),
    '',
  ]);
  return [...lines, ...notes.map(noteText)];
};

const unreadableLines = ({ unreadable }: ParsedGrid): readonly string[] => {
  const lines = unreadable.map(({ at, text: cell, problem }) => `${at}: "${cell}" ${problem}`);
  return capped(lines, MAX_SHOWN, (more) => `and ${more} more`);
};

const gridIn = async (path: string, flags: GridFlags): Promise<ParsedGrid> => {
  const { service, discount, address, billing, appliesTo, betterOf, tier } = flags;
  try {
    return readGrid(await readGridSheet(path, flags.sheet), {
      ...{ services: service, serviceNamed: gridServiceNamer(service), discount, appliesTo },
      ...present({ address, betterOf, tier, billing: billing && [billing] }),
    });
  } catch (failure) {
    if (!(failure instanceof RefusedFile)) throw failure;
    throw new CommandFailure(`${path}: ${failure.message}\n${NOTHING_WRITTEN}`, EXIT.failed, { cause: failure });
  }
};

/** The days on which amendments replace the folder's own lines. */
const amendedLines = ({ amendments }: AgreementDocument): readonly string[] =>
  amendments
    .filter(({ discounts }) => discounts !== undefined)
    .map(({ from }) => `From ${from} on, amendments/${from}/discounts.csv applies instead.`);

const importGrid = async (path: string, flags: GridFlags): Promise<Said> => {
  const document = await agreementIn(flags);
  const reading = await gridIn(path, flags);
  const { lines, unreadable, notes } = reading;
  const merged = mergeDiscounts(document.tables.discounts, lines);
  const isReadable = unreadable.length === 0 && lines.length > 0;
  const obstacle = isReadable ? obstacleOf(merged, flags) : undefined;
  const isWritten = isReadable && obstacle === undefined;
  if (isWritten)
    await writeAgreementFolder(flags.into, { ...document, tables: { ...document.tables, discounts: merged.lines } });
  const said = {
    json: () => ({ written: isWritten ? resolve(flags.into) : null, lines, unreadable, notes: notes.map(noteText) }),
    lines: () => readingLines(reading, flags),
    remarks: () => unreadableLines(reading),
  };
  if (!isWritten) {
    const problem =
      unreadable.length === 0 ? 'no percentages for these services' : counted(unreadable.length, 'unreadable cell');
    return { ...said, notes: [obstacle ?? `${path}: ${problem}.`, NOTHING_WRITTEN], exit: EXIT.failed };
  }
  const replaced = merged.replaced.length === 0 ? '' : `, ${counted(merged.replaced.length, 'line')} replaced`;
  const added = `${join(flags.into, 'discounts.csv')}: ${counted(lines.length, 'line')} added${replaced}`;
  return { ...said, notes: [added, ...amendedLines(document)] };
};

export const agreementImport = command({
  path: 'agreement import',
  about: 'Read a grid of discounts from a spreadsheet into an agreement',
  args,
  options,
  examples: [
    'rates agreement import ground.xlsx --service UPS-GROUND --into agreements/acme-ups --carrier UPS --effective 2026-01-05',
    'rates agreement import air.csv --service UPS-2DAY,UPS-NDA --address commercial --into agreements/acme-ups',
    'rates agreement import tiers.xlsx --sheet "Tier 3" --discount Tier --tier 3 --service UPS-GROUND --into agreements/acme-ups',
  ],
  more: `Weights go down and zones across, or the other way around. Titles, notes, merged cells, rows of services and rows of
residential and commercial are read too. Compare what it prints with the contract.`,
  run: ({ grid, ...flags }) => beginningFolder(flags.into, () => importGrid(grid, flags)),
});
