/**
 * A number of a workbook as its cell shows it, as far as a list depends on that: a ZIP code that is a number with zeros in
 * front by its format, a date, and any other number as its shortest decimal. Formats: ECMA-376, part 1, 18.8.30 and 18.8.31.
 */

export type CellFormat =
  | { readonly kind: 'plain' }
  | { readonly kind: 'date' }
  /** Runs of zeros with marks between them: `00000`, `00000-0000`. */
  | { readonly kind: 'zeros'; readonly runs: readonly number[]; readonly marks: readonly string[] };

const PLAIN: CellFormat = { kind: 'plain' };
const DATE: CellFormat = { kind: 'date' };

const isDateId = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** @param code of a format that the workbook brings; absent for the built-in ones */
export const formatOfCell = (id: number, code: string | undefined): CellFormat => {
  if (code === undefined) return isDateId(id) ? DATE : PLAIN;
  const [positive = ''] = code.split(';');
  const bare = positive.replaceAll(/\\(.)|"([^"]*)"/g, '$1$2');
  if (/^0{2,}(?:[- ]0+)*$/.test(bare)) {
    const runs = bare.split(/[- ]/).map((run) => run.length);
    return { kind: 'zeros', runs, marks: bare.match(/[- ]/g) ?? [] };
  }
  // Letters of a date outside of quotes, escapes and conditions such as [Red].
  const letters = positive.replaceAll(/\\.|"[^"]*"|\[[^\]]*\]/g, '').replaceAll(/general/gi, '');
  return /[ymdhs]/i.test(letters) ? DATE : PLAIN;
};

const DAY_MS = 86_400_000;
/** Day 0 as spreadsheets count: in the 1900 system they hold 1900 to be a leap year. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);

const dateText = (days: number, since1904: boolean): string => {
  const time = new Date((since1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(days * 86_400) * 1_000);
  if (Number.isNaN(time.getTime()) || Math.abs(days) > 3_000_000) return String(days);
  const text = time.toISOString();
  return time.getTime() % DAY_MS === 0 ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
};

const zeroText = (value: number, runs: readonly number[], marks: readonly string[]): string => {
  const width = runs.reduce((sum, run) => sum + run, 0);
  const digits = String(value).padStart(width, '0');
  let at = digits.length - width + (runs[0] ?? 0);
  let text = digits.slice(0, at);
  runs.slice(1).forEach((run, index) => {
    text += `${marks[index]}${digits.slice(at, at + run)}`;
    at += run;
  });
  return text;
};

/** @param raw the number as the workbook has it, such as `2.1000000000000001` */
export const shownNumber = (raw: string, format: CellFormat, since1904: boolean): string => {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (format.kind === 'date') return dateText(value, since1904);
  const isCount = Number.isSafeInteger(value) && value >= 0;
  return format.kind === 'zeros' && isCount ? zeroText(value, format.runs, format.marks) : String(value);
};
