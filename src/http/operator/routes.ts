/**
 * What is below `/ops`, for whoever runs the service: the calls of the operator's pages and the queue board. Without
 * OPERATOR_TOKEN there is none of it. The pages are those of the console at `#/operator`.
 */
import type { Router } from 'express';
import { mount } from '../mount.ts';
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
