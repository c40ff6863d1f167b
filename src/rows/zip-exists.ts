/** Whether a ZIP code exists for certain, by the list that `ZIP_LIST` names. */
import { ZIP_BITS } from './zip-codes.ts';

const BITS = Buffer.from(ZIP_BITS, 'base64');

/** @param zip five digits */
export const zipExists = (zip: string): boolean => {
  const at = Number(zip);
  return (((BITS[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
};
