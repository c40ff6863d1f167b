/**
 * `rates demo`: starts the service on a free port with its own data, makes a quote, rates the sample list and prints a
 * summary.
 */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parse } from 'csv-parse/sync';
import { readRedisUrl, withDatabase } from '../../base/config/redis-address.ts';
import { type Config, ROOT, readConfig } from '../../base/config/settings.ts';
import { createLog } from '../../base/log.ts';
import { connect, type Redis, requireReady } from '../../base/redis/connection.ts';
import type { Batch } from '../../http/client/client.ts';
import { addedColumn, type OutputColumn } from '../../lists/output/output-columns.ts';
import type { Field } from '../../rating/fields.ts';
import { showBatch } from '../batch/batch.ts';
import { createRemote, download, patiently, type Remote, uploadList, watchBatch } from '../batch/remote.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { count, counted, dollarsText, faultCounts, table } from '../format.ts';
import { type Io, interruption, type Line, printLines, say } from '../io.ts';
import { createProgress } from '../progress.ts';
import { openOutput } from '../rate/output-file.ts';
import { receipt } from '../rate/receipt.ts';
import { type Service, startService } from './supervisor.ts';

const DATABASES = 16;
const REACH_TIMEOUT_MS = 5_000;
const CLAIM = 'rates:demo';
/** Longer than any demo runs. Afterward, another demo may take the database of a killed demo. */
const CLAIM_SECONDS = 600;

/** Claims the selected database if it is empty. */
const claim = async (redis: Redis, id: string): Promise<boolean> => {
  if ((await redis.set(CLAIM, id, 'EX', CLAIM_SECONDS, 'NX')) === null) return false;
  if ((await redis.dbsize()) === 1) return true;
  await redis.del(CLAIM);
  return false;
};

/**
 * The Redis in REDIS_URL may be in use by a service or another demo. Therefore the demo takes an empty numbered database, and
 * empties it at the end.
 * @param url the address of a running Redis
 */
const demoRedis = async (url: string) => {
  const address = readRedisUrl(url);
  if ('kind' in address && address.kind === 'cluster')
    throw new CommandFailure('The demo needs a numbered database, and a Redis Cluster has none. Unset REDIS_URL.');
  // The awaited calls report failures.
  const redis = connect(url, 'producer', { log: createLog({ level: 'silent', name: 'demo' }) });
  try {
    await requireReady(redis, url, REACH_TIMEOUT_MS);
    for (let database = 1; database < DATABASES; database += 1) {
      await redis.select(database);
      if (!(await claim(redis, randomUUID()))) continue;
      return {
        url: withDatabase(url, database),
        release: async () => {
          await redis.flushdb();
          redis.disconnect();
        },
      };
    }
  } catch (error) {
    redis.disconnect();
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(
      `${reason}${/[.?]$/.test(reason) ? '' : '.'} Without REDIS_URL the demo starts its own Redis.`,
      EXIT.failed,
      { cause: error },
    );
  }
  redis.disconnect();
  throw new CommandFailure('The Redis of REDIS_URL has no empty database for the demo. Unset REDIS_URL.');
};

const SHIPMENTS = join(ROOT, 'samples', 'shipments.csv');
const REQUEST = join(ROOT, 'samples', 'requests', 'options.json');
const SHOWN_ROWS = 8;
const SHOWN_COLUMNS = [
  'order_number',
  'postalCode',
  'weight_value',
  'weight_units',
  'quote_status',
  'quote_shippingService',
  'quote_totalNetCharge',
  'quote_rateZone',
  'quote_billingWeight_value',
  'fault_type',
] satisfies ('order_number' | Field | OutputColumn)[];
const SIDES = SHOWN_COLUMNS.map((name) =>
  addedColumn(name)?.kind !== undefined || name === 'weight_value' ? 'right' : 'left',
);

/** The demo's settings: the samples, in a temporary folder. Ignores settings with other data. */
const demoEnvironment = (env: NodeJS.ProcessEnv, dataDir: string, redisUrl: string | undefined): NodeJS.ProcessEnv => {
  const { CLIENTS_FILE, TARIFFS_DIR, AGREEMENTS_DIR, STORE_URL, NODE_ENV, ...rest } = env;
  return {
    ...rest,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: env['LOG_LEVEL'] || 'warn',
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  };
};

const sayQuote = async (remote: Remote, io: Io): Promise<void> => {
  const quote = await remote.quote(JSON.parse(await readFile(REQUEST, 'utf8')));
  io.stdout.write(`\nOne quote: POST ${remote.server}/v1/client/shipment/rates with ${named(REQUEST)}\n\n`);
  const indented = (line: Line): Line => (typeof line === 'string' ? `  ${line}` : { ...line, text: `  ${line.text}` });
  await printLines(io, receipt(quote).map(indented));
};

const named = (path: string): string => {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
};

/** Sends the list and waits for it. Shows a progress bar on a terminal, otherwise a line per change. */
const rateList = async (remote: Remote, outputPath: string, io: Io, signal: AbortSignal): Promise<Batch> => {
  const { size } = await stat(SHIPMENTS);
  io.stdout.write(`\nA list: ${named(SHIPMENTS)} (${count(size)} bytes), through Redis and the workers\n\n`);
  const progress = createProgress(io);
  const show = showBatch(progress);
  let last = '';
  const onBatch = (batch: Batch): void => {
    show(batch);
    const line = `  ${batch.status}: ${count(batch.rows.processed)} of ${count(batch.rows.total ?? 0)} rows`;
    if (!io.stderr.isTTY && line !== last) io.stdout.write(`${line}\n`);
    last = line;
  };
  const patience = patiently(signal, progress.trouble);
  try {
    const query = { filename: 'shipments.csv' };
    const { id } = await uploadList(remote, () => createReadStream(SHIPMENTS), { ...patience, query });
    const batch = await watchBatch(remote, id, onBatch, patience);
    if (batch.status !== 'completed')
      throw new CommandFailure(
        `The batch is ${batch.status}${batch.failure === null ? '' : `: ${batch.failure.message}`}.`,
      );
    await mkdir(dirname(outputPath), { recursive: true });
    await download(
      remote,
      () => remote.download(id, 'output', {}, patience),
      () => openOutput(outputPath, io),
      patience,
    );
    return batch;
  } finally {
    progress.clear();
  }
};

/** The first rows of the output as a table. */
const firstRows = async (path: string): Promise<string[]> => {
  const file = await open(path);
  try {
    const lines: string[] = [];
    for await (const line of file.readLines()) if (lines.push(line) > SHOWN_ROWS) break;
    const [header = [], ...rows]: string[][] = parse(lines.join('\n'), { relax_column_count: true });
    const columns = SHOWN_COLUMNS.map((name) => header.indexOf(name));
    const shown = [
      SHOWN_COLUMNS.map((name) => name.replace(/^quote_/, '')),
      ...rows.map((row) => columns.map((at) => row[at] ?? '')),
    ];
    return table(shown, SIDES, 30);
  } finally {
    await file.close();
  }
};

const sayBatch = async (remote: Remote, batch: Batch, seconds: number, output: string, io: Io): Promise<void> => {
  const { totalNetCharge, byService } = await remote.summary(batch.id);
  const { processed, quoted, faulted } = batch.rows;
  const lines = [
    `${counted(processed, 'row')} in ${seconds.toFixed(2)} s, ${count(Math.round(processed / seconds))} rows per second`,
    `${counted(quoted, 'quote')}, ${dollarsText(totalNetCharge)} in total`,
    ...table(
      byService.map((one) => [`  ${one.shippingService}`, count(one.shipments), dollarsText(one.totalNetCharge)]),
      ['left', 'right', 'right'],
    ),
    counted(faulted, 'fault'),
    ...faultCounts(batch.faults),
    '',
    `The output: ${named(output)}`,
    '',
    ...(await firstRows(output)),
  ];
  io.stdout.write(`${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`);
};

const show = async (service: Service, outputPath: string, io: Io, signal: AbortSignal): Promise<void> => {
  const credentials = { id: 'demo', secret: 'demo-secret' };
  const remote = createRemote({ server: service.url, credentials, signal });
  await sayQuote(remote, io);
  const begun = performance.now();
  const batch = await rateList(remote, outputPath, io, signal);
  await sayBatch(remote, batch, (performance.now() - begun) / 1_000, outputPath, io);
};

export const demo = async (io: Io): Promise<void> => {
  const signal = interruption();
  const { dataDir: ownData, redisUrl }: Config = readConfig({ ...io.env, PORT: '0', HOST: '127.0.0.1' });
  const dataDir = await mkdtemp(join(tmpdir(), 'rates-demo-'));
  const redis = redisUrl === undefined ? undefined : await demoRedis(redisUrl);
  const env = demoEnvironment(io.env, dataDir, redis?.url);
  const config = readConfig(env);
  const log = createLog({ level: config.logLevel, name: 'demo', format: config.logFormat });
  try {
    io.stdout.write('Starting the service: API, workers and Redis\n');
    const service = await startService(config, { env, execArgv: io.execArgv, log, tell: (line) => say(io, line) });
    try {
      await show(service, join(ownData, 'demo', 'shipments-quoted.csv'), io, signal);
    } finally {
      await service.stop();
    }
  } catch (error) {
    if (signal.aborted) throw new CommandFailure('Interrupted.', EXIT.interrupted, { cause: error });
    throw error;
  } finally {
    await redis?.release();
    await rm(dataDir, { recursive: true, force: true });
  }
  io.stdout.write('Stopped. To run the service: npx rates serve\n');
};
