/** What an operation is, and what is told of it. */
import type { z } from 'zod';
import type { ApiFaultType } from './faults.ts';

export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  /** As OpenAPI writes it: `{id}` is the id of a batch or a comparison, `{name}` an agreement's name. */
  readonly path: string;
  /** Who may call: a client with this scope, any client, a client's id and secret, an operator, or everybody. */
  readonly caller: 'quote' | 'batch' | 'client' | 'credentials' | 'operator' | 'everybody';
  /**
   * The rate limit that counts the call. `none`: it costs little or is an operator's. Scrapes and an operator's sign-ins
   * have bounds of their own.
   */
  readonly limit: 'quotes' | 'tokens' | 'uploads' | 'reads' | 'downloads' | 'streams' | 'changes' | 'none';
}

export interface Media {
  readonly type: string;
  /** Absent: text or bytes. */
  readonly schema?: z.ZodType;
  readonly description?: string;
  readonly example?: unknown;
}

export interface Success {
  readonly status: 200 | 202 | 204 | 302;
  readonly description: string;
  /** Of the JSON that the call answers. */
  readonly example?: unknown;
  /** An answer of another form. Without this and an example there is no body. */
  readonly content?: readonly Media[];
  /** Headers besides `X-Request-Id`, with their descriptions. */
  readonly headers?: Readonly<Record<string, string | { readonly sometimes: string }>>;
}

/** The groups of operations, in their order. */
export const TAGS = ['Tokens', 'Quotes', 'Batches', 'Comparisons', 'Webhooks', 'Operation'] as const;
export type Tag = (typeof TAGS)[number];

/** What the OpenAPI document says of an operation besides. */
export interface Description {
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  readonly body?: { readonly required: boolean; readonly content: readonly Media[] };
  readonly success: Success;
  /** Another success, which depends on the request. */
  readonly alternative?: Success;
  /** Faults besides those of authentication, limits, the path and every operation. */
  readonly faults?: readonly ApiFaultType[];
  /** Headers of every answer except 405. */
  readonly always?: Readonly<Record<string, string>>;
}
