/**
 * The fees of FedEx's Service Guide: definitions, services and charges. Its rows are turned into rows like those of the
 * sheet of changes, so that both documents give the same charge. The guide's rates by weight are not read: FedEx publishes
 * them as list rates too.
 */
import { must } from '../../../must.ts';
import type { PdfPage } from '../read/pdf.ts';
import { NO_TABLES, type NotTaken, type ParsedFile, RefusedFile, type Unreadable } from '../read/reader.ts';
import { readCharges } from './charges.ts';
import { type FeeHead, feeHeads, largeLines, plainLines } from './fee-page.ts';
import { type Fee, type FeeRow, readFees } from './fee-table.ts';
import { sharedZonesIn } from './fee-text.ts';
import { dateAfter } from './layout.ts';

/** A heading of the fees, on a page whose title names them. */
const guideHeads = (pages: readonly PdfPage[]): FeeHead[] =>
  feeHeads(pages).filter(({ labels }) => labels.join() === 'definition,applicable services,charges');

export const isFeeGuide = (pages: readonly PdfPage[]): boolean => guideHeads(pages).length > 0;

/** What the charges are read with (`fedex-handling-charges.ts`, `fedex-area-charges.ts`), as the definitions say it. */
const TERMS: Readonly<Record<string, readonly string[]>> = {
  'Additional Handling Surcharge': [
    'greater than 48 inches along its longest side',
    'greater than 30 inches along its second-longest side',
    'greater than 105 inches in length and girth',
    'greater than 10,368 inches cubic volume',
    'subject to a 40-lb. minimum billable weight',
    'actual weight greater than 50 lbs. (U.S. Package Services)',
  ],
  'Oversize Charge': [
    'greater than 96 inches along its longest side',
    'greater than 130 inches in length and girth',
    'greater than 17,280 inches in cubic volume',
    'actual weight greater than 110 lbs.',
    'subject to a 90-lb. minimum billable weight',
  ],
  'Ground Unauthorized Package Charge': [
    'more than 108 inches in length',
    'more than 165 inches in length and girth',
    'more than 150 lbs.',
    'subject to a 90-lb. minimum billable weight',
  ],
  'Delivery Area Surcharge': ['exceed 70 lbs. and are destined to an Alaska ZIP code', '3.5 times the Alaska'],
};

const otherTerms = ({ name, page, definition }: Fee): Unreadable[] =>
  (TERMS[name] ?? [])
    .filter((term) => !definition.includes(term))
    .map((text) => ({
      at: `page ${page}`,
      text,
      problem: `is not in the definition of ${name}: the terms may have changed, and the reader knows only these`,
    }));

const MAXIMUM = 'Maximum charge with FedEx';

/** Maxima of the residential charge: `receiving FedEx Express Multiweight pricing, the maximum charge is $62.55`. */
const residentialMaxima = ({ page, definition }: Fee): FeeRow[] =>
  [
    ...definition.matchAll(/(Express|Ground) Multiweight pricing, the maximum charge is (\$[\d,]{1,7}(?:\.\d\d)?)/g),
  ].map(([, network = '', amount = '']) => ({
    page,
    services: `${MAXIMUM} ${network} Multiweight Pricing`,
    cells: [`${amount} per shipment`],
  }));

/** Maxima of signatures: `$53.20 per shipment for Indirect Signature Required`. */
const signatureMaxima = ({ page, definition }: Fee): FeeRow[] => {
  const found = [...definition.matchAll(/(\$[\d,]{1,7}(?:\.\d\d)?) per shipment for (\w{1,20} Signature Required)/g)];
  const cell = found.map(([, amount = '', name = '']) => `${amount} per shipment (${name})`).join(' ');
  if (cell === '') return [];
  return [{ page, services: `${MAXIMUM} Express Multiweight or FedEx Ground Multiweight Pricing`, cells: [cell] }];
};

/**
 * The rows `Extended Commercial | $5.55 $27.75`, `Alaska (Commercial and Residential) | $46 Not applicable` as rows for
 * package services, and one row with their maxima.
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

/** A fee with rows like those of the sheet of changes. */
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

/** Parts of the fee section that have no services beside them, such as fees for a pickup. */
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
      return [{ at: `page ${page.number}`, text: title, reason: 'a quote cannot know how it is picked up or paid' }];
    });
};

/** Reads the fees of the guide. Skips its other pages. */
export const readFeeGuide = (pages: readonly PdfPage[]): ParsedFile => {
  const heads = guideHeads(pages);
  const first = must(heads[0], 'the first head');
  const opening = pages.find(({ number }) => number === first.page);
  const top = plainLines(must(opening, 'the first page of fees'))
    .filter(({ y }) => y < first.y)
    .map(({ text }) => text)
    .join(' ');
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
