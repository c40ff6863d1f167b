/** The ship dates at which `fixtures/lethal-worker.ts` dies, and the file that says it has. */
export const LETHAL = '2026-07-04';
export const LETHAL_ONCE = '2026-07-05';
export const DIED_ONCE = 'died-once';
