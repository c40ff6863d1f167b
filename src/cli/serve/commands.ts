/** The commands that run the service. Each loads its modules only when it runs, so that the help is fast. */
import { z } from 'zod';
import { command, input } from '../command.ts';
import { EXIT } from '../exit.ts';

const serve = command({
  path: 'serve',
  about: 'Run the whole service: API, workers and, without REDIS_URL, a private Redis',
  examples: [
    'rates serve',
    'PORT=8080 DATA_DIR=/var/lib/rates CLIENTS_FILE=clients.json rates serve',
    'REDIS_URL=redis://127.0.0.1:6379 WORKERS=4 rates serve',
  ],
  more: 'It runs until Ctrl-C or SIGTERM, and restarts any of its processes that ends.',
  run: async (_, io) => {
    const service = await import('./serve.ts');
    await service.serve(io.env);
    process.exit(EXIT.done);
  },
});

const demo = command({
  path: 'demo',
  about: 'Show the whole service once: a quote and a sample list, with its own data',
  examples: ['rates demo', 'WORKERS=4 rates demo'],
  more: 'It needs no Redis and no settings. It runs on a free port and writes only data/demo/shipments-quoted.csv.',
  run: async (_, io) => {
    const shown = await import('./demo.ts');
    await shown.demo(io);
    process.exit(EXIT.done);
  },
});

const api = command({
  path: 'api',
  about: 'Run only the API; needs REDIS_URL',
  examples: ['REDIS_URL=redis://127.0.0.1:6379 DATA_DIR=/srv/rates PORT=8080 rates api'],
  more: 'Lists are rated by `rates worker`. Give it the same REDIS_URL, and the same DATA_DIR or STORE_URL.',
  run: async (_, io) => {
    const service = await import('./api.ts');
    await service.api(io.env);
    return {};
  },
});

const worker = command({
  path: 'worker',
  about: 'Rate queued lists; needs REDIS_URL',
  options: {
    restart: input('--no-restart', 'end with 75 if the worker stalls; without it, a new one starts', z.boolean()),
  },
  examples: ['REDIS_URL=redis://127.0.0.1:6379 DATA_DIR=/srv/rates rates worker'],
  more: "Start as many as you like, on any number of machines. All use the API's REDIS_URL, and its DATA_DIR or STORE_URL.",
  run: async ({ restart }, io) => {
    const service = await import('./worker.ts');
    await service.worker(io, restart);
    return {};
  },
});

export const serviceCommands = [serve, demo, api, worker];
