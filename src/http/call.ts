/**
 * A call is declared once: its path, who may call it, its limit, its input, its answer and its documentation.
 * The routes, the OpenAPI document, the types of the client and of the console, and the common tests follow from it.
 */
import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import type { Actor } from '../base/audit/audit.ts';
import { Failed } from '../base/failed.ts';
import type { Client } from '../catalog/clients/clients.ts';
import type { Schedule } from '../catalog/tariff/schedule.ts';
import type { Fault } from '../rating/fault.ts';
import { callerOf, operatorOf, scheduleOf } from './auth.ts';
import { type HttpFault, refusalIn } from './faults.ts';
import { readBodyAs, readQuery } from './input.ts';
import type { Description, Operation } from './operation.ts';
import { sendFault, sendJson } from './reply.ts';
import { addRoute, type Handlers, pathOf } from './routes.ts';
import { dropRest } from './server/body.ts';

/** Method and path of a call. The path is written as in OpenAPI. */
type Place = `${Uppercase<Operation['method']>} /${string}`;
const NOTHING = z.strictObject({});
type Nothing = z.ZodObject<Record<never, never>>;

/** What a handler knows about its request. */
export class Asked<S> {
  readonly service: S;
  readonly req: Request;
  readonly res: Response;
  constructor(service: S, req: Request, res: Response) {
    this.service = service;
    this.req = req;
    this.res = res;
  }
  /** The id or the name in the path. */
  get id(): string {
    return String(this.req.params['id'] ?? this.req.params['name']);
  }
  get requestId(): string {
    return this.res.locals.requestId;
  }
  get client(): Client {
    return callerOf(this.res);
  }
  get operator(): Actor {
    return operatorOf(this.res);
  }
  /** The tariffs that were in force when the request began. */
  get schedule(): Schedule {
    return scheduleOf(this.res);
  }
}

/** Something new. The status of its answer is 201. */
export class Made<T> {
  readonly made: T;
  constructor(made: T) {
    this.made = made;
  }
}
/** Returned by a handler that has sent the answer itself. */
export const ANSWERED = Symbol('answered');

interface Told<Is extends Place, Q extends z.ZodObject, A extends z.ZodType> {
  readonly is: Is;
  /** Undefined: the call has no parameters. Those of probes, which everybody may call, are ignored. */
  readonly query?: Q;
  /** The schema of the JSON answer. Undefined if only the pages use the call. They take the type from the handler. */
  readonly answer?: A;
  /** What the OpenAPI document says about the call. Undefined: the document leaves the call out. */
  readonly doc?: Description;
}

interface Spec<S, Is extends Place, Q extends z.ZodObject, A extends z.ZodType, B extends z.ZodType, F, R>
  extends Told<Is, Q, A> {
  /** The schema of a JSON body. */
  readonly body?: B;
  /** Limit on the body. Default: 4 KiB. */
  readonly bytes?: number;
  /** Runs before the other handlers of the call. */
  readonly first?: RequestHandler;
  /** Finds the thing that the call is about. If it is undefined, the answer is 404, whatever else the request has. */
  readonly find?: (asked: Asked<S>) => Promise<F | undefined>;
  /** @returns the body of the answer, undefined if there is no body, or the fault */
  readonly handle: (
    asked: Asked<S> & { readonly query: z.output<Q>; readonly body: z.output<B>; readonly found: F },
  ) => R | Promise<R>;
}

type By = Pick<Operation, 'caller' | 'limit'>;

/** @param S what its handlers need @param R what they answer */
export interface Call<
  S,
  Is extends Place = Place,
  Q extends z.ZodObject = z.ZodObject,
  A extends z.ZodType = z.ZodType,
  R = unknown,
> extends Operation {
  readonly is: Is;
  readonly query?: Q | undefined;
  readonly answer?: A | undefined;
  readonly doc?: Description | undefined;
  /** Carries only the type of the answer. No value is set. */
  readonly answers?: R;
  readonly handlers: (service: S) => Handlers;
}

type Sent<R> =
  R extends Made<infer T> ? T : R extends Failed<unknown> | symbol ? never : R extends void ? undefined : R;
/** What a call answers if it succeeds. Undefined if it answers no JSON. */
export type AnswerOf<C> = C extends { readonly answer?: infer A; readonly answers?: infer R }
  ? [Exclude<A, undefined>] extends [z.ZodUndefined]
    ? Sent<Exclude<R, undefined>>
    : Exclude<A, undefined> extends z.ZodType
      ? z.output<Exclude<A, undefined>>
      : never
  : never;

/** What callers see of a group of calls, by method and path: the parameters, which are all text, and the answer. */
export type CallsIn<All> = {
  [I in keyof All as All[I] extends { readonly is: infer Is extends Place } ? Is : never]: {
    readonly query: All[I] extends { readonly query?: infer Q }
      ? Exclude<Q, undefined> extends infer Schema extends z.ZodType
        ? { readonly [P in keyof z.input<Schema>]?: string | undefined }
        : never
      : never;
    readonly answer: AnswerOf<All[I]>;
  };
};

const BYTES = 4_096;

/** Runs a handler, and returns a refusal thrown below it as its answer. */
const orRefusal = async <R>(handle: () => Promise<R>): Promise<R | Failed<Fault | HttpFault>> => {
  try {
    return await handle();
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error;
    return new Failed(refusal);
  }
};

const answering =
  <S, Is extends Place, Q extends z.ZodObject, A extends z.ZodType, B extends z.ZodType, F, R>(
    { query, body, bytes = BYTES, find, handle, doc }: Spec<S, Is, Q, A, B, F, R>,
    service: S,
  ): RequestHandler =>
  async (req, res) => {
    const asked = new Asked(service, req, res);
    const gone = (): HttpFault => ({ type: 'request.notFound', path: pathOf(req) });
    const found = await find?.(asked);
    if (find !== undefined && found === undefined) return sendFault(res, gone());
    const parameters = query && readQuery(query, req);
    if (parameters instanceof Failed) return sendFault(res, parameters.fault);
    const sent = body && (await readBodyAs(body, req, bytes));
    if (sent instanceof Failed) return sendFault(res, sent.fault);
    const read = { query: parameters as z.output<Q>, body: sent as z.output<B>, found: found as F };
    const answer = await orRefusal(async () => await handle(Object.assign(asked, read))).catch(async (error) => {
      // What it is about may have been deleted since.
      if (find !== undefined && (await find(asked)) === undefined) return new Failed(gone());
      throw error;
    });
    if (answer === ANSWERED || res.destroyed) return;
    if (answer instanceof Failed) {
      sendFault(res, answer.fault);
      // The handler may have read only part of a list.
      dropRest(req);
    } else if (answer === undefined) res.status(204).end();
    else if (answer instanceof Made) sendJson(res, 201, answer.made);
    else sendJson(res, doc?.success.status ?? 200, answer);
  };

const operationOf = (is: Place): Pick<Operation, 'method' | 'path'> => {
  const [method, path = ''] = is.split(' ');
  return { method: method === 'POST' ? 'post' : method === 'DELETE' ? 'delete' : 'get', path };
};

/** Returns a function that declares calls of a service `S`. @param by the caller and the limit that all of them share */
export const callsOf =
  <S, G extends keyof By = never>(by: Pick<By, G>) =>
  <
    const Is extends Place,
    Q extends z.ZodObject = Nothing,
    A extends z.ZodType = z.ZodUndefined,
    B extends z.ZodType = z.ZodUndefined,
    F = undefined,
    R = unknown,
  >(
    spec: Spec<S, Is, Q, A, B, F, R> & Omit<By, G>,
  ): Call<S, Is, Q, A, R> => {
    const { is, query, answer, doc, first } = spec;
    // `by` has the members that the declaration leaves out.
    const { caller, limit } = { ...by, ...spec } as unknown as By;
    return {
      ...{ is, caller, limit, query, answer, doc },
      ...operationOf(is),
      handlers: (service) => {
        const handler = answering({ ...spec, query: query ?? (caller === 'everybody' ? undefined : NOTHING) }, service);
        return first === undefined ? handler : [first, handler];
      },
    };
  };

/** Declares a call whose handlers check the caller themselves, or are made once per service. @param R what they answer */
export const rawCall =
  <S, R = undefined>() =>
  <const Is extends Place, Q extends z.ZodObject = Nothing, A extends z.ZodType = z.ZodUndefined>(
    spec: Told<Is, Q, A> & By & Pick<Call<S>, 'handlers'>,
  ): Call<S, Is, Q, A, R> => ({ ...spec, ...operationOf(spec.is) });

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
