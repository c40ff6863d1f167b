/** The command in a real terminal (tmux): screen, Ctrl-C, colors and exit codes. */
import { type ChildProcess, execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { shipments } from '../bench/shipments.ts';
import { type TestRedis, testRedis } from '../redis.ts';
import { ROOT, startRates } from './rates.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
if (!hasTmux) console.warn('The tests in a terminal are skipped: tmux is not installed.');

const RATES = `${process.execPath} --import tsx ${join(ROOT, 'src', 'cli', 'main.ts')}`;
/** A minute: the machine may be busy with other tests. */
const PATIENT = { timeout: 60_000, interval: 50 };

describe.skipIf(!hasTmux)('in a terminal', () => {
  let dir: string;
  let socket: string;
  let terminals = 0;
  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  /** The text on the screen; the flag `-e` includes colors. */
  const screen = (...flags: string[]): string => tmux('capture-pane', '-p', ...flags);
  const shows = (pattern: RegExp): Promise<void> => expect.poll(() => screen(), PATIENT).toMatch(pattern);

  /** Opens a terminal with this number of columns and a shell. */
  const open = async (columns: number, env: Readonly<Record<string, string>> = {}): Promise<void> => {
    const settings = { LOG_LEVEL: 'fatal', PS1: '> ', NO_COLOR: '', ...env };
    const given = Object.entries(settings).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    // A stopping server may hold the socket for a moment.
    terminals += 1;
    socket = join(dir, `tmux-${terminals}`);
    tmux('new-session', '-d', '-x', String(columns), '-y', '24', '-c', ROOT, ...given, 'env -u NO_COLOR sh');
    // The terminal echoes what is typed before the shell's first prompt, and the prompt then follows that echo. Some
    // shells show root a different prompt.
    await shows(/^[>#$]/);
  };
  const type = (line: string): string => tmux('send-keys', '-l', `${line}; echo "ended $?"\n`);

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'terminal-'));
    await writeFile(join(dir, 'long.csv'), [...shipments(400_000)].join(''));
  });
  afterEach(() => {
    tmux('kill-server');
  });
  afterAll(() => rm(dir, { recursive: true }));

  test('rates run draws a bar that fits 80 columns, and Ctrl-C ends it with 130 and no partial file', async () => {
    await open(80);
    type(`${RATES} run ${dir}/long.csv -o ${dir}/quoted.csv --jobs 1`);
    await shows(/rating [█░]{10} +\d+% {2}[\d,]+ rows {2}[\d,]+ rows\/s {2}[\d,]+ faults {2}\d+ (?:s|min.*) left\n/);
    tmux('send-keys', 'C-c');
    await shows(/Interrupted. Nothing was written to .*ended 130\n/s);
    expect(screen()).not.toContain('rating ');
    expect((await readdir(dir)).filter((name) => name.includes('quoted'))).toEqual([]);
  }, 120_000);

  test('rates run draws a bar that fits 40 columns on one line, and removes it at the end', async () => {
    await open(40);
    type(`${RATES} run ${dir}/long.csv -o ${dir}/quoted.csv`);
    await shows(/^rating [█░]{10} +\d+% .*left$/m);
    expect(screen().match(/rating/g)).toHaveLength(1);
    await shows(/ended 4\n/);
    expect(screen()).toMatch(/400,000 rows in/);
    expect(screen()).not.toMatch(/rating|█/);
  }, 120_000);

  test('a receipt has colors on a terminal, but not with NO_COLOR or through a pipe', async () => {
    const quote = `${RATES} quote --warehouse 101 --zip 60601 --weight 5`;
    await open(100);
    type(quote);
    await shows(/ended 0\n/);
    expect(screen('-e')).toContain('\u001b[1mC1-GROUND by C1');
    tmux('kill-server');
    await open(100);
    type(`NO_COLOR=1 ${quote}`);
    await shows(/ended 0\n/);
    expect(screen('-e')).not.toContain('\u001b[1m');
    tmux('kill-server');
    await open(100);
    type(`${quote} | cat -v | head -n 1`);
    await shows(/\nC1-GROUND by C1\nended 0\n/);
  }, 120_000);

  test('rates serve logs in readable lines, and prints its address last', async () => {
    await open(160, { LOG_LEVEL: 'info', PORT: '0', WORKERS: '1', DATA_DIR: join(dir, 'served') });
    type(`${RATES} serve`);
    await shows(/^Shipping rates are served at http:\/\/127\.0\.0\.1:\d+$/m);
    const lines = screen().trimEnd().split('\n');
    const address = lines.findIndex((line) => line.startsWith('Shipping rates are served at'));
    const started = lines.slice(0, address).join('\n');
    expect(started).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}api\[\d+\]: listening {2}host=127\.0\.0\.1 {2}port=\d+$/m);
    expect(started).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}worker\[\d+\]: worker ready /m);
    expect(lines.slice(address + 1).join('\n')).not.toMatch(/listening|ready/);
    expect(screen()).not.toContain('{"level"');
    tmux('send-keys', 'C-c');
    await shows(/ended 0\n/);
  }, 120_000);

  describe('with a service', () => {
    let redis: TestRedis;
    let api: ChildProcess;
    let worker: ChildProcess | undefined;
    let server: string;
    let env: NodeJS.ProcessEnv;
    beforeAll(async () => {
      redis = await testRedis();
      env = { REDIS_URL: redis.url, DATA_DIR: join(dir, 'data'), PORT: '0' };
      api = startRates(['api'], env);
      const [message] = await once(api, 'message');
      server = `http://127.0.0.1:${message.port}`;
    }, 60_000);
    afterAll(async () => {
      for (const child of [api, worker]) {
        if (child === undefined || child.exitCode !== null) continue;
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await redis.stop();
    });

    test('rates login asks for what is missing, and does not show the secret', async () => {
      await open(160, { XDG_CONFIG_HOME: join(dir, 'config'), PORT: '' });
      type(`${RATES} login`);
      await shows(/^Address of the service \[http:\/\/127\.0\.0\.1:3000\]: ?$/m);
      tmux('send-keys', '-l', `${server}\n`);
      await shows(/^Client: ?$/m);
      tmux('send-keys', '-l', 'demo\n');
      await shows(/^Secret of demo \(not shown\): ?$/m);
      tmux('send-keys', '-l', 'demo-secret\n');
      await shows(/accepts demo\. The profile default is saved in .*ended 0\n/s);
      expect(screen()).not.toContain('demo-secret');
      type(`${RATES} login`);
      await shows(/^Address of the service \[http:\/\/127\.0\.0\.1:\d+\]: ?$/m);
      tmux('send-keys', 'C-c');
      await shows(/Interrupted\. Nothing was saved\.\nended 130\n/);
    }, 120_000);

    test('Ctrl-C prints a command that resumes the batch', async () => {
      await open(200);
      type(`${RATES} batch samples/shipments.csv -o ${dir}/batch.csv --server ${server}`);
      await shows(/waiting .*0 of 1,000 rows|waiting {2}0 rows/);
      tmux('send-keys', 'C-c');
      await shows(/ended 130\n/);
      const again = /Watch it again with: rates (batch --watch b[a-z0-9]+ .*)\n/.exec(screen())?.[1];
      worker = startRates(['worker'], env);
      type(`${RATES} ${again}`);
      await shows(/970 quotes, 30 faults.*ended 4\n/s);
      type(
        `${RATES} batch samples/shipments.csv -o ${dir}/batch.csv --server ${server} --client-id a --client-secret b`,
      );
      await shows(/ended 3\n/);
    }, 180_000);
  });
});
