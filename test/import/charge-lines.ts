/** Charges as lines, so that a test can state many of them. */
import type { ParsedCharge } from '../../src/import/read/reader.ts';

const amountText = ({ amount }: ParsedCharge['entry']): string => {
  if (amount.per === 'declaredValue')
    return `${amount.usdPer100} per 100 over ${amount.freeUsd}, at least ${amount.minimumUsd}`;
  if (amount.per === 'percent') return 'percent';
  if (typeof amount.usd === 'string') return amount.usd;
  return Object.entries(amount.usd)
    .map(([zone, usd]) => `${zone.replace('zone ', 'z')} ${usd}`)
    .join(' ');
};

const EIGHT = 'FDX-GROUND FDX-HOME FDX-SAVER FDX-2DAY FDX-2DAYAM FDX-STDOVN FDX-PRIOVN FDX-1STOVN';
const SIX = EIGHT.replace('FDX-GROUND FDX-HOME ', '');

/** `page 7, RESIDENTIAL "Residential delivery", FDX-HOME, from 2026-01-05: 6.45`. */
export const chargeLine = ({ at, services, tier, entry }: ParsedCharge): string => {
  const codes = services.join(' ').replace(EIGHT, 'all').replace(SIX, 'express');
  return [
    `${at}, ${entry.type} "${entry.description}", ${codes}`,
    tier === undefined ? '' : `, ${tier}`,
    entry.from === undefined ? '' : `, from ${entry.from}`,
    entry.until === undefined ? '' : `, until ${entry.until}`,
    `: ${amountText(entry)}`,
    entry.multiweightMaximumUsd === undefined ? '' : `, at most ${entry.multiweightMaximumUsd}`,
  ].join('');
};
