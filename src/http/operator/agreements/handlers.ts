/** The operator's calls about agreements: list, look, check an upload, publish it. */
import type { RequestHandler } from 'express';
import type { Assigned } from '../../../agreement/account.ts';
import { checkAgainst } from '../../../agreement/check-against.ts';
import { termsOf } from '../../../agreement/compile.ts';
import { diffAgreements } from '../../../agreement/diff.ts';
import type { AgreementDocument } from '../../../agreement/document.ts';
import { agreementId } from '../../../agreement/versions.ts';
import { cardBodyOf } from '../../../agreement/view/card.ts';
import { agreementDetail, agreementSummary } from '../../../agreement/view/tables.ts';
import type { Audit } from '../../../audit/audit.ts';
import type { ClientPlace } from '../../../clients/client-place.ts';
import type { ClientRecord } from '../../../clients/clients.ts';
import type { AgreementPlace } from '../../../published/agreement-place.ts';
import { readUpload, uploadedAgreement } from '../../../published/uploaded-agreement.ts';
import { Failed } from '../../../rating/fault.ts';
import { later } from '../../../tariff/days.ts';
import type { Schedule } from '../../../tariff/schedule.ts';
import { readQuery } from '../../batch-options.ts';
import { readBodyAs } from '../../input.ts';
import { sendFault, sendJson } from '../../reply.ts';
import { pathOf } from '../../routes.ts';
import { refused } from '../refusal.ts';
import { operatorOf } from '../session.ts';
import {
  agreementCardQuery,
  type CheckedAgreementBody,
  type OperatorAgreementBody,
  publishedAgreement,
} from './schemas.ts';

const UPLOAD_BYTES = 6 * 1024 * 1024;
const MOST_DIFFERENCES = 500;

export interface AgreementDeps {
  readonly agreements: AgreementPlace;
  readonly clients: Pick<ClientPlace, 'read'>;
  readonly tariffs: { readonly current: () => Schedule };
  readonly audit: Audit;
  readonly now: () => Date;
}

/** What tables are made with: all warehouses, no account. */
const shownAs = (document: AgreementDocument) => ({ document, assigned: [{ document } satisfies Assigned] });

const usersOf = (name: string, records: readonly ClientRecord[]) => {
  const active = records.filter(({ revoked }) => !revoked);
  return {
    clients: active.filter(({ agreements }) => agreements.some((one) => one.name === name)).map(({ id }) => id),
    drafts: active.filter(({ drafts }) => drafts.includes(name)).map(({ id }) => id),
  };
};

const dayFor = ({ file }: AgreementDocument, { tariffs, now }: AgreementDeps): string =>
  later(tariffs.current().bookAt(now()).day, file.effective);

const bodyOf = (document: AgreementDocument, records: readonly ClientRecord[], deps: AgreementDeps) => {
  const schedule = deps.tariffs.current();
  const body: OperatorAgreementBody = {
    status: 200,
    ...agreementDetail(shownAs(document), schedule, schedule.bookAt(deps.now())),
    id: agreementId(document),
    ...usersOf(document.file.name, records),
    findings: checkAgainst(document, schedule, dayFor(document, deps)),
    fixed: deps.agreements.fixed ?? null,
  };
  return body;
};

const list =
  (deps: AgreementDeps): RequestHandler =>
  async (_req, res) => {
    const [agreements, records] = await Promise.all([deps.agreements.read(), deps.clients.read()]);
    const schedule = deps.tariffs.current();
    const today = schedule.bookAt(deps.now());
    const shown = [...agreements.values()].map((document) => ({
      ...agreementSummary(shownAs(document), schedule, today),
      id: agreementId(document),
      ...usersOf(document.file.name, records),
    }));
    sendJson(res, 200, { agreements: shown, fixed: deps.agreements.fixed ?? null });
  };

const get =
  (deps: AgreementDeps): RequestHandler =>
  async (req, res) => {
    const document = (await deps.agreements.read()).get(String(req.params['name']));
    if (document === undefined) return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    sendJson(res, 200, bodyOf(document, await deps.clients.read(), deps));
  };

const showCard =
  (deps: AgreementDeps): RequestHandler =>
  async (req, res) => {
    const query = readQuery(agreementCardQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    const document = (await deps.agreements.read()).get(String(req.params['name']));
    if (document === undefined) return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    const day = dayFor(document, deps);
    const { service: shippingService, address } = query;
    const card = deps.tariffs.current().bookOn(day).byCode.get(shippingService);
    if (card === undefined) return sendFault(res, { type: 'getRates.unknownShippingService', shippingService });
    sendJson(res, 200, cardBodyOf(card, termsOf(document, card, day), address === 'residential'));
  };

const check =
  (deps: AgreementDeps): RequestHandler =>
  async (req, res) => {
    const upload = await readBodyAs(uploadedAgreement, req, UPLOAD_BYTES);
    if (upload instanceof Failed) return sendFault(res, upload.fault);
    const current = (await deps.agreements.read()).get(upload.name);
    const schedule = deps.tariffs.current();
    const { document, findings } = await readUpload(upload, current, schedule);
    const { from: day } = upload;
    const differences =
      document === undefined || current === undefined
        ? []
        : diffAgreements({ document: current, day }, { document, day });
    const body: CheckedAgreementBody = {
      before: current === undefined ? null : agreementId(current),
      findings: [...findings],
      agreement:
        document === undefined
          ? null
          : { status: 200, ...agreementDetail(shownAs(document), schedule, schedule.bookOn(day)) },
      differences: differences
        .slice(0, MOST_DIFFERENCES)
        .map(({ at, before, after }) => ({ at, before: before ?? null, after: after ?? null })),
      moreDifferences: Math.max(0, differences.length - MOST_DIFFERENCES),
    };
    sendJson(res, 200, body);
  };

const publish =
  (deps: AgreementDeps): RequestHandler =>
  async (req, res) => {
    const asked = await readBodyAs(publishedAgreement, req, UPLOAD_BYTES);
    if (asked instanceof Failed) return sendFault(res, asked.fault);
    const { before, ...upload } = asked;
    const current = (await deps.agreements.read()).get(upload.name);
    const { document, findings } = await readUpload(upload, current, deps.tariffs.current());
    const [first] = findings;
    if (document === undefined)
      return sendFault(res, refused(`It has errors, the first: ${first?.at}: ${first?.message}.`));
    const actor = operatorOf(res);
    await deps.agreements.put(document, before, actor.name);
    await deps.audit.record(actor, {
      ...{ action: 'Published an agreement', object: upload.name },
      changes: [{ what: `from ${upload.from} on`, before, after: agreementId(document) }],
    });
    sendJson(res, before === null ? 201 : 200, bodyOf(document, await deps.clients.read(), deps));
  };

/** Handlers of these calls, for routes behind the operator's guard. */
export const agreementHandlers = (deps: AgreementDeps) => ({
  listOperatorAgreements: list(deps),
  getOperatorAgreement: get(deps),
  getAgreementCard: showCard(deps),
  checkAgreement: check(deps),
  publishAgreement: publish(deps),
});
