/** The operator's calls for the audit log: pages of search results, and all results as CSV. */
import { z } from 'zod';
import type { AuditEntry, AuditSearch } from '../../base/audit/audit.ts';
import { isAuditId } from '../../base/audit/audit.ts';
import { CSV_TYPE } from '../../batch/output/output.ts';
import { encodeText } from '../../files/csv/cell.ts';
import { defused } from '../../lists/rows/passed-cells.ts';
import { sendPieces } from '../batches/downloads.ts';
import { ANSWERED } from '../call.ts';
import { countUpTo } from '../input.ts';
import { type OperatorService, operatorCall } from './service.ts';

const MOST_ACTS = 100;

const word = z.string().trim().min(1).max(200).optional();
const instant = z.iso
  .datetime('must be a time in UTC, such as 2026-11-27T00:00:00Z')
  .transform((text) => new Date(text).toISOString())
  .optional();
const search = { text: word, by: word, client: word, from: instant, to: instant };

/** A search with the names of all clients, including revoked ones. */
const searchOf = async (
  { clientPlace }: OperatorService,
  { text, by, client, from, to }: AuditSearch,
): Promise<AuditSearch> => ({
  ...{ text, by, client, from, to },
  names: new Map((await clientPlace.read()).map(({ id, name }) => [id, name])),
});

const COLUMNS = ['at', 'by', 'address', 'action', 'object', 'client', 'what', 'before', 'after'];

/** One row for each change of an entry, or one row for an entry without changes. */
const rowsOf = ({ at, by, address, action, object, client = '', changes }: AuditEntry): readonly string[][] => {
  const own = [at, by, address, action, object, client];
  if (changes.length === 0) return [[...own, '', '', '']];
  return changes.map(({ what, before, after }) => [...own, what, before ?? '', after ?? '']);
};

const csvOf = (rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(rows.map((cells) => `${cells.map((cell) => defused(encodeText(cell))).join(',')}\n`).join(''), 'latin1');

/** Yields one page at a time, so that memory does not grow with the log. */
async function* piecesOf({ audit }: OperatorService, wanted: AuditSearch): AsyncGenerator<Buffer> {
  yield csvOf([COLUMNS]);
  let before: string | undefined;
  do {
    const { entries, next } = await audit.page(MOST_ACTS, before, wanted);
    if (entries.length > 0) yield csvOf(entries.flatMap(rowsOf));
    before = next ?? undefined;
  } while (before !== undefined);
}

export const auditCalls = {
  listAudit: operatorCall({
    is: 'GET /ops/audit',
    query: z.strictObject({
      limit: countUpTo(MOST_ACTS, 20),
      before: z.string().refine(isAuditId, 'must be the `next` value of an earlier page').optional(),
      ...search,
    }),
    handle: async ({ service, query }) => {
      const wanted = await searchOf(service, query);
      const page = await service.audit.page(query.limit, query.before, wanted);
      const ids = new Set(page.entries.flatMap(({ client }) => client ?? []));
      /** Names of the clients in these entries. */
      const names = Object.fromEntries([...(wanted.names ?? [])].filter(([id]) => ids.has(id)));
      return { ...page, names };
    },
  }),
  downloadAudit: operatorCall({
    is: 'GET /ops/audit/entries',
    query: z.strictObject(search),
    handle: async ({ service, query, res }) => {
      const wanted = await searchOf(service, query);
      res.attachment(`audit-${service.now().toISOString().slice(0, 10)}.csv`).type(CSV_TYPE);
      await sendPieces(res, piecesOf(service, wanted));
      return ANSWERED;
    },
  }),
};
