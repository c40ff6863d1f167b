/**
 * One declaration of a call: its place, who makes it, what it reads, and how it answers. The routes, the types of the
 * console and the common tests follow from it.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Actor } from '../audit/audit.ts';
import type { Client } from '../clients/clients.ts';
import { Failed } from '../rating/fault.ts';
import { callerOf, operatorOf } from './auth.ts';
import { readBodyAs, readQuery } from './input.ts';
import type { Operation } from './operation.ts';
import { sendFault, sendJson } from './reply.ts';
import { type Handlers, pathOf } from './routes.ts';

/** Its method and its path, as OpenAPI writes it. */
type Place = `${Uppercase<Operation['method']>} /${string}`;
type Nothing = z.ZodObject<Record<never, never>>;

/** What a call knows of its request. */
class Asked<S> {
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
  get client(): Client {
    return callerOf(this.res);
  }
  get operator(): Actor {
    return operatorOf(this.res);
  }
}

/** A new thing, which is answered with 201. */
export class Made<T> {
  readonly made: T;
  constructor(made: T) {
    this.made = made;
  }
}

interface Spec<S, Is extends Place, Q extends z.ZodObject, B extends z.ZodType, F, R> {
  readonly is: Is;
  readonly query?: Q;
  /** The schema of a JSON body. */
  readonly body?: B;
  /** Limit on the body. Default: 4 KiB. */
  readonly bytes?: number;
  /** What the call is about. Undefined: the answer is 404, whatever else is asked. */
  readonly find?: (asked: Asked<S>) => Promise<F | undefined>;
  /** @returns the body of the answer, undefined if it has none, or the fault */
  readonly handle: (
    asked: Asked<S> & { readonly query: z.output<Q>; readonly body: z.output<B>; readonly found: F },
  ) => R | Promise<R>;
}

/** @param S what its handler needs @param R what it answers */
export interface Call<S, Is extends Place = Place, Q extends z.ZodObject = z.ZodObject, R = unknown> extends Operation {
  readonly is: Is;
  readonly query?: Q | undefined;
  /** The type of its answer alone. */
  readonly answers?: R;
  readonly handlers: (service: S) => Handlers;
}

type Sent<R> = R extends Made<infer T> ? T : R extends Failed<unknown> ? never : R extends void ? undefined : R;
/** What a call answers if it succeeds; undefined without JSON. */
export type AnswerOf<C> = C extends { readonly answers?: infer R } ? Sent<Exclude<R, undefined>> : undefined;

const BYTES = 4_096;

const answering =
  <S, Is extends Place, Q extends z.ZodObject, B extends z.ZodType, F, R>(
    { query, body, bytes = BYTES, find, handle }: Spec<S, Is, Q, B, F, R>,
    service: S,
  ): RequestHandler =>
  async (req, res) => {
    const asked = new Asked(service, req, res);
    const found = await find?.(asked);
    if (find !== undefined && found === undefined)
      return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    const parameters = query && readQuery(query, req);
    if (parameters instanceof Failed) return sendFault(res, parameters.fault);
    const sent = body && (await readBodyAs(body, req, bytes));
    if (sent instanceof Failed) return sendFault(res, sent.fault);
    const read = { query: parameters as z.output<Q>, body: sent as z.output<B>, found: found as F };
    const answer = await handle(Object.assign(asked, read));
    if (answer instanceof Failed) sendFault(res, answer.fault);
    else if (answer === undefined) res.status(204).end();
    else if (answer instanceof Made) sendJson(res, 201, answer.made);
    else sendJson(res, 200, answer);
  };

const operationOf = (is: Place): Pick<Operation, 'method' | 'path'> => {
  const [method, path = ''] = is.split(' ');
  return { method: method === 'POST' ? 'post' : method === 'DELETE' ? 'delete' : 'get', path };
};

/** Makes the declarations of calls that need a service `S` and that a kind of caller makes. */
export const callsBy =
  <S>(by: Pick<Operation, 'caller' | 'limit'>) =>
  <
    const Is extends Place,
    Q extends z.ZodObject = Nothing,
    B extends z.ZodType = z.ZodUndefined,
    F = undefined,
    R = unknown,
  >(
    spec: Spec<S, Is, Q, B, F, R>,
  ): Call<S, Is, Q, R> => ({
    ...by,
    ...operationOf(spec.is),
    is: spec.is,
    query: spec.query,
    handlers: (service) => answering(spec, service),
  });

/** Declares a call whose handlers answer by themselves. @param R what they answer, if it is JSON */
export const rawCall =
  <S, R = undefined>() =>
  <const Is extends Place>(
    spec: Pick<Operation, 'caller' | 'limit'> & { readonly is: Is } & Pick<Call<S>, 'handlers'>,
  ): Call<S, Is, Nothing, R> => ({ ...spec, ...operationOf(spec.is) });

/** The handlers of calls by their ids. */
export const handlersOf = <S, Id extends string>(
  calls: Readonly<Record<Id, Call<S>>>,
  service: S,
): Record<string, Handlers> =>
  Object.fromEntries(Object.entries<Call<S>>(calls).map(([id, { handlers }]) => [id, handlers(service)]));
