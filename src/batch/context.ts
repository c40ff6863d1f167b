/** What the work on batches needs. Each part takes what it uses of it. */
import type { Logger } from '../log.ts';
import type { Queues } from '../queue/jobs.ts';
import type { Redis } from '../redis/connection.ts';
import type { Store } from '../store/store.ts';
import type { Scheduler } from './scheduler.ts';
import type { Snapshots } from './snapshot.ts';

export interface Context {
  readonly store: Store;
  readonly redis: Redis;
  readonly queues: Queues;
  readonly scheduler: Scheduler;
  readonly snapshots: Snapshots;
  readonly now: () => Date;
  readonly log: Logger;
}
