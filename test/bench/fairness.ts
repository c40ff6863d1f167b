/** Whether batches of different clients wait for each other: small ones beside big ones, and two big ones together. */
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
  /** The time of a small batch behind the big one, divided by its time alone. */
  readonly behind: number;
  /** The slowest of forty small ones beside the big one, divided by the time of their rows in a big one alone. */
  readonly forty: number;
  /** The time of a small batch behind two big ones, divided by its time alone. */
  readonly behindTwo: number;
  /** Of two big ones: the rows of the slower one when the first ended, divided by those of the first. 1 is even. */
  readonly share: number;
  /** The time of the big one with a small one beside it, divided by the time of the rows of both alone. */
  readonly bigSlowdown: number;
}

const cancelAll = async (service: Service, ids: readonly string[]): Promise<void> => {
  for (const id of ids) {
    await service.call('POST', `/v1/client/shipment/rates/batches/${id}/cancel`);
    await watch(service, id, 50);
  }
};

/** @param big a list of many chunks @param small a list of three chunks, with `smallShare` times as many rows */
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
