/**
 * The calls of an attack. Every answer is counted by status and fault, and every refusal is judged: it must be the
 * documented error body, it must not be an internal error, and it must reveal no internal details.
 */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export interface Answer {
  /** 0: no answer. */
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The type of the fault, if the answer has one. */
  readonly fault: string | undefined;
}

export interface CallOptions {
  readonly token?: string | undefined;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** How many bytes of the answer are kept. The others are read and dropped. */
  readonly keep?: number;
}

export interface Calls {
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  /** Sends bytes on their own connection. @returns what arrived until the other side closed, or time ran out */
  readonly raw: (bytes: string | Buffer, withinMs?: number) => Promise<string>;
  /** Counts and judges the answer of `raw`. */
  readonly seen: (answer: Answer) => void;
  /** The answers, with their counts. */
  readonly counts: () => string;
  /** Problems of answers, each once. */
  readonly problems: () => readonly string[];
  readonly close: () => void;
}

const ANSWER_MS = 30_000;
const KEPT_BYTES = 1024 * 1024;
/** File names, positions in sources, and names of system calls, which no caller should see. */
const INSIDE = /node_modules|\.[cm]?[jt]s:\d|\bE(?:CONN|NOENT|ACCES|PIPE|NOSPC)\w*|Cannot read prop|is not a function/;

const faultIn = (
  body: string,
): { readonly type: string; readonly code: unknown; readonly message: unknown } | undefined => {
  try {
    const { code, fault } = JSON.parse(body);
    return typeof fault?.type === 'string' ? { type: fault.type, code, message: fault.message } : undefined;
  } catch {
    return undefined;
  }
};

/** What is wrong with an answer in itself. */
const problemOf = ({ status, body }: Answer, fault: ReturnType<typeof faultIn>): string | undefined => {
  if (status === 0) return `there was no answer: ${body}`;
  if (status < 400 || body === '') return undefined;
  if (fault === undefined) return `${status} without the error body: ${body.slice(0, 120)}`;
  if (fault.code !== status) return `${status} whose body says ${String(fault.code)}`;
  if (fault.type === 'service.internalError') return `${status} ${fault.type}`;
  if (typeof fault.message !== 'string' || fault.message === '') return `${status} ${fault.type} without a message`;
  return INSIDE.test(body) ? `${status} reveals internal details: ${body.slice(0, 200)}` : undefined;
};

/** The first answer in received bytes. */
export const answerIn = (bytes: string): Answer => {
  const [head = '', ...rest] = bytes.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  const body = rest.join('\r\n\r\n');
  return { status, headers: {}, body: status === 0 ? 'the connection was closed' : body, fault: faultIn(body)?.type };
};

const rawCall = (port: number, bytes: string | Buffer, withinMs: number): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const pieces: Buffer[] = [];
    const timer = setTimeout(() => socket.destroy(), withinMs);
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(pieces).toString('latin1'));
    });
  });

export const callsTo = (url: string): Calls => {
  const agent = new Agent({ keepAlive: true });
  const counted = new Map<string, number>();
  const problems = new Set<string>();

  const seen = (answer: Answer): void => {
    const what = `${answer.status}${answer.fault === undefined ? '' : ` ${answer.fault}`}`;
    counted.set(what, (counted.get(what) ?? 0) + 1);
    const problem = problemOf(answer, faultIn(answer.body));
    if (problem !== undefined) problems.add(problem);
  };

  const call: Calls['call'] = (method, path, { token, body, headers = {}, keep = KEPT_BYTES } = {}) =>
    new Promise((resolve) => {
      const done = (answer: Answer): void => {
        seen(answer);
        resolve(answer);
      };
      const fail = (reason: string): void => done({ status: 0, headers: {}, body: reason, fault: undefined });
      const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const options = { method, agent, headers: { ...authorization, ...headers }, timeout: ANSWER_MS };
      const sent = request(`${url}${path}`, options, (message) => {
        const pieces: Buffer[] = [];
        let size = 0;
        message.on('data', (piece: Buffer) => {
          if (size < keep) pieces.push(piece);
          size += piece.length;
        });
        message.on('error', (error) => fail(`the answer ended early: ${error.message}`));
        message.on('end', () => {
          const text = Buffer.concat(pieces).toString('utf8');
          const { statusCode: status = 0, headers: received } = message;
          done({ status, headers: received, body: text, fault: faultIn(text)?.type });
        });
      });
      sent.on('timeout', () => sent.destroy(new Error(`no answer within ${ANSWER_MS / 1_000} s`)));
      // Only once, because an answer may have arrived before the connection broke.
      sent.once('error', (error) => fail(error.message));
      sent.end(body);
    });

  return {
    call,
    seen,
    raw: (bytes, withinMs = 5_000) => rawCall(Number(new URL(url).port), bytes, withinMs),
    counts: () =>
      [...counted]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([what, times]) => `${what} ×${times}`)
        .join(', '),
    problems: () => [...problems],
    close: () => agent.destroy(),
  };
};

/** Repeats calls on this many connections for some seconds. */
export const forSeconds = async (
  seconds: number,
  connections: number,
  make: (connection: number) => Promise<unknown>,
): Promise<void> => {
  const until = performance.now() + seconds * 1_000;
  const connection = async (_: unknown, at: number): Promise<void> => {
    while (performance.now() < until) await make(at);
  };
  await Promise.all(Array.from({ length: connections }, connection));
};
