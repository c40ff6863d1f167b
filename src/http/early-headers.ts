/**
 * Headers that stand before an answer is made, in `locals.headers`: they join the head of whatever the answer becomes.
 * Node writes a head faster from a list than from headers that were set one by one: a quote takes a fortieth less.
 */
import { type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Express, Response } from 'express';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** An answer with what its head begins with: names and values by turns. */
export interface WithEarlyHeaders {
  readonly locals: { readonly headers: OutgoingHttpHeader[] };
}

const listOf = (headers: Headers): OutgoingHttpHeader[] =>
  Array.isArray(headers)
    ? headers
    : Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));

/** Has all answers of an app begin with the headers of their `locals`. */
export const withEarlyHeaders = (app: Express): void => {
  const { writeHead } = ServerResponse.prototype;
  app.response.writeHead = function (this: Response, status: number, first?: string | Headers, second?: Headers) {
    const own = typeof first === 'string' ? second : first;
    const { headers } = this.locals;
    writeHead.call(this, status, own === undefined ? headers : headers.concat(listOf(own)));
    return this;
  };
};
