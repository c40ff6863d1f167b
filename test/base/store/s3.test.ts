import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStore } from '../../../src/base/store/open.ts';
import { createS3Client, planJoin } from '../../../src/base/store/s3-client.ts';
import { type Store, StoreFailure } from '../../../src/base/store/store.ts';
import { hasObjectStore, type ObjectStore, START_MS, startObjectStore } from '../../cluster/object-store.ts';
import { numbered, readAll, stillSince, testStore } from './contract.ts';
import { type Line, openLine } from './line.ts';

const MEGABYTE = 1024 * 1024;
const there = hasObjectStore();

describe.skipIf(!there)('an object store', () => {
  let objects: ObjectStore;
  let store: Store;
  beforeAll(async () => {
    objects = await startObjectStore();
    store = await openStore(objects.settings);
  }, START_MS);
  afterAll(() => objects?.stop());

  testStore(() => store);

  /** The bucket itself, without the store. */
  const bare = () => {
    const { hostname: Bucket, pathname } = new URL(objects.settings.storeUrl);
    return { client: createS3Client(objects.settings.s3 ?? {}), Bucket, root: `${pathname.slice(1)}/` };
  };
  const uploads = async (): Promise<readonly string[]> => {
    const { client, Bucket, root } = bare();
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: root }));
    return Uploads.map(({ Key = '' }) => Key.slice(root.length));
  };

  test('lists and removes more names than a page holds', async () => {
    // A page has 1,000 names; Swift's, as configured here, has 50.
    const count = objects.swift === undefined ? 1_100 : 110;
    const names = Array.from({ length: count }, (_, i) => `${String(i).padStart(5, '0')}.csv`);
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => store.put(`many/${name}`, Buffer.alloc(0))));
    expect(await store.list('many/')).toEqual(names);
    await store.remove('many/');
    expect(await store.list('many/')).toEqual([]);
  }, 120_000);

  describe('uploads in parts', () => {
    test('are aborted in the store if they fail', async () => {
      const source = async function* (): AsyncGenerator<Uint8Array> {
        yield numbered(11 * MEGABYTE);
        throw new Error('the source broke late');
      };
      await expect(store.put('broken', source())).rejects.toThrow('the source broke late');
      expect(await uploads()).toEqual([]);
    });

    test('are swept if they are unfinished and old', async () => {
      const { client, Bucket, root } = bare();
      await client.send(new CreateMultipartUploadCommand({ Bucket, Key: `${root}batches/left.csv` }));
      expect(await uploads()).toEqual(['batches/left.csv']);
      expect(await store.sweep(stillSince(-3_600_000))).toBe(0);
      expect(await uploads()).toEqual(['batches/left.csv']);
      expect(await store.sweep(stillSince(3_600_000))).toBe(1);
      expect(await uploads()).toEqual([]);
    });

    test('of others outside the prefix are kept; without a prefix they are swept too', async () => {
      const { client, Bucket, root } = bare();
      const others = `${root.slice(0, -1)}-of-others/`;
      await client.send(new CreateMultipartUploadCommand({ Bucket, Key: `${others}photo.jpg` }));
      const later = stillSince(3_600_000);
      expect(await store.sweep(later)).toBe(0);
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: others }));
      expect(Uploads.map(({ Key }) => Key)).toEqual([`${others}photo.jpg`]);
      const { storeUrl } = objects.settings;
      const theirs = await openStore({ ...objects.settings, storeUrl: `${storeUrl}-of-others` });
      expect(await theirs.sweep(later)).toBe(1);
      // A shared bucket may contain uploads of others in progress.
      if (objects.swift === undefined) return;
      await client.send(new CreateMultipartUploadCommand({ Bucket, Key: `${others}photo.jpg` }));
      const bucket = await openStore({ ...objects.settings, storeUrl: `s3://${Bucket}` });
      expect(await bucket.sweep(later)).toBe(1);
    });
  });

  describe('an object joined from others', () => {
    const join = async (sizes: readonly number[], head = 'head\n') => {
      let from = 0;
      const contents = sizes.map((size) => {
        from += size;
        return numbered(size, from);
      });
      const pieces = contents.map((content, index) => ({ key: `pieces/${index}`, bytes: content.length }));
      await Promise.all(contents.map((content, index) => store.put(`pieces/${index}`, content)));
      await store.direct?.join('joined', Buffer.from(head), pieces);
      const joined = await store.get('joined');
      return joined?.equals(Buffer.concat([Buffer.from(head), ...contents]));
    };

    test.each([
      ['of nothing but a head', []],
      ['of short pieces', [10, 0, 20]],
      ['of short pieces that make more than a part', [3 * MEGABYTE, 3 * MEGABYTE, 1]],
      ['of long pieces', [11 * MEGABYTE, 6 * MEGABYTE, 5 * MEGABYTE]],
      ['of long and short pieces', [100, 12 * MEGABYTE, 7, 5 * MEGABYTE, 6 * MEGABYTE, 3]],
    ])('has all pieces of %s', async (_, sizes) => {
      expect(await join(sizes)).toBe(true);
      expect(await uploads()).toEqual([]);
    });

    test('fails if the size of a piece has changed, and leaves nothing', async () => {
      await store.put('pieces/0', numbered(4 * MEGABYTE));
      const pieces = [
        { key: 'pieces/0', bytes: 4 * MEGABYTE },
        { key: 'pieces/none', bytes: 4 * MEGABYTE },
      ];
      await expect(store.direct?.join('unjoined', Buffer.alloc(0), pieces)).rejects.toThrow(StoreFailure);
      expect(await store.size('unjoined')).toBeUndefined();
      expect(await uploads()).toEqual([]);
    });
  });

  test('a signed URL serves the object to anyone, under its name, until it expires', async () => {
    await store.put('given/output.csv', Buffer.from('a,b\n'));
    const disposition = 'attachment; filename="list-output.csv"';
    const url = await store.direct?.presign('given/output.csv', {
      seconds: 2,
      disposition,
      contentType: 'text/csv; charset=utf-8',
    });
    const answer = await fetch(url ?? '');
    expect([answer.status, await answer.text()]).toEqual([200, 'a,b\n']);
    expect(answer.headers.get('content-disposition')).toBe(disposition);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    await expect.poll(async () => (await fetch(url ?? '')).status, { interval: 100, timeout: 10_000 }).toBe(403);
  });

  test('reports a missing bucket as a failure, not as a missing object', async () => {
    const settings = { ...objects.settings, storeUrl: 's3://no-such-bucket-of-ours/x' };
    const nowhere = await openStore(settings);
    await expect(nowhere.get('a')).rejects.toThrow(StoreFailure);
    await expect(nowhere.list('a/')).rejects.toThrow(StoreFailure);
    await expect(nowhere.put('a', Buffer.alloc(1))).rejects.toThrow(StoreFailure);
    await expect(nowhere.check()).rejects.toThrow(StoreFailure);
  });

  test('reports wrong credentials as a failure', async () => {
    const s3 = { ...objects.settings.s3, credentials: { accessKeyId: 'nobody', secretAccessKey: 'nothing' } };
    const refused = await openStore({ ...objects.settings, s3 });
    await expect(refused.get('a')).rejects.toThrow('the store could not read a');
  });

  describe('over a connection that breaks', () => {
    let line: Line;
    let far: Store;
    const all = numbered(3 * MEGABYTE);
    beforeAll(async () => {
      const { endpoint = 'https://s3.amazonaws.com' } = objects.settings.s3 ?? {};
      if (!endpoint.startsWith('http:')) return;
      line = await openLine(endpoint);
      const s3 = { ...objects.settings.s3, endpoint: `http://127.0.0.1:${line.port}` };
      far = await openStore({ ...objects.settings, s3 });
      await store.put('long', all);
    });
    afterAll(() => line?.close());

    test('continues a read where it stopped', async () => {
      line.cutAfter = MEGABYTE;
      line.cuts = 2;
      expect((await readAll(far, 'long')).equals(all)).toBe(true);
      expect(line.cuts).toBe(0);
      line.cuts = 1;
      const [from, to] = [MEGABYTE / 2, 3 * MEGABYTE - 7];
      expect((await far.get('long', { from, to }))?.equals(all.subarray(from, to))).toBe(true);
      expect(line.cuts).toBe(0);
    });

    test('fails a read of an object that is replaced in between', async () => {
      line.cutAfter = MEGABYTE;
      line.cuts = 1;
      let seen = 0;
      const reading = async (): Promise<void> => {
        for await (const bytes of far.stream('long')) {
          if (seen === 0) await store.put('long', numbered(3 * MEGABYTE, 9));
          seen += bytes.length;
        }
      };
      await expect(reading()).rejects.toThrow('the store could not read all of long');
      await store.put('long', all);
    });

    test('fails a read whose connection breaks every time', async () => {
      line.cutAfter = 1;
      line.cuts = 100;
      await expect(far.get('long')).rejects.toThrow('the store could not read all of long');
      line.cuts = 0;
    });

    test('serves the whole object to a slow reader', async () => {
      const seen: Buffer[] = [];
      for await (const bytes of far.stream('long')) {
        if (seen.length === 1) await sleep(24_000);
        seen.push(Buffer.from(bytes));
      }
      expect(Buffer.concat(seen).equals(all)).toBe(true);
    }, 40_000);

    test('fails calls without a response in time', async () => {
      line.drop();
      line.silent = true;
      const begun = performance.now();
      await expect(far.get('long')).rejects.toThrow('the store could not read long');
      expect(performance.now() - begun).toBeLessThan(25_000);
      line.drop();
      line.silent = false;
      expect(await far.size('long')).toBe(3 * MEGABYTE);
    }, 40_000);

    test('fails calls to a closed port within two seconds', async () => {
      const port = line.port;
      await line.close();
      const begun = performance.now();
      await expect(far.get('long')).rejects.toThrow('the store could not read long');
      await expect(far.put('x', Buffer.alloc(1))).rejects.toThrow('the store could not write x');
      expect(performance.now() - begun).toBeLessThan(2_000);
      expect(port).toBeGreaterThan(0);
    });
  });
});

test('sends a long object to a server that never answers 100 Continue', async () => {
  const received: number[] = [];
  const server = createServer(async (req, res) => {
    let bytes = 0;
    for await (const piece of req) bytes += Buffer.from(piece).length;
    received.push(bytes);
    res.end();
  });
  // By default, Node.js would answer 100 Continue.
  server.on('checkContinue', (_req, res) => res.destroy());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const access = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  };
  const store = await openStore({ storeUrl: 's3://bucket/rates', s3: access, maxUploadBytes: MEGABYTE });
  await store.put('long', Buffer.alloc(3 * MEGABYTE));
  expect(received).toEqual([3 * MEGABYTE]);
  server.closeAllConnections();
  server.close();
});

test('a join copies long sections on the server and collects the others into parts', () => {
  const pieces = [
    { key: 'a', bytes: 30 },
    { key: 'b', bytes: 4 },
    { key: 'c', bytes: 4 },
    { key: 'd', bytes: 10 },
    { key: 'e', bytes: 2 },
  ];
  expect(planJoin(3, pieces, 10)).toEqual([
    { sent: [{ key: 'a', from: 0, to: 7 }], first: true },
    { copied: { key: 'a', from: 7, to: 30 } },
    {
      sent: [
        { key: 'b', from: 0, to: 4 },
        { key: 'c', from: 0, to: 4 },
        { key: 'd', from: 0, to: 2 },
      ],
      first: false,
    },
    {
      sent: [
        { key: 'd', from: 2, to: 10 },
        { key: 'e', from: 0, to: 2 },
      ],
      first: false,
    },
  ]);
});

test('a join copies long pieces in several parts', () => {
  expect(planJoin(0, [{ key: 'a', bytes: 45 }], 10, 20)).toEqual([
    { copied: { key: 'a', from: 0, to: 20 } },
    { copied: { key: 'a', from: 20, to: 40 } },
    { sent: [{ key: 'a', from: 40, to: 45 }], first: false },
  ]);
});

test('a long head is a part of its own', () => {
  expect(planJoin(10, [{ key: 'a', bytes: 5 }], 10)).toEqual([
    { sent: [], first: true },
    { sent: [{ key: 'a', from: 0, to: 5 }], first: false },
  ]);
});
