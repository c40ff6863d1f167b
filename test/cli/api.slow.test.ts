import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '../../src/cli/serve/api.ts';
import { type Refused, refuseConnections } from '../base/redis/refused.ts';
import { folderForFile } from '../folder.ts';
import { soon } from '../soon.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RUN = `import('${join(ROOT, 'src', 'cli', 'serve', 'api.ts')}').then(({ api }) => api(process.env))`;
/** Nothing listens here: the discard port. */
const NO_REDIS = 'redis://127.0.0.1:9';

let dir: string;
folderForFile((made) => (dir = made));

describe('an API process without its Redis', () => {
  let refused: Refused;
  let child: ChildProcess;
  let url: string;
  let authorization: { Authorization: string };

  beforeAll(async () => {
    refused = await refuseConnections();
    const REDIS_URL = `redis://127.0.0.1:${refused.port}`;
    child = spawn(process.execPath, ['--import', 'tsx', '-e', RUN], {
      cwd: ROOT,
      env: { ...process.env, PORT: '0', DATA_DIR: join(dir, 'data'), REDIS_URL, LOG_LEVEL: 'fatal' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const [message] = await once(child, 'message');
    expect(message).toEqual({ type: 'ready', port: expect.any(Number) });
    url = `http://127.0.0.1:${message.port}`;
    const body = '{"client_id":"demo","client_secret":"demo-secret"}';
    const headers = { 'Content-Type': 'application/json' };
    const token = JSON.parse(await (await fetch(`${url}/token/generate`, { method: 'POST', headers, body })).text());
    authorization = { Authorization: `Bearer ${token.access_token}` };
  });
  afterAll(async () => {
    child.kill('SIGKILL');
    await refused.stop();
  });

  test('still quotes', async () => {
    const answer = await fetch(`${url}/v1/client/shipment/rates`, {
      method: 'POST',
      headers: { ...authorization, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        rates: {
          shipper: { warehouse_id: 102 },
          recipient: { address: { postalCode: '10001', countryCode: 'US' } },
          packageItems: [{ weight: { units: 'LB', value: 5 } }],
        },
      }),
    });
    expect(answer.status).toBe(200);
  });

  test('is live but not ready', async () => {
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ code: 503, fault: { arguments: { dependency: 'redis' } } });
  });

  test('answers batch calls with 503 without waiting for Redis', async () => {
    // From then on each connection is tried every 500 ms.
    await soon(() => expect(refused.count()).toBeGreaterThan(12));
    const before = refused.count();
    const answer = await fetch(`${url}/v1/client/shipment/rates/batches`, { headers: authorization });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 503, fault: { type: 'service.unavailable' } });
    // Both connections of the process were tried at most twice more.
    expect(refused.count() - before).toBeLessThanOrEqual(4);
  });

  test('on SIGTERM it becomes unready, answers late requests, and ends with 0', async () => {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await soon(async () => {
      const { fault } = JSON.parse(await (await fetch(`${url}/readyz`)).text());
      expect(fault.arguments).toEqual({ dependency: 'process' });
    });
    expect((await fetch(`${url}/v1/client/warehouses`, { headers: authorization })).status).toBe(200);
    expect(await exited).toEqual([0, null]);
  });
});

describe('the API does not start', () => {
  test('without REDIS_URL', async () => {
    await expect(api({ PORT: '0' })).rejects.toThrow('REDIS_URL is not set');
  });

  test('beyond loopback with the sample clients, even in another file', async () => {
    const file = join(dir, 'ours.json');
    await cp(join(ROOT, 'samples', 'clients.json'), file);
    const env = { HOST: '0.0.0.0', PORT: '0', REDIS_URL: NO_REDIS, DATA_DIR: dir, CLIENTS_FILE: file };
    await expect(api(env)).rejects.toThrow('sample secret');
  });
});
