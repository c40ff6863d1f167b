/** `rates tariff import`: reads carriers' files and writes a tariff's folder. */
import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { readConfig } from '../../base/config/settings.ts';
import { type CoveredOrigin, originsIn } from '../../catalog/tariff/coverage.ts';
import { tariffId } from '../../catalog/tariff/identity.ts';
import { readLayers, writeLayers, writeWaiting } from '../../import/layers.ts';
import { reportJson, reportText } from '../../import/report/report.ts';
import { type Imported, type Refusal, runImport, tariffNameOf } from '../../import/run.ts';
import { command, flag, type Given, input, isoDate, required, type Said } from '../command.ts';
import { beginningFolder } from '../documents.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { counted } from '../format.ts';
import { type Io, say } from '../io.ts';
import { createProgress } from '../progress.ts';
import { clientsNamed, orNone } from '../rate/local-sources.ts';

/** The clients' warehouses in the United States. Empty if the clients are unreadable. */
export const warehousesOf = (io: Pick<Io, 'env' | 'stderr'>): Promise<readonly CoveredOrigin[]> =>
  orNone(io, "The clients' warehouses could not be read", async () => {
    const { clients } = await clientsNamed(readConfig(io.env));
    return [...clients.values()].flatMap((client) => originsIn(client, (id) => `warehouse ${id} of ${client.id}`));
  });

const counts = (imported: Imported): string =>
  [
    counted(imported.report.assembly.unreadable.length, 'unreadable cell'),
    counted(imported.report.assembly.contradictions.length, 'contradiction'),
    counted(imported.errors, 'error'),
  ].join(', ');

const ORIGIN = /^(.+)=(\d{3}(?:-\d{3})?(?:,\d{3}(?:-\d{3})?)*)$/;

/** The origins by path or file name. */
const origins = z
  .array(z.string().regex(ORIGIN, 'must be FILE=ZIP3, or several: FILE=850,600-606'))
  .default([])
  .transform(
    (given): Readonly<Record<string, string>> =>
      Object.fromEntries(given.map((one) => ORIGIN.exec(one)?.slice(1) ?? [])),
  );

const codes = z.string().transform((given) => given.split(',').map((code) => code.trim().toUpperCase()));

const nothingWritten = (...why: readonly string[]): Said => ({
  notes: [...why, 'Nothing was written.'],
  exit: EXIT.failed,
});

/** Says what to type if a file lacks an origin. The ZIP3 is an example. */
const refusalText = ({ path, reason, lacksOrigin }: Refusal): string =>
  `${path}: ${reason}${lacksOrigin ? `. Add --origin ${basename(path)}=850, with your ZIP3` : ''}`;

/** Endings of carriers' files. Any other file of a folder, such as a README.md, is named and not read. */
const ENDINGS: readonly string[] = ['.pdf', '.xlsx', '.xls', '.csv', '.txt'];

/** A folder stands for the files in it and in its folders, without hidden ones. */
const filesIn = async (path: string): Promise<readonly string[]> => {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    // The reader of the file says what is wrong.
    () => false,
  );
  if (!isFolder) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name));
  const isHidden = (file: string): boolean =>
    relative(path, file)
      .split(sep)
      .some((name) => name.startsWith('.'));
  const shown = files.filter((file) => !isHidden(file)).sort();
  if (shown.length === 0) throw new CommandFailure(`${path} is a folder without files.`);
  return shown;
};

const args = {
  files: input('<files...>', 'PDF, XLSX or CSV, in any order; a folder stands for its files', z.array(z.string())),
};
const options = {
  into: required('--into <dir>', "the tariff's folder; an existing one is replaced"),
  effective: input('--effective <date>', 'the first day it is in force, YYYY-MM-DD', isoDate),
  services: input(
    '--services <codes>',
    'also import these services, which an import leaves out: FDX-1R-MB2,…',
    codes.optional(),
  ),
  origin: input(
    '--origin <file=zip3>',
    'the origin of a zone list that does not name it, or the origins to import from a list of all origins; repeatable',
    origins,
  ),
  force: flag('--force', 'write even with unreadable cells and contradictions'),
  json: flag('--json', 'report as JSON'),
};

/**
 * Imports files into a tariff's folder, in addition to files imported earlier for the same date. Keeps the operator's
 * decisions. Succeeds if the folder was written and has no errors.
 */
const importTariff = async (
  { files: paths, into, effective, services = [], origin, force }: Given<typeof args & typeof options>,
  io: Io,
): Promise<Said> => {
  const layers = await readLayers(into);
  const found = (await Promise.all(paths.map(filesIn))).flat();
  const read = found.filter((path) => paths.includes(path) || ENDINGS.includes(extname(path).toLowerCase()));
  const others = found.filter((path) => !read.includes(path));
  const endings = new Intl.ListFormat('en-US', { type: 'disjunction' }).format(ENDINGS);
  for (const path of others) say(io, `${path} is not read, because it does not end in ${endings}.`);
  if (read.length === 0) return nothingWritten();
  const progress = createProgress(io);
  const outcome = await runImport({
    files: read.map((path) => ({ path, origin: origin[path] ?? origin[basename(path)] })),
    name: tariffNameOf(resolve(into)),
    effective,
    services,
    layers,
    origins: await warehousesOf(io),
    onProgress: ({ read, of, reading }) => {
      const doing = read < of ? `reading ${reading.join(', ')}` : 'building the tariff';
      progress.show({ doing, done: read, total: of, unit: 'files' });
    },
  }).finally(progress.clear);
  if ('refused' in outcome) return nothingWritten(...outcome.refused.map(refusalText));
  if ('problem' in outcome) return nothingWritten(outcome.problem);
  const { document, imported, report, files, doubts, errors } = outcome;
  const isGood = doubts === 0 && errors === 0;
  const isTaken = isGood || force === true;
  const isWritten = document !== undefined && isTaken;
  if (isWritten) await writeLayers(into, document, imported, files);
  const id = document === undefined ? undefined : tariffId(document);
  const said = {
    json: () => ({ written: isWritten ? resolve(into) : null, tariff: id, ...reportJson(report) }),
    lines: () => [reportText(report).trimEnd()],
  };
  if (isWritten)
    return {
      ...said,
      notes: [
        `${into}: ${id}, ${counted(document.file.services.length, 'service')}`,
        ...(isGood ? [] : [`Written because of --force, with ${counts(outcome)}.`]),
      ],
      exit: errors > 0 ? EXIT.failed : EXIT.done,
    };
  const isKept = document === undefined && isTaken && (await writeWaiting(into, layers, files, effective));
  const why = isKept
    ? `${into} keeps these files. It is not a tariff yet, because they contain no rates: import the rates too.`
    : document === undefined
      ? 'Nothing was written, because these files contain no rates.'
      : `Nothing was written: ${counts(outcome)}. --force writes what could be read.`;
  return { ...said, notes: [why], exit: EXIT.failed };
};

export const tariffImport = command({
  path: 'tariff import',
  about: "Create a tariff's folder from carriers' files: rates, zone charts, your own CSVs",
  args,
  options,
  examples: [
    'rates tariff import list-rates.pdf daily-rates.xlsx zones --into tariffs/2026 --effective 2026-01-05',
    'rates tariff import rates.pdf zones.csv --origin zones.csv=070 --into tariffs/2026 --effective 2026-01-05',
  ],
  run: (given, io) => beginningFolder(given.into, () => importTariff(given, io)),
});
