/** The rest of a refused body is read and dropped, one piece in a turn of the event loop. */
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { dropRest } from '../../src/http/unread-body.ts';

const CALLERS = 8;
const BODY = Buffer.alloc(2_000_000, ' ');

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
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

/** Sends the whole body, whatever the server answers. @returns the status and the answer's body */
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
  // A turn is counted before or after the piece that is read in it.
  const most = Math.max(...turns.map((turn) => turns.filter((other) => other === turn).length));
  expect(most).toBeLessThanOrEqual(2);
});
