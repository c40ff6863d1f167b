/** What the operations on one batch have in common, as the document has them. */
import { BATCHES_PATH } from '../../batch/view.ts';
import type { AnyFaultType, Operation } from './operation.ts';

export const UNKEPT = { 'Cache-Control': '`no-store`' };
/** An operation on one batch. */
export const onBatch = (
  operation: Pick<
    Operation,
    'method' | 'id' | 'summary' | 'success' | 'alternative' | 'query' | 'headers' | 'description'
  > & { readonly below: string },
  ...faults: readonly AnyFaultType[]
): Operation => {
  const { below, ...rest } = operation;
  return {
    ...rest,
    ...(rest.method === 'get' && { limited: true }),
    path: `${BATCHES_PATH}/{id}${below}`,
    tag: 'Batches',
    caller: 'batch',
    faults: ['request.notFound', 'service.unavailable', ...faults],
  };
};
