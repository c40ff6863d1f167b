/** Makes an agreement from an operator's upload: files of a folder, or a carrier's grid. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { amendedFrom, removedRates } from '../../catalog/agreement/amend.ts';
import { ADDRESSES } from '../../catalog/agreement/cells.ts';
import { checkAgreement } from '../../catalog/agreement/check/check.ts';
import { checkAgainst } from '../../catalog/agreement/check/check-against.ts';
import { checkOverlaps } from '../../catalog/agreement/check/check-lines.ts';
import {
  AGREEMENT_FILE,
  type AgreementDocument,
  type AgreementTables,
  agreementFile,
  agreementName,
  type DiscountLine,
  NO_TABLES,
} from '../../catalog/agreement/document.ts';
import { readFolderApart } from '../../catalog/agreement/read-apart.ts';
import { listOf, zonesOf } from '../../catalog/agreement/subject.ts';
import { filesOn, type Version } from '../../catalog/agreement/versions.ts';
import { hasErrors } from '../../catalog/tariff/check/check.ts';
import { type Finding, SERVICE_CODE } from '../../catalog/tariff/document.ts';
import { error, warning } from '../../catalog/tariff/findings.ts';
import type { Schedule } from '../../catalog/tariff/schedule.ts';
import type { Card } from '../../rating/card.ts';
import { withTemporaryFolder } from '../drafts/records.ts';
import { RefusedFile } from '../read/reader.ts';
import { gridServiceNamer, mergeDiscounts, readGrid, readGridSheet } from './import-grid.ts';

const MOST_FILES = 200;
const MOST_CHARACTERS = 2 * 1024 * 1024;
/** A file of 5,000 rows is smaller. */
const MOST_FILE_CHARACTERS = 512 * 1024;

/** The files of an agreement's folder. Their paths become paths on disk, so only these are accepted. */
const FILE =
  /^(?:amendments\/\d{4}-\d{2}-\d{2}\/)?(?:agreement\.json|(?:discounts|minimums|surcharges|fuel|fuel_index|fuel_prices|tiers|spend|notes)\.csv|(?:rates|caps|multiweight)\/[A-Z0-9][A-Z0-9-]{0,9}\.csv)$/;

const grid = z.strictObject({
  /** The file in base64. */
  content: z.base64().max(MOST_CHARACTERS),
  services: z.array(z.string().regex(SERVICE_CODE, 'must be the code of a service')).min(1).max(30),
  discount: z.string().min(1).max(60).default('Discount'),
  address: z.enum(ADDRESSES).optional(),
  sheet: z.string().min(1).max(60).optional(),
});
type UploadedGrid = z.output<typeof grid>;

/** What an operator uploads: files of a folder, or a carrier's grid. */
export const uploadedAgreement = z.strictObject({
  name: agreementName,
  files: z
    .array(
      z.strictObject({
        path: z.string().regex(FILE, 'must be a file of an agreement, such as discounts.csv'),
        text: z.string().max(MOST_FILE_CHARACTERS),
      }),
    )
    .max(MOST_FILES)
    .default([]),
  grid: grid.optional(),
  /** For a new agreement without agreement.json. */
  carrier: z.string().min(1).max(40).optional(),
  /** The first ship date. If the agreement began earlier, the days before this date keep their prices. */
  from: z.iso.date(),
});
type UploadedAgreement = z.output<typeof uploadedAgreement>;

/** The contents of an upload alone. */
type Stated =
  | { readonly document: AgreementDocument; readonly doubts?: readonly Finding[] }
  | { readonly findings: readonly Finding[] };

/** The agreement that an upload adds to: the existing one, or a new one with only a carrier and a date. */
const baseOf = (upload: UploadedAgreement, current: AgreementDocument | undefined): AgreementDocument | undefined => {
  const { name, carrier, from } = upload;
  if (current !== undefined) {
    const { file, tables } = filesOn(current, from);
    return { file, tables, amendments: [] };
  }
  if (carrier === undefined) return undefined;
  return { file: agreementFile.parse({ name, carrier, effective: from }), tables: NO_TABLES, amendments: [] };
};

/** The tables that these files contain: `discounts` for discounts.csv, `rates` for the files in its folder. */
const uploadedTables = (tables: AgreementTables, paths: readonly string[]): Partial<AgreementTables> => {
  const names = new Set(paths.map((path) => path.split('/', 1)[0]?.replace('.csv', '')));
  return Object.fromEntries(Object.entries(tables).filter(([name]) => names.has(name)));
};

/** Files without an agreement.json replace files with the same names. The others stay. */
const readFiles = async (upload: UploadedAgreement, base: AgreementDocument | undefined): Promise<Stated> =>
  await withTemporaryFolder(async (dir) => {
    const { files } = upload;
    const isWhole = files.some(({ path }) => path === AGREEMENT_FILE);
    if (!isWhole && base === undefined)
      return { findings: [error(AGREEMENT_FILE, 'is missing: add it, or name the carrier of a new agreement')] };
    const own = isWhole || base === undefined ? [] : [{ path: AGREEMENT_FILE, text: JSON.stringify(base.file) }];
    for (const { path, text } of [...own, ...files]) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), text);
    }
    const read = await readFolderApart(dir);
    if (isWhole || base === undefined || !('document' in read)) return read;
    const { document } = read;
    const tables = uploadedTables(
      document.tables,
      files.map(({ path }) => path),
    );
    // Merges as an amendment does, so that a table for one service keeps the tables for the others.
    const added = filesOn({ ...base, amendments: [{ from: upload.from, ...tables }] }, upload.from);
    return { document: { ...document, tables: added.tables } };
  });

const readUploadedGrid = async (grid: UploadedGrid, base: AgreementDocument): Promise<Stated> => {
  const { content, services, discount, address, sheet } = grid;
  const options = {
    ...{ services, serviceNamed: gridServiceNamer(services), discount, appliesTo: 'both' as const },
    ...(address === undefined ? {} : { address }),
  };
  try {
    const { lines, unreadable, notes } = await withTemporaryFolder(async (dir) => {
      const path = join(dir, 'grid');
      await writeFile(path, Buffer.from(content, 'base64'));
      return readGrid(await readGridSheet(path, sheet), options);
    });
    if (unreadable.length > 0)
      return { findings: unreadable.map(({ at, text, problem }) => error(at, `"${text}" ${problem}`)) };
    const doubts = notes.filter(({ isDoubt }) => isDoubt).map(({ at, says }) => warning(at, says));
    if (lines.length === 0)
      return { findings: [error('The grid', 'has no percentages for these services'), ...doubts] };
    const merged = mergeDiscounts(base.tables.discounts, lines);
    if (merged.ofAll.length > 0)
      return { findings: [error('The discounts', 'have this one for all services: give the grid another name')] };
    const discounts: readonly DiscountLine[] = merged.lines;
    const overlaps = checkOverlaps(discounts, 'The discounts');
    if (overlaps.length > 0) return { findings: overlaps };
    return { document: { ...base, tables: { ...base.tables, discounts } }, doubts };
  } catch (failure) {
    if (!(failure instanceof RefusedFile)) throw failure;
    return { findings: [error('The grid', failure.message)] };
  }
};

const stated = async (upload: UploadedAgreement, current: AgreementDocument | undefined): Promise<Stated> => {
  const base = baseOf(upload, current);
  if (upload.grid === undefined) return await readFiles(upload, base);
  if (base !== undefined) return await readUploadedGrid(upload.grid, base);
  return { findings: [error('The carrier', 'is missing: enter it for the new agreement')] };
};

/** Says which zones of its services the grid leaves without its discount. */
const checkCovered = ({ services, discount }: UploadedGrid, { tables }: Version, cards: readonly Card[]): Finding[] =>
  cards.flatMap((card) => {
    const own = tables.discounts.filter((line) => line.discount === discount && line.services.includes(card.code));
    const covered = own.map(({ zones }) => zonesOf(zones, card));
    const left = card.columns.filter((_, at) => covered.every((zones) => zones?.has(at) === false));
    if (left.length === 0 || !services.includes(card.code)) return [];
    const zones = `${left.length === 1 ? 'zone' : 'zones'} ${listOf(left)}`;
    return [warning('The grid', `does not cover ${zones} of ${card.code}, so its discount does not apply there`)];
  });

/** An operator who uploads a grid has seen no discounts.csv. */
const ofGrid = ({ at, amendment: _amendment, ...finding }: Finding): Finding => ({
  ...{ ...finding, at: at.replace(/^(?:amendments\/[^/]+\/)?discounts\.csv/, 'The discounts') },
});

/** Sets when it takes effect. An agreement that began earlier keeps its earlier days. */
const fromDay = (
  document: AgreementDocument,
  { from }: UploadedAgreement,
  current: AgreementDocument | undefined,
): AgreementDocument => {
  if (current !== undefined && current.file.effective < from) return amendedFrom(current, document, from);
  return { ...document, file: { ...document.file, effective: from } };
};

/**
 * Reads an upload, and checks the resulting agreement by itself and against the tariffs.
 * @param schedule undefined: checked later, because the tariffs come into force with it
 * @returns no document if a finding is an error
 */
export const readUpload = async (
  upload: UploadedAgreement,
  current: AgreementDocument | undefined,
  schedule: Schedule | undefined,
): Promise<{ readonly findings: readonly Finding[]; readonly document?: AgreementDocument }> => {
  const read = await stated(upload, current);
  if ('findings' in read) return read;
  const { name } = read.document.file;
  if (name !== upload.name)
    return {
      findings: [error(`${AGREEMENT_FILE} name`, `is ${name}, but the agreement is ${upload.name}: correct one`)],
    };
  const isAmended = current !== undefined && current.file.effective < upload.from;
  const gone = isAmended ? removedRates(current, read.document, upload.from) : [];
  const document = fromDay(read.document, upload, current);
  const alone = [
    ...gone.map((file) => error(file, 'is in force and cannot be removed from a day on: upload it too')),
    ...checkAgreement(document),
  ];
  const { from, grid } = upload;
  const against = schedule === undefined || hasErrors(alone) ? [] : checkAgainst(document, schedule, from);
  const cards = grid === undefined || schedule === undefined ? [] : schedule.bookOn(from).cards;
  const covered = grid === undefined ? [] : checkCovered(grid, filesOn(document, from), cards);
  const findings = [
    ...(read.doubts ?? []),
    ...covered,
    ...[...alone, ...against].map(grid === undefined ? (one) => one : ofGrid),
  ];
  return hasErrors(findings) ? { findings } : { findings, document };
};
