/** How far the service goes: ten times the rows, a workbook, the first rows of a running batch, and the start. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { writeXlsx } from 'hucre/xlsx';
import { BATCHES, batchSeconds, completed, upload, watch, writeList } from './batch.ts';
import { median } from './median.ts';
import { childrenOf, peakMb, type Service, startService } from './service.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ROUNDS = 7;

const workbookOf = async (path: string): Promise<Buffer> => {
  const rows: string[][] = parse(await readFile(path));
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'list', rows }] }));
};

const workbookSeconds = async (service: Service, bytes: Buffer): Promise<number> => {
  const begun = performance.now();
  const answer = await fetch(`${service.url}${BATCHES}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.token}`, 'Content-Type': XLSX },
    body: Uint8Array.from(bytes),
  });
  if (answer.status !== 202) throw new Error(`the workbook was answered with ${answer.status}: ${await answer.text()}`);
  const { id }: { id: string } = JSON.parse(await answer.text());
  await completed(service, id);
  return (performance.now() - begun) / 1_000;
};

/** Milliseconds from the answer to an upload until a partial output has a row. */
const firstRowMs = async (service: Service, path: string): Promise<number> => {
  const { id } = await upload(service, createReadStream(path));
  const begun = performance.now();
  for (;;) {
    const { status, body } = await service.call('GET', `${BATCHES}/${id}/output?partial=true`);
    if (status === 200 && body.split('\n', 3).length === 3) break;
    await sleep(5);
  }
  const ms = performance.now() - begun;
  await watch(service, id, 100);
  return ms;
};

const startMs = async (): Promise<number> => {
  const begun = performance.now();
  const service = await startService({ WORKERS: '2' });
  const ms = performance.now() - begun;
  await service.stop();
  return ms;
};

const peaks = (service: Service): string =>
  childrenOf(service.pid)
    .filter(({ kind }) => kind !== 'other' && kind !== 'redis')
    .map(({ kind, pid }) => `${kind} ${peakMb(pid)} MB`)
    .join(', ');

const times = async (run: () => Promise<number>): Promise<number> => {
  const each: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) each.push(await run());
  return median(each);
};

/** @param dir where lists are written @param rows of the list that is compared with one of ten times as many */
export const limits = async (dir: string, rows: number, say: (line: string) => void): Promise<void> => {
  const [one, ten, tenth] = ['one.csv', 'ten.csv', 'tenth.csv'].map((name) => join(dir, name));
  if (one === undefined || ten === undefined || tenth === undefined) return;
  await writeList(one, rows);
  await writeList(tenth, rows / 10, 2);
  await writeList(ten, rows * 10, 3);
  const bytes = await workbookOf(tenth);
  say(`start to ready: ${(await times(startMs)).toFixed(0)} ms (median of ${ROUNDS})`);
  const service = await startService({ WORKERS: '2' });
  try {
    const workbook: number[] = [];
    const csv: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      csv.push(await batchSeconds(service, tenth));
      workbook.push(await workbookSeconds(service, bytes));
    }
    const ratio = median(csv) / median(workbook);
    say(`rows/s of ${rows / 10} rows as a workbook over the same list as CSV: ${ratio.toFixed(2)} ×`);
    const first = await times(() => firstRowMs(service, tenth));
    say(`first rows of a partial output: ${first.toFixed(0)} ms after the upload`);
    const small = await times(() => batchSeconds(service, one));
    say(`peak memory after ${rows} rows: ${peaks(service)}`);
    const big = await batchSeconds(service, ten);
    say(`time a row of ${rows * 10} rows over that of ${rows}: ${(big / 10 / small).toFixed(2)} ×`);
    say(`peak memory after them: ${peaks(service)}`);
  } finally {
    await service.stop();
  }
};
