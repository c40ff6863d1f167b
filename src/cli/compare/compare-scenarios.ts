/** The scenarios of `rates compare`, read from SPECs and a file, with their tariffs and agreements. */
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
import { textAt, wrongUse } from '../exit.ts';
import { agreementsNamed, errorLines, type Local } from '../rate/local-sources.ts';

/*
 * `--against SPEC`: a scenario as text, `[name:] key=value; key=value…`. Only splits at these signs, so that no text takes
 * long to read.
 */

/** A problem of a SPEC. The message continues a sentence that begins with the key, or with the SPEC if the key is empty. */
export interface SpecProblem {
  readonly key: string;
  readonly message: string;
}

/** A scenario before the check by the schema. */
type Members = Readonly<Record<string, unknown>>;

class Unreadable extends Error {}

const parts = (text: string, separator: string): string[] => text.split(separator).map((part) => part.trim());

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** Whether a text is a number without a sign, such as `18.5`. */
const isNumber = (text: string): boolean =>
  text !== '' &&
  [...text].every((character) => isDigit(character) || character === '.') &&
  Number.isFinite(Number(text));

/** Removes an optional percent sign. */
const bare = (text: string): string => (text.endsWith('%') ? text.slice(0, -1).trimEnd() : text);

const numberOf = (text: string): number => {
  if (!isNumber(bare(text))) throw new Unreadable(`"${text}" is not a number`);
  return Number(bare(text));
};

/** Pairs separated by commas. Names must be unique. */
const pairs = <T>(text: string, read: (pair: string) => readonly [string, T]): Record<string, T> => {
  const all = new Map<string, T>();
  for (const part of parts(text, ',')) {
    const [name, value] = read(part);
    if (all.has(name)) throw new Unreadable(`${name} comes twice`);
    all.set(name, value);
  }
  return Object.fromEntries(all);
};

/** `C1-GROUND 35` */
const numberPair = (text: string): readonly [string, number] => {
  const space = text.indexOf(' ');
  if (space === -1) throw new Unreadable(`"${text}" must be a service, a space and a number`);
  return [text.slice(0, space), numberOf(text.slice(space).trim())];
};

/** `C2-GROUND>C1-GROUND` */
const mapPair = (text: string): readonly [string, string] => {
  const [from = '', to = '', ...more] = parts(text, '>');
  if (from === '' || to === '' || more.length > 0)
    throw new Unreadable(`"${text}" must be two services with > between`);
  return [from, to];
};

/** One number for all services, or a number for each named service. */
const numbers = (text: string): unknown => {
  const isOne = isNumber(bare(text)) || (isDigit(text.charAt(0)) && !text.includes(' '));
  return isOne ? numberOf(text) : pairs(text, numberPair);
};

const warehouse = (text: string): unknown => {
  if (text === 'any') return text;
  const ids = parts(text, '|').map((id) => {
    if (id === '' || ![...id].every(isDigit)) throw new Unreadable(`"${id}" is not the id of a warehouse`);
    return Number(id);
  });
  return ids.length === 1 ? ids[0] : ids;
};

const several = (text: string): unknown => {
  const names = parts(text, ',');
  return names.length === 1 ? names[0] : names;
};

const same = (text: string): unknown => text;

interface KeyForm {
  /** The member's name in a scenario, if different. */
  readonly member?: string;
  readonly example: string;
  readonly read: (text: string) => unknown;
}

const FORMS: ReadonlyMap<string, KeyForm> = new Map<string, KeyForm>([
  ['tariff', { example: 'ups-2027 or ./tariffs/2027', read: several }],
  ['agreement', { example: 'ups-2027, none or ./drafts/ups-2027', read: same }],
  ['discounts', { example: 'C1-GROUND 35, C2-GROUND 20', read: (text) => pairs(text, numberPair) }],
  ['service', { example: 'C1-GROUND or cheapest', read: same }],
  ['map', { member: 'serviceMap', example: 'C2-GROUND>C1-GROUND', read: (text) => pairs(text, mapPair) }],
  ['carrier', { example: 'C1', read: same }],
  ['warehouse', { example: '103, any or 101|103', read: warehouse }],
  ['ship-date', { member: 'shipDate', example: '2027-01-15', read: same }],
  ['by', { example: '2027-01-20, or 3 for business days', read: (text) => (isNumber(text) ? numberOf(text) : text) }],
  ['divisor', { member: 'dimensionalFactor', example: '166, or C1-GROUND 166', read: numbers }],
  ['fuel', { example: '18.5, or C1-GROUND 18.5', read: numbers }],
]);
const KEYS = [...FORMS.keys()].join(', ');

/** The key of a scenario's member, or the member itself if it has none. */
const keyOf = (member: string): string =>
  [...FORMS].find(([key, own]) => (own.member ?? key) === member)?.[0] ?? member;

const readPair = (text: string, before: ReadonlyMap<string, unknown>): readonly [string, unknown] | SpecProblem => {
  const at = text.indexOf('=');
  const key = (at === -1 ? text : text.slice(0, at)).trim().toLowerCase();
  const value = at === -1 ? '' : text.slice(at + 1).trim();
  const shown = key.length > 40 ? `${key.slice(0, 40)}…` : key;
  const form = FORMS.get(key);
  if (form === undefined) return { key: '', message: `has no key "${shown}": the keys are ${KEYS}` };
  const { member = key, example, read } = form;
  if (value === '') return { key, message: `needs a value, such as ${key}=${example}` };
  if (before.has(member)) return { key, message: 'occurs twice: remove one' };
  try {
    return [member, read(value)];
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { key, message: `cannot be read: ${error.message}. Write it as ${key}=${example}` };
  }
};

/** @returns the scenario, for `scenarioSchema`, or the first problem */
export const readSpec = (text: string): Members | SpecProblem[] => {
  const equals = text.indexOf('=');
  const colon = text.indexOf(':');
  const isNamed = colon !== -1 && (equals === -1 || colon < equals);
  const rest = (isNamed ? text.slice(colon + 1) : text).trim();
  if (rest === '' && !isNamed) return [{ key: '', message: `is empty: write key=value. The keys are ${KEYS}` }];
  const members = new Map<string, unknown>(isNamed ? [['name', text.slice(0, colon).trim()]] : []);
  const problems: SpecProblem[] = [];
  for (const part of parts(rest, ';').filter((one) => one !== '')) {
    const read = readPair(part, members);
    if ('message' in read) problems.push(read);
    else members.set(...read);
  }
  return problems.length > 0 ? problems : Object.fromEntries(members);
};

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
  const read = parseJson(await textAt(file));
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
