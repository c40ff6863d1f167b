/** Paths and their methods. Other methods get 405 with `Allow`. Each path has one spelling. */
import { type Request, type RequestHandler, Router } from 'express';
import { must } from '../base/must.ts';
import type { Operation } from './operation.ts';
import { type BareRequest, sendFault } from './reply.ts';

type Method = Operation['method'];

/** The requested path without the query, which may contain anything. */
export const pathOf = (req: Pick<Request, 'originalUrl'>): string => must(req.originalUrl.split('?', 1)[0], 'the path');

/**
 * The only accepted spelling of a request target: a path without empty or dot segments and without a trailing slash, then an
 * optional query. Only the colon in ids of queue jobs is percent-encoded. Other spellings (`//`, `%2F`, `#`, `\\`, the
 * absolute form with its host) could bypass a proxy's rule for a path and still reach that path here.
 */
const TARGET = /^\/(?:(?:[\w~-]|%3A)(?:[\w.~-]|%3A)*(?:\/(?:[\w~-]|%3A)(?:[\w.~-]|%3A)*)*)?(?:\?|$)/;

/** Answers 404 to any other spelling, before anything else looks at the path. */
export const oneSpelling: RequestHandler = (req, res, next) => {
  if (TARGET.test(req.url)) next();
  else sendFault(res, { type: 'request.notFound', path: pathOf(req) });
};

/** A router whose paths are case-sensitive and strict about a trailing slash. */
export const createRouter = (): Router => Router({ caseSensitive: true, strict: true });

/** The pattern of the route that handled a request. Unlike the path, it has few values. Undefined if no route did. */
export const routeOf = ({ route, baseUrl }: BareRequest): string | undefined => {
  if (route === undefined) return undefined;
  return route.path === '/' && baseUrl !== '' ? baseUrl : `${baseUrl}${route.path}`;
};

const methodNotAllowed =
  (methods: readonly Method[]): RequestHandler =>
  (req, res) => {
    const allow = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
    sendFault(res, { type: 'request.methodNotAllowed', path: pathOf(req), allow });
  };

/** Adds a path with its handlers by method. Any other method is answered with 405. */
export const addRoute = (
  router: Router,
  path: string,
  handlers: Readonly<Partial<Record<Method, RequestHandler | RequestHandler[]>>>,
): void => {
  const methods: Method[] = [];
  const route = router.route(path);
  for (const method of ['get', 'post', 'delete'] as const) {
    const handler = handlers[method];
    if (handler === undefined) continue;
    methods.push(method);
    route[method](handler);
  }
  route.all(methodNotAllowed(methods));
};

export type Handlers = RequestHandler | RequestHandler[];
