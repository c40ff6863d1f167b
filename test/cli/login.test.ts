import { chmod, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { folderForEachTest } from '../folder.ts';
import { type BatchApi, startBatchApi } from '../http/batch-api.ts';
import { type TestRedis, testRedis } from '../redis.ts';
import { ratesHere, type Said } from './in-process.ts';

let redis: TestRedis;
let services: readonly BatchApi[];
let api: BatchApi['api'];
let other: BatchApi['api'];
let dir: string;
let file: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  redis = await testRedis();
  const [one, two] = [await startBatchApi({ redisUrl: redis.url }), await startBatchApi({ redisUrl: redis.url })];
  services = [one, two];
  [api, other] = [one.api, two.api];
});
folderForEachTest((made) => (dir = made));
beforeEach(() => {
  file = join(dir, 'shipping-rates', 'profiles.json');
  env = { XDG_CONFIG_HOME: dir };
});
afterAll(async () => {
  for (const service of services) await service.close();
  await redis.stop();
});

const login = (args: readonly string[], input = 'demo-secret\n'): Promise<Said> =>
  ratesHere(['login', '--server', api.url, '--client-id', 'demo', ...args], { env, input });

const ID = 'b0000000000000000000000000';
/** Which service a command calls, and as which client: neither service has this batch. */
const called = async (args: readonly string[] = [], more: NodeJS.ProcessEnv = {}): Promise<string> =>
  (await ratesHere(['batch', '--watch', ID, '-o', '-', ...args], { env: { ...env, ...more } })).stderr;
const as = (client: string, url: string): string => `The client ${client} has no batch ${ID} at ${url}. `;

describe('rates login', () => {
  test('keeps the secret in a file that only its owner can read, and prints it nowhere', async () => {
    const said = await login([]);
    expect(said).toEqual({
      code: 0,
      stdout: '',
      stderr: `${api.url} accepts demo. The profile default is saved in ${file}.\n`,
    });
    expect([(await stat(file)).mode & 0o777, (await stat(join(file, '..'))).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      profiles: { default: { server: api.url, clientId: 'demo', clientSecret: 'demo-secret' } },
    });
  });

  test('lists the profiles without secrets', async () => {
    expect(await ratesHere(['login', '--list'], { env })).toMatchObject({
      stdout: '',
      stderr: 'There is no profile yet.\n',
    });
    await login([]);
    const saved = await login(['--profile', 'test', '--json']);
    expect(JSON.parse(saved.stdout)).toEqual({ profile: 'test', server: api.url, clientId: 'demo' });
    const listed = await ratesHere(['login', '--list'], { env });
    expect(listed.stdout).toBe(`default  demo  ${api.url}\ntest     demo  ${api.url}\n`);
    const json = await ratesHere(['login', '--list', '--json'], { env });
    expect(JSON.parse(json.stdout).profiles).toContainEqual({ name: 'test', server: api.url, clientId: 'demo' });
    expect(json.stdout).not.toContain('secret');
  });

  test('keeps nothing if the service does not know the secret', async () => {
    const said = await login([], 'wrong\n');
    expect(said).toMatchObject({ code: 3, stderr: expect.stringContaining('secret is wrong.') });
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test.each([
    ['no client', ['login', '--server', 'http://127.0.0.1:1'], 'Name the client with --client-id or RATES_CLIENT_ID.'],
    ['no secret', ['login', '--server', 'http://127.0.0.1:1', '--client-id', 'demo'], 'There is no secret.'],
    ['an address with a path', ['login', '--server', 'http://127.0.0.1:1/v1'], 'is not an address such as'],
    ['a bad name', ['login', '--profile', '../x'], 'It must be letters, digits'],
  ])('is refused for %s', async (_what, args, words) => {
    expect(await ratesHere(args, { env })).toMatchObject({ code: 2, stderr: expect.stringContaining(words) });
  });

  test('says which variables win over the profile', async () => {
    env = { ...env, PORT: '4711' };
    expect((await login([])).stderr).toContain(
      'Note: The environment overrides the profile: PORT. --profile default uses the profile in any case.\n',
    );
    expect((await login(['--profile', 'test'])).stderr).not.toContain('Note');
  });
});

describe('a command that calls a service', () => {
  beforeEach(async () => {
    await login([]);
    const secret = ['--client-secret', 'other-secret'];
    await ratesHere(['login', '--profile', 'test', '--server', other.url, '--client-id', 'other', ...secret], { env });
  });

  test('needs no more options', async () => {
    expect(await called()).toContain(as('demo', api.url));
  });

  test('uses the profile that --profile or RATES_PROFILE names', async () => {
    expect(await called(['--profile', 'test'])).toContain(as('other', other.url));
    expect(await called([], { RATES_PROFILE: 'test' })).toContain(as('other', other.url));
    expect(await called(['--profile', 'default'], { RATES_PROFILE: 'test' })).toContain(as('demo', api.url));
    expect(await called(['--profile', 'none'])).toContain('There is no profile none. The profiles are default, test;');
    expect(await called([], { RATES_PROFILE: '../x' })).toContain('RATES_PROFILE must be letters, digits');
  });

  test('lets variables win over the profile, and options over variables', async () => {
    const client = { RATES_CLIENT_ID: 'other', RATES_CLIENT_SECRET: 'other-secret' };
    expect(await called([], client)).toContain(as('other', api.url));
    expect(await called([], { ...client, RATES_SERVER: other.url })).toContain(as('other', other.url));
    expect(await called(['--server', api.url], { ...client, RATES_SERVER: other.url })).toContain(as('other', api.url));
    expect(await called(['--profile', 'default'], { ...client, RATES_SERVER: other.url })).toContain(
      as('demo', api.url),
    );
    expect(await called([], { PORT: String(other.port) })).toContain(as('demo', other.url));
    expect(await called([], { PORT: String(other.port), RATES_PROFILE: 'default' })).toContain(as('demo', api.url));
  });

  test('sends a secret only to the service of its profile', async () => {
    const elsewhere = ['--profile', 'test', '--server', api.url];
    expect(await called(elsewhere)).toBe(
      `The profile test is for ${other.url}, and its secret is sent only there. Give both --client-id and --client-secret.\n`,
    );
    expect(await called([...elsewhere, '--client-id', 'other'])).toContain('Give both');
    expect(await called(['--profile', 'test', '--client-id', 'other'])).toContain(as('other', other.url));
    expect(await called(['--profile', 'test', '--client-id', 'demo'])).toContain('Give both');
  });

  test('refuses a file that others can read, unless it needs no profile', async () => {
    await chmod(file, 0o640);
    expect(await called()).toBe(
      `Other users of this machine may read ${file} (mode 640), and it holds secrets. Run \`chmod 600 ${file}\`. ` +
        'If somebody may have read it, rotate the secrets.\n',
    );
    expect((await login([])).stderr).toContain('chmod 600');
    const complete = ['--server', api.url, '--client-id', 'demo', '--client-secret', 'demo-secret'];
    expect(await called(complete)).toContain(as('demo', api.url));
    await chmod(file, 0o600);
    expect(await called()).toContain(as('demo', api.url));
  });

  test('says what to do with a broken file', async () => {
    await writeFile(file, '{"profiles":');
    expect(await called()).toBe(`${file} is not a file of profiles. Remove it, and run \`rates login\` again.\n`);
  });
});

describe('rates logout', () => {
  test('removes a profile, and with the last one the file', async () => {
    await login([]);
    await login(['--profile', 'test']);
    const said = await ratesHere(['logout'], { env });
    expect(said).toMatchObject({ code: 0, stderr: expect.stringContaining('The profile default is removed.') });
    expect(Object.keys(JSON.parse(await readFile(file, 'utf8')).profiles)).toEqual(['test']);
    expect(await ratesHere(['logout'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no profile default. The only profile is test;'),
    });
    await ratesHere(['logout', '--profile', 'test'], { env });
    expect((await ratesHere(['logout'], { env })).stderr).toBe(
      'There is no profile default. `rates login --profile default` creates it.\n',
    );
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });

  test('removes all profiles with --all', async () => {
    await login(['--profile', 'test']);
    expect((await ratesHere(['logout', '--all'], { env })).stderr).toContain('All profiles are removed.');
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});

test('the file is under HOME without XDG_CONFIG_HOME, and if that is relative', async () => {
  for (const XDG_CONFIG_HOME of [undefined, 'config']) {
    env = { HOME: dir, XDG_CONFIG_HOME };
    await login([]);
    expect((await stat(join(dir, '.config', 'shipping-rates', 'profiles.json'))).isFile()).toBe(true);
    await rm(join(dir, '.config'), { recursive: true });
  }
});
