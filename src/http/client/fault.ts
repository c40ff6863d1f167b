/** A failed call as a value: the service's fault, or the client's own if the service did not answer. */
import type { ServiceFaultType } from './calls.ts';

/**
 * `network`: no answer, or only part of one. `unknown`: an answer from something else, such as a proxy. A later
 * service may have more types.
 */
export type ApiFaultType = ServiceFaultType | 'network' | 'unknown' | (string & {});

interface FaultDetails extends ErrorOptions {
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly header?: readonly string[];
  readonly retryAfterMs?: number;
}

/** Each call rejects with this error. `.catch(asFault)` returns it as a value instead. */
export class ApiFault extends Error {
  /** The HTTP status, or 0 without an answer. */
  readonly status: number;
  readonly type: ApiFaultType;
  /** The input that the fault is about, by name. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** The column names of a list that was refused because of its columns. */
  readonly header: readonly string[];
  /** Milliseconds that the service asks to wait, at most a minute. 0 if it does not ask. */
  readonly retryAfterMs: number;

  constructor(status: number, type: ApiFaultType, message: string, details: FaultDetails = {}) {
    super(message, details);
    this.name = 'ApiFault';
    this.status = status;
    this.type = type;
    this.arguments = details.arguments ?? {};
    this.header = details.header ?? [];
    this.retryAfterMs = details.retryAfterMs ?? 0;
  }

  /** Whether the same call may succeed later: after a limit, an outage, or while the first call with its key is running. */
  get isPassing(): boolean {
    const { status, type } = this;
    if (status === 0) return !isUntrusted(this.cause);
    return status === 429 || status >= 500 || type === 'idempotency.inProgress';
  }
}

/** For `.catch`: returns the fault of a call as a value. @throws any other error, such as a signal's reason */
export const asFault = (error: unknown): ApiFault => {
  if (error instanceof ApiFault) return error;
  throw error;
};

/** The code of a network error, or an empty string if the runtime gives none. */
export const networkCode = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  // The code of a DOMException is a meaningless number.
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
};

const isUntrusted = (error: unknown): boolean => /^ERR_SSL|^EPROTO|CERT|SIGNATURE/.test(networkCode(error));

export const noAnswer = (server: string, cause?: unknown): ApiFault =>
  new ApiFault(0, 'network', 'The service does not answer. Check your connection, then try again.', {
    arguments: { server },
    cause,
  });

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const MOST_WAIT_MS = 60_000;

/** `Retry-After` in seconds, the only form that this service sends. */
const retryAfterMs = (headers: Headers): number => {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) ? Math.min(MOST_WAIT_MS, Math.max(0, seconds * 1_000)) : 0;
};

/** The fault for an answer that is not from this service. */
export const notOurs = ({ status, headers }: Response, server: string): ApiFault =>
  new ApiFault(status, 'unknown', `The service answered with status ${status}. Try again later.`, {
    arguments: { server },
    retryAfterMs: retryAfterMs(headers),
  });

/** The fault in an answer. A proxy's answer has none. */
export const faultIn = async (answer: Response, server: string): Promise<ApiFault> => {
  const body: unknown = await answer.json().catch(() => undefined);
  const fault = isRecord(body) ? body['fault'] : undefined;
  if (!isRecord(body) || !isRecord(fault)) return notOurs(answer, server);
  const { type, message, arguments: args } = fault;
  const header = body['header'];
  return new ApiFault(answer.status, String(type), String(message), {
    arguments: isRecord(args) ? args : {},
    header: Array.isArray(header) ? header.map(String) : [],
    retryAfterMs: retryAfterMs(answer.headers),
  });
};
