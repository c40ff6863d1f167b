/**
 * Sends one message to a client's webhook, signed as the Standard Webhooks specification says. The host's addresses are
 * looked up once and checked, and the connection goes to a checked address, even if the name resolves differently later.
 * Redirects are not followed, and every attempt ends in time.
 */
import { createHmac } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { withDeadline } from '../deadline.ts';
import { must } from '../must.ts';

/*
 * Decides which hosts messages may go to: only hosts on the public internet. All addresses of a host must be public.
 * The URL parser has normalized other spellings of an address (decimal, hex, octal, shortened).
 */

type Subnet = readonly [network: string, prefix: number];

/**
 * IANA's special-purpose IPv4 registry, plus multicast and reserved addresses: this network, private, carrier-grade NAT,
 * loopback, link-local (which cloud metadata services use), protocols, documentation, relays, benchmarks.
 */
const SPECIAL_V4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Global unicast. IPv4-mapped addresses, loopback, link-local and private addresses are outside of it. */
const GLOBAL_V6: readonly Subnet[] = [['2000::', 3]];

/** Exceptions: protocols and tunnels that carry IPv4 (Teredo, 6to4), and documentation. */
const SPECIAL_V6: readonly Subnet[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const listOf = (subnets: readonly Subnet[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
};

const specialV4 = listOf(SPECIAL_V4, 'ipv4');
const globalV6 = listOf(GLOBAL_V6, 'ipv6');
const specialV6 = listOf(SPECIAL_V6, 'ipv6');

/** Returns whether an IP address is public. */
export const isPublic = (address: string): boolean => {
  // An address with a zone belongs to a link of this machine.
  if (address.includes('%')) return false;
  switch (isIP(address)) {
    case 4:
      return !specialV4.check(address, 'ipv4');
    case 6:
      return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
    default:
      return false;
  }
};

/** @returns the address that a URL has as its host. Undefined if it has a name */
const addressIn = ({ hostname }: URL): LookupAddress | undefined => {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? undefined : { address, family };
};

/** Whether messages to a URL are refused whatever its name resolves to. */
export const isPrivate = (url: URL): boolean => {
  const own = addressIn(url);
  return own === undefined ? url.hostname === 'localhost' : !isPublic(own.address);
};

/** Returns all addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Returns the addresses of a URL's host. The host may itself be an address. */
const addressesOf = async (url: URL, resolve: Resolve): Promise<readonly LookupAddress[]> => {
  const own = addressIn(url);
  return own === undefined ? await resolve(url.hostname) : [own];
};

export interface Target {
  readonly url: string;
  /** `whsec_` and the key in base64. */
  readonly signingSecret: string;
}

export interface Message {
  /** The same at each attempt, so that a receiver recognizes a message that it has received. */
  readonly id: string;
  readonly body: string;
}

export interface Answered {
  /** Null without a response. */
  readonly status: number | null;
  /** Beginning of the response body. */
  readonly body: string;
  /** Why the message did not arrive, in words for the client. */
  readonly problem: string | null;
  readonly ms: number;
}

/** Dependencies that tests replace. */
interface SenderDeps {
  readonly resolve?: Resolve;
  /** Allows private addresses and http. No setting of the service turns it on. */
  readonly allowPrivate?: boolean;
  /** Maximum duration of an attempt. Default: `DEADLINE_SECONDS`. */
  readonly seconds?: number;
}

/** Maximum duration of an attempt, from the DNS lookup to the beginning of the response body. */
const DEADLINE_SECONDS = 15;

/** @param signal aborts it: it then rejects with the reason of the signal */
export type Send = (target: Target, message: Message, at: Date, signal: AbortSignal) => Promise<Answered>;

const MOST_BODY_BYTES = 1_024;

/** A target that messages must not go to. */
class RefusedTarget extends Error {}

const signatureOf = (secret: string, id: string, seconds: number, body: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
};

const headersOf = ({ signingSecret }: Target, { id, body }: Message, at: Date): Record<string, string | number> => {
  const seconds = Math.floor(at.getTime() / 1_000);
  return {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'shipping-rates',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatureOf(signingSecret, id, seconds, body),
  };
};

const orAborted = async <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> => {
  signal.throwIfAborted();
  let abort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
  }
};

/** Answers each DNS lookup with the addresses that were checked, so that they cannot change in between. */
const pinnedTo =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };

const post = (
  url: URL,
  addresses: readonly LookupAddress[],
  headers: Record<string, string | number>,
  body: string,
  signal: AbortSignal,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestByHttps : requestByHttp;
    const req = request(url, { method: 'POST', headers, agent: false, signal, lookup: pinnedTo(addresses) });
    req.once('response', resolve).on('error', reject);
    req.end(body);
  });

/** Reads the beginning of the body. The rest is not awaited. */
const beginningOf = async (answer: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of answer) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= MOST_BODY_BYTES) break;
    }
  } catch {
    // The status has arrived, and only it matters.
  }
  return Buffer.concat(pieces).subarray(0, MOST_BODY_BYTES).toString('utf8');
};

const isGood = (status: number): boolean => status >= 200 && status < 300;

const problemOf = (status: number): string | null => {
  if (isGood(status)) return null;
  return status >= 300 && status < 400 ? 'redirects are not followed' : `the response status was ${status}`;
};

const wordsOf = (error: unknown, attemptMs: number): string => {
  if (error instanceof RefusedTarget) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError') return `there was no answer within ${attemptMs} ms`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return `the connection failed: ${code}`;
};

const byName: Resolve = (hostname) => lookup(hostname, { all: true });

export const createSender = ({
  resolve = byName,
  allowPrivate = false,
  seconds = DEADLINE_SECONDS,
}: SenderDeps = {}): Send => {
  const attemptMs = seconds * 1_000;

  const lookUp = async (url: URL, signal: AbortSignal): Promise<readonly LookupAddress[]> => {
    if (allowPrivate) return await orAborted(addressesOf(url, resolve), signal);
    if (url.protocol !== 'https:') throw new RefusedTarget('it is not an https URL');
    // An unknown name gives the same answer as a private one, so that nothing about the internal network is revealed.
    const addresses = await orAborted(
      addressesOf(url, resolve).catch(() => []),
      signal,
    );
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublic(address)))
      throw new RefusedTarget(
        'the host name cannot be resolved to a public address, or also resolves to a private one',
      );
    return addresses;
  };

  const attempt = async (target: Target, message: Message, at: Date, signal: AbortSignal) => {
    try {
      const url = new URL(target.url);
      const addresses = await lookUp(url, signal);
      const answer = await post(url, addresses, headersOf(target, message, at), message.body, signal);
      const status = must(answer.statusCode, 'the status of an answer');
      return { status, body: await beginningOf(answer), problem: problemOf(status) };
    } catch (error) {
      // An aborted request rejects with its own error. The signal has the real reason.
      throw signal.aborted ? signal.reason : error;
    }
  };

  return async (target, message, at, signal) => {
    const begun = performance.now();
    const ms = (): number => Math.round(performance.now() - begun);
    try {
      const answered = await withDeadline(attemptMs, signal, (inTime) => attempt(target, message, at, inTime));
      return { ...answered, ms: ms() };
    } catch (error) {
      signal.throwIfAborted();
      return { status: null, body: '', problem: wordsOf(error, attemptMs), ms: ms() };
    }
  };
};
