/** A proxy in front of an S3 server that counts requests and their bytes. */
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface StoreCounts {
  /** By method: `GET`, `PUT`, … */
  readonly requests: Readonly<Record<string, number>>;
  /** Bytes of request bodies. */
  readonly bytesIn: number;
  /** Bytes of response bodies. */
  readonly bytesOut: number;
}

export interface StoreCounter {
  readonly endpoint: string;
  readonly counts: () => StoreCounts;
  readonly close: () => Promise<void>;
}

const counted = (count: (bytes: number) => void): Transform =>
  new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      count(piece.length);
      done(null, piece);
    },
  });

/** @param to the endpoint of the server. The host that callers sign is passed on unchanged */
export const startStoreCounter = async (to: string): Promise<StoreCounter> => {
  const { hostname, port } = new URL(to);
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const requests: Record<string, number> = {};
  let bytesIn = 0;
  let bytesOut = 0;

  const pass = async (from: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = from;
    requests[method] = (requests[method] ?? 0) + 1;
    const { expect: _answeredHere, ...others } = headers;
    const sent = request({ hostname, port, method, path, headers: others, agent, setHost: false });
    const answered = once(sent, 'response');
    const sending = pipeline(
      from,
      counted((bytes) => {
        bytesIn += bytes;
      }),
      sent,
    );
    const [theirs]: IncomingMessage[] = await answered;
    await sending;
    if (theirs === undefined) throw new Error('there is no answer');
    answer.writeHead(theirs.statusCode ?? 502, theirs.headers);
    await pipeline(
      theirs,
      counted((bytes) => {
        bytesOut += bytes;
      }),
      answer,
    );
  };
  const server = createServer((from, answer) => {
    pass(from, answer).catch(() => answer.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${own}`,
    counts: () => ({ requests: { ...requests }, bytesIn, bytesOut }),
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
