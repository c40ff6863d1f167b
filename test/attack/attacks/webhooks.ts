/** Receivers of webhooks that never answer. */
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createSilent, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { ended, listOf, madeBatch } from './batches.ts';

const BATCHES_OF_ATTACKER = 80;
/** Longer than the timeout of an attempt. */
const SECONDS = 19;
const MOST_DELIVERY_MS = 4_000;
const SERVE = ['--import', 'tsx', join(import.meta.dirname, '../fixtures/serve.ts')];

const held: Socket[] = [];
/** When each message arrived, by batch. */
const came = new Map<string, number>();

const listening = async (server: Server | ReturnType<typeof createSilent>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return address.port;
};

const silent = createSilent((socket) => {
  held.push(socket);
  socket.on('error', () => undefined);
});
const good = createServer((req, res) => {
  let text = '';
  req.on('data', (piece) => {
    text += piece;
  });
  req.on('end', () => {
    const message: { data: { id: string } } = JSON.parse(text);
    came.set(message.data.id, performance.now());
    res.writeHead(204).end();
  });
});

export const WEBHOOK_ATTACKS: readonly Attack[] = [
  {
    name: 'silent-receivers',
    tries: "Sends eighty messages to a receiver that never answers; another client's must arrive in time.",
    limits: { uploadsPerMinute: 10_000 },
    command: SERVE,
    webhooks: {
      attacker: `https://127.0.0.1:${await listening(silent)}/hook`,
      neighbor: `https://127.0.0.1:${await listening(good)}/hook`,
    },
    run: async (environment) => {
      const { calls, attacker, neighbor } = environment;
      const list = listOf(1);
      for (let made = 0; made < BATCHES_OF_ATTACKER; made += 1) await madeBatch(environment, attacker, list);
      const begun = performance.now();
      const delays: number[] = [];
      while (performance.now() - begun < SECONDS * 1_000) {
        const id = await madeBatch(environment, neighbor, list);
        await ended(environment, neighbor, id);
        const at = performance.now();
        while (!came.has(id) && performance.now() - at < MOST_DELIVERY_MS * 2) await sleep(20);
        delays.push((came.get(id) ?? Infinity) - at);
        await sleep(500);
      }
      const { body } = await calls.call('GET', '/v1/client/webhooks/deliveries', { token: attacker });
      const told: { deliveries: { outcome: string; ms: number }[] } = JSON.parse(body);
      for (const socket of held) socket.destroy();
      const worst = Math.max(...delays);
      const attempts = told.deliveries.map(({ ms }) => ms);
      return {
        sent: `${BATCHES_OF_ATTACKER} messages to a silent receiver, ${delays.length} to a good one`,
        back: `the good one's came within ${(worst / 1_000).toFixed(1)} s; ${attempts.length} attempts were given up, after at most ${(Math.max(0, ...attempts) / 1_000).toFixed(1)} s`,
        problems: [
          ...(worst > MOST_DELIVERY_MS ? [`a message came after ${(worst / 1_000).toFixed(1)} s`] : []),
          ...(attempts.length === 0 ? [`no attempt was given up within ${SECONDS} s`] : []),
          ...(Math.max(0, ...attempts) > 18_000 ? ['an attempt went on past its deadline'] : []),
        ],
      };
    },
  },
];
