import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../src/config/settings.ts';

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
    tariffsDir: join(import.meta.dirname, '../..', 'samples', 'tariffs'),
    clientsFile: join(import.meta.dirname, '../..', 'samples', 'clients.json'),
    allowedHosts: [],
    corsOrigins: [],
    workers: availableParallelism(),
    maxUploadBytes: 1_073_741_824,
    storeReserveBytes: 1_073_741_824,
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
    METRICS_TOKEN: 'short',
    LOG_LEVEL: 'loud',
    HOST: '0.0.0.0',
  });
  expect(problems).toEqual([
    'PORT must be a whole number from 0 to 65535, not "70000"',
    'REDIS_URL must be redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/MASTER or redis+cluster://HOST:PORT,HOST:PORT (rediss: with TLS)',
    'STORE_URL must be file:PATH or s3://BUCKET/PREFIX',
    'TARIFFS_DIR names /does/not/exist, which does not exist',
    'TOKEN_SECRET must have at least 32 characters',
    'OPERATOR_TOKEN must have at least 16 characters',
    'METRICS_TOKEN must have at least 16 characters',
    'WORKERS must be a whole number from 1 to 256, not "1e3"',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    'HOST must be a loopback address while CLIENTS_FILE is the samples: their secrets are public',
  ]);
});

test('a folder is no clients file, and a file no folder of tariffs', () => {
  const [file, folder] = [import.meta.filename, import.meta.dirname];
  expect(problemsOf({ TARIFFS_DIR: file, CLIENTS_FILE: folder })).toEqual([
    `TARIFFS_DIR names ${file}, which is a file: name a folder`,
    `CLIENTS_FILE names ${folder}, which is a folder: name a file`,
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

test('an object store is reached as the usual variables say, Amazon’s own where they say nothing', () => {
  expect(readConfig({ STORE_URL: 's3://bucket' }).s3).toEqual({});
  const own = {
    STORE_URL: 's3://bucket/rates',
    AWS_ENDPOINT_URL: 'http://elsewhere:9000',
    AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:9000',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
  expect(readConfig(own).s3).toEqual({ endpoint: 'http://127.0.0.1:9000', region: 'us-east-1', credentials });
  const session = { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'us-west-2', AWS_SESSION_TOKEN: 'token' };
  expect(readConfig({ ...own, ...session }).s3).toMatchObject({
    region: 'eu-west-1',
    credentials: { sessionToken: 'token' },
  });
  expect(readConfig({ AWS_ENDPOINT_URL: 'nonsense' })).toEqual(readConfig({}));
});

test('what is wrong with an object store is listed, and no secret repeated', () => {
  const wrong = { AWS_ENDPOINT_URL_S3: 'ftp://host', AWS_SECRET_ACCESS_KEY: 'hunter2', STORE_PRESIGN_SECONDS: '0' };
  expect(problemsOf({ STORE_URL: 's3://bucket', ...wrong })).toEqual([
    'STORE_PRESIGN_SECONDS must be a whole number from 1 to 604800, not "0"',
    'AWS_ENDPOINT_URL_S3 must be http://HOST:PORT or https://HOST:PORT',
    'AWS_SECRET_ACCESS_KEY must be set with AWS_ACCESS_KEY_ID, or neither of them',
  ]);
  for (const STORE_URL of ['s3://', 's3://B', 's3://bucket//x', 's3://bucket/a b', 's3://bucket/../x', 's3://bucket?x'])
    expect(problemsOf({ STORE_URL })).toEqual(['STORE_URL must be file:PATH or s3://BUCKET/PREFIX']);
});

test('a store is a folder, from here where it is relative, or a bucket', () => {
  expect(readConfig({ STORE_URL: 'file:./files' }).storeUrl).toBe(pathToFileURL(resolve('files')).href);
  expect(readConfig({ STORE_URL: 'file:///srv/files' }).storeUrl).toBe('file:///srv/files');
  expect(readConfig({ STORE_URL: 's3://bucket/rates' }).storeUrl).toBe('s3://bucket/rates');
});

test('pages of other hosts are named by their exact origins', () => {
  expect(readConfig({ CORS_ORIGINS: 'https://shop.example.com, http://localhost:8080' }).corsOrigins).toEqual([
    'https://shop.example.com',
    'http://localhost:8080',
  ]);
  const wrong = 'CORS_ORIGINS must be origins such as https://shop.example.com, separated by commas';
  for (const value of ['*', 'shop.example.com', 'https://shop.example.com/', 'null'])
    expect(problemsOf({ CORS_ORIGINS: value })).toEqual([wrong]);
});

test('names by which the service is reached are given in full, without ports', () => {
  const names = { ALLOWED_HOSTS: 'rates.example.com, 10.0.0.5,[fd00::5],rates' };
  expect(readConfig(names).allowedHosts).toEqual(['rates.example.com', '10.0.0.5', '[fd00::5]', 'rates']);
  const wrong = 'ALLOWED_HOSTS must be host names such as rates.example.com, without ports, separated by commas';
  for (const value of ['*', '*.example.com', 'example.com:3000', 'http://example.com', 'a b', '-x', ','])
    expect(problemsOf({ ALLOWED_HOSTS: value })).toEqual([wrong]);
});
