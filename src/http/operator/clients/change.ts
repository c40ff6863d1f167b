/** Changes a client for an operator with the checks of the commands, records it in the audit log, and shows the new state. */

import type { Actor } from '../../../base/audit/audit.ts';
import { Failed } from '../../../base/failed.ts';
import { must } from '../../../base/must.ts';
import { isOfStore } from '../../../base/store/store.ts';
import { ClientChangeError, withChanged } from '../../../catalog/clients/change-clients.ts';
import { type ClientRecord, unrevoked } from '../../../catalog/clients/clients.ts';
import type { ClientEdit } from '../../../catalog/clients/edit-client.ts';
import { type RecordChange, recordChanges } from '../../../catalog/clients/record-changes.ts';
import { problemOf, type Surroundings } from '../../../catalog/clients/view.ts';
import type { Agreements } from '../../../catalog/documents/live.ts';
import { serviceCodes } from '../../../catalog/tariff/schedule.ts';
import type { HttpResult } from '../../faults.ts';
import type { OperatorService } from '../service.ts';

/** The service, and the operator who asks for a change. */
export interface ChangeAsked {
  readonly service: OperatorService;
  readonly operator: Actor;
}

export const surroundingsOf = ({ clientPlace, clients, tariffs, now }: OperatorService): Surroundings => {
  const known = (): Agreements | undefined => {
    try {
      return clients.agreements();
    } catch (error) {
      if (isOfStore(error)) return undefined;
      throw error;
    }
  };
  return { agreements: known(), schedule: tariffs.current(), now: now(), fixed: clientPlace.fixed };
};

export const findClient = async ({ clientPlace }: OperatorService, id: string): Promise<ClientRecord | undefined> =>
  (await clientPlace.read()).find((client) => client.id === id);

const wrong = (path: string, message: string) =>
  new Failed({ type: 'getRates.invalidRequest' as const, issues: [{ path, message }] });

/** Refuses discounts on services that no tariff has, and drafts that do not exist. Both are typos. */
export const judgeEdit = (edit: ClientEdit, { schedule, agreements }: Surroundings): HttpResult<ClientEdit> => {
  const codes = serviceCodes(schedule);
  const service = Object.keys(edit.discounts).find((code) => !codes.includes(code));
  if (service !== undefined)
    return wrong(`discounts.${service}`, `is on a service that no tariff has: use one of ${codes.join(', ')}`);
  const draft = edit.drafts.find((name) => agreements?.has(name) !== true);
  if (draft !== undefined) return wrong('drafts', `has ${draft}, which is missing or has errors`);
  return edit;
};

/** @throws {ClientChangeError} if the client would get no prices because its agreements cannot be used */
export const requireAgreements = (record: ClientRecord, { agreements }: Surroundings): ClientRecord => {
  const client = unrevoked([record]).get(record.id);
  const problem = client && problemOf(client, agreements);
  if (problem !== undefined) throw new ClientChangeError(`The client would get no prices: ${problem}.`);
  return record;
};

export interface Changed {
  readonly before: ClientRecord | undefined;
  readonly after: ClientRecord;
  readonly changes: readonly RecordChange[];
}

type Records = readonly ClientRecord[];

/**
 * Changes one client, and writes the change to the audit log.
 * @param done what the log says, in the past tense
 * @param also a change that the records do not show
 * @throws the errors of `ClientPlace.change`
 */
export const changeClient = async (
  { service, operator }: ChangeAsked,
  id: string,
  done: string,
  how: (clients: Records) => Records,
  ...also: readonly RecordChange[]
): Promise<Changed> => {
  let changed: { readonly before: Records; readonly after: Records } | undefined;
  await service.clientPlace.change((before) => {
    changed = { before, after: how(before) };
    return changed.after;
  }, operator.name);
  const all = must(changed, 'the changed clients');
  const own = (records: Records) => records.find((client) => client.id === id);
  const [before, after] = [own(all.before), must(own(all.after), 'the changed client')];
  const changes = recordChanges(before, after);
  await service.audit.record(operator, {
    ...{ action: done, object: id, client: id },
    changes: [...also, ...changes],
  });
  return { before, after, changes };
};

/** As `changeClient`, for a client that is not revoked. */
export const changeOne = (
  asked: ChangeAsked,
  id: string,
  done: string,
  how: (client: ClientRecord) => ClientRecord,
): Promise<Changed> => changeClient(asked, id, done, (clients) => withChanged(clients, id, how));
