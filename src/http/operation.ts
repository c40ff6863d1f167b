/** An operation, and its documentation. */
import type { z } from 'zod';
import type { ApiFaultType } from './faults.ts';

export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  /** Written as in OpenAPI. `{id}` is the id of a batch or a comparison. `{name}` is the name of an agreement. */
  readonly path: string;
  /** Who may call: a client with this scope, any client, a client's id and secret, an operator, or everybody. */
  readonly caller: 'quote' | 'batch' | 'client' | 'credentials' | 'operator' | 'everybody';
  /**
   * The rate limit that counts the call. `none`: the call is cheap or is an operator's. Scrapes and an operator's sign-ins
   * have their own limits.
   */
  readonly limit: 'quotes' | 'tokens' | 'uploads' | 'reads' | 'downloads' | 'streams' | 'changes' | 'none';
}

export interface Media {
  readonly type: string;
  /** Undefined for text and bytes. */
  readonly schema?: z.ZodType;
  readonly description?: string;
  readonly example?: unknown;
}

export interface Success {
  readonly status: 200 | 202 | 204 | 302;
  readonly description: string;
  /** Example of the JSON answer. */
  readonly example?: unknown;
  /** An answer that is not JSON. Without `content` and `example` there is no body. */
  readonly content?: readonly Media[];
  /** Headers in addition to `X-Request-Id`, with their descriptions. */
  readonly headers?: Readonly<Record<string, string | { readonly sometimes: string }>>;
}

/** The groups of operations, in order. */
export const TAGS = ['Tokens', 'Quotes', 'Batches', 'Comparisons', 'Webhooks', 'Operation'] as const;
export type Tag = (typeof TAGS)[number];

/** Further documentation of an operation in the OpenAPI document. */
export interface Description {
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  readonly body?: { readonly required: boolean; readonly content: readonly Media[] };
  readonly success: Success;
  /** Another success, depending on the request. */
  readonly alternative?: Success;
  /** Faults in addition to those of authentication, limits, the path, the query and every operation. */
  readonly faults?: readonly ApiFaultType[];
  /** Headers of every answer except 405. */
  readonly always?: Readonly<Record<string, string>>;
}
