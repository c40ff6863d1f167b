/** Bodies in as many pieces as possible: chunks of one byte, chunks with long extensions, and segments of one byte. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Outcome } from '../attack.ts';
import { answerIn } from '../calls.ts';
import type { Environment } from '../environment.ts';
import { BATCHES } from './batches.ts';

const SECONDS = 4;
/** The header of a list. */
const HEADER = 'warehouse_id,postalCode,weight_value,weight_units\n';
const ROW = '101,02139,2,LB\n';
const PREVIEW = `${BATCHES}?preview=true`;
const AFTER_MS = 1_500;
/** The share of a core that the API may use then. Only the other client's quotes are left. */
const MOST_AFTER = 0.6;

interface Flood {
  readonly connections: number;
  readonly head: (environment: Environment, at: number) => readonly string[];
  readonly first?: string;
  /** What is sent endlessly. */
  readonly more: string;
  /** Whether each byte is a separate segment. */
  readonly bytewise?: boolean;
}

/** Seconds of processor time that a process has used. */
const usedSeconds = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Writes as fast as the other side reads. */
const keepWriting = (socket: Socket, more: string, bytewise: boolean): void => {
  const many = Buffer.from(more.repeat(Math.ceil(65_536 / more.length)));
  let at = 0;
  const write = (): void => {
    if (!bytewise) while (socket.writable && socket.write(many));
    else {
      for (let bytes = 0; bytes < 50 && socket.writable; bytes += 1, at += 1)
        socket.write(many.subarray(at % many.length, (at % many.length) + 1));
      if (socket.writable) setImmediate(write);
    }
  };
  if (!bytewise) socket.on('drain', write);
  write();
};

/** Floods for some seconds. A closed connection is opened again. Then the API must have nothing left to do. */
const flood = async (environment: Environment, { connections, head, first = '', more, bytewise = false }: Flood) => {
  const { url, calls, apiPid } = environment;
  const { host, port } = new URL(url);
  const until = performance.now() + SECONDS * 1_000;
  const open = new Set<Socket>();
  let opened = 0;
  const begin = (at: number): void => {
    opened += 1;
    let text = '';
    const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true }, () => {
      const [line = '', ...headers] = head(environment, at);
      socket.write([line, `Host: ${host}`, ...headers, '', first].join('\r\n'));
      keepWriting(socket, more, bytewise);
    });
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (piece) => {
      text += piece.toString('latin1');
    });
    socket.on('close', () => {
      open.delete(socket);
      if (text !== '') calls.seen(answerIn(text));
      if (performance.now() < until) setTimeout(begin, 20, at);
    });
  };
  for (let at = 0; at < connections; at += 1) begin(at);
  await sleep(SECONDS * 1_000);
  for (const socket of open) socket.destroy();
  const pid = apiPid();
  const used = pid === undefined ? 0 : usedSeconds(pid);
  await sleep(AFTER_MS);
  const after = pid === undefined || apiPid() !== pid ? Infinity : (usedSeconds(pid) - used) / (AFTER_MS / 1_000);
  return {
    sent: `${connections} connections for ${SECONDS} s, ${opened} in all`,
    back: `${(after * 100).toFixed(0)}% of a core in the ${AFTER_MS / 1_000} s after they closed`,
    problems:
      after > MOST_AFTER ? [`the API was ${(after * 100).toFixed(0)}% busy after the connections had closed`] : [],
  } satisfies Outcome;
};

const CHUNKED = 'Transfer-Encoding: chunked';
const CSV_TYPE = 'Content-Type: text/csv';
const chunk = (text: string, extension = ''): string => `${text.length.toString(16)}${extension}\r\n${text}\r\n`;
const post = (path: string, token: string, ...headers: readonly string[]): readonly string[] => [
  `POST ${path} HTTP/1.1`,
  `Authorization: Bearer ${token}`,
  CSV_TYPE,
  ...headers,
];

const flooded = (name: string, tries: string, how: Flood): Attack => ({
  name,
  group: 'pieces',
  tries,
  mostApiMb: 300,
  run: (environment) => flood(environment, how),
});

const LONG_EXTENSION = `;${'x'.repeat(15_000)}`;
const TRAILERS = `0\r\n${'T: x\r\n'.repeat(2_000)}\r\n`;
const uploadOf = (path: string, ...headers: readonly string[]): Pick<Flood, 'head' | 'first'> => ({
  head: ({ attacker }) => post(path, attacker, CHUNKED, ...headers),
  first: chunk(HEADER),
});

export const PIECE_ATTACKS: readonly Attack[] = [
  flooded('pieces-previews', 'Sends three lists for a preview in chunks of one byte.', {
    connections: 3,
    ...uploadOf(PREVIEW),
    more: chunk('x'),
  }),
  flooded('pieces-uploads', 'Sends twelve lists in chunks of one byte.', {
    connections: 12,
    ...uploadOf(BATCHES),
    more: chunk('x'),
  }),
  flooded('pieces-strangers', 'Sends bodies in chunks of one byte that nobody wants, without a token.', {
    connections: 30,
    head: (_, at) => [`${at % 2 === 0 ? 'GET /livez' : 'POST /nowhere'} HTTP/1.1`, CHUNKED],
    more: chunk('x'),
  }),
  flooded('pieces-rows', 'Sends thirty lists with a chunk for each row.', {
    connections: 30,
    ...uploadOf(BATCHES),
    more: chunk(ROW),
  }),
  flooded('pieces-extensions', 'Sends bodies whose chunks of one byte have extensions of 15 KB.', {
    connections: 12,
    head: ({ attacker }, at) => (at % 2 === 0 ? post(BATCHES, attacker, CHUNKED) : ['GET /livez HTTP/1.1', CHUNKED]),
    more: chunk('x', LONG_EXTENSION),
  }),
  flooded('pieces-trailers', 'Sends short bodies with two thousand trailers, one after the other.', {
    connections: 12,
    head: () => ['GET /livez HTTP/1.1', CHUNKED],
    more: `${chunk('x')}${TRAILERS}GET /livez HTTP/1.1\r\nHost: localhost\r\n${CHUNKED}\r\n\r\n`,
  }),
  flooded('pieces-segments', 'Sends bodies of known length in segments of one byte, with a token and without.', {
    connections: 12,
    head: ({ attacker }, at) =>
      at % 2 === 0
        ? post(at % 4 === 0 ? BATCHES : PREVIEW, attacker, 'Content-Length: 50000000')
        : ['POST /nowhere HTTP/1.1', 'Content-Length: 50000000'],
    more: HEADER,
    bytewise: true,
  }),
];
