/** Publishing on a single machine, where the service runs its own Redis. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { ROOT, rates, startRates } from '../../cli/rates.ts';
import { folderForEachTest } from '../../folder.ts';
import { soon } from '../../soon.ts';

let dir: string;
let service: ChildProcess | undefined;
folderForEachTest((made) => (dir = made));
afterEach(async () => {
  const ended = service === undefined ? undefined : once(service, 'exit');
  service?.kill('SIGTERM');
  await ended;
});

const serve = async (env: NodeJS.ProcessEnv): Promise<string> => {
  service = startRates(['serve'], { ...env, PORT: '0', WORKERS: '1' });
  service.stderr?.resume();
  if (service.stdout === null) throw new Error('it has no standard output');
  for await (const line of createInterface({ input: service.stdout })) {
    const [, url] = /served at (http:\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('it ended before it served');
};

test('a tariff and a client published without Redis and store settings are in force within seconds', async () => {
  const env = { TARIFFS_DIR: 'published', CLIENTS_FILE: 'published', DATA_DIR: dir, REDIS_URL: '', STORE_URL: '' };
  const url = await serve(env);
  expect((await rates(['tariff', 'publish', join(ROOT, 'samples', 'tariffs')], { env })).code).toBe(0);
  const added = await rates(['client', 'add', 'acme', '--warehouse', '101,Newark,NJ,07001', '--json'], { env });
  expect(added.code).toBe(0);
  const post = async (path: string, body: string, headers: Record<string, string> = {}): Promise<unknown> => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body };
    return await (await fetch(`${url}${path}`, init)).json();
  };
  const request = await readFile(join(ROOT, 'samples', 'requests', 'one-package.json'), 'utf8');
  await soon(async () => {
    const token = await post('/token/generate', String(added.stdout));
    expect(token).toMatchObject({ token_type: 'Bearer' });
    const { access_token } = token as { access_token: string };
    const quote = await post('/v1/client/shipment/rates', request, { Authorization: `Bearer ${access_token}` });
    expect(quote).toMatchObject({ status: 200, tariff: expect.stringMatching(/^reference@/) });
  });
});
