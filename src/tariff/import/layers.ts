/**
 * What an import stores in a tariff's folder, so that the next import needs only new files and keeps the decisions:
 *
 *   imported/              the tariff from the files alone; `rates tariff diff DIR/imported DIR` shows the decisions
 *   imported/files/        the files, under their own names, because a name may name a table
 *   imported/files.json    their names, hashes and origins
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { TariffDocument } from '../document.ts';
import { folderOf, readTariffFolder, writeTariffFolder } from '../folder.ts';
import { systemCode } from '../folders.ts';
import { shifted } from '../fuel.ts';
import { spelledOut } from './charged-services.ts';
import { type Decided, overlaps, withDecisions } from './decisions.ts';
import type { ChargeReading, Reading, Source } from './reader.ts';

const IMPORTED = 'imported';
const FILES = 'files';
const LIST = 'files.json';

const fileList = z.strictObject({
  files: z.array(
    z.strictObject({
      file: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      /** From `--origin`. */
      origin: z.string().optional(),
      /** The number of the import, from 1. Tables of later imports replace those of earlier ones. */
      generation: z.int().gte(1),
    }),
  ),
});
type KeptFile = z.output<typeof fileList>['files'][number];

/** A file of an import: its path and its reading. */
export interface ImportFile {
  readonly path: string;
  readonly origin: string | undefined;
  readonly generation: number;
  readonly source: Source;
}

/** The layers of a tariff's folder. `base` is absent if the folder was made without `imported/`. */
export interface Layers {
  readonly current: TariffDocument;
  readonly base?: TariffDocument;
  readonly files: readonly (KeptFile & { readonly path: string })[];
}

const placeOf = (dir: string, { file, sha256 }: Pick<KeptFile, 'file' | 'sha256'>): string =>
  join(dir, FILES, sha256.slice(0, 8), basename(file));

const documentIn = async (dir: string): Promise<TariffDocument | undefined> => {
  const read = await readTariffFolder(dir);
  return 'document' in read ? read.document : undefined;
};

const filesIn = async (dir: string): Promise<Layers['files']> => {
  try {
    const { files } = fileList.parse(JSON.parse(await readFile(join(dir, LIST), 'utf8')));
    return files.map((kept) => ({ ...kept, path: placeOf(dir, kept) }));
  } catch (failure) {
    if (systemCode(failure) === 'ENOENT') return [];
    throw failure;
  }
};

/** The layers of a folder; undefined if it has no readable tariff. */
export const readLayers = async (dir: string): Promise<Layers | undefined> => {
  const folder = await folderOf(dir);
  const current = await documentIn(folder);
  if (current === undefined) return undefined;
  const base = await documentIn(join(folder, IMPORTED));
  return { current, files: await filesIn(join(folder, IMPORTED)), ...(base === undefined ? {} : { base }) };
};

/** What makes a charge the same in two files: its name, or its conditions. */
const keysOf = (charge: ChargeReading): readonly string[] => {
  const { carrier, tier = '', entry } = charge;
  const whose = [carrier, entry.type, spelledOut(charge)];
  return [JSON.stringify([...whose, entry.description]), JSON.stringify([...whose, tier, entry.when])];
};

/** The charges of an earlier file. One that a newer file has too ends on the day before the newer one begins. */
const chargesBefore = (charges: readonly ChargeReading[], newer: readonly Reading[]): readonly ChargeReading[] => {
  const begins = new Map<string, string>();
  for (const charge of newer.flatMap((reading) => reading.charges))
    for (const key of keysOf(charge)) {
      const { from = '' } = charge.entry;
      const before = begins.get(key);
      if (before === undefined || from < before) begins.set(key, from);
    }
  return charges.flatMap((charge): readonly ChargeReading[] => {
    const [begin] = keysOf(charge)
      .flatMap((key) => begins.get(key) ?? [])
      .sort();
    const { from = '', until } = charge.entry;
    if (begin === undefined) return [charge];
    if (begin <= from) return [];
    const last = shifted(begin, -1);
    return until !== undefined && until <= last ? [charge] : [{ ...charge, entry: { ...charge.entry, until: last } }];
  });
};

/** A reading without what newer files have too: a service's rates, an origin's chart, a list of areas, a fuel rate. */
const without = (reading: Reading, newer: readonly Reading[]): Reading => {
  const left = <T>(pick: (reading: Reading) => readonly T[], keyOf: (part: T) => string): readonly T[] => {
    const keys = new Set(newer.flatMap((one) => pick(one).map(keyOf)));
    return pick(reading).filter((part) => !keys.has(keyOf(part)));
  };
  return {
    ...reading,
    rates: left(
      ({ rates }) => rates,
      ({ code }) => code,
    ),
    multiweight: left(
      ({ multiweight }) => multiweight,
      ({ code }) => code,
    ),
    cubic: left(
      ({ cubic }) => cubic,
      ({ code }) => code,
    ),
    charts: left(
      ({ charts }) => charts,
      ({ carrier, origin }) => `${carrier} ${origin}`,
    ),
    areas: left(
      ({ areas }) => areas,
      ({ name }) => name,
    ),
    charges: chargesBefore(reading.charges, newer),
    fuel: left(
      ({ fuel }) => fuel,
      (rate) => [rate.carrier, spelledOut(rate), rate.from].join('\n'),
    ),
  };
};

const partsOf = ({ rates, multiweight, cubic, charts, areas, charges, fuel }: Reading): readonly object[] => [
  ...[rates, multiweight, cubic, charts, areas, charges, fuel].flat(),
];

/** Earlier files without tables that newer files have too, and a line for each file that lost one. */
const withoutNewer = (
  earlier: readonly ImportFile[],
  newer: readonly ImportFile[],
): { readonly files: readonly ImportFile[]; readonly notes: readonly string[] } => {
  const readings = newer.map(({ source }) => source.reading);
  const names = new Set(newer.map(({ source }) => source.file));
  const notes: string[] = [];
  const files = earlier.flatMap((one): readonly ImportFile[] => {
    const { file, reading: whole } = one.source;
    // A file of the same name is a newer copy, unless several earlier files have that name.
    if (names.has(file) && earlier.filter(({ source }) => source.file === file).length === 1) return [];
    const reading = without(whole, readings);
    const [before, left] = [partsOf(whole), partsOf(reading)];
    const same = before.filter((part) => left.includes(part)).length;
    if (same === before.length) return [one];
    notes.push(
      left.length === 0
        ? `${file} is no longer used: newer files replace everything in it`
        : `${file}: newer files replace ${before.length - same} of its ${before.length} tables, charges and fuel rates`,
    );
    return left.length === 0 ? [] : [{ ...one, source: { ...one.source, reading } }];
  });
  return { files, notes };
};

/**
 * Joins the files of several imports. Of each table, keeps the newest.
 * @returns the files that still have tables, and a line for each file that lost tables to the last import
 */
export const newestOf = (
  files: readonly ImportFile[],
): { readonly files: readonly ImportFile[]; readonly notes: readonly string[] } => {
  const generations = [...new Set(files.map(({ generation }) => generation))].sort((a, b) => a - b);
  let kept: ReturnType<typeof withoutNewer> = { files: [], notes: [] };
  for (const generation of generations) {
    const own = files.filter((file) => file.generation === generation);
    const { files: left, notes } = withoutNewer(kept.files, own);
    kept = { files: [...left, ...own], notes };
  }
  return kept;
};

/** Members of a service that files seldom state. Without a base, their values count as decisions. */
const DECIDED = ['dimensionalFactor', 'maximumActualLb', 'minimumNet', 'addressLineRequired', 'refusesPoBox'] as const;

/** Older imports wrote these into every tariff: they are not decisions. */
const EARLIER_NOT_SERVED = ['006-009', '090-098', '340', '962-966', '969'];

/**
 * A base for a folder that has none. Terms of services, surcharges that the files do not have, and destinations that are
 * not served count as decisions of the operator.
 */
const guessedBase = (current: TariffDocument, fresh: TariffDocument): TariffDocument => ({
  ...current,
  file: {
    ...current.file,
    notServed: current.file.notServed.filter((range) => EARLIER_NOT_SERVED.includes(range)),
    surcharges: current.file.surcharges.filter((own) => fresh.file.surcharges.some((other) => overlaps(own, other))),
    services: current.file.services.map((service) => {
      const now = fresh.file.services.find(({ code }) => code === service.code);
      const decided = DECIDED.filter((member) => now !== undefined && service[member] !== now[member]);
      const stated = Object.entries(service).filter(([member]) => !decided.some((one) => one === member));
      return Object.fromEntries(stated) as typeof service;
    }),
  },
});

/** Puts the operator's decisions into a freshly imported tariff. */
export const decide = ({ current, base }: Layers, fresh: TariffDocument): Decided =>
  withDecisions(base ?? guessedBase(current, fresh), current, fresh);

/**
 * Writes a tariff's folder with both layers. Replaces an existing folder.
 * @param imported the tariff from the files alone
 */
export const writeLayers = async (
  dir: string,
  document: TariffDocument,
  imported: TariffDocument,
  files: readonly ImportFile[],
): Promise<void> => {
  // Renumbered without gaps, so that importing the same files again gives the same bytes.
  const generations = [...new Set(files.map(({ generation }) => generation))].sort((a, b) => a - b);
  const list = files
    .map(
      ({ source: { file, sha256 }, origin, generation }): KeptFile => ({
        file,
        sha256,
        ...(origin === undefined ? {} : { origin }),
        generation: generations.indexOf(generation) + 1,
      }),
    )
    .sort((a, b) => a.generation - b.generation || (a.sha256 < b.sha256 ? -1 : 1));
  await writeTariffFolder(dir, document, async (folder) => {
    const below = join(folder, IMPORTED);
    await writeTariffFolder(below, imported);
    for (const { path, source } of files) {
      const place = placeOf(below, source);
      await mkdir(dirname(place), { recursive: true });
      await copyFile(path, place);
    }
    await writeFile(join(below, LIST), `${JSON.stringify({ files: list }, undefined, 2)}\n`, { flush: true });
  });
};
