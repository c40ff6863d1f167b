import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clientOf, readClients } from '../../src/catalog/clients/clients.ts';
import { createTokens, keptTokenSecret, tokenKeys } from '../../src/http/tokens.ts';

const SAMPLES = join(import.meta.dirname, '../../samples/clients.json');

test('concurrent starts create one token secret, which only its owner may read', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'token-secret-'));
  try {
    const data = join(dir, 'data');
    const secrets = await Promise.all(Array.from({ length: 20 }, () => keptTokenSecret(data)));
    expect(new Set(secrets).size).toBe(1);
    expect(secrets[0]).toMatch(/^[\w-]{43}$/);
    expect(await keptTokenSecret(data)).toBe(secrets[0]);
    expect(await readdir(data)).toEqual(['token-secret']);
    const file = join(data, 'token-secret');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readFile(file, 'utf8')).trim()).toBe(secrets[0]);
  } finally {
    await rm(dir, { recursive: true });
  }
});

test('accepts a token secret of 32 characters, and rejects one of 31', () => {
  expect(tokenKeys('x'.repeat(32)).byId.size).toBe(1);
  expect(() => tokenKeys('x'.repeat(31))).toThrow('at least 32 characters');
  expect(() => tokenKeys(`${'x'.repeat(32)},short`)).toThrow('at least 32 characters');
});

test('a token from a machine whose clock is a minute ahead is valid at once', async () => {
  const keys = tokenKeys('x'.repeat(32));
  const at = (time: string) => () => new Date(time);
  const clients = readClients(await readFile(SAMPLES, 'utf8'), SAMPLES);
  const proven = clientOf(clients, 'demo', 'demo-secret', new Date());
  if (proven === undefined) throw new Error('the sample client has another secret');
  const { token } = await createTokens(keys, at('2026-06-01T12:01:00Z')).issue(proven, ['quote']);
  expect(await createTokens(keys, at('2026-06-01T12:00:00Z')).verify(token)).toMatchObject({ clientId: 'demo' });
  expect(await createTokens(keys, at('2026-06-01T13:01:01Z')).verify(token)).toBe('expired');
});
