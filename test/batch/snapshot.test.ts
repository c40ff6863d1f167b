import { expect, test } from 'vitest';
import { createDiskStore } from '../../src/base/store/disk.ts';
import { TARIFFS } from '../../src/catalog/documents/kinds.ts';
import { createSnapshots } from '../../src/catalog/published/snapshots.ts';
import { folderForEachTest } from '../folder.ts';
import { referenceSchedule } from '../lists/rows/fixtures.ts';

let dir: string;
folderForEachTest((made) => (dir = made));

test('a process loads a schedule as soon as its tariffs exist, even after a failed try', async () => {
  const store = createDiskStore(dir);
  const reader = createSnapshots(store);
  const schedule = await referenceSchedule();
  await expect(reader.schedule(schedule.ids)).rejects.toThrow('is not a tariff');
  await createSnapshots(store).keep(TARIFFS, schedule.documents);
  expect((await reader.schedule(schedule.ids)).ids).toEqual(schedule.ids);
});

test('reads no tariff to keep a schedule that it has kept before', async () => {
  const snapshots = createSnapshots(createDiskStore(dir));
  const schedule = await referenceSchedule();
  let isReadable = true;
  const documents = schedule.documents.map(
    (document) =>
      new Proxy(document, {
        get: (target, name) => {
          if (!isReadable) throw new Error('the tariff was read');
          return Reflect.get(target, name);
        },
      }),
  );
  await snapshots.keep(TARIFFS, documents);
  isReadable = false;
  expect(await snapshots.keep(TARIFFS, documents)).toEqual(schedule.ids);
});
