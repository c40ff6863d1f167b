/** Gives a client a percentage off a service: as its flat discount, or in the agreement that decides what it pays for it. */
import type { RequestHandler } from 'express';
import { checkAgreement } from '../../../agreement/check.ts';
import { checkAgainst } from '../../../agreement/check-against.ts';
import type { AgreementDocument } from '../../../agreement/document.ts';
import { withServiceDiscount } from '../../../agreement/set-discount.ts';
import { agreementId } from '../../../agreement/versions.ts';
import type { Actor } from '../../../audit/audit.ts';
import { ClientChangeError } from '../../../clients/change-clients.ts';
import type { ClientRecord } from '../../../clients/clients.ts';
import { clientEdit, editedClient } from '../../../clients/edit-client.ts';
import { detailOf, type Surroundings } from '../../../clients/view.ts';
import { must } from '../../../must.ts';
import type { AgreementPlace } from '../../../published/agreement-place.ts';
import { Failed } from '../../../rating/fault.ts';
import type { Schedule } from '../../../tariff/schedule.ts';
import { readBodyAs } from '../../input.ts';
import { sendFault, sendJson } from '../../reply.ts';
import { pathOf } from '../../routes.ts';
import { operatorOf } from '../session.ts';
import { type ClientDeps, changeOne, idOf, judgeEdit, SMALL_BYTES, surroundingsOf } from './change.ts';
import { servicePercent } from './schemas.ts';

export interface DiscountDeps extends ClientDeps {
  readonly agreementPlace: AgreementPlace;
}

interface Wanted {
  readonly service: string;
  readonly percent: string;
  readonly from: string;
}

/** The codes of a carrier's services on a day. */
const servicesOf = (schedule: Schedule, carrier: string, day: string): string[] =>
  schedule.bookOn(day).cards.flatMap((card) => (card.carrier === carrier ? [card.code] : []));

/** @throws {ClientChangeError} if others would pay by it too, or it would have errors */
const changed = (
  document: AgreementDocument,
  wanted: Wanted,
  schedule: Schedule,
  others: readonly string[],
): AgreementDocument => {
  const { name, carrier } = document.file;
  if (others.length > 0)
    throw new ClientChangeError(
      `The agreement ${name} decides what the client pays for ${wanted.service}, and ${others.join(', ')} ` +
        'pay by it too. Upload an agreement of its own for this client, or change that one for all.',
    );
  const services = servicesOf(schedule, carrier, wanted.from);
  const after = withServiceDiscount(document, { ...wanted, services });
  const findings = [...checkAgreement(after), ...checkAgainst(after, schedule, wanted.from)];
  const first = findings.find(({ severity }) => severity === 'error');
  if (first === undefined) return after;
  throw new ClientChangeError(`The agreement ${name} would have an error: ${first.at}: ${first.message}.`);
};

const inAgreements = async (
  deps: DiscountDeps,
  actor: Actor,
  { names, wanted, id }: { readonly names: readonly string[]; readonly wanted: Wanted; readonly id: string },
  { agreements, schedule }: Surroundings,
): Promise<void> => {
  const records = (await deps.clients.read()).filter((one) => !one.revoked && one.id !== id);
  const othersOf = (name: string) =>
    records.filter((one) => one.agreements.some((entry) => entry.name === name)).map((one) => one.id);
  const changes = names.map((name) => {
    const before = must(agreements?.get(name), 'an agreement in force');
    return { name, before, after: changed(before, wanted, schedule, othersOf(name)) };
  });
  for (const { name, before, after } of changes) {
    await deps.agreementPlace.put(after, agreementId(before), actor.name);
    const what = `discount on ${wanted.service} from ${wanted.from} on`;
    await deps.audit.record(actor, {
      ...{ action: 'Changed an agreement', object: name },
      changes: [{ what, before: 'the discounts of the agreement', after: `${wanted.percent}%` }],
    });
  }
};

/** The agreements that decide what a client pays for a service today. */
const namesFor = (record: ClientRecord, service: string, around: Surroundings): readonly string[] => {
  const { services } = detailOf(record, around);
  const own = services.find((one) => one.shippingService === service);
  return [...new Set((own?.agreements ?? []).map(({ name }) => name))];
};

export const discountService =
  (deps: DiscountDeps): RequestHandler =>
  async (req, res) => {
    const body = await readBodyAs(servicePercent, req, SMALL_BYTES);
    if (body instanceof Failed) return sendFault(res, body.fault);
    const { service, percent } = body;
    const id = idOf(req);
    const around = async (): Promise<Surroundings> => ({
      ...surroundingsOf(deps),
      agreements: await deps.agreementPlace.read(),
    });
    const before = await around();
    const given = percent === null ? { removeDiscounts: [service] } : { discounts: { [service]: percent } };
    const edit = judgeEdit(clientEdit.parse(given), before);
    if (edit instanceof Failed) return sendFault(res, edit.fault);
    const record = (await deps.clients.read()).find((client) => client.id === id);
    if (record === undefined) return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    const names = percent === null || record.revoked ? [] : namesFor(record, service, before);
    if (percent === null || names.length === 0) {
      const changed = await changeOne(deps, res, id, 'Changed a discount', (client) => editedClient(client, edit));
      const { after, changes } = changed;
      return sendJson(res, 200, { client: detailOf(after, before), secrets: null, changes, agreements: [] });
    }
    const wanted = { service, percent, from: body.from ?? before.schedule.bookAt(before.now).day };
    await inAgreements(deps, operatorOf(res), { names, wanted, id }, before);
    sendJson(res, 200, { client: detailOf(record, await around()), secrets: null, changes: [], agreements: names });
  };
