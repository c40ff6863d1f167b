/** `rates tariff import`: from carriers' files to a tariff's folder. */
import { basename, resolve } from 'node:path';
import { ConfigError, type Environment, readConfig } from '../config.ts';
import { checkTariff, hasErrors } from '../tariff/check.ts';
import type { Finding } from '../tariff/document.ts';
import { readTariffFolder, writeTariffFolder } from '../tariff/folder.ts';
import { tariffId } from '../tariff/identity.ts';
import { assembleTariff, type Source } from '../tariff/import/import.ts';
import { keepSurcharges } from '../tariff/import/keep-surcharges.ts';
import type { Origin } from '../tariff/import/missing.ts';
import { RefusedFile } from '../tariff/import/reading.ts';
import { reportJson, reportText } from '../tariff/import/report.ts';
import { readSource } from '../tariff/import/source.ts';
import { systemCode } from '../tariff/signature.ts';
import { EXIT } from './exit.ts';
import { counted } from './io.ts';
import { clientsNamed } from './published.ts';

/** What a command has of the process that runs it. */
export interface TariffIo {
  readonly stdout: { readonly write: (text: string) => unknown };
  readonly stderr: { readonly write: (text: string) => unknown };
  readonly env: Environment;
  readonly setExitCode: (code: number) => void;
}

export type Output = Pick<TariffIo, 'stdout' | 'stderr'>;

export const findingText = ({ severity, at, message }: Finding): string => `${severity}: ${at}: ${message}\n`;

export const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Why a file could not be opened or read; what is not the file's fault is thrown on. */
const reasonOf = (failure: unknown): string => {
  if (failure instanceof RefusedFile) return failure.message;
  if (systemCode(failure) !== undefined && failure instanceof Error) return failure.message;
  throw failure;
};

/** The clients' warehouses within the United States; none where there is no clients file. */
const warehousesOf = async (env: Environment, { stderr }: Output): Promise<Origin[]> => {
  try {
    const { clients } = await clientsNamed(readConfig(env));
    return [...clients.values()].flatMap(({ id, warehouses }) =>
      [...warehouses.values()]
        .filter(({ countryCode }) => countryCode === 'US')
        .map((warehouse) => ({ zip5: warehouse.postalCode.slice(0, 5), label: `warehouse ${warehouse.id} of ${id}` })),
    );
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    // An import does not need to know the clients; it only could not say which of their origins are missing.
    const reason = failure instanceof ConfigError ? 'the settings are not in order' : failure.message;
    stderr.write(`The clients' warehouses are not known: ${reason}\n`);
    return [];
  }
};

export interface ImportFlags {
  readonly into: string;
  readonly effective: string;
  /** Origin by file, as given or by its name alone. */
  readonly origin: Readonly<Record<string, string>>;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** A tariff's name from its folder's: lower case, with hyphens for all that a name may not have. */
const nameOf = (dir: string): string =>
  basename(resolve(dir))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40) || 'tariff';

const readAll = async (
  files: readonly string[],
  flags: ImportFlags,
  { stderr }: Output,
): Promise<Source[] | undefined> => {
  const sources: Source[] = [];
  let refused = 0;
  for (const path of files) {
    const origin = flags.origin[path] ?? flags.origin[basename(path)];
    try {
      sources.push(await readSource(path, origin === undefined ? {} : { origin }));
    } catch (failure) {
      stderr.write(`${path}: ${reasonOf(failure)}\n`);
      refused++;
    }
  }
  return refused === 0 ? sources : undefined;
};

/**
 * Imports files into a tariff's folder.
 * @returns the exit code: 0 where the folder was written and checks
 */
export const importTariff = async (files: readonly string[], flags: ImportFlags, io: TariffIo): Promise<number> => {
  const sources = await readAll(files, flags, io);
  if (sources === undefined) {
    io.stderr.write('Nothing was written.\n');
    return EXIT.failed;
  }
  const origins = await warehousesOf(io.env, io);
  const assembly = assembleTariff(sources, { name: nameOf(flags.into), effective: flags.effective, origins });
  const before = await readTariffFolder(flags.into);
  const { document, kept } = keepSurcharges(assembly.document, 'document' in before ? before.document : undefined);
  const { unreadable, contradictions } = assembly;
  const findings = document === undefined ? [] : checkTariff(document);
  const report = { sources, assembly: { ...assembly, warnings: [...kept, ...assembly.warnings] }, findings };
  const doubts = unreadable.length + contradictions.length;
  const isGood = document !== undefined && doubts === 0 && !hasErrors(findings);
  const isWritten = document !== undefined && (isGood || flags.force === true);
  if (isWritten) await writeTariffFolder(flags.into, document);
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
        ? 'Nothing was written: these files hold no rates.\n'
        : `Nothing was written: ${counts}. --force writes what could be read.\n`,
    );
    return EXIT.failed;
  }
  io.stderr.write(`${flags.into}: ${tariffId(document)}, ${counted(document.file.services.length, 'service')}\n`);
  if (isGood) return EXIT.done;
  io.stderr.write(`Written by force, with ${counts}.\n`);
  return errors > 0 ? EXIT.failed : EXIT.done;
};
