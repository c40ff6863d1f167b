/** The request to join a batch with another one by a key column. */
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { inSlices } from '../../base/time-slices.ts';
import type { NewJoin } from '../../batch/create.ts';
import type { BatchDocument } from '../../batch/records.ts';
import { keyNames, outputPlaces } from '../../lists/comparison/join.ts';
import type { Issue } from '../../rating/fault.ts';
import type { HttpResult } from '../faults.ts';

/** The member `with` of the body of `POST …/batches/{id}/comparisons`. */
export const joinRequest = z.strictObject({
  batch: z.string().min(1).max(100).meta({ description: 'Id of another completed batch of the client.' }),
  key: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'A column of both lists that names a shipment, such as an order number.' }),
});
export type JoinRequest = z.output<typeof joinRequest>;

export interface Completed {
  readonly document: BatchDocument;
  readonly revision: number;
}

const invalid = (issue: Issue): Failed<{ type: 'getRates.invalidRequest'; issues: readonly Issue[] }> =>
  new Failed({ type: 'getRates.invalidRequest', issues: [issue] });

/** Finds the key column in both lists. @param other the other batch, or why it cannot be joined */
export const joinOf = async (
  base: Completed,
  other: Completed | string,
  { key }: JoinRequest,
): Promise<HttpResult<Pick<NewJoin, 'base' | 'other' | 'key'>>> => {
  if (typeof other === 'string') return invalid({ path: 'with.batch', message: other });
  if (other.document.id === base.document.id) return invalid({ path: 'with.batch', message: 'must be another batch' });
  const places = await inSlices(outputPlaces(base.document.columns, key));
  const otherPlaces = await inSlices(outputPlaces(other.document.columns, key));
  if (places !== undefined && otherPlaces !== undefined)
    return { base: { ...base, places }, other: { ...other, places: otherPlaces }, key };
  const others = new Set(keyNames(other.document.columns));
  const shared = keyNames(base.document.columns).filter((name) => others.has(name));
  const names = shared.length === 0 ? 'they share none' : `they share ${shared.slice(0, 20).join(', ')}`;
  return invalid({ path: 'with.key', message: `must be a column of both lists; ${names}` });
};
