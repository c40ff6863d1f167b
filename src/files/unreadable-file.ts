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

/** The problem of a formula whose value is not in the file. */
export const withoutValue = (place: string, sheet: string): string =>
  `has a formula without a value in cell ${place} of the sheet "${sheet}": open the workbook in Excel and save it`;

/** Limits that sheets with formats but without values exceed. */
const EMPTY_CELLS = new Set(['workbookElements', 'workbookEmptyCells', 'workbookSheet']);

const DELETE_EMPTY = 'delete the empty rows and columns of the sheet, which have formats, or save it as CSV';

/** Returns what to do about a packed file over a limit. Empty for other limits. */
export const wayBelow = (limit: string): string => {
  if (EMPTY_CELLS.has(limit)) return DELETE_EMPTY;
  return limit === 'inflationRatio' ? `send the list uncompressed; if it is a workbook, ${DELETE_EMPTY}` : '';
};

/** A limit in words. Callers know it by its name. */
export const limitText = (limit: string, most: string | number): string => `the limit is ${most} (${limit})`;

/** Reading the file exceeds a limit that genuine files stay below. */
export class OverLimit extends UnreadableFile {
  readonly limit: string;
  readonly most: string;
  readonly words: string;
  /** @param most the limit with its unit */
  constructor(limit: string, most: string) {
    const words = limitText(limit, most);
    super(`is too large to read: ${words}; ${wayBelow(limit) || 'save it as CSV'}`);
    this.words = words;
    this.name = 'OverLimit';
    this.limit = limit;
    this.most = most;
  }
}
