/** The parts of a price in messages. */
import type { PricePart } from './charges.ts';

const PART_NAMES: Readonly<Record<PricePart, string>> = {
  fuel: 'the fuel surcharge of that day',
  residential: 'the residential charge',
  deliveryArea: 'delivery area surcharges',
  handling: 'charges for additional handling',
  limits: 'the limits of size',
  signature: 'the charge for the signature',
  saturday: 'the charge for Saturday delivery',
  declaredValue: 'the charge for the declared value',
};

const LIST = new Intl.ListFormat('en-US', { type: 'conjunction' });

/** `the residential charge and delivery area surcharges` */
export const partNames = (parts: readonly PricePart[]): string => LIST.format(parts.map((part) => PART_NAMES[part]));
