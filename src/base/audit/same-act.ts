/** Which entries of the audit log are parts of one act, such as the files that were added to a draft one after another. */

interface Part {
  readonly at: string;
  readonly by: string;
  readonly address: string;
  readonly action: string;
  readonly object: string;
}

const PAUSE_MS = 600_000;

/** Whether the same person did the same to the same within ten minutes. */
export const isSameAct = (a: Part, b: Part): boolean =>
  a.by === b.by &&
  a.address === b.address &&
  a.action === b.action &&
  a.object === b.object &&
  Math.abs(Date.parse(a.at) - Date.parse(b.at)) <= PAUSE_MS;
