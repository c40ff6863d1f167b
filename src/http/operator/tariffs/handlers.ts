/** The operator's calls about tariffs: the list, publishing a draft, withdrawing a tariff, and going back. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { Act } from '../../../audit/audit.ts';
import { must } from '../../../must.ts';
import type { RateBook } from '../../../rating/card.ts';
import { Failed } from '../../../rating/fault.ts';
import { dayIn, type Schedule } from '../../../tariff/schedule.ts';
import { centroidsOf } from '../../console/tariffs.ts';
import { type HttpResult, orUnavailable } from '../../faults.ts';
import { readBodyAs } from '../../input.ts';
import type { OperatorHandlers } from '../routes.ts';
import { operatorOf } from '../session.ts';
import { currentVersion, draftEntryOf, refusalOf, sameNamed, tariffOf } from './bodies.ts';
import type { TariffChangeRequest } from './changes.ts';
import type { OperatorTariffsDeps, TariffSetup } from './deps.ts';
import { answering, draftHandlers, idOf, invalid } from './drafts.ts';
import { backRequest, type OperatorTariffsBody, publishDraftRequest, withdrawRequest } from './schemas.ts';

const BODY_BYTES = 4_096;
/** How long a change waits until this process uses the tariffs. */
const IN_USE_MS = 6_000;
const LOOK_MS = 100;

type Entry = OperatorTariffsBody['tariffs'][number];

/** @param book the cards in force at the instant */
const entriesOf = (schedule: Schedule, book: RateBook, instant: Date): Entry[] =>
  schedule.documents.map(({ file }, at) => {
    const id = must(schedule.ids[at], 'the id of a tariff');
    const isToCome = file.effective > dayIn(file.timeZone, instant);
    const services = file.services.map(({ code, carrier }) => {
      const isNow = book.byCode.get(code)?.tariff === id;
      return { shippingService: code, carrier, inForce: isNow ? 'now' : isToCome ? 'later' : 'past' } as const;
    });
    return {
      id,
      name: file.name,
      effectiveDate: file.effective,
      fallback: file.fallback,
      inForce: services.some(({ inForce }) => inForce === 'now') ? 'now' : isToCome ? 'later' : 'past',
      services,
    };
  });

/** Waits until this process uses the tariffs. @returns false if it takes too long */
const becomeInUse = async ({ tariffs }: OperatorTariffsDeps, ids: readonly string[]): Promise<boolean> => {
  const wanted = [...ids].sort().join();
  for (const late = performance.now() + IN_USE_MS; performance.now() < late; await sleep(LOOK_MS))
    if ([...tariffs.current().ids].sort().join() === wanted) return true;
  return false;
};

/** Makes a change, records it, and waits until it is in use here. */
const change = async (
  deps: OperatorTariffsDeps,
  request: TariffChangeRequest,
  act: Act,
  res: Response,
): Promise<HttpResult<object>> => {
  const done = await orUnavailable('store', deps.change(request));
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
  const inUse = await becomeInUse(deps, ids);
  return { ...changed, inUse, quotable: deps.tariffs.current().bookAt(deps.now()).cards.length > 0 };
};

const listTariffs = async (deps: OperatorTariffsDeps): Promise<OperatorTariffsBody> => {
  const around = await deps.surroundings();
  const [{ schedule }, instant] = [around, deps.now()];
  const drafts = await deps.drafts.list();
  return {
    place: deps.place,
    refusal: deps.refusal ?? null,
    version: currentVersion(around),
    tariffs: entriesOf(schedule, schedule.bookAt(instant), instant),
    problems: deps.tariffs
      .findings()
      .filter(({ severity }) => severity === 'error')
      .slice(0, 50)
      .map(({ at, message }) => `${at}: ${message}`),
    versions: around.versions.map(({ version, at, by, tariffs, isCurrent }) => ({
      version,
      at,
      by,
      tariffs: [...tariffs],
      isCurrent,
    })),
    drafts: drafts.map((draft) => draftEntryOf(draft, around)),
  };
};

const publish = async (deps: OperatorTariffsDeps, req: Request, res: Response): Promise<HttpResult<object>> => {
  const asked = await readBodyAs(publishDraftRequest, req, BODY_BYTES);
  if (asked instanceof Failed) return asked;
  if (deps.refusal !== undefined) return invalid({ tariffs: deps.refusal });
  const { tariff, replace, acceptDoubts, version } = asked;
  const { name: by } = operatorOf(res);
  return await deps.drafts.withFolder(idOf(req), async (dir, draft) => {
    if (tariffOf(draft) !== tariff)
      return invalid({ tariff: 'has changed since you looked at it. Review the draft again' });
    const around = await deps.surroundings();
    const refusal = refusalOf(draft, around);
    if (refusal !== null) return invalid({ draft: refusal });
    const { outcome } = must(draft.state.is === 'done' ? draft.state.result : undefined, 'the result of an import');
    if ('doubts' in outcome && outcome.doubts > 0 && !acceptDoubts)
      return invalid({ acceptDoubts: 'is needed: some cells could not be read, or files contradict each other' });
    if (sameNamed(draft, around) !== undefined && !replace && !around.schedule.ids.includes(tariff))
      return invalid({ replace: `is needed: there is a tariff ${draft.record.name} already` });
    return await change(
      deps,
      { publish: dir, replace, by, on: version },
      { action: 'Published the tariff', object: tariff },
      res,
    );
  });
};

/** @param setup what the service gives @returns handlers of the operator's calls about tariffs */
export const tariffHandlers = (
  setup: TariffSetup & Pick<OperatorTariffsDeps, 'tariffs' | 'audit' | 'now'>,
): OperatorHandlers => {
  const deps: OperatorTariffsDeps = {
    ...setup,
    surroundings: async () => ({
      place: setup.place,
      schedule: setup.tariffs.current(),
      versions: await setup.versions(),
    }),
  };
  return {
    ...draftHandlers(deps),
    listOperatorTariffs: answering(() => listTariffs(deps)),
    getOperatorCentroids: answering(async () => centroidsOf()),
    publishTariffDraft: answering((req, res) => publish(deps, req, res)),
    withdrawTariff: answering(async (req, res) => {
      const asked = await readBodyAs(withdrawRequest, req, BODY_BYTES);
      if (asked instanceof Failed) return asked;
      if (deps.refusal !== undefined) return invalid({ tariffs: deps.refusal });
      const { tariff, version: on } = asked;
      const request = { withdraw: tariff, by: operatorOf(res).name, on };
      return await change(deps, request, { action: 'Withdrew the tariff', object: tariff }, res);
    }),
    goBackToVersion: answering(async (req, res) => {
      const asked = await readBodyAs(backRequest, req, BODY_BYTES);
      if (asked instanceof Failed) return asked;
      if (deps.refusal !== undefined) return invalid({ tariffs: deps.refusal });
      const { to, version: on } = asked;
      const request = { goBack: to, by: operatorOf(res).name, on };
      return await change(deps, request, { action: 'Went back to the version', object: to }, res);
    }),
  };
};
