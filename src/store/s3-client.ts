/**
 * The connection to an object store, with what the SDK does not have by itself: a time-out on every call. Each is tried
 * three times at most. A server of one's own is asked by path, and for no checksum that Amazon's alone knows.
 */
import { createHash } from 'node:crypto';
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { S3Access } from '../config/settings.ts';
import { StoreFailure } from './store.ts';

const TRIES = 3;
const CONNECT_MS = 2_000;
/** Nothing moves on the connection: longer than a server takes for anything that it is told to do by itself. */
const IDLE_MS = 20_000;
/** From the request to the answer's beginning: with some MB to send, and without. */
const ANSWER_MS = 10_000;
export const PROMPT = { requestTimeout: 5_000 } as const;
/** Until the server has copied, put together or removed what it was told to. */
export const PATIENT = { requestTimeout: IDLE_MS } as const;
/** More than one process ever asks at once. */
const MOST_SOCKETS = 128;

/** The bucket, and where in it the store begins: empty, or with a `/` at its end. */
export interface Place {
  readonly client: S3Client;
  readonly bucket: string;
  readonly root: string;
}

/**
 * Removing many objects is the one call that must carry a digest. Amazon's takes any, all others take MD5 alone, which
 * the SDK has given up.
 */
const digestAsMd5 = (client: S3Client): void => {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const { request } = args;
        if (commandName !== 'DeleteObjectsCommand' || typeof request !== 'object' || request === null)
          return next(args);
        if (!('body' in request) || !('headers' in request)) return next(args);
        const { body, headers } = request;
        if ((typeof body !== 'string' && !(body instanceof Uint8Array)) || typeof headers !== 'object')
          return next(args);
        const others = Object.entries(headers ?? {}).filter(([name]) => !/^x-amz-(?:sdk-)?checksum/i.test(name));
        const md5 = createHash('md5').update(body).digest('base64');
        Object.assign(request, { headers: { ...Object.fromEntries(others), 'content-md5': md5 } });
        return next(args);
      },
    { step: 'build', priority: 'low', name: 'digestAsMd5' },
  );
};

export const createS3Client = ({ endpoint, region, credentials }: S3Access): S3Client => {
  const agent = { keepAlive: true, maxSockets: MOST_SOCKETS };
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
    maxAttempts: TRIES,
    // Else all over 2 MiB is sent on a connection of its own, and not at all to a server that never says to go on: the
    // SDK waits for that word as long as for the answer.
    expectContinueHeader: false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: new NodeHttpHandler({
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: IDLE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    }),
  });
  digestAsMd5(client);
  return client;
};

const isNamed = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name);

/** There is no such object. That there is no such bucket is a failure. */
export const isMissing = (error: unknown): boolean => isNamed(error, 'NoSuchKey', 'NotFound');
export const isPastEnd = (error: unknown): boolean => isNamed(error, 'InvalidRange');
export const isNoUpload = (error: unknown): boolean => isNamed(error, 'NoSuchUpload');

/** What comes of a call. @throws {StoreFailure} which says what was not done, with the reason as its cause */
export const asked = async <T>(what: string, call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw new StoreFailure(what, { cause: error });
  }
};
