/** Paths and what they answer: their own methods, 405 with `Allow` for the others. */
import type { Request, RequestHandler, Router } from 'express';
import { sendFault } from './reply.ts';

type Method = 'get' | 'post' | 'delete';

/** The path as it was asked for, without the query, which may hold anything. */
export const pathOf = (req: Request): string => req.originalUrl.split('?', 1)[0] ?? '';

const methodNotAllowed =
  (methods: readonly Method[]): RequestHandler =>
  (req, res) => {
    const allow = methods.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
    sendFault(res, { type: 'request.methodNotAllowed', path: pathOf(req), allow });
  };

/** Adds a path with its handlers by method; any other method is answered with 405. */
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
