/** An API whose operators change the tariffs of a separate folder, and small files of an unknown carrier. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { createAudit } from '../../../src/base/audit/audit.ts';
import { readConfig } from '../../../src/base/config/settings.ts';
import { watchTariffs } from '../../../src/catalog/documents/live.ts';
import { createSnapshots } from '../../../src/catalog/published/snapshots.ts';
import { tariffSource } from '../../../src/catalog/published/sources.ts';
import { tariffDesk } from '../../../src/cli/serve/api-operator.ts';
import { followOne } from '../../catalog/published/setup.ts';
import type { Answer } from '../api.ts';
import { sampleClients } from '../api.ts';
import type { BatchApi } from '../batch-api.ts';
import { type OperatorApiOptions, operatorApiOf } from './operator-api.ts';

/** The files of one year: rates, zones from the ZIP codes 070, and fuel. */
export const filesOf = (firstPound: string, farther = '3'): Readonly<Record<string, string>> => ({
  'rates.csv': `service,weight_lb,2,3\nPOST-G,1,${firstPound},8.00\nPOST-G,2,7.90,9.00\n`,
  'zones.csv': `origin,destination,POST-G\n070,000-499,2\n070,500-899,${farther}\n070,900-999,3\n`,
});

/** An operator who is signed in, and calls as this operator. */
export interface Operator {
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, json?: unknown) => Promise<Answer>;
  readonly remove: (path: string) => Promise<Answer>;
  readonly upload: (draft: string, name: string, content: string | Uint8Array<ArrayBuffer>) => Promise<Answer>;
  /** Makes a draft of files, and imports it. @returns the draft after the import has ended */
  readonly imported: (
    draft: { name: string; effectiveDate: string },
    files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
    waitMs?: number,
  ) => Promise<Answer['body']>;
}

/** @param isPublished whether the tariffs are published instead of in a folder */
export const startTariffApi = async (service: BatchApi, options: OperatorApiOptions = {}, isPublished = false) => {
  const dir = await mkdtemp(join(tmpdir(), 'operator-tariffs-'));
  const root = join(dir, 'tariffs');
  await mkdir(root);
  const place = isPublished ? 'published' : root;
  const env = { TARIFFS_DIR: place, DATA_DIR: join(dir, 'data'), PATH: process.env['PATH'] ?? '' };
  const log = pino({ level: 'silent' });
  const now = options.now ?? (() => new Date());
  const clients = await sampleClients();
  const { store, redis } = service;
  const audit = createAudit({ store, log, now });
  const tariffs = isPublished
    ? await followOne(tariffSource({ store }, createSnapshots(store)), { store, redis, log })
    : await watchTariffs(root, { log, intervalMs: 50 });
  const desk = tariffDesk(readConfig(env), {
    ...{ store, redis, tariffs, log, now, env },
    clients: { current: () => clients },
  });
  const api = await operatorApiOf(service, { ...options, tariffs, tariffDesk: desk });

  const signIn = async (name = 'Ada'): Promise<Operator> => {
    const headers = await api.signIn(name);
    const get: Operator['get'] = (path) => api.call(path, { headers });
    const post: Operator['post'] = (path, json = {}) => api.send('POST', path, json, headers);
    const upload: Operator['upload'] = (draft, file, content) =>
      api.call(`/ops/tariff-drafts/${draft}/files?${new URLSearchParams({ name: file })}`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/octet-stream' },
        body: content,
      });
    return {
      get,
      post,
      upload,
      remove: (path) => api.call(path, { method: 'DELETE', headers }),
      imported: async (draft, files, waitMs = 60_000) => {
        const { id } = (await post('/ops/tariff-drafts', draft)).body;
        for (const [name, content] of Object.entries(files)) {
          const added = await upload(id, name, content);
          if (added.status !== 200) throw new Error(JSON.stringify(added.body));
        }
        await post(`/ops/tariff-drafts/${id}/import`);
        for (const late = performance.now() + waitMs; performance.now() < late; ) {
          const { body } = await get(`/ops/tariff-drafts/${id}`);
          if (body.state !== 'importing') return body;
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        throw new Error('the import did not end');
      },
    };
  };
  const close = async (): Promise<void> => {
    await api.close();
    tariffs.close();
    await rm(dir, { recursive: true, force: true });
  };
  return { api, tariffs, root, audit, signInAs: signIn, close };
};
