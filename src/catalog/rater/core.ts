/** The library's common part for all environments. It rates with documents that were already read. Reads no files. */
import { z } from 'zod';
import { Failed, ToldError } from '../../base/failed.ts';
import { check, pathText } from '../../base/validation.ts';
import type { Warehouse } from '../../rating/card.ts';
import { quoteOutcome } from '../../rating/quote.ts';
import { LIMITS, US_POSTAL_CODE } from '../../rating/shipment.ts';
import { accountOf } from '../agreement/account.ts';
import type { AgreementDocument } from '../agreement/document.ts';
import { shippingHours } from '../clients/shipping-hours.ts';
import {
  type CheckedFolder,
  checkOne,
  checkTogether,
  documentsOf,
  errorsOf,
  JUDGED_AGREEMENTS,
  JUDGED_TARIFFS,
  type Judged,
} from '../documents/judged.ts';
import type { TariffDocument } from '../tariff/document.ts';
import { scheduleOf } from '../tariff/schedule.ts';
import type { Rater } from './types.ts';

/* Tariffs and agreements in one file of compressed JSON documents, for programs that rate without folders. */

const FORM = 'shipping-rates tariffs 1';
/** The rates, zones and charges of two carriers take 2 MB of JSON. */
const MOST_BYTES = 64 * 1024 * 1024;

const compiledForm = z.object({
  form: z.literal(FORM),
  tariffs: z.array(JUDGED_TARIFFS.stored).min(1),
  agreements: z.array(JUDGED_AGREEMENTS.stored).default([]),
});
export type Compiled = z.output<typeof compiledForm>;

/** The text of a compiled file, before compression with gzip. */
export const compiledText = (tariffs: readonly TariffDocument[], agreements: readonly AgreementDocument[]): string =>
  JSON.stringify({ form: FORM, tariffs, ...(agreements.length > 0 && { agreements }) });

const inflated = async (bytes: Uint8Array): Promise<string> => {
  const pieces = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for (let size = 0; ; ) {
    const { done, value } = await pieces.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    text += decoder.decode(value, { stream: true });
  }
};

/** @throws {ToldError} if `rates tariff compile` did not write the bytes */
const readCompiled = async (bytes: Uint8Array): Promise<Compiled> => {
  try {
    return compiledForm.parse(JSON.parse(await inflated(bytes)));
  } catch (cause) {
    throw new ToldError('This is not a file of compiled tariffs. Make one with `rates tariff compile`.', { cause });
  }
};

const usable = <D>(kind: Judged<D>, folders: readonly CheckedFolder<D>[]): readonly D[] => {
  const errors = errorsOf(folders);
  if (errors.length > 0)
    throw new ToldError(
      `The ${kind.plural} cannot be used:\n${errors.map(({ at, message }) => `  ${at}: ${message}`).join('\n')}`,
    );
  return documentsOf(folders);
};

/** A wrong name, such as `agreement`, must not mean list prices. */
const given = z.strictObject({
  tariffs: z.array(
    // `instanceof` would refuse the bytes of another realm, such as a frame of a page.
    z.custom<string | Uint8Array>(
      (one) => typeof one === 'string' || ArrayBuffer.isView(one),
      'must be a folder, or the bytes of a file that `rates tariff compile` wrote',
    ),
  ),
  agreements: z.array(z.string()).default([]),
  warehouses: z
    .array(
      z.object({
        id: z.int().gte(1).lte(LIMITS.warehouseIdMax),
        postalCode: z.string().regex(US_POSTAL_CODE, 'must be a ZIP code such as 07001'),
        name: z.string().default(''),
        shipping: shippingHours.optional(),
      }),
    )
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'has an id twice'),
});

/** @throws {ToldError} with a line for each wrong option of a rater */
export const readOptions = (options: unknown): z.output<typeof given> => {
  const read = check(given, options);
  if (!(read instanceof Failed)) return read;
  throw new ToldError(read.fault.map(({ path, message }) => `${pathText(path) || 'options'} ${message}.`).join('\n'));
};

const warehousesOf = (warehouses: Sources['warehouses']): Map<number, Warehouse> =>
  new Map(warehouses.map((one) => [one.id, { ...one, stateOrProvinceCode: '', countryCode: 'US' }]));

const checked = <D>(kind: Judged<D>, documents: readonly D[]): readonly CheckedFolder<D>[] =>
  documents.map((document) => checkOne(kind, kind.id(document), { document }));

/** The parts of a rater. */
interface Sources {
  /** The content of files that `rates tariff compile` wrote. */
  readonly files: readonly Uint8Array[];
  /** Other tariffs and agreements that were read. */
  readonly tariffs: readonly CheckedFolder<TariffDocument>[];
  readonly agreements: readonly CheckedFolder<AgreementDocument>[];
  readonly warehouses: z.output<typeof given>['warehouses'];
}

/** @throws {ToldError} if anything is unusable */
export const raterOf = async ({ files, tariffs, agreements, warehouses }: Sources): Promise<Rater> => {
  const compiled = await Promise.all(files.map(readCompiled));
  const all = [...tariffs, ...compiled.flatMap((file) => checked(JUDGED_TARIFFS, file.tariffs))];
  const held = [...agreements, ...compiled.flatMap((file) => checked(JUDGED_AGREEMENTS, file.agreements))];
  const documents = usable(JUDGED_TARIFFS, checkTogether(JUDGED_TARIFFS, all));
  if (documents.length === 0) throw new ToldError('There is no tariff in these folders. Name at least one.');
  const schedule = scheduleOf(documents);
  const own = usable(JUDGED_AGREEMENTS, checkTogether(JUDGED_AGREEMENTS, held)).map((document) => ({ document }));
  const shipper = {
    warehouses: warehousesOf(warehouses),
    account: accountOf({ discounts: new Map(), agreements: own }),
  };
  return {
    tariffs: schedule.ids,
    rate: (request, { now = new Date(), explain = false } = {}) => {
      if (Number.isNaN(now.getTime())) throw new ToldError('now must be a valid date.');
      return quoteOutcome(request, shipper, schedule, now, explain);
    },
  };
};
