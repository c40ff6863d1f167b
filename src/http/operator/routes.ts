/**
 * The routes below `/ops`, for operators: the calls of the operator's pages and the queue board. They exist only with
 * OPERATOR_TOKEN. The console has the pages, at `#/operator`.
 */
import type { Router } from 'express';
import { mount } from '../call.ts';
import { unkept } from '../reply.ts';
import { createRouter } from '../routes.ts';
import { boardRoutes } from './board.ts';
import { OPERATOR_CALLS } from './calls.ts';
import { sendRefusals } from './refusal.ts';
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
