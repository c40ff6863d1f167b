/**
 * `npm run repeat`: kills masters of Redis during a batch, again and again, beside loops that keep the processor
 * busy. Prints each run, and at the end how many gave the same bytes. For the others it keeps the service's log
 * and the state of Redis. It runs the build, and ends after a number of runs or minutes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeList } from '../bench/batch.ts';
import { type Service, startService } from '../bench/service.ts';
import { type Truth, truthOf } from '../soak/expected-output.ts';
import { disturb, type Masters, openClusterMasters, openWatchedMaster } from './masters.ts';

const { values } = parseArgs({
  options: {
    of: { type: 'string', default: 'cluster,sentinel' },
    runs: { type: 'string', default: '100' },
    'at-once': { type: 'string', default: '2' },
    busy: { type: 'string', default: '5' },
    rows: { type: 'string', default: '24000' },
    batches: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '120' },
    keep: { type: 'string', default: join(tmpdir(), 'rates-repeat') },
  },
});
const OPEN: Readonly<Record<string, () => Promise<Masters>>> = {
  cluster: openClusterMasters,
  sentinel: openWatchedMaster,
};
/** Runs of each kind, in turn. */
const kinds = values.of.split(',').map((name) => {
  const open = OPEN[name];
  if (open === undefined) throw new Error(`--of is cluster, sentinel or both, not ${name}`);
  return { name, open, begun: 0, same: 0, other: 0 };
});
type Kind = (typeof kinds)[number];
const runs = Number(values.runs);
const atOnce = Number(values['at-once']);
const busy = Number(values.busy);
const rows = Number(values.rows);
const minutes = Number(values.minutes);
/** Batches on one service, one after the other, before it is restarted. */
const batches = Number(values.batches);
for (const number of [runs, atOnce, busy, rows, minutes, batches])
  if (!Number.isInteger(number) || number < 0) throw new Error('--runs, --busy and similar options are whole numbers');

const CHUNKS = 240;
/** A sweep every minute finds lost work. A batch without progress for longer is stuck. */
const STANDSTILL_MS = 180_000;
/** A busy machine may not start a service in time, which is not what this program tests. */
const STARTS = 5;
const endAt = performance.now() + minutes * 60_000;

const loops: ChildProcess[] = [];
const services = new Set<Service>();
const startLoops = (): void => {
  for (let loop = 0; loop < busy; loop += 1)
    loops.push(
      spawn(process.execPath, ['-e', `const end = Date.now() + ${minutes * 60_000}; while (Date.now() < end);`]),
    );
};
process.on('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
  for (const { pid } of services) process.kill(pid, 'SIGTERM');
});

interface Started {
  readonly masters: Masters;
  readonly service: Service;
}

/** Starts servers and a service on them. Tries again if one does not start. */
const start = async ({ open }: Kind): Promise<Started> => {
  for (let attempt = 1; ; attempt += 1) {
    let masters: Masters | undefined;
    try {
      masters = await open();
      const settings = { WORKERS: '2', CHUNK_ROWS: String(rows / CHUNKS), LOG_LEVEL: 'info', REDIS_URL: masters.url };
      const service = await startService(settings);
      services.add(service);
      return { masters, service };
    } catch (error) {
      await masters?.stop();
      if (attempt === STARTS) throw error;
    }
  }
};

const logOf = ({ dataDir }: Service): string => join(dataDir, 'service.log');

/** @returns the folder with the service's log and the state of Redis */
const keep = async (name: string, { masters, service }: Started): Promise<string> => {
  const dir = join(values.keep, `${process.pid}-${name}`);
  await mkdir(dir, { recursive: true });
  await copyFile(logOf(service), join(dir, 'service.log'));
  await writeFile(join(dir, 'redis.txt'), await masters.state());
  return dir;
};

interface Run {
  readonly name: string;
  readonly list: string;
  readonly truth: Truth;
}

/** @returns the result of a batch in words, and whether its bytes were the same */
const runOnce = async (
  started: Started,
  { name, list, truth }: Run,
): Promise<readonly [same: boolean, words: string]> => {
  try {
    const how = { list, truth, chunkRows: rows / CHUNKS, standstillMs: STANDSTILL_MS };
    const { wentOn, problem } = await disturb(started.service, started.masters, how);
    const seconds = wentOn.map((time) => `${time.toFixed(1)} s`).join(', ');
    if (problem === undefined) return [true, `the same bytes, it went on after ${seconds}`];
    return [false, `${problem}, kept in ${await keep(name, started)}`];
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return [false, `${words}, kept in ${await keep(name, started)}`];
  }
};

/** The load of the machine over a minute. */
const loads: number[] = [];

/** How often a worker ended itself because it was stuck, which means that there is a bug to find. */
let stoodStill = 0;

const isOver = (): boolean => performance.now() > endAt || kinds.every(({ begun }) => begun >= runs);

/** Runs batches of a kind on one service, until one gives other bytes. */
const runSeveral = async (kind: Kind, list: string, truth: Truth): Promise<void> => {
  const started = await start(kind);
  try {
    for (let batch = 0; batch < batches && kind.begun < runs && !isOver(); batch += 1) {
      kind.begun += 1;
      const name = `${kind.name}-${kind.begun}`;
      const begunAt = performance.now();
      const [same, words] = await runOnce(started, { name, list, truth });
      console.log(`${name}: ${words} (${((performance.now() - begunAt) / 1_000).toFixed(0)} s)`);
      kind[same ? 'same' : 'other'] += 1;
      loads.push(loadavg()[0] ?? 0);
      if (!same) return;
      await started.masters.mend();
    }
  } finally {
    stoodStill += (await readFile(logOf(started.service), 'utf8')).split('worker is stuck').length - 1;
    services.delete(started.service);
    await started.service.stop();
    await started.masters.stop();
  }
};

const dir = await mkdtemp(join(tmpdir(), 'repeat-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
try {
  const list = join(dir, 'list.csv');
  await writeList(list, rows);
  const truth = await truthOf(list, join(dir, 'quoted.csv'));
  startLoops();
  /** Keeps the requested number of services running, alternating the kinds. */
  const work = async (_: unknown, lane: number): Promise<void> => {
    for (let turn = lane; !isOver(); turn += 1) {
      const kind = kinds[turn % kinds.length];
      if (kind !== undefined && kind.begun < runs)
        await runSeveral(kind, list, truth).catch((error: unknown) => console.log(`${kind.name}: ${error}`));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const { name, same, other } of kinds)
    console.log(`${name}: ${same} of ${same + other} batches gave the same bytes, beside ${busy} busy loops`);
  console.log(`stuck workers that were restarted: ${stoodStill}`);
  const [least, most] = [Math.min(...loads), Math.max(...loads)].map((load) => load.toFixed(1));
  console.log(`load of the machine, including busy loops: ${least} to ${most} on ${availableParallelism()} processors`);
  process.exitCode = kinds.every(({ same, other }) => other === 0 && same > 0) ? 0 : 1;
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
  await rm(dir, { recursive: true, force: true });
}
