/** `rates tariff import`: reads carriers' files and writes a tariff's folder. */
import { basename, resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { ConfigError, type Environment, readConfig } from '../config/settings.ts';
import type { Finding } from '../tariff/document.ts';
import { tariffId } from '../tariff/identity.ts';
import { readLayers, writeLayers, writeWaiting } from '../tariff/import/layers.ts';
import { type Origin, reportJson, reportText } from '../tariff/import/report/report.ts';
import { type Imported, runImport, tariffNameOf } from '../tariff/import/run.ts';
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

const counts = (imported: Imported): string =>
  [
    counted(imported.report.assembly.unreadable.length, 'unreadable cell'),
    counted(imported.report.assembly.contradictions.length, 'contradiction'),
    counted(imported.errors, 'error'),
  ].join(', ');

const nothingWritten = (why: string, { stderr }: Output): number => {
  stderr.write(`${why}Nothing was written.\n`);
  return EXIT.failed;
};

/**
 * Imports files into a tariff's folder, in addition to files imported earlier for the same date. Keeps the operator's
 * decisions.
 * @returns the exit code: 0 if the folder was written and has no error
 */
export const importTariff = async (paths: readonly string[], flags: ImportFlags, io: TariffIo): Promise<number> => {
  const layers = await readLayers(flags.into);
  const outcome = await runImport({
    files: paths.map((path) => ({ path, origin: flags.origin[path] ?? flags.origin[basename(path)] })),
    name: tariffNameOf(resolve(flags.into)),
    effective: flags.effective,
    services: flags.services ?? [],
    layers,
    origins: await warehousesOf(io.env, io),
  });
  if ('refused' in outcome)
    return nothingWritten(outcome.refused.map(({ path, reason }) => `${path}: ${reason}\n`).join(''), io);
  if ('unknown' in outcome) return nothingWritten(`${outcome.unknown}\n`, io);
  const { document, imported, report, files, doubts, errors } = outcome;
  const isGood = doubts === 0 && errors === 0;
  const isTaken = isGood || flags.force === true;
  const isWritten = document !== undefined && isTaken;
  if (isWritten) await writeLayers(flags.into, document, imported, files);
  if (flags.json === true) {
    const id = document === undefined ? undefined : tariffId(document);
    io.stdout.write(jsonText({ written: isWritten ? resolve(flags.into) : null, tariff: id, ...reportJson(report) }));
  } else io.stdout.write(reportText(report));
  if (!isWritten) {
    const isKept =
      document === undefined && isTaken && (await writeWaiting(flags.into, layers, files, flags.effective));
    io.stderr.write(
      isKept
        ? `${flags.into} keeps these files. It is no tariff yet, because they contain no rates: import the rates too.\n`
        : document === undefined
          ? 'Nothing was written, because these files contain no rates.\n'
          : `Nothing was written: ${counts(outcome)}. --force writes what could be read.\n`,
    );
    return EXIT.failed;
  }
  io.stderr.write(`${flags.into}: ${tariffId(document)}, ${counted(document.file.services.length, 'service')}\n`);
  if (isGood) return EXIT.done;
  io.stderr.write(`Written because of --force, with ${counts(outcome)}.\n`);
  return errors > 0 ? EXIT.failed : EXIT.done;
};
