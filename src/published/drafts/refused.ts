/** A change of a draft that was refused. */

/** `missing`: there is no such draft. `conflict`: somebody else works on it. `limit`: there are too many. */
export type DraftRefusal = 'missing' | 'invalid' | 'conflict' | 'tooLarge' | 'limit';

export class DraftRefused extends Error {
  override readonly name = 'DraftRefused';
  readonly why: DraftRefusal;
  /** What is wrong, by field, in words for users. */
  readonly problems: Readonly<Record<string, string>>;

  constructor(why: DraftRefusal, problems: Readonly<Record<string, string>>) {
    super(`${why}: ${Object.entries(problems).flat().join(' ')}`);
    this.why = why;
    this.problems = problems;
  }
}

export const missingDraft = (): DraftRefused => new DraftRefused('missing', { draft: 'does not exist' });
