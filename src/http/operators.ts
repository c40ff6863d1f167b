/**
 * `/ops/queues`: the queue board for operators. It requires OPERATOR_TOKEN, as a bearer token or, for browsers, as a
 * cookie that the form sets. It changes nothing.
 */

import { createHmac } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { AppControllerRoute } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Request, RequestHandler, Response, Router } from 'express';
import helmet from 'helmet';
import type { Queues } from '../queue/jobs.ts';
import { Failed } from '../rating/fault.ts';
import { bearerOf, cookieOf, isSame } from './auth.ts';
import { readText, SIGN_IN_BYTES } from './body.ts';
import { type HttpFault, orUnavailable } from './faults.ts';
import { createAllowance } from './limits.ts';
import { createForm, sendStyle } from './operator-form.ts';
import { sendFault } from './reply.ts';
import { addRoute, createRouter, pathOf } from './routes.ts';

export const OPERATORS_PATH = '/ops/queues';

const COOKIE = 'rates_operator';
const COOKIE_SECONDS = 8 * 3_600;
/** Limit on wrong tokens from one address. */
const TRIES_PER_MINUTE = 10;

const SESSION_PATH = `${OPERATORS_PATH}/session`;
const STYLE_PATH = `${OPERATORS_PATH}/sign-in.css`;

const protect = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'"],
      'base-uri': ["'self'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    },
  },
  strictTransportSecurity: false,
});

/** A browser asks for a page; other callers, and those with a bearer token, get the fault. */
const isBrowser = (req: Request): boolean => bearerOf(req) === '' && (req.headers.accept ?? '').includes('text/html');

const unauthorized: HttpFault = {
  type: 'InvalidAuthorizationException',
  reason: 'the operator token is missing or wrong',
  error: 'invalid_token',
};

export interface OperatorDeps {
  readonly queues: Queues;
  readonly operatorToken: string;
}

/** The board's pages, files and calls that read. Each path has one spelling. */
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
        const { status = 200, body } = await orUnavailable('redis', asked);
        res.status(status).json(body);
      };
      for (const path of [route].flat()) router.get(path, answer);
    }
    this.app.use(router);
    return this;
  }
}

const boardOf = ({ queues }: OperatorDeps): RequestHandler => {
  const serverAdapter = new Board().setBasePath(OPERATORS_PATH);
  createBullBoard({
    queues: queues.all.map((queue) => new BullMQAdapter(queue, { readOnlyMode: true })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Queues' } },
  });
  return serverAdapter.getRouter();
};

/** @returns the router for `/ops/queues` */
export const operatorRoutes = (deps: OperatorDeps): Router => {
  const { operatorToken } = deps;
  // The cookie opens the board; it does not reveal the token.
  const session = createHmac('sha256', operatorToken).update('session').digest('base64url');
  const allowance = createAllowance('operators');
  const sendForm = createForm({ postTo: SESSION_PATH, style: STYLE_PATH });

  /** Refuses a wrong token, and limits further tries. */
  const refuse = async (req: Request, res: Response): Promise<void> => {
    const limited = await allowance.take(res, req.socket.remoteAddress ?? '', TRIES_PER_MINUTE);
    if (isBrowser(req)) sendForm(res, limited ?? unauthorized);
    else sendFault(res, limited ?? unauthorized);
  };

  const enter: RequestHandler = async (req, res) => {
    const body = await readText(req, { accepted: ['application/x-www-form-urlencoded'], limit: SIGN_IN_BYTES });
    if (body instanceof Failed) return sendFault(res, body.fault);
    if (!isSame(new URLSearchParams(body.text).get('token') ?? '', operatorToken)) return await refuse(req, res);
    res.cookie(COOKIE, session, {
      path: OPERATORS_PATH,
      httpOnly: true,
      sameSite: 'strict',
      secure: req.secure,
      maxAge: COOKIE_SECONDS * 1_000,
    });
    res.redirect(303, OPERATORS_PATH);
  };

  const guard: RequestHandler = async (req, res, next) => {
    if (isSame(cookieOf(req, COOKIE), session) || isSame(bearerOf(req), operatorToken)) return next();
    if (isBrowser(req)) sendForm(res);
    else await refuse(req, res);
  };

  const readOnly: RequestHandler = (req, res, next) => {
    if (req.method === 'GET' || req.method === 'HEAD') return next();
    sendFault(res, { type: 'request.methodNotAllowed', path: pathOf(req), allow: ['GET', 'HEAD'] });
  };

  const router = createRouter();
  router.use(protect);
  addRoute(router, '/session', { get: (_req, res) => res.redirect(303, OPERATORS_PATH), post: enter });
  addRoute(router, '/sign-in.css', { get: sendStyle });
  router.use(guard, readOnly, boardOf(deps));
  return router;
};
