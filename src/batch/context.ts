/** The dependencies of the work on batches. Each function takes only what it uses. */
import type { Logger } from '../base/log.ts';
import type { Snapshots } from '../catalog/published/snapshots.ts';
import type { Scheduler, SchedulerDeps } from './scheduler.ts';

export interface Context extends SchedulerDeps {
  readonly scheduler: Scheduler;
  readonly snapshots: Snapshots;
  readonly now: () => Date;
  readonly log: Logger;
}
