/** The rest of a refused body is read and dropped, one piece per turn of the event loop. */
import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { dropRest } from '../../src/http/server/body.ts';

const CALLERS = 8;
const BODY = Buffer.alloc(500_000, ' ');

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Counts the turns of the event loop. */
const countTurns = () => {
  let turn = 0;
  let next = setImmediate(function count() {
    turn += 1;
    next = setImmediate(count);
  });
  closing.push(() => clearImmediate(next));
  return () => turn;
};

/** A server that refuses each body before it reads it. */
const refusing = async (onRequest: (req: IncomingMessage) => void): Promise<number> => {
  const server = createServer((req, res) => {
    onRequest(req);
    dropRest(req);
    res.writeHead(413).end('too large');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => server.closeAllConnections(),
  );
  return (server.address() as AddressInfo).port;
};

/** Sends the whole body, whatever the server answers. @returns the status and the body of the answer */
const send = (port: number): Promise<{ readonly status: number | undefined; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST' }, (res) => {
      const pieces: Buffer[] = [];
      res.on('data', (piece) => pieces.push(piece));
      res.on('end', () => resolve({ status: res.statusCode, text: Buffer.concat(pieces).toString() }));
    });
    sent.on('error', reject);
    sent.end(BODY);
  });

test('senders of refused bodies receive the answer, and one piece is read in a turn', async () => {
  const turnOf = countTurns();
  const turns: number[] = [];
  let bytes = 0;
  const bodies: IncomingMessage[] = [];
  const port = await refusing((req) => {
    bodies.push(req);
    const read = req.read.bind(req);
    req.read = (size) => {
      const piece = read(size);
      if (piece !== null) {
        turns.push(turnOf());
        bytes += piece.length;
      }
      return piece;
    };
  });
  const answers = await Promise.all(Array.from({ length: CALLERS }, () => send(port)));
  expect(answers).toEqual(Array.from({ length: CALLERS }, () => ({ status: 413, text: 'too large' })));
  await expect.poll(() => bodies.every(({ complete }) => complete)).toBe(true);
  await expect.poll(() => bytes).toBe(CALLERS * BODY.length);
  expect(turns.length).toBeGreaterThan(CALLERS);
  // A turn is counted before or after the piece that it reads.
  const most = Math.max(...turns.map((turn) => turns.filter((other) => other === turn).length));
  expect(most).toBeLessThanOrEqual(2);
});

test('of more than 512 refused bodies that have not ended, the connections of the oldest are closed', async () => {
  let refused = 0;
  const port = await refusing(() => {
    refused += 1;
  });
  const closed: number[] = [];
  const sockets: Socket[] = [];
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let at = 0; at < 514; at += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n ');
    socket.on('error', () => undefined).resume();
    socket.on('close', () => closed.push(at));
    sockets.push(socket);
  }
  await expect.poll(() => refused).toBe(514);
  await expect.poll(() => closed.length).toBe(2);
  // Connections that open together arrive almost in order.
  expect(Math.max(...closed)).toBeLessThan(100);
});
