/**
 * What an import stores in a tariff's folder, so that the next import needs only new files and keeps the decisions:
 *
 *   imported/              the tariff from the files alone; `rates tariff diff DIR/imported DIR` shows the decisions
 *   imported/files/        the files, under their own names, because a name may name a table
 *   imported/files.json    their names, hashes and origins
 *
 * Until a file has rates, the folder has only the last two.
 */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { byText } from '../base/by-text.ts';
import { present } from '../base/present.ts';
import type { TariffDocument } from '../catalog/tariff/document.ts';
import { IMPORTED, readTariffFolder, writeTariffFolder } from '../catalog/tariff/folder.ts';
import { exists, folderOf, replaceFolder, systemCode } from '../catalog/tariff/folder-files.ts';
import type { ImportFile } from './newest.ts';

const FILES = 'files';
const LIST = 'files.json';

const fileList = z.strictObject({
  /** The tariff's first day, until the files have rates and there is a tariff. */
  effective: z.iso.date().optional(),
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

/**
 * The layers of a tariff's folder. `base` is absent if the folder was made without `imported/`. `current` is absent if it has
 * only files without rates.
 */
export interface Layers {
  readonly effective: string;
  readonly current?: TariffDocument;
  readonly base?: TariffDocument;
  readonly files: readonly (KeptFile & { readonly path: string })[];
}

const placeOf = (dir: string, { file, sha256 }: Pick<KeptFile, 'file' | 'sha256'>): string =>
  join(dir, FILES, sha256.slice(0, 8), basename(file));

const documentIn = async (dir: string): Promise<TariffDocument | undefined> => {
  const read = await readTariffFolder(dir);
  return 'document' in read ? read.document : undefined;
};

const filesIn = async (dir: string): Promise<Pick<Layers, 'files'> & { readonly effective?: string | undefined }> => {
  try {
    const { effective, files } = fileList.parse(JSON.parse(await readFile(join(dir, LIST), 'utf8')));
    return { effective, files: files.map((kept) => ({ ...kept, path: placeOf(dir, kept) })) };
  } catch (failure) {
    if (systemCode(failure) === 'ENOENT') return { files: [] };
    throw failure;
  }
};

/** Reads the layers of a folder; undefined if it has neither a readable tariff nor files that wait for one. */
export const readLayers = async (dir: string): Promise<Layers | undefined> => {
  const folder = await folderOf(dir);
  const { effective, files } = await filesIn(join(folder, IMPORTED));
  const current = await documentIn(folder);
  if (current === undefined) return effective === undefined ? undefined : { effective, files };
  const base = await documentIn(join(folder, IMPORTED));
  return { effective: current.file.effective, current, files, ...present({ base }) };
};

/** Writes the files and their list. */
const writeFiles = async (below: string, files: readonly ImportFile[], effective?: string): Promise<void> => {
  // Renumbered without gaps, so that importing the same files again gives the same bytes.
  const generations = [...new Set(files.map(({ generation }) => generation))].sort((a, b) => a - b);
  const list = files
    .map(({ source: { file, sha256 }, origin, generation }): KeptFile => {
      return { file, sha256, ...present({ origin }), generation: generations.indexOf(generation) + 1 };
    })
    .sort((a, b) => a.generation - b.generation || byText(a.sha256, b.sha256));
  for (const { path, source } of files) {
    const place = placeOf(below, source);
    await mkdir(dirname(place), { recursive: true });
    await copyFile(path, place);
  }
  await writeFile(join(below, LIST), `${JSON.stringify({ effective, files: list }, undefined, 2)}\n`, { flush: true });
};

/**
 * Writes only the files, which have no rates, so that the next import adds to them. Leaves a folder with anything else alone.
 * @returns whether it wrote them
 */
export const writeWaiting = async (
  dir: string,
  layers: Layers | undefined,
  files: readonly ImportFile[],
  effective: string,
): Promise<boolean> => {
  const isFree = layers === undefined ? !(await exists(await folderOf(dir))) : layers.current === undefined;
  if (isFree) await replaceFolder(dir, (folder) => writeFiles(join(folder, IMPORTED), files, effective));
  return isFree;
};

/**
 * Writes a tariff's folder with both layers. Replaces an existing folder.
 * @param imported the tariff from the files alone. Undefined: the folder gets one layer
 */
export const writeLayers = async (
  dir: string,
  document: TariffDocument,
  imported: TariffDocument | undefined,
  files: readonly ImportFile[],
): Promise<void> => {
  await writeTariffFolder(dir, document, async (folder) => {
    if (imported === undefined) return;
    await writeTariffFolder(join(folder, IMPORTED), imported);
    await writeFiles(join(folder, IMPORTED), files);
  });
};
