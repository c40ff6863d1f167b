/**
 * Changes a client for an operator with the checks of the commands, records it in the audit log, and shows the new state. A
 * percentage off a service is the client's flat discount, or is in the agreement that sets its price for the service.
 */
import { z } from 'zod';
import { Failed } from '../../../base/failed.ts';
import { must } from '../../../base/must.ts';
import { ifKnown } from '../../../base/store/store.ts';
import { withServiceDiscount } from '../../../catalog/agreement/amend.ts';
import { checkAgreement } from '../../../catalog/agreement/check/check.ts';
import { checkAgainst } from '../../../catalog/agreement/check/check-against.ts';
import type { AgreementDocument } from '../../../catalog/agreement/document.ts';
import { agreementId } from '../../../catalog/agreement/versions.ts';
import { keepsPrices } from '../../../catalog/clients/accounts.ts';
import { ClientChangeError, withChanged } from '../../../catalog/clients/change-clients.ts';
import { CLIENT_FORM, type ClientRecord, unrevoked } from '../../../catalog/clients/clients.ts';
import {
  allChanges,
  type ClientEdit,
  clientEdit,
  editedClient,
  type RecordChange,
  recordChanges,
  requireSeen,
} from '../../../catalog/clients/edit-client.ts';
import { detailOf, inForceOf, problemOf, type Surroundings } from '../../../catalog/clients/view.ts';
import { type Schedule, serviceCodes } from '../../../catalog/tariff/schedule.ts';
import type { HttpResult } from '../../faults.ts';
import { invalid } from '../../input.ts';
import type { ChangeAsked, OperatorService } from '../service.ts';

export const surroundingsOf = ({ clientPlace, clients, tariffs, now }: OperatorService): Surroundings => ({
  ...{ agreements: ifKnown(clients.agreements), schedule: tariffs.current(), now: now(), fixed: clientPlace.fixed },
});

export const findClient = async ({ clientPlace }: OperatorService, id: string): Promise<ClientRecord | undefined> =>
  (await clientPlace.read()).find((client) => client.id === id);

/** Refuses discounts on services that no tariff has, and drafts that do not exist. Both are typos. */
export const judgeEdit = (edit: ClientEdit, { schedule, agreements }: Surroundings): HttpResult<ClientEdit> => {
  const codes = serviceCodes(schedule);
  const service = Object.keys(edit.discounts).find((code) => !codes.includes(code));
  if (service !== undefined)
    return invalid({ [`discounts.${service}`]: `is on a service that no tariff has: use one of ${codes.join(', ')}` });
  const draft = edit.drafts.find((name) => agreements?.has(name) !== true);
  if (draft !== undefined) return invalid({ drafts: `has ${draft}, which is missing or has errors` });
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

/** `before`: the values that the operator saw, as the `facts` of the client have them. Absent: any. */
export const seen = { before: z.record(z.string(), z.string()).optional() };
type Asked = ChangeAsked & { readonly body: Partial<ClientEdit & z.output<z.ZodObject<typeof seen>>> };

/**
 * Changes one client, and writes the change to the audit log, unless nothing changed.
 * @param done what the log says, in the past tense
 * @param also a change that the records do not show
 * @throws the errors of `ClientPlace.change`
 */
export const changeClient = async (
  { service, operator, body }: Asked,
  id: string,
  done: string,
  how: (clients: Records) => Records,
  ...also: readonly RecordChange[]
): Promise<Changed> => {
  let changed: { readonly before: Records; readonly after: Records } | undefined;
  const own = (records: Records) => records.find((client) => client.id === id);
  await service.clientPlace.change((before) => {
    changed = { before, after: how(before) };
    requireSeen(id, allChanges(own(before), must(own(changed.after), 'the changed client')), body.before);
    return changed.after;
  }, operator.name);
  const all = must(changed, 'the changed clients');
  const [before, after] = [own(all.before), must(own(all.after), 'the changed client')];
  const changes = recordChanges(before, after);
  if (allChanges(before, after).length > 0)
    await service.audit.record(operator, {
      ...{ action: done, object: id, client: id },
      changes: [...also, ...changes],
    });
  return { before, after, changes };
};

/** As `changeClient`, for a client that is not revoked. */
export const changeOne = (
  asked: Asked,
  id: string,
  done: string,
  how: (client: ClientRecord) => ClientRecord,
): Promise<Changed> => changeClient(asked, id, done, (clients) => withChanged(clients, id, how));

export const servicePercent = z.strictObject({
  service: z.string().min(1).max(10),
  /** Percent off the base charge, such as `35`. Null removes the discount. */
  percent: CLIENT_FORM.percent.nullable(),
  /** The first ship date in an agreement. Default: today. Refused for a flat discount. */
  from: z.iso.date().optional(),
  ...seen,
});

interface Wanted {
  readonly service: string;
  readonly percent: string;
  readonly from: string;
}

/** The codes of a carrier's services on a day. */
const servicesOf = (schedule: Schedule, carrier: string, day: string): string[] =>
  schedule.bookOn(day).cards.flatMap((card) => (card.carrier === carrier ? [card.code] : []));

/** @throws {ClientChangeError} if other clients use it too, or if it would have errors */
const changed = (
  document: AgreementDocument,
  wanted: Wanted,
  schedule: Schedule,
  others: readonly string[],
): AgreementDocument => {
  const { name, carrier } = document.file;
  if (others.length > 0)
    throw new ClientChangeError(
      `The agreement ${name} sets what the client pays for ${wanted.service}. Other clients use it too: ` +
        `${others.join(', ')}. Upload a separate agreement for this client, or change ${name} for all of them.`,
    );
  const services = servicesOf(schedule, carrier, wanted.from);
  const after = withServiceDiscount(document, { ...wanted, services });
  const findings = [...checkAgreement(after), ...checkAgainst(after, schedule, wanted.from)];
  const first = findings.find(({ severity }) => severity === 'error');
  if (first === undefined) return after;
  throw new ClientChangeError(`The agreement ${name} would have an error: ${first.at}: ${first.message}.`);
};

const inAgreements = async (
  { service, operator }: ChangeAsked,
  { names, wanted, id }: { readonly names: readonly string[]; readonly wanted: Wanted; readonly id: string },
  { agreements, schedule }: Surroundings,
): Promise<void> => {
  const clients = () => service.clientPlace.read();
  const records = (await clients()).filter((one) => !one.revoked && one.id !== id);
  const othersOf = (name: string) =>
    records.filter((one) => one.agreements.some((entry) => entry.name === name)).map((one) => one.id);
  const changes = names.map((name) => {
    const before = must(agreements?.get(name), 'an agreement in force');
    return { name, before, after: changed(before, wanted, schedule, othersOf(name)) };
  });
  const done: RecordChange[] = [];
  try {
    for (const { name, before, after } of changes) {
      await service.agreementPlace.put(after, agreementId(before), operator.name, keepsPrices(clients));
      const what = `discount on ${wanted.service} in ${name}, from ${wanted.from} on`;
      done.push({ what, before: 'the discounts of the agreement', after: `${wanted.percent}%` });
    }
  } finally {
    // Also records the changes that were made before one failed.
    const object = names.slice(0, done.length).join(', ');
    const action = done.length === 1 ? 'Changed the agreement' : 'Changed the agreements';
    if (done.length > 0) await service.audit.record(operator, { action, object, client: id, changes: done });
  }
};

/** The agreements that set a client's price for a service today. */
const namesFor = (record: ClientRecord, service: string, around: Surroundings): readonly string[] => {
  const { services } = detailOf(record, around);
  const own = services.find((one) => one.shippingService === service);
  return [...new Set((own?.agreements ?? []).map(({ name }) => name))];
};

/** @returns the new state and the changed agreements. There are none if the flat discount was changed */
export const discountAs = async (
  asked: ChangeAsked & { readonly found: ClientRecord; readonly body: z.output<typeof servicePercent> },
) => {
  const { service: given, found: record, body } = asked;
  const { service, percent } = body;
  const { id } = record;
  const around = async (): Promise<Surroundings> => ({
    ...surroundingsOf(given),
    agreements: await given.agreementPlace.read(),
  });
  const before = await around();
  const wish = percent === null ? { removeDiscounts: [service] } : { discounts: { [service]: percent } };
  const edit = judgeEdit(clientEdit.parse(wish), before);
  if (edit instanceof Failed) return edit;
  requireSeen(id, [inForceOf(record, before.agreements)], body.before);
  const names = percent === null || record.revoked ? [] : namesFor(record, service, before);
  if (percent === null || names.length === 0) {
    if (body.from !== undefined)
      return invalid({ from: 'is only for a discount in an agreement: this one changes at once, for all ship dates' });
    const { after, changes } = await changeOne(asked, id, 'Changed a discount of', (client) =>
      editedClient(client, edit),
    );
    return { client: detailOf(after, before), secrets: null, changes, agreements: [] };
  }
  const wanted = { service, percent, from: body.from ?? before.schedule.bookAt(before.now).day };
  await inAgreements(asked, { names, wanted, id }, before);
  return { client: detailOf(record, await around()), secrets: null, changes: [], agreements: names };
};
