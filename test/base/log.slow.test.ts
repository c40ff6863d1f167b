import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** The output of a program with a `log`. */
const said = async (program: string, options: string): Promise<{ stdout: string; stderr: string }> => {
  const source = `const { cause, causedBy, createLog } = await import('${new URL('../../src/base/log.ts', import.meta.url).href}');
    const log = createLog({ level: 'info', name: 'api', ${options} }); ${program}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', source];
  return await promisify(execFile)(process.execPath, args);
};

/** The same, with the lines of stderr as JSON. */
const logged = async (program: string, options = ''): Promise<{ lines: unknown[]; stdout: string }> => {
  const { stdout, stderr } = await said(program, options);
  const lines = stderr.split('\n').filter((line) => line !== '');
  return { lines: lines.map((line) => JSON.parse(line)), stdout };
};

test('a log is JSON lines on stderr, written before the process ends', async () => {
  const { lines, stdout } = await logged(
    "log.info({ rows: 5000 }, 'chunk rated'); log.debug('unsaid'); process.exit(0);",
  );
  expect(stdout).toBe('');
  expect(lines).toEqual([
    { level: 'info', time: expect.any(String), pid: expect.any(Number), name: 'api', rows: 5000, msg: 'chunk rated' },
  ]);
});

test('gathered lines keep their order and times, and are written before the process ends', async () => {
  const program = `
    log.info('first');
    log.info('second');
    await new Promise(setImmediate);
    // The clock of lines is a second ahead from here on, because the text of a second is kept.
    const { now } = Date;
    Date.now = () => now() + 1_100;
    const iso = () => new Date(Date.now()).toISOString();
    const before = iso();
    log.info('third');
    log.info({ before, after: iso() }, 'last');
    process.exit(0);`;
  const { lines } = await logged(program, 'gather: true');
  const parsed = z.array(z.looseObject({ msg: z.string(), time: z.iso.datetime() })).parse(lines);
  expect(parsed.map(({ msg }) => msg)).toEqual(['first', 'second', 'third', 'last']);
  const { before, after } = z.object({ before: z.string(), after: z.string() }).parse(parsed.at(-1));
  const time = parsed.at(-2)?.time;
  expect([before, time, after].toSorted()).toEqual([before, time, after]);
});

test('as text, a line has time, level, process, message and fields, and an error its stack', async () => {
  const { stdout, stderr } = await said(
    `log.info({ rows: 5000, file: 'a b.csv', tariffs: ['one'] }, 'chunk rated');
    log.error({ err: new Error('it broke') }, 'failed');
    log.warn({ token: 'abc' }, 'last'); process.exit(0);`,
    "format: 'text', gather: true",
  );
  expect(stdout).toBe('');
  const at = String.raw`\d\d:\d\d:\d\d\.\d{3}`;
  const [first, second, ...rest] = stderr.split('\n');
  expect(first).toMatch(
    new RegExp(`^${at} info  api\\[\\d+\\]: chunk rated  rows=5000  file="a b.csv"  tariffs=\\["one"\\]$`),
  );
  expect(second).toMatch(new RegExp(`^${at} error api\\[\\d+\\]: failed  error="it broke"$`));
  expect(rest[0]).toMatch(/^ {2}at /);
  expect(rest.at(-2)).toMatch(new RegExp(`^${at} warn  api\\[\\d+\\]: last  token="\\[redacted\\]"$`));
  expect(rest.at(-1)).toBe('');
});

test('text from outside cannot give commands to the terminal', async () => {
  const path = String.raw`/a\u001b[2J\u009b2J\u202e\nb`;
  const { stderr } = await said(
    `log.info({ path: '${path}', err: new Error('${path}') }, 'request')`,
    "format: 'text'",
  );
  expect(stderr.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(stderr).toContain(String.raw`path="/a\u001b[2J\u{9b}2J\u{202e}\nb"`);
});

test('addresses, tokens and the arguments of a failed Redis command are redacted', async () => {
  const { lines } = await logged(`
    log.info({ headers: { authorization: 'Bearer abc' }, recipient: { addressLine: '1 Main St' } }, 'request');
    log.warn({ body: { shipment: { postalCode: '07001' } }, client_secret: 'abc' }, 'request');
    const err = Object.assign(new Error('NOAUTH'), { command: { name: 'set', args: ['key', 'abc'] } });
    log.error({ err }, 'failed');`);
  const [request, warning, failure] = lines;
  expect(request).toMatchObject({ headers: { authorization: '[redacted]' }, recipient: '[redacted]' });
  expect(warning).toMatchObject({ body: { shipment: { postalCode: '[redacted]' } }, client_secret: '[redacted]' });
  expect(failure).toMatchObject({ err: { message: 'NOAUTH', command: { name: 'set', args: '[redacted]' } } });
});

test('lines that a request causes have its id, also after an await', async () => {
  const program = `
    await causedBy('r-1', async () => { await 1; log.info('chunk rated'); });
    log.info('swept');`;
  const { lines } = await logged(program, 'fields: cause');
  expect(lines).toEqual([
    expect.objectContaining({ requestId: 'r-1', msg: 'chunk rated' }),
    expect.not.objectContaining({ requestId: expect.anything() }),
  ]);
});
