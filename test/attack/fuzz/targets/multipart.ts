/** Uploads as forms and gzip, over a real connection to a server that opens lists like the API. */

import { createServer } from 'node:http';
import { connect } from 'node:net';
import { Failed } from '../../../../src/base/failed.ts';
import { openList } from '../../../../src/http/batches/list-body.ts';
import { HttpError } from '../../../../src/http/faults.ts';
import type { Target } from '../target.ts';

const LIMITS = { chunkRows: 5_000, maximumRows: 100_000, maximumRowBytes: 65_536, maximumBytes: 8 * 1024 * 1024 };

interface Said {
  readonly headers: readonly string[];
  readonly pieceBytes: number;
  /** Whether the connection closes after the body, before the declared length. */
  readonly hangsUp: boolean;
}

const isSaid = (said: unknown): said is Said => typeof said === 'object' && said !== null && 'headers' in said;

const listen = async (onFailure: (error: unknown) => void): Promise<number> => {
  const server = createServer((req, res) => {
    const read = async (): Promise<string> => {
      try {
        const opened = await openList(req, { ...LIMITS, slowest: { ms: 2_000, bytes: 1 } });
        if (opened instanceof Failed) return opened.fault.type;
        let bytes = 0;
        for await (const piece of opened.list) bytes += piece.length;
        await opened.rest();
        return bytes === 0 ? 'read, empty' : 'read';
      } catch (error) {
        if (error instanceof HttpError) return error.fault.type;
        throw error;
      }
    };
    read().then(
      (outcome) => {
        res.end(outcome);
        // Like the API: reads and drops the rest.
        req.removeAllListeners('readable');
        req.resume();
      },
      (error: unknown) => {
        onFailure(error);
        res.destroy();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
};

const send = (port: number, head: string, body: Buffer, { pieceBytes, hangsUp }: Said): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    const pieces = async (): Promise<void> => {
      socket.write(head);
      for (let at = 0; at < body.length && socket.writable; at += pieceBytes) {
        socket.write(body.subarray(at, at + pieceBytes));
        await new Promise((next) => setImmediate(next));
      }
      if (hangsUp) socket.end();
    };
    socket.on('connect', () => void pieces());
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
      socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });

export const multipartTarget: Target = async () => {
  let failure: unknown;
  const port = await listen((error) => {
    failure = error;
  });
  return async ({ bytes, said }) => {
    if (!isSaid(said)) throw new Error('there are no parameters');
    failure = undefined;
    const promised = said.hangsUp ? bytes.length + 10 : bytes.length;
    const request = ['POST / HTTP/1.1', 'Host: x', `Content-Length: ${promised}`, ...said.headers, '', ''].join('\r\n');
    const answer = await send(port, request, bytes, said);
    if (failure !== undefined) throw failure;
    if (answer === '') return 'no answer';
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    return answer.startsWith('HTTP/1.1 200') ? body.slice(0, length) : answer.slice(9, 12);
  };
};
