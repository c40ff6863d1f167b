/**
 * `npm run test:compose`: builds the image of `deploy/Dockerfile`, runs the services of `docker-compose.yml`, and uses them as
 * a user does, before and after all of them were stopped and their containers removed. By Docker Compose where a daemon answers,
 * otherwise by `buildah`, which needs root. `--keep` keeps the images for the next run.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { must } from '../../src/base/must.ts';
import { createClient } from '../../src/http/client/client.ts';
import { openBuildahStack } from './buildah-stack.ts';
import { hasDocker, openDockerStack } from './docker-stack.ts';
import { missingPrograms } from './programs.ts';
import type { Stack } from './stack.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const READY_MS = 60_000;
const WAREHOUSES = ['101,Newark,NJ,07001', '102,Chicago,IL,60601', '103,Los Angeles,CA,90001'];
/** What a process may and may not write: as whom it runs, how its root is mounted, and which of the places take a file. */
const RIGHTS = `
  const { readFileSync, writeFileSync, rmSync } = require('node:fs');
  const root = readFileSync('/proc/mounts', 'utf8').split('\\n').map((line) => line.split(' ')).filter(([, at]) => at === '/').at(-1);
  const takes = (folder) => { try { writeFileSync(folder + '/try', ''); rmSync(folder + '/try'); return true; } catch { return false; } };
  const places = ['/', '/app', '/etc', '/home/node', '/usr/local/bin', '/var/tmp', '/data', '/tmp'];
  console.log(JSON.stringify([process.getuid(), root[3].split(',')[0], places.filter(takes)]));
`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const counts = { passed: 0, failed: 0 };
const step = async <T>(name: string, work: () => Promise<readonly [result: T, ...lines: string[]]>): Promise<T> => {
  const began = performance.now();
  const took = (): string => `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  try {
    const [result, ...lines] = await work();
    counts.passed += 1;
    say(`ok    ${name} (${took()})`);
    for (const line of lines) say(`        ${line}`);
    return result;
  } catch (error) {
    counts.failed += 1;
    say(`FAIL  ${name} (${took()})`);
    throw error;
  }
};
const expectSame = (what: string, found: unknown, wanted: unknown): void => {
  const [is, be] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== be) throw new Error(`${what} is ${is}, and not ${be}`);
};
const freePort = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return String(typeof address === 'object' && address !== null ? address.port : 0);
};

/** Until the proxy passes on that an API is ready. */
const untilReady = async (url: string): Promise<void> => {
  for (const deadline = performance.now() + READY_MS; ; await sleep(200)) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok === true) return;
    const text = answer === undefined ? 'nothing' : `${answer.status} ${await answer.text()}`;
    if (performance.now() > deadline) throw new Error(`${url}/readyz answers with ${text}`);
  }
};

const useStack = async ({ url, build, up, run, exec, down }: Stack): Promise<void> => {
  await step('the images are built', async () => [undefined, ...(await build())]);
  await step('the services start in their order', async () => [undefined, ...(await up())]);
  for (const service of ['api', 'worker'])
    await step(`${service}: user 1000, a read-only root, and only /data and /tmp take files`, async () => {
      const found = await exec(service, ['node', '-e', RIGHTS]);
      expectSame(
        'what it may do',
        found.map((text) => JSON.parse(text)),
        [
          [1000, 'ro', ['/data', '/tmp']],
          [1000, 'ro', ['/data', '/tmp']],
        ],
      );
      return [undefined];
    });
  await step('tariffs are published from a folder that is mounted', async () => {
    const said = await run('worker', ['tariff', 'publish', '/tariffs'], ['./samples/tariffs:/tariffs:ro']);
    return [undefined, ...said.trim().split('\n').slice(-2)];
  });
  const secret = await step('a client is added', async () => {
    const warehouses = WAREHOUSES.flatMap((warehouse) => ['--warehouse', warehouse]);
    const said = await run('worker', ['client', 'add', 'acme', '--name', 'Acme Inc.', ...warehouses, '--json']);
    return [must(/"client_secret": *"([^"]+)"/.exec(said)?.[1], 'the secret')];
  });
  await step('the proxy passes on that an API is ready', async () => [await untilReady(url)]);
  const client = createClient({ server: url, clientId: 'acme', clientSecret: secret });
  const request = JSON.parse(await readFile(join(ROOT, 'samples', 'requests', 'one-package.json'), 'utf8'));
  await step('a token', async () => [await client.signIn()]);
  const price = await step('a quote', async () => {
    const { totalNetCharge } = await client.quote(request);
    return [totalNetCharge, `$${totalNetCharge}`];
  });
  const id = await step('a list is uploaded', async () => {
    const list = await readFile(join(ROOT, 'samples', 'shipments.csv'));
    const batch = await client.upload(list, { query: { filename: 'shipments.csv' } });
    return [batch.id, batch.id];
  });
  await step('the workers rate it', async () => {
    const { status, rows } = await client.ended(id);
    expectSame('the batch', [status, rows.quoted, rows.faulted], ['completed', 970, 30]);
    return [undefined, `${rows.quoted} quotes, ${rows.faulted} faults`];
  });
  const output = await step('its output is downloaded', async () => {
    const text = await (await client.download(id)).text();
    // The header, 1000 rows, and what follows the last line's end.
    expectSame('the count of lines', text.split('\n').length, 1_002);
    return [text];
  });
  await step('everything ends by itself when it is told to, and the containers are removed', async () => [
    undefined,
    ...(await down()),
  ]);
  await step('all services start again, in new containers', async () => [undefined, ...(await up())]);
  await step('the proxy passes on that an API is ready', async () => [await untilReady(url)]);
  const again = createClient({ server: url, clientId: 'acme', clientSecret: secret });
  await step('the client gets a token, and the same quote', async () => {
    expectSame('the price', (await again.quote(request)).totalNetCharge, price);
    return [undefined];
  });
  await step('the output of the batch is still there', async () => {
    expectSame('whether it has the same bytes', (await (await again.download(id)).text()) === output, true);
    return [undefined];
  });
  await step('another list is rated', async () => {
    const list = await readFile(join(ROOT, 'samples', 'shipments.csv'));
    const batch = await again.ended((await again.upload(list, { query: { filename: 'again.csv' } })).id);
    expectSame('the batch', [batch.status, batch.rows.quoted, batch.rows.faulted], ['completed', 970, 30]);
    return [undefined];
  });
  await step('everything ends again', async () => [undefined, ...(await down())]);
};

const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } });
const docker = hasDocker();
const missing = docker ? [] : missingPrograms();
if (missing.length > 0) {
  say(`No Docker daemon answers, and this machine cannot run containers without one: ${missing.join('; ')}.`);
  say('0 passed, 1 failed');
  process.exit(1);
}
const env = {
  ...process.env,
  TOKEN_SECRET: randomBytes(32).toString('hex'),
  PUBLISH_PORT: process.env['PUBLISH_PORT'] ?? (await freePort()),
};
const stack = await (docker ? openDockerStack : openBuildahStack)(env, values.keep);
for (const line of stack.about) say(line);
try {
  await useStack(stack);
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  say(await stack.logs());
  process.exitCode = 1;
} finally {
  await stack.remove();
}
say(`${counts.passed} passed, ${counts.failed} failed`);
