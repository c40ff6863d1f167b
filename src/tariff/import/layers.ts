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
import { readTariffFolder, writeTariffFolder } from '../folder.ts';
import { folderOf } from '../folder-files.ts';
import { systemCode } from '../folders.ts';
import { type Decided, overlaps, withDecisions } from './decisions.ts';
import type { ImportFile } from './newest.ts';

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
