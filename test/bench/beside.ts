/**
 * How long single quotes wait during each kind of work that the API does for lists: p99 over the idle p99 of the same round.
 * A bare Express route in its own process answers every other quote. It does no work for lists, so it only waits for a core.
 * A separate process requests the work, so that it does not delay the one that measures.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { writeXlsx } from 'hucre/xlsx';
import { BATCHES, completed, upload } from './batch.ts';
import { median } from './median.ts';
import { quoteOf, quoteOfBare, startBare, trickle } from './quotes.ts';
import { startService } from './service.ts';

const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const ROUNDS = 5;
const ROUND_MS = 3_000;

/** A call that is made again and again. */
interface Work {
  readonly url: string;
  readonly token: string;
  /** The body, if it has one. */
  readonly path?: string;
  readonly type?: string;
}

/** Makes the call until the parent disconnects. Answers are read to their end. */
const workOn = async ({ url, token, path, type = CSV }: Work): Promise<void> => {
  const body = path === undefined ? undefined : Uint8Array.from(await readFile(path));
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': type };
  while (process.connected) {
    const answer = await fetch(url, { method: body === undefined ? 'GET' : 'POST', headers, ...(body && { body }) });
    if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}: ${await answer.text()}`);
    for await (const _ of answer.body ?? []);
    // The parent may have disconnected meanwhile.
    process.send?.('called', undefined, undefined, () => undefined);
  }
};

/** p99 of quotes over the idle one. */
export interface Waits {
  readonly service: number;
  readonly bare: number;
}

/** @param path of a list @returns medians of rounds, by the kind of work */
export const quotesBeside = async (path: string): Promise<Readonly<Record<string, Waits>>> => {
  const workbook = `${path}.xlsx`;
  await writeFile(workbook, await writeXlsx({ sheets: [{ name: 'list', rows: parse(await readFile(path)) }] }));
  const service = await startService({ WORKERS: '2' });
  const quote = quoteOf(service);
  const bare = await startBare(service);
  try {
    const { id } = await upload(service, createReadStream(path));
    await completed(service, id);
    const output = `${BATCHES}/${id}/output`;
    const kinds: Record<string, Omit<Work, 'token'>> = {
      'uploads of the list': { url: BATCHES, path },
      previews: { url: `${BATCHES}?preview=true`, path },
      'previews of a workbook': { url: `${BATCHES}?preview=true`, path: workbook, type: XLSX },
      'downloads as CSV': { url: output },
      'downloads as Excel': { url: `${output}?format=xlsx` },
      'downloads as Parquet': { url: `${output}?format=parquet` },
    };
    const ratios: Record<string, Waits[]> = {};
    const quotes = async () => {
      const until = Date.now() + ROUND_MS;
      const figures = await trickle({ service: quote, bare: quoteOfBare(bare) }, () => Date.now() > until);
      if (figures.service.failures > 0) throw new Error(`${figures.service.failures} quotes failed`);
      return { service: figures.service.p99Ms, bare: figures.bare.p99Ms };
    };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [kind, { url, ...work }] of Object.entries(kinds)) {
        const idle = await quotes();
        const child = fork(import.meta.filename, {
          // As if it ran on another machine: Linux gives it only processor time that nobody else wants, and its garbage
          // collection delays no other process.
          execPath: 'chrt',
          execArgv: ['--idle', '0', process.execPath, '--single-threaded-gc', '--import', 'tsx'],
        });
        const ended = once(child, 'exit');
        child.send({ ...work, url: `${service.url}${url}`, token: service.token } satisfies Work);
        await once(child, 'message');
        const busy = await quotes();
        child.disconnect();
        const [code] = await ended;
        if (code !== 0) throw new Error(`the caller of ${kind} ended with ${code}`);
        ratios[kind] = [...(ratios[kind] ?? []), { service: busy.service / idle.service, bare: busy.bare / idle.bare }];
      }
    const middle = (rounds: Waits[]): Waits => ({
      service: median(rounds.map((round) => round.service)),
      bare: median(rounds.map((round) => round.bare)),
    });
    return Object.fromEntries(Object.entries(ratios).map(([kind, rounds]) => [kind, middle(rounds)]));
  } finally {
    bare.stop();
    await service.stop();
  }
};

if (process.send !== undefined && process.argv[1] === import.meta.filename)
  process.once('message', (work: Work) => void workOn(work));
