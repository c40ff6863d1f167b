/**
 * The two sides of a comparison, ready to rate: the list as it is (the base), and each scenario. A side is an ordinary
 * rating with other books, another account or a changed shipment. So a batch with these has the same prices.
 */

import { Failed } from '../../base/failed.ts';
import { booksOf, type Schedule } from '../../catalog/tariff/schedule.ts';
import type { RateBook } from '../../rating/card.ts';
import type { Result } from '../../rating/fault.ts';
import { cheapestOf, type Rated, rateShipment } from '../../rating/rate.ts';
import { emptyShipment, type Shipment } from '../../rating/shipment.ts';
import type { Account, Shipper } from '../../rating/terms.ts';
import { type BookOn, onlyOf, replaced, withFactors, withFuel, withToday } from './books.ts';
import { CHEAPEST_SERVICE, type Scenario } from './scenario.ts';

export interface Side {
  readonly bookOn: (shipDate: string | undefined) => RateBook;
  readonly shipper: Shipper;
  /** Returns the shipment as this side sends it. The next call may overwrite it. */
  readonly shipmentOf: (shipment: Shipment) => Shipment;
  /** Whether it has only some of the base's services, in the same order. */
  readonly narrows?: boolean;
  /** The same side without the scenario's divisors. Packages without dimensions cost the same there. */
  readonly withoutFactors?: Side;
}

/** What a scenario is rated with. Undefined members are the same as in the base. */
export interface ScenarioParts {
  readonly scenario: Scenario;
  /** The tariffs that the scenario names. */
  readonly tariffs?: Schedule | undefined;
  readonly account?: Account | undefined;
}

/** What the base is rated with. */
export interface BaseParts {
  readonly schedule: Schedule;
  readonly shipper: Shipper;
  /** When the list was uploaded. Its day applies to rows without a `shipDate`. */
  readonly instant: Date;
}

/** Rates a shipment as a side sends it. If it names no service, the outcome has only the cheapest price. */
export const rateOn = (side: Side, shipment: Shipment): Result<Rated> => {
  const own = side.shipmentOf(shipment);
  return rateShipment(own, side.bookOn(own.shipDate), side.shipper, true);
};

const isSized = ({ packages }: Shipment): boolean => {
  for (let at = 0; at < packages.length; at++) if (packages[at]?.sides !== undefined) return true;
  return false;
};

/**
 * Whether a side certainly gives a shipment the base's price. Then it need not be rated again.
 * @param own the shipment as the side sends it
 */
const isAsBase = (own: Shipment, book: RateBook, side: Side, shipment: Shipment, base: Side, before: Result<Rated>) => {
  if (own.warehouseId !== shipment.warehouseId || own.shipFrom !== shipment.shipFrom) return false;
  if (own.options !== shipment.options) return false;
  const other =
    side.bookOn === base.bookOn && own.shipDate === shipment.shipDate ? book : base.bookOn(shipment.shipDate);
  if (book.day !== other.day) return false;
  if (side.shipper !== base.shipper) return false;
  const { shippingService: service } = own;
  if (service === shipment.shippingService && book.cards === other.cards) return true;
  if (shipment.shippingService !== undefined || before instanceof Failed) return false;
  // The base chose the cheapest of all services. It is also the cheapest of some of them.
  const { card } = cheapestOf(before);
  const wants = service === undefined ? side.narrows === true : service === card.code;
  return wants && book.byCode.get(card.code) === card;
};

/** Like `rateOn`, but returns the base's outcome if it is certainly the same. @param before the base's outcome */
export const rateBeside = (side: Side, shipment: Shipment, base: Side, before: Result<Rated>): Result<Rated> => {
  const { withoutFactors } = side;
  if (withoutFactors !== undefined && !isSized(shipment)) return rateBeside(withoutFactors, shipment, base, before);
  const own = side.shipmentOf(shipment);
  const book = side.bookOn(own.shipDate);
  return isAsBase(own, book, side, shipment, base, before) ? before : rateShipment(own, book, side.shipper, true);
};

const unchanged = (shipment: Shipment): Shipment => shipment;

/** The last books of each schedule. Sides that share them are known to have the same books. */
const asked = new WeakMap<Schedule, { readonly instant: Date; readonly bookOn: BookOn }>();
const booksFor = (schedule: Schedule, instant: Date): BookOn => {
  const known = asked.get(schedule);
  if (known?.instant.getTime() === instant.getTime()) return known.bookOn;
  const bookOn = booksOf(schedule, instant);
  asked.set(schedule, { instant, bookOn });
  return bookOn;
};

export const baseSide = ({ schedule, shipper, instant }: BaseParts): Side => ({
  bookOn: booksFor(schedule, instant),
  shipper,
  shipmentOf: unchanged,
});

/** Returns a function that gives the service of a shipment in a scenario; undefined for the cheapest. */
const createServiceChoice = (
  { service, serviceMap, carrier }: Scenario,
  base: BookOn,
): ((shipment: Shipment, shipDate: string | undefined) => string | undefined) => {
  if (service !== undefined) return () => (service === CHEAPEST_SERVICE ? undefined : service);
  const map = new Map(Object.entries(serviceMap ?? {}));
  return ({ shippingService }, shipDate) => {
    if (shippingService === undefined) return undefined;
    const own = map.get(shippingService) ?? shippingService;
    if (carrier === undefined) return own;
    const card = base(shipDate).byCode.get(own);
    return card === undefined || card.carrier === carrier ? own : undefined;
  };
};

/** Returns a function that adds a scenario's deadline to the options of a shipment. */
const createDeadline = (by: Scenario['by']): ((shipment: Shipment) => Shipment['options']) => {
  if (by === undefined) return ({ options }) => options;
  const deadline = typeof by === 'string' ? { by } : { byDays: by };
  return ({ options }) => ({ ...options, ...deadline });
};

const createChange = (scenario: Scenario, bookOn: BookOn): Side['shipmentOf'] => {
  const { warehouse, shipDate, service, serviceMap, carrier, by } = scenario;
  const moves = warehouse !== undefined || shipDate !== undefined || by !== undefined;
  if (!moves && service === undefined && serviceMap === undefined && carrier === undefined) return unchanged;
  const serviceOf = createServiceChoice(scenario, bookOn);
  const isOne = typeof warehouse === 'number';
  const optionsOf = createDeadline(by);
  // One object serves all rows, because a list may have millions.
  const own = emptyShipment();
  return (shipment) => {
    own.warehouseId = warehouse === undefined ? shipment.warehouseId : isOne ? warehouse : 0;
    own.shipFrom = warehouse === undefined ? shipment.shipFrom : isOne ? undefined : warehouse;
    own.postalCode = shipment.postalCode;
    own.countryCode = shipment.countryCode;
    own.residential = shipment.residential;
    own.packages = shipment.packages;
    own.addressLine = shipment.addressLine;
    own.shipDate = shipDate ?? shipment.shipDate;
    own.options = optionsOf(shipment);
    own.shippingService = serviceOf(shipment, own.shipDate);
    return own;
  };
};

/** Prepares a scenario for rating. */
export const scenarioSide = (base: BaseParts, { scenario, tariffs, account }: ScenarioParts): Side => {
  const { fuel, carrier, dimensionalFactor } = scenario;
  const { schedule } = base;
  const listed = booksFor(schedule, base.instant);
  const put = tariffs === undefined ? listed : replaced(listed, schedule, tariffs);
  const schedules = tariffs === undefined ? [schedule] : [schedule, tariffs];
  const replacing = fuel === undefined ? put : withFuel(put, schedules, fuel);
  const chosen = carrier === undefined ? replacing : onlyOf(replacing, carrier);
  const bookOn = chosen === listed ? listed : withToday(chosen);
  const side: Side = {
    bookOn,
    shipper: account === undefined ? base.shipper : { ...base.shipper, account },
    shipmentOf: createChange(scenario, replacing),
    narrows: carrier !== undefined && tariffs === undefined && fuel === undefined,
  };
  if (dimensionalFactor === undefined) return side;
  const divided = withFactors(bookOn, side.shipper.account, dimensionalFactor);
  return {
    bookOn: withToday(divided.bookOn),
    shipper: { ...side.shipper, account: divided.account },
    shipmentOf: side.shipmentOf,
    withoutFactors: side,
  };
};
