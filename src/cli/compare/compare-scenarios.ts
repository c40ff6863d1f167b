/** The scenarios of `rates compare`, read from SPECs and a file, with their tariffs and agreements. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Config } from '../../base/config/settings.ts';
import { Failed } from '../../base/failed.ts';
import { parseJson } from '../../base/parse-json.ts';
import { check, pathText } from '../../base/validation.ts';
import type { AgreementDocument } from '../../catalog/agreement/document.ts';
import { documentsOf, errorsOf } from '../../catalog/documents/judged.ts';
import { checkFolders, foldersIn, TARIFFS } from '../../catalog/documents/kinds.ts';
import type { TariffDocument } from '../../catalog/tariff/document.ts';
import { errorsIn } from '../../catalog/tariff/findings.ts';
import { systemCode } from '../../catalog/tariff/folder-files.ts';
import { type Schedule, scheduleOf } from '../../catalog/tariff/schedule.ts';
import { type Resolved, resolveScenarios, type ScenarioSources } from '../../lists/comparison/resolve.ts';
import { MOST_SCENARIOS, NO_AGREEMENT, type Scenario, scenarioSchema } from '../../lists/comparison/scenario.ts';
import { checkedIn } from '../agreement/agreement-sources.ts';
import { type Given, text, texts } from '../command.ts';
import { wrongUse } from '../exit.ts';
import { agreementsNamed, errorLines, type Local } from '../rate/local-sources.ts';
import { keyOf, readSpec } from './compare-spec.ts';

/** The options for scenarios. */
export const SPEC_OPTIONS = {
  against: texts('--against <spec>', 'a scenario, such as "all to Ground: service=C1-GROUND"; repeatable'),
  scenarios: text('--scenarios <file>', 'a JSON file with scenarios'),
};
export type SpecFlags = Given<typeof SPEC_OPTIONS>;

/** A scenario and its source: `--against 2`, or a place in a file. */
export interface Asked {
  readonly where: string;
  /** A member's name in the source: `divisor` in a SPEC. */
  readonly nameOf: (member: string) => string;
  readonly scenario: Scenario;
}

const refuse = (problems: readonly string[]): never => {
  throw wrongUse(`Nothing was compared:\n${problems.map((line) => `  ${line}`).join('\n')}`);
};

const memberIn = (path: readonly PropertyKey[], nameOf: Asked['nameOf']): string => {
  const [first, ...rest] = path;
  return first === undefined ? '' : pathText([nameOf(String(first)), ...rest]);
};

const line = (where: string, member: string, message: string): string =>
  `${where}${member === '' ? '' : `, ${member}`} ${message}`;

/** Checks the form of a scenario. @returns the scenario, or the problems */
const judged = (value: unknown, where: string, nameOf: Asked['nameOf']): Asked | string[] => {
  const scenario = check(scenarioSchema, value);
  if (!(scenario instanceof Failed)) return { where, nameOf, scenario };
  return scenario.fault.map(({ path, message }) => line(where, memberIn(path, nameOf), message));
};

const ofSpec = (spec: string, index: number): Asked | string[] => {
  const where = `--against ${index + 1}`;
  const read = readSpec(spec);
  if (Array.isArray(read)) return read.map(({ key, message }) => line(where, key, message));
  return judged(read, where, keyOf);
};

const scenarioList = z.union([z.array(z.unknown()), z.object({ scenarios: z.array(z.unknown()) })]);

const inFile = async (file: string): Promise<(Asked | string[])[]> => {
  const read = parseJson(await readFile(file, 'utf8'));
  if ('problem' in read) return [[`${file} ${read.problem}`]];
  const list = scenarioList.safeParse(read.json);
  if (!list.success) return [[`${file} must be a list of scenarios, [{…}], or {"scenarios": [{…}]}`]];
  const scenarios = Array.isArray(list.data) ? list.data : list.data.scenarios;
  if (scenarios.length === 0) return [[`${file} has no scenario`]];
  return scenarios.map((one, index) => judged(one, `${file} scenario ${index + 1}`, (member) => member));
};

/**
 * Reads the scenarios of the SPECs, then of the file. Does not look up names yet. @throws {CommandFailure} with every
 * problem
 */
export const askedScenarios = async (specs: readonly string[], file: string | undefined): Promise<readonly Asked[]> => {
  const read = [...specs.map(ofSpec), ...(file === undefined ? [] : await inFile(file))];
  if (read.length === 0) throw wrongUse('Say what to compare with: --against SPEC, or --scenarios FILE.json.');
  if (read.length > MOST_SCENARIOS)
    refuse([`There are ${read.length} scenarios. A comparison has at most ${MOST_SCENARIOS}: leave some out.`]);
  const problems = read.flatMap((one) => (Array.isArray(one) ? one : []));
  return problems.length > 0 ? refuse(problems) : read.flatMap((one) => (Array.isArray(one) ? [] : one));
};

/** Names of tariffs and agreements have no slash and begin with a letter or a digit. */
const isPath = (name: string): boolean => name.includes('/') || name.startsWith('.');

/** Refuses folders, because a service does not read them. */
export const requireNames = (asked: readonly Asked[]): void => {
  const problems = asked.flatMap(({ where, nameOf, scenario }) =>
    (['tariff', 'agreement'] as const).flatMap((member) =>
      [scenario[member] ?? []]
        .flat()
        .filter(isPath)
        .map((name) =>
          line(where, nameOf(member), `must be a name, not the folder ${name}: publish it first, or compare a list`),
        ),
    ),
  );
  if (problems.length > 0) refuse(problems);
};

const tariffsIn = async (dir: string): Promise<Schedule | string> => {
  try {
    const folders = await checkFolders(TARIFFS, await foldersIn(TARIFFS, dir));
    const errors = errorsOf(folders);
    if (errors.length > 0) return `has errors in ${dir}; correct them first:\n${errorLines(errors)}`;
    const documents: readonly TariffDocument[] = documentsOf(folders);
    return documents.length === 0 ? `must name a folder with a tariff; ${dir} has none` : scheduleOf(documents);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return `must name a folder with a tariff; ${dir} cannot be read`;
  }
};

const agreementIn = async (dir: string, schedule: Schedule): Promise<AgreementDocument | string> => {
  const { document, findings } = await checkedIn(dir, schedule);
  return document ?? `has errors in ${dir}; correct them first:\n${errorLines(errorsIn(findings))}`;
};

/** Reads each path once. */
const readAll = async <T>(
  paths: readonly string[],
  read: (path: string) => Promise<T>,
): Promise<ReadonlyMap<string, T>> => {
  const found = new Map<string, T>();
  for (const path of new Set(paths)) found.set(path, await read(path));
  return found;
};

/** All usable tariffs of the settings and the scenarios. */
const withFolders = (tariffs: Schedule, folders: ReadonlyMap<string, Schedule | string>): Schedule => ({
  ...tariffs,
  only: (name) => {
    const own = folders.get(name);
    return own === undefined || typeof own === 'string' ? tariffs.only(name) : own;
  },
});

const documentsBeside = (tariffs: Schedule, folders: ReadonlyMap<string, Schedule | string>): Schedule =>
  scheduleOf([
    ...tariffs.documents,
    ...[...folders.values()].flatMap((own) => (typeof own === 'string' ? [] : own.documents)),
  ]);

/** The agreements of the settings, by name. A broken one has the reason instead. */
const agreementsBeside = async (config: Config, { client }: Local) => {
  const own = new Map(client.agreements.map(({ document }) => [document.file.name, document]));
  const { agreements, errors, place } = await agreementsNamed(config);
  const find = (name: string): AgreementDocument | string | undefined => {
    const known = own.get(name) ?? agreements.get(name);
    if (known !== undefined) return known;
    const broken = errors.filter(({ at }) => at.startsWith(`${name}/`));
    return broken.length === 0 ? undefined : `has errors in ${place}; correct them first:\n${errorLines(broken)}`;
  };
  return { find, names: [...new Set([...own.keys(), ...agreements.keys()])].sort() };
};

const sourcesOf = async (asked: readonly Asked[], local: Local, config: Config) => {
  const scenarios = asked.map(({ scenario }) => scenario);
  const tariffPaths = scenarios.flatMap(({ tariff }) => [tariff ?? []].flat()).filter(isPath);
  const named = scenarios.flatMap(({ agreement }) => agreement ?? []);
  const tariffFolders = await readAll(tariffPaths, tariffsIn);
  const paths = named.filter(isPath);
  const beside = paths.length === 0 ? local.tariffs : documentsBeside(local.tariffs, tariffFolders);
  const agreementFolders = await readAll(paths, (path) => agreementIn(path, beside));
  const isNamed = named.some((name) => name !== NO_AGREEMENT && !isPath(name));
  const known = isNamed ? await agreementsBeside(config, local) : { find: () => undefined, names: [] };
  const sources: ScenarioSources = {
    base: local.schedule,
    schedule: withFolders(local.tariffs, tariffFolders),
    account: local.client,
    warehouses: local.client.warehouses,
    agreement: (name) => agreementFolders.get(name) ?? known.find(name),
    agreements: known.names,
  };
  return { sources, tariffFolders };
};

const FOLDER_HINT = 'A folder needs a slash, as in ./drafts.';

/**
 * Looks up the scenarios' names. A tariff or agreement with a slash is a folder. @throws {CommandFailure} with every problem
 */
export const resolvedHere = async (asked: readonly Asked[], local: Local, config: Config): Promise<Resolved> => {
  const { sources, tariffFolders } = await sourcesOf(asked, local, config);
  const broken = asked.flatMap(({ where, nameOf, scenario: { tariff } }) =>
    [tariff ?? []].flat().flatMap((name) => {
      const found = tariffFolders.get(name);
      return typeof found === 'string' ? [line(where, nameOf('tariff'), found)] : [];
    }),
  );
  if (broken.length > 0) refuse(broken);
  const resolved = resolveScenarios(
    asked.map(({ scenario }) => scenario),
    sources,
    '',
  );
  const problems = resolved.issues.map(({ path, message }) => {
    // `[1].tariff`
    const end = path.indexOf(']');
    const own = asked[Number(path.slice(1, end))];
    const member = path.slice(end + 2);
    const hint = ['tariff', 'agreement'].includes(member) && message.includes('there is no') ? `. ${FOLDER_HINT}` : '';
    return line(own?.where ?? '', own?.nameOf(member) ?? member, `${message}${hint}`);
  });
  return problems.length > 0 ? refuse(problems) : resolved;
};
