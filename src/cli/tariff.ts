/** `rates tariff`: import carriers' files, check, compare and list tariffs. */
import { basename } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { readConfig } from '../config.ts';
import { checkTariff, hasErrors } from '../tariff/check.ts';
import { type Difference, diffTariffs } from '../tariff/diff.ts';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import { readTariffFolder } from '../tariff/folder.ts';
import { conflictsOf, scheduleOf, tariffId } from '../tariff/schedule.ts';
import { foldersIn } from '../tariff/signature.ts';
import { EXIT } from './exit.ts';
import { counted } from './io.ts';
import { type ImportFlags, importTariff, jsonText, type Output, type TariffIo } from './tariff-import.ts';

const findingText = ({ severity, at, message }: Finding): string => `${severity}: ${at}: ${message}\n`;

/** Checks a tariff's folder. @returns 0 where it has no error, else 1 */
const checkFolder = async (dir: string, json: boolean, io: Output): Promise<number> => {
  const read = await readTariffFolder(dir);
  const findings = 'document' in read ? checkTariff(read.document) : read.findings;
  if (json) io.stdout.write(jsonText({ findings }));
  else {
    io.stdout.write(findings.map(findingText).join(''));
    const count = (severity: Finding['severity']): number =>
      findings.filter((finding) => finding.severity === severity).length;
    io.stdout.write(`${dir}: ${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}\n`);
  }
  return hasErrors(findings) ? EXIT.failed : EXIT.done;
};

const documentIn = async (dir: string, { stderr }: Output): Promise<TariffDocument | undefined> => {
  const read = await readTariffFolder(dir);
  if ('document' in read) return read.document;
  stderr.write(`${dir} cannot be read:\n${read.findings.map(findingText).join('')}`);
  return undefined;
};

const SIGNS = { added: '+', removed: '-', changed: '~' } as const;

const differenceText = ({ change, at, before, after, percent }: Difference): string => {
  const values = [before, after].filter((value) => value !== undefined).join(' → ');
  return `${SIGNS[change]} ${at}: ${values}${percent === undefined ? '' : ` (${percent})`}\n`;
};

/** Prints what changed from one tariff's folder to another's. */
const diffFolders = async (before: string, after: string, json: boolean, io: Output): Promise<number> => {
  const [old, now] = [await documentIn(before, io), await documentIn(after, io)];
  if (old === undefined || now === undefined) return EXIT.failed;
  const differences = diffTariffs(old, now);
  if (json) io.stdout.write(jsonText({ differences }));
  else {
    const count = (change: Difference['change']): number =>
      differences.filter((difference) => difference.change === change).length;
    io.stdout.write(differences.map(differenceText).join(''));
    io.stdout.write(`${count('added')} added, ${count('removed')} removed, ${count('changed')} changed\n`);
  }
  return EXIT.done;
};

/** Prints the tariffs that lie in a folder: versions, dates, and which of their services are in force now. */
const listTariffs = async (dir: string, json: boolean, now: Date, io: Output): Promise<number> => {
  const documents: TariffDocument[] = [];
  const broken: string[] = [];
  for (const folder of await foldersIn(dir)) {
    const read = await readTariffFolder(folder);
    if (
      'document' in read &&
      !hasErrors([...checkTariff(read.document), ...conflictsOf([...documents, read.document])])
    )
      documents.push(read.document);
    else broken.push(basename(folder));
  }
  const cards = scheduleOf(documents).bookAt(now).cards;
  const tariffs = documents.map((document) => {
    const id = tariffId(document);
    const inForce = cards.filter(({ tariff }) => tariff === id).map(({ code }) => code);
    const { name, effective, services } = document.file;
    return { id, name, effective, services: services.map(({ code }) => code), inForce };
  });
  if (json) io.stdout.write(jsonText({ tariffs, broken }));
  else
    for (const { id, effective, services, inForce } of tariffs) {
      const share = inForce.length === services.length ? 'all' : inForce.length === 0 ? 'none' : inForce.join(', ');
      io.stdout.write(`${id}: from ${effective}, ${counted(services.length, 'service')}, in force now: ${share}\n`);
    }
  for (const name of broken) io.stderr.write(`${name} does not check: rates tariff check tells why\n`);
  return broken.length === 0 ? EXIT.done : EXIT.failed;
};

const dateOption = (text: string): string => {
  if (!z.iso.date().safeParse(text).success) throw new InvalidArgumentError('It must be a date, YYYY-MM-DD.');
  return text;
};

const originOption = (text: string, before: Readonly<Record<string, string>>): Record<string, string> => {
  const [, file, origin] = /^(.+)=(\d{3}(?:-\d{3})?)$/.exec(text) ?? [];
  if (file === undefined || origin === undefined) throw new InvalidArgumentError('It must be FILE=ZIP3.');
  return { ...before, [file]: origin };
};

/** `rates tariff`, to be added to the program. */
export const tariffCommand = (io: TariffIo): Command => {
  const tariff = new Command('tariff').description("Import carriers' files; check, compare and list tariffs");
  tariff
    .command('import')
    .description("Make a tariff's folder of carriers' files: rates, zone charts, our own CSVs")
    .argument('<files...>', 'PDF, XLSX or CSV, in any order')
    .requiredOption('--into <dir>', "the tariff's folder; one that is there is replaced as a whole")
    .requiredOption('--effective <date>', 'the day from which it is in force, YYYY-MM-DD', dateOption)
    .option(
      '--origin <file=zip3>',
      'the origin of a zone list that does not name it; may be repeated',
      originOption,
      {},
    )
    .option('--force', 'write in spite of unreadable cells and contradictions')
    .option('--json', 'report as JSON')
    .action(async (files: string[], flags: ImportFlags) => io.setExitCode(await importTariff(files, flags, io)));
  tariff
    .command('check')
    .description('Say what is wrong with a tariff')
    .argument('<dir>', "the tariff's folder")
    .option('--json', 'report as JSON')
    .action(async (dir: string, { json = false }: { json?: boolean }) =>
      io.setExitCode(await checkFolder(dir, json, io)),
    );
  tariff
    .command('diff')
    .description('Say what changed from one tariff to another')
    .argument('<before>', 'folder')
    .argument('<after>', 'folder')
    .option('--json', 'report as JSON')
    .action(async (before: string, after: string, { json = false }: { json?: boolean }) =>
      io.setExitCode(await diffFolders(before, after, json, io)),
    );
  tariff
    .command('list')
    .description('List tariffs, their versions and dates')
    .argument('[dir]', 'the folder in which they lie; TARIFFS_DIR unless given')
    .option('--json', 'report as JSON')
    .action(async (dir: string | undefined, { json = false }: { json?: boolean }) =>
      io.setExitCode(await listTariffs(dir ?? readConfig(io.env).tariffsDir, json, new Date(), io)),
    );
  return tariff;
};
