/**
 * The HTTP server around the app: timeouts, answers to input that is not HTTP, and a stop that drops no request. Header
 * timeouts close connections that send byte by byte. A whole request has no timeout, because an upload may take long.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { turn } from '../../base/time-slices.ts';
import { RATES_PATH } from '../../batch/ids.ts';
import type { ErrorBody } from '../../rating/quote.ts';
import { faultObject, type HttpFault } from '../faults.ts';
import { dropRest } from './body.ts';
import { boundConnections, MOST_CONNECTIONS } from './connections.ts';
import { boundPieces, type Connection, TOO_MANY_PIECES } from './pieces.ts';

const HEADERS_TIMEOUT_MS = 10_000;
const HEADERS_LOOK_MS = 2_000;
/** Longer than load balancers keep idle connections, so that the service never closes one just as it is used. */
const KEEP_ALIVE_MS = 65_000;
/** For a connection without traffic in either direction. */
const IDLE_MS = 120_000;
const IDLE_LOOK_MS = 50;
/**
 * Limit on connections that wait to be accepted. Each turn of the event loop accepts one. A connection over the limit
 * is retried only after a second.
 */
const BACKLOG = 4_096;

/** Limit on the pipelined requests of one connection. No honest client sends more. */
const MOST_AHEAD = 16;

/** Limit on the header lines of a request. Node silently drops lines over its limit, where a second `Host` could hide. */
const MOST_HEADERS = 128;

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
        fault: { type: 'request.tooLarge', limit: 'headers', most: `16384 bytes in ${MOST_HEADERS} lines` },
      };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        code: 408,
        reason: 'Request Timeout',
        fault: { type: 'request.malformedBody', reason: 'the request did not arrive in time' },
      };
    case 'TOO_MANY_PIECES':
      return { code: 400, reason: 'Bad Request', fault: { type: 'request.malformedBody', reason: TOO_MANY_PIECES } };
    default:
      return {
        code: 400,
        reason: 'Bad Request',
        fault: { type: 'request.malformedBody', reason: 'the request is not HTTP' },
      };
  }
};

/** The caller ended the connection in the middle of a request. */
const isCutOff = (code: string | undefined): boolean => code === 'ECONNRESET' || code === 'HPE_INVALID_EOF_STATE';

/** Answers an unreadable request, and closes the connection. */
const answerUnread = (error: Pick<NodeJS.ErrnoException, 'code'>, socket: Duplex): void => {
  if (isCutOff(error.code) || !socket.writable) {
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

/** Ends a connection whose body comes in too many pieces. Answers it, unless an answer has begun. */
const refusePieces = (socket: Connection): void => {
  const { parser, _httpMessage: answer } = socket;
  const isAnswered = answer?.req !== parser?.incoming || answer?.headersSent !== false;
  if (!isAnswered) answerUnread({ code: 'TOO_MANY_PIECES' }, socket);
  socket.destroySoon();
};

export interface Listening {
  readonly port: number;
  /**
   * Accepts no more connections, lets running requests finish, then resolves. Requests that have not finished after
   * `deadlineMs` are cut off.
   */
  readonly stop: (deadlineMs: number) => Promise<void>;
}

const stopping = (server: Server) => async (deadlineMs: number) => {
  // Tells callers with open connections to open new ones, to another process.
  server.prependListener('request', (_req, res) => res.setHeader('Connection', 'close'));
  const deadline = setTimeout(() => server.closeAllConnections(), deadlineMs);
  // A connection with a running request becomes idle only later.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(deadline);
  clearInterval(idle);
};

interface Sent {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

const isQuote = ({ url = '' }: IncomingMessage): boolean =>
  url.startsWith(RATES_PATH) && (url.length === RATES_PATH.length || url[RATES_PATH.length] === '?');

/**
 * Hands on the requests of a connection one at a time, and at most one per turn of the event loop. Otherwise everyone would
 * wait for all requests that one connection pipelines. Waiting requests and header lines are limited. A quote is handed
 * on at once, unless it was sent before an earlier answer. Of all other requests, only one begins per turn, so that a
 * quote never waits for many that arrive together.
 */
const withoutFlood = (app: RequestListener): RequestListener => {
  const latest = new WeakMap<Duplex, ServerResponse>();
  const waiting = new WeakMap<Duplex, Sent[]>();
  /** Connections whose request was served in this turn. */
  const served = new Set<Duplex>();

  const hand = ({ req, res }: Sent, isAhead = false): void => {
    latest.set(req.socket, res);
    if (served.size === 0) setImmediate(() => served.clear());
    served.add(req.socket);
    if (isQuote(req) && !isAhead) app(req, res);
    else void handInTurn(req, res);
  };
  const handInTurn = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    // Node reads the rest of an unwanted body as fast as it comes.
    res.once('prefinish', () => {
      if (!req.complete && req.readableFlowing === null) dropRest(req);
    });
    await turn();
    if (!req.socket.destroyed) app(req, res);
  };
  const handNext = (socket: Duplex): void => {
    const [first, ...others] = waiting.get(socket) ?? [];
    if (others.length === 0) waiting.delete(socket);
    else waiting.set(socket, others);
    if (first === undefined || socket.destroyed) return;
    if (others.length > 0) handNextAfter(first.res, socket);
    hand(first, true);
  };
  const handNextAfter = (before: ServerResponse, socket: Duplex): void => {
    const later = (): void => void setImmediate(handNext, socket);
    if (before.closed) later();
    else before.once('close', later);
  };

  return (req, res) => {
    const { socket } = req;
    if (req.rawHeaders.length > 2 * MOST_HEADERS) return answerUnread({ code: 'HPE_HEADER_OVERFLOW' }, socket);
    const ahead = waiting.get(socket);
    if (ahead === undefined) {
      // An answer has its socket at once, unless earlier answers must be sent first.
      const before = res.socket === null || served.has(socket) ? latest.get(socket) : undefined;
      if (before === undefined) return hand({ req, res });
      waiting.set(socket, [{ req, res }]);
      handNextAfter(before, socket);
    } else if (ahead.length < MOST_AHEAD) ahead.push({ req, res });
    else socket.destroy();
  };
};

/** What Node's parser of a connection calls for each request. The result 2 makes the parser stop, as at an upgrade. */
interface RequestParser {
  onIncoming: (req: IncomingMessage, shouldKeepAlive: boolean) => number;
}
const STOP = 2;

/**
 * Stops parsing the buffer of a connection once the connection is destroyed. Otherwise Node parses all of it: 64 KB
 * of pipelined requests are 8 ms in which nobody else is served.
 */
const stopWhenDestroyed = (server: Server): void => {
  server.on('connection', (socket: Duplex & { readonly parser?: RequestParser | null }) => {
    const { parser } = socket;
    if (parser === undefined || parser === null) return;
    const { onIncoming } = parser;
    parser.onIncoming = (req, shouldKeepAlive) => (socket.destroyed ? STOP : onIncoming(req, shouldKeepAlive));
  });
};

/** Sends `100 Continue` when the body is first read, so that a refused caller does not have to send it. */
const invited = (req: IncomingMessage, res: ServerResponse): void => {
  let asked = false;
  req.on('newListener', (event) => {
    if (asked || res.headersSent || (event !== 'data' && event !== 'readable')) return;
    asked = true;
    res.writeContinue();
  });
};

/**
 * Listens on an address. Port 0 means any free one.
 * @throws {Error} of the system if the address is not available (`EADDRINUSE`)
 */
export const listen = async (
  app: RequestListener,
  host: string,
  port: number,
  mostConnections = MOST_CONNECTIONS,
): Promise<Listening> => {
  const handler = withoutFlood(app);
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: HEADERS_LOOK_MS,
      // Node's own answer to a request without the header has no body (hosts.ts).
      requireHostHeader: false,
    },
    handler,
  );
  server.timeout = IDLE_MS;
  server.maxHeadersCount = 2 * MOST_HEADERS;
  boundConnections(server, mostConnections);
  stopWhenDestroyed(server);
  boundPieces(server, refusePieces);
  server.on('clientError', answerUnread);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1). Node's own answer has no body.
  server.on('checkExpectation', handler);
  server.on('checkContinue', (req, res) => {
    invited(req, res);
    handler(req, res);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return { port: address.port, stop: stopping(server) };
};
