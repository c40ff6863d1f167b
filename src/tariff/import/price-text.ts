/** Prices as people write them in tables. */

const NO_RATE = /^(?:[-–—]+|n\/?a)$/i;
const PRICE = /^\$? ?(\d{1,3}(?:,\d{3})+|\d{1,6})(?:\.(\d{1,2}))?$/;

/** `$1,234.5` is 123450 cents; null where the text says that there is no rate (`-`, `N/A`); undefined for any other. */
export const centsInText = (text: string): number | null | undefined => {
  if (NO_RATE.test(text)) return null;
  const [, whole = '', fraction = ''] = PRICE.exec(text) ?? [];
  if (whole === '') return undefined;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(fraction.padEnd(2, '0'));
  return cents > 0 ? cents : undefined;
};
