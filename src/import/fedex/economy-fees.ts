/** The fees of FedEx Ground Economy, a service by contract: definitions and charges. */
import { must } from '../../base/must.ts';
import { areaChargeOf, CHARGES, chargeEntry } from '../../catalog/tariff/charge-catalog.ts';
import type { PdfPage } from '../read/pdf.ts';
import { Findings, NO_TABLES, type NotTaken, type ParsedCharge, type ParsedFile, RefusedFile } from '../read/reader.ts';
import { NOT_UNDERSTOOD, perPackage } from './charge-rows.ts';
import { reasonIn, UNSTATED } from './charges.ts';
import { type Fee, guideHeads, plainText, readFees } from './fee-table.ts';
import { type Amount, amountsIn } from './fee-text.ts';
import { dateAfter } from './layout.ts';
import { FEDEX_ECONOMY } from './services.ts';

/** The first page names the service in its title. */
export const isEconomyFees = (pages: readonly PdfPage[]): boolean =>
  guideHeads(pages).length > 0 && pages[0] !== undefined && plainText(pages[0]).startsWith('FedEx Ground Economy fees');

type Charge = Pick<ParsedCharge, 'tier' | 'entry'>;

const OTHER_REASONS: typeof UNSTATED = [
  ...UNSTATED,
  [/^Dimensional Weight/i, 'is a term of the service, not a charge'],
  [/^Inbound|Relabel/i, 'depends on the pickup and the label, which a quote does not have'],
];

/** Finds the whole number at `#` in a definition; undefined if the words are not there. */
const numberIn = (text: string, words: string): number | undefined => {
  const [before = '', after = ''] = words.split('#');
  for (const piece of text.split(before).slice(1)) {
    const [, digits] = /^(\d{1,4})/.exec(piece) ?? [];
    if (digits !== undefined && piece.startsWith(after, digits.length)) return Number(digits);
  }
  return undefined;
};

const onePerPackage = (cell: string): Amount | undefined => {
  const [amount, ...more] = amountsIn(cell) ?? [];
  return amount?.per === 'package' && amount.label === '' && more.length === 0 ? amount : undefined;
};

const deliveryAndReturns = (_: Fee, cell: string): Charge[] | undefined => {
  const amount = onePerPackage(cell);
  if (amount === undefined) return undefined;
  const names = { type: 'DELIVERY_AND_RETURNS', description: 'Delivery and returns' };
  return [{ entry: { ...names, when: {}, amount: perPackage(amount.cents) } }];
};

/** Parses `Contiguous U.S. Extended:`, `Alaska:`. */
const areaOf = (label: string) => {
  const [found, contiguous = 'Standard', state] =
    /^(?:Contiguous U\.S\.(?: (Extended|Remote))?|(Alaska|Hawaii)):$/.exec(label) ?? [];
  const tier = (state ?? contiguous).toLowerCase();
  const type = found === undefined ? undefined : areaChargeOf(tier);
  return type === undefined ? undefined : { tier, type };
};

const deliveryArea = (_: Fee, cell: string): Charge[] | undefined => {
  const amounts = amountsIn(cell) ?? [];
  const charges = amounts.flatMap(({ label, cents, per, qualifier }): Charge[] => {
    const area = areaOf(label);
    if (area === undefined || per !== 'package' || qualifier !== '') return [];
    return [{ tier: area.tier, entry: { ...chargeEntry(area.type), amount: perPackage(cents) } }];
  });
  return charges.length === 0 || charges.length < amounts.length ? undefined : charges;
};

const nonMachinable = ({ definition }: Fee, cell: string): Charge[] | undefined => {
  const amount = onePerPackage(cell);
  const lengthOverIn = numberIn(definition, 'one dimension measuring more than # inches');
  const secondSideOverIn = numberIn(definition, 'two dimensions each measuring more than # inches');
  const actualWeightOverLb = numberIn(definition, 'weighing over # lbs');
  if (amount === undefined || !lengthOverIn || !secondSideOverIn || !actualWeightOverLb) return undefined;
  const when = { anyOf: [{ lengthOverIn }, { secondSideOverIn }, { actualWeightOverLb }] };
  const names = { type: 'NON_MACHINABLE', description: 'Non-machinable' };
  return [{ entry: { ...names, when, amount: perPackage(amount.cents) } }];
};

/** Fees that only raise the billing weight. */
const leastWeight = (names: { type: string; description: string }, lengthPlusGirthOverIn?: number, lb?: number) =>
  lengthPlusGirthOverIn === undefined || lb === undefined
    ? undefined
    : [{ entry: { ...names, when: { lengthPlusGirthOverIn }, leastBillingWeightLb: lb, amount: perPackage(0) } }];

const oversize = ({ definition }: Fee): Charge[] | undefined =>
  leastWeight(
    { type: 'OVERSIZE', description: CHARGES.OVERSIZE.description },
    numberIn(definition, 'measuring more than # inches but not more than'),
    numberIn(definition, 'dimensional weight and # lbs'),
  );

/** A heavier package is billed at its own weight anyway. */
const balloon = ({ definition }: Fee, cell: string): Charge[] | undefined =>
  leastWeight(
    { type: 'BALLOON', description: 'Balloon' },
    numberIn(definition, 'measuring more than # inches'),
    numberIn(cell, 'base rates at # lbs'),
  );

const READERS: Readonly<Record<string, (fee: Fee, cell: string) => Charge[] | undefined>> = {
  'Delivery and Returns Surcharge': deliveryAndReturns,
  'Delivery Area Surcharge': deliveryArea,
  'Non-Machinable': nonMachinable,
  Oversize: oversize,
  Balloon: balloon,
};

export const readEconomyFees = (pages: readonly PdfPage[]): ParsedFile => {
  const effective = dateAfter('Effective', plainText(must(pages[0], 'the first page')));
  if (effective === undefined) throw new RefusedFile('its first page does not state from when the fees apply');
  const charges: ParsedCharge[] = [];
  const found = new Findings();
  const notTaken: NotTaken[] = [];
  for (const fee of readFees(pages, guideHeads(pages))) {
    if (fee.rows.length === 0) found.refuse(`page ${fee.page}`, fee.name, 'has no services and charges beside it');
    for (const { page, services, cells } of fee.rows) {
      const [cell = ''] = cells;
      const [at, text] = [`page ${page}`, `${fee.name}, ${services}: ${cell}`];
      const reason = reasonIn(OTHER_REASONS, fee.name);
      const read = Object.hasOwn(READERS, fee.name) ? READERS[fee.name]?.(fee, cell) : undefined;
      if (read !== undefined)
        for (const { entry, ...rest } of read) {
          const whose = { carrier: 'FedEx', services: [FEDEX_ECONOMY], at };
          charges.push({ ...whose, ...rest, entry: { ...entry, from: effective } });
        }
      else if (reason !== undefined) notTaken.push({ at, text, reason });
      else found.refuse(at, text, NOT_UNDERSTOOD);
    }
  }
  const tube = 'a cylindrical tube is non-machinable too, but a quote does not have the shape';
  if (charges.some(({ entry }) => entry.type === 'NON_MACHINABLE')) found.notes.push(tube);
  return { ...NO_TABLES, kind: 'FedEx Ground Economy fees (PDF)', charges, notTaken, effective, ...found };
};
