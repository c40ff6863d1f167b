/**
 * Pages for browsers: the console at `/`, and the quick start with the reference at `/docs`. `npm run build` makes what they
 * load. Everything comes from this service: no page loads anything from another host.
 */
import { createHash } from 'node:crypto';
import { access, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { createLoadCache } from '../bounded-cache.ts';
import { inSlices } from '../time-slices.ts';
import { docsPage } from './docs/page.ts';
import { readPrograms } from './docs/quick-start.ts';
import { openApiDocument } from './openapi/document.ts';
import { sendFault, sendJsonBytes } from './reply.ts';
import { addRoute, mountOperations, pathOf } from './routes.ts';

const compress = promisify(gzip);

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

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** The console has fewer. */
const MOST_FILES = 100;
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/;

/**
 * Serves files of a folder from memory, for files whose content never changes while the service runs. A file that is
 * streamed makes so much garbage that quotes wait for its collection.
 */
const filesOf = (dir: string, cacheControl: string): ((name: string) => RequestHandler) => {
  const cached = createLoadCache<{ readonly bytes: Buffer; readonly etag: string }>(MOST_FILES);
  const load = async (name: string) => {
    const bytes = await readFile(join(dir, name));
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
  };
  return (name) => async (req, res) => {
    const notFound = (): void => sendFault(res, { type: 'request.notFound', path: pathOf(req) });
    if (!FILE_NAME.test(name)) return notFound();
    try {
      const { bytes, etag } = await cached(name, () => load(name));
      res.type(extname(name)).set({ 'Cache-Control': cacheControl, ETag: etag }).send(bytes);
    } catch (error) {
      if (!isMissing(error)) throw error;
      notFound();
    }
  };
};

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
  const asset = filesOf(join(dir, 'assets'), 'public, max-age=31536000, immutable');
  addRoute(router, '/console/assets/:name', {
    get: [pagePolicy, (req, res, next) => asset(String(req.params['name']))(req, res, next)],
  });
};

/** What the page at `/docs` loads. The build copies it beside the console. */
const DOCS_FILES = ['docs.css', 'docs.js', 'icon.svg'] as const;

/** Made once: it depends on nothing that changes. */
const makeDocsPage = async () => {
  const plain = Buffer.from(await inSlices(docsPage(await readPrograms())));
  return { plain, compressed: await compress(plain) };
};

const makeDocument = async (): Promise<Buffer> => Buffer.from(JSON.stringify(await inSlices(openApiDocument())));

/** @param dir the folder with what the page loads */
const sendDocsPage = (dir: string): RequestHandler => {
  const cached = createLoadCache<Awaited<ReturnType<typeof makeDocsPage>>>(1);
  return async (req, res) => {
    const isBuilt = await Promise.all(DOCS_FILES.map((name) => access(join(dir, name)))).then(
      () => true,
      () => false,
    );
    if (!isBuilt) {
      res.status(503).type('text').send(NOT_BUILT);
      return;
    }
    const { plain, compressed } = await cached('page', makeDocsPage);
    res.type('html').set({ 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    if (req.acceptsEncodings('gzip') === false) res.send(plain);
    else res.set('Content-Encoding', 'gzip').send(compressed);
  };
};

/** Adds the OpenAPI document and its page. @param consoleDir the built console */
export const addDocs = (router: Router, consoleDir: string): void => {
  const dir = join(consoleDir, 'docs');
  const document = createLoadCache<Buffer>(1);
  mountOperations(router, {
    getDocument: async (_req, res) => sendJsonBytes(res, await document('document', makeDocument)),
    getPages: [pagePolicy, sendDocsPage(dir)],
  });
  const docsFile = filesOf(dir, 'no-cache');
  for (const name of DOCS_FILES) addRoute(router, `/docs/${name}`, { get: [pagePolicy, docsFile(name)] });
};
