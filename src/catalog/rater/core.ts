/** The library's common part for all environments. It rates with documents that were already read. Reads no files. */
import { ToldError } from '../../base/failed.ts';
import type { Warehouse } from '../../rating/card.ts';
import { quoteOutcome } from '../../rating/quote.ts';
import { US_POSTAL_CODE } from '../../rating/shipment.ts';
import { accountOf } from '../agreement/account.ts';
import type { AgreementDocument } from '../agreement/document.ts';
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
import { readCompiled } from './compiled.ts';
import type { Rater, RaterWarehouse } from './types.ts';

const usable = <D>(kind: Judged<D>, folders: readonly CheckedFolder<D>[]): readonly D[] => {
  const errors = errorsOf(folders);
  if (errors.length > 0)
    throw new ToldError(
      `The ${kind.plural} cannot be used:\n${errors.map(({ at, message }) => `  ${at}: ${message}`).join('\n')}`,
    );
  return documentsOf(folders);
};

const warehousesOf = (warehouses: readonly RaterWarehouse[]): Map<number, Warehouse> => {
  const wrong = warehouses.find(({ id, postalCode }) => !Number.isSafeInteger(id) || !US_POSTAL_CODE.test(postalCode));
  if (wrong !== undefined)
    throw new ToldError(`The warehouse ${wrong.id} must have a whole number as its id, and a ZIP code such as 07001.`);
  return new Map(
    warehouses.map(({ id, postalCode, name = '' }): [number, Warehouse] => [
      id,
      { id, name, postalCode, stateOrProvinceCode: '', countryCode: 'US' },
    ]),
  );
};

const checked = <D>(kind: Judged<D>, documents: readonly D[]): readonly CheckedFolder<D>[] =>
  documents.map((document) => checkOne(kind, kind.id(document), { document }));

/** The parts of a rater. */
interface Sources {
  /** The content of files that `rates tariff compile` wrote. */
  readonly files: readonly Uint8Array[];
  /** Other tariffs and agreements that were read. */
  readonly tariffs: readonly CheckedFolder<TariffDocument>[];
  readonly agreements: readonly CheckedFolder<AgreementDocument>[];
  readonly warehouses: readonly RaterWarehouse[];
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
    rate: (request, { now = new Date(), explain = false } = {}) =>
      quoteOutcome(request, shipper, schedule, now, explain),
  };
};
