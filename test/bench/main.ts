/**
 * `npm run bench`: every figure is a ratio to a baseline of the same run on the same machine. `--rows` sets the
 * size of the big list. `--only core|agreements|ship-from|compare|dialects|batch|quotes|beside|fairness|crowd|endurance|limits|capacity` runs a part.
 * `--jobs` sets how many jobs are replayed to measure one Redis.
 */
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readClients } from '../../src/catalog/clients/clients.ts';
import { readTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { scheduleOf } from '../../src/catalog/tariff/schedule.ts';
import { agreementCosts, clientsMemory } from './agreements.ts';
import { batchSeconds, copySeconds, upload, watch, writeList } from './batch.ts';
import { quotesBeside } from './beside.ts';
import { capacity } from './capacity.ts';
import { importedSchedule } from './carriers.ts';
import { compareCosts } from './compare.ts';
import { coreFigures } from './core.ts';
import { crowding } from './crowd.ts';
import { dialectRatios } from './dialects.ts';
import { endurance, outage } from './endurance.ts';
import { fairness } from './fairness.ts';
import { limits } from './limits.ts';
import { median } from './median.ts';
import { cpuSeconds } from './processes.ts';
import { load, quoteOf, RATES, startBare, trickle } from './quotes.ts';
import { childrenOf, peakMb, type Service, startService } from './service.ts';
import { shipFromCosts } from './ship-from.ts';
import { shipments } from './shipments.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    jobs: { type: 'string', default: '20000' },
    only: { type: 'string' },
  },
});
const ROWS = Number(values.rows);
/** Three chunks. */
const SMALL_ROWS = 15_000;
const ROOT = join(import.meta.dirname, '../..');

const say = (line = ''): void => {
  process.stdout.write(`${line}\n`);
};
const wanted = (part: string): boolean => values.only === undefined || values.only === part;
const ratio = (value: number): string => `${value.toFixed(2)} ×`;
const samples = async () => {
  const clients = readClients(await readFile(join(ROOT, 'samples/clients.json'), 'utf8'), 'samples/clients.json');
  const demo = clients.get('demo');
  if (demo === undefined) throw new Error('the sample clients have no demo');
  const read = await readTariffFolder(join(ROOT, 'samples/tariffs/reference'));
  if (!('document' in read)) throw new Error('the reference tariff cannot be read');
  return { demo, schedule: scheduleOf([read.document]) };
};

const core = async (): Promise<void> => {
  say('## The core, in one process');
  const { demo, schedule } = await samples();
  const reference = coreFigures(schedule, demo, '2026-06-01');
  say(
    `reference tariff, ${reference.services} services: ${Math.round(reference.requests)} requests/s, ${Math.round(reference.prices)} prices/s`,
  );
  const imported = await importedSchedule();
  if (imported === undefined) return say("two carriers: skipped, the carriers' files are not here");
  const carriers = coreFigures(imported.schedule, demo, '2026-06-01');
  say(
    `two carriers' tariff, ${carriers.services} services: ${Math.round(carriers.requests)} requests/s, ${Math.round(carriers.prices)} prices/s`,
  );
  say(`prices/s with two carriers' over the reference: ${ratio(carriers.prices / reference.prices)}`);
  say(
    `two carriers' tariff: read and checked in ${imported.readMs} ms, compiled in ${imported.compileMs} ms, ${imported.heapMb} MB`,
  );
};

const agreements = async (): Promise<void> => {
  say('## Agreements: two of 30 lines of discounts and 10 of surcharges, over the list, in one process');
  const { demo, schedule } = await samples();
  const imported = await importedSchedule();
  if (imported === undefined) say("with the reference tariff: the carriers' files are not here");
  const tariffs = imported?.schedule ?? schedule;
  const costs = await agreementCosts(tariffs, demo);
  for (const [what, { best, median: middle }] of Object.entries(costs))
    say(`${what}: ${ratio(best)} the processor's time with the list (best rounds), ${ratio(middle)} (median)`);
  const { documentsMb, termsMb, compileMs } = await clientsMemory(tariffs, demo);
  say(
    `1,000 clients with agreements of their own, quoted on four days: ${documentsMb.toFixed(0)} MB as read and ${termsMb.toFixed(0)} MB compiled, ${(compileMs / 1_000).toFixed(1)} s of a processor`,
  );
};

const shipFrom = async (): Promise<void> => {
  say('## Ship-from: one request for any of four warehouses, over four requests, in one process');
  const { demo, schedule } = await samples();
  const imported = await importedSchedule();
  if (imported === undefined) say("with the reference tariff: the carriers' files are not here");
  const costs = await shipFromCosts(imported?.schedule ?? schedule, demo);
  for (const [what, { best, median: middle }] of Object.entries(costs))
    say(`${what}: ${ratio(best)} the processor's time of four (best rounds), ${ratio(middle)} (median)`);
};

const comparisons = async (): Promise<void> => {
  say('## Comparisons: a list in two and in eight scenarios over the list as a batch, in one process');
  const { demo, schedule } = await samples();
  for (const named of [false, true]) {
    say(named ? 'every second row names a service:' : 'no row names a service:');
    for (const { mix, best, median: middle } of await compareCosts(schedule, demo, named))
      say(`${mix}: ${ratio(best)} the processor's time of the batch (best rounds), ${ratio(middle)} (median)`);
  }
};

const dialects = async (): Promise<void> => {
  say('## What it costs that a list may be written in many ways, in one process');
  const { demo, schedule } = await samples();
  for (const { name, ratio: figure } of await dialectRatios(schedule, demo))
    say(`${name}: rows/s ${ratio(figure)} those of the same list with all said and nothing looked for`);
};

interface Lists {
  readonly big: string;
  readonly tenth: string;
  readonly small: string;
}

interface Peak {
  readonly kind: string;
  readonly pid: number;
  readonly mb: number;
}

const pidsOf = (service: Service, kind: 'api'): number[] =>
  childrenOf(service.pid).flatMap((child) => (child.kind === kind ? [child.pid] : []));

const peaksOf = (service: Service): readonly Peak[] =>
  childrenOf(service.pid).map(({ kind, pid }) => ({ kind, pid, mb: peakMb(pid) }));

const batch = async (service: Service, lists: Lists): Promise<void> => {
  say(`## A batch of ${ROWS.toLocaleString('en')} rows, upload to completed, WORKERS=2`);
  await batchSeconds(service, lists.tenth);
  await batchSeconds(service, lists.tenth);
  const copies: number[] = [];
  const bigs: number[] = [];
  const tenths: number[] = [];
  const tenthPeaks = peaksOf(service);
  let bigPeaks: readonly Peak[] = [];
  for (let round = 0; round < 7; round += 1) {
    copies.push(await copySeconds(lists.big));
    bigs.push(await batchSeconds(service, lists.big));
    if (round === 0) bigPeaks = peaksOf(service);
    for (let time = 0; time < 3; time += 1) tenths.push(await batchSeconds(service, lists.tenth));
  }
  const [copy, big, tenth] = [median(copies), median(bigs), median(tenths)];
  say(
    `rows/s over csv-parse piped to csv-stringify: ${ratio(copy / big)} (${copies.map((seconds, at) => (seconds / (bigs[at] ?? 1)).toFixed(2)).join(', ')}); ${Math.round(ROWS / big)} rows/s`,
  );
  say(`rows/s at ${ROWS.toLocaleString('en')} over rows/s at a tenth of it: ${ratio((tenth * 10) / big)}`);
  for (const { kind, pid, mb } of bigPeaks) {
    const before = tenthPeaks.find((peak) => peak.pid === pid)?.mb ?? Number.NaN;
    say(`peak memory of ${kind}: ${mb} MB after the first, ${ratio(mb / before)} that after two of a tenth`);
  }
  const singles: number[] = [];
  const single = [...shipments(1)].join('');
  for (let run = 0; run < 50; run += 1) {
    const begun = performance.now();
    const { id } = await upload(service, single);
    await watch(service, id, 3);
    singles.push(performance.now() - begun);
  }
  say(`a batch of one row: ${median(singles).toFixed(0)} ms (median of 50)`);
};
const quotesBesides = async (service: Service, lists: Lists): Promise<void> => {
  say('## Single quotes while the big batch runs, one every 5 ms');
  const until = Date.now() + 3_000;
  const { service: idle } = await trickle({ service: quoteOf(service) }, () => Date.now() > until);
  const { id } = await upload(service, createReadStream(lists.big));
  let running = true;
  const ended = watch(service, id, 200).then(() => {
    running = false;
  });
  const { service: busy } = await trickle({ service: quoteOf(service) }, () => !running);
  await ended;
  say(
    `p50 ${busy.p50Ms.toFixed(1)} ms, ${ratio(busy.p50Ms / idle.p50Ms)} the idle one; p99 ${busy.p99Ms.toFixed(1)} ms, ${ratio(busy.p99Ms / idle.p99Ms)}; failures ${busy.failures}`,
  );
};

const endpoint = async (service: Service): Promise<void> => {
  say('## The quote endpoint over a bare Express route, 50 connections');
  const { token } = service;
  const bare = await startBare(service);
  const own = { url: `${service.url}${RATES}`, pids: pidsOf(service, 'api') };
  const other = { url: bare.url, pids: [bare.pid] };
  const measure = async ({ url, pids }: typeof own) => {
    const before = cpuSeconds(pids);
    const { perSecond, p50Ms, p99Ms, failures } = await load(url, token, 50, 2);
    return { perSecond, p50Ms, p99Ms, failures, cpuEach: (cpuSeconds(pids) - before) / (perSecond * 2) };
  };
  type Measured = Awaited<ReturnType<typeof measure>>;
  const rounds: { readonly ours: Measured; readonly theirs: Measured }[] = [];
  // Many short rounds in alternating order, so that other load of a shared machine affects both.
  for (let round = 0; round < 16; round += 1) {
    const first = await measure(round % 2 === 0 ? other : own);
    const second = await measure(round % 2 === 0 ? own : other);
    const [ours, theirs] = round % 2 === 0 ? [second, first] : [first, second];
    rounds.push({ ours, theirs });
  }
  bare.stop();
  const of = (figure: (ours: Measured, theirs: Measured) => number): number =>
    median(rounds.map(({ ours, theirs }) => figure(ours, theirs)));
  const failures = rounds.reduce((sum, { ours }) => sum + ours.failures, 0);
  const sorted = rounds.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond).toSorted((a, b) => a - b);
  say(
    `requests/s ${ratio(median(sorted))} (${sorted.map((value) => value.toFixed(2)).join(', ')}), p99 ${ratio(of((ours, theirs) => ours.p99Ms / theirs.p99Ms))}, failures ${failures}`,
  );
  say(
    `${Math.round(of((ours) => ours.perSecond))} requests/s, p50 ${of((ours) => ours.p50Ms).toFixed(1)} ms, p99 ${of((ours) => ours.p99Ms).toFixed(1)} ms`,
  );
  say(`requests per second of a processor's time: ${ratio(of((ours, theirs) => theirs.cpuEach / ours.cpuEach))}`);
};

const enduring = async (service: Service, lists: Lists): Promise<void> => {
  say('## 200 connections of quotes for 60 s, a batch beside them');
  const { token } = service;
  const bare = await startBare(service);
  const theirs = await load(bare.url, token, 200, 10);
  bare.stop();
  const url = `${service.url}${RATES}`;
  const { quotes, memory } = await endurance(service, url, token, lists.tenth, 60);
  say(
    `failures ${quotes.failures} of ${Math.round(quotes.perSecond * 60)}; p50 ${ratio(quotes.p50Ms / theirs.p50Ms)}, p99 ${ratio(quotes.p99Ms / theirs.p99Ms)} the bare route's without a batch`,
  );
  say(`memory of the API: ${memory.earlyMb} MB from the tenth second on, ${memory.lateMb} MB in the last ten`);
  say('## Redis stopped for 20 s under 50 connections of quotes');
  const away = await outage(service, url, token, 20);
  say(`quotes: failures ${away.quotes.failures} of ${Math.round(away.quotes.perSecond * 24)}`);
  say(
    `batch calls: answered ${away.statuses.join(', ')}, the slowest in ${away.slowestMs.toFixed(0)} ms; back ${away.backMs.toFixed(0)} ms after Redis`,
  );
};

const fair = async (service: Service, lists: Lists): Promise<void> => {
  say(`## Fairness: 3 chunks beside ${Math.ceil(ROWS / 5_000)}`);
  const figures = await fairness(service, lists.big, lists.small, SMALL_ROWS / ROWS);
  say(`a small batch behind the big one: ${ratio(figures.behind)} the time of the same alone`);
  say(
    `forty small ones beside it: the slowest ${ratio(figures.forty)} the time that their rows take in the big one alone`,
  );
  say(`a small one behind two big ones: ${ratio(figures.behindTwo)} the time of the same alone`);
  say(`two big ones: when the first ended, the other had ${(figures.share * 100).toFixed(0)}% as many rows`);
  say(`the big one with a small one beside it: ${ratio(figures.bigSlowdown)} the time of both lists' rows alone`);
};

/** The measurements on the service that `rates serve` runs. */
/** The other client's batches of one row. */
const CROWD = 10_000;
const crowd = async (): Promise<void> => {
  say(`## A small batch beside another client's ${CROWD.toLocaleString('en')} batches of one row`);
  const figures = await crowding(CROWD);
  const { sending, sent } = figures;
  say(`up to ${figures.deepest} of their jobs waited; alone the small batch took ${figures.aloneMs.toFixed(0)} ms`);
  for (const [when, { median: middle, slowest, measured }] of Object.entries({ sending, sent }))
    say(`${measured} while they were ${when}: median ${ratio(middle)}, slowest ${ratio(slowest)} the time alone`);
};
const beside = async ({ tenth }: Lists): Promise<void> => {
  say(`## Single quotes, one every 5 ms, beside work on a list of ${(ROWS / 10).toLocaleString('en')} rows`);
  for (const [kind, { service, bare }] of Object.entries(await quotesBeside(tenth)))
    say(`${kind}: p99 ${ratio(service)} the idle one; of a bare route in another process ${ratio(bare)}`);
};

const SERVED = ['batch', 'quotes', 'fairness', 'endurance'] as const;

const served = async (lists: Lists): Promise<void> => {
  const service = await startService({ WORKERS: '2', LOG_LEVEL: 'info' });
  try {
    if (wanted('batch')) await batch(service, lists);
    if (wanted('quotes')) await quotesBesides(service, lists);
    if (wanted('quotes')) await endpoint(service);
    if (wanted('fairness')) await fair(service, lists);
    if (wanted('endurance')) await enduring(service, lists);
  } finally {
    await service.stop();
  }
};

const main = async (): Promise<void> => {
  say(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`,
  );
  if (wanted('core')) await core();
  if (wanted('agreements')) await agreements();
  if (wanted('ship-from')) await shipFrom();
  if (wanted('compare')) await comparisons();
  if (wanted('dialects')) await dialects();
  const dir = await mkdtemp(join(tmpdir(), 'rates-lists-'));
  const lists: Lists = { big: join(dir, 'big.csv'), tenth: join(dir, 'tenth.csv'), small: join(dir, 'small.csv') };
  try {
    await writeList(lists.big, ROWS);
    await writeList(lists.tenth, ROWS / 10, 2);
    await writeList(lists.small, SMALL_ROWS, 3);
    if (SERVED.some(wanted)) await served(lists);
    if (wanted('beside')) await beside(lists);
    if (wanted('crowd')) await crowd();
    if (wanted('limits')) await limits(dir, ROWS, say);
    if (wanted('capacity')) await capacity(lists.big, ROWS, Number(values.jobs), say);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
};

await main();
