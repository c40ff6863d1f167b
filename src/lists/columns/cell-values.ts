/**
 * Converts words in cells to the values of a request: `United States`, `Residential`, `lbs`, `UPS Ground`. Only unambiguous
 * words are converted. Any other cell stays unchanged and gets the same fault as a single call with that value.
 */
import { BILLINGS, type Billing, FIELD_NAMES, SIGNATURES, specOf } from '../../rating/fields.ts';
import { lengthUnitOf, weightUnitOf } from '../../rating/quantity.ts';
import { bare } from './aliases.ts';
import { orderedDay } from './cell-forms.ts';
import type { Columns } from './columns.ts';
import type { Field } from './fields.ts';
import { listed } from './name-grammar.ts';

const US = ['USA', 'U.S.', 'U.S.A.', 'United States', 'United States of America', 'The United States', 'America'];
/** Common country names that `Intl` does not know. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  US,
  GB: ['UK', 'Great Britain', 'England', 'Scotland', 'Wales', 'Northern Ireland'],
  CA: ['CAN'],
  MX: ['MEX', 'México'],
  DE: ['DEU', 'Deutschland'],
  KR: ['Korea', 'Republic of Korea'],
  RU: ['Russian Federation'],
  CZ: ['Czech Republic'],
  TR: ['Turkey'],
  NL: ['Holland', 'The Netherlands'],
  VN: ['Viet Nam'],
  CI: ['Ivory Coast'],
  MK: ['Macedonia'],
  HK: ['Hong Kong'],
  MO: ['Macau', 'Macao'],
  PS: ['Palestine'],
};

const countryCodes = (): ReadonlyMap<string, string> => {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = new Map<string, string>();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const name = names.of(code);
    const isWithdrawn = Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`;
    if (name !== undefined && !isWithdrawn) codes.set(bare(name), code);
  }
  for (const [code, own] of Object.entries(OTHER_NAMES)) for (const name of own) codes.set(bare(name), code);
  return codes;
};

let known: ReadonlyMap<string, string> | undefined;

/** Returns the code of a country. Returns any other cell unchanged. */
export const countryOf = (cell: string): string => {
  if (cell.length === 2 || cell.length > 60) return cell;
  known ??= countryCodes();
  const code = known.get(bare(cell));
  if (code !== undefined) return code;
  // `United States (US)`: a name and its own code.
  const open = cell.endsWith(')') ? cell.lastIndexOf('(') : -1;
  const [name, inside] = [cell.slice(0, Math.max(0, open)), cell.slice(open + 1, -1).toUpperCase()];
  const named = known.get(bare(name));
  return named !== undefined && (inside === named || known.get(bare(inside)) === named) ? named : cell;
};

const YES = new Set(['true', 'yes', 'y', 't', '1']);
const NO = new Set(['false', 'no', 'n', 'f', '0']);
const RESIDENTIAL = new Set([...YES, 'residential', 'res', 'r', 'home', 'residence']);
const COMMERCIAL = new Set([...NO, 'commercial', 'com', 'c', 'business', 'nonresidential']);

/** Returns the word in a cell. Longer cells are not words that are known here. */
const wordOf = (cell: string): string => (cell.length > 40 ? '' : bare(cell));

/** Reads a word that says whether an address is residential. Returns undefined for any other cell. */
export const residentialOf = (cell: string): 'true' | 'false' | undefined => {
  const word = wordOf(cell);
  return RESIDENTIAL.has(word) ? 'true' : COMMERCIAL.has(word) ? 'false' : undefined;
};

const yesOrNo = (cell: string): string => {
  const word = wordOf(cell);
  return YES.has(word) ? 'true' : NO.has(word) ? 'false' : cell;
};

/** Words for no signature. `yes` is not converted, because it does not say which signature. */
const NO_SIGNATURE = new Set([
  ...NO,
  ...listed('none notrequired nosignature nosignaturerequired signaturenotrequired servicedefault'),
]);
/** What follows the kind of signature. Carriers and tools write `DIRECT`, `Direct Signature Required`, `adult_signature`. */
const AFTER_SIGNATURE = ['', ...listed('required signature sig signaturerequired sigrequired signatureconfirmation')];
const SIGNATURE_WORDS: ReadonlyMap<string, string> = new Map(
  SIGNATURES.flatMap((own) => AFTER_SIGNATURE.map((after): [string, string] => [`${own}${after}`, own])),
);

const signatureOf = (cell: string): string => {
  const word = wordOf(cell);
  return NO_SIGNATURE.has(word) ? '' : (SIGNATURE_WORDS.get(word) ?? cell);
};

const BILLING_WORDS: Readonly<Record<Billing, string>> = {
  shipper: 'shipper sender prepaid billshipper billsender freightprepaid',
  recipient: 'recipient receiver consignee consigneebilled collect freightcollect billrecipient billreceiver',
  third_party: 'thirdparty 3rdparty billthirdparty bill3rdparty',
  return: 'return returns returnlabel returnservice',
};
/** FedEx writes `THIRD_PARTY`, UPS `Bill Receiver`, EasyPost `COLLECT`, and a bill of lading `Freight Collect`. */
const BILLING_BY_WORD: ReadonlyMap<string, string> = new Map(
  BILLINGS.flatMap((own) => listed(BILLING_WORDS[own]).map((word): [string, string] => [word, own])),
);

const billingOf = (cell: string): string => BILLING_BY_WORD.get(wordOf(cell)) ?? cell;

type Read = (cell: string) => string;

const eachOf =
  (unitOf: (word: string) => string | undefined): Read =>
  (cell) =>
    cell.length > 1_000
      ? cell
      : cell
          .split('|')
          .map((word) => unitOf(word) ?? word)
          .join('|');

/** Returns the reader of a field. A flag without its own reader accepts yes and no. */
const readerOf = (field: Field): Read | undefined =>
  OWN_READERS[field] ?? (specOf(field).kind === 'flag' ? yesOrNo : undefined);

const OWN_READERS: Readonly<Partial<Record<Field, Read>>> = {
  weight_units: eachOf(weightUnitOf),
  dimension_units: eachOf(lengthUnitOf),
  countryCode: countryOf,
  residential: (cell) => residentialOf(cell) ?? cell,
  signature: signatureOf,
  billing: billingOf,
};

const MOST_KEPT = 1_000;

/** A name as `bare` returns it, and its code. An empty code means all services. */
export type ServicePair = readonly [name: string, code: string];

const serviceReader = (services: readonly ServicePair[]): Read => {
  const codes = new Map(services);
  const seen = new Map<string, string>();
  return (cell) => {
    const before = seen.get(cell);
    if (before !== undefined) return before;
    const code = codes.get(bare(cell)) ?? cell;
    if (seen.size < MOST_KEPT) seen.set(cell, code);
    return code;
  };
};

/** Converters by field. Cells of a field without a converter must have the values of a request. */
export type CellReaders = Readonly<Partial<Record<Field, Read>>>;

const DATES = FIELD_NAMES.filter((field) => specOf(field).kind === 'date');

/** Returns the converters of a list. */
export const cellReaders = ({
  words,
  services,
  dateOrder,
}: Pick<Columns, 'words' | 'services' | 'dateOrder'>): CellReaders => {
  const readers: Partial<Record<Field, Read>> = {};
  for (const field of words) {
    const read = readerOf(field);
    if (read !== undefined) readers[field] = read;
  }
  if (dateOrder !== undefined) for (const field of DATES) readers[field] = (cell) => orderedDay(cell, dateOrder);
  if (services.length > 0) readers.shippingService = serviceReader(services);
  return readers;
};
