/** Bodies in many short pieces, counted as they reach the handlers of a real server. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { Failed } from '../../src/base/failed.ts';
import { openList } from '../../src/http/batches/list-body.ts';
import { type Listening, listen } from '../../src/http/server/server.ts';

let listening: Listening;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await listening.stop(0);
});

const serve = async (app: RequestListener): Promise<void> => {
  listening = await listen(app, '127.0.0.1', 0);
};

interface Line {
  readonly socket: Socket;
  readonly text: () => string;
  readonly closed: Promise<unknown>;
}

/** A connection that has sent the head of a request. */
const open = async (...head: readonly string[]): Promise<Line> => {
  const socket = connect({ port: listening.port, host: '127.0.0.1', noDelay: true });
  sockets.push(socket);
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (piece) => {
      text += String(piece);
    });
  const closed = new Promise((resolve) => void socket.once('close', resolve));
  await once(socket, 'connect');
  socket.write(['POST / HTTP/1.1', 'Host: localhost', ...head, '', ''].join('\r\n'));
  return { socket, text: () => text, closed };
};

const CHUNKED = 'Transfer-Encoding: chunked';
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** Sends each byte, or each few bytes, in a separate segment. */
const sendBytewise = async (socket: Socket, text: string, bytes = 1): Promise<void> => {
  for (let at = 0; at < text.length; at += bytes) {
    socket.write(text.slice(at, at + bytes));
    await nextTurn();
  }
};

/** Counts the pieces of bodies by turn of the event loop, and answers with the length of each body. */
const countPieces = () => {
  const counted = { bodies: 0, pieces: 0, turns: [0] };
  const app: RequestListener = (req, res) => {
    let bytes = 0;
    counted.bodies += 1;
    req.on('data', (piece: Buffer) => {
      if (counted.turns.at(-1) === 0) setImmediate(() => counted.turns.push(0));
      counted.turns[counted.turns.length - 1] = (counted.turns.at(-1) ?? 0) + 1;
      counted.pieces += 1;
      bytes += piece.length;
    });
    req.on('end', () => res.end(`${bytes} bytes`));
  };
  return { counted, app };
};

test('a body in chunks of one byte is refused after a thousand of them, with the reason', async () => {
  const { counted, app } = countPieces();
  await serve(app);
  const { socket, text, closed } = await open(CHUNKED);
  socket.write(chunk('x').repeat(100_000));
  await closed;
  expect(text()).toMatch(/^HTTP\/1\.1 400 /);
  expect(text()).toContain('it came in too many pieces, over 1000 of less than 12 bytes: send longer ones');
  expect(counted.pieces).toBeLessThanOrEqual(1_100);
});

test('a body that nobody reads is refused as well, and little of it is read', async () => {
  const seen: Socket[] = [];
  await serve((req) => void seen.push(req.socket));
  const { socket, text, closed } = await open(CHUNKED);
  await expect.poll(() => seen.length).toBe(1);
  socket.write(chunk('x').repeat(100_000));
  await closed;
  expect(text()).toMatch(/^HTTP\/1\.1 400 /);
  expect(seen[0]?.bytesRead).toBeLessThan(200_000);
});

test('a connection is closed if nobody wants its body, which comes in chunks of one byte', async () => {
  const seen: Socket[] = [];
  await serve((req, res) => {
    seen.push(req.socket);
    res.end('answer');
  });
  const { socket, text, closed } = await open(CHUNKED);
  await expect.poll(text).toContain('answer');
  socket.write(chunk('x').repeat(100_000));
  await closed;
  expect(text()).not.toContain('400');
  expect(seen[0]?.bytesRead).toBeLessThan(200_000);
});

test('a chunk for each row is accepted, and the rows of one read are handed on in few pieces', async () => {
  const { counted, app } = countPieces();
  await serve(app);
  const { socket, text } = await open(CHUNKED);
  await expect.poll(() => counted.bodies).toBe(1);
  const row = '101,02139,2,LB\n';
  socket.write(`${chunk(row).repeat(10_000)}0\r\n\r\n`);
  await expect.poll(text, { timeout: 30_000 }).toContain('150000 bytes');
  // With frames, 65,536 bytes have 3,276 rows. Fewer than 100 may come before. Joined, they are 50,640 bytes.
  expect(counted.pieces).toBeLessThan(1_000);
  expect(Math.max(...counted.turns)).toBeLessThanOrEqual(14);
});

test('if several connections send a chunk for each row, each turn reads one of them', async () => {
  const { counted, app } = countPieces();
  await serve(app);
  const lines = await Promise.all(Array.from({ length: 10 }, () => open(CHUNKED)));
  await expect.poll(() => counted.bodies).toBe(10);
  for (const { socket } of lines) socket.write(`${chunk('101,02139,2,LB\n').repeat(2_000)}0\r\n\r\n`);
  for (const { text } of lines) await expect.poll(text, { timeout: 30_000 }).toContain('30000 bytes');
  // The first piece of each body, and 8 pieces of 4 KB.
  expect(Math.max(...counted.turns)).toBeLessThanOrEqual(9);
});

test('a body whose chunks have long extensions is read no faster, and refused if it has little else', async () => {
  const seen: Socket[] = [];
  await serve((req) => void seen.push(req.socket));
  const { socket, text, closed } = await open(CHUNKED);
  socket.write(chunk('x'));
  await expect.poll(() => seen.length).toBe(1);
  socket.write(`1;${'e'.repeat(15_000)}\r\nx\r\n`.repeat(100));
  await closed;
  expect(text()).toMatch(/^HTTP\/1\.1 400 /);
  expect(seen[0]?.bytesRead).toBeLessThan(200_000);
});

test('signatures of long chunks do not count', async () => {
  const { app } = countPieces();
  await serve(app);
  const { socket, text } = await open(CHUNKED);
  const signature = `chunk-signature=${'a'.repeat(64)}`;
  socket.write(`${`10000;${signature}\r\n${'x'.repeat(65_536)}\r\n`.repeat(50)}0\r\n\r\n`);
  await expect.poll(text).toContain('3276800 bytes');
});

test('a short body in chunks of one byte is accepted', async () => {
  const { app } = countPieces();
  await serve(app);
  const { socket, text } = await open(CHUNKED);
  socket.write(`${chunk('x').repeat(900)}0\r\n\r\n`);
  await expect.poll(text).toContain('900 bytes');
});

test('a connection is closed if its bodies end in thousands of trailers', async () => {
  const { app } = countPieces();
  await serve(app);
  const { socket, text, closed } = await open(CHUNKED);
  const next = ['POST / HTTP/1.1', 'Host: localhost', CHUNKED, '', ''].join('\r\n');
  socket.write(`${chunk('x')}0\r\n${'T: x\r\n'.repeat(100)}\r\n${next}`);
  await expect.poll(text).toContain('1 bytes');
  // Node 24 itself refuses more than the limit of headers.
  socket.write(`${chunk('x')}0\r\n${'T: x\r\n'.repeat(2_000)}\r\n`);
  await closed;
});

test('long chunks do not count', async () => {
  const { counted, app } = countPieces();
  await serve(app);
  const { socket, text } = await open(CHUNKED);
  socket.write(`${chunk('x'.repeat(1_024)).repeat(3_000)}0\r\n\r\n`);
  await expect.poll(text).toContain('3072000 bytes');
  expect(counted.pieces).toBeGreaterThanOrEqual(3_000);
});

test('segments of one byte are joined while their connection waits', async () => {
  const { counted, app } = countPieces();
  await serve(app);
  const { socket, text } = await open('Content-Length: 3000');
  await sendBytewise(socket, 'x'.repeat(3_000));
  await expect.poll(text).toContain('3000 bytes');
  expect(counted.pieces).toBeLessThan(1_500);
});

test('a body in one-byte segments is buffered only in part until somebody reads it, and then arrives whole', async () => {
  const waiting: IncomingMessage[] = [];
  await serve((req, res) => {
    waiting.push(req);
    req.on('end', () => res.end('all'));
  });
  const { socket, text } = await open('Content-Length: 3000');
  await sendBytewise(socket, 'x'.repeat(3_000));
  const [body] = waiting;
  await expect.poll(() => body?.readableLength ?? 0).toBeGreaterThan(0);
  expect(body?.readableLength).toBeLessThanOrEqual(200);
  body?.resume();
  await expect.poll(text).toContain('all');
});

test('a list in short segments is handed on in pieces of 4 KB', async () => {
  const lengths: number[] = [];
  await serve(async (req, res) => {
    const opened = await openList(req, { maximumBytes: 1e6, maximumRows: 1e6, maximumRowBytes: 1e4, chunkRows: 5_000 });
    if (opened instanceof Failed) throw new Error(opened.fault.type);
    for await (const piece of opened.list) lengths.push(piece.length);
    res.end('read');
  });
  const { socket, text } = await open('Content-Type: text/csv', 'Content-Length: 20000');
  await sendBytewise(socket, 'x'.repeat(20_000), 50);
  await expect.poll(text).toContain('read');
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(20_000);
  expect(lengths.length).toBeLessThanOrEqual(6);
});
