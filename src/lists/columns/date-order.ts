/** Days of lists whose order the caller names: `6/1/2026`. */

/** The orders of month, day and year. */
export const DATE_ORDERS = ['mdy', 'dmy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Three numbers with the same sign between them, and perhaps a time of day, which a ship date does not need. */
const PARTS = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:[ T]\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?)?$/i;

/** @returns the day as a request has it. A cell that is not in this order stays as it is */
export const orderedDay = (cell: string, order: DateOrder): string => {
  const [, first = '', , second = '', third = ''] = PARTS.exec(cell) ?? [];
  const [year, month, day] =
    order === 'ymd' ? [first, second, third] : order === 'mdy' ? [third, first, second] : [third, second, first];
  if ((year.length !== 4 && year.length !== 2) || month.length > 2 || day.length > 2) return cell;
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};
