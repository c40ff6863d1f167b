/**
 * Pages for browsers: the console at `/`, and the OpenAPI document with Swagger UI at `/docs`. `npm run build` makes their
 * files. Everything comes from this service: no page loads anything from another host.
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { SWAGGER_UI_FILES } from '../swagger-ui-files.ts';
import { openApiDocument } from './openapi/document.ts';
import { sendJsonBytes } from './reply.ts';
import { addRoute, mountOperations } from './routes.ts';

const NOT_BUILT = 'The console is not built yet. Run: npm run build\nThen load this page again.\n';

/** Pages load from and call this host only, and no other page may frame them. */
const pagePolicy = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  // A proxy that terminates TLS sends this header itself.
  strictTransportSecurity: false,
});

const isMissing = (error: Error): boolean => 'code' in error && error.code === 'ENOENT';

const consolePage =
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

/** Adds the console's page, and its assets, whose names change with their content. @param dir the built console */
export const addConsolePages = (router: Router, dir: string): void => {
  addRoute(router, '/', { get: [pagePolicy, consolePage(dir)] });
  addRoute(router, '/console/assets/:name', {
    get: [
      pagePolicy,
      (req, res) =>
        res.sendFile(String(req.params['name']), { root: join(dir, 'assets'), immutable: true, maxAge: '365d' }),
    ],
  });
};

const DOCS_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Shipping rates</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="pages"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

// Swagger UI's validator is a service on another host.
const DOCS_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#pages', deepLinking: true, validatorUrl: null });
`;

const sendDocsScript: RequestHandler = (_req, res) => {
  res.type('js').set('Cache-Control', 'no-cache').send(DOCS_SCRIPT);
};

/** @param dir the folder with the built files of Swagger UI */
const docsPage =
  (dir: string): RequestHandler =>
  async (_req, res) => {
    const isBuilt = await Promise.all(SWAGGER_UI_FILES.map((name) => access(join(dir, name)))).then(
      () => true,
      () => false,
    );
    if (isBuilt) res.type('html').set('Cache-Control', 'no-cache').send(DOCS_PAGE);
    else res.status(503).type('text').send(NOT_BUILT);
  };

/** Adds the OpenAPI document and its pages. @param consoleDir the built console */
export const addDocs = (router: Router, consoleDir: string): void => {
  const dir = join(consoleDir, 'docs');
  let document: Buffer | undefined;
  mountOperations(router, {
    getDocument: (_req, res) => {
      document ??= Buffer.from(JSON.stringify(openApiDocument()));
      sendJsonBytes(res, document);
    },
    getPages: [pagePolicy, docsPage(dir)],
  });
  addRoute(router, '/docs/start.js', { get: [pagePolicy, sendDocsScript] });
  for (const name of SWAGGER_UI_FILES)
    addRoute(router, `/docs/${name}`, {
      get: [pagePolicy, (_req, res) => res.sendFile(name, { root: dir, maxAge: '1d' })],
    });
};
