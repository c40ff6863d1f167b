/** Writes answers: JSON with a known length, without entity tags and content negotiation, which no client uses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { must } from '../base/must.ts';
import type { Fault } from '../rating/fault.ts';
import type { ErrorBody } from '../rating/quote.ts';
import { faultObject, type HttpFault, headersOf, type OAuthError, statusOf } from './faults.ts';
import { dropRest } from './server/body.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Answers are private unless their route says otherwise, so no cache may keep them. */
const UNKEPT = 'no-store';

/** What handlers use that also run without Express (app.ts). */
export type BareRequest = IncomingMessage &
  Pick<Request, 'method' | 'url' | 'originalUrl' | 'baseUrl' | 'route' | 'query'>;
export type BareResponse = ServerResponse & Pick<Response, 'locals'>;
export type BareHandler = (req: BareRequest, res: BareResponse, next: () => void) => unknown;
export type BareErrorHandler = (error: unknown, req: BareRequest, res: BareResponse, next: unknown) => void;

/** An answer that can still get headers. */
export interface Headed {
  /** `headers`: alternating names and values. */
  readonly locals: { headers?: string[] | undefined };
  readonly setHeader: (name: string, value: string) => unknown;
}

type Reply = ServerResponse & { readonly locals: { headers?: string[] | undefined; fault?: string; limit?: string } };

/**
 * Adds a header to an answer that is not written yet. Before `setHeaders` runs, the header goes into the list that `sendJson`
 * writes, because Node writes one list faster than headers that were set one by one. This saves 1/40 of the time
 * of a quote.
 */
export const addHeader = (res: Headed, name: string, value: string): void => {
  const { headers } = res.locals;
  if (headers === undefined) res.setHeader(name, value);
  else headers.push(name, value);
};

/** Sets the headers in the list. Routes after it may answer in any way. Routes before it must use `sendJson`. */
export const setHeaders: BareHandler = (_req, res, next) => {
  const { headers = [] } = res.locals;
  res.locals.headers = undefined;
  for (let at = 0; at + 1 < headers.length; at += 2)
    res.setHeader(must(headers[at], 'a name'), must(headers[at + 1], 'a value'));
  next();
};

/** Keeps every answer of its routes out of caches, even if it is not JSON. */
export const unkept: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', UNKEPT);
  next();
};

/** Ends the answer with finished JSON. Concurrent answers share its bytes, even if their callers read slowly. */
export const sendJsonBytes = (res: ServerResponse, json: Buffer): void => {
  const own = { 'Content-Type': JSON_TYPE, 'Cache-Control': UNKEPT, 'X-Content-Type-Options': 'nosniff' };
  res.writeHead(200, { ...own, 'Content-Length': json.length });
  res.end(json);
};

export const sendJson = (res: Reply, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  const type = ['Content-Type', JSON_TYPE, 'Cache-Control', UNKEPT, 'X-Content-Type-Options', 'nosniff'];
  const own = [...type, 'Content-Length', bytes];
  const { headers } = res.locals;
  res.writeHead(status, headers === undefined ? own : [...headers, ...own]);
  // Most texts are ASCII. Then the bytes are the same in Latin-1, which Node copies faster.
  res.end(text, bytes === text.length ? 'latin1' : 'utf8');
};

type FaultAnswer = ErrorBody & {
  readonly header?: readonly string[];
  readonly error?: OAuthError;
  readonly error_description?: string;
};

/** The error body of a fault. @param error the code of RFC 6749, at the token endpoint */
const errorBodyOf = (fault: Fault | HttpFault, error?: OAuthError): FaultAnswer => {
  const object = faultObject(fault);
  const header = fault.type === 'createBatch.invalidFile' ? fault.header : undefined;
  return {
    code: statusOf(fault.type),
    fault: object,
    ...(header !== undefined && { header }),
    ...(error !== undefined && { error, error_description: object.message }),
  };
};

/**
 * Ends the answer with a fault: its error body, its status and its headers.
 * @param error the code of RFC 6749, at the token endpoint
 */
export const sendFault = (res: Reply, fault: Fault | HttpFault, error?: OAuthError): void => {
  res.locals.fault = fault.type;
  if (fault.type === 'request.rateLimited') res.locals.limit = fault.limit;
  if (fault.type === 'credentials.tooManyWrong') res.locals.limit = 'wrongSecrets';
  for (const [name, value] of Object.entries(headersOf(fault))) res.setHeader(name, value);
  const { req } = res;
  // Node closes at once after `Connection: close`. A caller that still sends its body would lose the answer.
  if (!req.complete) res.shouldKeepAlive = true;
  sendJson(res, statusOf(fault.type), errorBodyOf(fault, error));
  if (!req.complete && req.readableFlowing === null) dropRest(req);
};
