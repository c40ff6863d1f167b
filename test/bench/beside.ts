/** What single quotes wait for beside each kind of work that the API does for lists: p99 over the idle p99 of the same round. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { writeXlsx } from 'hucre/xlsx';
import { BATCHES, completed, upload } from './batch.ts';
import { median } from './median.ts';
import { trickle } from './quotes.ts';
import { type Service, startService } from './service.ts';

const XLSX = { 'Content-Type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };
const ROUNDS = 5;
const IDLE_MS = 2_000;
/** A kind of work is repeated for so long, and ends what it has begun. */
const WORK_MS = 4_000;

/** A response is read to its end, and its text is dropped. */
const sent = async (service: Service, path: string, init: RequestInit = {}): Promise<void> => {
  const headers = { Authorization: `Bearer ${service.token}`, ...init.headers };
  const answer = await fetch(`${service.url}${BATCHES}${path}`, { ...init, headers });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  for await (const _ of answer.body ?? []);
};

/** @param path of a list @returns the p99 of quotes over the idle one, by the kind of work: medians of rounds */
export const quotesBeside = async (path: string): Promise<Readonly<Record<string, number>>> => {
  const list = await readFile(path);
  const workbook = await writeXlsx({ sheets: [{ name: 'list', rows: parse(list) }] });
  const service = await startService({ WORKERS: '2' });
  try {
    const { id } = await upload(service, createReadStream(path));
    await completed(service, id);
    const body = Uint8Array.from(workbook);
    const kinds = {
      'uploads of the list': async () => completed(service, (await upload(service, createReadStream(path))).id),
      previews: () =>
        sent(service, '?preview=true', { method: 'POST', body: list, headers: { 'Content-Type': 'text/csv' } }),
      'previews of a workbook': () => sent(service, '?preview=true', { method: 'POST', body, headers: XLSX }),
      'downloads as CSV': () => sent(service, `/${id}/output`),
      'downloads as Excel': () => sent(service, `/${id}/output?format=xlsx`),
      'downloads as Parquet': () => sent(service, `/${id}/output?format=parquet`),
    };
    const ratios: Record<string, number[]> = {};
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [kind, work] of Object.entries(kinds)) {
        const idleUntil = Date.now() + IDLE_MS;
        const idle = await trickle(service, () => Date.now() > idleUntil);
        const until = Date.now() + WORK_MS;
        let working = true;
        const worked = (async () => {
          while (Date.now() < until) await work();
        })().finally(() => {
          working = false;
        });
        const [busy] = await Promise.all([trickle(service, () => !working), worked]);
        if (busy.failures > 0) throw new Error(`${busy.failures} quotes failed beside ${kind}`);
        ratios[kind] = [...(ratios[kind] ?? []), busy.p99Ms / idle.p99Ms];
      }
    return Object.fromEntries(Object.entries(ratios).map(([kind, each]) => [kind, median(each)]));
  } finally {
    await service.stop();
  }
};
