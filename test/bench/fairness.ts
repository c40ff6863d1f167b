/** Whether strangers' batches wait for each other: small ones beside big ones, and two big ones side by side. */
import { createReadStream } from 'node:fs';
import { type BatchState, batchSeconds, completed, upload, watch } from './batch.ts';
import type { Service } from './service.ts';

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1_000;
};

const runAndEnd = async (service: Service, path: string): Promise<BatchState> => {
  const { id } = await upload(service, createReadStream(path));
  return await completed(service, id);
};

export interface FairnessFigures {
  /** The small batch behind the big one, over the same alone. */
  readonly behind: number;
  /** The slowest of forty small ones beside the big one, over the time that their rows take in one big one alone. */
  readonly forty: number;
  /** A small batch behind two big ones, over the same alone. */
  readonly behindTwo: number;
  /** Of two big ones: the rows of the slower when the first ended, over the first's; 1 is even. */
  readonly share: number;
  /** The big one's seconds with a small one beside it, over those that both lists' rows take alone. */
  readonly bigSlowdown: number;
}

const cancelAll = async (service: Service, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    await service.call('POST', `/v1/client/shipment/rates/batches/${id}/cancel`);
    await watch(service, id, 50);
  }
};

/** @param big a list of many chunks, @param small one of three, which has `smallShare` as many rows */
export const fairness = async (
  service: Service,
  big: string,
  small: string,
  smallShare: number,
): Promise<FairnessFigures> => {
  const aloneSeconds = await secondsOf(() => runAndEnd(service, small));
  const bigAlone = await batchSeconds(service, big);

  const begun = performance.now();
  const first = await upload(service, createReadStream(big));
  const ending = completed(service, first.id).then(() => (performance.now() - begun) / 1_000);
  const behindSeconds = await secondsOf(() => runAndEnd(service, small));
  const bigSeconds = await ending;

  const second = await upload(service, createReadStream(big));
  const forty = await Promise.all(Array.from({ length: 40 }, () => secondsOf(() => runAndEnd(service, small))));
  await cancelAll(service, [second.id]);

  const pair = await Promise.all([upload(service, createReadStream(big)), upload(service, createReadStream(big))]);
  const behindTwoSeconds = await secondsOf(() => runAndEnd(service, small));
  const ended = await Promise.race(pair.map(({ id }) => completed(service, id, 50)));
  const states = await Promise.all(
    pair.map(({ id }) => service.call('GET', `/v1/client/shipment/rates/batches/${id}`)),
  );
  const rows = states.map(({ body }) => (JSON.parse(body) as BatchState).rows.processed);
  const share = Math.min(...rows) / Math.max(...rows);
  await cancelAll(
    service,
    pair.map(({ id }) => id).filter((id) => id !== ended.id),
  );
  return {
    behind: behindSeconds / aloneSeconds,
    forty: Math.max(...forty) / (bigAlone * forty.length * smallShare),
    behindTwo: behindTwoSeconds / aloneSeconds,
    share,
    bigSlowdown: bigSeconds / (bigAlone * (1 + smallShare)),
  };
};
