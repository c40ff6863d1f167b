/**
 * The routes below `/ops`, for operators: the calls of the operator's pages and the queue board. They exist only with
 * OPERATOR_TOKEN. The console has the pages, at `#/operator`.
 */
import type { ErrorRequestHandler, Router } from 'express';
import { ToldError } from '../../base/failed.ts';
import { ClientChangeError } from '../../catalog/clients/change-clients.ts';
import { PublishError } from '../../catalog/documents/library.ts';
import { RedisAway } from '../../catalog/published/pointer.ts';
import { systemCode } from '../../catalog/tariff/folder-files.ts';
import { ConfinedFailure } from '../../files/sandbox/run.ts';
import { DraftRefused } from '../../import/drafts/ledger.ts';
import { TaskRefused } from '../../import/drafts/tasks.ts';
import type { Fault } from '../../rating/fault.ts';
import { mount } from '../call.ts';
import type { HttpFault } from '../faults.ts';
import { invalid } from '../input.ts';
import { sendFault, unkept } from '../reply.ts';
import { createRouter, pathOf } from '../routes.ts';
import { boardRoutes } from './board.ts';
import { OPERATOR_CALLS } from './calls.ts';
import type { OperatorService } from './service.ts';
import { createOperatorSessions, OPERATOR_PATH } from './session.ts';

/** @returns the router for `/ops` */
export const operatorRoutes = (given: Omit<OperatorService, 'sessions'>): Router => {
  const sessions = createOperatorSessions(given);
  const service = { ...given, sessions };
  const router = createRouter();
  mount(router, OPERATOR_CALLS, {
    ...{ service, below: OPERATOR_PATH },
    guard: ({ caller }) => (caller === 'operator' ? [unkept, sessions.guard] : [unkept]),
  });
  router.use(sendRefusals);
  router.use('/queues', boardRoutes(service));
  return router;
};

const KINDS = [ClientChangeError, PublishError, ToldError];

const draftFault = ({ why, problems }: DraftRefused, path: string): Fault | HttpFault => {
  const [[limit = 'draft', most = ''] = []] = Object.entries(problems);
  if (why === 'missing') return { type: 'request.notFound', path };
  return why === 'tooLarge' ? { type: 'request.tooLarge', limit, most } : invalid(problems).fault;
};

/** The fault of a refusal. Undefined for errors that mean nothing to people. */
const faultOf = (error: unknown, path: string): Fault | HttpFault | undefined => {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DraftRefused) return draftFault(error, path);
  if (error instanceof TaskRefused) return invalid({ draft: error.message }).fault;
  if (KINDS.some((kind) => error instanceof kind)) return { type: 'operator.refused', reason: error.message };
  if (error instanceof ConfinedFailure) return { type: 'service.unavailable', dependency: 'reader' };
  if (error instanceof RedisAway) return { type: 'service.unavailable', dependency: 'redis' };
  // Errors of the file system. An operator can do something about them.
  if (systemCode(error) === undefined || !('path' in error)) return undefined;
  return { type: 'operator.refused', reason: `The service cannot read or write a file: ${error.message}.` };
};

/** Answers a refused change with its reason. Handlers may throw any error of the functions that they call. */
const sendRefusals: ErrorRequestHandler = (error: unknown, req, res, next) => {
  const fault = faultOf(error, pathOf(req));
  if (fault === undefined || res.headersSent) next(error);
  else sendFault(res, fault);
};
