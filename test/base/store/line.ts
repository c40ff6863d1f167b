/** A proxy in front of a server that a test can break. It passes bytes in both directions by default. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Line {
  readonly port: number;
  /** Cuts a connection after this many bytes of responses. Absent: no connection is cut. */
  cutAfter: number | undefined;
  /** The number of connections still to cut. */
  cuts: number;
  /** Accepts connections but passes nothing on. */
  silent: boolean;
  /** Accepts no connections. */
  refusing: boolean;
  /** Ends all connections. */
  readonly drop: () => void;
  readonly close: () => Promise<void>;
}

export const openLine = async (to: string): Promise<Line> => {
  const { hostname, port } = new URL(to);
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined); // The other end notices when it closes.
  };
  const server = createServer((caller) => {
    hold(caller);
    if (line.refusing) return void caller.resetAndDestroy();
    if (line.silent) return;
    const far = connect(Number(port), hostname);
    hold(far);
    let passed = 0;
    caller.on('data', (bytes) => {
      if (!line.silent) far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (line.silent) return;
      passed += bytes.length;
      caller.write(bytes);
      if (line.cutAfter === undefined || passed < line.cutAfter || line.cuts === 0) return;
      line.cuts -= 1;
      caller.destroy();
      far.destroy();
    });
    caller.on('close', () => far.destroy());
    far.on('close', () => caller.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const line: Line = {
    port: (server.address() as AddressInfo).port,
    cutAfter: undefined,
    cuts: 0,
    silent: false,
    refusing: false,
    drop,
    close: async () => {
      server.close();
      drop();
      await once(server, 'close');
    },
  };
  return line;
};
