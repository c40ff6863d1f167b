/** `rates agreement list`: agreements in a folder, or the published ones with all versions. */
import type { AgreementDocument } from '../agreement/document.ts';
import { agreementFoldersIn } from '../agreement/folders.ts';
import { agreementId, lastDayOf, tierOfDay } from '../agreement/versions.ts';
import type { ClientRecord } from '../clients/clients.ts';
import { type Config, ConfigError } from '../config/settings.ts';
import { agreementVersions, publishedAgreements } from '../published/agreements.ts';
import { DAY_MS } from '../tariff/days.ts';
import type { Finding } from '../tariff/document.ts';
import { dayIn } from '../tariff/schedule.ts';
import { type ReadFolder, readFolders } from './agreement-sources.ts';
import { EXIT } from './exit.ts';
import { counted, table } from './format.ts';
import { clientPlace, readPublished } from './local-sources.ts';
import { findingText, jsonText, type TariffIo } from './tariff-import.ts';

/** From so many days before its end, an agreement's end is pointed out. */
const NEAR_DAYS = 60;
/** Agreements have no time zone of their own; carriers' tariffs are in that of New York. */
const TIME_ZONE = 'America/New_York';

/** The clients that are not revoked; none if they cannot be read. */
const clientsOf = async ({ env, stderr }: TariffIo): Promise<readonly ClientRecord[]> => {
  try {
    return (await clientPlace(env).read()).filter(({ revoked }) => !revoked);
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    const reason = failure instanceof ConfigError ? 'the settings are invalid' : failure.message;
    stderr.write(`The clients could not be read: ${reason}\n`);
    return [];
  }
};

/** The clients that use an agreement, with the warehouses that it is limited to. */
const usersOf = (name: string, clients: readonly ClientRecord[]) =>
  clients.flatMap(({ id, agreements }) => {
    const own = agreements.filter((entry) => entry.name === name);
    if (own.length === 0) return [];
    const isWhole = own.some(({ warehouses }) => warehouses === undefined);
    return [{ id, ...(isWhole ? {} : { warehouses: own.flatMap(({ warehouses = [] }) => warehouses) }) }];
  });

const entryOf = (document: AgreementDocument, clients: readonly ClientRecord[], today: string) => {
  const { name, carrier, effective } = document.file;
  const until = lastDayOf(document);
  return {
    ...{ id: agreementId(document), name, carrier, effective, until: until ?? null },
    amendments: document.amendments.map(({ from }) => from),
    tier: tierOfDay(document, today) ?? null,
    daysLeft: until === undefined ? null : Math.round((Date.parse(until) - Date.parse(today)) / DAY_MS),
    clients: usersOf(name, clients),
  };
};

type Entry = ReturnType<typeof entryOf>;

const clientsText = ({ clients }: Entry): string =>
  clients.map(({ id, warehouses }) => (warehouses === undefined ? id : `${id} (${warehouses.join(' ')})`)).join(', ') ||
  'none';

const tierText = ({ tier }: Entry): string => {
  if (tier === null) return '-';
  return `${tier.tier ?? 'none'}${tier.isUncertain ? '?' : ''}`;
};

/** Client lists may be long. */
const WIDEST = 60;

const entryLines = (entries: readonly Entry[]): string[] =>
  entries.length === 0
    ? []
    : table(
        [
          ['agreement', 'carrier', 'from', 'to', 'amended', 'tier', 'clients'],
          ...entries.map((entry) => [
            ...[entry.id, entry.carrier, entry.effective, entry.until ?? '-', entry.amendments.join(' ') || '-'],
            ...[tierText(entry), clientsText(entry)],
          ]),
        ],
        [],
        WIDEST,
      );

/** What needs attention: ends, tiers that may be wrong, and clients that have no prices. */
const remarks = (entries: readonly Entry[], clients: readonly ClientRecord[]): string[] => {
  const known = new Set(entries.map(({ name }) => name));
  const ends = entries.flatMap(({ name, until, daysLeft }) => {
    if (daysLeft === null || daysLeft > NEAR_DAYS) return [];
    return daysLeft < 0
      ? [`${name} ended on ${until}: the list is charged`]
      : [`${name} ends in ${counted(daysLeft, 'day')}, on ${until}: the list is charged then`];
  });
  const tiers = entries.flatMap(({ name, tier }) =>
    tier?.isUncertain ? [`${name}: the tier is uncertain, because newer weeks are missing in spend.csv`] : [],
  );
  const missing = clients.flatMap(({ id, agreements }) =>
    [...new Set(agreements.map(({ name }) => name))]
      .filter((name) => !known.has(name))
      .map((name) => `${id} has no prices: its agreement ${name} is missing or has errors`),
  );
  return [...ends, ...tiers, ...missing];
};

const show = (entries: readonly Entry[], clients: readonly ClientRecord[], io: TariffIo): void => {
  io.stdout.write(
    entryLines(entries)
      .map((line) => `${line}\n`)
      .join(''),
  );
  for (const remark of remarks(entries, clients)) io.stderr.write(`${remark}\n`);
};

/**
 * Prints the agreements in a folder, and the errors of broken ones.
 * @returns 0 if all can be used, else 1
 */
export const listAgreements = async (dir: string, json: boolean, now: Date, io: TariffIo): Promise<number> => {
  const folders = await readFolders(await agreementFoldersIn(dir));
  const clients = await clientsOf(io);
  const today = dayIn(TIME_ZONE, now);
  const entries = folders.flatMap(({ document }) =>
    document === undefined ? [] : [entryOf(document, clients, today)],
  );
  const broken = folders.filter(({ document }) => document === undefined);
  const errorsOf = (some: readonly ReadFolder[]): Finding[] =>
    some.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
  if (json)
    io.stdout.write(
      jsonText({ agreements: entries, broken: broken.map(({ name }) => name), errors: errorsOf(broken) }),
    );
  else show(entries, clients, io);
  for (const folder of broken)
    io.stderr.write(`${folder.name} has errors:\n${errorsOf([folder]).map(findingText).join('')}`);
  return broken.length === 0 ? EXIT.done : EXIT.failed;
};

/** Prints the published agreements, then all versions: who published them, when, and which is in force. */
export const listPublishedAgreements = async (
  config: Config,
  json: boolean,
  now: Date,
  io: TariffIo,
): Promise<number> => {
  const { agreements, inForce, versions } = await readPublished(config, async (deps) => ({
    ...(await agreementVersions(deps)),
    agreements: await publishedAgreements(deps),
  }));
  const clients = await clientsOf(io);
  const today = dayIn(TIME_ZONE, now);
  const entries = [...agreements.values()].map((document) => entryOf(document, clients, today));
  const pointer = inForce && { version: inForce.version, since: inForce.at, by: inForce.by };
  if (json) {
    io.stdout.write(jsonText({ agreements: entries, inForce: pointer ?? null, versions }));
    return EXIT.done;
  }
  show(entries, clients, io);
  for (const { version, at, by, ids } of versions) {
    const since = version === pointer?.version ? `, in force since ${pointer.since} by ${pointer.by}` : '';
    io.stdout.write(`version ${version}: ${ids.join(', ') || 'no agreement'}; published ${at} by ${by}${since}\n`);
  }
  if (pointer === undefined) io.stderr.write('No agreements are published. See `rates help agreement publish`.\n');
  return EXIT.done;
};
