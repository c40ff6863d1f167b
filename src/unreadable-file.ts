/** Why a file is not read. */

/** A file that is damaged, of a kind that is not read, or without what was asked for. */
export class UnreadableFile extends Error {
  /** What is wrong, in words that follow the subject: `file is damaged`. */
  readonly problem: string;
  readonly subject: 'file' | 'sheet';
  constructor(problem: string, options: ErrorOptions & { readonly subject?: 'sheet' } = {}) {
    super(problem, options);
    this.name = 'UnreadableFile';
    this.problem = problem;
    this.subject = options.subject ?? 'file';
  }
}

/** A file that takes more work than a genuine one. */
export class OverLimit extends UnreadableFile {
  readonly limit: string;
  readonly most: string;
  /** @param most what is allowed, with its unit */
  constructor(limit: string, most: string) {
    super(`is too large to read: ${limit} is at most ${most}; save it as CSV`);
    this.name = 'OverLimit';
    this.limit = limit;
    this.most = most;
  }
}
