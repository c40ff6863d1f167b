/** `GET /openapi.json` and `GET /docs`: the document, and Swagger UI on it. All of it is served from here: no outside host. */
import type { RequestHandler, Router } from 'express';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { openApiDocument } from './openapi/document.ts';
import { pagePolicy } from './page-policy.ts';
import { sendJson } from './reply.ts';
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

/** The files of Swagger UI that the page needs; nothing else of its folder is served. */
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const sendText =
  (type: string, text: string): RequestHandler =>
  (_req, res) => {
    res.type(type).set('Cache-Control', 'no-cache').send(text);
  };

/** Adds the document and its pages to an app. */
export const addDocs = (router: Router): void => {
  let document: ReturnType<typeof openApiDocument> | undefined;
  addRoute(router, '/openapi.json', {
    get: (_req, res) => {
      document ??= openApiDocument();
      sendJson(res, 200, document);
    },
  });
  addRoute(router, '/docs', { get: [pagePolicy, sendText('html', PAGE)] });
  addRoute(router, '/docs/start.js', { get: [pagePolicy, sendText('js', START)] });
  for (const name of FILES)
    addRoute(router, `/docs/${name}`, {
      get: [pagePolicy, (_req, res) => res.sendFile(name, { root: swaggerUiFolder(), maxAge: '1d' })],
    });
};
