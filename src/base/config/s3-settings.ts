/** Access settings of an object store, from the environment variables that S3 programs share. */
import { z } from 'zod';
import { Failed } from '../failed.ts';
import { present } from '../present.ts';
import { check, pathText } from '../validation.ts';

/** The AWS SDK finds undefined settings in its usual places: a role, a profile, Amazon's servers. */
export interface S3Access {
  /** A server other than Amazon's. */
  readonly endpoint?: string;
  readonly region?: string;
  readonly credentials?: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
}

const endpoint = z.url({ protocol: /^https?$/, error: 'must be http://HOST:PORT or https://HOST:PORT' }).optional();

const variables = z
  .object({
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: z.string().optional(),
    AWS_DEFAULT_REGION: z.string().optional(),
    AWS_ACCESS_KEY_ID: z.string().optional(),
    AWS_SECRET_ACCESS_KEY: z.string().optional(),
    AWS_SESSION_TOKEN: z.string().optional(),
  })
  .refine((given) => (given.AWS_ACCESS_KEY_ID === undefined) === (given.AWS_SECRET_ACCESS_KEY === undefined), {
    path: ['AWS_SECRET_ACCESS_KEY'],
    error: 'must be set with AWS_ACCESS_KEY_ID, or neither of them',
  });

/** docs/operating.md describes each. */
export const S3_VARIABLES = variables.keyof().options;

/** For servers other than Amazon's. They may have no regions, but requests must name one. */
const ANY_REGION = 'us-east-1';

/** @returns the access settings, or the problems; each begins with the name of the variable */
export const readS3Access = (
  env: Readonly<Record<string, string | undefined>>,
): { readonly access: S3Access } | { readonly problems: readonly string[] } => {
  const data = check(variables, env);
  if (data instanceof Failed)
    return { problems: data.fault.map(({ path, message }) => `${pathText(path)} ${message}`) };
  const own = data.AWS_ENDPOINT_URL_S3 ?? data.AWS_ENDPOINT_URL;
  const region = data.AWS_REGION ?? data.AWS_DEFAULT_REGION ?? (own === undefined ? undefined : ANY_REGION);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = data;
  const hasKeys = accessKeyId !== undefined && secretAccessKey !== undefined;
  const credentials = hasKeys ? { accessKeyId, secretAccessKey, ...present({ sessionToken: token }) } : undefined;
  return { access: present({ endpoint: own, region, credentials }) };
};
