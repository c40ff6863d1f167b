/**
 * What is below `/ops`, for whoever runs the service: the calls of the operator's pages and the queue board. Without
 * OPERATOR_TOKEN there is none of it. The pages are those of the console at `#/operator`.
 */
import type { RequestHandler, Router } from 'express';
import { Failed } from '../../rating/fault.ts';
import { readQuery } from '../batch-options.ts';
import type { OperatorOperationId } from '../operations.ts';
import { sendFault, sendJson, unkept } from '../reply.ts';
import { createRouter, mountOperations } from '../routes.ts';
import { type BoardDeps, boardRoutes } from './board.ts';
import { type HealthPageDeps, showHealth } from './health.ts';
import { sendRefusals } from './refusal.ts';
import { auditQuery } from './schemas.ts';
import { createOperatorSessions, OPERATOR_PATH, type OperatorSessionDeps } from './session.ts';

export interface OperatorDeps extends OperatorSessionDeps, Omit<BoardDeps, 'sessions'>, HealthPageDeps {
  /** The calls about clients, tariffs and so on. Absent: there are none. */
  readonly handlers?: OperatorHandlers;
}

/** Handlers of the operator's calls. They run behind the guard, so `operatorOf` names the operator. */
export type OperatorHandlers = Readonly<Partial<Record<OperatorOperationId, RequestHandler>>>;

const auditHandlers = ({ audit }: OperatorDeps): OperatorHandlers => ({
  listAudit: async (req, res) => {
    const query = readQuery(auditQuery, req);
    if (query instanceof Failed) return sendFault(res, query.fault);
    sendJson(res, 200, await audit.page(query.limit, query.before));
  },
});

/** @returns the router for `/ops` */
export const operatorRoutes = (deps: OperatorDeps): Router => {
  const sessions = createOperatorSessions(deps);
  const router = createRouter();
  mountOperations(router, sessions.handlers, { below: OPERATOR_PATH, guard: () => [unkept] });
  const handlers = { getOperatorHealth: showHealth(deps), ...auditHandlers(deps), ...deps.handlers };
  mountOperations(router, handlers, { below: OPERATOR_PATH, guard: () => [unkept, sessions.guard] });
  router.use(sendRefusals);
  router.use('/queues', boardRoutes({ ...deps, sessions }));
  return router;
};
