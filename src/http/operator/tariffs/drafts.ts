/** The operator's calls for drafts of tariffs, except publishing. */
import type { Request } from 'express';
import { z } from 'zod';
import type { Act } from '../../../base/audit/audit.ts';
import { Failed } from '../../../base/failed.ts';
import { tariffId } from '../../../catalog/tariff/schedule.ts';
import { DRAFT_LIMITS, type DraftFields } from '../../../import/drafts/drafts.ts';
import type { Draft } from '../../../import/drafts/ledger.ts';
import { draftBodyOf, type Surroundings, sameNamed } from '../../../import/drafts/view.ts';
import type { HttpFault } from '../../faults.ts';
import { invalid } from '../../input.ts';
import { type ChangeAsked, type OperatorService, operatorCall } from '../service.ts';

/** Enough for the origins of all files of a draft. */
const BODY_BYTES = 16_384;

const day = z.iso.date('must be a date, YYYY-MM-DD');
const draftName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lower-case letters, digits and hyphens, at most 40');
const draftFields = {
  name: draftName.optional(),
  effectiveDate: day.optional(),
  services: z
    .array(z.string().regex(/^[A-Z0-9][A-Z0-9-]{0,9}$/, 'must be the code of a service'))
    .max(60)
    .optional(),
  /** By file number. */
  origins: z
    .record(
      z.string().regex(/^\d{1,10}$/),
      z
        .string()
        .regex(/^\d{3}(?:-\d{3})?$/, 'must be the first three digits of a ZIP code, such as 070 or 070-076')
        .nullable(),
    )
    .optional(),
};
type Fields = z.output<z.ZodObject<typeof draftFields>>;

/** Checks the headers of an uploaded file. */
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

const fieldsOf = ({ name, effectiveDate: effective, services, origins }: Fields): DraftFields => ({
  ...{ name, effective, services, origins },
});

/** The changes of a draft, for the audit log. */
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

const bodyOf = async (draft: Draft, service: OperatorService) => draftBodyOf(draft, await surroundingsOf(service));

/** Records a change of a draft, and shows the draft. */
const changed = async (
  { service, operator }: ChangeAsked,
  draft: Draft,
  { object = draft.record.name, ...act }: Act,
) => {
  await service.audit.record(operator, { ...act, object });
  return await bodyOf(draft, service);
};

export const draftCalls = {
  createTariffDraft: operatorCall({
    is: 'POST /ops/tariff-drafts',
    body: z.strictObject({ name: draftName, effectiveDate: day }),
    bytes: BODY_BYTES,
    handle: async (asked) => {
      const { name, effectiveDate: effective } = asked.body;
      const draft = await asked.service.tariffDesk.drafts.create({ name, effective }, asked.operator.name);
      const changes = [{ what: 'first day', before: null, after: effective }];
      return await changed(asked, draft, { action: 'Started the draft', object: name, changes });
    },
  }),
  getTariffDraft: operatorCall({
    is: 'GET /ops/tariff-drafts/{id}',
    handle: async ({ service, id }) => await bodyOf(await service.tariffDesk.drafts.get(id), service),
  }),
  changeTariffDraft: operatorCall({
    is: 'POST /ops/tariff-drafts/{id}',
    /** `before`: the values that the operator saw in the fields that change. */
    body: z.strictObject({ ...draftFields, before: z.strictObject(draftFields) }),
    bytes: BODY_BYTES,
    handle: async (asked) => {
      const { service, operator, id, body } = asked;
      const { drafts } = service.tariffDesk;
      const before = await drafts.get(id);
      const draft = await drafts.change(id, fieldsOf(body), fieldsOf(body.before), operator.name);
      const changes = changesOf(before.record, draft.record);
      return await changed(asked, draft, { action: 'Changed the draft', object: before.record.name, changes });
    },
  }),
  discardTariffDraft: operatorCall({
    is: 'DELETE /ops/tariff-drafts/{id}',
    handle: async ({ service, operator, id }) => {
      const { name } = await service.tariffDesk.drafts.discard(id);
      await service.audit.record(operator, { action: 'Discarded the draft', object: name });
    },
  }),
  addDraftFile: operatorCall({
    is: 'POST /ops/tariff-drafts/{id}/files',
    query: z.strictObject({ name: z.string() }),
    handle: async (asked) => {
      const { service, operator, id, query, req } = asked;
      const fault = requireRawBody(req);
      if (fault !== undefined) return new Failed(fault);
      const draft = await service.tariffDesk.drafts.addFile(id, query.name, req, operator.name);
      const changes = [{ what: 'file', before: null, after: query.name }];
      return await changed(asked, draft, { action: 'Added files to the draft', changes });
    },
  }),
  removeDraftFile: operatorCall({
    is: 'DELETE /ops/tariff-drafts/{id}/files',
    query: z.strictObject({ number: z.string().regex(/^\d{1,10}$/, 'must be the number of a file') }),
    handle: async (asked) => {
      const { service, operator, id, query } = asked;
      const { drafts } = service.tariffDesk;
      const number = Number(query.number);
      const before = await drafts.get(id);
      const draft = await drafts.removeFile(id, number, operator.name);
      const file = before.record.files.find((one) => one.number === number)?.file ?? query.number;
      const changes = [{ what: 'file', before: file, after: null }];
      return await changed(asked, draft, { action: 'Removed files from the draft', changes });
    },
  }),
  importTariffDraft: operatorCall({
    is: 'POST /ops/tariff-drafts/{id}/import',
    handle: async (asked) => {
      const draft = await asked.service.tariffDesk.drafts.import(asked.id, asked.operator.name);
      return await changed(asked, draft, { action: 'Imported the files of the draft' });
    },
  }),
  compareTariffDraft: operatorCall({
    is: 'GET /ops/tariff-drafts/{id}/difference',
    query: z.strictObject({ to: z.string().max(100) }),
    handle: async ({ service, operator, id, query }) => {
      const { drafts } = service.tariffDesk;
      const around = await surroundingsOf(service);
      const before = around.schedule.documents.find((document) => tariffId(document) === query.to);
      if (before === undefined) return invalid({ to: 'is no longer a tariff of the service. Load the page again' });
      return await drafts.compare(id, before, sameNamed(await drafts.get(id), around) === before, operator.name);
    },
  }),
};

export const isSame = (ids: readonly string[], others: readonly string[]): boolean =>
  [...ids].sort().join() === [...others].sort().join();

/** Number of attempts to read tariffs and versions of the same publication. */
const LOOKS = 3;

/**
 * The current tariffs and their versions. If the tariffs cannot be used, or if a folder was changed by hand, they differ from
 * the version in force. The problems say so.
 */
export const surroundingsOf = async ({ tariffs, tariffDesk, clients }: OperatorService): Promise<Surroundings> => {
  for (let look = 1; ; look += 1) {
    const versions = await tariffDesk.versions();
    // If this fails, the problems say why.
    await tariffs.refresh().catch(() => undefined);
    const around = { place: tariffDesk.place, schedule: tariffs.current(), versions, clients: clients.current().size };
    const inForce = versions.find(({ isCurrent }) => isCurrent)?.ids ?? [];
    if (isSame(around.schedule.ids, inForce) || look === LOOKS) return around;
  }
};
