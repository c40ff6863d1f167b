/** The operator's calls for agreements: list, get, check an upload, publish it. */
import { z } from 'zod';
import { Failed } from '../../../base/failed.ts';
import type { Assigned } from '../../../catalog/agreement/account.ts';
import { checkAgainst } from '../../../catalog/agreement/check/check-against.ts';
import { termsOf } from '../../../catalog/agreement/compile.ts';
import { diffAgreements } from '../../../catalog/agreement/diff/diff.ts';
import type { AgreementDocument } from '../../../catalog/agreement/document.ts';
import { rangeText, servicesOf } from '../../../catalog/agreement/overview.ts';
import { agreementId, filesOn } from '../../../catalog/agreement/versions.ts';
import { cardBodyOf } from '../../../catalog/agreement/view/card.ts';
import { agreementDetail, agreementSummary } from '../../../catalog/agreement/view/tables.ts';
import { keepsPrices } from '../../../catalog/clients/accounts.ts';
import type { ClientRecord } from '../../../catalog/clients/clients.ts';
import { PublishError } from '../../../catalog/documents/library.ts';
import { later } from '../../../catalog/tariff/days.ts';
import { readUpload, uploadedAgreement } from '../../../import/agreement/uploaded-agreement.ts';
import { cardIn } from '../../../rating/rate.ts';
import { Made } from '../../call.ts';
import { type OperatorService, operatorCall, refused } from '../service.ts';

const UPLOAD_BYTES = 6 * 1024 * 1024;
const MOST_DIFFERENCES = 500;

export const publishedAgreement = uploadedAgreement.extend({
  /** The id of the agreement that it replaces, as it was checked. Null if it is new. */
  before: z.string().max(200).nullable(),
});

/** An agreement for all warehouses and without an account number, as tables show it. */
const shownAs = (document: AgreementDocument) => ({ document, assigned: [{ document } satisfies Assigned] });

/** The clients that pay by an agreement, and those that may use it as a draft. */
const usersOf = (name: string, records: readonly ClientRecord[]) => {
  const active = records.filter(({ revoked }) => !revoked);
  return {
    clients: active.filter(({ agreements }) => agreements.some((one) => one.name === name)).map(({ id }) => id),
    drafts: active.filter(({ drafts }) => drafts.includes(name)).map(({ id }) => id),
  };
};

/** The lines of an agreement's files on a day. `highestPercent`: of a discount, null without one. */
const linesOn = (document: AgreementDocument, day: string) => {
  const { discounts, surcharges } = filesOn(document, day).tables;
  const percents = discounts.flatMap(({ percent }) => (percent === undefined ? [] : Number(percent)));
  return {
    discountLines: discounts.length,
    highestPercent: percents.length === 0 ? null : Math.max(...percents),
    surchargeLines: surcharges.length,
  };
};

const dayFor = ({ file }: AgreementDocument, { tariffs, now }: OperatorService): string =>
  later(tariffs.current().bookAt(now()).day, file.effective);

/** Why agreements cannot be changed. Null if they can. */
const fixedOf = ({ agreementPlace }: OperatorService): string | null => agreementPlace.fixed ?? null;

const differencesOf = (...[before, after]: Parameters<typeof diffAgreements>) => {
  const all = diffAgreements(before, after);
  const differences = all
    .slice(0, MOST_DIFFERENCES)
    .map(({ at, before: old, after: now }) => ({ at, before: old ?? null, after: now ?? null }));
  return { differences, moreDifferences: all.length - differences.length };
};

const bodyOf = async (document: AgreementDocument, service: OperatorService) => {
  const schedule = service.tariffs.current();
  const day = dayFor(document, service);
  const detail = agreementDetail(shownAs(document), schedule, schedule.bookAt(service.now()));
  const services = servicesOf(document, schedule.bookOn(day).cards, day);
  const next = detail.changes.find((change) => change > detail.date);
  return {
    status: 200 as const,
    ...detail,
    /** The next day on which it changes, and what changes. Null if there is none. */
    next: next === undefined ? null : { day: next, ...differencesOf({ document, day }, { document, day: next }) },
    discountRange: rangeText(services),
    id: agreementId(document),
    ...usersOf(document.file.name, await service.clientPlace.read()),
    findings: checkAgainst(document, schedule, day),
    fixed: fixedOf(service),
  };
};

const find = async ({ service, id }: { readonly service: OperatorService; readonly id: string }) =>
  (await service.agreementPlace.read()).get(id);

/** Which rate card is shown. */
export const cardQuery = {
  service: z.string().min(1).max(10),
  address: z.enum(['residential', 'commercial']).default('commercial'),
};

export const agreementCalls = {
  listOperatorAgreements: operatorCall({
    is: 'GET /ops/agreements',
    handle: async ({ service }) => {
      const { agreementPlace, clientPlace, tariffs, now } = service;
      const [agreements, records] = await Promise.all([agreementPlace.read(), clientPlace.read()]);
      const schedule = tariffs.current();
      const today = schedule.bookAt(now());
      const shown = [...agreements.values()].map((document) => ({
        ...agreementSummary(shownAs(document), schedule, today),
        ...linesOn(document, dayFor(document, service)),
        id: agreementId(document),
        ...usersOf(document.file.name, records),
      }));
      return { agreements: shown, fixed: fixedOf(service) };
    },
  }),
  getOperatorAgreement: operatorCall({
    is: 'GET /ops/agreements/{name}',
    find,
    handle: ({ service, found }) => bodyOf(found, service),
  }),
  getAgreementCard: operatorCall({
    is: 'GET /ops/agreements/{name}/card',
    find,
    query: z.strictObject(cardQuery),
    handle: ({ service, found, query }) => {
      const day = dayFor(found, service);
      const card = cardIn(service.tariffs.current().bookOn(day), query.service);
      if (card instanceof Failed) return card;
      return cardBodyOf(card, termsOf(found, card, day), query.address === 'residential');
    },
  }),
  /** What an upload would do. Nothing is changed. */
  checkAgreement: operatorCall({
    is: 'POST /ops/agreement-check',
    body: uploadedAgreement,
    bytes: UPLOAD_BYTES,
    handle: async ({ service, body: upload }) => {
      const current = (await service.agreementPlace.read()).get(upload.name);
      const schedule = service.tariffs.current();
      const { document, findings } = await readUpload(upload, current, schedule);
      const { from: day } = upload;
      return {
        /** The id of the agreement that it would replace. Null if it is new. */
        before: current === undefined ? null : agreementId(current),
        findings,
        /** Null if it has errors. */
        agreement:
          document === undefined
            ? null
            : { status: 200 as const, ...agreementDetail(shownAs(document), schedule, schedule.bookOn(day)) },
        /** Differences from the current agreement, on the first day. */
        ...(document === undefined || current === undefined
          ? { differences: [], moreDifferences: 0 }
          : differencesOf({ document: current, day }, { document, day })),
      };
    },
  }),
  /** Takes an agreement that no client pays by out of force. `id` is the id that the operator saw. */
  withdrawAgreement: operatorCall({
    is: 'POST /ops/agreements/{name}/withdraw',
    find,
    body: z.strictObject({ id: z.string().max(200) }),
    handle: async ({ service, operator, found, body: { id } }) => {
      const { name } = found.file;
      if (id !== agreementId(found))
        throw new PublishError(
          `Somebody else has changed the agreement ${name}. Look at it again, then repeat your change.`,
        );
      await service.agreementPlace.withdraw(id, operator.name, async () => {
        const { clients } = usersOf(name, await service.clientPlace.read());
        if (clients.length > 0)
          throw new PublishError(`These clients use it and would have no prices: ${clients.join(', ')}.`);
      });
      await service.audit.record(operator, {
        ...{ action: 'Withdrew the agreement', object: name },
        changes: [{ what: 'withdrawn', before: id, after: null }],
      });
    },
  }),
  publishAgreement: operatorCall({
    is: 'POST /ops/agreements',
    body: publishedAgreement,
    bytes: UPLOAD_BYTES,
    handle: async ({ service, operator, body }) => {
      const { before, ...upload } = body;
      const current = (await service.agreementPlace.read()).get(upload.name);
      const { document, findings } = await readUpload(upload, current, service.tariffs.current());
      const [first] = findings;
      if (document === undefined) return refused(`It has errors, the first: ${first?.at}: ${first?.message}.`);
      await service.agreementPlace.put(
        document,
        before,
        operator.name,
        keepsPrices(() => service.clientPlace.read()),
      );
      await service.audit.record(operator, {
        ...{ action: 'Published the agreement', object: upload.name },
        changes: [{ what: `from ${upload.from} on`, before, after: agreementId(document) }],
      });
      const shown = await bodyOf(document, service);
      return before === null ? new Made(shown) : shown;
    },
  }),
};
