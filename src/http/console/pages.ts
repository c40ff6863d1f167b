/** The console's files, as `npm run build` leaves them: the page at `/`, and what it loads under names of their content. */
import { join } from 'node:path';
import type { RequestHandler, Router } from 'express';
import { pagePolicy } from '../page-policy.ts';
import { addRoute } from '../routes.ts';

export const NOT_BUILT = 'The console is not built yet. Run: npm run build\nThen load this page again.\n';

const isMissing = (error: Error): boolean => 'code' in error && error.code === 'ENOENT';

const page =
  (dir: string): RequestHandler =>
  (_req, res, next) => {
    res.sendFile(
      'index.html',
      { root: dir, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } },
      (error) => {
        if (error === undefined || res.headersSent) return;
        if (isMissing(error)) res.status(503).type('text').send(NOT_BUILT);
        else next(error);
      },
    );
  };

/** @param dir the folder that the console was built to */
export const addPages = (router: Router, dir: string): void => {
  addRoute(router, '/', { get: [pagePolicy, page(dir)] });
  addRoute(router, '/console/assets/:name', {
    get: [
      pagePolicy,
      (req, res) =>
        res.sendFile(String(req.params['name']), { root: join(dir, 'assets'), immutable: true, maxAge: '365d' }),
    ],
  });
};
