import type { RequestHandler, Router } from 'express';
import type { Call } from './call.ts';
import type { Operation } from './operation.ts';
import { addRoute } from './routes.ts';

/** Where to mount calls: behind a prefix that their paths leave out, or in a router that is mounted below a path. */
interface MountOptions<S> {
  readonly service: S;
  readonly prefix?: string;
  readonly below?: string;
  /** Handlers that run before the call's own handlers. */
  readonly guard: (operation: Operation) => RequestHandler[];
}

/** Mounts calls at their paths. All methods of a path share one route. */
export const mount = <S>(
  router: Router,
  calls: Readonly<Record<string, Call<S>>>,
  { service, prefix = '', below = '', guard }: MountOptions<S>,
): void => {
  const byPath = new Map<string, Partial<Record<Operation['method'], RequestHandler[]>>>();
  for (const call of Object.values(calls)) {
    const { method, path } = call;
    const handlers = [...guard(call), call.handlers(service)].flat();
    byPath.set(path, { ...byPath.get(path), [method]: handlers });
  }
  for (const [path, methods] of byPath)
    addRoute(router, `${prefix}${path.slice(below.length)}`.replace(/\{(id|name)\}/, ':$1'), methods);
};
