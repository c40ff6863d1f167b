/** The process that runs one target, named by its argument, on one input at a time. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Input, Target, TargetName, Told } from './target.ts';
import { agreementTarget } from './targets/agreement.ts';
import { clientsTarget } from './targets/clients.ts';
import { csvTarget } from './targets/csv.ts';
import { jsonTarget } from './targets/json.ts';
import { multipartTarget } from './targets/multipart.ts';
import { sourceTarget } from './targets/source.ts';
import { tariffTarget } from './targets/tariff.ts';
import { workbookTarget } from './targets/workbook.ts';

const TARGETS: Readonly<Record<TargetName, Target>> = {
  csv: csvTarget,
  workbook: workbookTarget,
  json: jsonTarget,
  multipart: multipartTarget,
  pdf: sourceTarget,
  tariff: tariffTarget,
  source: sourceTarget,
  clients: clientsTarget,
  agreement: agreementTarget,
};

/** Resets the peak memory in the kernel, so that each input has its own (proc(5), clear_refs). */
const forgetPeak = (): void => writeFileSync('/proc/self/clear_refs', '5');
const peakMb = (): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1_024;

const find = (name: string | undefined): Target => {
  for (const [known, target] of Object.entries(TARGETS)) if (known === name) return target;
  throw new Error(`there is no target ${name}`);
};

const feed = await find(process.argv[2])();
let strayed: unknown;
process.on('unhandledRejection', (reason) => {
  strayed = reason;
});
process.on('uncaughtException', (error) => {
  strayed = error;
});

const told = async (input: Input): Promise<Told> => {
  forgetPeak();
  try {
    const outcome = await feed(input);
    // A promise that nobody awaits fails one turn later.
    await new Promise((resolve) => setImmediate(resolve));
    if (strayed !== undefined) throw strayed;
    return { outcome, peakMb: peakMb() };
  } catch (error) {
    strayed = undefined;
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error), peakMb: peakMb() };
  }
};

process.on('message', ({ bytes, said }: Input) => {
  void told({ bytes: Buffer.from(bytes), said }).then((message) => process.send?.(message));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
