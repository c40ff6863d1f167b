/** How an object store is reached: the variables that every program which speaks S3 reads. */
import { z } from 'zod';
import { Failed } from '../rating/fault.ts';
import { check, pathText } from '../rating/validation.ts';

/** What is absent the AWS SDK finds as it always does: a role, a profile, Amazon's own servers. */
export interface S3Access {
  /** Another server than Amazon's. */
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

/** A server of one's own need not have regions; what it is asked with names one all the same. */
const ANY_REGION = 'us-east-1';

/** @returns how S3 is reached, or what is wrong with the variables, the name of each first */
export const readS3Access = (
  env: Readonly<Record<string, string | undefined>>,
): { readonly access: S3Access } | { readonly problems: readonly string[] } => {
  const data = check(variables, env);
  if (data instanceof Failed)
    return { problems: data.fault.map(({ path, message }) => `${pathText(path)} ${message}`) };
  const own = data.AWS_ENDPOINT_URL_S3 ?? data.AWS_ENDPOINT_URL;
  const region = data.AWS_REGION ?? data.AWS_DEFAULT_REGION ?? (own === undefined ? undefined : ANY_REGION);
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: token } = data;
  const session = token === undefined ? {} : { sessionToken: token };
  return {
    access: {
      ...(own !== undefined && { endpoint: own }),
      ...(region !== undefined && { region }),
      ...(accessKeyId !== undefined &&
        secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey, ...session } }),
    },
  };
};
