/** Bodies and headers that never arrive completely, with credentials and without. */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Outcome } from '../attack.ts';
import { answerIn } from '../calls.ts';
import type { Environment } from '../environment.ts';
import { BATCHES } from './batches.ts';

const CONNECTIONS = 2_000;
const BODY_BYTES = 255_000;
const SECONDS = 6;
/** An idle API has about 150. */
const MOST_API_MB = 300;

/** Each closes its connections at its end. */
const GROUP = 'unfinished';

const HALF = Buffer.alloc(BODY_BYTES, ' ');

interface Half {
  readonly path: string;
  readonly headers: readonly string[];
  /** The part of the body that is sent. The declared length is greater. */
  readonly body: Buffer;
  readonly connections: number;
}

/** Holds half-sent requests for some seconds. */
const hold = async ({ url, calls }: Environment, { path, headers, body, connections }: Half): Promise<Outcome> => {
  const { host, port } = new URL(url);
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, ...headers, `Content-Length: ${body.length + 100}`, '', ''];
  const sockets: Socket[] = [];
  let answered = 0;
  for (let made = 0; made < connections; made += 1) {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(head.join('\r\n'));
      socket.write(body);
    });
    socket.on('error', () => undefined);
    socket.once('data', (piece) => {
      answered += 1;
      calls.seen(answerIn(piece.toString('latin1')));
    });
    sockets.push(socket);
    if (made % 20 === 19) await sleep(10);
  }
  await sleep(SECONDS * 1_000);
  const open = sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length;
  for (const socket of sockets) socket.destroy();
  return {
    sent: `${connections} requests with all but the last 100 of ${body.length + 100} bytes, held for ${SECONDS} s`,
    back: `${answered} answered, ${open} connections still open`,
    problems: [],
  };
};

const JSON_TYPE = 'Content-Type: application/json';

const half = (
  name: string,
  tries: string,
  of: (environment: Environment) => Partial<Half> & { readonly path: string },
): Attack => ({
  name,
  tries,
  // Uploads have a separate service, because their memory is measured after that of two thousand quotes.
  ...(name === 'half-sent-uploads' ? {} : { group: GROUP }),
  mostApiMb: MOST_API_MB,
  run: (environment) =>
    hold(environment, { headers: [JSON_TYPE], body: HALF, connections: CONNECTIONS, ...of(environment) }),
});

/** Headers that arrive byte by byte. */
const slowHeads: Attack = {
  name: 'slow-heads',
  group: GROUP,
  tries: 'Opens two thousand connections whose headers arrive a byte a second.',
  mostApiMb: MOST_API_MB,
  run: async ({ url }) => {
    const { port } = new URL(url);
    const sockets = Array.from({ length: CONNECTIONS }, () => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('POST /token/generate HTTP/1.1\r\nX: '));
      return socket.on('error', () => undefined);
    });
    for (let second = 0; second < SECONDS; second += 1) {
      await sleep(1_000);
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }
    for (const socket of sockets) socket.destroy();
    return { sent: `${CONNECTIONS} connections, a byte a second each`, problems: [] };
  },
};

/** Answers that nobody reads. */
const unread: Attack = {
  name: 'pipelined-unread',
  group: GROUP,
  tries: 'Sends quotes endlessly over twenty connections, without reading the answers.',
  mostApiMb: MOST_API_MB,
  run: async ({ url, attacker }) => {
    const { host, port } = new URL(url);
    const body =
      '{"rates":{"shipper":{"warehouse_id":101},"recipient":{"address":{"postalCode":"02139"}},"packageItems":[{"weight":{"units":"LB","value":2}}]}}';
    const head = `POST /v1/client/shipment/rates?explain=true HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${attacker}\r\n${JSON_TYPE}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const many = Buffer.from(`${head}${body}`.repeat(200));
    const until = performance.now() + SECONDS * 1_000;
    const sockets = new Set<Socket>();
    let sent = 0;
    const open = (): void => {
      const socket = connect(Number(port), '127.0.0.1').pause();
      sockets.add(socket);
      const send = (): void => {
        while (socket.writable && socket.write(many)) sent += 200;
      };
      socket
        .on('drain', send)
        .on('connect', send)
        .on('error', () => undefined);
      // A closed connection is opened again.
      socket.on('close', () => {
        sockets.delete(socket);
        if (performance.now() < until) setTimeout(open, 20);
      });
    };
    for (let made = 0; made < 20; made += 1) open();
    await sleep(SECONDS * 1_000);
    for (const socket of sockets) socket.destroy();
    return { sent: `${sent} quotes, explained, over 20 connections at a time that read nothing`, problems: [] };
  },
};

export const BODY_ATTACKS: readonly Attack[] = [
  half('half-sent-tokens', 'Leaves two thousand token requests half sent, without credentials.', () => ({
    path: '/token/generate',
  })),
  half(
    'half-sent-sign-ins',
    "Leaves two thousand sign-ins to the console half sent, in pieces below a sign-in's limit.",
    () => ({
      path: '/console/session',
      headers: [JSON_TYPE, 'Sec-Fetch-Site: same-origin'],
      body: HALF.subarray(0, 3_900),
    }),
  ),
  half('half-sent-strangers', 'Leaves two thousand quotes half sent, with an invalid token.', () => ({
    path: '/v1/client/shipment/rates',
    headers: [JSON_TYPE, 'Authorization: Bearer a.b.c'],
  })),
  half('half-sent-quotes', 'Leaves two thousand quotes half sent, with a valid token.', ({ attacker }) => ({
    path: '/v1/client/shipment/rates',
    headers: [JSON_TYPE, `Authorization: Bearer ${attacker}`],
  })),
  half('half-sent-uploads', 'Leaves three hundred uploads half sent, with a valid token.', ({ attacker }) => ({
    path: BATCHES,
    headers: ['Content-Type: text/csv', `Authorization: Bearer ${attacker}`],
    body: Buffer.from(
      'warehouse_id,postalCode,weight_value,weight_units\n101,02139,2,LB\n'.padEnd(100_000, '101,02139,2,LB\n'),
    ),
    connections: 300,
  })),
  slowHeads,
  unread,
];
