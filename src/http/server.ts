/**
 * The HTTP server around the app: time-outs, answers to what is not HTTP, and an end that drops no request. Header
 * time-outs cut off who sends byte by byte; the whole request has none, for an upload may take as long as it takes.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorBody } from '../rating/quote.ts';
import { faultObject, type HttpFault } from './faults.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const HEADERS_LOOK_MS = 2_000;
/** Longer than load balancers keep idle connections, so that it is never us who closes one just as it is used. */
const KEEP_ALIVE_MS = 65_000;
/** A connection on which nothing moves, in either direction. */
const IDLE_MS = 120_000;
const IDLE_LOOK_MS = 50;

interface Unread {
  readonly code: number;
  readonly reason: string;
  readonly fault: HttpFault;
}

const unreadOf = (errorCode: string | undefined): Unread => {
  switch (errorCode) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        code: 431,
        reason: 'Request Header Fields Too Large',
        fault: { type: 'request.tooLarge', limit: 'headers', most: '16384 bytes' },
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        code: 408,
        reason: 'Request Timeout',
        fault: { type: 'request.malformedBody', reason: 'the request did not arrive in time' },
      };
    default:
      return {
        code: 400,
        reason: 'Bad Request',
        fault: { type: 'request.malformedBody', reason: 'the request is not HTTP' },
      };
  }
};

/** Answers what could not be read as a request, and closes the connection. */
const answerUnread = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { code, reason, fault } = unreadOf(error.code);
  const body = JSON.stringify({ code, fault: faultObject(fault) } satisfies ErrorBody);
  socket.end(
    [
      `HTTP/1.1 ${code} ${reason}`,
      `X-Request-Id: ${randomUUID()}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
};

export interface Listening {
  readonly port: number;
  /**
   * Takes no more connections, lets the requests under way finish, then resolves. What has not finished after
   * `deadlineMs` is cut off.
   */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

const stopping = (server: Server) => async (deadlineMs: number) => {
  // Callers with a connection of their own are told to take a new one, to another process.
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  // A connection whose request was under way falls idle only later.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(deadline);
  clearInterval(idle);
};

/**
 * Listens on an address; port 0 is any free one.
 * @throws {Error} of the system where the address cannot be had (`EADDRINUSE`)
 */
export const listen = async (app: RequestListener, host: string, port: number): Promise<Listening> => {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: HEADERS_LOOK_MS,
    },
    app,
  );
  server.timeout = IDLE_MS;
  server.on('clientError', answerUnread);
  // An expectation that is none of HTTP's may be left unheard (RFC 9110, 10.1.1); Node's own answer has no body.
  server.on('checkExpectation', app);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return { port: address.port, stop: stopping(server) };
};
