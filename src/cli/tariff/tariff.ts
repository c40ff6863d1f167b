/** `rates tariff`: imports carriers' files; checks, compares, lists and publishes tariffs. */
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { stringify } from 'csv-stringify/sync';
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { documentsOf, errorsOf } from '../../catalog/documents/judged.ts';
import { AGREEMENTS, checkFolders, foldersInAll, type Kind, TARIFFS } from '../../catalog/documents/kinds.ts';
import { compiledText } from '../../catalog/rater/core.ts';
import { checkTariff, hasErrors } from '../../catalog/tariff/check/check.ts';
import type { Coverage, ServiceCoverage } from '../../catalog/tariff/coverage.ts';
import { type Difference, diffTariffs } from '../../catalog/tariff/diff/diff.ts';
import { summarizeRates, summaryText } from '../../catalog/tariff/diff/diff-summary.ts';
import type { TariffDocument } from '../../catalog/tariff/document.ts';
import { severalOf } from '../../catalog/tariff/findings.ts';
import { readTariffFolder } from '../../catalog/tariff/folder.ts';
import { readLayers } from '../../import/layers.ts';
import { decisionsText, findingLines } from '../../import/report/report.ts';
import { TARIFF_PARTS, type TariffPart } from '../../rating/charges.ts';
import { command, flag, group, required, texts } from '../command.ts';
import { documentCommands } from '../documents.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { count, counted, differenceText, failureWith, findingText, problemCounts, table } from '../format.ts';
import { openOutput } from '../rate/output-file.ts';
import { tariffFuel } from './tariff-fuel.ts';
import { tariffImport, warehousesOf } from './tariff-import.ts';
import { examine, TARIFF_FAMILY } from './tariff-list.ts';

/* The coverage of a tariff as text: two tables that fit in 100 columns, and the missing parts. */

const ratesText = ({ rates: { from, toLb, columns, byVolume } }: ServiceCoverage): string => {
  const weights = from === '1 lb' ? `1-${toLb} lb` : `${from}-${toLb} lb`;
  return `${weights}, ${counted(columns.length, 'zone')}${byVolume ? ', cubic' : ''}`;
};

const ZONES = { charted: 'charted', distance: 'by distance', estimated: 'estimated', unreached: 'none' } as const;
const ZONE_STATES = ['charted', 'distance', 'estimated', 'unreached'] as const;
const MAX_ORIGINS = 3;

/** The number of warehouses by kind of zones. Without warehouses: the origins of the charts. */
const zonesText = ({ zones: { origins, warehouses } }: ServiceCoverage): string => {
  if (warehouses.length === 0)
    return origins.length === 0 ? 'by distance' : `from ${severalOf(origins, ', ', MAX_ORIGINS)}`;
  const counts = ZONE_STATES.map((state) => ({
    word: ZONES[state],
    own: warehouses.filter(({ zones }) => zones === state).length,
  })).filter(({ own }) => own > 0);
  const [first, ...others] = counts;
  if (others.length === 0) return must(first, 'the zones of a warehouse').word;
  return counts.map(({ word, own }) => `${own} ${word}`).join(', ');
};

const WORDS = { present: 'yes', missing: 'missing', none: 'none' } as const;

const fuelText = ({ fuel: { percent, lastDay, nextDay, isCarried }, parts }: ServiceCoverage): string => {
  if (parts.fuel === 'missing') {
    if (lastDay !== undefined) return `missing after ${lastDay}`;
    return nextDay === undefined ? WORDS.missing : `missing before ${nextDay}`;
  }
  if (parts.fuel === 'none') return WORDS.none;
  const rate = percent === undefined ? WORDS.present : `${Number(percent).toFixed(2)}%`;
  if (lastDay === undefined) return rate;
  return isCarried ? `${rate}, last known on ${lastDay}` : `${rate} to ${lastDay}`;
};

const areasText = ({ areas: { tiers, zipCodes }, parts }: ServiceCoverage): string =>
  parts.deliveryArea === 'present'
    ? `${counted(tiers.length, 'tier')}, ${count(zipCodes)} ZIPs`
    : WORDS[parts.deliveryArea];

const limitsText = ({ limits: { lengthIn, lengthPlusGirthIn, weightLb }, parts }: ServiceCoverage): string => {
  const sides = `${lengthIn ?? '-'} / ${lengthPlusGirthIn ?? '-'} in`;
  return `${parts.limits === 'present' ? sides : WORDS[parts.limits]}, ${weightLb} lb`;
};

const OPTIONS = { signature: 'signature', saturday: 'Saturday', declaredValue: 'value' } as const;
const OPTION_PARTS = ['signature', 'saturday', 'declaredValue'] as const;

const optionsText = ({ parts }: ServiceCoverage): string => {
  const has = OPTION_PARTS.filter((part) => parts[part] === 'present');
  if (has.length > 0) return has.map((part) => OPTIONS[part]).join(', ');
  return OPTION_PARTS.every((part) => parts[part] === 'none') ? WORDS.none : WORDS.missing;
};

/** `all services`, or carriers whose services are all included and the codes of other services. */
const namesOf = (lacking: readonly ServiceCoverage[], services: readonly ServiceCoverage[]): string => {
  if (lacking.length === services.length) return 'all services';
  const sizeOf = (of: readonly ServiceCoverage[], name: string): number =>
    of.filter(({ carrier }) => carrier === name).length;
  const isWhole = (name: string): boolean =>
    sizeOf(lacking, name) > 1 && sizeOf(lacking, name) === sizeOf(services, name);
  const whole = [...new Set(lacking.map(({ carrier }) => carrier))].filter(isWhole);
  const others = lacking.filter(({ carrier }) => !isWhole(carrier));
  return severalOf([...whole.map((carrier) => `all of ${carrier}`), ...others.map(({ service }) => service)], ', ', 4);
};

/** A line for parts that are missing from the same services. */
const missingLines = (services: readonly ServiceCoverage[]): string[] => {
  const lacking = (part: TariffPart) => services.filter(({ parts }) => parts[part] === 'missing');
  const missing = TARIFF_PARTS.filter((part) => lacking(part).length > 0);
  const byServices = grouped(missing, (part) => namesOf(lacking(part), services));
  return [...byServices].map(([names, parts]) => `  ${parts.join(', ')}: ${names}`);
};

/** The lines of the coverage. `signature`, `saturday` and `declaredValue` are missing only if a request needs them. */
export const coverageLines = ({ day, services }: Coverage): string[] => {
  const missing = missingLines(services);
  return [
    `Coverage on ${day}:`,
    ...table([
      ['service', 'rates', 'zones', 'length / plus girth, weight', 'handling'],
      ...services.map((one) => [
        ...[one.service, ratesText(one), zonesText(one), limitsText(one), WORDS[one.parts.handling]],
      ]),
    ]),
    '',
    ...table([
      ['service', 'fuel', 'residential', 'delivery area', 'options'],
      ...services.map((one) => [
        ...[one.service, fuelText(one), WORDS[one.parts.residential], areasText(one), optionsText(one)],
      ]),
    ]),
    '',
    ...(missing.length === 0
      ? ['Nothing is missing.']
      : ['Missing. Prices that need it are too low and have the warning price.incomplete:', ...missing]),
    '',
  ];
};

/** The documents in folders. @throws {ToldError} if any has an error, or a folder has none */
const usable = async <D>(kind: Kind<D>, dirs: readonly string[]): Promise<readonly D[]> => {
  const folders = await checkFolders(kind, await foldersInAll(kind, dirs));
  const errors = errorsOf(folders);
  if (errors.length > 0) throw new CommandFailure(errors.map(findingText).join('\n'));
  return documentsOf(folders);
};

const tariffCompile = command({
  path: 'tariff compile',
  about: 'Write tariffs into one file, for programs that rate with the library',
  args: { dir: required('<dir>', 'the folder of one tariff or several') },
  options: {
    output: required('-o, --output <file>', 'the file to write; - is standard output'),
    agreement: texts('--agreement <dir>', 'add the agreement in a folder, or several'),
  },
  examples: ['rates tariff compile tariffs/2026 -o 2026.rates'],
  run: async ({ dir, output, agreement }, io) => {
    const tariffs = await usable(TARIFFS, [dir]);
    const agreements = await usable(AGREEMENTS, agreement);
    const bytes = await promisify(gzip)(compiledText(tariffs, agreements), { level: 9 });
    const file = await openOutput(output, io);
    await file.write(bytes);
    await file.commit();
    const said = `${counted(tariffs.length, 'tariff')}, ${count(bytes.length)} bytes`;
    return output === '-' ? { notes: [said] } : { lines: () => [`${said}, in ${output}`] };
  },
});

/** @throws the system's error if there is no such folder */
const readIn = async (dir: string): ReturnType<typeof readTariffFolder> => {
  await readdir(dir);
  return await readTariffFolder(dir);
};

const tariffCheck = command({
  path: 'tariff check',
  about: 'Report errors and warnings of a tariff, and what it covers',
  args: { dir: required('<dir>', "the tariff's folder") },
  options: { json: flag('--json', 'report as JSON') },
  examples: ['rates tariff check tariffs/2026'],
  run: async ({ dir }, io) => {
    const read = await readIn(dir);
    const own = 'document' in read ? checkTariff(read.document) : read.findings;
    const examined =
      'document' in read && !hasErrors(own) ? examine(read.document, await warehousesOf(io), new Date()) : undefined;
    const findings = [...own, ...(examined?.findings ?? [])];
    const layers = 'document' in read ? await readLayers(dir) : undefined;
    const decisions =
      layers?.base === undefined || layers.current === undefined ? [] : decisionsText(layers.base, layers.current);
    const document = 'document' in read ? read.document : undefined;
    const warnings = own.filter(({ severity }) => severity === 'warning');
    return {
      json: () => ({ findings, decisions, coverage: examined?.coverage() ?? null }),
      lines: () => [
        ...decisions.map((line) => `your decision: ${line}`),
        ...own.filter((finding) => !warnings.includes(finding)).map(findingText),
        ...findingLines(warnings, document).map((line) => `warning: ${line}`),
        ...(examined?.findings ?? []).map(findingText),
        ...(examined === undefined ? [] : ['', ...coverageLines(examined.coverage())]),
        `${dir}: ${problemCounts(findings)}`,
      ],
      exit: hasErrors(findings) ? EXIT.failed : EXIT.done,
    };
  },
});

const documentIn = async (dir: string): Promise<TariffDocument> => {
  const read = await readIn(dir);
  if ('document' in read) return read.document;
  throw failureWith(`${dir} cannot be read:`, read.findings);
};

const DIFF_COLUMNS = ['change', 'at', 'before', 'after', 'percent'] as const;

const tariffDiff = command({
  path: 'tariff diff',
  about: 'Compare two tariffs',
  args: { before: required('<before>', 'folder'), after: required('<after>', 'folder') },
  options: {
    cells: flag('--cells', 'also list every cell that differs'),
    csv: flag('--csv', 'print only the cells that differ, as CSV'),
    json: flag('--json', 'report as JSON'),
  },
  excludes: { csv: ['cells'], json: ['cells', 'csv'] },
  examples: [
    'rates tariff diff tariffs/2025 tariffs/2026',
    'rates tariff diff tariffs/2025 tariffs/2026 --csv > changes.csv',
    "rates tariff diff tariffs/2026/imported tariffs/2026     # the operator's decisions",
  ],
  run: async ({ before, after, cells, csv }) => {
    const [old, now] = [await documentIn(before), await documentIn(after)];
    const differences = diffTariffs(old, now);
    if (csv) return { data: stringify(differences, { header: true, columns: [...DIFF_COLUMNS] }) };
    const count = (change: Difference['change']): number =>
      differences.filter((difference) => difference.change === change).length;
    return {
      json: () => ({ services: summarizeRates(old, now), differences }),
      lines: () => [
        ...summaryText(old, now, differences),
        '',
        ...(cells ? [...differences.map(differenceText), ''] : []),
        `${count('added')} added, ${count('removed')} removed, ${count('changed')} changed`,
      ],
      remarks: () => (cells || differences.length === 0 ? [] : ['--cells lists all of them; --csv lists them as CSV.']),
    };
  },
});

export const tariffCommands = [
  group('tariff', "Import carriers' files; check, compare, list and publish tariffs"),
  ...[tariffImport, tariffCheck, tariffDiff],
  ...documentCommands(TARIFF_FAMILY),
  ...tariffFuel,
  tariffCompile,
];
