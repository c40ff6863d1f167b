/** The operator's calls about tariffs: the list, publishing a draft, withdrawing a tariff, and going back. */

import {
  currentVersion,
  draftEntryOf,
  type OperatorTariffsBody,
  type Surroundings,
  tariffEntriesOf,
} from '../../../published/drafts/view.ts';
import { Failed } from '../../../rating/fault.ts';
import { centroidsOf } from '../../../tariff/view/tariffs.ts';
import { readBodyAs } from '../../input.ts';
import type { OperatorHandlers } from '../routes.ts';
import { operatorOf } from '../session.ts';
import type { OperatorTariffsDeps, TariffSetup } from './deps.ts';
import { answering, draftHandlers, invalid } from './drafts.ts';
import { change, isSame, publish, publishTogether } from './publishing.ts';
import { backRequest, withdrawRequest } from './schemas.ts';

const BODY_BYTES = 4_096;
/** Looks at the tariffs and their versions, until both are of one publication. */
const LOOKS = 3;

/**
 * The tariffs as they are now, with the versions that they are the newest of. If they cannot be used, or a folder was
 * changed by hand, they are not those of the version in force; the problems say so.
 */
const lookAround = async (setup: TariffSetup & Pick<OperatorTariffsDeps, 'tariffs'>): Promise<Surroundings> => {
  for (let look = 1; ; look += 1) {
    const versions = await setup.versions();
    // What keeps it from looking is among the problems.
    await setup.tariffs.refresh().catch(() => undefined);
    const around = { place: setup.place, schedule: setup.tariffs.current(), versions };
    const inForce = versions.find(({ isCurrent }) => isCurrent)?.tariffs ?? [];
    if (isSame(around.schedule.ids, inForce) || look === LOOKS) return around;
  }
};

const listTariffs = async (deps: OperatorTariffsDeps): Promise<OperatorTariffsBody> => {
  const around = await deps.surroundings();
  const [{ schedule }, instant] = [around, deps.now()];
  const drafts = await deps.drafts.list();
  return {
    place: deps.place,
    refusal: deps.refusal ?? null,
    version: currentVersion(around),
    tariffs: tariffEntriesOf(schedule, schedule.bookAt(instant), instant),
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

/** @param setup what the service gives @returns handlers of the operator's calls about tariffs */
export const tariffHandlers = (
  setup: TariffSetup & Pick<OperatorTariffsDeps, 'tariffs' | 'takeUp' | 'publishedAgreements' | 'audit' | 'now'>,
): OperatorHandlers => {
  const deps: OperatorTariffsDeps = {
    ...setup,
    surroundings: () => lookAround(setup),
  };
  return {
    ...draftHandlers(deps),
    listOperatorTariffs: answering(() => listTariffs(deps)),
    getOperatorCentroids: answering(async () => centroidsOf()),
    publishTariffDraft: answering((req, res) => publish(deps, req, res)),
    publishTogether: answering((req, res) => publishTogether(deps, req, res)),
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
