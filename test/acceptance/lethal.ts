/** The ship dates that kill `fixtures/lethal-worker.ts`, and the file that records it. */
export const LETHAL = '2026-07-04';
export const LETHAL_ONCE = '2026-07-05';
export const DIED_ONCE = 'died-once';
