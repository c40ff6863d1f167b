/**
 * The library: `import { createRater } from 'shipping-rates'`. Rates shipments in the caller's own process by the core that the
 * service has, without a server and without Redis.
 */
import { ToldError } from '../../base/failed.ts';
import type { Warehouse } from '../../rating/card.ts';
import { type QuoteAnswer, quoteOutcome } from '../../rating/quote.ts';
import type { Shipper } from '../../rating/terms.ts';
import { accountOf } from '../agreement/account.ts';
import {
  type CheckedFolder,
  checkFolders,
  checkOne,
  checkTogether,
  documentsOf,
  errorsOf,
  foldersIn,
} from '../documents/folders.ts';
import { AGREEMENTS, type Kind, TARIFFS } from '../documents/kinds.ts';
import { scheduleOf } from '../tariff/schedule.ts';
import { readCompiled } from './compiled.ts';

export type { QuoteAnswer } from '../../rating/quote.ts';

/** Where packages are sent from. */
export interface RaterWarehouse {
  /** As requests name it in `rates.shipper.warehouse_id`. */
  readonly id: number;
  /** A ZIP code of the United States, with four more digits or without them. */
  readonly postalCode: string;
  readonly name?: string;
}

export interface RaterOptions {
  /** Folders of a tariff or of several, or the content of files that `rates tariff compile` wrote. */
  readonly tariffs: readonly (string | Uint8Array)[];
  /** Folders of an agreement or of several. All of them hold for all warehouses. Default: list prices. */
  readonly agreements?: readonly string[];
  readonly warehouses: readonly RaterWarehouse[];
}

export interface RateOptions {
  /** Chooses the tariffs if the request has no `shipDate`. Default: the moment of the call. */
  readonly now?: Date;
  /** Whether each quote says how it came about. */
  readonly explain?: boolean;
}

export interface Rater {
  /** The ids of the tariffs. */
  readonly tariffs: readonly string[];
  /**
   * Rates a shipment.
   * @param request the body of `POST /v1/client/shipment/rates`, money in dollars
   * @returns the answer of that call: 200 with the quote, or 422 with the fault
   */
  readonly rate: (request: unknown, options?: RateOptions) => QuoteAnswer;
}

const usable = <D>(kind: Kind<D>, folders: readonly CheckedFolder<D>[]): readonly D[] => {
  const errors = errorsOf(folders);
  if (errors.length > 0)
    throw new ToldError(
      `The ${kind.plural} cannot be used:\n${errors.map(({ at, message }) => `  ${at}: ${message}`).join('\n')}`,
    );
  return documentsOf(folders);
};

const foldersOf = async <D>(kind: Kind<D>, dirs: readonly string[]): Promise<readonly CheckedFolder<D>[]> =>
  checkFolders(kind, (await Promise.all(dirs.map((dir) => foldersIn(kind, dir)))).flat());

const ZIP = /^\d{5}(?:-\d{4})?$/;

const shipperOf = async ({ agreements = [], warehouses }: RaterOptions): Promise<Shipper> => {
  const wrong = warehouses.find(({ id, postalCode }) => !Number.isSafeInteger(id) || !ZIP.test(postalCode));
  if (wrong !== undefined)
    throw new ToldError(`The warehouse ${wrong.id} must have a whole number as its id, and a ZIP code such as 07001.`);
  const own = usable(AGREEMENTS, await foldersOf(AGREEMENTS, agreements));
  return {
    warehouses: new Map(
      warehouses.map(({ id, postalCode, name = '' }): [number, Warehouse] => [
        id,
        { id, name, postalCode, stateOrProvinceCode: '', countryCode: 'US' },
      ]),
    ),
    account: accountOf({ discounts: new Map(), agreements: own.map((document) => ({ document })) }),
  };
};

/**
 * Reads tariffs and agreements, and compiles them once.
 * @throws {ToldError} if one of them cannot be used: the message has a line for each problem, with its place
 * @throws the system's error if a folder cannot be opened
 */
export const createRater = async (options: RaterOptions): Promise<Rater> => {
  const dirs = options.tariffs.filter((one) => typeof one === 'string');
  const files = options.tariffs.filter((one) => typeof one !== 'string');
  const read = (await Promise.all(files.map(readCompiled))).flat();
  const folders = [
    ...(await foldersOf(TARIFFS, dirs)),
    ...read.map((document) => checkOne(TARIFFS, TARIFFS.id(document), { document })),
  ];
  const tariffs = usable(TARIFFS, checkTogether(TARIFFS, folders));
  if (tariffs.length === 0) throw new ToldError('There is no tariff in these folders. Name at least one.');
  const schedule = scheduleOf(tariffs);
  const shipper = await shipperOf(options);
  return {
    tariffs: schedule.ids,
    rate: (request, { now = new Date(), explain = false } = {}) =>
      quoteOutcome(request, shipper, schedule, now, explain),
  };
};
