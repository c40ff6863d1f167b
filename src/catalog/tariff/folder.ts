/** Reads and writes a tariff's folder. `document.ts` describes the format. `folder-files.ts` describes atomic writing. */
import { cp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { present } from '../../base/present.ts';
import { replaceFile } from '../../base/replace-file.ts';
import type { ReadDocument } from '../documents/judged.ts';
import { type Finding, type TariffDocument, type TariffFile, type TransitRow, tariffFile } from './document.ts';
import {
  exists,
  firstOf,
  folderOf,
  jsonText,
  readJson,
  readTables,
  readText,
  replaceFolder,
  writeTables,
} from './folder-files.ts';
import { inOrder } from './identity.ts';
import {
  type ReadTable,
  readAreas,
  readChart,
  readCubic,
  readMultiweight,
  readRates,
  writeAreas,
  writeChart,
  writeCubic,
  writeMultiweight,
  writeRates,
} from './tables.ts';
import { readTransit, TRANSIT_FILE, writeTransit } from './transit.ts';

const CODE_FILE = /^([A-Z0-9][A-Z0-9-]{0,39})\.csv$/;
const NAME_FILE = /^([a-z0-9][a-z0-9-]{0,39})\.csv$/;

/**
 * Reads a tariff's folder.
 * @returns the document, or all format errors with file, row and column. `checkTariff` checks whether the parts fit together
 */
export const readTariffFolder = async (dir: string): Promise<ReadDocument<TariffDocument>> => {
  const folder = await folderOf(dir);
  const findings: Finding[] = [];
  const text = await readText(folder, 'tariff.json');
  if (typeof text !== 'string') return { findings: [text] };
  const file = readJson(tariffFile, 'tariff.json', text);
  if (Array.isArray(file)) findings.push(...file);
  const rates = await readTables(folder, 'rates', CODE_FILE, readRates, findings);
  const multiweight = await readTables(folder, 'multiweight', CODE_FILE, readMultiweight, findings);
  const cubic = await readTables(folder, 'cubic', CODE_FILE, readCubic, findings);
  const charts = await readTables(folder, 'zones', NAME_FILE, readChart, findings);
  const areas = await readTables(folder, 'areas', NAME_FILE, readAreas, findings);
  const transit = await transitIn(folder);
  if ('findings' in transit) findings.push(...firstOf(transit.findings, TRANSIT_FILE));
  if (Array.isArray(file) || findings.length > 0) return { findings };
  const days = 'table' in transit ? present({ transit: transit.table }) : {};
  return { document: { file, rates, multiweight, cubic, charts, areas, ...days } };
};

/** The rows of `transit.csv`. Undefined without the file. */
const transitIn = async (folder: string): Promise<ReadTable<readonly TransitRow[] | undefined>> => {
  if (!(await exists(join(folder, TRANSIT_FILE)))) return { table: undefined };
  const text = await readText(folder, TRANSIT_FILE);
  return typeof text === 'string' ? readTransit(TRANSIT_FILE, text) : { findings: [text] };
};

/** The subfolder of a tariff's folder where an import keeps its files. */
export const IMPORTED = 'imported';

/** Copies an import's files from one tariff's folder to another. */
export const keepImported = async (from: string, to: string): Promise<void> => {
  const kept = join(from, IMPORTED);
  if (await exists(kept)) await cp(kept, join(to, IMPORTED), { recursive: true });
};

/** Replaces only `tariff.json`, atomically. */
export const replaceTariffFile = async (dir: string, file: TariffFile): Promise<void> => {
  const path = join(await folderOf(dir), 'tariff.json');
  const { mode } = await stat(path);
  await replaceFile(path, jsonText(tariffFile.parse(file)), mode & 0o777);
};

/**
 * Writes a document as a folder, atomically. Replaces an existing folder. The same document always gives the same bytes.
 * @param writeBeside writes more files into the new folder before it replaces the old one
 */
export const writeTariffFolder = async (
  dir: string,
  document: TariffDocument,
  writeBeside?: (folder: string) => Promise<void>,
): Promise<void> => {
  const ordered = inOrder(document);
  await replaceFolder(dir, async (fresh) => {
    // Parsed again so that members always have the schema's order.
    await writeFile(join(fresh, 'tariff.json'), jsonText(tariffFile.parse(ordered.file)), { flush: true });
    await writeTables(fresh, 'rates', ordered.rates, writeRates);
    await writeTables(fresh, 'multiweight', ordered.multiweight, writeMultiweight);
    await writeTables(fresh, 'cubic', ordered.cubic, writeCubic);
    await writeTables(fresh, 'zones', ordered.charts, writeChart);
    await writeTables(fresh, 'areas', ordered.areas, writeAreas);
    if (ordered.transit !== undefined)
      await writeFile(join(fresh, TRANSIT_FILE), writeTransit(ordered.transit), { flush: true });
    await writeBeside?.(fresh);
  });
};
