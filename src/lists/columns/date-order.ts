/** Reads dates whose order the caller states: `6/1/2026`. */

export const DATE_ORDERS = ['mdy', 'dmy', 'ymd'] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** Three numbers with the same separator between them. A time of day and its zone may follow. They are ignored. */
const PARTS =
  /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]m)?(?: ?(?:[a-z]{1,4}|[+-]\d{2}:?\d{2}))?)?$/i;

/** @returns the date in the form of a request. A cell in another form stays unchanged */
export const orderedDay = (cell: string, order: DateOrder): string => {
  const [, first = '', , second = '', third = ''] = PARTS.exec(cell) ?? [];
  const [year, month, day] =
    order === 'ymd' || first.length === 4
      ? [first, second, third]
      : order === 'mdy'
        ? [third, first, second]
        : [third, second, first];
  if ((year.length !== 4 && year.length !== 2) || month.length > 2 || day.length > 2) return cell;
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
};
