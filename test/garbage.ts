/** Collects garbage now, as Node does at some time. Objects that nothing refers to are gone afterwards. */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Several times, between turns of the event loop, because one collection may make more objects free. */
export const collectGarbage = async (): Promise<void> => {
  for (let times = 0; times < 3; times += 1) {
    await turn();
    collect();
  }
};
