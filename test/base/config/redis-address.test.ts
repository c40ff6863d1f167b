import { expect, test } from 'vitest';
import { readRedisUrl, withDatabase, withoutSecrets } from '../../../src/base/config/redis-address.ts';

const FILE = import.meta.filename;

test.each([
  ['redis://cache', { kind: 'single', nodes: [{ host: 'cache', port: 6379 }], user: {}, database: 0 }],
  [
    'redis://:p%40ss@127.0.0.1:7000/3',
    { kind: 'single', nodes: [{ host: '127.0.0.1', port: 7000 }], user: { password: 'p@ss' }, database: 3 },
  ],
  ['redis://[::1]:6380/', { kind: 'single', nodes: [{ host: '::1', port: 6380 }], user: {}, database: 0 }],
  [
    `rediss://rates:a:b@cache/2?ca=${FILE}`,
    {
      kind: 'single',
      nodes: [{ host: 'cache', port: 6379 }],
      user: { username: 'rates', password: 'a:b' },
      tls: { ca: FILE },
      database: 2,
    },
  ],
  [
    'redis+sentinel://rates:secret@one,two:26380/mymaster/1?sentinel_username=watch&sentinel_password=w%26x',
    {
      kind: 'sentinel',
      nodes: [
        { host: 'one', port: 26379 },
        { host: 'two', port: 26380 },
      ],
      user: { username: 'rates', password: 'secret' },
      master: 'mymaster',
      database: 1,
      sentinelUser: { username: 'watch', password: 'w&x' },
    },
  ],
  [
    'rediss+cluster://h1:7000,h2:7001',
    {
      kind: 'cluster',
      nodes: [
        { host: 'h1', port: 7000 },
        { host: 'h2', port: 7001 },
      ],
      user: {},
      tls: {},
    },
  ],
  ['/run/redis/redis.sock', { kind: 'socket', path: '/run/redis/redis.sock', user: {}, database: 0 }],
  ['/run/50%25 of %3F/r.sock?db=3', { kind: 'socket', path: '/run/50% of ?/r.sock', user: {}, database: 3 }],
])('accepts %s', (url, address) => {
  expect(readRedisUrl(url)).toEqual(address);
});

const FORMS = expect.stringContaining('must be redis://HOST:PORT');

test.each([
  ['http://cache', FORMS],
  ['redis://', FORMS],
  ['redis://cache:0', FORMS],
  ['/', FORMS],
  ['/run/redis.sock?db=first', FORMS],
  ['/run/redis.sock?ca=/x', FORMS],
  ['redis://cache:65536', FORMS],
  ['redis://cache/0/1', FORMS],
  ['redis+sentinel://one:26379', FORMS],
  ['redis+sentinel://one:26379/', FORMS],
  ['redis+cluster://h1:7000,,h2:7001', FORMS],
  ['redis://cache/first', 'must have the number of a database after the last /'],
  ['redis+cluster://h1/1', 'names a database, but a Cluster only has database 0'],
  ['redis://h1,h2', 'has several hosts: use redis+sentinel:// or redis+cluster://'],
  ['redis://:100%@cache', 'has a % that is not part of an escape: write it as %25'],
  [`redis://cache?ca=${FILE}`, 'has unknown options: ca'],
  ['redis://cache?maxRetriesPerRequest=1', 'has unknown options: maxRetriesPerRequest'],
  ['rediss://cache?ca=/nowhere.pem', 'names /nowhere.pem as ca, which does not exist'],
  [`rediss://cache?cert=${FILE}`, 'needs both of cert and key, or neither'],
])('rejects %s', (url, problem) => {
  expect(readRedisUrl(url)).toEqual({ problem });
});

test('does not repeat a password in a problem', () => {
  expect(JSON.stringify(readRedisUrl('redis://:hunter2@cache/x'))).not.toContain('hunter2');
});

test.each([
  ['redis://:secret@cache:7000', 'redis://:secret@cache:7000/4'],
  ['rediss://cache/1?ca=/etc/ca.pem', 'rediss://cache/4?ca=/etc/ca.pem'],
  ['redis+sentinel://one,two/mymaster', 'redis+sentinel://one,two/mymaster/4'],
  [
    'redis+sentinel://one,two/mymaster/1?sentinel_password=x',
    'redis+sentinel://one,two/mymaster/4?sentinel_password=x',
  ],
  ['/run/redis.sock', '/run/redis.sock?db=4'],
  ['/run/redis.sock?db=1', '/run/redis.sock?db=4'],
])('%s with database 4 is %s', (url, other) => {
  expect(withDatabase(url, 4)).toBe(other);
});

test.each([
  ['redis://127.0.0.1:7000', 'redis://127.0.0.1:7000'],
  ['redis://:p%40ss@127.0.0.1:7000/3', 'redis://127.0.0.1:7000/3'],
  [`rediss://rates:a:b@cache/2?ca=${FILE}`, 'rediss://cache/2'],
  [
    'redis+sentinel://rates:secret@one,two:26380/mymaster/1?sentinel_password=w%26x',
    'redis+sentinel://one,two:26380/mymaster/1',
  ],
  ['rediss+cluster://rates:secret@h1:7000,h2:7001', 'rediss+cluster://h1:7000,h2:7001'],
  ['/run/redis.sock?db=1', '/run/redis.sock?db=1'],
])('shows %s without its secrets', (url, shown) => {
  expect(withoutSecrets(url)).toBe(shown);
});
