/** What the work on batches needs. Each part takes what it uses of it. */
import type { Logger } from '../base/log.ts';
import type { Redis } from '../base/redis/connection.ts';
import type { Store } from '../base/store/store.ts';
import type { Snapshots } from '../catalog/published/snapshots.ts';
import type { Queues } from './queue/jobs.ts';
import type { Scheduler } from './scheduler.ts';

export interface Context {
  readonly store: Store;
  readonly redis: Redis;
  readonly queues: Queues;
  readonly scheduler: Scheduler;
  readonly snapshots: Snapshots;
  readonly now: () => Date;
  readonly log: Logger;
}
