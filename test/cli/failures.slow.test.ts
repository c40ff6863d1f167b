/** Common failures and their messages. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureText } from '../../src/cli/exit.ts';
import { ratesHere } from './in-process.ts';
import { ROOT } from './rates.ts';

const SAMPLE = join(ROOT, 'samples', 'shipments.csv');
const dir = await mkdtemp(join(tmpdir(), 'failures-'));
const at = (name: string): string => join(dir, name);
const OUT = at('quoted.csv');

const servers: Server[] = [];
const serving = async (status: number, body: unknown): Promise<string> => {
  const server = createServer((_, res) => {
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
};
/** The address of a closed server. */
const gone = async (): Promise<string> => {
  const url = await serving(200, {});
  const server = servers.pop()?.close();
  if (server !== undefined) await once(server, 'close');
  return url;
};
const faulty = (code: number, type: string, message: string): Promise<string> =>
  serving(code, { code, fault: { type, message, arguments: {} } });

beforeAll(async () => {
  await mkdir(at('empty'));
  await mkdir(at('no-json'));
  await writeFile(at('no-json/tariff.json'), '{');
  const tariff = join(ROOT, 'samples', 'tariffs', 'reference');
  for (const copy of ['twice/first', 'twice/second', 'half/good']) await cp(tariff, at(copy), { recursive: true });
  await mkdir(at('half/bad'));
  await writeFile(at('half/bad/tariff.json'), '{');
  await writeFile(at('binary.csv'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 0xff]));
  await writeFile(at('empty.csv'), '');
  await writeFile(at('names.csv'), 'name,city\nAnna,Boston\n');
  await writeFile(at('quote.csv'), `warehouse_id,zip,weight,units\n101,60601,5,LB\n101,60601,"${'x'.repeat(2_000)}`);
  await writeFile(at('clients.json'), '{"clients": [{"id": "?"}]}');
  await mkdir(at('damaged/store/published'), { recursive: true });
  await writeFile(at('damaged/store/published/in-force.json'), '{"sequence": "1"}');
  await writeFile(at('closed.csv'), 'zip\n');
  await chmod(at('closed.csv'), 0);
});
afterAll(async () => {
  for (const server of servers) server.close();
  await rm(dir, { recursive: true });
});

const NOWHERE = await gone();

interface Case {
  readonly what: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly code: number;
  readonly says: string;
}

const run = (path: string, ...more: string[]): string[] => ['run', path, '-o', OUT, ...more];

const QUOTE = ['quote', '--warehouse', '101', '--zip', '60601', '--weight', '5'];

const CASES: readonly Case[] = [
  {
    what: 'no such file',
    args: run(at('none.csv')),
    code: 1,
    says: `${at('none.csv')} does not exist. Check the name.`,
  },
  { what: 'a folder as list', args: run(dir), code: 1, says: 'is a folder. Name a file.' },
  ...[
    ['quote', '--request', dir],
    ['compare', SAMPLE, '--scenarios', dir],
    ['client', 'import', dir],
    ['client', 'add', 'acme', '--warehouses', dir],
  ].map((args) => ({
    what: `a folder for ${args.join(' ')}`,
    args,
    code: 1,
    says: `${dir} is a folder. Name a file.`,
  })),
  { what: 'a file that is not text', args: run(at('binary.csv')), code: 1, says: 'is not UTF-8 text at byte ' },
  { what: 'an empty list', args: run(at('empty.csv')), code: 1, says: 'is empty; it needs a header row' },
  {
    what: 'a list without needed columns',
    args: run(at('names.csv')),
    code: 1,
    says: 'or set --warehouse for all rows',
  },
  {
    what: 'a row without an end',
    args: run(at('quote.csv')),
    env: { MAX_ROW_BYTES: '1024' },
    code: 1,
    says: 'Row 2 (line 3) is longer than 1024 bytes. Look for an unclosed quotation mark',
  },
  {
    what: 'too many rows',
    args: run(SAMPLE),
    env: { MAX_ROWS: '10' },
    code: 1,
    says: 'The list has more than 10 rows. Split it, or raise MAX_ROWS.',
  },
  {
    what: 'no folder for the output',
    args: ['run', SAMPLE, '-o', at('none/quoted.csv')],
    code: 1,
    says: `The folder ${at('none')} does not exist. Create it, or name another output file.`,
  },
  {
    what: 'a folder as output',
    args: ['run', SAMPLE, '-o', dir],
    code: 1,
    says: 'is a folder. Name a file.',
  },
  ...[
    ['run', 'quoted.xlsx', '.csv or .parquet'],
    ['run', 'quoted.json', '.csv or .parquet'],
    ['run', 'quoted.pdf', '.csv or .parquet'],
    ['batch', 'quoted.JSON', '.csv, .xlsx, or .parquet'],
    ['batch', 'quoted.csv', '.xlsx', '--xlsx'],
    ['batch', 'quoted.xlsx', '.csv', '--excel'],
  ].map(([command = '', name = '', endings = '', ...more]) => ({
    what: `${[command, ...more].join(' ')} -o ${name}, before anything is rated or sent`,
    args: [command, SAMPLE, '-o', at(name), ...more],
    env: { RATES_SERVER: NOWHERE },
    code: 2,
    says: `The name of the output must end in ${endings} here, and ${at(name)} does not.`,
  })),
  {
    what: 'no folder for the output of a batch, before anything is sent',
    args: ['batch', SAMPLE, '-o', at('none/quoted.csv'), '--server', NOWHERE],
    code: 1,
    says: `The folder ${at('none')} does not exist`,
  },
  {
    what: 'no such tariffs',
    args: run(SAMPLE),
    env: { TARIFFS_DIR: at('none') },
    code: 1,
    says: `TARIFFS_DIR names ${at('none')}, which does not exist`,
  },
  {
    what: 'a file as the folder of the tariffs',
    args: run(SAMPLE),
    env: { TARIFFS_DIR: SAMPLE },
    code: 1,
    says: `TARIFFS_DIR names ${SAMPLE}, which is a file: name a folder`,
  },
  ...[run(SAMPLE), ['serve'], ['client', 'list'], ['client', 'add', 'acme'], ['client', 'revoke', 'acme']].map(
    (args) => ({
      what: `a folder as clients file of ${args.slice(0, 2).join(' ')}`,
      args,
      env: { CLIENTS_FILE: dir },
      code: 1,
      says: `CLIENTS_FILE names ${dir}, which is a folder: name a file`,
    }),
  ),
  {
    what: 'a folder without tariffs',
    args: run(SAMPLE),
    env: { TARIFFS_DIR: at('empty') },
    code: 1,
    says: `${at('empty')} contains no usable tariff. Name another folder with TARIFFS_DIR.`,
  },
  {
    what: 'a tariff with errors',
    args: run(SAMPLE),
    env: { TARIFFS_DIR: at('no-json') },
    code: 1,
    says: `The tariffs in ${at('no-json')} have errors:\n  no-json/tariff.json: is not JSON`,
  },
  {
    what: 'a tariff with errors beside a good one',
    args: run(SAMPLE),
    env: { TARIFFS_DIR: at('half') },
    code: 1,
    says: '  bad/tariff.json: is not JSON',
  },
  ...[run(SAMPLE), QUOTE, ['tariff', 'list']].map((args) => ({
    what: `two tariffs with the same service and date, for ${args[0]}`,
    args,
    env: { TARIFFS_DIR: at('twice') },
    code: 1,
    says: 'second services C1-GROUND: the tariff first also has this service from ',
  })),
  {
    what: 'publishing two tariffs with the same service and date',
    args: ['tariff', 'publish', at('twice')],
    code: 1,
    says: 'Nothing was published. Two are named reference. Give each its own name.',
  },
  {
    what: 'publishing with only one of REDIS_URL and STORE_URL (naming a tariff twice is no conflict)',
    args: ['tariff', 'publish', at('twice/first'), `${dir}/./twice/first`],
    env: { REDIS_URL: 'redis://127.0.0.1:1' },
    code: 2,
    says: 'Set both REDIS_URL and STORE_URL to those of the API and the workers.',
  },
  {
    what: 'no such tariff',
    args: run(SAMPLE, '--tariff', 'x'),
    code: 2,
    says: 'There is no tariff x. The only tariff is ref',
  },
  { what: 'no such client', args: run(SAMPLE, '--client', 'x'), code: 2, says: 'There is no client x in ' },
  {
    what: 'a clients file that cannot be used',
    args: run(SAMPLE),
    env: { CLIENTS_FILE: at('clients.json') },
    code: 1,
    says: `${at('clients.json')} cannot be used:\n  clients[0].id must be letters, digits, ., _ and -, at most 64\n  clients[0].name is required\n`,
  },
  {
    what: 'a wrong setting',
    args: run(SAMPLE),
    env: { PORT: '80a' },
    code: 1,
    says: 'PORT must be a whole number from',
  },
  {
    what: 'published tariffs with a damaged pointer',
    args: ['tariff', 'list'],
    env: { TARIFFS_DIR: 'published', DATA_DIR: at('damaged') },
    code: 1,
    says: 'Stored data has the wrong form at sequence. Run it again with LOG_LEVEL=debug',
  },
  { what: 'zero jobs', args: run(SAMPLE, '--jobs', '0'), code: 2, says: 'It must be a whole number from 1 to 256.' },
  { what: 'a typo in an option', args: run(SAMPLE, '--jsno'), code: 2, says: '(Did you mean --json?)' },
  { what: 'no such command', args: ['rnu'], code: 2, says: '(Did you mean run?)' },
  { what: 'no such help', args: ['help', 'tariff', 'x'], code: 2, says: 'There is no command tariff x. `rates help`' },
  {
    what: 'no service',
    args: ['batch', SAMPLE, '-o', OUT, '--server', NOWHERE],
    code: 1,
    says: `Nothing answers at ${NOWHERE} (ECONNREFUSED). Start the service with \`rates serve\`, or name another`,
  },
  {
    what: 'no service for --watch',
    args: ['batch', '--watch', 'b1', '-o', OUT, '--server', NOWHERE],
    code: 1,
    says: `Nothing answers at ${NOWHERE} (ECONNREFUSED)`,
  },
  {
    what: 'another program instead of the service',
    args: ['batch', SAMPLE, '-o', OUT, '--server', await serving(200, { hello: 'world' })],
    code: 1,
    says: 'is not this service. Check --server.',
  },
  {
    what: 'https on a port without TLS',
    args: ['batch', SAMPLE, '-o', OUT, '--server', (await serving(200, {})).replace('http:', 'https:')],
    code: 1,
    says: 'Maybe --server must begin with http://.',
  },
  {
    what: 'a wrong secret',
    args: [
      ...['batch', SAMPLE, '-o', OUT, '--server'],
      await faulty(401, 'InvalidCredentialsException', 'No client has this id and secret.'),
    ],
    code: 3,
    says: 'No client has this id and secret. Name a client with --client-id and --client-secret',
  },
  {
    what: 'a service without its Redis',
    args: [
      'batch',
      SAMPLE,
      '-o',
      OUT,
      '--server',
      await faulty(503, 'service.unavailable', 'Redis is unavailable. Try again soon.'),
    ],
    code: 1,
    says: 'Redis is unavailable. Try again soon. If that does not help, ask the operator of the service.',
  },
  {
    what: 'a Redis that does not answer',
    args: ['tariff', 'publish', join(ROOT, 'samples', 'tariffs', 'reference')],
    env: { REDIS_URL: 'redis://someone:s3cret@127.0.0.1:1', STORE_URL: `file:${at('store')}` },
    code: 1,
    says: 'Redis at redis://127.0.0.1:1 did not answer within 5 s (connect ECONNREFUSED 127.0.0.1:1): is it running, and is',
  },
  {
    what: 'options for reading a list with --watch',
    args: ['batch', '--watch', 'b1', '-o', OUT, '--units', 'LB'],
    code: 2,
    says: '--watch works only with -o, --xlsx, --parquet, --excel and --json.',
  },
  {
    what: 'a request that is not JSON',
    args: ['quote', '--request', SAMPLE],
    code: 1,
    says: "is not JSON: line 1, column 1: Unexpected token 'o'. It must be the",
  },
  {
    what: 'no such request',
    args: ['quote', '--request', at('x')],
    code: 1,
    says: `${at('x')} does not exist. Check the`,
  },
  ...[
    ['tariff', 'check', SAMPLE],
    ['tariff', 'compile', SAMPLE, '-o', at('a.rates')],
    ['agreement', 'check', SAMPLE],
    ['mcp', '--folder', SAMPLE],
  ].map((args) => ({
    what: `a file for ${args.slice(0, 2).join(' ')}, which needs a folder`,
    args,
    code: 1,
    says: `${SAMPLE} is a file. Name a folder.`,
  })),
  {
    what: 'no such folder for the assistant',
    args: ['mcp', '--folder', at('none')],
    code: 1,
    says: `${at('none')} does not exist. Check the name.`,
  },
  {
    what: 'no folder for compiled tariffs',
    args: ['tariff', 'compile', 'samples/tariffs', '-o', at('none/2026.rates')],
    code: 1,
    says: `The folder ${at('none')} does not exist. Create it, or name another output file.`,
  },
  {
    what: 'no such tariff folder',
    args: ['tariff', 'check', at('none')],
    code: 1,
    says: 'does not exist. Check the name.',
  },
];

describe('a failure says in plain words what to do', () => {
  for (const { what, args, env = {}, code, says } of CASES)
    test(what, async () => {
      const ended = await ratesHere(args, { env });
      expect(`${ended.stdout}${ended.stderr}`).toContain(says);
      expect(ended.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
      expect(ended.code).toBe(code);
    });

  test.skipIf(!existsSync('/dev/full'))('a full disk', async () => {
    const ended = await ratesHere(['run', SAMPLE, '-o', '/dev/full']);
    expect([ended.code, ended.stderr]).toEqual([
      1,
      'The disk is full (/dev/full). Free some space and run the command again.\n',
    ]);
  });

  test('a folder on a read-only disk, of which Node says that it does not exist', () => {
    const error = Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'mkdir', path: '/mnt/tariffs' });
    expect(failureText(error, false)).toBe('/mnt/tariffs is on a read-only disk. Name another place.');
  });

  test('standard output gets only the compiled tariffs', async () => {
    const { code, stdout, stderr } = await ratesHere(['tariff', 'compile', 'samples/tariffs', '-o', '-']);
    expect([code, stdout.startsWith('\u001f'), stderr]).toEqual([
      0,
      true,
      expect.stringMatching(/^1 tariff, [\d,]+ bytes\n$/),
    ]);
    expect(existsSync('-')).toBe(false);
  });

  test('a file where a folder would be made', async () => {
    const error: unknown = await mkdir(SAMPLE, { recursive: true }).catch((reason: unknown) => reason);
    expect(failureText(error, false)).toBe(`${SAMPLE} is a file. Name a folder.`);
  });

  test.skipIf(!existsSync('/proc/self'))('an output where no file can be', async () => {
    const ended = await ratesHere(['run', SAMPLE, '-o', '/proc/x']);
    expect(ended.stderr).toMatch(/^(?:\/proc\/x does not exist\. Check the name|This user may not open \/proc)\b/);
  });

  test.skipIf(process.getuid?.() === 0)('a file without read permission', async () => {
    const ended = await ratesHere(run(at('closed.csv')));
    expect([ended.code, ended.stderr]).toEqual([1, expect.stringContaining('This user may not open')]);
  });

  describe('an output that is the list itself', () => {
    const [list, rows] = [at('own.csv'), 'warehouse_id,zip,weight,units\n101,60601,5,LB\n'];
    beforeAll(async () => {
      await writeFile(list, rows);
      await symlink(list, at('link.csv'));
      await link(list, at('hard-link.csv'));
      await mkdir(at('below'));
    });
    test.each([
      ['run', list, list],
      ['run', list, `${dir}/below/.././own.csv`],
      ['run', list, at('link.csv')],
      ['run', at('link.csv'), list],
      ['run', list, at('hard-link.csv')],
      ['batch', list, at('link.csv')],
    ])('%s %s -o %s is a usage error, and the list stays unchanged', async (command, input, output) => {
      const service = command === 'batch' ? ['--server', NOWHERE] : [];
      const ended = await ratesHere([command, input, '-o', output, ...service], { env: { CLIENTS_FILE: at('none') } });
      expect(ended).toEqual({
        code: 2,
        stdout: '',
        stderr: `The output would replace the list ${output}. Name another file with -o.\n`,
      });
      expect(await readFile(list, 'utf8')).toBe(rows);
    });
  });

  test('none of them leaves an output file', async () => {
    expect((await readdir(dir)).filter((name) => name.includes('quoted'))).toEqual([]);
  });
});
