/**
 * One Redis for a test run: the one of REDIS_URL, else a container if Docker answers, else a private server, else the
 * in-memory one. Test files get it from `testRedis` in redis.ts.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startLocalRedis } from '../src/base/redis/local-redis.ts';

export interface RunRedis {
  readonly url: string;
  readonly kind: 'REDIS_URL' | 'container' | 'private' | 'in-memory';
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly redis: RunRedis;
  }
}

interface StartedRedis extends RunRedis {
  stop(): Promise<unknown>;
}

const DOCKER_TIMEOUT_MS = 2_000;
const IMAGE = 'redis:7.4-alpine';

const dockerAnswers = (): Promise<boolean> =>
  new Promise((resolve) => {
    const host = process.env['DOCKER_HOST'];
    const remote = host !== undefined && /^(?:tcp|https?):/.test(host);
    const socketPath = host?.startsWith('unix://') ? host.slice('unix://'.length) : '/var/run/docker.sock';
    const target = remote ? new URL('/_ping', host.replace(/^tcp:/, 'http:')) : { socketPath, path: '/_ping' };
    const ping = request(target, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.setTimeout(DOCKER_TIMEOUT_MS, () => ping.destroy(new Error('Docker did not answer in time')));
    ping.on('error', () => resolve(false));
    ping.end();
  });

const startContainer = async (): Promise<StartedRedis | undefined> => {
  if (!(await dockerAnswers())) return undefined;
  try {
    const { GenericContainer } = await import('testcontainers');
    const redis = await new GenericContainer(IMAGE)
      .withExposedPorts(6379)
      .withCommand(['redis-server', '--appendonly', 'yes'])
      .start();
    const url = `redis://${redis.getHost()}:${redis.getMappedPort(6379)}`;
    return { url, kind: 'container', stop: () => redis.stop() };
  } catch (error) {
    console.warn(`Docker answers, but ${IMAGE} does not start: ${String(error)}`);
    return undefined;
  }
};

const startLocal = async (): Promise<StartedRedis> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rates-test-'));
  const { url, kind, stop } = await startLocalRedis({
    dataDir,
    production: false,
    env: process.env,
    execArgv: ['--import', 'tsx'],
  });
  const remove = () => rm(dataDir, { recursive: true, force: true });
  return { url, kind, stop: () => stop().finally(remove) };
};

const start = async (): Promise<StartedRedis> => {
  const url = process.env['REDIS_URL'];
  if (url !== undefined && url !== '') return { url, kind: 'REDIS_URL', stop: async () => undefined };
  return (await startContainer()) ?? (await startLocal());
};

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const { url, kind, stop } = await start();
  console.log(`Redis of this test run: ${kind}`);
  project.provide('redis', { url, kind });
  return async () => {
    await stop();
  };
};
