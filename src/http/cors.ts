/** Calls from pages of other hosts (CORS): none, but for those that the setting CORS_ORIGINS names. */
import cors from 'cors';
import type { RequestHandler } from 'express';

const SEEN_HEADERS = [
  'X-Request-Id',
  'Location',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Batch-Complete',
  'Batch-Revision',
  'Content-Disposition',
  'WWW-Authenticate',
  'Idempotent-Replayed',
];
const PREFLIGHT_SECONDS = 600;

/** @param origins exact origins, such as `https://shop.example.com` */
export const allowOrigins = (origins: readonly string[]): RequestHandler =>
  cors({
    origin: [...origins],
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Content-Encoding',
      'Idempotency-Key',
      'Last-Event-ID',
      'X-Request-Id',
    ],
    exposedHeaders: SEEN_HEADERS,
    // Callers show a token; a cookie is nobody's but the console's.
    credentials: false,
    maxAge: PREFLIGHT_SECONDS,
  });
