/** Publishes tariffs for an operator: a draft alone, or drafts and agreements that come into force as one. */
import type { Request, Response } from 'express';
import type { AgreementDocument } from '../../../agreement/document.ts';
import { agreementId } from '../../../agreement/versions.ts';
import type { Act } from '../../../audit/audit.ts';
import { must } from '../../../must.ts';
import type { Draft } from '../../../published/drafts/ledger.ts';
import { refusalOf, type Surroundings, sameNamed, tariffOf } from '../../../published/drafts/view.ts';
import { ONLY_PUBLISHED } from '../../../published/tariff-place.ts';
import { readUpload, type UploadedAgreement } from '../../../published/uploaded-agreement.ts';
import { Failed, type Fault } from '../../../rating/fault.ts';
import type { HttpResult } from '../../faults.ts';
import { readBodyAs } from '../../input.ts';
import { operatorOf } from '../session.ts';
import type { TariffChangeRequest } from './changes.ts';
import type { OperatorTariffsDeps } from './deps.ts';
import { idOf, invalid } from './drafts.ts';
import { type DraftToPublish, publicationRequest, publishDraftRequest } from './schemas.ts';

const BODY_BYTES = 4_096;
/** Several agreements, each as large as one that is published alone. */
const TOGETHER_BYTES = 16 * 1024 * 1024;

export const isSame = (ids: readonly string[], others: readonly string[]): boolean =>
  [...ids].sort().join() === [...others].sort().join();

/** Makes a change, records it, and takes it up here. */
export const change = async (
  deps: OperatorTariffsDeps,
  request: TariffChangeRequest,
  act: Act,
  res: Response,
): Promise<HttpResult<object>> => {
  const done = await deps.change(request);
  if ('refused' in done) return invalid({ tariffs: done.refused });
  if ('errors' in done)
    return invalid(Object.fromEntries(done.errors.slice(0, 20).map(({ at, message }) => [at, message])));
  const { ids, ...changed } = done.changed;
  const lists = [
    { what: 'published', before: null, after: changed.placed.join(', ') || null },
    { what: 'replaced', before: changed.replaced.join(', ') || null, after: null },
    { what: 'withdrawn', before: changed.withdrawn.join(', ') || null, after: null },
    { what: 'version', before: request.on, after: changed.version ?? request.on },
  ].filter(({ before, after }) => before !== after);
  await deps.audit.record(operatorOf(res), { ...act, changes: lists });
  await deps.takeUp();
  const inUse = isSame(deps.tariffs.current().ids, ids);
  return { ...changed, inUse, quotable: deps.tariffs.current().bookAt(deps.now()).cards.length > 0 };
};

/** Why a draft is not published as an operator asks. */
const judgeDraft = (
  draft: Draft,
  { tariff, replace, acceptDoubts }: DraftToPublish,
  around: Surroundings,
): Failed<Fault> | undefined => {
  if (tariffOf(draft) !== tariff)
    return invalid({ tariff: 'has changed since you looked at it. Review the draft again' });
  const refusal = refusalOf(draft, around);
  if (refusal !== null) return invalid({ draft: refusal });
  const { outcome } = must(draft.state.is === 'done' ? draft.state.result : undefined, 'the result of an import');
  if ('doubts' in outcome && outcome.doubts > 0 && !acceptDoubts)
    return invalid({ acceptDoubts: 'is needed: some cells could not be read, or files contradict each other' });
  if (sameNamed(draft, around) !== undefined && !replace && !around.schedule.ids.includes(tariff))
    return invalid({ replace: `is needed: there is a tariff ${draft.record.name} already` });
  return undefined;
};

export const publish = async (deps: OperatorTariffsDeps, req: Request, res: Response): Promise<HttpResult<object>> => {
  const asked = await readBodyAs(publishDraftRequest, req, BODY_BYTES);
  if (asked instanceof Failed) return asked;
  if (deps.refusal !== undefined) return invalid({ tariffs: deps.refusal });
  const { tariff, replace, version: on } = asked;
  const { name: by } = operatorOf(res);
  return await deps.drafts.withFolder(idOf(req), async (dir, draft) => {
    const refused = judgeDraft(draft, asked, await deps.surroundings());
    if (refused !== undefined) return refused;
    const act = { action: 'Published the tariff', object: tariff };
    return await change(deps, { publish: [dir], replace, by, on }, act, res);
  });
};

type UploadedBeside = UploadedAgreement & { readonly before: string | null };

/** What the uploads make of the agreements, checked by themselves. */
const readAgreements = async (
  current: ReadonlyMap<string, AgreementDocument>,
  uploads: readonly UploadedBeside[],
): Promise<HttpResult<{ readonly document: AgreementDocument; readonly before: string | null }[]>> => {
  const read: { readonly document: AgreementDocument; readonly before: string | null }[] = [];
  for (const [at, { before, ...upload }] of uploads.entries()) {
    const path = `agreements[${at}]`;
    if (uploads.findIndex(({ name }) => name === upload.name) < at)
      return invalid({ [path]: 'has the name of an earlier one' });
    const { document, findings } = await readUpload(upload, current.get(upload.name), undefined);
    const first = findings.find(({ severity }) => severity === 'error');
    if (document === undefined) return invalid({ [path]: `has errors, the first: ${first?.at}: ${first?.message}` });
    read.push({ document, before });
  }
  return read;
};

type Fetched = readonly { readonly dir: string; readonly draft: Draft }[];

/** Uses the folders of drafts, all at the same time. */
const withFolders = async <T>(
  drafts: OperatorTariffsDeps['drafts'],
  [id, ...others]: readonly string[],
  use: (fetched: Fetched) => Promise<T>,
): Promise<T> =>
  id === undefined
    ? await use([])
    : await drafts.withFolder(id, (dir, draft) =>
        withFolders(drafts, others, (rest) => use([{ dir, draft }, ...rest])),
      );

export const publishTogether = async (
  deps: OperatorTariffsDeps,
  req: Request,
  res: Response,
): Promise<HttpResult<object>> => {
  const asked = await readBodyAs(publicationRequest, req, TOGETHER_BYTES);
  if (asked instanceof Failed) return asked;
  const { place, publishedAgreements } = deps;
  if (place === 'folder' || publishedAgreements === undefined) return invalid({ tariffs: ONLY_PUBLISHED });
  const agreements = await readAgreements(await publishedAgreements(), asked.agreements);
  if (agreements instanceof Failed) return agreements;
  const ids = asked.tariffs.map(({ draft }) => draft);
  return await withFolders(deps.drafts, ids, async (fetched) => {
    const around = await deps.surroundings();
    for (const [at, { draft }] of fetched.entries()) {
      const refused = judgeDraft(draft, must(asked.tariffs[at], 'what is asked of a draft'), around);
      if (refused !== undefined) return refused;
    }
    const object = [
      ...asked.tariffs.map(({ tariff }) => tariff),
      ...agreements.map(({ document }) => agreementId(document)),
    ].join(', ');
    const request = {
      ...{ publish: fetched.map(({ dir }) => dir), replace: asked.tariffs.some(({ replace }) => replace) },
      ...{ agreements, by: operatorOf(res).name, on: asked.version },
    };
    return await change(deps, request, { action: 'Published as one', object }, res);
  });
};
