/** The operator's calls about drafts of tariffs, but for publishing. */
import type { Request, RequestHandler, Response } from 'express';
import type { DraftFields } from '../../../published/drafts/drafts.ts';
import type { Draft } from '../../../published/drafts/ledger.ts';
import { DraftRefused } from '../../../published/drafts/ledger.ts';
import { DRAFT_LIMITS } from '../../../published/drafts/uploads.ts';
import { draftBodyOf } from '../../../published/drafts/view.ts';
import { Failed, type Fault } from '../../../rating/fault.ts';
import { TaskRefused } from '../../../tariff/draft/run.ts';
import { tariffId } from '../../../tariff/schedule.ts';
import { readQuery } from '../../batch-options.ts';
import type { HttpFault, HttpResult } from '../../faults.ts';
import { readBodyAs } from '../../input.ts';
import { sendFault, sendJson } from '../../reply.ts';
import { pathOf } from '../../routes.ts';
import type { OperatorHandlers } from '../routes.ts';
import { operatorOf } from '../session.ts';
import type { OperatorTariffsDeps } from './deps.ts';
import {
  addFileQuery,
  changeDraftRequest,
  createDraftRequest,
  type DraftChangeRequest,
  differenceQuery,
  removeFileQuery,
} from './schemas.ts';

/** Enough for the origins of all files of a draft. */
const BODY_BYTES = 16_384;

/** A refusal whose fields have problems, in words for people. */
export const invalid = (problems: Readonly<Record<string, string>>): Failed<Fault> =>
  new Failed({
    type: 'getRates.invalidRequest',
    issues: Object.entries(problems).map(([path, message]) => ({ path, message })),
  });

const faultOf = ({ why, problems }: DraftRefused, req: Request): Fault | HttpFault => {
  const [[limit = 'draft', most = ''] = []] = Object.entries(problems);
  if (why === 'missing') return { type: 'request.notFound', path: pathOf(req) };
  if (why === 'tooLarge') return { type: 'request.tooLarge', limit, most };
  return invalid(problems).fault;
};

/** Answers with what `work` gives. Refusals of drafts are faults. */
export const answering =
  (work: (req: Request, res: Response) => Promise<HttpResult<object> | undefined>): RequestHandler =>
  async (req, res) => {
    try {
      const answer = await work(req, res);
      if (answer instanceof Failed) sendFault(res, answer.fault);
      else if (answer === undefined) res.status(204).end();
      else sendJson(res, 200, answer);
    } catch (error) {
      if (error instanceof DraftRefused) return sendFault(res, faultOf(error, req));
      if (error instanceof TaskRefused) return sendFault(res, invalid({ draft: error.message }).fault);
      throw error;
    }
  };

/** The id in the path. */
export const idOf = (req: Request): string => String(req.params['id']);

/** The file of a request's body, without reading it. */
const requireRawBody = (req: Request): HttpFault | undefined => {
  const type = req.headers['content-type'] ?? 'application/octet-stream';
  if (type !== 'application/octet-stream')
    return { type: 'request.unsupportedMediaType', header: 'Content-Type', accepted: ['application/octet-stream'] };
  if (req.headers['content-encoding'] !== undefined)
    return { type: 'request.unsupportedMediaType', header: 'Content-Encoding', accepted: ['identity'] };
  if (Number(req.headers['content-length'] ?? 0) > DRAFT_LIMITS.fileBytes)
    return { type: 'request.tooLarge', limit: 'file', most: `${DRAFT_LIMITS.fileBytes} bytes` };
  return undefined;
};

const fileHandlers = (
  { drafts, audit }: OperatorTariffsDeps,
  bodyOf: (draft: Draft) => Promise<object>,
): OperatorHandlers => ({
  addDraftFile: answering(async (req, res) => {
    const query = readQuery(addFileQuery, req);
    if (query instanceof Failed) return query;
    const fault = requireRawBody(req);
    if (fault !== undefined) return new Failed(fault);
    const actor = operatorOf(res);
    const draft = await drafts.addFile(idOf(req), query.name, req, actor.name);
    await audit.record(actor, {
      action: 'Added a file to the draft',
      object: draft.record.name,
      changes: [{ what: 'file', before: null, after: query.name }],
    });
    return await bodyOf(draft);
  }),
  removeDraftFile: answering(async (req, res) => {
    const query = readQuery(removeFileQuery, req);
    if (query instanceof Failed) return query;
    const actor = operatorOf(res);
    const number = Number(query.number);
    const before = await drafts.get(idOf(req));
    const draft = await drafts.removeFile(idOf(req), number, actor.name);
    const file = before.record.files.find((one) => one.number === number)?.file ?? query.number;
    await audit.record(actor, {
      action: 'Removed a file from the draft',
      object: draft.record.name,
      changes: [{ what: 'file', before: file, after: null }],
    });
    return await bodyOf(draft);
  }),
});

const fieldsOf = ({
  name,
  effectiveDate: effective,
  services,
  origins,
}: DraftChangeRequest['before']): DraftFields => ({
  name,
  effective,
  services,
  origins,
});

/** What a change of a draft changed, for the audit log. */
const changesOf = (before: Draft['record'], after: Draft['record']) =>
  [
    { what: 'name', before: before.name, after: after.name },
    { what: 'first day', before: before.effective, after: after.effective },
    { what: 'services on request', before: before.services.join(', '), after: after.services.join(', ') },
    ...after.files.map(({ number, file, origin }) => ({
      what: `origin of ${file}`,
      before: before.files.find((one) => one.number === number)?.origin ?? null,
      after: origin,
    })),
  ].filter((change) => change.before !== change.after);

/** @returns handlers of the calls about drafts, but for publishing */
export const draftHandlers = (deps: OperatorTariffsDeps): OperatorHandlers => {
  const { drafts, audit, tariffs } = deps;
  const bodyOf = async (draft: Draft) => draftBodyOf(draft, await deps.surroundings());
  return {
    createTariffDraft: answering(async (req, res) => {
      const asked = await readBodyAs(createDraftRequest, req, BODY_BYTES);
      if (asked instanceof Failed) return asked;
      const actor = operatorOf(res);
      const { name, effectiveDate: effective } = asked;
      const draft = await drafts.create({ name, effective }, actor.name);
      await audit.record(actor, {
        action: 'Began the draft',
        object: name,
        changes: [{ what: 'first day', before: null, after: effective }],
      });
      return await bodyOf(draft);
    }),
    getTariffDraft: answering(async (req) => await bodyOf(await drafts.get(idOf(req)))),
    changeTariffDraft: answering(async (req, res) => {
      const asked = await readBodyAs(changeDraftRequest, req, BODY_BYTES);
      if (asked instanceof Failed) return asked;
      const actor = operatorOf(res);
      const before = await drafts.get(idOf(req));
      const draft = await drafts.change(idOf(req), fieldsOf(asked), fieldsOf(asked.before), actor.name);
      const changes = changesOf(before.record, draft.record);
      await audit.record(actor, { action: 'Changed the draft', object: before.record.name, changes });
      return await bodyOf(draft);
    }),
    discardTariffDraft: answering(async (req, res) => {
      const { name } = await drafts.discard(idOf(req));
      await audit.record(operatorOf(res), { action: 'Discarded the draft', object: name });
      return undefined;
    }),
    importTariffDraft: answering(async (req, res) => {
      const actor = operatorOf(res);
      const draft = await drafts.import(idOf(req), actor.name);
      await audit.record(actor, { action: 'Imported the files of the draft', object: draft.record.name });
      return await bodyOf(draft);
    }),
    compareTariffDraft: answering(async (req, res) => {
      const query = readQuery(differenceQuery, req);
      if (query instanceof Failed) return query;
      const before = tariffs.current().documents.find((document) => tariffId(document) === query.to);
      if (before === undefined) return invalid({ to: 'is no tariff of the service now. Load the page again' });
      return await drafts.compare(idOf(req), before, operatorOf(res).name);
    }),
    ...fileHandlers(deps, bodyOf),
  };
};
