import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestRedis, testRedis } from '../redis.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** @param stopTimes those that differ from the usual ones, as the text of an object */
const run = (stopTimes = '{}'): string =>
  `import('${join(ROOT, 'src', 'cli', 'serve', 'api.ts')}').then(({ api }) => api(process.env, ${stopTimes}))`;
const LIST = 'warehouse_id,postalCode,weight_value,weight_units\n101,02139,2.1,LB\n';
const QUOTE = JSON.stringify({
  rates: {
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139' } },
    packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
  },
});
const CALLERS = 12;
/** Well within the time in which a stopping API is unready and still answers. */
const LOOK_MS = 100;

interface Api {
  readonly child: ChildProcess;
  readonly port: number;
  ready: boolean;
}

let redis: TestRedis;
let dir: string;
const apis: Api[] = [];
let balancer: Server;
const agent = new Agent({ keepAlive: true });

const startApi = async (): Promise<Api> => {
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', run()], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', DATA_DIR: dir, REDIS_URL: redis.url, LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message] = await once(child, 'message');
  return { child, port: message.port, ready: true };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
};

/** Works like a load balancer: checks readiness, spreads requests over ready APIs, never retries. */
const startBalancer = (): Server => {
  let turn = 0;
  return createServer((incoming, outgoing) => {
    const ready = apis.filter((api) => api.ready);
    const api = ready[turn++ % ready.length];
    if (api === undefined) {
      outgoing.writeHead(502).end('no API is ready');
      return;
    }
    const { method, url: path, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port: api.port, method, path, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'keep-alive' });
      answer.pipe(outgoing);
    });
    forwarded.on('error', (error) => outgoing.writeHead(502).end(error.message));
    incoming.pipe(forwarded);
  });
};

beforeAll(async () => {
  redis = await testRedis();
  dir = await mkdtemp(join(tmpdir(), 'rolling-'));
  apis.push(await startApi(), await startApi());
  balancer = startBalancer();
  await once(balancer.listen(0, '127.0.0.1'), 'listening');
});
afterAll(async () => {
  balancer.close();
  balancer.closeAllConnections();
  agent.destroy();
  for (const { child } of apis) child.kill('SIGKILL');
  await redis.stop();
  await rm(dir, { recursive: true });
});

test('two APIs are replaced in turn without dropping a request', { timeout: 60_000 }, async () => {
  const address = balancer.address();
  if (typeof address !== 'object' || address === null) throw new Error('the balancer listens on no port');
  const url = `http://127.0.0.1:${address.port}`;
  const grant = await fetch(`${url}/token/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"client_id":"demo","client_secret":"demo-secret"}',
  });
  const { access_token: token } = JSON.parse(await grant.text());
  const authorization = `Bearer ${token}`;
  const looking = setInterval(async () => {
    for (const api of [...apis]) api.ready = await isReady(api.port);
  }, LOOK_MS);

  let done = false;
  const answers = new Map<string, number>();
  const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1);
  const caller = async (own: number): Promise<void> => {
    for (let turn = 0; !done; turn += 1) {
      const uploads = (turn + own) % 10 === 0;
      const answer = await fetch(`${url}/v1/client/shipment/rates${uploads ? '/batches' : ''}`, {
        method: 'POST',
        headers: { authorization, 'Content-Type': uploads ? 'text/csv' : 'application/json' },
        body: uploads ? LIST : QUOTE,
      });
      const text = await answer.text();
      count(answer.ok ? `${answer.status}` : `${answer.status} ${text}`);
      await sleep(5);
    }
  };
  const callers = Promise.all(Array.from({ length: CALLERS }, (_, own) => caller(own)));

  for (const old of [...apis]) {
    const successor = await startApi();
    apis.push(successor);
    await sleep(2 * LOOK_MS);
    const exited = once(old.child, 'exit');
    old.child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    apis.splice(apis.indexOf(old), 1);
  }
  await sleep(500);
  done = true;
  await callers;
  clearInterval(looking);
  expect([...answers.keys()].sort()).toEqual(['200', '202']);
  expect(answers.get('200')).toBeGreaterThan(100);
  expect(answers.get('202')).toBeGreaterThan(10);
});

test('an API that runs alone finishes a long upload after SIGTERM', {
  timeout: 60_000,
}, async () => {
  const port = await freePort();
  // The API of `rates serve` would wait for a tenth of its usual time.
  const program = run('{ unreadyMs: 100, asPartOfServe: { finishMs: 450, timeoutMs: 600 } }');
  const child = spawn(process.execPath, ['--import', 'tsx', '-e', program], {
    cwd: ROOT,
    env: { ...process.env, PORT: String(port), DATA_DIR: dir, REDIS_URL: redis.url, LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit');
  await expect.poll(() => isReady(port), { timeout: 20_000 }).toBe(true);
  const grant = await fetch(`http://127.0.0.1:${port}/token/generate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"client_id":"demo","client_secret":"demo-secret"}',
  });
  const { access_token: token } = JSON.parse(await grant.text());
  const path = '/v1/client/shipment/rates/batches';
  const headers = { authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' };
  const sent = request({ host: '127.0.0.1', port, method: 'POST', path, headers });
  const answered = once(sent, 'response');
  const [head = '', row = ''] = LIST.split('\n');
  sent.write(`${head}\n`);
  await sleep(300);
  child.kill('SIGTERM');
  // Longer than that.
  for (let rows = 0; rows < 16; rows += 1) {
    sent.write(`${row}\n`);
    await sleep(100);
  }
  sent.end();
  const [answer] = await answered;
  expect(answer.statusCode).toBe(202);
  answer.resume();
  expect(await exited).toEqual([0, null]);
});
