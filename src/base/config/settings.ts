/**
 * The settings of the service, from environment variables (contract, Environment). Only entry points read the environment;
 * other modules receive a `Config` or a part of it.
 */
import { existsSync, statSync } from 'node:fs';
import { BlockList } from 'node:net';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { Failed, ToldError } from '../failed.ts';
import { check, type Problem } from '../validation.ts';
import { readRedisUrl } from './redis-address.ts';
import { readS3Access, type S3Access } from './s3-settings.ts';
import { readProxies } from './trusted-proxies.ts';

export type { S3Access } from './s3-settings.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The service cannot start with these settings. `problems` has a sentence for each, with the name of the setting first. */
export class ConfigError extends ToldError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Percent. With seven days of retention, an outage of almost two days lets this share expire. */
export const EXPIRY_SHARE = 25;

/** Returns the folder of the package's package.json: one level above `src/`, two above `dist/src/`. */
const packageRoot = (from: string): string =>
  existsSync(join(from, 'package.json')) || dirname(from) === from ? from : packageRoot(dirname(from));

/** The root folder of the package, with its package.json and samples. */
export const ROOT = packageRoot(import.meta.dirname);
export const SAMPLE_CLIENTS = join(ROOT, 'samples', 'clients.json');
export const SAMPLE_AGREEMENTS = join(ROOT, 'samples', 'agreements');

/** A whole number from `least` to `most`, digits only: `1e3`, `0x10` and `5 ` are probably mistakes. */
const wholeText = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: ({ input }) => `must be a whole number from ${least} to ${most}, not ${JSON.stringify(input)}`,
    })
    .transform(Number);

const whole = (least: number, most: number, absent: number) => wholeText(least, most).default(absent);

/** The value that means "published to the store" instead of a path. For a folder of this name, write `./published`. */
export const PUBLISHED = 'published';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Returns the problem of a path that names a folder instead of a file. */
const folderProblem = (path: string): string => `names ${path}, which is a folder: name a file`;

/** @throws {ConfigError} if the path of the clients file is a folder. The file need not exist yet. */
export const refuseFolder = (clientsFile: string): void => {
  if (isFolder(clientsFile)) throw new ConfigError([`CLIENTS_FILE ${folderProblem(clientsFile)}`]);
};

/** An existing path, or undefined for `published`. */
const existing = (absent: string, kind: 'file' | 'folder') =>
  z
    .string()
    .default(absent)
    .transform((text) => (text === PUBLISHED ? undefined : resolve(text)))
    .refine((path) => path === undefined || existsSync(path), {
      error: ({ input }) => `names ${String(input)}, which does not exist`,
      abort: true,
    })
    .refine((path) => path === undefined || isFolder(path) === (kind === 'folder'), {
      error: ({ input }) =>
        kind === 'file' ? folderProblem(String(input)) : `names ${String(input)}, which is a file: name a folder`,
    });

const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, { error: `must be one of ${words.join(', ')}` });

/** Problems never repeat secrets, or addresses that may contain a password. */
const secret = z.string().min(32, 'must have at least 32 characters').optional();

const staffToken = z.string().min(16, 'must have at least 16 characters').optional();

const redisUrl = z
  .string()
  .superRefine((text, context) => {
    const address = readRedisUrl(text);
    if ('problem' in address) context.addIssue({ code: 'custom', message: address.problem });
  })
  .optional();

/** A bucket, and a prefix of plain names. */
const BUCKET_URL = /^s3:\/\/([^/]+)(?:\/[A-Za-z0-9_@+][A-Za-z0-9._@+-]*)*\/?$/;

/** Returns whether the bucket's name follows Amazon's rules. */
const isBucketUrl = (text: string): boolean => {
  const bucket = BUCKET_URL.exec(text)?.[1] ?? '';
  return bucket.length >= 3 && bucket.length <= 63 && /^[a-z0-9][a-z0-9.-]*$/.test(bucket) && /[a-z0-9]$/.test(bucket);
};

/** `file:` with an absolute or relative path (a URL parser would read `file:./store` as `/store`), or S3. */
const storeUrl = z
  .string()
  .refine((text) => /^file:(?:\/\/\/)?[^/]|^file:\/[^/]/.test(text) || isBucketUrl(text), {
    error: 'must be file:PATH or s3://BUCKET/PREFIX',
  })
  .transform((text) => (/^file:(?!\/\/)/.test(text) ? pathToFileURL(resolve(text.slice('file:'.length))).href : text))
  .optional();

const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;

/** Texts separated by commas. */
const listOf = (isValid: (text: string) => boolean, what: string) =>
  z
    .string()
    .transform((text) => text.split(',').map((one) => one.trim()))
    .refine((list) => list.every(isValid), { error: `must be ${what}, separated by commas` })
    .default([]);

/** Exact origins only: a `*` or a pattern would admit unexpected pages. */
const origins = listOf(isOrigin, 'origins such as https://shop.example.com');

/** A name or address as in the Host header, without a port. */
const HOST_NAME = /^(?:[A-Za-z\d](?:[A-Za-z\d.-]{0,251}[A-Za-z\d])?|\[[\dA-Fa-f:.]{2,45}\])$/;

/** Full names only: a `*` would admit names that others point to this machine. */
const hosts = listOf((name) => HOST_NAME.test(name), 'host names such as rates.example.com, without ports');

const dataFolder = z
  .string()
  .default('./data')
  .transform((text) => resolve(text));

const proxies = z
  .string()
  .default('')
  .transform((text, context) => {
    const list = text === '' ? new BlockList() : readProxies(text);
    if (list !== undefined) return list;
    context.addIssue({
      code: 'custom',
      message: 'must be addresses or ranges such as 10.0.0.0/8, separated by commas',
    });
    return z.NEVER;
  });

/** Declares a setting: its variable, its schema, and its texts for docs/operating.md. */
const setting = <S extends z.ZodType>(
  env: string,
  schema: S,
  texts: { readonly absent: string; readonly about: string },
) => {
  return { env, schema, ...texts };
};

/** All settings, in the order of their table in docs/operating.md, which `npm run docs` writes. */
const SETTINGS = {
  host: setting('HOST', z.string().default('127.0.0.1'), {
    absent: '`127.0.0.1`',
    about: 'the address to listen on',
  }),
  port: setting('PORT', whole(0, 65_535, 3000), { absent: '`3000`', about: 'the port to listen on. 0: any free port' }),
  /** An address as described in `redis-address.ts`. Without it, the service runs a private Redis. */
  redisUrl: setting('REDIS_URL', redisUrl, {
    absent: 'a private Redis',
    about: 'one server by its address or its socket, Sentinels or a Cluster, see [Redis](#redis)',
  }),
  /** An absolute path, like every path here. */
  dataDir: setting('DATA_DIR', dataFolder, { absent: '`./data`', about: 'private Redis, token secret, store' }),
  /** `file:///…` or `s3://bucket/prefix`. */
  storeUrl: setting('STORE_URL', storeUrl, {
    absent: '`file:` under `DATA_DIR`',
    about: 'where uploads and outputs are kept: `file:PATH` or `s3://BUCKET/PREFIX`',
  }),
  /** Free bytes on the store's disk that uploads must leave for running batches. */
  storeReserveBytes: setting('STORE_RESERVE_BYTES', whole(0, 2 ** 50, 2 ** 30), {
    absent: '1 GiB',
    about: 'space on the store’s disk that is reserved for running batches. An upload that would use it gets 503',
  }),
  /** How long a download URL of the store itself is valid. Without it, outputs pass through the API. */
  storePresignSeconds: setting('STORE_PRESIGN_SECONDS', wholeText(1, 604_800).optional(), {
    absent: 'none: through the API',
    about: 'how long a URL of the object store itself is valid',
  }),
  /** Undefined if the tariffs published to the store apply. */
  tariffsDir: setting('TARIFFS_DIR', existing(join(ROOT, 'samples', 'tariffs'), 'folder'), {
    absent: '`samples/tariffs`',
    about: 'a folder with one folder for each tariff, or `published`',
  }),
  /** Undefined if the agreements published to the store apply. */
  agreementsDir: setting('AGREEMENTS_DIR', existing(SAMPLE_AGREEMENTS, 'folder'), {
    absent: '`samples/agreements`',
    about: 'a folder with one folder for each agreement, or `published`',
  }),
  /** Undefined if the clients published to the store apply. */
  clientsFile: setting('CLIENTS_FILE', existing(SAMPLE_CLIENTS, 'file'), {
    absent: '`samples/clients.json`',
    about: 'a file, or `published`',
  }),
  /** Without it, a secret is generated once and kept under `dataDir`. */
  tokenSecret: setting('TOKEN_SECRET', secret, {
    absent: 'created once, kept under `DATA_DIR`',
    about: 'at least 32 characters. Several, separated by commas, while one replaces another',
  }),
  /** Without it, there is no operator's console and no queue board. */
  operatorToken: setting('OPERATOR_TOKEN', staffToken, {
    absent: 'none: no [operator’s console](#the-operators-console), no queue board',
    about: 'at least 16 characters',
  }),
  /** Without it, anyone who can reach the API can read its metrics. */
  metricsToken: setting('METRICS_TOKEN', staffToken, {
    absent: 'none: anybody can read `/metrics`',
    about: 'at least 16 characters. Scrapers send it as a bearer token',
  }),
  /** Host names and addresses of the API, in addition to loopback names and the address that received the request. */
  allowedHosts: setting('ALLOWED_HOSTS', hosts, {
    absent: 'loopback names',
    about: 'names by which callers reach the API: `rates.example.com,rates`',
  }),
  /** Origins whose pages may call the API, such as `https://shop.example.com`; usually none. */
  corsOrigins: setting('CORS_ORIGINS', origins, {
    absent: 'none',
    about: 'origins whose pages may call the API: `https://shop.example.com`',
  }),
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: setting('TRUSTED_PROXIES', proxies, {
    absent: 'none',
    about:
      'addresses or ranges of your proxies, whose `X-Forwarded-For` is trusted: `10.0.0.0/8,192.0.2.7`. See [Behind a proxy](#behind-a-proxy)',
  }),
  workers: setting('WORKERS', whole(1, 256, availableParallelism()), {
    absent: 'number of cores',
    about: 'worker processes of `rates serve`',
  }),
  maxUploadBytes: setting('MAX_UPLOAD_BYTES', whole(1, 2 ** 40, 2 ** 30), {
    absent: '1 GiB',
    about: 'limit of a list',
  }),
  maxRows: setting('MAX_ROWS', whole(1, 1_000_000_000, 10_000_000), {
    absent: '10,000,000',
    about: 'limit of a list’s rows',
  }),
  maxRowBytes: setting('MAX_ROW_BYTES', whole(1_024, 2 ** 26, 2 ** 20), { absent: '1 MiB', about: 'limit of a row' }),
  maxJsonBytes: setting('MAX_JSON_BYTES', whole(1_024, 2 ** 26, 256 * 1_024), {
    absent: '256 KB',
    about: 'limit of a JSON body',
  }),
  chunkRows: setting('CHUNK_ROWS', whole(1, 100_000, 5_000), {
    absent: '5000',
    about: 'rows that a worker rates at a time',
  }),
  retentionDays: setting('RETENTION_DAYS', whole(1, 3_650, 7), {
    absent: '7',
    about: 'days until the files of a batch or a comparison are removed',
  }),
  /** Days that a batch's summary is kept after its files have expired. */
  summaryRetentionDays: setting('SUMMARY_RETENTION_DAYS', wholeText(1, 3_650).optional(), {
    absent: '400',
    about: 'days from the removal of its files until its summary is removed too. At least `RETENTION_DAYS`',
  }),
  /** Percent of all batches that may be removed at once if they expired long ago. */
  expiryShare: setting('EXPIRY_SHARE', whole(1, 100, EXPIRY_SHARE), {
    absent: `${EXPIRY_SHARE}`,
    about:
      'the highest percentage of batches that are removed at once if they expired more than ten minutes ago ([crashes](#crashes))',
  }),
  logLevel: setting('LOG_LEVEL', oneOf(LOG_LEVELS).default('info'), {
    absent: '`info`',
    about: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  }),
  /** Without it: text on a terminal, otherwise JSON. */
  logFormat: setting('LOG_FORMAT', oneOf(LOG_FORMATS).optional(), {
    absent: '`text` in a terminal, else `json`',
    about: '`json`: a JSON object on each line. `text`: lines for people',
  }),
  production: setting(
    'NODE_ENV',
    z
      .string()
      .optional()
      .transform((text) => text === 'production'),
    { absent: 'none', about: '`production` refuses the in-memory substitute for Redis' },
  ),
} as const;

type Values = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]['schema']> };
/** Settings that may be undefined. */
type Optional = { [K in keyof Values]: undefined extends Values[K] ? K : never }[keyof Values];
type Known = { readonly [K in Exclude<keyof Values, Optional>]: Values[K] } & {
  readonly [K in Optional]?: Exclude<Values[K], undefined>;
};

/** The settings as they were read. Those that default to other settings are always present. */
export type Config = Known & {
  readonly storeUrl: string;
  readonly summaryRetentionDays: number;
  /** Present if the store is S3. */
  readonly s3?: S3Access;
};

/** The members of `Config`, each with its name, its variable and its texts for docs/operating.md. */
export const SETTING_LIST = Object.entries(SETTINGS).map(([name, { schema: _, ...texts }]) => ({ name, ...texts }));

/** Returns whether an address to listen on can be reached only from this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);

const SAMPLES_NEED_LOOPBACK =
  'HOST must be a loopback address while CLIENTS_FILE is the samples: their secrets are public';

const SUMMARY_DAYS = 400;

/** Returns the values of the settings that can be read, and the problems of the others. */
const readSettings = (given: Environment): { readonly known: Known; readonly problems: string[] } => {
  const problems: string[] = [];
  const values = Object.entries(SETTINGS).map(([name, { env, schema }]) => {
    const value: unknown = check(schema as z.ZodType, given[env]);
    if (!(value instanceof Failed)) return [name, value];
    problems.push(...value.fault.map(({ message }: Problem) => `${env} ${message}`));
    return [name, undefined];
  });
  // Each value is the output of the schema that its type is inferred from.
  return { known: Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Known, problems };
};

/**
 * Reads the settings. An empty variable counts as absent.
 * @throws {ConfigError} with all problems, not just the first
 */
export const readConfig = (env: Environment): Config => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const { known, problems } = readSettings(given);
  const s3 = given['STORE_URL']?.startsWith('s3:') === true ? readS3Access(given) : undefined;
  if (s3 !== undefined && 'problems' in s3) problems.push(...s3.problems);
  const clientsFile = resolve(given['CLIENTS_FILE'] ?? SAMPLE_CLIENTS);
  if (clientsFile === SAMPLE_CLIENTS && !isLoopback(given['HOST'] ?? 'localhost')) problems.push(SAMPLES_NEED_LOOPBACK);
  // A summary is kept at least as long as the files.
  const { retentionDays, summaryRetentionDays = Math.max(SUMMARY_DAYS, retentionDays) } = known;
  if (summaryRetentionDays < retentionDays) problems.push('SUMMARY_RETENTION_DAYS must be at least RETENTION_DAYS');
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    ...known,
    storeUrl: known.storeUrl ?? pathToFileURL(join(known.dataDir, 'store')).href,
    summaryRetentionDays,
    ...(s3 !== undefined && 'access' in s3 && { s3: s3.access }),
  };
};
