/** A client's own agreements. Another client's is not found, as one that never was. */
import type { RequestHandler, Response } from 'express';
import { type Assigned, NO_ACCOUNT, NoAccount } from '../../agreement/account.ts';
import { agreementDetail, agreementSummary, shownOf } from '../../agreement/view/tables.ts';
import { callerOf, scheduleOf } from '../auth.ts';
import { sendFault, sendJson } from '../reply.ts';
import { pathOf } from '../routes.ts';

export interface AgreementDeps {
  readonly now: () => Date;
}

/** @throws {NoAccount} if one of them cannot be used: an empty list would be wrong */
const agreementsOf = (res: Response): readonly Assigned[] => {
  const { account, agreements } = callerOf(res);
  if (account === NO_ACCOUNT) throw new NoAccount();
  return agreements;
};

/** `GET /v1/client/agreements` */
const listAgreements =
  ({ now }: AgreementDeps): RequestHandler =>
  (_req, res) => {
    const books = scheduleOf(res);
    const today = books.bookAt(now());
    const shown = shownOf(agreementsOf(res));
    sendJson(res, 200, { status: 200, agreements: shown.map((one) => agreementSummary(one, books, today)) });
  };

/** `GET /v1/client/agreements/{name}` */
const getAgreement =
  ({ now }: AgreementDeps): RequestHandler =>
  (req, res) => {
    const shown = shownOf(agreementsOf(res)).find(({ document }) => document.file.name === req.params['name']);
    if (shown === undefined) return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    const books = scheduleOf(res);
    sendJson(res, 200, { status: 200, ...agreementDetail(shown, books, books.bookAt(now())) });
  };

/** Handlers of these calls, for routes behind `requireCaller`. */
export const agreementHandlers = (deps: AgreementDeps) => ({
  listAgreements: listAgreements(deps),
  getAgreement: getAgreement(deps),
});
