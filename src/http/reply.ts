/** How answers are written: JSON whose length is known, without the entity tags and negotiation that no client uses. */
import type { ServerResponse } from 'node:http';
import type { Fault } from '../rating/fault.ts';
import type { ErrorBody } from '../rating/quote.ts';
import { faultObject, type HttpFault, headersOf, type OAuthError, STATUS } from './faults.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

type Reply = ServerResponse & { readonly locals: { fault?: string; limit?: string } };

/** Ends the answer with JSON that is written already. Answers share its bytes, however slowly they are read. */
export const sendJsonBytes = (res: ServerResponse, json: Buffer): void => {
  res.writeHead(200, { 'Content-Type': JSON_TYPE, 'Content-Length': json.length, 'X-Content-Type-Options': 'nosniff' });
  res.end(json);
};

/** Ends the answer with `body` as JSON. */
export const sendJson = (res: ServerResponse, status: number, body: unknown): void => {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  res.writeHead(status, ['Content-Type', JSON_TYPE, 'Content-Length', bytes, 'X-Content-Type-Options', 'nosniff']);
  // Where all is ASCII, as it mostly is, the bytes are the same, and Node copies them faster.
  res.end(text, bytes === text.length ? 'latin1' : 'utf8');
};

type FaultAnswer = ErrorBody & {
  readonly header?: readonly string[];
  readonly error?: OAuthError;
  readonly error_description?: string;
};

/** The error body of a fault. @param error the code of RFC 6749 where the token endpoint answers */
export const errorBodyOf = (fault: Fault | HttpFault, error?: OAuthError): FaultAnswer => {
  const object = faultObject(fault);
  const header = fault.type === 'createBatch.invalidFile' ? fault.header : undefined;
  return {
    code: STATUS[fault.type],
    fault: object,
    ...(header !== undefined && { header }),
    ...(error !== undefined && { error, error_description: object.message }),
  };
};

/**
 * Ends the answer with the error body of a fault, the status of the table and the headers that belong to it.
 * @param error the code of RFC 6749 where the token endpoint answers
 */
export const sendFault = (res: Reply, fault: Fault | HttpFault, error?: OAuthError): void => {
  res.locals.fault = fault.type;
  if (fault.type === 'request.rateLimited') res.locals.limit = fault.limit;
  for (const [name, value] of Object.entries(headersOf(fault))) res.setHeader(name, value);
  sendJson(res, STATUS[fault.type], errorBodyOf(fault, error));
};
