/**
 * `/ops/queues`: the queue board for operators. It requires OPERATOR_TOKEN as a bearer token, or the operator's
 * session. Browsers without either are redirected to the console, where operators sign in. The board changes nothing.
 */

import { join } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { AppControllerRoute } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Request, RequestHandler, Router } from 'express';
import { ROOT } from '../../base/config/settings.ts';
import { Failed } from '../../base/failed.ts';
import { RUNS_SOURCES } from '../../base/process/programs.ts';
import { bearerOf } from '../auth.ts';
import type { HttpFault } from '../faults.ts';
import { pagePolicy } from '../pages.ts';
import { sendFault } from '../reply.ts';
import { createRouter, pathOf } from '../routes.ts';
import type { OperatorService } from './service.ts';
import { OPERATOR_PATH } from './session.ts';

const BOARD_PATH = `${OPERATOR_PATH}/queues`;
/** The board's pages. The bundles have a copy next to them. */
const BOARD_FILES = RUNS_SOURCES ? join(ROOT, 'node_modules/@bull-board/ui') : join(ROOT, 'dist/bundle/board');

/** The console page that asks operators for their token. */
const SIGN_IN = '/#/operator';

/** Whether a browser asks for a page. Other callers, and callers with a bearer token, get the fault. */
const isBrowser = (req: Request): boolean => bearerOf(req) === '' && (req.headers.accept ?? '').includes('text/html');

const unauthorized: HttpFault = {
  type: 'InvalidAuthorizationException',
  reason: 'the operator token is missing or wrong',
  error: 'invalid_token',
};

type BoardDeps = Pick<OperatorService, 'queues' | 'sessions'>;

/** The board's pages, files and read-only calls. Each path has one spelling. */
class Board extends ExpressAdapter {
  constructor() {
    super();
    this.app.enable('case sensitive routing').enable('strict routing').disable('x-powered-by');
  }

  override setApiRoutes(routes: AppControllerRoute[]): this {
    const queues = this.bullBoardQueues;
    if (queues === undefined) throw new Error('the board has no queues');
    const router = createRouter();
    for (const { route, handler } of routes.filter(({ method }) => [method].flat().includes('get'))) {
      const answer: RequestHandler = async ({ query, params }, res) => {
        // The board only reads Redis. Errors of Redis go to the log, not to callers.
        const asked = Promise.resolve(
          handler({ queues, uiConfig: this.uiConfig, query, params, body: {}, headers: {} }),
        );
        const { status = 200, body } = await asked;
        res.status(status).json(body);
      };
      for (const path of [route].flat()) router.get(path, answer);
    }
    this.app.use(router);
    return this;
  }
}

const boardOf = ({ queues }: BoardDeps): RequestHandler => {
  const serverAdapter = new Board().setBasePath(BOARD_PATH);
  createBullBoard({
    queues: queues.all.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter,
    options: { uiBasePath: BOARD_FILES, uiConfig: { boardTitle: 'Queues' } },
  });
  return serverAdapter.getRouter();
};

/** @returns the router for `/ops/queues` */
export const boardRoutes = (deps: BoardDeps): Router => {
  const { sessions } = deps;
  const guard: RequestHandler = async (req, res, next) => {
    const bearer = bearerOf(req);
    if (bearer === '') {
      if (!((await sessions.session.signedIn(req)) instanceof Failed)) return next();
      return isBrowser(req) ? res.redirect(303, SIGN_IN) : sendFault(res, unauthorized);
    }
    const fault = await sessions.judge(req, res, bearer);
    if (fault === undefined) return next();
    sendFault(res, fault.type === 'InvalidCredentialsException' ? unauthorized : fault);
  };

  const readOnly: RequestHandler = (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') return next();
    sendFault(res, { type: 'request.methodNotAllowed', path: pathOf(req), allow: ['GET', 'HEAD'] });
  };

  const router = createRouter();
  router.use(pagePolicy("'self'"));
  router.use(guard, readOnly, boardOf(deps));
  return router;
};
