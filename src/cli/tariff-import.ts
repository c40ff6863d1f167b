/** `rates tariff import`: reads carriers' files and writes a tariff's folder. */
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { ConfigError, type Environment, readConfig } from '../config/settings.ts';
import { must } from '../must.ts';
import { checkTariff, hasErrors } from '../tariff/check.ts';
import { compileTariff } from '../tariff/compile.ts';
import { coverageOf } from '../tariff/coverage.ts';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import { systemCode } from '../tariff/folders.ts';
import { inOrder, tariffId } from '../tariff/identity.ts';
import { assembleTariff } from '../tariff/import/import.ts';
import { decide, type Layers, readLayers, writeLayers } from '../tariff/import/layers.ts';
import { type ImportFile, newestOf } from '../tariff/import/newest.ts';
import { onlyAsked, unknownServices } from '../tariff/import/on-request.ts';
import { RefusedFile } from '../tariff/import/read/reader.ts';
import { missingLines } from '../tariff/import/report/charges.ts';
import { type Assembly, decisionsText, type Origin, reportJson, reportText } from '../tariff/import/report/report.ts';
import { readSource } from '../tariff/import/source.ts';
import { EXIT } from './exit.ts';
import { counted } from './format.ts';
import { clientsNamed } from './local-sources.ts';

/** The process as the tariff commands see it. */
export interface TariffIo {
  readonly stdout: { readonly write: (text: string) => unknown };
  readonly stderr: { readonly write: (text: string) => unknown };
  readonly env: Environment;
  readonly setExitCode: (code: number) => void;
}

export type Output = Pick<TariffIo, 'stdout' | 'stderr'>;

export const findingText = ({ severity, at, message }: Finding): string => `${severity}: ${at}: ${message}\n`;

export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** The value of an option that is a date. */
export const dateOption = (text: string): string => {
  if (!z.iso.date().safeParse(text).success) throw new InvalidArgumentError('It must be a date, YYYY-MM-DD.');
  return text;
};

/** Why a file could not be read. Rethrows any other failure. */
const reasonOf = (failure: unknown): string => {
  if (failure instanceof RefusedFile) return failure.message;
  if (systemCode(failure) !== undefined && failure instanceof Error) return failure.message;
  throw failure;
};

/** The clients' warehouses in the United States, or none if the clients cannot be read. */
export const warehousesOf = async (env: Environment, { stderr }: Output): Promise<Origin[]> => {
  try {
    const { clients } = await clientsNamed(readConfig(env));
    return [...clients.values()].flatMap(({ id, warehouses }) =>
      [...warehouses.values()]
        .filter(({ countryCode }) => countryCode === 'US')
        .map((warehouse) => ({ zip5: warehouse.postalCode.slice(0, 5), label: `warehouse ${warehouse.id} of ${id}` })),
    );
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    // Without clients, the import works but cannot list warehouses that lack a chart.
    const reason = failure instanceof ConfigError ? 'the settings are invalid' : failure.message;
    stderr.write(`The clients' warehouses could not be read: ${reason}\n`);
    return [];
  }
};

export interface ImportFlags {
  readonly into: string;
  readonly effective: string;
  /** Origin by path or file name. */
  readonly origin: Readonly<Record<string, string>>;
  /** Services to take that are taken only on request. */
  readonly services?: readonly string[];
  readonly force?: boolean;
  readonly json?: boolean;
}

/** A tariff's name, made from the name of its folder: lower case letters, digits and hyphens. */
const nameOf = (dir: string): string =>
  basename(resolve(dir))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40) || 'tariff';

interface FileToRead {
  readonly path: string;
  readonly origin: string | undefined;
  readonly generation: number;
}

/** A file takes a process of its own, which may need much memory. */
const FILES_AT_ONCE = Math.min(4, availableParallelism());

/** Reads a file, or says why it cannot be read. */
const readOne = async (file: FileToRead): Promise<ImportFile | string> => {
  const { path, origin } = file;
  try {
    return { ...file, source: await readSource(path, origin === undefined ? {} : { origin }) };
  } catch (failure) {
    return `${path}: ${reasonOf(failure)}\n`;
  }
};

/** Reads files. Prints those that are refused, and then returns undefined. */
const readAll = async (files: readonly FileToRead[], { stderr }: Output): Promise<ImportFile[] | undefined> => {
  const outcomes = files.map((): ImportFile | string => 'not read');
  let next = 0;
  const readSome = async (): Promise<void> => {
    for (let at = next++; at < files.length; at = next++) {
      const file = must(files[at], 'a file');
      outcomes[at] = await readOne(file);
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, readSome));
  const refused = outcomes.filter((outcome) => typeof outcome === 'string');
  for (const line of refused) stderr.write(line);
  return refused.length === 0 ? outcomes.filter((outcome) => typeof outcome !== 'string') : undefined;
};

/** The files of earlier imports under their given names, then those of this one. */
const allFiles = async (
  paths: readonly string[],
  flags: ImportFlags,
  layers: Layers | undefined,
  io: Output,
): Promise<{ readonly files: readonly ImportFile[]; readonly fresh: readonly ImportFile[] } | undefined> => {
  // Files for another date do not apply.
  const kept = layers?.current.file.effective === flags.effective ? layers.files : [];
  const generation = Math.max(0, ...kept.map((file) => file.generation)) + 1;
  const named = paths.map((path) => ({ path, origin: flags.origin[path] ?? flags.origin[basename(path)], generation }));
  const fresh = await readAll(named, io);
  const earlier = await readAll(
    kept.map(({ path, origin, generation: own }) => ({ path, origin, generation: own })),
    io,
  );
  if (fresh === undefined || earlier === undefined) return undefined;
  const hashes = new Set(fresh.map(({ source }) => source.sha256));
  const renamed = earlier.map((file, at) => ({
    ...file,
    source: { ...file.source, file: must(kept[at], 'an earlier file').file },
  }));
  return { files: [...renamed.filter(({ source }) => !hashes.has(source.sha256)), ...fresh], fresh };
};

/** The assembled tariff with the operator's decisions, as text too, and warnings about dropped ones. */
const decided = (assembly: Assembly, layers: Layers | undefined) => {
  const { document: imported } = assembly;
  if (imported === undefined || layers === undefined) return { document: imported, decisions: [], warnings: [] };
  const { document, gone, doubled } = decide(layers, imported);
  const warnings = [
    ...gone.map((what) => `The files no longer have ${what}: the decisions on it are dropped`),
    ...doubled.map((what) => `${what}: the first is yours, and both are charged. Remove yours if they are one charge`),
  ];
  return { document, decisions: decisionsText(imported, document), warnings };
};

/** What a tariff lacks on its first day. One with errors cannot be compiled. */
const lackedBy = (document: TariffDocument | undefined, findings: readonly Finding[]): readonly string[] =>
  document === undefined || hasErrors(findings)
    ? []
    : missingLines(coverageOf(document, compileTariff(document), { day: document.file.effective, origins: [] }));

/**
 * Imports files into a tariff's folder, in addition to files imported earlier for the same date. Keeps the operator's
 * decisions.
 * @returns the exit code: 0 if the folder was written and has no error
 */
export const importTariff = async (paths: readonly string[], flags: ImportFlags, io: TariffIo): Promise<number> => {
  const layers = await readLayers(flags.into);
  const read = await allFiles(paths, flags, layers, io);
  if (read === undefined) {
    io.stderr.write('Nothing was written.\n');
    return EXIT.failed;
  }
  const unknown = unknownServices(read.files, flags.services ?? []);
  if (unknown !== undefined) {
    io.stderr.write(`${unknown}\nNothing was written.\n`);
    return EXIT.failed;
  }
  // Those of the imports before stay.
  const asked = [...(flags.services ?? []), ...(layers?.current.file.services.map(({ code }) => code) ?? [])];
  const { files, notes } = newestOf(onlyAsked(read.files, asked));
  const origins = await warehousesOf(io.env, io);
  const sources = files.map(({ source }) => source);
  const assembly = assembleTariff(sources, { name: nameOf(flags.into), effective: flags.effective, origins });
  const { document, decisions, warnings } = decided(assembly, layers);
  const { unreadable, contradictions } = assembly;
  // Findings name rows, so they need the order of the written files.
  const findings = document === undefined ? [] : checkTariff(inOrder(document));
  const fresh = new Set(
    files.filter(({ path }) => read.fresh.some((file) => file.path === path)).map(({ source }) => source),
  );
  const report = {
    sources: sources.filter((source) => fresh.has(source)),
    earlier: sources.filter((source) => !fresh.has(source)).map(({ file }) => file),
    replaced: notes,
    decisions,
    assembly: { ...assembly, warnings: [...warnings, ...assembly.warnings, ...lackedBy(document, findings)] },
    findings,
  };
  const doubts = unreadable.length + contradictions.length;
  const isGood = document !== undefined && doubts === 0 && !hasErrors(findings);
  const { document: imported } = assembly;
  const isWritten = document !== undefined && imported !== undefined && (isGood || flags.force === true);
  if (isWritten) await writeLayers(flags.into, document, imported, files);
  if (flags.json === true) {
    const id = document === undefined ? undefined : tariffId(document);
    io.stdout.write(jsonText({ written: isWritten ? resolve(flags.into) : null, tariff: id, ...reportJson(report) }));
  } else io.stdout.write(reportText(report));
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const counts = [
    counted(unreadable.length, 'unreadable cell'),
    counted(contradictions.length, 'contradiction'),
    counted(errors, 'error'),
  ].join(', ');
  if (!isWritten) {
    io.stderr.write(
      document === undefined
        ? 'Nothing was written, because these files contain no rates.\n'
        : `Nothing was written: ${counts}. --force writes what could be read.\n`,
    );
    return EXIT.failed;
  }
  io.stderr.write(`${flags.into}: ${tariffId(document)}, ${counted(document.file.services.length, 'service')}\n`);
  if (isGood) return EXIT.done;
  io.stderr.write(`Written because of --force, with ${counts}.\n`);
  return errors > 0 ? EXIT.failed : EXIT.done;
};
