/**
 * Fields, faults and warnings in words for people, and what people can do about a fault. The API's words are for programs, so
 * its names never appear on a page.
 */
import type { HttpFaultType } from '../http/faults.ts';
import { isOfCalls, NOT_IN_FORCE, sentencesOf, withoutCalls } from '../lists/columns/fault-words.ts';
import { faultTitle, partName } from '../lists/columns/plain-words.ts';
import { type FaultBody, type Guidance, SHIPMENT_FAULTS } from '../rating/fault.ts';
import { FIELD_NAMES, type Field, LABELS, nameAt, problemAt, specOf } from '../rating/fields.ts';
import type { FaultKind, Summary } from './calls.ts';
import { allOf, count, counted, dayOf, instant } from './ui/format.ts';

const GUIDANCE: ReadonlyMap<string, Guidance> = new Map(Object.entries(SHIPMENT_FAULTS));

/** What people read about a fault. The types of other versions have no words here. */
export const guidanceOf = (type: string): Guidance =>
  GUIDANCE.get(type) ?? { title: faultTitle(type), advice: 'Each row says what is wrong.', fields: [] };

/** What rows with the same kind of problem are called, and what to do. The message is about the first of them. */
export const kindWords = ({ type, field, message, examples: [first] }: FaultKind): Omit<Guidance, 'fields'> => {
  const [, service, starts] = NOT_IN_FORCE.exec(message) ?? [];
  if (service !== undefined) {
    const until = starts === undefined ? 'on the ship date' : `until ${dayOf(starts)}`;
    return { ...guidanceOf(type), title: `${service} is not in force ${until}` };
  }
  if (type !== 'getRates.invalidRequest' || field === null) return guidanceOf(type);
  const label = labelOf(field);
  const said = problemAt(field, withoutCalls(message.split(/;|, wh/, 1).join()));
  if (said === `${label} is required`) return { title: `${label} is missing`, advice: '' };
  return { title: `${label} not valid`, advice: `${first?.value ? said.replace(label, `“${first.value}”`) : said}.` };
};

/** Parts of a shipment that a fault can be about: the columns of a preview's rows. */
export type ShipmentPart = 'warehouse' | 'to' | 'weight' | 'size' | 'service' | 'row';

const PART_BY_FIELD: readonly (readonly [RegExp, ShipmentPart])[] = [
  [/warehouse_id/, 'warehouse'],
  [/recipient|postalCode|countryCode|addressLine|residential/, 'to'],
  [/dimensions/, 'size'],
  [/packageItems|weight/, 'weight'],
  [/shippingService|options/, 'service'],
];

/** The parts of a shipment that a fault is about, from the fields of its type or those in its arguments. */
export const partsOf = (type: string, args: Readonly<Record<string, unknown>>): ReadonlySet<ShipmentPart> => {
  const { fields } = guidanceOf(type);
  const ofType = fields.length === 0 ? ['row'] : fields.map((field) => specOf(field).path ?? field);
  const paths = type === 'getRates.invalidRequest' ? Object.keys(args) : ofType;
  return new Set(paths.map((path) => PART_BY_FIELD.find(([pattern]) => pattern.test(path))?.[1] ?? 'row'));
};

/** The fields that matter most to people. */
const FIRST: readonly Field[] = [
  ...(['warehouse_id', 'postalCode', 'weight_value', 'weight_units', 'shippingService', 'addressLine'] as const),
  ...(['residential', 'countryCode', 'packages'] as const),
];

/** The fields in the order of importance for people. */
export const FIELDS_FOR_PEOPLE: readonly Field[] = [...new Set([...FIRST, ...FIELD_NAMES])];

/** What people call a field. */
export const labelOf = (field: Field): string => specOf(field).label;

const NAMED_FIELD = /\bthe field ([A-Za-z_]+)\b/g;

/** A note about columns. Leaves out sentences about parameters, which are menus here, and uses the labels of fields. */
export const findingText = (message: string): string =>
  message
    .split(/(?<=[.:;]) /)
    .filter((...sentence) => !isOfCalls(...sentence))
    .join(' ')
    .replace(/[,;:]$/, '.')
    .replaceAll(NAMED_FIELD, (said, field: string) => {
      const label = LABELS.get(field);
      return label === undefined ? said : `the ${label.toLowerCase().replace('zip', 'ZIP')}`;
    });

/** The notes of `quote_repairs` with the labels of fields: `Weight (empty) read as 2.5 LB`. */
export const repairsText = (notes: string): string =>
  notes.replaceAll(/(^|; )([A-Za-z_]+)\b/g, (said, before: string, field: string) => {
    const label = LABELS.get(field);
    return label === undefined ? said : `${before}${label}`;
  });

/** A fault or a warning as the service answers it. */
export type Warning = FaultBody;

type Arguments = Warning['arguments'];
type Words = string | ((args: Arguments, message: string) => string);

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** The highest value that a limit allows, for people: `1 GB` for a number of bytes, `10,000,000 rows`. */
const mostText = (most: string): string => {
  const value = Number.parseInt(most, 10);
  if (Number.isNaN(value)) return most;
  const rest = most.slice(String(value).length);
  if (rest.trim() !== 'bytes') return `${count(value)}${rest}`;
  if (value >= GIB) return `${count(Math.floor(value / GIB))} GB`;
  return value >= MIB ? `${count(Math.floor(value / MIB))} MB` : `${count(Math.floor(value / 1024))} KB`;
};

/** Limits of the process that reads workbooks and archives. Their numbers help nobody. */
const READING =
  /^(?:reading|inflationRatio|workbookE|workbookS|archivePart|cellFormats|mergedCells|sheets|cells|words)/;

const tooLarge = (args: Arguments): string => {
  const [[limit, most] = ['', '']] = Object.entries(args);
  if (READING.test(limit))
    return 'This file is too complex to read. Save the sheet with your list as CSV, and use that.';
  const text = `This is larger than the service accepts: at most ${mostText(String(most))}.`;
  return ['rows', 'upload', 'inflatedUpload'].includes(limit) ? `${text} Divide the list.` : text;
};

const IN_FLIGHT = ['batchesInFlight', 'rowsInFlight', 'bytesInFlight'];
const A_MINUTE = ['quotes', 'uploads', 'reads', 'downloads', 'tokens'];

const tooMuch = ({ limit }: Arguments): string => {
  const name = String(limit);
  if (name === 'bytesStored' || name === 'batchesStored')
    return 'Your account has no room for more lists. Delete batches that you no longer need, then try again.';
  if (IN_FLIGHT.includes(name)) return 'Too many of your lists are running. Try again when one has finished.';
  if (A_MINUTE.includes(name)) return 'Too many requests within a minute. Wait a minute, then try again.';
  return 'Too many requests are running at once. Try again when some have finished.';
};

const OUTDATED = 'This page is out of date. Reload it.';

const WORDS: Readonly<Record<HttpFaultType, Words>> = {
  'request.malformedBody': 'The service could not read what this page sent. Reload the page.',
  'request.invalidHost': 'The service does not accept this address. Use the one that you were given.',
  InvalidAuthorizationException: 'You are not signed in. Sign in again.',
  InvalidCredentialsException:
    'The account or the secret is wrong. Check both. If you lost your secret, ask your operator for a new one.',
  'credentials.tooManyWrong':
    'Too many wrong secrets came from your network. Check the account and the secret. The right secret is still accepted.',
  'request.forbidden': ({ scope }) =>
    scope === 'csrf' ? OUTDATED : 'Your account does not have permission to do this.',
  'request.notFound': 'This was not found. It may have been deleted, or it may belong to another account.',
  'request.methodNotAllowed': OUTDATED,
  'batches.notReady': 'The results are not ready yet. Wait until the batch has ended.',
  'batches.notFinal': 'The batch does not allow this now. Wait until it has ended.',
  'batches.final': 'The batch has already ended.',
  'operator.refused': (_, message) => withoutCalls(message),
  'batches.expired': ({ expiresAt }) =>
    `The files were kept until ${instant(String(expiresAt))}. Upload the list again to get new quotes.`,
  'idempotency.inProgress': 'This is already being sent. Wait a moment.',
  'idempotency.keyReused': 'This was sent before, with other content. Reload the page.',
  'request.tooLarge': tooLarge,
  'request.unsupportedMediaType': 'The service cannot read this kind of file. Save the list as CSV or as a workbook.',
  'createBatch.invalidFile': (_, message) => withoutCalls(message),
  'request.rateLimited': tooMuch,
  'service.unavailable': ({ dependency }) =>
    dependency === 'agreements'
      ? 'Your agreement cannot be read right now, so there are no prices. Tell your operator.'
      : 'Part of the service is unavailable. Try again soon.',
  'service.internalError': ({ requestId }) =>
    `Something went wrong in the service. Try again. If it happens again, report this number: ${requestId}.`,
};

const KNOWN: ReadonlyMap<string, Words> = new Map(Object.entries(WORDS));

/** A fault as sentences. There is at least one. */
export const faultWords = ({ type, message, arguments: args }: Warning): readonly string[] => {
  if (type === 'createBatch.invalidFile') {
    const problems = Object.entries(args).filter(([, problem]) => typeof problem === 'string');
    if (problems.some(([name]) => name !== 'file'))
      return problems.map(([name, problem]) => `${nameAt(name)}: ${withoutCalls(String(problem))}.`);
  }
  if (GUIDANCE.has(type)) return sentencesOf(type, message, args);
  const words = KNOWN.get(type);
  if (words === undefined) return [withoutCalls(message)];
  return [typeof words === 'string' ? words : words(args, message)];
};

export { warningTitle } from '../lists/columns/plain-words.ts';

const incompleteText = (missing: readonly string[]): string => {
  const charges = missing.filter((part) => part !== 'limits').map(partName);
  const sentences: string[] = [];
  if (charges.length > 0)
    sentences.push(
      `This price does not include ${allOf(charges)}, because the tariff has none for this day. The bill may be higher.`,
    );
  if (missing.includes('limits'))
    sentences.push('The tariff does not say how large a package may be: the carrier may refuse one that is too large.');
  return sentences.join(' ');
};

/** Whether an argument of a warning is a day. */
const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

export const warningText = ({ type, message, arguments: { missing, endedOn, spendUntil } }: Warning): string => {
  if (type === 'price.incomplete' && Array.isArray(missing)) return incompleteText(missing.map(String));
  if (type === 'agreement.ended' && isDay(endedOn))
    return `Your agreement ended on ${dayOf(endedOn)}. This is the list price.`;
  if (type === 'agreement.tierUncertain' && isDay(spendUntil))
    return `Your tier is based on your spend up to ${dayOf(spendUntil)}. Your discount may have changed since then.`;
  return message;
};

/** What is missing in the prices of a batch, and in how many of them. */
export const missingText = ({ missing }: Summary['incomplete']): string =>
  allOf(Object.entries(missing).map(([part, rows]) => `${partName(part)} (${counted(rows, 'shipment')})`));
