/** Expensive reads of one client. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { forSeconds } from '../calls.ts';
import type { Environment } from '../environment.ts';
import { BATCHES, CSV, ended, endedBatch, listOf, madeBatch } from './batches.ts';

const SECONDS = 4;
/** Limits for creating what is read, and for three attacks in a minute. Otherwise the default limits apply. */
const LIMITS = { uploadsPerMinute: 10_000, batchesInFlight: 1_000, downloadsPerMinute: 3_000 };
const GROUP = 'reads';

const hundredBatches = async (environment: Environment): Promise<void> => {
  const ids = await Promise.all(
    Array.from({ length: 100 }, () => madeBatch(environment, environment.attacker, listOf(1))),
  );
  for (const id of ids) await ended(environment, environment.attacker, id);
};

let prepared = '';
let preparedAt = '';
const bigBatch = async (environment: Environment): Promise<void> => {
  if (preparedAt === environment.url) return;
  prepared = await endedBatch(environment, environment.attacker, 40_000, '?services=all&explain=true');
  preparedAt = environment.url;
};

/** Reads paths in turn on this many connections. */
const reading = (
  name: string,
  tries: string,
  connections: number,
  paths: () => readonly string[],
  prepare: (environment: Environment) => Promise<void> = async () => undefined,
): Attack => ({
  name,
  tries,
  group: GROUP,
  limits: LIMITS,
  prepare,
  run: async ({ calls, attacker }) => {
    let sent = 0;
    await forSeconds(SECONDS, connections, async (connection) => {
      sent += 1;
      const all = paths();
      await calls.call('GET', all[(sent + connection) % all.length] ?? '/', { token: attacker, keep: 2_000 });
    });
    return { sent: `${sent} reads over ${connections} connections`, problems: [] };
  },
});

const HEADER = 'warehouse_id,postalCode,weight_value,weight_units\n';

/** Lists that begin with many empty rows, cells or quotes, with a good header or their own, and headers of a megabyte. */
const EMPTY_LISTS: readonly (readonly [what: string, body: string])[] = [
  ['10 MB of line ends', `${HEADER}${'\n'.repeat(10_000_000)}`],
  ['10 MB of carriage returns', '\r'.repeat(10_000_000)],
  ['rows of separators', `${HEADER}${`${','.repeat(99)}\n`.repeat(60_000)}`],
  ['rows of quotes', '"",""\n'.repeat(700_000)],
  ['a row of half a million cells', `${HEADER}${'a,'.repeat(500_000)}\n1,2\n`],
  ['unclosed quotes', '"a\n'.repeat(1_500_000)],
  ['a column name of a megabyte', `${'order_n'.repeat(145_000)},${HEADER}1,101,02139,2,LB\n`],
  [
    'ten thousand column names of underscores',
    `${`${'_'.repeat(99)},`.repeat(10_000)}${HEADER}${','.repeat(10_003)}\n`,
  ],
];

const previews: Attack = {
  name: 'empty-previews',
  tries: 'Previews and uploads megabytes of empty lists: line ends, separators, quotes, column names.',
  group: GROUP,
  limits: LIMITS,
  run: async ({ calls, attacker }) => {
    let sent = 0;
    await forSeconds(SECONDS, 3, async () => {
      const [, body] = EMPTY_LISTS[sent % EMPTY_LISTS.length] ?? ['', ''];
      const query = sent % 4 === 3 ? '' : '?preview=true';
      sent += 1;
      await calls.call('POST', `${BATCHES}${query}`, { token: attacker, headers: CSV, body });
    });
    return { sent: `${sent} lists: ${EMPTY_LISTS.map(([what]) => what).join(', ')}`, problems: [] };
  },
};

const stalled: Attack = {
  name: 'stalled-downloads',
  tries: 'Starts three hundred downloads and event streams, and reads none of them.',
  group: GROUP,
  limits: LIMITS,
  prepare: bigBatch,
  run: async ({ url, attacker }) => {
    const { host, port } = new URL(url);
    const what = ['output', 'output?format=xlsx', 'output?output=excel', 'faults', 'events', 'summary'];
    const sockets = Array.from({ length: 300 }, (_, at) => {
      const path = `${BATCHES}/${prepared}/${what[at % what.length]}`;
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${attacker}\r\n\r\n`),
      );
      return socket.on('error', () => undefined).pause();
    });
    await sleep(SECONDS * 1_000);
    for (const socket of sockets) socket.destroy();
    return { sent: `${sockets.length} downloads and event streams that are not read`, problems: [] };
  },
};

export const READ_ATTACKS: readonly Attack[] = [
  reading(
    'lists-of-batches',
    'Asks for lists of a hundred batches over fifty connections.',
    50,
    () => [`${BATCHES}?limit=100`],
    hundredBatches,
  ),
  reading(
    'workbook-downloads',
    'Downloads an output of 40,000 rows as a workbook, over twenty connections.',
    20,
    () => [`${BATCHES}/${prepared}/output?format=xlsx`],
    bigBatch,
  ),
  reading(
    'other-downloads',
    "Downloads a big batch's output, faults and summary in their forms, over forty connections.",
    40,
    () => ['output', 'output?output=excel', 'faults', 'summary'].map((what) => `${BATCHES}/${prepared}/${what}`),
    bigBatch,
  ),
  stalled,
  reading(
    'documents',
    'Requests the OpenAPI document, its pages and the console without a pause, over eight connections.',
    8,
    () => ['/openapi.json', '/docs', '/docs/docs.js', '/', '/readyz', '/v1/client/services'],
  ),
  previews,
];
