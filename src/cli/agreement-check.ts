/** `rates agreement check`: errors and warnings of agreements, what they say of each service, and what their minimums keep. */
import { checkAgreement } from '../agreement/check.ts';
import { checkAgainst } from '../agreement/check-against.ts';
import { termsOf } from '../agreement/compile.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { readAgreementFolder } from '../agreement/folder.ts';
import { agreementFoldersIn } from '../agreement/folders.ts';
import { type ServiceTerms, serviceTerms } from '../agreement/overview.ts';
import { tierOfDay } from '../agreement/versions.ts';
import type { Client } from '../clients/clients.ts';
import { readConfig } from '../config/settings.ts';
import { hasErrors } from '../tariff/check.ts';
import type { Finding } from '../tariff/document.ts';
import type { Schedule } from '../tariff/schedule.ts';
import { type BatchMinimums, minimumsIn } from './agreement-batches.ts';
import { tierText } from './agreement-show.ts';
import { dayFor, tariffsFor } from './agreement-sources.ts';
import { termsTable } from './agreement-tables.ts';
import { CommandFailure, EXIT } from './exit.ts';
import { count, counted, dollarsText, faultCounts, table } from './format.ts';
import { type Io, interruption } from './io.ts';
import { warehouseOf } from './list-options.ts';
import { clientNamed } from './local-sources.ts';
import { findingText, jsonText } from './tariff-import.ts';

export interface CheckFlags {
  readonly tariffs?: string;
  readonly batch: readonly string[];
  readonly client?: string;
  readonly warehouse?: string;
  readonly warehouseId?: string;
  readonly units?: string;
  readonly json?: true;
}

interface Checked {
  readonly dir: string;
  readonly findings: readonly Finding[];
  /** Absent if it has errors. */
  readonly examined?: Examined;
}

interface Examined {
  readonly document: AgreementDocument;
  /** Today, or its first day. */
  readonly day: string;
  readonly services: readonly ServiceTerms[];
  readonly batches?: BatchMinimums;
}

interface Deps {
  readonly schedule: Schedule;
  readonly flags: CheckFlags;
  /** Whose shipments are rated again. Absent: no list is given. */
  readonly rated: { readonly client: Client; readonly signal: AbortSignal } | undefined;
  readonly io: Io;
}

const examine = async (document: AgreementDocument, day: string, deps: Deps): Promise<Examined> => {
  const { schedule, flags, rated, io } = deps;
  const services = schedule.bookOn(day).cards.flatMap((card) => {
    const terms = termsOf(document, card, day);
    return terms === undefined ? [] : [serviceTerms(card, terms)];
  });
  if (rated === undefined) return { document, day, services };
  const { batch, units } = flags;
  const warehouse = warehouseOf(flags);
  const list = { ...(warehouse === undefined ? {} : { warehouse }), ...(units === undefined ? {} : { units }) };
  const config = readConfig(io.env);
  const batches = await minimumsIn(batch, { ...rated, document, schedule, day, config, flags: list, io });
  return { document, day, services, batches };
};

const checkFolder = async (dir: string, deps: Deps): Promise<Checked> => {
  const read = await readAgreementFolder(dir);
  if (!('document' in read)) return { dir, findings: read.findings };
  const { document } = read;
  const own = checkAgreement(document);
  if (hasErrors(own)) return { dir, findings: own };
  const day = dayFor(document, deps.schedule);
  const findings = [...own, ...checkAgainst(document, deps.schedule, day)];
  return hasErrors(findings) ? { dir, findings } : { dir, findings, examined: await examine(document, day, deps) };
};

const share = (part: number, whole: number): string => (whole === 0 ? '-' : `${((part / whole) * 100).toFixed(1)}%`);

const batchLines = ({ rows, faults, services }: BatchMinimums, day: string): string[] => [
  '',
  `Minimums on ${counted(rows, 'row')}, rated as of ${day}:`,
  ...table(
    [
      ['service', 'shipments', 'with a discount', 'discount', 'limited by the minimum', 'share', 'kept by it'],
      ...services.map(({ service, shipments, discounted, discountCents, limited, swallowedCents }) => [
        service,
        count(shipments),
        count(discounted),
        dollarsText(discountCents / 100),
        count(limited),
        share(limited, discounted),
        dollarsText(swallowedCents / 100),
      ]),
    ],
    ['left', 'right', 'right', 'right', 'right', 'right', 'right'],
  ),
  ...(Object.keys(faults).length === 0 ? [] : ['Rows without a price:', ...faultCounts(faults)]),
];

const examinedLines = (examined: Examined | undefined): string[] => {
  if (examined === undefined) return [];
  const { document, day, services, batches } = examined;
  // A warning says so.
  if (services.some(({ endedOn }) => endedOn !== undefined)) return [];
  const tier = tierText(document, day);
  return [
    '',
    `On ${day}${tier === undefined ? '' : `, ${tier}`}:`,
    ...(services.length === 0 ? ['It says nothing of the services of the tariffs.'] : termsTable(services)),
    ...(batches === undefined ? [] : batchLines(batches, day)),
    '',
  ];
};

const checkedText = ({ dir, findings, examined }: Checked): string => {
  const counts = (severity: Finding['severity']): string =>
    counted(findings.filter((finding) => finding.severity === severity).length, severity);
  return [
    findings.map(findingText).join(''),
    examinedLines(examined)
      .map((line) => `${line}\n`)
      .join(''),
    `${dir}: ${counts('error')}, ${counts('warning')}\n`,
  ].join('');
};

const checkedJson = ({ dir, findings, examined }: Checked) => ({
  dir,
  name: examined?.document.file.name ?? null,
  findings,
  day: examined?.day ?? null,
  tier: (examined && tierOfDay(examined.document, examined.day)) ?? null,
  services: examined?.services ?? null,
  ...(examined?.batches === undefined ? {} : { batches: examined.batches }),
});

/** Checks agreements. @returns 0 if none has an error, else 1 */
export const checkAgreements = async (dirs: readonly string[], flags: CheckFlags, io: Io): Promise<number> => {
  const folders: string[] = [];
  for (const dir of dirs) {
    const found = await agreementFoldersIn(dir);
    if (found.length === 0) throw new CommandFailure(`${dir} contains no agreement.`);
    folders.push(...found);
  }
  const isRated = flags.batch.length > 0;
  if (!isRated && flags.client !== undefined)
    throw new CommandFailure('--client says whose shipments the lists of --batch are. Name a list.', EXIT.usage);
  const schedule = await tariffsFor(flags.tariffs, io);
  const rated = isRated
    ? { client: await clientNamed(readConfig(io.env), flags.client), signal: interruption() }
    : undefined;
  const checked: Checked[] = [];
  for (const dir of folders) checked.push(await checkFolder(dir, { schedule, flags, rated, io }));
  if (flags.json === true) io.stdout.write(jsonText({ agreements: checked.map(checkedJson) }));
  else io.stdout.write(checked.map(checkedText).join('\n'));
  return checked.some(({ findings }) => hasErrors(findings)) ? EXIT.failed : EXIT.done;
};
