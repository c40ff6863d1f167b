/**
 * Pages for browsers: the console at `/`, and the quick start with the reference at `/docs`. `npm run build` makes the files
 * that they load. No page loads anything from another host.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { RequestHandler, Response, Router } from 'express';
import helmet from 'helmet';
import { z } from 'zod';
import { createLoadCache } from '../base/bounded-cache.ts';
import { rawCall } from './call.ts';
import { sendFault } from './reply.ts';
import { addRoute, pathOf } from './routes.ts';
import type { Service } from './service.ts';

const sendNotBuilt = (res: Response): void => {
  res.status(503).type('text').send('The pages are not built yet. Run: npm run build\nThen load this page again.\n');
};

/** Pages load from this host and call this host only. No other page may frame them. @param base what `<base>` may name */
export const pagePolicy = (base: "'none'" | "'self'") =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'"],
        'font-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'base-uri': [base],
        'form-action': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    // A proxy that terminates TLS sends this header itself.
    strictTransportSecurity: false,
  });
const protect = pagePolicy("'none'");

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Limit on cached files. The console has fewer. */
const MOST_FILES = 100;
/** Disks allow file names of up to 255 characters. */
const FILE_NAME = /^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,254}$/;

type Missing = (res: Response, path: string) => void;

const notFound: Missing = (res, path) => sendFault(res, { type: 'request.notFound', path });

/**
 * Serves files of a folder from memory. Their content must never change while the service runs. Streaming a
 * file makes so much garbage that quotes wait for its collection.
 */
const filesOf = (
  dir: string,
  cacheControl: string,
  missing: Missing = notFound,
): ((name: string, headers?: Readonly<Record<string, string>>) => RequestHandler) => {
  const cached = createLoadCache<{ readonly bytes: Buffer; readonly etag: string }>(MOST_FILES);
  const load = async (name: string) => {
    const bytes = await readFile(join(dir, name));
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
  };
  return (name, headers = {}) =>
    async (req, res) => {
      if (!FILE_NAME.test(name)) return missing(res, pathOf(req));
      try {
        const { bytes, etag } = await cached(name, () => load(name));
        res
          .type(extname(name))
          .set({ 'Cache-Control': cacheControl, ETag: etag, ...headers })
          .send(bytes);
      } catch (error) {
        if (!isMissing(error)) throw error;
        missing(res, pathOf(req));
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
        if (isMissing(error)) sendNotBuilt(res);
        else next(error);
      },
    );
  };

/** Adds the console's page and its assets. The names of assets change with their content. @param dir the built console */
export const addConsolePages = (router: Router, dir: string): void => {
  addRoute(router, '/', { get: [protect, consolePage(dir)] });
  const asset = filesOf(join(dir, 'assets'), 'public, max-age=31536000, immutable');
  addRoute(router, '/console/assets/:name', {
    get: [protect, (req, res, next) => asset(String(req.params['name']))(req, res, next)],
  });
};

/** What the page at `/docs` loads. */
const DOCS_FILES = ['docs.css', 'docs.js', 'icon.svg'] as const;

const docsOf = (consoleDir: string) => filesOf(join(consoleDir, 'docs'), 'no-cache', sendNotBuilt);

export const addDocsFiles = (router: Router, consoleDir: string): void => {
  const file = docsOf(consoleDir);
  for (const name of DOCS_FILES) addRoute(router, `/docs/${name}`, { get: [protect, file(name)] });
};

const showDocs = ({ consoleDir }: Service): RequestHandler[] => {
  const file = docsOf(consoleDir);
  const page = file('index.html', { Vary: 'Accept-Encoding' });
  const compressed = file('index.html.gz', {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Encoding': 'gzip',
    Vary: 'Accept-Encoding',
  });
  return [protect, (req, res, next) => (req.acceptsEncodings('gzip') === false ? page : compressed)(req, res, next)];
};

const BEGINNING = { openapi: '3.1.0', info: { title: 'Shipping rates', version: '1.0.0' }, paths: {} };
/** Headers that tell whether a cached copy is still valid. */
const KEPT = { 'Cache-Control': '`no-cache`', ETag: 'Changes with the content.' };

/** The OpenAPI document and its page. The build makes both (`src/http/docs/page.ts`). */
export const docsCalls = {
  getDocument: rawCall<Service>()({
    ...{ is: 'GET /openapi.json', caller: 'everybody', limit: 'none' },
    answer: z.record(z.string(), z.unknown()),
    doc: {
      tag: 'Operation',
      summary: 'This document',
      success: { status: 200, description: 'OpenAPI 3.1.', example: BEGINNING, headers: KEPT },
    },
    handlers: ({ consoleDir }) => docsOf(consoleDir)('openapi.json'),
  }),
  getPages: rawCall<Service>()({
    ...{ is: 'GET /docs', caller: 'everybody', limit: 'none' },
    doc: {
      tag: 'Operation',
      summary: 'A quick start and this reference, as a page',
      success: {
        status: 200,
        description: 'The page.',
        content: [{ type: 'text/html' }],
        headers: {
          ...KEPT,
          'Content-Encoding': { sometimes: '`gzip` if the request accepts it.' },
        },
      },
    },
    handlers: showDocs,
  }),
};
