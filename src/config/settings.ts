/**
 * The settings of the service, from environment variables (contract, Environment). Only entry points read the environment;
 * other modules receive a `Config` or a part of it.
 */
import { existsSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { Failed } from '../rating/fault.ts';
import { check, pathText } from '../rating/validation.ts';
import { readRedisUrl } from './redis-address.ts';
import { readS3Access, type S3Access } from './s3-settings.ts';

export type { S3Access } from './s3-settings.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
const LOG_FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface Config {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
  /** An address as described in `redis-address.ts`. Absent: a private Redis. */
  readonly redisUrl?: string;
  /** An absolute path, like every path here. */
  readonly dataDir: string;
  /** `file:///…` or `s3://bucket/prefix`. */
  readonly storeUrl: string;
  /** Present if the store is S3. */
  readonly s3?: S3Access;
  /** How long a download URL of the store itself is valid. Absent: outputs pass through the API. */
  readonly storePresignSeconds?: number;
  /** Absent: the tariffs published to the store apply. */
  readonly tariffsDir?: string;
  /** Absent: the agreements published to the store apply. */
  readonly agreementsDir?: string;
  /** Absent: the clients published to the store apply. */
  readonly clientsFile?: string;
  /** Absent: a secret is generated once and kept under `dataDir`. */
  readonly tokenSecret?: string;
  /** Absent: no queue board. */
  readonly operatorToken?: string;
  /** Absent: anyone who can reach the API can read its metrics. */
  readonly metricsToken?: string;
  /** Host names and addresses of the API, in addition to loopback names and the address that received the request. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call the API, such as `https://shop.example.com`; usually none. */
  readonly corsOrigins: readonly string[];
  readonly workers: number;
  readonly maxUploadBytes: number;
  /** Free bytes on the store's disk that uploads must leave for running batches. */
  readonly storeReserveBytes: number;
  readonly maxRows: number;
  readonly maxJsonBytes: number;
  readonly maxRowBytes: number;
  readonly chunkRows: number;
  readonly retentionDays: number;
  /** How many days after a batch's files have expired its summary is kept. */
  readonly summaryRetentionDays: number;
  readonly logLevel: LogLevel;
  /** Absent: text on a terminal, otherwise JSON. */
  readonly logFormat?: LogFormat;
  readonly production: boolean;
}

/** The service cannot start with these settings. `problems` has a sentence for each, with the name of the setting first. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The settings are wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the package's package.json: one level above `src/`, two above `dist/src/`. */
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

/** The problem of a path that names a folder instead of a file. */
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

/** Whether the bucket's name follows Amazon's rules. */
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

/** Exact origins only: a `*` or a pattern would admit unexpected pages. */
const origins = z
  .string()
  .transform((text) => text.split(',').map((origin) => origin.trim()))
  .refine((list) => list.every(isOrigin), {
    error: 'must be origins such as https://shop.example.com, separated by commas',
  })
  .default([]);

/** A name or address as in the Host header, without a port. */
const HOST_NAME = /^(?:[A-Za-z\d](?:[A-Za-z\d.-]{0,251}[A-Za-z\d])?|\[[\dA-Fa-f:.]{2,45}\])$/;

/** Full names only: a `*` would admit names that others point to this machine. */
const hosts = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .refine((list) => list.every((name) => HOST_NAME.test(name)), {
    error: 'must be host names such as rates.example.com, without ports, separated by commas',
  })
  .default([]);

const settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: whole(0, 65_535, 3000),
  REDIS_URL: redisUrl,
  DATA_DIR: z
    .string()
    .default('./data')
    .transform((path) => resolve(path)),
  STORE_URL: storeUrl,
  STORE_PRESIGN_SECONDS: whole(1, 604_800, 0),
  TARIFFS_DIR: existing(join(ROOT, 'samples', 'tariffs'), 'folder'),
  AGREEMENTS_DIR: existing(SAMPLE_AGREEMENTS, 'folder'),
  CLIENTS_FILE: existing(SAMPLE_CLIENTS, 'file'),
  TOKEN_SECRET: secret,
  OPERATOR_TOKEN: staffToken,
  METRICS_TOKEN: staffToken,
  ALLOWED_HOSTS: hosts,
  CORS_ORIGINS: origins,
  WORKERS: whole(1, 256, availableParallelism()),
  MAX_UPLOAD_BYTES: whole(1, 2 ** 40, 2 ** 30),
  STORE_RESERVE_BYTES: whole(0, 2 ** 50, 2 ** 30),
  MAX_ROWS: whole(1, 1_000_000_000, 10_000_000),
  MAX_JSON_BYTES: whole(1_024, 2 ** 26, 256 * 1_024),
  MAX_ROW_BYTES: whole(1_024, 2 ** 26, 2 ** 20),
  CHUNK_ROWS: whole(1, 100_000, 5_000),
  RETENTION_DAYS: whole(1, 3_650, 7),
  SUMMARY_RETENTION_DAYS: wholeText(1, 3_650).optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` }).default('info'),
  LOG_FORMAT: z.enum(LOG_FORMATS, { error: `must be one of ${LOG_FORMATS.join(', ')}` }).optional(),
  NODE_ENV: z.string().optional(),
});

/** The variables that the service reads, in addition to those of `s3-settings.ts`. docs/operating.md describes each. */
export const SETTING_NAMES = settings.keyof().options;

/** Whether an address to listen on can only be reached from this machine. */
export const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host);

const SAMPLES_NEED_LOOPBACK =
  'HOST must be a loopback address while CLIENTS_FILE is the samples: their secrets are public';

const SUMMARY_DAYS = 400;

/** A summary is kept at least as long as the files. @returns the days, or the problem */
const summaryDaysOf = (data: z.output<typeof settings>): number | string => {
  const { SUMMARY_RETENTION_DAYS: days = Math.max(SUMMARY_DAYS, data.RETENTION_DAYS) } = data;
  return days < data.RETENTION_DAYS ? 'SUMMARY_RETENTION_DAYS must be at least RETENTION_DAYS' : days;
};

/**
 * Reads the settings. An empty variable counts as absent.
 * @throws {ConfigError} with all problems, not just the first
 */
export const readConfig = (env: Environment): Config => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const data = check(settings, given);
  const problems = data instanceof Failed ? data.fault.map(({ path, message }) => `${pathText(path)} ${message}`) : [];
  const s3 = given['STORE_URL']?.startsWith('s3:') === true ? readS3Access(given) : { access: undefined };
  if ('problems' in s3) problems.push(...s3.problems);
  const clientsFile = resolve(given['CLIENTS_FILE'] ?? SAMPLE_CLIENTS);
  if (clientsFile === SAMPLE_CLIENTS && !isLoopback(given['HOST'] ?? 'localhost')) problems.push(SAMPLES_NEED_LOOPBACK);
  const summaryDays = data instanceof Failed ? 0 : summaryDaysOf(data);
  if (typeof summaryDays === 'string') problems.push(summaryDays);
  if (data instanceof Failed || typeof summaryDays === 'string' || problems.length > 0) throw new ConfigError(problems);

  return {
    host: data.HOST,
    port: data.PORT,
    ...(data.REDIS_URL !== undefined && { redisUrl: data.REDIS_URL }),
    dataDir: data.DATA_DIR,
    storeUrl: data.STORE_URL ?? pathToFileURL(join(data.DATA_DIR, 'store')).href,
    ...('access' in s3 && s3.access !== undefined && { s3: s3.access }),
    ...(data.STORE_PRESIGN_SECONDS > 0 && { storePresignSeconds: data.STORE_PRESIGN_SECONDS }),
    ...(data.TARIFFS_DIR !== undefined && { tariffsDir: data.TARIFFS_DIR }),
    ...(data.AGREEMENTS_DIR !== undefined && { agreementsDir: data.AGREEMENTS_DIR }),
    ...(data.CLIENTS_FILE !== undefined && { clientsFile: data.CLIENTS_FILE }),
    ...(data.TOKEN_SECRET !== undefined && { tokenSecret: data.TOKEN_SECRET }),
    ...(data.OPERATOR_TOKEN !== undefined && { operatorToken: data.OPERATOR_TOKEN }),
    ...(data.METRICS_TOKEN !== undefined && { metricsToken: data.METRICS_TOKEN }),
    allowedHosts: data.ALLOWED_HOSTS,
    corsOrigins: data.CORS_ORIGINS,
    workers: data.WORKERS,
    maxUploadBytes: data.MAX_UPLOAD_BYTES,
    storeReserveBytes: data.STORE_RESERVE_BYTES,
    maxRows: data.MAX_ROWS,
    maxJsonBytes: data.MAX_JSON_BYTES,
    maxRowBytes: data.MAX_ROW_BYTES,
    chunkRows: data.CHUNK_ROWS,
    retentionDays: data.RETENTION_DAYS,
    summaryRetentionDays: summaryDays,
    logLevel: data.LOG_LEVEL,
    ...(data.LOG_FORMAT !== undefined && { logFormat: data.LOG_FORMAT }),
    production: data.NODE_ENV === 'production',
  };
};
