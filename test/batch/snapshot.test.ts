import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSnapshots } from '../../src/batch/snapshot.ts';
import { createDiskStore } from '../../src/store/disk.ts';
import { referenceSchedule } from '../rows/fixtures.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'snapshot-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('a process loads a schedule as soon as its tariffs exist, even after a failed try', async () => {
  const store = createDiskStore(dir);
  const reader = createSnapshots(store);
  const schedule = await referenceSchedule();
  await expect(reader.schedule(schedule.ids)).rejects.toThrow();
  await createSnapshots(store).keep(schedule);
  expect((await reader.schedule(schedule.ids)).ids).toEqual(schedule.ids);
});
