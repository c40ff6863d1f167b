/**
 * Counts wrong secrets by sender. The right secret always passes. Otherwise a stranger could keep a client from getting
 * tokens. Guessing stays hopeless, because a secret has 256 random bits, and each try costs its sender a request.
 */
import { createHash } from 'node:crypto';
import { BlockList } from 'node:net';
import type { Request, Response } from 'express';
import { originOf } from '../../base/config/trusted-proxies.ts';
import type { Redis } from '../../base/redis/connection.ts';
import type { HttpFault } from '../faults.ts';
import { createAllowance } from './limits.ts';

/** Returns the address of a caller, or an empty string if its connection is gone. */
export type AddressOf = (req: Request) => string;

/** @param trusted proxies whose `X-Forwarded-For` is trusted. Default: none */
export const createAddressOf =
  (trusted: BlockList = new BlockList()): AddressOf =>
  ({ socket, headers }) =>
    originOf(socket.remoteAddress ?? '', String(headers['x-forwarded-for'] ?? ''), trusted);

/** Senders are counted by this many hash values, so that endless ids and addresses cannot fill the memory. */
const SENDERS = 65_536;

const numberOf = (sender: string): number => createHash('sha256').update(sender).digest().readUInt32BE() % SENDERS;

/** Counts one wrong try. @returns the fault to answer */
export type WrongTry = (req: Request, res: Response, id: string) => Promise<HttpFault>;

export interface WrongTryOptions {
  readonly addressOf: AddressOf;
  /** Limit on wrong tries per minute for one id from one address. */
  readonly perMinute: number;
  /** Set for tokens that name no client: the operator's token, and tokens of links to results. */
  readonly by?: 'operator';
  /** Where processes share the count. Undefined: this process counts alone. */
  readonly settleWith?: Redis | undefined;
}

export const createWrongTries = ({ addressOf, perMinute, by, settleWith }: WrongTryOptions): WrongTry => {
  const at = by === undefined ? {} : { by };
  const allowance = createAllowance('wrongSecrets', settleWith);
  return async (req, res, id) => {
    const limited = await allowance.take(res, `${numberOf(`${addressOf(req)} ${id}`)}`, perMinute);
    if (limited === undefined) return { type: 'InvalidCredentialsException', ...at };
    return { type: 'credentials.tooManyWrong', ...at, perMinute, retryAfterS: limited.retryAfterS };
  };
};

/** Limit on wrong secrets of a client. */
export const WRONG_SECRETS_PER_MINUTE = 60;
