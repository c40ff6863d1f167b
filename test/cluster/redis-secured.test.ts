/** Redis with only TLS, client certificates, and a user with only the permissions that the service needs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRedis } from '../../src/base/redis/check-redis.ts';
import { connect, waitUntilReady } from '../../src/base/redis/connection.ts';
import { writeList } from '../bench/batch.ts';
import { SOURCES, startService } from '../bench/service.ts';
import { rates } from '../cli/rates.ts';
import { patientClient } from '../soak/client.ts';
import { difference, truthOf } from '../soak/expected-output.ts';
import { ACL, type SecuredServer, startSecured } from './redis-servers.ts';

const log = pino({ level: 'silent' });
let redis: SecuredServer;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'secured-'));
  redis = await startSecured(ACL);
});
afterAll(async () => {
  await redis.farm.stop();
  await rm(dir, { recursive: true, force: true });
});

test('a whole service works on it: a batch gives the same bytes as without TLS', async () => {
  const list = join(dir, 'list.csv');
  await writeList(list, 20_000);
  const truth = await truthOf(list, join(dir, 'quoted.csv'), SOURCES);
  const settings = {
    ...{ WORKERS: '2', LOG_LEVEL: 'silent', REDIS_URL: redis.url, OPERATOR_TOKEN: 'of-the-operators' },
    // Without a place of its own, a service with an operator has no clients.
    CLIENTS_FILE: 'samples/clients.json',
  };
  const service = await startService(settings, SOURCES);
  try {
    const client = patientClient(service, AbortSignal.timeout(100_000));
    const { batch } = await client.upload(list);
    expect((await client.ended(batch.id)).status).toBe('completed');
    const [output, faults] = [await client.file(batch.id, 'output'), await client.file(batch.id, 'faults')];
    expect(difference(truth, output, faults)).toBeUndefined();
    const board = { Authorization: 'Bearer of-the-operators' };
    expect((await service.call('GET', '/ops/queues/api/queues', undefined, board)).status).toBe(200);
    const { body: metrics } = await service.call('GET', '/metrics');
    expect(metrics).toMatch(/^rates_redis_up 1$/m);
    expect((await client.call('DELETE', `/v1/client/shipment/rates/batches/${batch.id}`)).status).toBe(204);
  } finally {
    await service.stop();
  }
  // No command was refused.
  expect(await redis.farm.cli(redis.server.port, 'ACL', 'LOG')).toBe('');
});

test('its configuration is checked like any other', async () => {
  const connection = connect(redis.url, 'producer', { log });
  await waitUntilReady(connection, 5_000);
  expect(await checkRedis(connection)).toEqual({ problems: [], warnings: [] });
  connection.disconnect();
});

test.each([
  ['without its authority', (url: string) => url.replace(/ca=[^&]*&/, ''), /self-signed|unable to|issuer/],
  ['with a wrong password', (url: string) => url.replace('p%2540', 'q%2540'), /WRONGPASS/],
  ['without TLS', (url: string) => url.replace(/^rediss(.*)\?.*$/, 'redis$1'), /closed|ended|did not answer/],
])('%s, the service does not start, and says why without the password', async (_how, wrong, why) => {
  const env = { REDIS_URL: wrong(redis.url), PORT: '0', DATA_DIR: dir };
  const { code, stderr } = await rates(['serve'], { env });
  expect([code, stderr]).toEqual([1, expect.stringMatching(why)]);
  expect(stderr).not.toContain('s/word');
  expect(stderr).not.toContain('s%2Fword');
});
