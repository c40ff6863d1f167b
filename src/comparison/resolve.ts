/**
 * Finds what scenarios name: tariffs, agreements, services, carriers and warehouses. Whatever cannot be found or used is a
 * problem with its path and the way out, and then nothing is started.
 */

import { type AccountParts, accountOf } from '../agreement/account.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import type { Warehouse } from '../rating/card.ts';
import type { Issue } from '../rating/fault.ts';
import type { Finding } from '../rows/findings.ts';
import { type Schedule, scheduleOf, serviceCodes } from '../tariff/schedule.ts';
import { basisPointsIn, CHEAPEST_SERVICE, NO_AGREEMENT, nameOf, type Scenario } from './scenario.ts';
import type { ScenarioParts } from './side.ts';

/** What scenarios can name, and what the base has. */
export interface ScenarioSources {
  /** The tariffs of the base. */
  readonly base: Schedule;
  /** All tariffs that there are, also those that are not in force yet. */
  readonly schedule: Schedule;
  readonly warehouses: ReadonlyMap<number, Warehouse>;
  /** An agreement of the client or a draft, by name: the document, why it cannot be used, or undefined if there is none. */
  readonly agreement: (name: string) => AgreementDocument | string | undefined;
  /** The names that `agreement` finds. */
  readonly agreements: readonly string[];
}

/** A scenario with all that it names. */
export interface ResolvedScenario extends ScenarioParts {
  /** What `account` is made of. */
  readonly accountParts?: AccountParts | undefined;
}

export interface Resolved {
  readonly scenarios: readonly ResolvedScenario[];
  readonly issues: readonly Issue[];
  /** Scenarios that change nothing, and other doubts. */
  readonly findings: readonly Finding[];
}

const orNone = (names: readonly string[]): string => (names.length === 0 ? 'there is none' : names.join(', '));

/** The tariffs that a scenario names, as one schedule; or the problem. */
const tariffsOf = (names: readonly string[], schedule: Schedule): Schedule | string => {
  const documents = new Set<Schedule['documents'][number]>();
  for (const name of names) {
    const own = schedule.only(name);
    if (own === undefined) return `must be one of ${orNone(schedule.ids)}; there is no tariff ${name}`;
    for (const document of own.documents) documents.add(document);
  }
  const [only] = names;
  return (names.length === 1 && only !== undefined ? schedule.only(only) : undefined) ?? scheduleOf([...documents]);
};

const accountPartsOf = (
  { agreement, discounts }: Scenario,
  { agreement: find, agreements }: ScenarioSources,
): AccountParts | string | undefined => {
  if (discounts !== undefined)
    return {
      discounts: new Map(Object.entries(discounts).map(([code, percent]) => [code, basisPointsIn(percent)])),
      agreements: [],
    };
  if (agreement === undefined) return undefined;
  if (agreement === NO_AGREEMENT) return { discounts: new Map(), agreements: [] };
  const found = find(agreement);
  if (found === undefined)
    return `must be ${NO_AGREEMENT} or one of ${orNone(agreements)}; there is no agreement ${agreement}`;
  return typeof found === 'string' ? found : { discounts: new Map(), agreements: [{ document: found }] };
};

/** The services that a scenario names, with their paths. */
const namedServices = (scenario: Scenario): readonly (readonly [path: string, code: string])[] => {
  const { service, serviceMap, discounts, dimensionalFactor, fuel } = scenario;
  const keysOf = (path: string, value: unknown): (readonly [string, string])[] =>
    typeof value === 'object' && value !== null ? Object.keys(value).map((code) => [path, code]) : [];
  return [
    ...(service === undefined || service === CHEAPEST_SERVICE ? [] : [['service', service] as const]),
    ...keysOf('serviceMap', serviceMap),
    ...Object.values(serviceMap ?? {}).map((code) => ['serviceMap', code] as const),
    ...keysOf('discounts', discounts),
    ...keysOf('dimensionalFactor', dimensionalFactor),
    ...keysOf('fuel', fuel),
  ];
};

const warehouseIssue = ({ warehouse }: Scenario, warehouses: ScenarioSources['warehouses']): string | undefined => {
  if (warehouse === undefined || warehouse === 'any') return undefined;
  const usable = [...warehouses.values()].filter(({ countryCode }) => countryCode === 'US').map(({ id }) => id);
  const unknown = [warehouse].flat().find((id) => !usable.includes(id));
  return unknown === undefined ? undefined : `must be among ${orNone(usable.map(String))}; ${unknown} is not`;
};

/** Whether a scenario names only what the base has anyway. */
const changesNothing = (scenario: Scenario, tariffs: Schedule | undefined, base: Schedule): boolean => {
  const { name: _, tariff: __, ...rest } = scenario;
  const isOfBase = tariffs === undefined || tariffs.ids.every((id) => base.ids.includes(id));
  return isOfBase && base.ids.length === (tariffs?.ids.length ?? base.ids.length) && Object.keys(rest).length === 0;
};

const resolveOne = (scenario: Scenario, path: string, sources: ScenarioSources) => {
  const issues: Issue[] = [];
  const refuse = (member: string, message: string): undefined => {
    issues.push({ path: `${path}.${member}`, message });
  };
  const found = scenario.tariff === undefined ? undefined : tariffsOf([scenario.tariff].flat(), sources.schedule);
  const tariffs = typeof found === 'string' ? refuse('tariff', found) : found;
  const stated = accountPartsOf(scenario, sources);
  const accountParts = typeof stated === 'string' ? refuse('agreement', stated) : stated;
  const codes = new Set([...serviceCodes(sources.base), ...(tariffs === undefined ? [] : serviceCodes(tariffs))]);
  for (const [member, code] of namedServices(scenario))
    if (!codes.has(code)) refuse(member, `must name services among ${orNone([...codes])}; there is no service ${code}`);
  const carriers = new Set(
    [...sources.base.documents, ...(tariffs?.documents ?? [])].flatMap(({ file }) =>
      file.services.map(({ carrier }) => carrier),
    ),
  );
  if (scenario.carrier !== undefined && !carriers.has(scenario.carrier))
    refuse('carrier', `must be one of ${orNone([...carriers])}`);
  const wrongWarehouse = warehouseIssue(scenario, sources.warehouses);
  if (wrongWarehouse !== undefined) refuse('warehouse', wrongWarehouse);
  const account = accountParts === undefined ? undefined : accountOf(accountParts);
  return { issues, resolved: { scenario, tariffs, accountParts, account } };
};

/** @param path of the list of scenarios, for the problems */
export const resolveScenarios = (
  scenarios: readonly Scenario[],
  sources: ScenarioSources,
  path = 'scenarios',
): Resolved => {
  const all = scenarios.map((scenario, index) => resolveOne(scenario, `${path}[${index}]`, sources));
  const findings = all.flatMap(({ resolved: { scenario, tariffs } }, index): Finding[] =>
    changesNothing(scenario, tariffs, sources.base)
      ? [
          {
            type: 'scenario.changesNothing',
            message: `The scenario ${index + 1}, ${nameOf(scenario)}, changes nothing: its prices are those of the list.`,
            column: '',
          },
        ]
      : [],
  );
  return { scenarios: all.map(({ resolved }) => resolved), issues: all.flatMap(({ issues }) => issues), findings };
};
