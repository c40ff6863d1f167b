/** `rates tariff`: imports carriers' files; checks, compares, lists and publishes tariffs. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { readConfig } from '../config/settings.ts';
import { checkTariff, hasErrors } from '../tariff/check.ts';
import { compileTariff } from '../tariff/compile.ts';
import { type Coverage, coverageOf } from '../tariff/coverage.ts';
import { later } from '../tariff/days.ts';
import { type Difference, diffTariffs } from '../tariff/diff.ts';
import { summarizeRates, summaryText } from '../tariff/diff-summary.ts';
import type { Finding, TariffDocument } from '../tariff/document.ts';
import { readTariffFolder } from '../tariff/folder.ts';
import { fuelFindings } from '../tariff/fuel-ends.ts';
import { readLayers } from '../tariff/import/layers.ts';
import { decisionsText } from '../tariff/import/report/report.ts';
import { dayIn } from '../tariff/schedule.ts';
import { unchartedFor, unchartedText } from '../tariff/uncharted.ts';
import { EXIT } from './exit.ts';
import { beginningFolder } from './folder-changes.ts';
import { counted } from './format.ts';
import { coverageLines } from './tariff-coverage.ts';
import { fuelCommand } from './tariff-fuel.ts';
import {
  dateOption,
  findingText,
  type ImportFlags,
  importTariff,
  jsonText,
  type Output,
  type TariffIo,
  warehousesOf,
} from './tariff-import.ts';
import { listPublished, listTariffs, type PublishFlags, publish, withdraw } from './tariff-versions.ts';

interface Examination {
  /** Warehouses without a zone chart, and fuel that ends. */
  readonly findings: readonly Finding[];
  readonly coverage: Coverage;
}

/** Examines a tariff without errors as it is today, or on its first day if that is still to come. */
const examine = async (document: TariffDocument, io: TariffIo): Promise<Examination> => {
  const { effective, timeZone } = document.file;
  const today = dayIn(timeZone, new Date());
  const day = later(today, effective);
  const cards = compileTariff(document, day);
  const origins = await warehousesOf(io.env, io);
  const uncharted = origins.flatMap(({ zip5, label }) =>
    unchartedFor(cards, { postalCode: zip5, countryCode: 'US' }).map((entry): Finding => {
      return { severity: 'warning', at: `${label} (${zip5})`, message: unchartedText(entry) };
    }),
  );
  return {
    findings: [...uncharted, ...fuelFindings(document, day)],
    coverage: coverageOf(document, cards, { day, origins }),
  };
};

/** Checks a tariff's folder. @returns 0 if it has no error, else 1 */
const checkFolder = async (dir: string, json: boolean, io: TariffIo): Promise<number> => {
  const read = await readTariffFolder(dir);
  const own = 'document' in read ? checkTariff(read.document) : read.findings;
  const examined = 'document' in read && !hasErrors(own) ? await examine(read.document, io) : undefined;
  const findings = [...own, ...(examined?.findings ?? [])];
  const layers = 'document' in read ? await readLayers(dir) : undefined;
  const decisions =
    layers?.base === undefined || layers.current === undefined ? [] : decisionsText(layers.base, layers.current);
  if (json) io.stdout.write(jsonText({ findings, decisions, coverage: examined?.coverage ?? null }));
  else {
    io.stdout.write(decisions.map((line) => `decided here: ${line}\n`).join(''));
    io.stdout.write(findings.map(findingText).join(''));
    if (examined !== undefined) io.stdout.write(`\n${coverageLines(examined.coverage).join('\n')}\n`);
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

export const differenceText = ({ change, at, before, after, percent }: Difference): string => {
  const values = [before, after].filter((value) => value !== undefined).join(' → ');
  return `${SIGNS[change]} ${at}: ${values}${percent === undefined ? '' : ` (${percent})`}\n`;
};

const DIFF_COLUMNS = ['change', 'at', 'before', 'after', 'percent'] as const;

interface DiffFlags {
  readonly cells?: true;
  readonly csv?: true;
  readonly json?: true;
}

/** Prints what changed from one tariff's folder to another's: a page for people, or every cell. */
const diffFolders = async (before: string, after: string, flags: DiffFlags, io: Output): Promise<number> => {
  const [old, now] = [await documentIn(before, io), await documentIn(after, io)];
  if (old === undefined || now === undefined) return EXIT.failed;
  const differences = diffTariffs(old, now);
  if (flags.json === true) io.stdout.write(jsonText({ services: summarizeRates(old, now), differences }));
  else if (flags.csv === true) io.stdout.write(stringify(differences, { header: true, columns: [...DIFF_COLUMNS] }));
  else {
    const count = (change: Difference['change']): number =>
      differences.filter((difference) => difference.change === change).length;
    io.stdout.write(`${summaryText(old, now, differences).join('\n')}\n\n`);
    if (flags.cells === true) io.stdout.write(`${differences.map(differenceText).join('')}\n`);
    io.stdout.write(`${count('added')} added, ${count('removed')} removed, ${count('changed')} changed\n`);
    if (flags.cells !== true && differences.length > 0)
      io.stderr.write('--cells lists all of them; --csv lists them as CSV.\n');
  }
  return EXIT.done;
};

const codesOption = (text: string): string[] => text.split(',').map((code) => code.trim().toUpperCase());

const originOption = (text: string, before: Readonly<Record<string, string>>): Record<string, string> => {
  const [, file, origin] = /^(.+)=(\d{3}(?:-\d{3})?)$/.exec(text) ?? [];
  if (file === undefined || origin === undefined) throw new InvalidArgumentError('It must be FILE=ZIP3.');
  return { ...before, [file]: origin };
};

const EXAMPLES = {
  import: `
Examples:
  rates tariff import list-rates.pdf daily-rates.xlsx zones/* --into tariffs/2026 --effective 2026-01-05
  rates tariff import rates.pdf zones.csv --origin zones.csv=070 --into tariffs/2026 --effective 2026-01-05`,
  check: `
Examples:
  rates tariff check tariffs/2026`,
  diff: `
Examples:
  rates tariff diff tariffs/2025 tariffs/2026
  rates tariff diff tariffs/2025 tariffs/2026 --csv > changes.csv
  rates tariff diff tariffs/2026/imported tariffs/2026     # the operator's decisions`,
  list: `
Examples:
  rates tariff list
  rates tariff list tariffs --json
  TARIFFS_DIR=published rates tariff list`,
  publish: `
Examples:
  rates tariff publish tariffs
  rates tariff publish tariffs/2025 tariffs/2026
  rates tariff publish --add drafts/2027
  rates tariff publish --back-to 3-90a1b2c3d4e5f607
  TARIFFS_DIR=/srv/rates/tariffs rates tariff publish drafts/2026
  TARIFFS_DIR=/srv/rates/tariffs rates tariff publish --back-to 3

If TARIFFS_DIR names a folder, the tariffs are checked, also beside those that are there, and copied into it. A running service
uses them within a second. This needs no Redis. With TARIFFS_DIR=published, the tariffs replace all published ones, or come
beside them with --add. --back-to makes all tariffs what they were in an earlier version: \`rates tariff list\`. On many
machines, set the REDIS_URL and STORE_URL of the API and the workers here. On one machine with a private Redis, set neither of
them, and use the same DATA_DIR.`,
  withdraw: `
Examples:
  rates tariff withdraw 2026@2026-01-05-1a2b3c4d
  TARIFFS_DIR=/srv/rates/tariffs rates tariff withdraw 2026

Batches that were created before keep their prices. \`rates tariff publish --back-to VERSION\` brings the tariff back.`,
};

/** The command `rates tariff`. */
export const tariffCommand = (io: TariffIo): Command => {
  const tariff = new Command('tariff').description("Import carriers' files; check, compare, list and publish tariffs");
  tariff
    .command('import')
    .description("Create a tariff's folder from carriers' files: rates, zone charts, our own CSVs")
    .argument('<files...>', 'PDF, XLSX or CSV, in any order')
    .requiredOption('--into <dir>', "the tariff's folder; an existing one is replaced")
    .requiredOption('--effective <date>', 'the first day on which it is in force, YYYY-MM-DD', dateOption)
    .option('--services <codes>', 'take these services too, which files have on request: FDX-1R-MB2,…', codesOption)
    .option('--origin <file=zip3>', 'the origin of a zone list that does not name it; repeatable', originOption, {})
    .addHelpText('after', EXAMPLES.import)
    .option('--force', 'write even with unreadable cells and contradictions')
    .option('--json', 'report as JSON')
    .action(async (files: string[], flags: ImportFlags) =>
      io.setExitCode(await beginningFolder(flags.into, () => importTariff(files, flags, io))),
    );
  tariff
    .command('check')
    .description('Report errors and warnings of a tariff, and what it covers')
    .addHelpText('after', EXAMPLES.check)
    .argument('<dir>', "the tariff's folder")
    .option('--json', 'report as JSON')
    .action(async (dir: string, { json = false }: { json?: boolean }) =>
      io.setExitCode(await checkFolder(dir, json, io)),
    );
  tariff
    .command('diff')
    .description('Compare two tariffs')
    .argument('<before>', 'folder')
    .addHelpText('after', EXAMPLES.diff)
    .argument('<after>', 'folder')
    .option('--cells', 'also list every cell that differs')
    .addOption(new Option('--csv', 'print only the cells that differ, as CSV').conflicts('cells'))
    .addOption(new Option('--json', 'report as JSON').conflicts(['cells', 'csv']))
    .action(async (before: string, after: string, flags: DiffFlags) =>
      io.setExitCode(await diffFolders(before, after, flags, io)),
    );
  tariff
    .command('list')
    .description('List tariffs with versions and dates')
    .addHelpText('after', EXAMPLES.list)
    .argument('[dir]', 'the folder with tariffs; default: TARIFFS_DIR, or the published tariffs')
    .option('--json', 'report as JSON')
    .action(async (named: string | undefined, { json = false }: { json?: boolean }) => {
      const dir = named ?? readConfig(io.env).tariffsDir;
      const now = new Date();
      const listing =
        dir === undefined ? listPublished(readConfig(io.env), json, now, io) : listTariffs(dir, json, now, io);
      io.setExitCode(await listing);
    });
  tariff
    .command('publish')
    .description('Check tariffs and put them in force: in the folder of TARIFFS_DIR, or in all processes at once')
    .addHelpText('after', EXAMPLES.publish)
    .argument('[folders...]', 'folders of tariffs, or folders that contain them')
    .option('--back-to <version>', 'instead put an earlier version in force again')
    .option('--add', 'keep the other published tariffs; in a folder they always stay')
    .option('--replace', 'replace a tariff of the same name; with --add, of the same name and date')
    .option('--json', 'print what was published as JSON')
    .action(async (folders: string[], flags: PublishFlags) => io.setExitCode(await publish(folders, flags, io)));
  tariff
    .command('withdraw')
    .description('Take a tariff out of force: from the folder of TARIFFS_DIR, or from all processes at once')
    .addHelpText('after', EXAMPLES.withdraw)
    .argument('<tariff>', 'its id, as `rates tariff list` shows it, or its name')
    .option('--json', 'print what was withdrawn as JSON')
    .action(async (named: string, flags: Pick<PublishFlags, 'json'>) =>
      io.setExitCode(await withdraw(named, flags, io)),
    );
  tariff.addCommand(fuelCommand(io));
  return tariff;
};
