/** Changes that are refused with words for people, as faults. */
import type { ErrorRequestHandler } from 'express';
import { ClientChangeError } from '../../clients/change-clients.ts';
import { ClientsFileError } from '../../clients/clients.ts';
import { PublishError } from '../../published/documents.ts';
import { RedisAway } from '../../published/pointer.ts';
import { ConfinedFailure } from '../../sandbox/run.ts';
import { systemCode } from '../../tariff/folders.ts';
import type { HttpFault } from '../faults.ts';
import { sendFault } from '../reply.ts';

const KINDS = [ClientChangeError, ClientsFileError, PublishError];

export const refused = (reason: string): HttpFault => ({ type: 'operator.refused', reason });

/** Undefined for errors that say nothing to people. */
const faultOf = (error: unknown): HttpFault | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (KINDS.some((kind) => error instanceof kind)) return refused(error.message);
  if (error instanceof ConfinedFailure) return { type: 'service.unavailable', dependency: 'reader' };
  if (error instanceof RedisAway) return { type: 'service.unavailable', dependency: 'redis' };
  // Of the file system. An operator can do something about it.
  if (systemCode(error) === undefined || !('path' in error)) return undefined;
  return refused(`The service cannot read or write a file: ${error.message}.`);
};

/** Answers a refused change with its reason. Handlers throw what the functions below them throw. */
export const sendRefusals: ErrorRequestHandler = (error: unknown, _req, res, next) => {
  const fault = faultOf(error);
  if (fault === undefined || res.headersSent) next(error);
  else sendFault(res, fault);
};
