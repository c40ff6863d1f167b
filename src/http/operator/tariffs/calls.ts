/**
 * The operator's calls for tariffs in force: list them, withdraw one, go back to a version, publish one draft, or publish
 * drafts and agreements together.
 */
import { z } from 'zod';
import type { Act } from '../../../base/audit/audit.ts';
import { Failed } from '../../../base/failed.ts';
import { must } from '../../../base/must.ts';
import type { AgreementDocument } from '../../../catalog/agreement/document.ts';
import { agreementId } from '../../../catalog/agreement/versions.ts';
import { cardBodyOf } from '../../../catalog/agreement/view/card.ts';
import { lostPrices } from '../../../catalog/clients/accounts.ts';
import { type AgreementToPublish, ONLY_PUBLISHED } from '../../../catalog/published/store-place.ts';
import { later } from '../../../catalog/tariff/days.ts';
import { dayIn } from '../../../catalog/tariff/schedule.ts';
import { tariffsBodyOf } from '../../../catalog/tariff/view/tariffs.ts';
import { readUpload } from '../../../import/agreement/uploaded-agreement.ts';
import type { Drafts } from '../../../import/drafts/drafts.ts';
import type { Draft } from '../../../import/drafts/ledger.ts';
import {
  currentVersion,
  draftEntryOf,
  refusalOf,
  type Surroundings,
  sameNamed,
  tariffEntriesOf,
  tariffOf,
} from '../../../import/drafts/view.ts';
import { fuelPercent, NOT_A_FUEL_PERCENT } from '../../../import/plain-csv/fuel-percent.ts';
import type { Fault } from '../../../rating/fault.ts';
import { cardIn } from '../../../rating/rate.ts';
import type { HttpFault, HttpResult } from '../../faults.ts';
import { invalid } from '../../input.ts';
import { pathOf } from '../../routes.ts';
import { cardQuery, publishedAgreement } from '../agreements/calls.ts';
import { type Change, type ChangeAsked, type OperatorService, operatorCall, refused } from '../service.ts';
import { isSame, surroundingsOf } from './drafts.ts';

/** Limit on several agreements, each as large as one that is published alone. */
const TOGETHER_BYTES = 16 * 1024 * 1024;

const version = z.string().max(40).nullable();
const draftToPublish = {
  /** The id that the operator saw. */
  tariff: z.string().max(100),
  replace: z.boolean(),
  /** Whether the operator accepts unreadable cells and contradictions. */
  acceptDoubts: z.boolean(),
};
type DraftToPublish = z.output<z.ZodObject<typeof draftToPublish>>;
const MOST_TOGETHER = 50;
const MOST_FUEL_RATES = 1_000;
/** Tariffs and agreements that come into force together. */
const publicationRequest = z.strictObject({
  tariffs: z.array(z.strictObject({ draft: z.string().max(100), ...draftToPublish })).max(MOST_TOGETHER),
  agreements: z.array(publishedAgreement).max(MOST_TOGETHER),
  version,
});

const listTariffs = async (service: OperatorService) => {
  const around = await surroundingsOf(service);
  const [{ schedule }, instant] = [around, service.now()];
  const drafts = await service.tariffDesk.drafts.list();
  return {
    /** Where tariffs are: in a folder of this machine, or published to the store. */
    place: service.tariffDesk.place,
    /** Why tariffs cannot be changed here; null if they can. */
    refusal: service.tariffDesk.refusal ?? null,
    /** The version in force; null before the first change. */
    version: currentVersion(around),
    clients: around.clients,
    tariffs: tariffEntriesOf(schedule, schedule.bookAt(instant), instant),
    /** Tariffs that cannot be used. */
    problems: service.tariffs
      .findings()
      .filter(({ severity }) => severity === 'error')
      .slice(0, 50)
      .map(({ at, message }) => `${at}: ${message}`),
    /** Newest first. */
    versions: around.versions.map(({ version, at, by, ids: tariffs, isCurrent }) => ({
      ...{ version, at, by, tariffs, isCurrent },
    })),
    drafts: drafts.map((draft) => draftEntryOf(draft, around)),
  };
};

/** Makes a change, records it, and applies it in this process. */
const change = async (asked: ChangeAsked, how: Change, on: string | null, act: Act) => {
  const { service, operator } = asked;
  const { tariffs, tariffDesk, audit, takeUp, now } = service;
  if (tariffDesk.refusal !== undefined) return refused(tariffDesk.refusal);
  const done = await tariffDesk.change({ ...how, by: operator.name, on });
  if ('refused' in done) return refused(done.refused);
  if ('errors' in done)
    return invalid(Object.fromEntries(done.errors.slice(0, 20).map(({ at, message }) => [at, message])));
  const { ids, ...changed } = done.changed;
  const lists = [
    { what: 'published', before: null, after: changed.placed.join(', ') || null },
    { what: 'replaced', before: changed.replaced.join(', ') || null, after: null },
    { what: 'withdrawn', before: changed.withdrawn.join(', ') || null, after: null },
    { what: 'version', before: on, after: changed.version ?? on },
  ].filter(({ before, after }) => before !== after);
  await audit.record(operator, { ...act, changes: [...(act.changes ?? []), ...lists] });
  await takeUp();
  return {
    ...changed,
    /** Whether this process uses the tariffs already. Others follow within a second. */
    inUse: isSame(tariffs.current().ids, ids),
    /** Whether any service is in force today. */
    quotable: tariffs.current().bookAt(now()).cards.length > 0,
  };
};

/** Why a draft cannot be published as requested. */
const judgeDraft = (
  draft: Draft,
  { tariff, replace, acceptDoubts }: DraftToPublish,
  around: Surroundings,
): Failed<Fault | HttpFault> | undefined => {
  if (tariffOf(draft) !== tariff) return refused('The draft has changed since you looked at it. Review it again.');
  const refusal = refusalOf(draft, around);
  if (refusal !== null) return refused(refusal);
  const { outcome } = must(draft.state.is === 'done' ? draft.state.result : undefined, 'the result of an import');
  if ('doubts' in outcome && outcome.doubts > 0 && !acceptDoubts)
    return invalid({ acceptDoubts: 'is needed: some cells could not be read, or files contradict each other' });
  if (sameNamed(draft, around) !== undefined && !replace && !around.schedule.ids.includes(tariff))
    return invalid({ replace: `is needed: there is a tariff ${draft.record.name} already` });
  return undefined;
};

/** Reads and checks the uploaded agreements, each by itself. */
const readAgreements = async (
  current: ReadonlyMap<string, AgreementDocument>,
  uploads: readonly z.output<typeof publishedAgreement>[],
): Promise<HttpResult<readonly AgreementToPublish[]>> => {
  const read: AgreementToPublish[] = [];
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

/** Uses the folders of several drafts at the same time. */
const withFolders = async <T>(
  drafts: Drafts,
  [id, ...others]: readonly string[],
  use: (fetched: Fetched) => Promise<T>,
): Promise<T> =>
  id === undefined
    ? await use([])
    : await drafts.withFolder(id, (dir, draft) =>
        withFolders(drafts, others, (rest) => use([{ dir, draft }, ...rest])),
      );

export const tariffCalls = {
  listOperatorTariffs: operatorCall({ is: 'GET /ops/tariffs', handle: ({ service }) => listTariffs(service) }),
  /** The id is no part of the path, because paths have no `@`. */
  getOperatorTariff: operatorCall({
    is: 'GET /ops/tariffs/shown',
    query: z.strictObject({ id: z.string().max(100) }),
    handle: ({ service: { tariffs, now }, query: { id }, req }) =>
      tariffsBodyOf(tariffs.current(), now(), { warehouses: new Map() }).tariffs.find((one) => one.id === id) ??
      new Failed({ type: 'request.notFound', path: pathOf(req) } as const),
  }),
  /** The list rates of a service of the tariff, today or on its first day. */
  getTariffCard: operatorCall({
    is: 'GET /ops/tariffs/card',
    query: z.strictObject({ id: z.string().max(100), ...cardQuery }),
    handle: ({ service: { tariffs, now }, query: { id, service, address }, req }) => {
      const own = tariffs.current().only(id);
      const [document] = own?.documents ?? [];
      if (own === undefined || document === undefined)
        return new Failed({ type: 'request.notFound', path: pathOf(req) } as const);
      const { timeZone, effective } = document.file;
      const card = cardIn(own.bookOn(later(dayIn(timeZone, now()), effective)), service);
      if (card instanceof Failed) return card;
      return cardBodyOf(card, undefined, address === 'residential');
    },
  }),
  withdrawTariff: operatorCall({
    is: 'POST /ops/tariffs/withdraw',
    body: z.strictObject({ tariff: z.string().max(100), version }),
    handle: async (asked) => {
      const { tariff, version: on } = asked.body;
      return await change(asked, { withdraw: tariff }, on, { action: 'Withdrew the tariff', object: tariff });
    },
  }),
  addFuelRates: operatorCall({
    is: 'POST /ops/tariffs/fuel',
    body: z.strictObject({
      tariff: z.string().max(100),
      rates: z
        .array(
          z.strictObject({
            carrier: z.string().max(40),
            services: z.array(z.string().max(40)).min(1).max(200),
            effectiveDate: z.iso.date('must be a date, YYYY-MM-DD'),
            percent: z
              .string()
              .max(20)
              .refine((text) => fuelPercent(text) !== undefined, `is ${NOT_A_FUEL_PERCENT}`),
          }),
        )
        .min(1)
        .max(MOST_FUEL_RATES),
    }),
    handle: async (asked) => {
      const { service, operator, body } = asked;
      const { tariff } = body;
      const { refusal } = service.tariffDesk;
      if (refusal !== undefined) return refused(refusal);
      const rates = body.rates.map(({ carrier, services, effectiveDate: from, percent }) => ({
        ...{ carrier, services, from, percent: must(fuelPercent(percent), 'a checked fuel rate') },
        source: `${operator.name}, in the console`,
      }));
      const on = currentVersion(await surroundingsOf(service));
      const changes = rates.map(({ services, from, percent }) => ({
        ...{ what: `fuel of ${services.join(', ')} from ${from}`, before: null, after: `${percent}%` },
      }));
      return await change(asked, { fuel: { tariff, rates } }, on, {
        ...{ action: 'Added fuel rates to', object: tariff, changes },
      });
    },
  }),
  goBackToVersion: operatorCall({
    is: 'POST /ops/tariffs/back',
    body: z.strictObject({ to: z.string().max(40), version }),
    handle: async (asked) => {
      const { to, version: on } = asked.body;
      return await change(asked, { goBack: to }, on, { action: 'Went back to version', object: to });
    },
  }),
  publishTariffDraft: operatorCall({
    is: 'POST /ops/tariff-drafts/{id}/publish',
    body: z.strictObject({ ...draftToPublish, version }),
    handle: async (asked) => {
      const { service, id, body } = asked;
      const { refusal, drafts } = service.tariffDesk;
      // Earlier than what is wrong with the draft.
      if (refusal !== undefined) return refused(refusal);
      const { tariff, replace, version: on } = body;
      return await drafts.withFolder(id, async (dir, draft) => {
        const judged = judgeDraft(draft, body, await surroundingsOf(service));
        if (judged !== undefined) return judged;
        return await change(asked, { publish: [dir], replace }, on, { action: 'Published the tariff', object: tariff });
      });
    },
  }),
  publishTogether: operatorCall({
    is: 'POST /ops/publications',
    body: publicationRequest,
    bytes: TOGETHER_BYTES,
    handle: async (asked) => {
      const { service, body } = asked;
      const { tariffDesk, agreementPlace, publishesAgreements } = service;
      if (tariffDesk.place === 'folder' || !publishesAgreements) return refused(ONLY_PUBLISHED);
      const [current, records] = await Promise.all([agreementPlace.read(), service.clientPlace.read()]);
      const agreements = await readAgreements(current, body.agreements);
      if (agreements instanceof Failed) return agreements;
      const published = agreements.map(({ document }) => [document.file.name, document] as const);
      const lost = lostPrices(records, current, new Map([...current, ...published]));
      if (lost !== undefined) return refused(lost);
      const ids = body.tariffs.map(({ draft }) => draft);
      return await withFolders(tariffDesk.drafts, ids, async (fetched) => {
        const around = await surroundingsOf(service);
        for (const [at, { draft }] of fetched.entries()) {
          const judged = judgeDraft(draft, must(body.tariffs[at], 'what is asked of a draft'), around);
          if (judged !== undefined) return judged;
        }
        const object = [
          ...body.tariffs.map(({ tariff }) => tariff),
          ...agreements.map(({ document }) => agreementId(document)),
        ].join(', ');
        const publish = fetched.map(({ dir }) => dir);
        const replace = body.tariffs.some((one) => one.replace);
        const act = { action: 'Published together:', object };
        return await change(asked, { publish, replace, agreements }, body.version, act);
      });
    },
  }),
};
