/** Gives a client a percentage off a service: as its flat discount, or in the agreement that sets its price for the service. */
import { z } from 'zod';
import { Failed } from '../../../base/failed.ts';
import { must } from '../../../base/must.ts';
import { withServiceDiscount } from '../../../catalog/agreement/amend.ts';
import { checkAgreement } from '../../../catalog/agreement/check/check.ts';
import { checkAgainst } from '../../../catalog/agreement/check/check-against.ts';
import type { AgreementDocument } from '../../../catalog/agreement/document.ts';
import { agreementId } from '../../../catalog/agreement/versions.ts';
import { ClientChangeError } from '../../../catalog/clients/change-clients.ts';
import { CLIENT_FORM, type ClientRecord } from '../../../catalog/clients/clients.ts';
import { clientEdit, editedClient } from '../../../catalog/clients/edit-client.ts';
import type { RecordChange } from '../../../catalog/clients/record-changes.ts';
import { detailOf, type Surroundings } from '../../../catalog/clients/view.ts';
import type { Schedule } from '../../../catalog/tariff/schedule.ts';
import { type ChangeAsked, changeOne, judgeEdit, surroundingsOf } from './change.ts';

export const servicePercent = z.strictObject({
  service: z.string().min(1).max(10),
  /** Percent off the base charge, such as `35`. Null removes the discount. */
  percent: CLIENT_FORM.percent.nullable(),
  /** The first ship date, if an agreement sets the price. Default: today. */
  from: z.iso.date().optional(),
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
  const records = (await service.clientPlace.read()).filter((one) => !one.revoked && one.id !== id);
  const othersOf = (name: string) =>
    records.filter((one) => one.agreements.some((entry) => entry.name === name)).map((one) => one.id);
  const changes = names.map((name) => {
    const before = must(agreements?.get(name), 'an agreement in force');
    return { name, before, after: changed(before, wanted, schedule, othersOf(name)) };
  });
  const done: RecordChange[] = [];
  try {
    for (const { name, before, after } of changes) {
      await service.agreementPlace.put(after, agreementId(before), operator.name);
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
  const names = percent === null || record.revoked ? [] : namesFor(record, service, before);
  if (percent === null || names.length === 0) {
    const { after, changes } = await changeOne(asked, id, 'Changed a discount of', (client) =>
      editedClient(client, edit),
    );
    return { client: detailOf(after, before), secrets: null, changes, agreements: [] };
  }
  const wanted = { service, percent, from: body.from ?? before.schedule.bookAt(before.now).day };
  await inAgreements(asked, { names, wanted, id }, before);
  return { client: detailOf(record, await around()), secrets: null, changes: [], agreements: names };
};
