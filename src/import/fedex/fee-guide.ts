/**
 * The fees of FedEx's Service Guide: definitions, services and charges. Its rows are converted to the form of the sheet of
 * changes, so that both documents give the same charges. The guide's rates by weight are skipped, because FedEx also publishes
 * them as list rates.
 */
import { must } from '../../base/must.ts';
import { CHARGES, type ChargeType, type Measures } from '../../catalog/tariff/charge-catalog.ts';
import { shifted } from '../../catalog/tariff/days.ts';
import type { PdfPage } from '../read/pdf.ts';
import { NO_TABLES, type NotTaken, type ParsedFile, RefusedFile, type Unreadable } from '../read/reader.ts';
import { ALASKA_HEAVY_LB, ALASKA_HEAVY_TIMES } from './area-charges.ts';
import { readCharges, type Term } from './charges.ts';
import {
  type Fee,
  type FeeHead,
  type FeeRow,
  guideHeads,
  largeLines,
  plainLines,
  plainText,
  readFees,
  sheetHeads,
} from './fee-table.ts';
import { sharedZonesIn } from './fee-text.ts';
import { dateAfter } from './layout.ts';

export const isFeeGuide = (pages: readonly PdfPage[]): boolean => guideHeads(pages).length > 0;

const SIZES = {
  lengthOverIn: 'greater than # inches along its longest side',
  secondSideOverIn: 'greater than # inches along its second-longest side',
  lengthPlusGirthOverIn: 'greater than # inches in length and girth',
};

/** How the definitions of fees phrase the measures of charges. `#` is the number. */
const WORDINGS: Readonly<
  Record<string, { readonly types: readonly ChargeType[]; readonly measures: Partial<Record<keyof Measures, string>> }>
> = {
  'Additional Handling Surcharge': {
    types: ['ADDITIONAL_HANDLING_DIMENSION', 'ADDITIONAL_HANDLING_WEIGHT'],
    measures: {
      ...SIZES,
      cubicInchesOver: 'greater than # inches cubic volume',
      actualWeightOverLb: 'actual weight greater than # lbs. (U.S. Package Services)',
    },
  },
  'Oversize Charge': {
    types: ['OVERSIZE'],
    measures: {
      ...SIZES,
      cubicInchesOver: 'greater than # inches in cubic volume',
      actualWeightOverLb: 'actual weight greater than # lbs.',
    },
  },
  'Ground Unauthorized Package Charge': {
    types: ['UNAUTHORIZED'],
    measures: {
      lengthOverIn: 'more than # inches in length',
      lengthPlusGirthOverIn: 'more than # inches in length and girth',
      actualWeightOverLb: 'more than # lbs.',
    },
  },
};

const numbered = (text: string, number: number): string => text.replace('#', number.toLocaleString('en-US'));

/** Phrases that a fee's definition must contain for its charges to be right. */
const termsOf = (fee: string): string[] => {
  if (fee === 'Delivery Area Surcharge')
    return [
      numbered('exceed # lbs. and are destined to an Alaska ZIP code', ALASKA_HEAVY_LB),
      numbered('# times the Alaska', ALASKA_HEAVY_TIMES),
    ];
  const { types, measures } = (Object.hasOwn(WORDINGS, fee) ? WORDINGS[fee] : undefined) ?? { types: [], measures: {} };
  return types.flatMap((type) => {
    const { anyOf, later, leastBillingWeightLb } = must(CHARGES[type].published, `the rule of ${type}`);
    const limits = [...anyOf, ...(later ?? [])].flatMap((limit) => Object.entries(limit));
    return [
      ...limits.map(([name, limit]) => {
        const words = must(measures[name as keyof Measures], `the words of ${name} in ${fee}`);
        return numbered(words, must(limit, `the limit of ${name}`));
      }),
      ...(leastBillingWeightLb === undefined
        ? []
        : [numbered('subject to a #-lb. minimum billable weight', leastBillingWeightLb)]),
    ];
  });
};

const otherTerms = ({ name, page, definition }: Fee): Unreadable[] =>
  termsOf(name)
    .filter((term) => !definition.includes(term))
    .map((text) => ({
      at: `page ${page}`,
      text,
      problem: `is not in the definition of ${name}: the terms may have changed, and the reader knows only these`,
    }));

const MAXIMUM = 'Maximum charge with FedEx';

/** Maximum residential charges: `receiving FedEx Express Multiweight pricing, the maximum charge is $62.55`. */
const residentialMaxima = ({ page, definition }: Fee): FeeRow[] =>
  [
    ...definition.matchAll(/(Express|Ground) Multiweight pricing, the maximum charge is (\$[\d,]{1,7}(?:\.\d\d)?)/g),
  ].map(([, network = '', amount = '']) => ({
    page,
    services: `${MAXIMUM} ${network} Multiweight Pricing`,
    cells: [`${amount} per shipment`],
  }));

/** Maximum signature charges: `$53.20 per shipment for Indirect Signature Required`. */
const signatureMaxima = ({ page, definition }: Fee): FeeRow[] => {
  const found = [...definition.matchAll(/(\$[\d,]{1,7}(?:\.\d\d)?) per shipment for (\w{1,20} Signature Required)/g)];
  const cell = found.map(([, amount = '', name = '']) => `${amount} per shipment (${name})`).join(' ');
  if (cell === '') return [];
  return [{ page, services: `${MAXIMUM} Express Multiweight or FedEx Ground Multiweight Pricing`, cells: [cell] }];
};

/**
 * Converts rows such as `Extended Commercial | $5.55 $27.75` and `Alaska (Commercial and Residential) | $46 Not applicable`
 * to rows for package services, and one row with their maximum charges.
 */
const areaRows = (rows: readonly FeeRow[]): FeeRow[] => {
  const maxima: string[] = [];
  const areas = rows.flatMap(({ page, services, cells: [cell = ''] }): FeeRow[] => {
    if (!/\d/.test(cell)) return [];
    const [, amount, maximum] =
      /^(\$[\d,]{1,7}(?:\.\d\d)?) (?:(\$[\d,]{1,7}(?:\.\d\d)?)|Not applicable)$/.exec(cell) ?? [];
    const [, place = '', kinds] = /^(Remote|Alaska|Hawaii|Intra-Hawaii) \(([^)]{1,60})\)$/.exec(services) ?? [];
    const tiers = place === 'Remote' ? 'Remote Commercial, Remote Residential' : (kinds ?? services);
    const where = place === '' || place === 'Remote' ? 'U.S.' : place;
    if (maximum !== undefined) maxima.push(`${maximum} per shipment (${tiers})`);
    const text = amount === undefined ? cell : `${amount} per package`;
    return [{ page, services: `${where} Package Services (${tiers})`, cells: [text] }];
  });
  const [first] = areas;
  if (first === undefined || maxima.length === 0) return areas;
  const services = `${MAXIMUM} Express Multiweight Pricing and FedEx Ground Multiweight Pricing`;
  return [...areas, { page: first.page, services, cells: [maxima.join(' ')] }];
};

/** Converts a fee's rows to the form of the sheet of changes. */
const likeSheet = (fee: Fee): Fee => {
  if (fee.name === 'Delivery Area Surcharge') return { ...fee, rows: areaRows(fee.rows) };
  const maxima =
    fee.name === 'Residential Delivery Charge'
      ? residentialMaxima(fee)
      : /Delivery Signature Options$/.test(fee.name)
        ? signatureMaxima(fee)
        : [];
  return { ...fee, rows: [...fee.rows, ...maxima] };
};

/** Parts of the fee section that name no services, such as pickup fees. */
const otherParts = (pages: readonly PdfPage[], heads: readonly FeeHead[]): NotTaken[] => {
  const first = must(heads[0], 'the first head').page;
  const last = must(heads.at(-1), 'the last head').page;
  return pages
    .filter(({ number }) => number >= first && number <= last)
    .flatMap((page) => {
      const head = heads.find((one) => one.page === page.number);
      const titles = largeLines(page).filter(({ y }) => head === undefined || y > head.y);
      const title = titles.at(-1)?.text;
      if (title === undefined) return [];
      return [{ at: `page ${page.number}`, text: title, reason: 'depends on pickup and payment' }];
    });
};

/** Reads the fees of the guide. Skips its other pages. */
export const readFeeGuide = (pages: readonly PdfPage[]): ParsedFile => {
  const heads = guideHeads(pages);
  const first = must(heads[0], 'the first head');
  const opening = pages.find(({ number }) => number === first.page);
  const top = plainText(must(opening, 'the first page of fees'), first.y);
  const effective = dateAfter('Effective', top);
  if (effective === undefined)
    throw new RefusedFile(`page ${first.page}, where its fees begin, does not state from when they apply`);
  const updated = dateAfter('Updated', top);
  const fees = readFees(pages, heads);
  const shared = sharedZonesIn(fees.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells)));
  const read = readCharges(fees.map(likeSheet), [{ column: 0, name: '', from: effective }], shared);
  return {
    ...NO_TABLES,
    kind: 'FedEx Service Guide, fees (PDF)',
    charges: read.charges,
    notTaken: [...read.notTaken, ...otherParts(pages, heads)],
    effective,
    unreadable: [...fees.flatMap(otherTerms), ...read.unreadable],
    notes: [
      ...(updated === undefined ? [] : [`the fees were updated on ${updated}`]),
      ...read.notes,
      "the guide's rates by weight are not read: import FedEx's list rates",
    ],
  };
};

/*
 * FedEx's sheet of changes to surcharges and fees, with the charges of two years in two columns. The newer charges begin on the
 * day that the first page states. The older ones end on the day before.
 */

export const isFeeSheet = (pages: readonly PdfPage[]): boolean => sheetHeads(pages).length > 0;

/** The years above the columns of amounts, which all pages must share. */
const yearsOf = (heads: readonly FeeHead[]): string[] => {
  const [years = [], ...others] = heads.map(({ labels }) => labels.slice(2));
  const isRising = (year: string, index: number): boolean => index === 0 || year > must(years[index - 1], 'a year');
  const rising = years.every((year, index) => /^\d{4}$/.test(year) && isRising(year, index));
  const same = others.every((other) => other.join() === years.join());
  if (!rising || !same || years.length > 2)
    throw new RefusedFile(`its columns of amounts must be one year or two on all pages, but are ${years.join(', ')}`);
  return years;
};

const yearTermsOf = (years: readonly string[], effective: string): Term[] => {
  const newest = years.at(-1);
  if (newest !== effective.slice(0, 4))
    throw new RefusedFile(`its charges take effect on ${effective}, but its newest column is ${newest}`);
  return years.map((name, column) => ({
    column,
    name,
    ...(name === newest ? { from: effective } : { notBefore: `${name}-01-01`, until: shifted(effective, -1) }),
  }));
};

export const readFeeSheet = (pages: readonly PdfPage[]): ParsedFile => {
  const heads = sheetHeads(pages);
  const years = yearsOf(heads);
  const lines = pages.map((page) => plainLines(page).map(({ text }) => text));
  const effective = dateAfter('take effect', must(lines[0], 'the first page').join(' '));
  if (effective === undefined) throw new RefusedFile('its first page does not state when the charges take effect');
  const { notes, ...read } = readCharges(
    readFees(pages, heads),
    yearTermsOf(years, effective),
    sharedZonesIn(lines.flat()),
  );
  return {
    ...NO_TABLES,
    kind: 'FedEx surcharges and fees (PDF)',
    ...read,
    effective,
    notes: [
      ...notes,
      'the sizes and weights of handling charges are those of the FedEx Service Guide 2026, pages 127 to 129',
    ],
  };
};
