import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';

/** The output of a program with a `log`: the lines of stderr as JSON, and stdout unchanged. */
const logged = async (program: string, options = ''): Promise<{ lines: unknown[]; stdout: string }> => {
  const source = `const { cause, causedBy, createLog } = await import('${new URL('../src/log.ts', import.meta.url).href}');
    const log = createLog({ level: 'info', name: 'api', ${options} }); ${program}`;
  const args = ['--import', 'tsx', '--input-type=module', '-e', source];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
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
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const before = new Date().toISOString();
    log.info('third');
    log.info({ before, after: new Date().toISOString() }, 'last');
    process.exit(0);`;
  const { lines } = await logged(program, 'gather: true');
  const parsed = z.array(z.looseObject({ msg: z.string(), time: z.iso.datetime() })).parse(lines);
  expect(parsed.map(({ msg }) => msg)).toEqual(['first', 'second', 'third', 'last']);
  const { time, before, after } = z
    .object({ time: z.string(), before: z.string(), after: z.string() })
    .parse(parsed.at(-1));
  expect([before, time, after].toSorted()).toEqual([before, time, after]);
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
