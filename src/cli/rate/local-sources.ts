/** Clients, agreements and tariffs for commands without a server: from a file or a folder, or published to the store. */
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import {
  type Config,
  ConfigError,
  type Environment,
  PUBLISHED,
  readConfig,
  refuseFolder,
  SAMPLE_CLIENTS,
} from '../../base/config/settings.ts';
import { createLog } from '../../base/log.ts';
import { openStore } from '../../base/store/open.ts';
import { accountOf } from '../../catalog/agreement/account.ts';
import { assignedOf } from '../../catalog/clients/accounts.ts';
import type { ClientPlace } from '../../catalog/clients/change-clients.ts';
import { type Client, type Clients, unrevoked } from '../../catalog/clients/clients.ts';
import { errorsOf } from '../../catalog/documents/judged.ts';
import { AGREEMENTS, type Kind, TARIFFS } from '../../catalog/documents/kinds.ts';
import { byName } from '../../catalog/documents/live.ts';
import { changePublishedWith } from '../../catalog/published/changing.ts';
import { clientsIn } from '../../catalog/published/clients.ts';
import type { PublishedDeps } from '../../catalog/published/pointer.ts';
import { libraryOf } from '../../catalog/published/store-place.ts';
import type { Finding } from '../../catalog/tariff/document.ts';
import { capped } from '../../catalog/tariff/findings.ts';
import { type Schedule, scheduleOf } from '../../catalog/tariff/schedule.ts';
import { CommandFailure, wrongUse } from '../exit.ts';
import { choicesText } from '../format.ts';
import { type Io, say } from '../io.ts';

/** A client of the settings with its warehouses. Default: the first client. */
const clientNamed = async (config: Config, id: string | undefined): Promise<Client> => {
  const { clients, place } = await clientsNamed(config);
  const [first] = clients.values();
  if (first === undefined) throw new CommandFailure(`There is no client in ${place}. Add one.`);
  if (id === undefined) return first;
  const client = clients.get(id);
  if (client === undefined)
    throw wrongUse(`There is no client ${id} in ${place}. ${choicesText('client', [...clients.keys()], ' there')}.`);
  return client;
};

const SHOWN_ERRORS = 5;

export const errorLines = (errors: readonly Finding[]): string => {
  const lines = errors.map(({ at, message }) => `  ${at}: ${message}`);
  return capped(lines, SHOWN_ERRORS, (more) => `  and ${more} more`).join('\n');
};

/**
 * Reads optional data, such as clients' warehouses. If that fails, the command prints the reason.
 * @param problem what could not be done
 */
export const orNone = async <T>(
  io: Pick<Io, 'stderr'>,
  problem: string,
  read: () => Promise<readonly T[]>,
): Promise<readonly T[]> => {
  try {
    return await read();
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    say(io, `${problem}: ${failure instanceof ConfigError ? 'the settings are invalid' : failure.message}`);
    return [];
  }
};

/** The documents of a kind in a folder, or the published ones. */
const readNamed = <D>(kind: Kind<D>, dir: string | undefined, config: Config) =>
  libraryOf(kind, dir, (use) => readPublished(config, use)).current();

/** The agreements of the settings, and the errors of unusable ones. */
export const agreementsNamed = async (config: Config) => {
  const { agreementsDir: dir } = config;
  const { documents, broken } = await readNamed(AGREEMENTS, dir, config);
  return { agreements: byName(documents), errors: errorsOf(broken), place: dir ?? 'the published agreements' };
};

/**
 * A client with its account. @throws {CommandFailure} if one of its agreements is unusable, because prices would be wrong
 */
export const withAgreements = async (config: Config, client: Client): Promise<Client> => {
  if (client.assigned.length === 0) return client;
  const { agreements, errors, place } = await agreementsNamed(config);
  const found = assignedOf(client, agreements);
  if (typeof found !== 'string')
    return { ...client, agreements: found, account: accountOf({ ...client, agreements: found }) };
  throw new CommandFailure(
    `The client ${client.id} cannot be used: ${found}. Its agreements come from ${place}.` +
      (errors.length === 0 ? '' : `\nErrors there:\n${errorLines(errors)}`),
  );
};

/**
 * The tariffs of the settings: all or none, because prices could differ without a broken one. @throws {CommandFailure} if
 * they are unusable, or there are none
 */
export const tariffsNamed = async (config: Config): Promise<Schedule> => {
  const { tariffsDir: dir } = config;
  const { documents, broken } = await readNamed(TARIFFS, dir, config);
  const errors = errorsOf(broken);
  if (errors.length > 0)
    throw new CommandFailure(
      `The tariffs in ${dir} have errors:\n${errorLines(errors)}\n` +
        'Correct or remove these tariffs. `rates tariff list` lists all errors.',
    );
  if (documents.length === 0)
    throw new CommandFailure(
      dir === undefined
        ? 'No tariffs are published. See `rates help tariff publish`.'
        : `${dir} contains no usable tariff. Name another folder with TARIFFS_DIR.`,
    );
  return scheduleOf(documents);
};

/**
 * Reads the clients, agreements and tariffs of the settings.
 * @param clientId default: the first client
 * @param tariff the only tariff to use; default: the tariffs in force @throws {CommandFailure} also if one of the client's
 * agreements or a tariff is unusable, or two have the same service and date
 */
export const openLocal = async (
  config: Config,
  { clientId, tariff }: { readonly clientId?: string | undefined; readonly tariff?: string | undefined },
) => {
  const client = await withAgreements(config, await clientNamed(config, clientId));
  const all = await tariffsNamed(config);
  const schedule = tariff === undefined ? all : all.only(tariff);
  if (schedule === undefined) throw wrongUse(`There is no tariff ${tariff}. ${choicesText('tariff', all.ids)}.`);
  return {
    /** The client with its account. */
    client,
    /** The tariffs for rating shipments, and all tariffs of the settings. */
    ...{ schedule, tariffs: all },
  };
};
export type Local = Awaited<ReturnType<typeof openLocal>>;

const READY_MS = 5_000;

type Use<T> = (deps: PublishedDeps) => Promise<T>;

/** A command's log, which has only warnings. */
const warningsOf = ({ logFormat }: Config) => createLog({ level: 'warn', name: 'rates', format: logFormat });

/** Uses published documents through a Redis. @param isNeeded whether the store alone is not enough */
export const withRedis = async <T>(config: Config, redisUrl: string, isNeeded: boolean, use: Use<T>): Promise<T> => {
  // Most commands do not need Redis and should not wait for its client to load.
  const { connect, requireReady } = await import('../../base/redis/connection.ts');
  const store = await openStore(config);
  const redis = connect(redisUrl, 'producer', { log: createLog({ level: 'silent', name: 'rates' }) });
  try {
    // The copy in the store is enough for reading.
    await requireReady(redis, redisUrl, READY_MS).catch((error: unknown) => {
      if (isNeeded) throw error;
    });
    return await use({ store, redis, log: warningsOf(config) });
  } finally {
    redis.disconnect();
  }
};

/** Reads published documents, through Redis if it is in the settings. */
export const readPublished = async <T>(config: Config, use: Use<T>): Promise<T> => {
  if (config.redisUrl !== undefined) return await withRedis(config, config.redisUrl, false, use);
  return await use({ store: await openStore(config), log: warningsOf(config) });
};

/**
 * Changes published documents. Several machines share `REDIS_URL` and `STORE_URL`. A service on one machine with its own
 * Redis has neither. @throws {CommandFailure} if only one of the two is set
 */
export const changePublished = async <T>(env: Environment, use: Use<T>): Promise<T> => {
  const config = readConfig(env);
  const isShared = config.redisUrl !== undefined;
  if (isShared ? (env['STORE_URL'] ?? '') === '' : config.storeUrl.startsWith('s3:'))
    throw wrongUse(
      'Set both REDIS_URL and STORE_URL to those of the API and the workers. On one machine with a private Redis, set neither.',
    );
  const change: Use<T> = (deps) => changePublishedWith(config, deps)(use);
  if (config.redisUrl !== undefined) return await withRedis(config, config.redisUrl, true, change);
  return await change({ store: await openStore(config), log: warningsOf(config) });
};

/** The author of a change: `ann@laptop`. */
export const whoIn = (env: Environment): string =>
  `${env['USER'] || env['LOGNAME'] || `uid ${process.getuid?.() ?? '?'}`}@${hostname()}`;

/** The clients of the settings, and their location as text. */
export const clientsNamed = async (config: Config): Promise<{ readonly clients: Clients; readonly place: string }> => {
  const { clientsFile } = config;
  const records = await clientsIn(clientsFile, (use) => readPublished(config, use)).read();
  return { clients: unrevoked(records), place: clientsFile ?? 'the published clients' };
};

const refuseSamples = async (): Promise<never> => {
  throw wrongUse(
    'The sample clients cannot be changed. Name your own file in CLIENTS_FILE; ' +
      '`CLIENTS_FILE=clients.json rates client add …` creates it.',
  );
};

/** Where `rates client` reads and writes clients. The file may not exist yet. The samples cannot be changed. */
export const clientPlace = (env: Environment): ClientPlace => {
  const named = env['CLIENTS_FILE'] ?? '';
  const isFile = named !== '' && named !== PUBLISHED;
  if (isFile) refuseFolder(named);
  const file = isFile ? resolve(named) : readConfig(env).clientsFile;
  const place = clientsIn(
    file,
    (use) => changePublished(env, use),
    (use) => readPublished(readConfig(env), use),
  );
  return file === SAMPLE_CLIENTS ? { ...place, make: refuseSamples, change: refuseSamples } : place;
};
