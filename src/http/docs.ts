/** `GET /openapi.json` and `GET /docs`: the document, and Swagger UI on it. All of it is served from here: no outside host. */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequestHandler, Router } from 'express';
import { SWAGGER_UI_FILES } from '../swagger-ui-files.ts';
import { NOT_BUILT } from './console/pages.ts';
import { openApiDocument } from './openapi/document.ts';
import { pagePolicy } from './page-policy.ts';
import { sendJsonBytes } from './reply.ts';
import { addRoute } from './routes.ts';

const PAGE = `<!doctype html>
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

// Its validator lives elsewhere, so it is off.
const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#pages', deepLinking: true, validatorUrl: null });
`;

const sendStart: RequestHandler = (_req, res) => {
  res.type('js').set('Cache-Control', 'no-cache').send(START);
};

/** @param dir the folder that Swagger UI's files were built to */
const page =
  (dir: string): RequestHandler =>
  async (_req, res) => {
    const isBuilt = await Promise.all(SWAGGER_UI_FILES.map((name) => access(join(dir, name)))).then(
      () => true,
      () => false,
    );
    if (isBuilt) res.type('html').set('Cache-Control', 'no-cache').send(PAGE);
    else res.status(503).type('text').send(NOT_BUILT);
  };

/** Adds the document and its pages to an app. @param consoleDir the folder that the console was built to */
export const addDocs = (router: Router, consoleDir: string): void => {
  const dir = join(consoleDir, 'docs');
  let document: Buffer | undefined;
  addRoute(router, '/openapi.json', {
    get: (_req, res) => {
      document ??= Buffer.from(JSON.stringify(openApiDocument()));
      sendJsonBytes(res, document);
    },
  });
  addRoute(router, '/docs', { get: [pagePolicy, page(dir)] });
  addRoute(router, '/docs/start.js', { get: [pagePolicy, sendStart] });
  for (const name of SWAGGER_UI_FILES)
    addRoute(router, `/docs/${name}`, {
      get: [pagePolicy, (_req, res) => res.sendFile(name, { root: dir, maxAge: '1d' })],
    });
};
