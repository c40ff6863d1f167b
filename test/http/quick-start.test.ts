/** Runs the programs of the quick start as the page shows them, against a running service. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../src/base/config/settings.ts';
import type { BatchApi } from './batch-api.ts';
import { batchApiForFile } from './batch-suite.ts';
import { codesOf, sectionOf } from './docs-page.ts';

const run = promisify(execFile);

const answers = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
const hasCurl = answers('curl');
const hasPython = answers('python3');
if (!hasCurl) console.warn('curl is not on the PATH: its quick start is skipped.');
if (!hasPython) console.warn('python3 is not on the PATH: its quick start is skipped.');

let api: BatchApi;
let dir: string;
let page: string;
batchApiForFile(
  async (started) => {
    api = started.api;
    dir = await mkdtemp(join(tmpdir(), 'quick-start-'));
    page = await (await fetch(`${api.api.url}/docs`)).text();
  },
  { worker: true },
);
beforeAll(() => expect(page).toContain('Quick start'));
afterAll(() => rm(dir, { recursive: true }));

/** The program that the page shows for a language, with all steps, for the service of the test. */
const programOf = (language: string): string => {
  const blocks = [...sectionOf(page, 'quick-start').matchAll(/<div data-language="(\w+)">((?:(?!<\/div>)[\s\S])*)/g)];
  const steps = blocks.filter(([, name]) => name === language).flatMap(([, , block = '']) => codesOf(block));
  expect(steps).toHaveLength(5);
  return `${steps.join('\n\n').replace('http://127.0.0.1:3000', api.api.url)}\n`;
};

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');

/** The output that a program's own comments promise: lines with an arrow, in which … stands for any text. */
const promised = (program: string): RegExp => {
  const lines = [...program.matchAll(/^(?:#|\/\/) → (.+)$/gm)].map(([, line = '']) => line);
  expect(lines.length).toBeGreaterThan(0);
  const patterns = lines.map((line) => line.split('…').map(escaped).join('.*'));
  return new RegExp(`^${patterns.join('\\n')}\\s*$`);
};

const runs = async (language: string, file: string, command: readonly [string, ...string[]]): Promise<void> => {
  const program = programOf(language);
  const own = join(dir, language);
  await mkdir(own);
  await writeFile(join(own, file), program);
  const [executable, ...args] = command;
  const { stdout, stderr } = await run(executable, [...args, file], { cwd: own, timeout: 50_000 });
  expect(stdout).toMatch(promised(program));
  expect(stderr).toBe('');
  const rows = (await readFile(join(own, 'orders-quoted.csv'), 'utf8')).split('\n');
  expect(rows).toHaveLength(5);
  expect(rows[1]).toMatch(/^A1,101,02139,2\.1,LB,1,200,C1-GROUND,.*,11\.99,USD,/);
  expect(rows[3]).toContain('getRates.invalidRequest');
};

/** Node runs TypeScript itself since 22.18. In older versions, tsx removes the types. */
const STRIP =
  'typescript' in process.features && process.features.typescript ? [] : ['--import', import.meta.resolve('tsx')];

// Programs wait for their batches, so all run at once.
describe.concurrent('the quick start runs:', () => {
  test.skipIf(!hasCurl)('curl', () => runs('curl', 'quick-start.sh', ['sh', '-e']));

  test.skipIf(!hasCurl)('the file for curl ends at the first call that fails', async () => {
    const file = await readFile(join(ROOT, 'samples/quick-start/quick-start.sh'), 'utf8');
    const wrong = file.replace('http://127.0.0.1:3000', api.api.url).replace('demo-secret', 'wrong');
    const ended = await run('sh', ['-c', wrong], { cwd: dir }).catch(
      (error: { code: number; stdout: string }) => error,
    );
    expect(ended).toMatchObject({ code: 22, stdout: expect.stringContaining('InvalidAuthorizationException') });
    expect(await readdir(dir)).not.toContain('orders.csv');
  });

  test('TypeScript', () => runs('typescript', 'quick-start.mts', [process.execPath, ...STRIP]));

  test.skipIf(!hasPython)('Python', () => runs('python', 'quick-start.py', ['python3']));

  test.skipIf(!hasPython)('a fault ends the program with its type', async () => {
    const wrong = programOf('python').replace('"demo-secret"', '"wrong"');
    await writeFile(join(dir, 'wrong.py'), wrong);
    const ended = await run('python3', ['wrong.py'], { cwd: dir }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    expect(ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('InvalidCredentialsException: The client id'),
    });
  });
});

test('the comments match what is printed', () => {
  expect('C1-GROUND: $11.99\n').toMatch(promised('// → C1-GROUND: $11.99'));
  expect('a,b,c\nd\n').toMatch(promised('# → a,…,c\n# → d'));
  expect('C1-GROUND: $12.99\n').not.toMatch(promised('// → C1-GROUND: $11.99'));
  expect('a\nb\n').not.toMatch(promised('# → a'));
});
