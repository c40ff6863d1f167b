import { expect, test } from 'vitest';
import { createSnapshots } from '../../src/batch/snapshot.ts';
import { createDiskStore } from '../../src/store/disk.ts';
import { folderForEachTest } from '../folder.ts';
import { referenceSchedule } from '../rows/fixtures.ts';

let dir: string;
folderForEachTest((made) => (dir = made));

test('a process loads a schedule as soon as its tariffs exist, even after a failed try', async () => {
  const store = createDiskStore(dir);
  const reader = createSnapshots(store);
  const schedule = await referenceSchedule();
  await expect(reader.schedule(schedule.ids)).rejects.toThrow('is not a tariff');
  await createSnapshots(store).keep(schedule);
  expect((await reader.schedule(schedule.ids)).ids).toEqual(schedule.ids);
});

test('reads no tariff to keep a schedule that it has kept before', async () => {
  const snapshots = createSnapshots(createDiskStore(dir));
  const schedule = await referenceSchedule();
  await snapshots.keep(schedule);
  const unreadable = schedule.documents.map(
    (document) =>
      new Proxy(document, {
        get: () => {
          throw new Error('the tariff was read');
        },
      }),
  );
  expect(await snapshots.keep({ ...schedule, documents: unreadable })).toEqual(schedule.ids);
});
