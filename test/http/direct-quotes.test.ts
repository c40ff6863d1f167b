/** Requests that go to the handlers of quotes without Express, and errors in those handlers. */
import { once } from 'node:events';
import { request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { must } from '../../src/base/must.ts';
import { directQuotes } from '../../src/http/app.ts';
import type { BareHandler } from '../../src/http/reply.ts';
import { listen } from '../../src/http/server/server.ts';
import { RATES, rateRequest, startApi } from './api.ts';

/** @returns the body of the answer */
const ask = async (handlers: readonly BareHandler[], method = 'POST', path = RATES): Promise<string> => {
  const listener = directQuotes(
    handlers.slice(0, -1),
    must(handlers.at(-1), 'the handler of quotes'),
    (error, { route }, res) => res.end(`failed at ${route?.path}: ${String(error)}`),
    (_req, res) => res.end('Express'),
  );
  const { port, stop } = await listen(listener, '127.0.0.1', 0);
  try {
    const sent = request({ host: '127.0.0.1', port, method, path }).end();
    const [answer] = await once(sent, 'response');
    const pieces = await answer.toArray();
    return pieces.join('');
  } finally {
    await stop(0);
  }
};

const quote: BareHandler = (_req, res) => res.end('quote');

test('only the exact documented path bypasses Express', async () => {
  expect(await ask([quote])).toBe('quote');
  for (const path of [
    `${RATES}?`,
    `${RATES}?explain=true`,
    `${RATES}/`,
    `/${RATES}`,
    `${RATES}/batches`,
    `http://a${RATES}`,
  ])
    expect(await ask([quote], 'POST', path), path).toBe('Express');
  expect(await ask([quote], 'GET')).toBe('Express');
  expect(await ask([quote], 'OPTIONS')).toBe('Express');
});

test('each handler calls the next one, and sees the same request as in Express', async () => {
  const first: BareHandler = (_req, res, next) => {
    res.locals.requestId = 'one';
    next();
  };
  const second: BareHandler = ({ originalUrl, baseUrl, url, method }, res) =>
    res.end(JSON.stringify([res.locals.requestId, originalUrl, baseUrl, url, method]));
  expect(JSON.parse(await ask([first, second]))).toEqual(['one', RATES, '', RATES, 'POST']);
  expect(await ask([quote, second])).toBe('quote');
});

test.each<[string, BareHandler]>([
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  [
    'rejects',
    async () => {
      throw new Error('no');
    },
  ],
])('an error of a handler that %s is answered', async (_what, handler) => {
  expect(await ask([handler])).toBe(`failed at ${RATES}: Error: no`);
  expect(await ask([(_req, _res, next) => next(), handler])).toBe(`failed at ${RATES}: Error: no`);
});

test('the API answers quotes without Express, and a request with a foreign host is not a quote', async () => {
  const api = await startApi();
  try {
    Object.assign(api.routes, {
      handle: () => {
        throw new Error('Express has a request');
      },
    });
    expect((await api.quote(rateRequest())).status).toBe(200);
    const sent = request({ port: api.port, method: 'POST', path: RATES, headers: { Host: 'elsewhere.example' } }).end();
    const [answer] = await once(sent, 'response');
    expect(answer.statusCode).toBe(400);
    await answer.toArray();
    await turn();
    const requests = api.lines.filter(({ msg }) => msg === 'request');
    expect(requests.slice(-2).map(({ route, status }) => [route, status])).toEqual([
      [RATES, 200],
      [undefined, 400],
    ]);
  } finally {
    await api.close();
  }
});
