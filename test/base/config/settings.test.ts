import { BlockList } from 'node:net';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '../../../src/base/config/settings.ts';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

test('uses the defaults and the package’s samples if nothing is set', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('data'),
    storeUrl: pathToFileURL(resolve('data/store')).href,
    tariffsDir: join(import.meta.dirname, '../../../samples/tariffs'),
    agreementsDir: join(import.meta.dirname, '../../../samples/agreements'),
    clientsFile: join(import.meta.dirname, '../../../samples/clients.json'),
    allowedHosts: [],
    corsOrigins: [],
    trustedProxies: new BlockList(),
    workers: availableParallelism(),
    maxUploadBytes: 1_073_741_824,
    storeReserveBytes: 1_073_741_824,
    maxRows: 10_000_000,
    maxJsonBytes: 262_144,
    maxRowBytes: 1_048_576,
    chunkRows: 5_000,
    retentionDays: 7,
    summaryRetentionDays: 400,
    expiryShare: 25,
    logLevel: 'info',
    production: false,
  });
});

test('treats an empty variable as absent', () => {
  expect(readConfig({ PORT: '', REDIS_URL: '' })).toEqual(readConfig({}));
});

test('lists every problem with the name of the setting, and repeats no secret', () => {
  const problems = problemsOf({
    PORT: '70000',
    WORKERS: '1e3',
    REDIS_URL: 'http://user:hunter2@cache',
    STORE_URL: 'ftp://store',
    TARIFFS_DIR: '/does/not/exist',
    AGREEMENTS_DIR: '/nor/this',
    TOKEN_SECRET: 'short',
    OPERATOR_TOKEN: 'short',
    METRICS_TOKEN: 'short',
    LOG_LEVEL: 'loud',
    LOG_FORMAT: 'pretty',
    HOST: '0.0.0.0',
  });
  expect(problems).toEqual([
    'PORT must be a whole number from 0 to 65535, not "70000"',
    'REDIS_URL must be redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/MASTER or redis+cluster://HOST:PORT,HOST:PORT (rediss: with TLS), or the path of a socket',
    'STORE_URL must be file:PATH or s3://BUCKET/PREFIX',
    'TARIFFS_DIR names /does/not/exist, which does not exist',
    'AGREEMENTS_DIR names /nor/this, which does not exist',
    'TOKEN_SECRET must have at least 32 characters',
    'OPERATOR_TOKEN must have at least 16 characters',
    'METRICS_TOKEN must have at least 16 characters',
    'WORKERS must be a whole number from 1 to 256, not "1e3"',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    'LOG_FORMAT must be one of json, text',
    'HOST must be a loopback address while CLIENTS_FILE is the samples: their secrets are public',
  ]);
});

test('rejects a folder as clients file, and a file as folder of tariffs', () => {
  const [file, folder] = [import.meta.filename, import.meta.dirname];
  expect(problemsOf({ TARIFFS_DIR: file, CLIENTS_FILE: folder })).toEqual([
    `TARIFFS_DIR names ${file}, which is a file: name a folder`,
    `CLIENTS_FILE names ${folder}, which is a folder: name a file`,
  ]);
});

test('listens beyond loopback only with the operator’s own clients', () => {
  expect(problemsOf({ HOST: '0.0.0.0', CLIENTS_FILE: import.meta.filename })).toEqual([]);
  expect(problemsOf({ HOST: '::1' })).toEqual([]);
});

test('accepts both ends of a limit’s range', () => {
  expect(readConfig({ PORT: '0', CHUNK_ROWS: '1' })).toMatchObject({ port: 0, chunkRows: 1 });
  expect(readConfig({ PORT: '65535', WORKERS: '256' })).toMatchObject({ port: 65_535, workers: 256 });
});

test('reads the usual S3 variables, and uses Amazon without them', () => {
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

test('lists the problems of S3 settings, and repeats no secret', () => {
  const wrong = { AWS_ENDPOINT_URL_S3: 'ftp://host', AWS_SECRET_ACCESS_KEY: 'hunter2', STORE_PRESIGN_SECONDS: '0' };
  expect(problemsOf({ STORE_URL: 's3://bucket', ...wrong })).toEqual([
    'STORE_PRESIGN_SECONDS must be a whole number from 1 to 604800, not "0"',
    'AWS_ENDPOINT_URL_S3 must be http://HOST:PORT or https://HOST:PORT',
    'AWS_SECRET_ACCESS_KEY must be set with AWS_ACCESS_KEY_ID, or neither of them',
  ]);
  for (const STORE_URL of ['s3://', 's3://B', 's3://bucket//x', 's3://bucket/a b', 's3://bucket/../x', 's3://bucket?x'])
    expect(problemsOf({ STORE_URL })).toEqual(['STORE_URL must be file:PATH or s3://BUCKET/PREFIX']);
});

test('accepts an absolute folder, a relative folder or a bucket as store', () => {
  expect(readConfig({ STORE_URL: 'file:./files' }).storeUrl).toBe(pathToFileURL(resolve('files')).href);
  expect(readConfig({ STORE_URL: 'file:///srv/files' }).storeUrl).toBe('file:///srv/files');
  expect(readConfig({ STORE_URL: 's3://bucket/rates' }).storeUrl).toBe('s3://bucket/rates');
});

test('accepts only exact origins of other pages', () => {
  expect(readConfig({ CORS_ORIGINS: 'https://shop.example.com, http://localhost:8080' }).corsOrigins).toEqual([
    'https://shop.example.com',
    'http://localhost:8080',
  ]);
  const wrong = 'CORS_ORIGINS must be origins such as https://shop.example.com, separated by commas';
  for (const value of ['*', 'shop.example.com', 'https://shop.example.com/', 'null'])
    expect(problemsOf({ CORS_ORIGINS: value })).toEqual([wrong]);
});

test('accepts addresses and ranges of trusted proxies, and nothing else', () => {
  const { trustedProxies } = readConfig({ TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,fd00::/8' });
  expect(['10.1.2.3', '192.0.2.7', '192.0.2.8'].map((address) => trustedProxies.check(address))).toEqual([
    true,
    true,
    false,
  ]);
  expect(['fd00::5', 'fe00::5'].map((address) => trustedProxies.check(address, 'ipv6'))).toEqual([true, false]);
  const wrong = 'TRUSTED_PROXIES must be addresses or ranges such as 10.0.0.0/8, separated by commas';
  for (const value of [
    '*',
    'proxy',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.1:80',
    'fd00::/129',
    ',',
    '10.0.0.1,',
  ])
    expect(problemsOf({ TRUSTED_PROXIES: value })).toEqual([wrong]);
});

test('accepts only full host names without ports', () => {
  const names = { ALLOWED_HOSTS: 'rates.example.com, 10.0.0.5,[fd00::5],rates' };
  expect(readConfig(names).allowedHosts).toEqual(['rates.example.com', '10.0.0.5', '[fd00::5]', 'rates']);
  const wrong = 'ALLOWED_HOSTS must be host names such as rates.example.com, without ports, separated by commas';
  for (const value of ['*', '*.example.com', 'example.com:3000', 'http://example.com', 'a b', '-x', ','])
    expect(problemsOf({ ALLOWED_HOSTS: value })).toEqual([wrong]);
});
