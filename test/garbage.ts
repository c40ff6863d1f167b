/** Collects garbage at once, as Node does at some time: what only it would have ended is gone afterwards. */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** A few times, between turns of the event loop: one collection may free what holds the next. */
export const collectGarbage = async (): Promise<void> => {
  for (let times = 0; times < 5; times += 1) {
    await turn();
    collect();
  }
};
