/** Errors for files that cannot be read. */

/** The file is damaged, has an unsupported type, or lacks the requested content. */
export class UnreadableFile extends Error {
  /** The problem, worded to follow the subject: `is damaged`. */
  readonly problem: string;
  readonly subject: 'file' | 'sheet';
  constructor(problem: string, options: ErrorOptions & { readonly subject?: 'sheet' } = {}) {
    super(problem, options);
    this.name = 'UnreadableFile';
    this.problem = problem;
    this.subject = options.subject ?? 'file';
  }
}

/** Reading the file exceeds a limit that genuine files stay below. */
export class OverLimit extends UnreadableFile {
  readonly limit: string;
  readonly most: string;
  /** @param most the limit with its unit */
  constructor(limit: string, most: string) {
    super(`is too large to read: ${limit} is at most ${most}; save it as CSV`);
    this.name = 'OverLimit';
    this.limit = limit;
    this.most = most;
  }
}
