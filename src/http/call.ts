/**
 * One declaration of a call: its place, who makes it, what counts it, what it reads, how it answers, and what is told of it.
 * The routes, the OpenAPI document, the types of the client and of the console, and the common tests follow from it.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
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
import { type Handlers, pathOf } from './routes.ts';
import { dropRest } from './server/unread-body.ts';

/** Its method and its path, as OpenAPI writes it. */
type Place = `${Uppercase<Operation['method']>} /${string}`;
type Nothing = z.ZodObject<Record<never, never>>;

/** What a call knows of its request. */
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

/** A new thing, which is answered with 201. */
export class Made<T> {
  readonly made: T;
  constructor(made: T) {
    this.made = made;
  }
}
/** The call has answered by itself. */
export const ANSWERED = Symbol('answered');

interface Told<Is extends Place, Q extends z.ZodObject, A extends z.ZodType> {
  readonly is: Is;
  readonly query?: Q;
  /** The schema of its JSON. Absent: the pages alone need it, and take its type from the handler. */
  readonly answer?: A;
  /** What the OpenAPI document says of it. Absent: the document leaves it out. */
  readonly doc?: Description;
}

interface Spec<S, Is extends Place, Q extends z.ZodObject, A extends z.ZodType, B extends z.ZodType, F, R>
  extends Told<Is, Q, A> {
  /** The schema of a JSON body. */
  readonly body?: B;
  /** Limit on the body. Default: 4 KiB. */
  readonly bytes?: number;
  /** Runs before everything else of the call. */
  readonly first?: RequestHandler;
  /** What the call is about. Undefined: the answer is 404, whatever else is asked. */
  readonly find?: (asked: Asked<S>) => Promise<F | undefined>;
  /** @returns the body of the answer, undefined if it has none, or the fault */
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
  /** The type of its answer alone. */
  readonly answers?: R;
  readonly handlers: (service: S) => Handlers;
}

type Sent<R> =
  R extends Made<infer T> ? T : R extends Failed<unknown> | symbol ? never : R extends void ? undefined : R;
/** What a call answers if it succeeds; undefined without JSON. */
export type AnswerOf<C> = C extends { readonly answer?: infer A; readonly answers?: infer R }
  ? [Exclude<A, undefined>] extends [z.ZodUndefined]
    ? Sent<Exclude<R, undefined>>
    : Exclude<A, undefined> extends z.ZodType
      ? z.output<Exclude<A, undefined>>
      : never
  : never;

/** What callers see of a group of calls: by their method and path, the parameters, all of them text, and the answer. */
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

/** What was refused from below a handler, as its answer. */
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
    const found = await find?.(asked);
    if (find !== undefined && found === undefined)
      return sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    const parameters = query && readQuery(query, req);
    if (parameters instanceof Failed) return sendFault(res, parameters.fault);
    const sent = body && (await readBodyAs(body, req, bytes));
    if (sent instanceof Failed) return sendFault(res, sent.fault);
    const read = { query: parameters as z.output<Q>, body: sent as z.output<B>, found: found as F };
    const answer = await orRefusal(async () => await handle(Object.assign(asked, read)));
    if (answer === ANSWERED) return;
    if (answer instanceof Failed) {
      sendFault(res, answer.fault);
      // The handler may have read a part of a list.
      dropRest(req);
    } else if (answer === undefined) res.status(204).end();
    else if (answer instanceof Made) sendJson(res, 201, answer.made);
    else sendJson(res, doc?.success.status ?? 200, answer);
  };

const operationOf = (is: Place): Pick<Operation, 'method' | 'path'> => {
  const [method, path = ''] = is.split(' ');
  return { method: method === 'POST' ? 'post' : method === 'DELETE' ? 'delete' : 'get', path };
};

/** Makes the declarations of calls that need a service `S`. @param by who makes them all, and what counts them */
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
    // `by` has what the declaration leaves out.
    const { caller, limit } = { ...by, ...spec } as unknown as By;
    return {
      ...{ is, caller, limit, query, answer, doc },
      ...operationOf(is),
      handlers: (service) => (first === undefined ? answering(spec, service) : [first, answering(spec, service)]),
    };
  };

/** Declares a call whose handlers judge their caller, or are made once for a service. @param R what they answer */
export const rawCall =
  <S, R = undefined>() =>
  <const Is extends Place, Q extends z.ZodObject = Nothing, A extends z.ZodType = z.ZodUndefined>(
    spec: Told<Is, Q, A> & By & Pick<Call<S>, 'handlers'>,
  ): Call<S, Is, Q, A, R> => ({ ...spec, ...operationOf(spec.is) });
