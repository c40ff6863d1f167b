/** Finds entries of the audit log that belong to one act, such as files that were added to a draft one after another. */

interface Part {
  readonly at: string;
  readonly by: string;
  readonly address: string;
  readonly action: string;
  readonly object: string;
}

const PAUSE_MS = 600_000;

/** Returns whether the same person did the same to the same object within ten minutes. */
export const isSameAct = (a: Part, b: Part): boolean =>
  a.by === b.by &&
  a.address === b.address &&
  a.action === b.action &&
  a.object === b.object &&
  Math.abs(Date.parse(a.at) - Date.parse(b.at)) <= PAUSE_MS;
