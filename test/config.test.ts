import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('with nothing set the defaults hold, and the samples are the package’s own', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('data'),
    storeUrl: pathToFileURL(resolve('data/store')).href,
    tariffsDir: join(import.meta.dirname, '..', 'samples', 'tariffs'),
    clientsFile: join(import.meta.dirname, '..', 'samples', 'clients.json'),
    workers: availableParallelism(),
    maxUploadBytes: 1_073_741_824,
    maxRows: 10_000_000,
    maxJsonBytes: 262_144,
    maxRowBytes: 1_048_576,
    chunkRows: 5_000,
    retentionDays: 7,
    logLevel: 'info',
    production: false,
  });
});

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '', REDIS_URL: '' })).toEqual(readConfig({}));
});

test('every problem is listed, by the name of the setting, and no secret is repeated', () => {
  const problems = problemsOf({
    PORT: '70000',
    WORKERS: '1e3',
    REDIS_URL: 'http://user:hunter2@cache',
    STORE_URL: 'ftp://store',
    TARIFFS_DIR: '/does/not/exist',
    TOKEN_SECRET: 'short',
    OPERATOR_TOKEN: 'short',
    LOG_LEVEL: 'loud',
    HOST: '0.0.0.0',
  });
  expect(problems).toEqual([
    'PORT must be a whole number from 0 to 65535, not "70000"',
    'REDIS_URL must be redis://HOST:PORT or rediss://HOST:PORT',
    'STORE_URL must be file:PATH or s3://BUCKET/PREFIX',
    'TARIFFS_DIR names /does/not/exist, which does not exist',
    'TOKEN_SECRET must have at least 32 characters',
    'OPERATOR_TOKEN must have at least 16 characters',
    'WORKERS must be a whole number from 1 to 256, not "1e3"',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    'HOST must be a loopback address while CLIENTS_FILE is the samples: everybody knows their secrets',
  ]);
});

test('beyond loopback it listens for clients of one’s own', () => {
  expect(problemsOf({ HOST: '0.0.0.0', CLIENTS_FILE: import.meta.filename })).toEqual([]);
  expect(problemsOf({ HOST: '::1' })).toEqual([]);
});

test('a limit may be at either end of its range', () => {
  expect(readConfig({ PORT: '0', CHUNK_ROWS: '1' })).toMatchObject({ port: 0, chunkRows: 1 });
  expect(readConfig({ PORT: '65535', WORKERS: '256' })).toMatchObject({ port: 65_535, workers: 256 });
});

test('a store is a folder, from here where it is relative, or a bucket', () => {
  expect(readConfig({ STORE_URL: 'file:./files' }).storeUrl).toBe(pathToFileURL(resolve('files')).href);
  expect(readConfig({ STORE_URL: 'file:///srv/files' }).storeUrl).toBe('file:///srv/files');
  expect(readConfig({ STORE_URL: 's3://bucket/rates' }).storeUrl).toBe('s3://bucket/rates');
});
