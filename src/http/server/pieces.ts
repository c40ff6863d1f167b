/**
 * Limits the pieces in which bodies arrive: HTTP chunks, network segments and trailers. Each costs about a microsecond and a few
 * hundred bytes, however short it is, and even if nobody reads the body. Node cannot stop in the middle of 64 KB
 * that it has read, so the limit applies where its parser hands over each piece.
 *
 * Short pieces that arrive together are handed on as one piece. Then they cost their readers no more than their bytes. If several
 * connections have many pieces at once, each turn of the event loop reads only one of them, so that a quote waits for one
 * connection. A connection with many pieces is paused, and the system joins its segments meanwhile. Paused connections are
 * resumed one after the other, and all together use a tenth of a core. If the pieces of a connection are shorter
 * than the rows of any list, it is refused after a delay. Refused at once, it would be back at once.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limit on a connection's short pieces per period, not counting the first of each body: 1,000 a second, 1/1000 of a core. */
const MOST_PIECES = 100;
const PERIOD_MS = 100;

/** A longer piece costs little more than its bytes. Segments on the internet are longer. */
const SHORT_BYTES = 1_024;

/** Extensions of chunks cost by their bytes: this many cost as much as a piece. Framing of `FRAME_BYTES` is part of a piece. */
const EXTENSION_BYTES = 64;
const FRAME_BYTES = 12;

/** The pace for all paused connections together. */
const PIECES_PER_MS = 100;

/** A connection is refused if it has this many pieces in a period and their average is below the shortest rows of lists. */
const REFUSED_PIECES = 1_000;
const LEAST_BYTES = 12;
const REFUSED_AFTER_MS = 250;

/** Short pieces are joined up to this length. */
const JOINED_BYTES = 4_096;

export const TOO_MANY_PIECES = `it came in too many pieces, over ${REFUSED_PIECES} of less than ${LEAST_BYTES} bytes: send longer ones`;

/** What Node's parser calls for some headers or trailers, each piece of a body, the end of a body, and after a read. */
interface BodyParser {
  readonly constructor: Readonly<Record<'kOnHeaders' | 'kOnBody' | 'kOnMessageComplete' | 'kOnExecute', number>>;
  readonly incoming: IncomingMessage | null;
  [callback: number]: ((...args: readonly never[]) => unknown) | null;
}

/** A connection as Node's server uses it. */
export type Connection = Socket & {
  readonly parser?: BodyParser | null;
  readonly _handle: Handle | null;
  /** The answer that is being sent. */
  readonly _httpMessage?: ServerResponse | null;
};

/** `reading` is what Node wants. */
interface Handle {
  readonly reading: boolean;
  readStart: () => number;
  readonly readStop: () => number;
}

interface Waiting {
  readonly pieces: () => number;
  readonly until: number;
  /** @returns whether the connection was resumed. It stays paused while data that arrived is still unread */
  readonly readOn: () => boolean;
}

const line: Waiting[] = [];

const readNext = (): void => {
  const first = line.shift();
  if (first !== undefined && !first.readOn()) line.push(first);
  waitForNext();
};

const waitForNext = (): void => {
  const [next] = line;
  if (next === undefined) return;
  setTimeout(readNext, Math.max(1, next.pieces() / PIECES_PER_MS, next.until - performance.now()));
};

/** Pauses and resumes a connection, whatever Node wants meanwhile. */
const createReading = (socket: Connection, handle: Handle) => {
  const { readStart } = handle;
  let isHeld = false;
  return {
    isHeld: (): boolean => isHeld,
    hold: (): void => {
      isHeld = true;
      handle.readStop();
      // Node starts to read whenever somebody reads the body.
      handle.readStart = () => 0;
    },
    start: (): void => {
      isHeld = false;
      handle.readStart = readStart;
      if (!socket.destroyed && handle.reading) handle.readStart();
    },
  };
};

interface Bounded extends ReturnType<typeof createReading> {
  /** Whether much of a body may have arrived: the connection is in the middle of a body, or was never read. */
  readonly mayHaveMany: () => boolean;
}

const open = new Set<Bounded>();
/** Connections that later turns of the event loop read, one in each. */
const later: Bounded[] = [];

const readLater = (): void => {
  later.shift()?.start();
  if (later.length > 0) setImmediate(readLater);
};

const readOthersLater = (busy: Bounded): void => {
  const others = [...open].filter(
    (connection) => connection !== busy && !connection.isHeld() && connection.mayHaveMany(),
  );
  for (const connection of others) connection.hold();
  if (later.length === 0 && others.length > 0) setImmediate(readLater);
  later.push(...others);
};

/** Joins short pieces until the parser has used up what was read. */
const createJoint = (handOn: (piece: Buffer) => void) => {
  let buffer = Buffer.alloc(0);
  let length = 0;
  const flush = (): void => {
    if (length === 0) return;
    const piece = buffer.subarray(0, length);
    [buffer, length] = [Buffer.alloc(0), 0];
    handOn(piece);
  };
  return {
    flush,
    drop: (): void => {
      length = 0;
    },
    /** @param piece shorter than `JOINED_BYTES` */
    add: (piece: Buffer): void => {
      if (length + piece.length > JOINED_BYTES) flush();
      if (length === 0) buffer = Buffer.allocUnsafeSlow(JOINED_BYTES);
      length += piece.copy(buffer, length);
    },
  };
};

/** Counts a connection's pieces, and pauses or refuses the connection if it has too many. */
const createPace = (socket: Connection, handle: Handle, parser: BodyParser, giveUp: () => void) => {
  const { kOnBody } = parser.constructor;
  let body: IncomingMessage | null = null;
  let begun = 0;
  let pieces = 0;
  let bytes = 0;
  const unfinished = (): IncomingMessage | null => (parser.incoming?.complete === false ? parser.incoming : null);
  const reading = createReading(socket, handle);
  const connection: Bounded = { ...reading, mayHaveMany: () => socket.bytesRead === 0 || unfinished() !== null };
  open.add(connection);
  socket.once('close', () => open.delete(connection));
  const readOn = (): boolean => {
    if (socket.destroyed || parser[kOnBody] === null) return true;
    if (body !== null && body.readableLength > 0) return false;
    [begun, pieces, bytes] = [performance.now(), 0, 0];
    reading.start();
    return true;
  };
  const wait = (): void => {
    reading.hold();
    line.push({ pieces: () => pieces, until: begun + PERIOD_MS, readOn });
    if (line.length === 1) waitForNext();
    readOthersLater(connection);
  };
  return {
    unfinished,
    /** Whether the parser hands over the first piece of a body. */
    isFirst: (): boolean => {
      const before = body;
      body = parser.incoming;
      return body !== before;
    },
    count: (morePieces: number, moreBytes: number): void => {
      const now = performance.now();
      if (!reading.isHeld() && now - begun > PERIOD_MS) [begun, pieces, bytes] = [now, 0, 0];
      pieces += morePieces;
      bytes += moreBytes;
      if (pieces >= MOST_PIECES && !reading.isHeld()) wait();
      if (pieces >= REFUSED_PIECES && bytes < LEAST_BYTES * pieces && parser[kOnBody] !== null) giveUp();
    },
  };
};

const bound = (socket: Connection, handle: Handle, parser: BodyParser, refuse: (socket: Connection) => void): void => {
  const { kOnHeaders, kOnBody, kOnMessageComplete, kOnExecute } = parser.constructor;
  const { [kOnHeaders]: nodeOnHeaders, [kOnBody]: nodeOnBody } = parser;
  const { [kOnMessageComplete]: nodeOnComplete, [kOnExecute]: nodeOnExecute } = parser;
  if (typeof nodeOnHeaders !== 'function' || typeof nodeOnBody !== 'function') return;
  if (typeof nodeOnComplete !== 'function' || typeof nodeOnExecute !== 'function') return;
  const handOn = nodeOnBody.bind(parser) as (piece: Buffer) => void;
  const joint = createJoint(handOn);
  const { unfinished, isFirst, count } = createPace(socket, handle, parser, () => {
    // The parser then only skips what it has in its buffer.
    parser[kOnBody] = null;
    joint.drop();
    setTimeout(() => {
      if (!socket.destroyed) refuse(socket);
    }, REFUSED_AFTER_MS);
  });
  /** The body that was incomplete after the last read. `arrived` counts the bytes of bodies since. */
  let inside: IncomingMessage | null = null;
  let arrived = 0;

  parser[kOnHeaders] = (fields: readonly string[], path: string): unknown => {
    if (unfinished() === null) return Reflect.apply(nodeOnHeaders, parser, [fields, path]);
    // Nobody reads trailers.
    return count(fields.length / 2, 0);
  };
  parser[kOnBody] = (piece: Buffer): void => {
    arrived += piece.length + FRAME_BYTES;
    if (piece.length >= SHORT_BYTES) {
      joint.flush();
      handOn(piece);
      return;
    }
    if (isFirst()) {
      handOn(piece);
      return;
    }
    joint.add(piece);
    count(1, piece.length);
  };
  // A piece must not follow either callback. Otherwise Node would forget that nobody wants more.
  parser[kOnMessageComplete] = (...args): unknown => {
    joint.flush();
    return Reflect.apply(nodeOnComplete, parser, args);
  };
  parser[kOnExecute] = (parsed: number | Error): unknown => {
    joint.flush();
    const now = unfinished();
    if (now !== null && now === inside && typeof parsed === 'number' && parsed - arrived > EXTENSION_BYTES)
      count(Math.floor((parsed - arrived) / EXTENSION_BYTES), 0);
    [inside, arrived] = [now, 0];
    return Reflect.apply(nodeOnExecute, parser, [parsed]);
  };
  // Another connection may use the parser later.
  socket.once('close', () => {
    joint.drop();
    parser[kOnHeaders] = nodeOnHeaders;
    parser[kOnBody] = nodeOnBody;
    parser[kOnMessageComplete] = nodeOnComplete;
    parser[kOnExecute] = nodeOnExecute;
  });
};

/** @param refuse ends a connection with too many pieces. The connection is not read any more */
export const boundPieces = (server: Server, refuse: (socket: Connection) => void): void => {
  server.on('connection', (socket: Connection) => {
    const { parser, _handle: handle } = socket;
    if (parser !== undefined && parser !== null && handle !== null) bound(socket, handle, parser, refuse);
  });
};
