/**
 * Finds what scenarios name: tariffs, agreements, services, carriers and warehouses. If something cannot be found or used,
 * it reports a problem with its path and a way to fix it. Then nothing is started.
 */

import { isDeepStrictEqual } from 'node:util';
import { must } from '../../base/must.ts';
import { type AccountParts, accountOf } from '../../catalog/agreement/account.ts';
import type { AgreementDocument } from '../../catalog/agreement/document.ts';
import { type Schedule, scheduleOf, serviceCodes } from '../../catalog/tariff/schedule.ts';
import type { Warehouse } from '../../rating/card.ts';
import type { Issue } from '../../rating/fault.ts';
import { warehousesInUs } from '../../rating/rate.ts';
import { LIMITS } from '../../rating/shipment.ts';
import type { Finding } from '../columns/findings.ts';
import { hasFuel } from './books.ts';
import { basisPointsIn, CHEAPEST_SERVICE, NO_AGREEMENT, nameOf, type Scenario } from './scenario.ts';
import type { ScenarioParts } from './side.ts';

/** What scenarios can name, and what the base has. */
export interface ScenarioSources {
  /** The tariffs of the base. */
  readonly base: Schedule;
  /** All tariffs, including those that are not yet in force. */
  readonly schedule: Schedule;
  readonly warehouses: ReadonlyMap<number, Warehouse>;
  /** Finds an agreement of the client or a draft by name. Returns the document, why it cannot be used, or undefined. */
  readonly agreement: (name: string) => AgreementDocument | string | undefined;
  /** The names that `agreement` finds. */
  readonly agreements: readonly string[];
  /** What the client pays by in the base. Undefined if unknown. Then no agreement is known to change nothing. */
  readonly account?: AccountParts | undefined;
}

/** A scenario with everything that it names. */
export interface ResolvedScenario extends ScenarioParts {
  /** The parts that `account` is made of. */
  readonly accountParts?: AccountParts | undefined;
}

export interface Resolved {
  readonly scenarios: readonly ResolvedScenario[];
  readonly issues: readonly Issue[];
  /** Findings about scenarios that change nothing, and other doubts. */
  readonly findings: readonly Finding[];
}

const orNone = (names: readonly string[]): string => (names.length === 0 ? 'there is none' : names.join(', '));

/** Returns the tariffs that a scenario names as one schedule, or the problem. */
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
    return `must be one of ${[NO_AGREEMENT, ...agreements].join(', ')}; there is no agreement ${agreement}`;
  return typeof found === 'string' ? found : { discounts: new Map(), agreements: [{ document: found }] };
};

/** Returns the services that a scenario names, with their paths. */
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
  if (warehouse === undefined) return undefined;
  const usable = warehousesInUs({ warehouses }).map(({ id }) => id);
  if (warehouse === 'any') {
    if (usable.length === 0) return 'must be left out: no warehouse in the United States is registered';
    return usable.length <= LIMITS.warehouses
      ? undefined
      : `must name at most ${LIMITS.warehouses} warehouses: any would be ${usable.length}`;
  }
  const unknown = [warehouse].flat().find((id) => !usable.includes(id));
  return unknown === undefined ? undefined : `must be among ${orNone(usable.map(String))}; ${unknown} is not`;
};

/** Whether the base prices all services of these tariffs by them too. A tariff may be one of several versions. */
const isOfBase = (tariffs: Schedule, base: Schedule): boolean => {
  const named = new Set(tariffs.ids);
  const codes = new Set(serviceCodes(tariffs));
  // Next to other tariffs, a fallback counts only if a scenario names it.
  const isUsed = ({ file: { fallback } }: Schedule['documents'][number]): boolean =>
    !fallback || base.documents.every(({ file }) => file.fallback);
  return (
    tariffs.ids.every((id) => base.ids.includes(id)) &&
    base.documents.every(
      (document, at) =>
        (named.has(must(base.ids[at], 'the id of a tariff')) && isUsed(document)) ||
        !document.file.services.some(({ code }) => codes.has(code)),
    )
  );
};

const isSameAccount = (own: AccountParts, base: AccountParts | undefined): boolean => {
  if (base === undefined || own.agreements.length !== base.agreements.length) return false;
  const [one, other] = [own.agreements[0], base.agreements[0]];
  const isSame =
    one === undefined ||
    (own.agreements.length === 1 &&
      other?.warehouses === undefined &&
      (one.document === other?.document || isDeepStrictEqual(one.document, other?.document)));
  return isSame && isDeepStrictEqual(new Map(own.discounts), new Map(base.discounts));
};

/** Whether a scenario certainly changes no price, because it names only what the base already has. */
const changesNothing = (
  { name: _, tariff: __, agreement, discounts, carrier, ...rest }: Scenario,
  { tariffs, accountParts }: Pick<ResolvedScenario, 'tariffs' | 'accountParts'>,
  { base, account }: ScenarioSources,
): boolean =>
  Object.keys(rest).length === 0 &&
  (tariffs === undefined || isOfBase(tariffs, base)) &&
  ((agreement === undefined && discounts === undefined) ||
    (accountParts !== undefined && isSameAccount(accountParts, account))) &&
  (carrier === undefined ||
    base.documents.every(({ file }) => file.services.every((service) => service.carrier === carrier)));

/** Returns the services whose fuel a scenario states although their tariff never charges any. */
const withoutFuel = ({ fuel }: Scenario, tariffs: Schedule | undefined, base: Schedule): readonly string[] => {
  if (fuel === undefined) return [];
  const named = new Set(tariffs === undefined ? [] : serviceCodes(tariffs));
  const codes = typeof fuel === 'number' ? new Set([...serviceCodes(base), ...named]) : Object.keys(fuel);
  return [...codes].filter((code) => {
    const { documents } = named.has(code) && tariffs !== undefined ? tariffs : base;
    return !documents.some((document) => hasFuel(document, code));
  });
};

const findingsOf = (
  index: number,
  resolved: Pick<ResolvedScenario, 'scenario' | 'tariffs' | 'accountParts'>,
  sources: ScenarioSources,
): Finding[] => {
  const { scenario, tariffs } = resolved;
  const which = `Scenario ${index + 1} (${nameOf(scenario)})`;
  const note = (type: Finding['type'], says: string): Finding => ({ type, message: `${which} ${says}`, column: '' });
  const unfueled = withoutFuel(scenario, tariffs, sources.base).join(', ');
  const [same, noFuel] = [
    'changes nothing: its prices are those of the list.',
    `states fuel for services whose tariff has no fuel surcharge: ${unfueled}. Their prices stay without it.`,
  ];
  return [
    ...(changesNothing(scenario, resolved, sources) ? [note('scenario.changesNothing', same)] : []),
    ...(unfueled === '' ? [] : [note('scenario.noFuel', noFuel)]),
  ];
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
    if (!codes.has(code)) refuse(member, `names ${code}, but the services are ${orNone([...codes])}`);
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

/** @param path the path of the scenarios, for the problems */
export const resolveScenarios = (
  scenarios: readonly Scenario[],
  sources: ScenarioSources,
  path = 'scenarios',
): Resolved => {
  const all = scenarios.map((scenario, index) => resolveOne(scenario, `${path}[${index}]`, sources));
  const findings = all.flatMap(({ resolved }, index) => findingsOf(index, resolved, sources));
  return { scenarios: all.map(({ resolved }) => resolved), issues: all.flatMap(({ issues }) => issues), findings };
};
