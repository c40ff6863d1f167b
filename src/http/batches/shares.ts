/** The calls for links to results: make, list and revoke a link. What a link opens is in `../shared.ts`. */
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import type { FoundBatch } from '../../batch/batches.ts';
import type { Kind } from '../../batch/ids.ts';
import { MOST_SHARES, SHARE_DAYS, SHARE_ID, type Share } from '../../batch/shares.ts';
import { isFinal } from '../../batch/status.ts';
import type { Asked } from '../call.ts';
import { SHARES } from '../openapi/examples.ts';
import type { Tag } from '../operation.ts';
import { pathOf } from '../routes.ts';
import { status } from '../schemas.ts';
import { call, type Service } from '../service.ts';
import { expired, foundOf } from './downloads.ts';

const share = z.object({ id: z.string(), createdAt: z.iso.datetime(), endsAt: z.iso.datetime() });
const sharesBody = z.object({ status, shares: z.array(share), most: z.int() });
const newShareBody = share.extend({
  status,
  token: z.string().describe('The token of the link. It is shown once; the service keeps only its hash.'),
  link: z.string().describe('The page that it opens, relative to the host.'),
});

const shareRequest = z.strictObject({
  days: z
    .literal(SHARE_DAYS, `must be one of ${SHARE_DAYS.join(', ')}`)
    .describe('The number of days until the link expires.'),
});

/** Records a client's change of a link in the audit log. */
const record = async (
  { service, client, req, found }: Asked<Service> & { readonly found: FoundBatch },
  action: string,
  { id, endsAt }: Share,
  isNew: boolean,
): Promise<void> => {
  const [before, after] = isNew ? [null, `until ${endsAt}`] : [`until ${endsAt}`, null];
  await service.audit.record(
    { name: client.name, address: service.addressOf(req) },
    {
      ...{ action, object: `${found.view.filename}, ${found.id}`, client: client.id },
      changes: [{ what: `link ${id}`, before, after }],
    },
  );
};

export const shareCalls = <const P extends `/${string}`>(kind: Kind, path: P, tag: Tag) => {
  const by = { caller: 'batch', find: foundOf(kind) } as const;
  const own = ['request.notFound', 'service.unavailable'] as const;
  return {
    share: call({
      ...{ ...by, is: `POST ${path}/{id}/shares` as const, limit: 'changes', answer: newShareBody, body: shareRequest },
      doc: {
        tag,
        summary: `Make a link to a ${kind} that needs no sign-in`,
        description: `Anyone with the link can read this ${kind} until the link expires or is revoked, and download its output until its files are removed. A ${kind} has at most ${MOST_SHARES} links.`,
        body: { required: true, content: [{ type: 'application/json', schema: shareRequest, example: { days: 7 } }] },
        success: { status: 200, description: 'The link.', example: SHARES.made },
        faults: [
          ...own,
          'request.malformedBody',
          'request.unsupportedMediaType',
          'request.tooLarge',
          'batches.notFinal',
          'batches.expired',
        ],
      },
      handle: async (asked) => {
        const { service, client, found, body } = asked;
        const { id, fields } = found;
        if (fields.status === 'expired') return new Failed(expired(fields));
        if (!isFinal(fields.status)) return new Failed({ type: 'batches.notFinal', status: fields.status } as const);
        const made = await service.shares.make(id, client.id, body.days);
        const full = { limit: 'shares', most: String(MOST_SHARES), way: 'revoke a link first' };
        if (made === undefined) return new Failed({ type: 'request.tooLarge', ...full } as const);
        await record(asked, `Shared the ${kind}`, made, true);
        return { status: 200, ...made, link: `/#/shared/${made.token}` };
      },
    }),
    listShares: call({
      ...{ ...by, is: `GET ${path}/{id}/shares` as const, limit: 'reads', answer: sharesBody },
      doc: {
        tag,
        summary: `List the links to a ${kind}`,
        success: { status: 200, description: 'The links that have not expired, newest first.', example: SHARES.list },
        faults: own,
      },
      handle: async ({ service, found }) => ({
        ...{ status: 200, shares: await service.shares.list(found.id), most: MOST_SHARES },
      }),
    }),
    unshare: call({
      ...{ ...by, is: `DELETE ${path}/{id}/shares` as const, limit: 'changes' },
      query: z.strictObject({ share: z.string().regex(SHARE_ID, 'must be the id of a link') }),
      doc: {
        tag,
        summary: `Revoke a link to a ${kind}`,
        success: { status: 204, description: 'The link no longer works.' },
        faults: own,
      },
      handle: async (asked) => {
        const revoked = await asked.service.shares.revoke(asked.found.id, asked.query.share);
        const message = `The ${kind} has no link ${asked.query.share}. It may be revoked already, or it has expired.`;
        if (revoked === undefined)
          return new Failed({ type: 'request.notFound', path: pathOf(asked.req), message } as const);
        await record(asked, `Revoked a link to the ${kind}`, revoked, false);
        return undefined;
      },
    }),
  };
};
