/** Mounts operations of the table. */
import type { RequestHandler, Router } from 'express';
import type { Operation } from './operation.ts';
import { OPERATIONS, type OperationId } from './operations.ts';
import { addRoute, type Handlers } from './routes.ts';

type Method = Operation['method'];

/** Where to mount operations: behind a prefix that the table leaves out, or in a router that is mounted below a path. */
export interface MountOptions {
  readonly prefix?: string;
  readonly below?: string;
  /** Handlers that run before those of the operation. */
  readonly guard?: (operation: Operation) => RequestHandler[];
}

/** Mounts operations of the table by their ids, with all methods of a path together. */
export const mountOperations = (
  router: Router,
  handlers: Readonly<Partial<Record<OperationId, Handlers | undefined>>>,
  { prefix = '', below = '', guard = () => [] }: MountOptions = {},
): void => {
  const byPath = new Map<string, Partial<Record<Method, RequestHandler[]>>>();
  const given: Readonly<Record<string, Handlers | undefined>> = handlers;
  for (const [id, operation] of Object.entries<Operation>(OPERATIONS)) {
    const own = given[id];
    if (own === undefined) continue;
    const { method, path } = operation;
    byPath.set(path, { ...byPath.get(path), [method]: [...guard(operation), own].flat() });
  }
  for (const [path, methods] of byPath) {
    const pattern = `${prefix}${path.slice(below.length)}`.replace(/\{(id|name)\}/, ':$1');
    addRoute(router, pattern === '' ? '/' : pattern, methods);
  }
};
