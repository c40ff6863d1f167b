/** Finds entries of the audit log that belong to one act, such as files that were added to a draft one after another. */

interface Part {
  readonly at: string;
  readonly by: string;
  readonly address: string;
  readonly action: string;
  readonly object: string;
}

const PAUSE_MS = 600_000;

export const SIGN_IN = 'Signed in';

/** Returns whether the same person did the same to the same object within ten minutes. */
const isSameAct = (a: Part, b: Part): boolean =>
  a.by === b.by &&
  a.address === b.address &&
  a.action === b.action &&
  a.object === b.object &&
  Math.abs(Date.parse(a.at) - Date.parse(b.at)) <= PAUSE_MS;

/** Finds the act of an entry. Consecutive sign-ins are one act, whoever signed in. */
export const actOf = <Entry extends Part>(acts: readonly Entry[][], entry: Entry): Entry[] | undefined => {
  const last = acts.at(-1);
  if (entry.action === SIGN_IN && last?.[0]?.action === SIGN_IN) return last;
  return acts.find((act) => act.slice(-1).some((one) => isSameAct(one, entry)));
};
