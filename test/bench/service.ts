/** The whole service as users run it, `rates serve` in its own processes, and a cheap client. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What Node runs as the `rates` command: the build, or the sources. */
export const BUILT = [join(import.meta.dirname, '../../dist/bundle/cli/main.js')];
export const SOURCES = ['--import', 'tsx', join(import.meta.dirname, '../../src/cli/main.ts')];

export interface Reply {
  readonly status: number;
  readonly body: string;
}

export interface Service {
  readonly url: string;
  readonly dataDir: string;
  /** The supervisor's process. */
  readonly pid: number;
  /** The demo client's. */
  readonly token: string;
  /** A call with that token. */
  readonly call: (
    method: string,
    path: string,
    body?: Readable | string,
    headers?: Record<string, string>,
  ) => Promise<Reply>;
  readonly stop: () => Promise<void>;
}

const bodyOf = async (message: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
};

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

export const httpCall = (
  url: string,
  method: string,
  body: Readable | string | undefined,
  headers: Record<string, string>,
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (message) => {
      bodyOf(message).then((text) => resolve({ status: message.statusCode ?? 0, body: text }), reject);
    });
    sent.on('error', reject);
    if (body instanceof Readable) pipeline(body, sent).catch(reject);
    else sent.end(body);
  });

/** Gets a token and uses it for calls. @param id of a client with the secret of the sample client */
export const clientOf = async (url: string, id = 'demo'): Promise<Pick<Service, 'token' | 'call'>> => {
  const form = `grant_type=client_credentials&client_id=${id}&client_secret=demo-secret`;
  const asForm = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const granted = await httpCall(`${url}/token/generate`, 'POST', form, asForm);
  const { access_token: token }: { access_token: string } = JSON.parse(granted.body);
  const call: Service['call'] = (method, path, body, headers = {}) =>
    httpCall(`${url}${path}`, method, body, { Authorization: `Bearer ${token}`, ...headers });
  return { token, call };
};

/** Starts `rates serve` on a free port with its own data, and gets a token. */
export const startService = async (
  settings: Record<string, string> = {},
  command: readonly string[] = BUILT,
): Promise<Service> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rates-bench-'));
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...settings };
  // With a line for each request, the log goes to a file, as in production. Other logs are short and are shown.
  const log = env.LOG_LEVEL === 'info' ? openSync(join(dataDir, 'service.log'), 'a') : 'inherit';
  const child = spawn(process.execPath, [...command, 'serve'], { env, stdio: ['ignore', 'pipe', log] });
  if (log !== 'inherit') closeSync(log);
  if (child.stdout === null) throw new Error('the service has no output');
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /http:\/\/\S+/.exec(line)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
  });
  return {
    url,
    dataDir,
    pid: child.pid ?? 0,
    ...(await clientOf(url)),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

export interface Child {
  readonly pid: number;
  readonly kind: 'api' | 'worker' | 'redis' | 'other';
}

/** The service's processes, by their command lines. */
export const childrenOf = (pid: number): Child[] => {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map(Number);
  return children.map((child) => {
    const line = readFileSync(`/proc/${child}/cmdline`, 'utf8');
    const kind = line.includes('worker')
      ? 'worker'
      : line.includes('redis')
        ? 'redis'
        : line.includes('api')
          ? 'api'
          : 'other';
    return { pid: child, kind };
  });
};

/** The peak resident memory of a process, in MB. */
export const peakMb = (pid: number): number => {
  const kilobytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes ?? 0) / 1_024);
};
