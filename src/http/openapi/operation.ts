/** What the document is told of one operation, and what several of them have in common. */
import type { z } from 'zod';
import type { FaultType } from '../../rating/fault.ts';
import type { HttpFaultType } from '../faults.ts';

export type AnyFaultType = FaultType | HttpFaultType;

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
  readonly content: readonly Media[];
  /** Headers beside `X-Request-Id`: what each says. */
  readonly headers?: Readonly<Record<string, string | { readonly sometimes: string }>>;
}

export interface Operation {
  readonly method: 'get' | 'post' | 'delete';
  /** As OpenAPI writes it: `/batches/{id}`. */
  readonly path: string;
  readonly id: string;
  readonly tag: 'Tokens' | 'Quotes' | 'Batches' | 'Webhooks' | 'Operation';
  readonly summary: string;
  readonly description?: string;
  /** Who may call: a token with the scope, any token, a client's credentials, or everybody. */
  readonly caller: 'quote' | 'batch' | 'token' | 'credentials' | 'everybody';
  /** The query: one parameter per member. */
  readonly query?: z.ZodObject;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  readonly body?: { readonly required: boolean; readonly content: readonly Media[] };
  readonly success: Success;
  /** What else a call may come to, by what it asks for. */
  readonly alternative?: Success;
  /** Beside those that belong to its caller, its limit, its path and every operation. */
  readonly faults: readonly AnyFaultType[];
  /** Limited by the minute, with headers that say so on every answer to a known client. */
  readonly limited?: true;
  /** Headers of every answer but 405. */
  readonly always?: Readonly<Record<string, string>>;
}

const CALLER_FAULTS: Readonly<Record<Operation['caller'], readonly AnyFaultType[]>> = {
  quote: ['InvalidAuthorizationException', 'request.forbidden'],
  batch: ['InvalidAuthorizationException', 'request.forbidden'],
  token: ['InvalidAuthorizationException'],
  credentials: ['InvalidCredentialsException'],
  everybody: [],
};

/** Every fault that an operation may have. */
export const faultsOf = ({ caller, limited, faults }: Operation): readonly AnyFaultType[] => [
  ...new Set<AnyFaultType>([
    ...CALLER_FAULTS[caller],
    ...faults,
    ...(limited ? (['request.rateLimited'] as const) : []),
    'request.invalidHost',
    'request.methodNotAllowed',
    'service.internalError',
  ]),
];
