import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { WatchedClients } from '../../../src/catalog/clients/accounts.ts';
import {
  ClientChangeError,
  newSecret,
  withClient,
  withoutClient,
} from '../../../src/catalog/clients/change-clients.ts';
import { type ClientRecord, parseClients } from '../../../src/catalog/clients/clients.ts';
import { changePublishedClients, clientSource, publishedClients } from '../../../src/catalog/published/clients.ts';
import { soon } from '../../soon.ts';
import { followOne, type Setup, setUpForEachTest } from './setup.ts';

const NOW = new Date('2026-03-01T00:00:00Z');
const WHO = { by: 'ann@laptop', now: NOW };

let setup: Setup;
let clients: WatchedClients | undefined;
setUpForEachTest((fresh) => (setup = fresh));
afterEach(() => clients?.close());

const named = (id: string): ClientRecord => {
  const secrets = [newSecret(NOW).kept];
  const [record] = parseClients(
    JSON.stringify({ clients: [{ id, name: id, secrets, scopes: ['quote'], warehouses: [] }] }),
    'test',
  );
  if (record === undefined) throw new Error('no record');
  return record;
};
const add = (id: string) => changePublishedClients(setup.deps, (all) => withClient(all, named(id)), WHO);
const ids = async () => (await publishedClients(setup.deps)).map(({ id }) => id).sort();
const follow = async (allowSampleSecrets = false) => {
  clients = await followOne(clientSource(setup.deps, allowSampleSecrets), setup.deps);
  return clients;
};
const samples = async () =>
  parseClients(await readFile(join(import.meta.dirname, '../../../samples/clients.json'), 'utf8'), 'samples');

test('no client is lost when twelve are added concurrently', async () => {
  const twelve = Array.from({ length: 12 }, (_, index) => `client-${String(index).padStart(2, '0')}`);
  await Promise.all(twelve.map(add));
  expect(await ids()).toEqual(twelve);
});

test('a follower sees a client added and revoked', async () => {
  const { current } = await follow();
  expect([...current().keys()]).toEqual([]);
  await add('acme');
  await soon(() => expect([...current().keys()]).toEqual(['acme']));
  await changePublishedClients(setup.deps, (all) => withoutClient(all, 'acme'), WHO);
  await soon(() => expect([...current().keys()]).toEqual([]));
});

test('a refused change publishes nothing', async () => {
  await add('acme');
  await expect(add('acme')).rejects.toThrow(ClientChangeError);
  expect(await setup.deps.store.list('published/clients/')).toHaveLength(1);
});

test('a change without effect makes no version', async () => {
  await add('acme');
  await changePublishedClients(setup.deps, (all) => all, WHO);
  expect(await setup.deps.store.list('published/clients/')).toHaveLength(1);
});

test('the version in force and the twenty before it are kept; older ones are removed', async () => {
  for (let count = 1; count <= 24; count += 1) await add(`client-${count}`);
  const kept = (await setup.deps.store.list('published/clients/')).map((name) => Number.parseInt(name, 10));
  expect(kept.sort((a, b) => a - b)).toEqual(Array.from({ length: 21 }, (_, index) => index + 4));
  expect(await ids()).toHaveLength(24);
});

test('clients with a sample secret are rejected beyond loopback', async () => {
  const demo = (await samples()).slice(0, 1);
  await add('acme');
  const { current } = await follow();
  await changePublishedClients(setup.deps, (all) => [...all, ...demo], WHO);
  await soon(() => expect(setup.warnings).toEqual(['a published version cannot be used']));
  expect([...current().keys()]).toEqual(['acme']);
  clients?.close();
  await expect(follow()).rejects.toThrow('sample secret');
  expect([...(await follow(true)).current().keys()]).toEqual(['acme', 'demo']);
});

test('a version whose content has changed is rejected', async () => {
  await add('acme');
  const [name] = await setup.deps.store.list('published/clients/');
  await setup.deps.store.put(`published/clients/${name}`, Buffer.from('{"clients": []}'));
  await expect(ids()).rejects.toThrow('its content has changed since it was published');
  await expect(follow()).rejects.toThrow('its content has changed since it was published');
});
