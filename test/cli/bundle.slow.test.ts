/** The bundles that users run do what the sources do: each of the programs that start as processes. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { folderForFile } from '../folder.ts';
import { filesOf } from '../http/operator/tariff-api.ts';
import { listRatePages, locatorPage } from '../import/made-fedex.ts';
import { dailyRates, zoneChart } from '../import/made-ups.ts';
import { pdfWith } from '../pdf.ts';
import { ratesHere } from './in-process.ts';
import { startAssistant } from './mcp-client.ts';
import { NO_PROFILES, ROOT } from './rates.ts';

const SAMPLE = join(ROOT, 'samples', 'shipments.csv');
const bundleOf = (program: string): string => join(ROOT, 'dist', 'bundle', `${program}.js`);
const run = promisify(execFile);

let dir: string;
folderForFile((made) => (dir = made));
beforeAll(() => run(process.execPath, ['--import', 'tsx', join(ROOT, 'scripts', 'bundle.ts')], { cwd: ROOT }));

const environment = (env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env['PATH'], LOG_LEVEL: 'warn', REDIS_URL: '' },
  ...NO_PROFILES,
  ...env,
});

const bundled = (args: readonly string[]) =>
  run(process.execPath, [bundleOf('cli/main'), ...args], { cwd: dir, env: environment() }).catch((error) => error);

test('rates run in several processes writes the bytes that the sources write', async () => {
  const [own, others] = [join(dir, 'own.csv'), join(dir, 'others.csv')];
  await ratesHere(['run', SAMPLE, '-o', own, '--explain']);
  await bundled(['run', SAMPLE, '-o', others, '--explain', '--jobs', '2']);
  expect(await readFile(others, 'utf8')).toBe(await readFile(own, 'utf8'));
}, 60_000);

test('rates tariff import reads PDFs and workbooks as the sources do', async () => {
  const files = {
    'list-rates.pdf': pdfWith(listRatePages()),
    'zones.pdf': pdfWith([locatorPage(70, 76)]),
    'daily-rates.xlsx': dailyRates(),
    '100.xls': zoneChart(100),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content);
  const flags = (into: string) => ['--into', join(dir, into, 'both-2032'), '--effective', '2032-01-05', '--json'];
  const paths = Object.keys(files).map((name) => join(dir, name));
  for (const into of ['own', 'others']) await mkdir(join(dir, into));
  const own = await ratesHere(['tariff', 'import', ...paths, ...flags('own')]);
  const { stdout, stderr } = await bundled(['tariff', 'import', ...paths, ...flags('others')]);
  expect(stderr).not.toContain('Error');
  expect(JSON.parse(stdout).unreadable).toEqual([]);
  expect(stdout.replaceAll('/others/', '/own/')).toBe(own.stdout);
}, 120_000);

test('rates mcp serves its tools, as docs/assistant.md configures it', async () => {
  const page = await readFile(join(ROOT, 'docs', 'assistant.md'), 'utf8');
  const { args } = JSON.parse(/```json\n(.*?)```/s.exec(page)?.[1] ?? '').mcpServers['shipping-rates'];
  const places: Readonly<Record<string, string>> = {
    '/home/ann/shipping-rates/dist/bundle/cli/main.js': bundleOf('cli/main'),
    '/home/ann/shipments': dir,
  };
  const own: readonly string[] = args.map((arg: string) => places[arg] ?? arg);
  expect(own.slice(2)).toEqual(['--folder', dir]);
  const assistant = await startAssistant([...own, '--local'], dir);
  const request = {
    shipper: { warehouse_id: 101 },
    recipient: { address: { postalCode: '02139' } },
    packageItems: [{ weight: { units: 'LB', value: 2.1 } }],
  };
  expect(await assistant.answer('quote', { rates: request })).toMatchObject({ totalNetCharge: 11.99 });
  await assistant.close();
}, 60_000);

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
};

const OPERATOR = { Authorization: 'Bearer the-operators-own-token-0123456789' };

/** Waits until it is. */
const until = async <T>(ask: () => Promise<T>, is: (answer: T) => boolean): Promise<T> => {
  for (;;) {
    const answer = await ask();
    if (is(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

test.each([
  ['its own Redis', process.env['PATH'] ?? ''],
  ['the in-memory Redis, where there is no other', '/nowhere'],
])(
  'rates serve with %s imports and publishes a tariff, and quotes by it',
  async (_what, path) => {
    const port = await freePort();
    const [data, tariffs] = [join(dir, `data-${port}`), join(dir, `tariffs-${port}`)];
    await mkdir(tariffs);
    const url = `http://127.0.0.1:${port}`;
    const service = spawn(process.execPath, [bundleOf('cli/main'), 'serve'], {
      cwd: dir,
      env: environment({
        ...{ PATH: path, PORT: String(port), DATA_DIR: data, TARIFFS_DIR: tariffs, WORKERS: '1' },
        OPERATOR_TOKEN: OPERATOR.Authorization.slice('Bearer '.length),
      }),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const exit = once(service, 'exit');
    try {
      const get = (place: string, headers: Record<string, string> = OPERATOR) => fetch(`${url}${place}`, { headers });
      await until(
        () =>
          get('/livez').then(
            ({ ok }) => ok,
            () => service.exitCode !== null,
          ),
        (ok) => ok,
      );
      for (const page of ['/docs', '/', '/ops/queues', '/ops/queues/api/queues'])
        expect([page, (await get(page)).status]).toEqual([page, 200]);

      const post = async (place: string, body: string | URLSearchParams, headers: Record<string, string>) => {
        const answer = await fetch(`${url}${place}`, { method: 'POST', body, headers });
        return { status: answer.status, body: JSON.parse(await answer.text()) };
      };
      const session = await fetch(`${url}/ops/session`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: OPERATOR.Authorization.slice('Bearer '.length), name: 'Ada' }),
      });
      const operator = {
        Cookie: session.headers.getSetCookie()[0]?.split(';')[0] ?? '',
        'X-CSRF-Token': JSON.parse(await session.text()).csrf,
      };
      const json = { ...operator, 'Content-Type': 'application/json' };
      const { body: draft } = await post(
        '/ops/tariff-drafts',
        JSON.stringify({ name: 'post', effectiveDate: '2020-01-05' }),
        json,
      );
      const bytes = { ...operator, 'Content-Type': 'application/octet-stream' };
      for (const [name, content] of Object.entries(filesOf('7.00')))
        await post(`/ops/tariff-drafts/${draft.id}/files?name=${name}`, content, bytes);
      await post(`/ops/tariff-drafts/${draft.id}/import`, '{}', json);
      const drafted = await until(
        async () => JSON.parse(await (await get(`/ops/tariff-drafts/${draft.id}`, operator)).text()),
        ({ state }) => state !== 'importing',
      );
      const { imported, version } = drafted;
      if (imported === undefined) throw new Error(JSON.stringify(drafted));
      const published = await post(
        `/ops/tariff-drafts/${draft.id}/publish`,
        JSON.stringify({ tariff: imported.tariff, replace: false, acceptDoubts: true, version }),
        json,
      );
      expect(published).toMatchObject({ status: 200, body: { quotable: true } });

      const login = new URLSearchParams({
        ...{ grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' },
      });
      const token = (await post('/token/generate', login, {})).body.access_token;
      const client = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
      const quote = JSON.stringify({
        rates: {
          shipper: { warehouse_id: 101 },
          recipient: { address: { postalCode: '02139' } },
          packageItems: [{ weight: { units: 'LB', value: 2 } }],
        },
      });
      await until(
        () => post('/v1/client/shipment/rates', quote, client),
        ({ status }) => status === 200,
      );
    } finally {
      service.kill('SIGTERM');
      await exit;
    }
  },
  120_000,
);
