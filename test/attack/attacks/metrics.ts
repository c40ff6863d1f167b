/** Attacks on metrics. */
import { METHODS } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { forSeconds } from '../calls.ts';
import { METRICS_TOKEN } from '../environment.ts';

const SECONDS = 4;
/** Pause of each connection between two scrapes. The attack tests the cost of scrapes, not the number of calls. */
const PAUSE_MS = 50;
const SAFE_METHODS = METHODS.filter((method) => method !== 'CONNECT');
const MOST_LINES = 3_000;
const MOST_BYTES = 1024 * 1024;
/** With and without a mounted router. */
const PATHS = [
  '/ops/session',
  '/ops/queues/api/queues',
  '/console/v1/client/shipment/rates/batches',
  '/v1/client/shipment/rates/batches',
  '/token/generate',
];

/** A spelling of the path: each bit of the number sets the case of a letter. */
const spelled = (path: string, number: number): string => {
  let bit = 0;
  const letters = [...path].map((letter) => {
    if (!/[a-z]/.test(letter)) return letter;
    bit += 1;
    return (number / 2 ** (bit - 1)) & 1 ? letter.toUpperCase() : letter;
  });
  return `${letters.join('')}${number % 3 === 0 ? '/' : ''}`;
};

export const METRIC_ATTACKS: readonly Attack[] = [
  {
    name: 'metrics-spellings',
    tries: 'Requests paths in thousands of spellings, with and without credentials, to create a label for each.',
    group: 'spellings',
    run: async ({ calls, attacker }) => {
      let sent = 0;
      await forSeconds(SECONDS, 8, async () => {
        sent += 1;
        const path = spelled(PATHS[sent % PATHS.length] ?? '/', Math.floor(sent / PATHS.length));
        const token = sent % 2 === 0 ? attacker : undefined;
        await calls.call(SAFE_METHODS[sent % SAFE_METHODS.length] ?? 'GET', path, { token, keep: 2_000 });
      });
      const begun = performance.now();
      const { status, body } = await calls.call('GET', '/metrics', {
        headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
        keep: 200_000_000,
      });
      const took = performance.now() - begun;
      const lines = body.split('\n').length;
      return {
        sent: `${sent} calls, each in another spelling, over 8 connections`,
        back: `${lines} lines of metrics, ${body.length} bytes, in ${took.toFixed(0)} ms`,
        problems: [
          ...(status === 200 ? [] : [`the metrics were answered ${status}`]),
          ...(lines > MOST_LINES ? [`there are ${lines} lines of metrics, more than ${MOST_LINES}`] : []),
          ...(body.length > MOST_BYTES ? [`the metrics have ${body.length} bytes, more than ${MOST_BYTES}`] : []),
          ...(/\/[oO][pP]S|\/O[pP][sS]/.test(body) ? ['a spelling is a label'] : []),
        ],
      };
    },
  },
  {
    name: 'metrics-scrapes',
    tries: 'Scrapes the metrics over forty connections at once, with and without the token.',
    group: 'spellings',
    run: async ({ calls }) => {
      let sent = 0;
      let open = 0;
      await forSeconds(SECONDS, 40, async (connection) => {
        sent += 1;
        const isOpen = connection % 4 === 0;
        const headers: Record<string, string> = isOpen ? {} : { Authorization: `Bearer ${METRICS_TOKEN}` };
        const { status } = await calls.call('GET', '/metrics', { headers, keep: 2_000 });
        if (isOpen && status === 200) open += 1;
        await sleep(PAUSE_MS);
      });
      return {
        sent: `${sent} scrapes over 40 connections, a quarter of them without the token`,
        problems: open === 0 ? [] : [`${open} scrapes without the token were answered, though METRICS_TOKEN is set`],
      };
    },
  },
];
