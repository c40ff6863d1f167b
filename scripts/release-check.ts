/**
 * `npm run release-check`: packs the product, installs it in an empty folder, and uses it there as users do. Prints the sizes,
 * and ends with an error at the first failure.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { z } from 'zod';
import { must } from '../src/base/must.ts';

const root = join(import.meta.dirname, '..');
const MOST_MB = 100;
const EXPECTED =
  /^(?:dist\/(?:bundle|client|console|library)\/|dist\/(?:licenses\.txt|sbom\.cdx\.json)$|samples\/|docs\/[\w-]+\.md$|(?:README|CHANGELOG)\.md$|LICENSE|package\.json$)/;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const require = (isSo: boolean, what: string): void => {
  if (!isSo) throw new Error(what);
};
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const work = await mkdtemp(join(tmpdir(), 'rates-release-'));
const folder = join(work, 'empty');
const home = join(work, 'home');
/** Without the settings of the person who runs this. `npx` finds the command only in the folder. */
const env = {
  ...{ PATH: process.env['PATH'] ?? '', HOME: home, npm_config_cache: join(work, 'cache'), NO_COLOR: '1' },
  ...{ OPERATOR_TOKEN: 'an-operator-token-of-the-release-check', CI: 'true' },
};
const run = async (command: string, args: readonly string[], cwd = folder): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd, env: cwd === root ? process.env : env, maxBuffer: 2 ** 26 })).stdout;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

const bytesBelow = async (dir: string): Promise<number> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => stat(join(entry.parentPath, entry.name)));
  return (await Promise.all(files)).reduce((sum, { size }) => sum + size, 0);
};

const manifest = z.object({
  version: z.string(),
  license: z.string(),
  scripts: z.record(z.string(), z.string()).default({}),
});
const manifestIn = async (dir: string) => manifest.parse(JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')));

const packed = z.array(
  z.object({
    filename: z.string(),
    size: z.number(),
    unpackedSize: z.number(),
    files: z.array(z.object({ path: z.string() })),
  }),
);

const pack = async (): Promise<string> => {
  const { version } = await manifestIn(root);
  const [, written] = /^## (\S+)/m.exec(await readFile(join(root, 'CHANGELOG.md'), 'utf8')) ?? [];
  require(written === version, `CHANGELOG.md begins with ${written}, and package.json has ${version}.`);
  const stdout = await run('npm', ['pack', '--json', '--pack-destination', work], root);
  // The output of the build comes first.
  const [made] = packed.parse(JSON.parse(stdout.slice(stdout.search(/^\[$/m))));
  const { filename, size, unpackedSize, files } = must(made, 'the package');
  const others = files.map(({ path }) => path).filter((path) => !EXPECTED.test(path));
  require(others.length === 0, `The package has what nobody needs: ${others.join(', ')}`);
  say(`${filename}: ${files.length} files, ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`);
  return join(work, filename);
};

const install = async (file: string): Promise<void> => {
  for (const dir of [folder, home]) await mkdir(dir);
  await run('npm', ['install', '--no-audit', '--no-fund', file]);
  const modules = join(folder, 'node_modules');
  const installed = (await readdir(modules)).filter((name) => !name.startsWith('.'));
  const bytes = await bytesBelow(modules);
  say(`Installed: ${installed.join(', ')}; ${megabytes(bytes)}`);
  require(bytes < MOST_MB * 1e6, `The installation has more than ${MOST_MB} MB.`);
  const lock = await readFile(join(modules, '.package-lock.json'), 'utf8');
  require(!lock.includes('hasInstallScript'), 'A package runs a script when it is installed.');
};

const PROGRAM = `
import { readFile } from 'node:fs/promises';
import { createRater } from 'shipping-rates';
import { ApiFault, asFault, createClient } from 'shipping-rates/client';
const samples = 'node_modules/shipping-rates/samples';
const request = JSON.parse(await readFile(samples + '/requests/one-package.json', 'utf8'));
const rater = await createRater({
  tariffs: [samples + '/tariffs'],
  warehouses: [{ id: 101, postalCode: '07001' }],
});
const { status, body } = rater.rate(request);
const server = process.argv[2];
const client = createClient({ server, clientId: 'demo', clientSecret: 'demo-secret' });
const quote = await client.quote(request);
const wrong = createClient({ server, clientId: 'demo', clientSecret: 'wrong' });
const refused = await wrong.services().catch(asFault);
const { id } = await client.upload(await readFile(samples + '/shipments.csv'), { query: { filename: 'shipments.csv' } });
const batch = await client.ended(id);
const output = await (await client.download(id)).text();
console.log(JSON.stringify({
  library: status === 200 ? body.totalNetCharge : body,
  client: quote.totalNetCharge,
  refused: refused instanceof ApiFault && refused.status,
  batch: [batch.status, batch.rows.quoted, batch.rows.faulted, output.split('\\n').length],
}));
`;

const TYPED = `
import { createRater } from 'shipping-rates';
import { createClient } from 'shipping-rates/client';
export const prices = async (request: Parameters<ReturnType<typeof createClient>['quote']>[0]): Promise<number[]> => {
  const rater = await createRater({ tariffs: ['tariffs'], warehouses: [{ id: 101, postalCode: '07001' }] });
  const answer = rater.rate(request);
  const quote = await createClient({ server: 'https://rates.example.com', token: 'x' }).quote(request);
  return [answer.status === 200 ? answer.body.totalNetCharge : 0, quote.totalNetCharge];
};
`;

const programAnswer = z.object({
  library: z.number(),
  client: z.number(),
  refused: z.literal(401),
  batch: z.tuple([z.literal('completed'), z.literal(970), z.literal(30), z.literal(1_002)]),
});

/** Checks what a service in the folder answers to programs and to browsers. */
const checkService = async (): Promise<number> => {
  const port = await freePort();
  const server = `http://127.0.0.1:${port}`;
  const started = spawn(process.execPath, ['node_modules/.bin/rates', 'serve'], {
    ...{ cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] },
    // With an operator and no clients file, the service would start without clients.
    env: {
      ...env,
      PORT: String(port),
      WORKERS: '1',
      LOG_LEVEL: 'warn',
      CLIENTS_FILE: 'node_modules/shipping-rates/samples/clients.json',
    },
  });
  try {
    await writeFile(join(folder, 'program.mjs'), PROGRAM);
    const answer = programAnswer.parse(JSON.parse(await run(process.execPath, ['program.mjs', server])));
    say(`The library, the client, a wrong secret, a list: ${JSON.stringify(answer)}`);
    require(answer.library === answer.client, 'The library and the service have different prices.');
    const headers = { Authorization: `Bearer ${env.OPERATOR_TOKEN}` };
    const board = await (await fetch(`${server}/ops/queues`, { headers })).text();
    const [, script] = /src="([^"]+\.js)"/.exec(board) ?? [];
    const places = [
      '/',
      '/docs',
      new URL(must(script, 'the script of the queue board'), `${server}/ops/queues/`).pathname,
    ];
    for (const place of places) {
      const { status } = await fetch(`${server}${place}`, { headers });
      require(status === 200, `${place} answers with ${status}.`);
    }
    say(`The pages answer: ${places.join(', ')}`);
    return answer.client;
  } finally {
    started.kill('SIGTERM');
    if (started.exitCode === null) await once(started, 'exit');
  }
};

const checkAssistant = async (price: number): Promise<void> => {
  const client = new Client({ name: 'release-check', version: '1.0.0' });
  const args = ['node_modules/.bin/rates', 'mcp', '--local'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: folder, env }));
  const { tools } = await client.listTools();
  const request = JSON.parse(await readFile(join(root, 'samples', 'requests', 'one-package.json'), 'utf8'));
  const { structuredContent } = await client.callTool({ name: 'quote', arguments: request });
  await client.close();
  const { totalNetCharge } = z.object({ totalNetCharge: z.number() }).parse(structuredContent);
  say(`The assistant's tools: ${tools.map(({ name }) => name).join(', ')}; a quote: ${totalNetCharge}`);
  require(totalNetCharge === price, 'The assistant and the service have different prices.');
};

const checkTypes = async (): Promise<void> => {
  await writeFile(join(folder, 'typed.mts'), TYPED);
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  await run(compiler, [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2023,dom,dom.asynciterable',
    '--types',
    '',
    'typed.mts',
  ]);
  say('A typed program compiles with the declarations alone.');
};

try {
  await install(await pack());
  const version = (await run('npx', ['--no-install', 'rates', '--version'])).trim();
  const demo = await run('npx', ['--no-install', 'rates', 'demo']);
  require(/970 quotes, \$/.test(demo), 'The demo does not rate its list.');
  say(`rates ${version}: the demo is done.`);
  await checkTypes();
  await checkAssistant(await checkService());
  const { license } = await manifestIn(root);
  say(
    license === 'UNLICENSED'
      ? 'Ready, but for its license: the owner names one in package.json.'
      : `Ready, as ${license}.`,
  );
} finally {
  await rm(work, { recursive: true });
}
