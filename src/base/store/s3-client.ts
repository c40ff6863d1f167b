/**
 * The client of an object store. Every call has a timeout, which the SDK does not set, and at most three tries. Servers
 * other than Amazon's get path-style requests and no Amazon-specific checksums.
 */
import { createHash } from 'node:crypto';
import { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { S3Access } from '../config/settings.ts';
import { StoreFailure } from './store.ts';

const TRIES = 3;
const CONNECT_MS = 2_000;
/** Maximum time without traffic on a connection. It is longer than any server-side operation takes. */
const IDLE_MS = 20_000;
/** From the request to the start of the response, for requests with up to some MB of data. */
const ANSWER_MS = 10_000;
/** The limit for requests without data. */
export const PROMPT = { requestTimeout: 5_000 } as const;
/** The limit for requests that copy, join or remove objects on the server. */
export const PATIENT = { requestTimeout: IDLE_MS } as const;
/** More than one process ever uses at once. */
const MOST_SOCKETS = 128;

export interface S3Location {
  readonly client: S3Client;
  readonly bucket: string;
  /** The prefix of the store's objects: empty, or with a `/` at its end. */
  readonly root: string;
}

/**
 * Sends an MD5 digest with DeleteObjects, the only call that requires a digest. Amazon accepts any digest, but other servers
 * accept only MD5, which the SDK no longer sends.
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
    // With this header the SDK sends bodies over 2 MiB on separate connections. It never sends them to a server that does
    // not answer 100 Continue: it waits for that as long as for the response.
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

/** Returns whether an error means that the object does not exist. A missing bucket is a failure instead. */
export const isMissing = (error: unknown): boolean => isNamed(error, 'NoSuchKey', 'NotFound');
export const isPastEnd = (error: unknown): boolean => isNamed(error, 'InvalidRange');
export const isNoUpload = (error: unknown): boolean => isNamed(error, 'NoSuchUpload');

/** Awaits a call. @param what the action, for the error. @throws {StoreFailure} with the reason as its cause */
export const orStoreFailure = async <T>(what: string, call: Promise<T>): Promise<T> => {
  try {
    return await call;
  } catch (error) {
    throw new StoreFailure(what, { cause: error });
  }
};
