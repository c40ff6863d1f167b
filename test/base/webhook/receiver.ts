/** A webhook receiver that records requests and sends configurable responses. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answering = (res: ServerResponse, req: IncomingMessage) => void;

export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
  /** Sets the response from now on. */
  readonly answer: (answering: Answering) => void;
  readonly close: () => Promise<void>;
}

export const startReceiver = async (): Promise<Receiver> => {
  const received: Received[] = [];
  let answering: Answering = (res) => res.writeHead(204).end();
  const server = createServer(async (req, res) => {
    received.push({ path: req.url ?? '', headers: req.headers, body: await text(req) });
    answering(res, req);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver listens on no port');
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}/hook`,
    received,
    answer: (given) => {
      answering = given;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
