/** `rates agreement`: imports, checks, shows, compares, lists and publishes carrier agreements. */
import { readConfig, SAMPLE_AGREEMENTS } from '../../base/config/settings.ts';
import type { AgreementDocument } from '../../catalog/agreement/document.ts';
import { type Tier, tiersBody } from '../../catalog/agreement/tiers.ts';
import { agreementId, lastDayOf, tiersOfDay } from '../../catalog/agreement/versions.ts';
import { keepsPrices } from '../../catalog/clients/accounts.ts';
import { type ClientRecord, unrevoked } from '../../catalog/clients/clients.ts';
import { problemOf } from '../../catalog/clients/view.ts';
import { AGREEMENTS } from '../../catalog/documents/kinds.ts';
import type { Allow } from '../../catalog/documents/library.ts';
import { checkBeside } from '../../catalog/published/store-place.ts';
import { DAY_MS } from '../../catalog/tariff/days.ts';
import { dayIn } from '../../catalog/tariff/schedule.ts';
import { group } from '../command.ts';
import { documentCommands, type Family, type Listed, type Reading } from '../documents.ts';
import { CommandFailure } from '../exit.ts';
import { counted, table } from '../format.ts';
import type { Io } from '../io.ts';
import { clientPlace, orNone } from '../rate/local-sources.ts';
import { agreementCheck } from './agreement-check.ts';
import { agreementDiff } from './agreement-diff.ts';
import { agreementImport } from './agreement-import.ts';
import { agreementShow } from './agreement-show.ts';
import { tariffsFor } from './agreement-sources.ts';

/** The end of an agreement is reported from this many days before it. */
const NEAR_DAYS = 60;
/** Agreements have no time zone. Carriers' tariffs use New York time. */
const TIME_ZONE = 'America/New_York';

/** The clients that are not revoked. */
const clientsOf = async ({ env }: Reading): Promise<readonly ClientRecord[]> =>
  (await clientPlace(env).read()).filter(({ revoked }) => !revoked);

/** The clients that use an agreement, with the warehouses it is limited to. */
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
    ...tiersBody(tiersOfDay(document, today)),
    daysLeft: until === undefined ? null : Math.round((Date.parse(until) - Date.parse(today)) / DAY_MS),
    clients: usersOf(name, clients),
  };
};

type Entry = ReturnType<typeof entryOf>;

const clientsText = ({ clients }: Entry): string =>
  clients.map(({ id, warehouses }) => (warehouses === undefined ? id : `${id} (${warehouses.join(' ')})`)).join(', ') ||
  'none';

const tiersIn = ({ tier, programs = [] }: Entry): readonly Tier[] => [...(tier === null ? [] : [tier]), ...programs];

const tierText = (entry: Entry): string =>
  tiersIn(entry)
    .map(({ tier, isUncertain }) => `${tier ?? 'none'}${isUncertain ? '?' : ''}`)
    .join(', ') || '-';

/** The maximum width of client lists, which may be long. */
const WIDEST = 60;

const entryLines = (entries: readonly Entry[]): string[] => {
  const header = ['agreement', 'carrier', 'from', 'to', 'amended', 'tier', 'clients'];
  const rows = entries.map((entry) => [
    ...[entry.id, entry.carrier, entry.effective, entry.until ?? '-', entry.amendments.join(' ') || '-'],
    ...[tierText(entry), clientsText(entry)],
  ]);
  return rows.length === 0 ? [] : table([header, ...rows], [], WIDEST);
};

/** Items that need attention: end dates, tiers that may be wrong, and clients without prices. */
const remarks = (
  entries: readonly Entry[],
  clients: readonly ClientRecord[],
  documents: readonly AgreementDocument[],
): string[] => {
  const known = new Map(documents.map((document) => [document.file.name, document]));
  const ends = entries.flatMap(({ name, until, daysLeft }) => {
    if (daysLeft === null || daysLeft > NEAR_DAYS) return [];
    return daysLeft < 0
      ? [`${name} ended on ${until}: list rates apply`]
      : [`${name} ends in ${counted(daysLeft, 'day')}, on ${until}: list rates apply then`];
  });
  const tiers = entries.flatMap((entry) =>
    tiersIn(entry)
      .filter(({ isUncertain }) => isUncertain)
      .map(({ program }) => {
        const tier = `${entry.name}: the tier${program === undefined ? '' : ` of ${program}`}`;
        return `${tier} is uncertain, because newer weeks are missing in spend.csv`;
      }),
  );
  const missing = [...unrevoked(clients)].flatMap(([id, client]) => {
    const problem = problemOf(client, known);
    return problem === undefined ? [] : [`${id} has no prices: ${problem}`];
  });
  return [...ends, ...tiers, ...missing];
};

/** Agreements with their dates, tiers and clients. */
const list = async (documents: readonly AgreementDocument[], now: Date, io: Reading): Promise<Listed> => {
  const clients = await orNone(io, 'The clients could not be read', () => clientsOf(io));
  const today = dayIn(TIME_ZONE, now);
  const entries = documents.map((document) => entryOf(document, clients, today));
  return { entries, lines: entryLines(entries), remarks: remarks(entries, clients, documents) };
};

/** Refuses to remove agreements that clients use, because the clients would get no prices. */
const requireUnused = async (gone: readonly string[], io: Io): Promise<void> => {
  if (gone.length === 0) return;
  const lost = (await clientsOf(io)).flatMap(({ id, agreements }) =>
    agreements.filter(({ name }) => gone.includes(name)).map(({ name }) => `${id} uses ${name}`),
  );
  if (lost.length === 0) return;
  throw new CommandFailure(
    `Nothing was changed. These clients would have no prices: ${[...new Set(lost)].join(', ')}. ` +
      'Change them first with `rates client set`.',
  );
};

export const allowAgreements =
  (io: Io): Allow<AgreementDocument> =>
  async (change) => {
    await requireUnused(change.gone, io);
    await keepsPrices(() => orNone(io, 'The clients could not be read', () => clientsOf(io)))(change);
  };

export const AGREEMENT_FAMILY: Family<AgreementDocument> = {
  kind: AGREEMENTS,
  setting: 'AGREEMENTS_DIR',
  dirIn: (env) => readConfig(env).agreementsDir,
  samples: SAMPLE_AGREEMENTS,
  replacesAll: false,
  replaces: 'own',
  list,
  checkFor: async (tariffs, now, io) => checkBeside(await tariffsFor(tariffs, io), now),
  allow: allowAgreements,
  words: {
    list: 'List agreements with versions, dates, tiers and the clients that use them',
    publish: 'Check agreements and put them in force: in the folder of AGREEMENTS_DIR, or in all processes at once',
    withdraw: 'Take agreements out of force: from the folder of AGREEMENTS_DIR, or from all processes at once',
    examples: [
      'rates agreement publish agreements                      # all in the folder',
      'rates agreement publish agreements/acme-ups',
      'AGREEMENTS_DIR=/srv/rates/agreements rates agreement publish drafts/acme-ups',
    ],
    more: `An agreement with the same name is replaced; all others stay. One that somebody else has published, such as an operator in
the console, is replaced only with --replace. An agreement that a client uses is not withdrawn. If AGREEMENTS_DIR names a
folder, the agreements are copied into it. The API and the workers use published agreements if they run with
AGREEMENTS_DIR=published. On many machines, set their REDIS_URL and STORE_URL here. On one machine with a private Redis, set
neither of them, and use the same DATA_DIR.`,
    id: 'acme-2024@2024-01-01-1a2b3c4d',
  },
};

export const agreementCommands = [
  group('agreement', 'Import, check, show, compare, list and publish carrier agreements'),
  ...[agreementImport, agreementCheck, agreementShow, agreementDiff],
  ...documentCommands(AGREEMENT_FAMILY),
];
