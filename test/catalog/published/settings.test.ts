import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../../src/base/config/settings.ts';

const PUBLISHED = { TARIFFS_DIR: 'published', AGREEMENTS_DIR: 'published', CLIENTS_FILE: 'published' };

test('the word published means the store, and anything else is a path', () => {
  expect(readConfig(PUBLISHED)).not.toHaveProperty('tariffsDir');
  expect(readConfig(PUBLISHED)).not.toHaveProperty('agreementsDir');
  expect(readConfig(PUBLISHED)).not.toHaveProperty('clientsFile');
  const paths = { TARIFFS_DIR: 'samples', AGREEMENTS_DIR: 'test', CLIENTS_FILE: 'samples/clients.json' };
  expect(readConfig(paths)).toMatchObject({
    tariffsDir: resolve('samples'),
    agreementsDir: resolve('test'),
    clientsFile: resolve('samples/clients.json'),
  });
  expect(() => readConfig({ TARIFFS_DIR: './published' })).toThrow('published, which does not exist');
});

test('published clients may be used beyond loopback, but not the sample file', () => {
  expect(readConfig({ ...PUBLISHED, HOST: '0.0.0.0' }).host).toBe('0.0.0.0');
  expect(() => readConfig({ HOST: '0.0.0.0' })).toThrow('HOST must be a loopback address');
});
