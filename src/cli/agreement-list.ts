/** `rates agreement list`: agreements in a folder, or the published ones with all versions. */
import type { AgreementDocument } from '../agreement/document.ts';
import { agreementFoldersIn } from '../agreement/folders.ts';
import { agreementId, lastDayOf, tierOfDay } from '../agreement/versions.ts';
import type { ClientRecord } from '../clients/clients.ts';
import { type Config, ConfigError, readConfig } from '../config/settings.ts';
import { agreementVersions, publishedAgreements } from '../published/agreements.ts';
import { DAY_MS } from '../tariff/days.ts';
import type { Finding } from '../tariff/document.ts';
import { dayIn } from '../tariff/schedule.ts';
import { type ReadFolder, readFolders } from './agreement-sources.ts';
import { command, flag, type Said, text } from './command.ts';
import { EXIT } from './exit.ts';
import { counted, findingText, table } from './format.ts';
import { type Io, say } from './io.ts';
import { clientPlace, readPublished } from './local-sources.ts';
import { pointerJson, versionLines } from './tariff-versions.ts';

/** From so many days before its end, an agreement's end is pointed out. */
const NEAR_DAYS = 60;
/** Agreements have no time zone of their own; carriers' tariffs are in that of New York. */
const TIME_ZONE = 'America/New_York';

type Reading = Pick<Io, 'env' | 'stderr'>;

/** The clients that are not revoked; none if they cannot be read. */
const clientsOf = async (io: Reading): Promise<readonly ClientRecord[]> => {
  try {
    return (await clientPlace(io.env).read()).filter(({ revoked }) => !revoked);
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    const reason = failure instanceof ConfigError ? 'the settings are invalid' : failure.message;
    say(io, `The clients could not be read: ${reason}`);
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

const listFolder = async (dir: string, now: Date, io: Reading): Promise<Said> => {
  const folders = await readFolders(await agreementFoldersIn(dir));
  const clients = await clientsOf(io);
  const today = dayIn(TIME_ZONE, now);
  const entries = folders.flatMap(({ document }) =>
    document === undefined ? [] : [entryOf(document, clients, today)],
  );
  const broken = folders.filter(({ document }) => document === undefined);
  const errorsOf = (some: readonly ReadFolder[]): Finding[] =>
    some.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'));
  return {
    json: () => ({ agreements: entries, broken: broken.map(({ name }) => name), errors: errorsOf(broken) }),
    lines: () => entryLines(entries),
    remarks: () => remarks(entries, clients),
    notes: broken.flatMap((folder) => [`${folder.name} has errors:`, ...errorsOf([folder]).map(findingText)]),
    exit: broken.length === 0 ? EXIT.done : EXIT.failed,
  };
};

const listPublished = async (config: Config, now: Date, io: Reading): Promise<Said> => {
  const published = await readPublished(config, async (deps) => ({
    ...(await agreementVersions(deps)),
    agreements: await publishedAgreements(deps),
  }));
  const { agreements, inForce, versions } = published;
  const clients = await clientsOf(io);
  const today = dayIn(TIME_ZONE, now);
  const entries = [...agreements.values()].map((document) => entryOf(document, clients, today));
  const none = 'No agreements are published. See `rates help agreement publish`.';
  return {
    json: () => ({ agreements: entries, inForce: pointerJson(published), versions }),
    lines: () => [...entryLines(entries), ...versionLines(published, ({ ids }) => ids.join(', ') || 'no agreement')],
    remarks: () => [...remarks(entries, clients), ...(inForce === undefined ? [none] : [])],
  };
};

/** The agreements in a folder, or the published ones with all versions. */
export const listAgreements = async (dir: string | undefined, now: Date, io: Reading): Promise<Said> => {
  const folder = dir ?? readConfig(io.env).agreementsDir;
  return folder === undefined ? await listPublished(readConfig(io.env), now, io) : await listFolder(folder, now, io);
};

export const agreementList = command({
  path: 'agreement list',
  about: 'List agreements with dates, tiers and the clients that use them',
  args: { dir: text('[dir]', 'the folder with agreements; default: AGREEMENTS_DIR, or the published agreements') },
  options: { json: flag('--json', 'report as JSON') },
  examples: [
    'rates agreement list',
    'rates agreement list agreements --json',
    'AGREEMENTS_DIR=published rates agreement list',
  ],
  run: ({ dir }, io) => listAgreements(dir, new Date(), io),
});
