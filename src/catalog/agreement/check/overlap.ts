/** Finds conflicting agreements of one client: two that mention the same service for the same warehouses. */
import type { Assigned } from '../account.ts';
import type { Named } from '../cells.ts';
import { type AgreementDocument, type AgreementTables, CODE_TABLES, SERVICE_TABLES } from '../document.ts';
import { lastDayOf } from '../versions.ts';

/** Returns all services that an agreement mentions at any time, and whether a line applies to all services of the carrier. */
const subjectsOf = ({ file, tables, amendments }: AgreementDocument) => {
  const codes = new Set<string>();
  let all = false;
  const add = (services: Named<string>): void => {
    if (services === '*') all = true;
    else for (const code of services) codes.add(code);
  };
  const addTables = (own: Partial<AgreementTables>): void => {
    for (const name of SERVICE_TABLES) for (const { services } of own[name] ?? []) add(services);
    for (const name of CODE_TABLES) add(Object.keys(own[name] ?? {}));
  };
  add(Object.keys(file.services));
  addTables(tables);
  for (const amendment of amendments) {
    add(Object.keys(amendment.file?.services ?? {}));
    addTables(amendment);
  }
  return { codes, all };
};

/** A display name for a service that both mention. Undefined if there is none. */
const sharedService = (a: AgreementDocument, b: AgreementDocument): string | undefined => {
  const [first, second] = [subjectsOf(a), subjectsOf(b)];
  const isNamed = ({ codes, all }: typeof first): boolean => all || codes.size > 0;
  const oneCarrier = a.file.carrier === b.file.carrier;
  if (oneCarrier && ((first.all && isNamed(second)) || (second.all && isNamed(first))))
    return `services of ${a.file.carrier}`;
  return [...first.codes].find((code) => second.codes.has(code));
};

const shareWarehouses = (a: Assigned['warehouses'], b: Assigned['warehouses']): boolean => {
  // An agreement for named warehouses wins over one for all.
  if (a === undefined || b === undefined) return a === b;
  return [...a].some((id) => b.has(id));
};

const END = '9999-12-31';

const shareDays = (a: AgreementDocument, b: AgreementDocument): boolean =>
  a.file.effective <= (lastDayOf(b) ?? END) && b.file.effective <= (lastDayOf(a) ?? END);

/** @returns an error that names two conflicting agreements; undefined if there is no conflict */
export const overlapOf = (assigned: readonly Assigned[]): string | undefined => {
  for (const [at, a] of assigned.entries())
    for (const b of assigned.slice(at + 1)) {
      if (!shareWarehouses(a.warehouses, b.warehouses) || !shareDays(a.document, b.document)) continue;
      const service = sharedService(a.document, b.document);
      if (service !== undefined)
        return `${a.document.file.name} and ${b.document.file.name} both cover ${service} for the same warehouses`;
    }
  return undefined;
};
