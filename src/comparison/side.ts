/**
 * The two sides of a comparison, ready to rate: the list as it is (the base), and each scenario. A side is an ordinary
 * rating with other books, another account or a changed shipment, so its prices equal those of a batch with these.
 */
import type { Card, RateBook, Shipper } from '../rating/card.ts';
import type { Result } from '../rating/fault.ts';
import { type Rated, rateShipment } from '../rating/rate.ts';
import type { Shipment } from '../rating/shipment.ts';
import type { Account, Terms } from '../rating/terms.ts';
import { earlier, later } from '../tariff/days.ts';
import type { TariffDocument } from '../tariff/document.ts';
import { booksOf, type Schedule, scheduleOf } from '../tariff/schedule.ts';
import { CHEAPEST_SERVICE, type Scenario } from './scenario.ts';

export interface Side {
  readonly bookOn: (shipDate: string | undefined) => RateBook;
  readonly shipper: Shipper;
  /** The shipment as this side sends it. The next call may overwrite it. */
  readonly shipmentOf: (shipment: Shipment) => Shipment;
}

/** What a scenario is rated with. Members that are absent are those of the base. */
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
  /** When the list was uploaded: the day of rows without a `shipDate`. */
  readonly instant: Date;
}

/** Rates a shipment as a side sends it; the cheapest service alone if it names none. */
export const rateOn = (side: Side, shipment: Shipment): Result<Rated> => {
  const own = side.shipmentOf(shipment);
  return rateShipment(own, side.bookOn(own.shipDate), side.shipper, true);
};

const unchanged = (shipment: Shipment): Shipment => shipment;

export const baseSide = ({ schedule, shipper, instant }: BaseParts): Side => ({
  bookOn: booksOf(schedule, instant),
  shipper,
  shipmentOf: unchanged,
});

type BookOn = Side['bookOn'];

/** Books that are kept, so that each is compiled with an agreement once. A list may name every day of a year. */
const MOST_BOOKS = 800;

/** A book made of another, once. */
const mapped = (change: (book: RateBook) => RateBook): ((book: RateBook) => RateBook) => {
  const kept = new Map<RateBook, RateBook>();
  return (book) => {
    const known = kept.get(book);
    if (known !== undefined) return known;
    const own = change(book);
    if (kept.size >= MOST_BOOKS) kept.clear();
    kept.set(book, own);
    return own;
  };
};

const bookWith = (cards: readonly Card[], day: string): RateBook => ({
  cards,
  byCode: new Map(cards.map((card) => [card.code, card])),
  day,
});

/** The named tariffs in place of the base's for their services, from their first day on if that is later. */
const replaced = (base: BookOn, named: Schedule): BookOn => {
  const firstDay = named.documents.map(({ file }) => file.effective).reduce(earlier);
  const put = mapped((before) => {
    const own = named.bookOn(later(before.day, firstDay));
    const added = own.cards.filter(({ code }) => !before.byCode.has(code));
    return bookWith([...before.cards.map((card) => own.byCode.get(card.code) ?? card), ...added], before.day);
  });
  return (shipDate) => put(base(shipDate));
};

const percentText = (percent: number): string => percent.toFixed(2);

/** The documents of a schedule with another fuel percentage, for all services or for some. */
const withFuel = (schedule: Schedule, fuel: NonNullable<Scenario['fuel']>): Schedule =>
  scheduleOf(
    schedule.documents.map((document): TariffDocument => {
      const surcharges = document.file.surcharges.flatMap((entry) => {
        const { amount, type } = entry;
        if (amount.per !== 'percent' || !type.startsWith('FUEL')) return [entry];
        if (typeof fuel === 'number') return [{ ...entry, amount: { ...amount, rate: percentText(fuel) } }];
        const services = entry.services ?? document.file.services.map(({ code }) => code);
        const left = services.filter((code) => fuel[code] === undefined);
        const changed = services.flatMap((code) => {
          const own = fuel[code];
          return own === undefined
            ? []
            : [{ ...entry, services: [code], amount: { ...amount, rate: percentText(own) } }];
        });
        return [...(left.length === 0 ? [] : [{ ...entry, services: left }]), ...changed];
      });
      return { ...document, file: { ...document.file, surcharges } };
    }),
  );

/** The services of one carrier. */
const onlyOf = (bookOn: BookOn, carrier: string): BookOn => {
  const keep = mapped(({ cards, day }) =>
    bookWith(
      cards.filter((card) => card.carrier === carrier),
      day,
    ),
  );
  return (shipDate) => keep(bookOn(shipDate));
};

/** Books and an account with other dimensional factors, which count before an agreement's too. */
const withFactors = (
  bookOn: BookOn,
  account: Account,
  factors: NonNullable<Scenario['dimensionalFactor']>,
): { readonly bookOn: BookOn; readonly account: Account } => {
  const factorOf = ({ code, dimensionalFactor }: Card): number =>
    typeof factors === 'number' ? factors : (factors[code] ?? dimensionalFactor);
  const change = (card: Card): Card => ({ ...card, dimensionalFactor: factorOf(card) });
  const before = new WeakMap<RateBook, RateBook>();
  const put = mapped((book) => {
    const own = bookWith(book.cards.map(change), book.day);
    before.set(own, book);
    return own;
  });
  const known = new WeakMap<ReadonlyMap<Card, Terms>, ReadonlyMap<Card, Terms>>();
  const termsOn: Account['termsOn'] = (book, warehouseId) => {
    const original = before.get(book) ?? book;
    const terms = account.termsOn(original, warehouseId);
    const kept = known.get(terms);
    if (kept !== undefined) return kept;
    const own = new Map(
      original.cards.flatMap((card, at): [Card, Terms][] => {
        const [changed, stated] = [book.cards[at], terms.get(card)];
        return changed === undefined || stated === undefined
          ? []
          : [[changed, { ...stated, card: change(stated.card) }]];
      }),
    );
    known.set(terms, own);
    return own;
  };
  return { bookOn: (shipDate) => put(bookOn(shipDate)), account: { termsOn } };
};

/** The service that a scenario sends a shipment by; undefined for the cheapest. */
const createServiceChoice = (
  { service, serviceMap, carrier }: Scenario,
  base: BookOn,
): ((shipment: Shipment) => string | undefined) => {
  if (service !== undefined) return () => (service === CHEAPEST_SERVICE ? undefined : service);
  const map = new Map(Object.entries(serviceMap ?? {}));
  return ({ shippingService, shipDate }) => {
    if (shippingService === undefined) return undefined;
    const own = map.get(shippingService) ?? shippingService;
    if (carrier === undefined) return own;
    const card = base(shipDate).byCode.get(own);
    return card === undefined || card.carrier === carrier ? own : undefined;
  };
};

const createChange = (scenario: Scenario, bookOn: BookOn): Side['shipmentOf'] => {
  const { warehouse, shipDate, service, serviceMap, carrier } = scenario;
  const moves = warehouse !== undefined || shipDate !== undefined;
  if (!moves && service === undefined && serviceMap === undefined && carrier === undefined) return unchanged;
  const serviceOf = createServiceChoice(scenario, bookOn);
  return (shipment) => ({
    ...shipment,
    shippingService: serviceOf(shipment),
    ...(shipDate === undefined ? {} : { shipDate }),
    ...(warehouse === undefined ? {} : { warehouseId: typeof warehouse === 'number' ? warehouse : 0 }),
  });
};

/** A scenario, ready to rate. */
export const scenarioSide = (base: BaseParts, { scenario, tariffs, account }: ScenarioParts): Side => {
  const { fuel, carrier, dimensionalFactor } = scenario;
  const schedule = fuel === undefined ? base.schedule : withFuel(base.schedule, fuel);
  const named = tariffs === undefined || fuel === undefined ? tariffs : withFuel(tariffs, fuel);
  const own = booksOf(schedule, base.instant);
  let bookOn = named === undefined ? own : replaced(own, named);
  const change = createChange(scenario, bookOn);
  if (carrier !== undefined) bookOn = onlyOf(bookOn, carrier);
  const shipper = { ...base.shipper, account: account ?? base.shipper.account };
  if (dimensionalFactor === undefined) return { bookOn, shipper, shipmentOf: change };
  const divided = withFactors(bookOn, shipper.account, dimensionalFactor);
  return { bookOn: divided.bookOn, shipper: { ...shipper, account: divided.account }, shipmentOf: change };
};
