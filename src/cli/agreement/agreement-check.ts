/** `rates agreement check`: errors and warnings of agreements, and their terms for each service. */
import { z } from 'zod';
import type { AgreementDocument } from '../../catalog/agreement/document.ts';
import { servicesOf } from '../../catalog/agreement/overview.ts';
import { tiersBody } from '../../catalog/agreement/tiers.ts';
import { tiersOfDay } from '../../catalog/agreement/versions.ts';
import { AGREEMENTS, foldersInAll } from '../../catalog/documents/kinds.ts';
import { hasErrors } from '../../catalog/tariff/check/check.ts';
import type { Finding } from '../../catalog/tariff/document.ts';
import type { Schedule } from '../../catalog/tariff/schedule.ts';
import { command, flag, input } from '../command.ts';
import { EXIT } from '../exit.ts';
import { findingText, problemCounts } from '../format.ts';
import { tierTexts } from './agreement-show.ts';
import { checkedIn, dayFor, TARIFFS, tariffsFor } from './agreement-sources.ts';
import { termsTable } from './agreement-tables.ts';

interface Checked {
  readonly dir: string;
  readonly findings: readonly Finding[];
  /** Absent if the agreement has errors. */
  readonly examined?: ReturnType<typeof examine>;
}

/** @param day today, or the agreement's first day */
const examine = (document: AgreementDocument, day: string, schedule: Schedule) => ({
  ...{ document, day },
  services: servicesOf(document, schedule.bookOn(day).cards, day),
});

const checkFolder = async (dir: string, schedule: Schedule): Promise<Checked> => {
  const { document, findings } = await checkedIn(dir, schedule);
  if (document === undefined) return { dir, findings };
  return { dir, findings, examined: examine(document, dayFor(document, schedule), schedule) };
};

const examinedLines = ({ examined }: Checked): readonly string[] => {
  if (examined === undefined) return [];
  const { document, day, services } = examined;
  // A warning reports this.
  if (services.some(({ endedOn }) => endedOn !== undefined)) return [];
  const tiers = tierTexts(document, day);
  return [
    '',
    ...(tiers.length > 1
      ? [`On ${day}:`, ...tiers.map((text) => `  ${text}`)]
      : [`${[`On ${day}`, ...tiers].join(', ')}:`]),
    ...(services.length === 0 ? ['It does not cover any service of the tariffs.'] : termsTable(services)),
    '',
  ];
};

const checkedLines = (checked: Checked): readonly string[] => {
  const { dir, findings } = checked;
  return [...findings.map(findingText), ...examinedLines(checked), `${dir}: ${problemCounts(findings)}`];
};

export const checkedJson = ({ dir, findings, examined }: Checked) => ({
  dir,
  name: examined?.document.file.name ?? null,
  findings,
  day: examined?.day ?? null,
  ...tiersBody(examined === undefined ? [] : tiersOfDay(examined.document, examined.day)),
  services: examined?.services ?? null,
});

/** @param dirs agreements, or folders of agreements @throws {ToldError} if a folder has none */
export const checkAgreements = async (dirs: readonly string[], schedule: Schedule): Promise<readonly Checked[]> => {
  const checked: Checked[] = [];
  for (const folder of await foldersInAll(AGREEMENTS, dirs)) checked.push(await checkFolder(folder, schedule));
  return checked;
};

export const agreementCheck = command({
  path: 'agreement check',
  about: 'Report errors and warnings of agreements, including against the tariffs in force',
  args: {
    dirs: input('<dir...>', 'folders of agreements, or folders that contain them', z.array(z.string())),
  },
  options: { tariffs: TARIFFS, json: flag('--json', 'report as JSON') },
  examples: [
    'rates agreement check agreements/acme-ups',
    'rates agreement check agreements                        # all in the folder',
    'rates agreement check agreements/acme-ups --tariffs tariffs/2027',
  ],
  run: async ({ dirs, tariffs }, io) => {
    const checked = await checkAgreements(dirs, await tariffsFor(tariffs, io));
    return {
      json: () => ({ agreements: checked.map(checkedJson) }),
      lines: () => checked.flatMap((one, at) => [...(at === 0 ? [] : ['']), ...checkedLines(one)]),
      exit: checked.some(({ findings }) => hasErrors(findings)) ? EXIT.failed : EXIT.done,
    };
  },
});
