/** The optional cells after the usual ones (`output-format.ts`), and the prices by every service for some of them. */

import { Failed } from '../../base/failed.ts';
import { must } from '../../base/must.ts';
import { encodeText, writeCell } from '../../files/csv/cell.ts';
import { type Explanation, explainPrice } from '../../rating/explain.ts';
import type { Result } from '../../rating/fault.ts';
import type { Price } from '../../rating/price.ts';
import { dollarText } from '../../rating/quantity.ts';
import { arrivalOf, cheapestOf, type Rated, rateShipment } from '../../rating/rate.ts';
import type { Shipment } from '../../rating/shipment.ts';
import { zoneName } from '../columns/plain-words.ts';
import { EXPLAIN_COLUMNS, type ExplainColumn } from '../output/output-columns.ts';
import type { OutputFormat } from '../output/output-format.ts';
import type { RatingContext } from './rate-rows.ts';

type Package = Explanation['packages'][number];
type Charge = Package['charges'][number];
type Cell = Package['rateCell'];

const money = (dollars: number): string => dollars.toFixed(2);

const place = ({ table, row, column }: Cell): string => `${table} row ${row} column ${column}`;

/** Lists the texts of packages by package number. Consecutive packages with equal texts share an entry. */
const listed = (texts: readonly string[]): string => {
  if (texts.length === 1) return must(texts[0], 'the text of a package');
  const entries: string[] = [];
  for (let from = 0; from < texts.length; ) {
    const text = must(texts[from], 'the text of a package');
    let to = from + 1;
    while (to < texts.length && texts[to] === text) to += 1;
    const packages = to - from === 1 ? `package ${to}` : `packages ${from + 1} to ${to}`;
    if (text !== '') entries.push(`${packages}: ${text}`);
    from = to;
  }
  return entries.join('; ');
};

const zoneText = ({ zone }: Explanation): string => {
  const { rateZone, carrierZone, chart, origin, destination, estimated, chartDate } = zone;
  const source =
    chart === 'distance'
      ? `by distance from ${origin} to ${destination}${estimated ? ', no chart has this origin' : ''}`
      : `zones/${chart}.csv${chartDate === undefined ? '' : ` of ${chartDate}`} origin ${origin} destination ${destination}`;
  return `zone ${zoneName(rateZone, carrierZone)}: ${source}`;
};

const ROUNDED: Readonly<Record<Explanation['sideRounding'], string>> = {
  none: '',
  nearest: ', sides rounded to the nearest inch',
  up: ', sides rounded up',
};

const weightText = (
  { actualWeight, dimensionalWeight, dimensionalFactor, billingWeight, billed }: Package,
  { dimensionalFactor: factor, sideRounding }: Explanation,
): string => {
  const dimensional =
    dimensionalWeight.value === 0
      ? ''
      : `, dimensional ${dimensionalWeight.value} LB by ${dimensionalFactor ?? factor}${ROUNDED[sideRounding]}`;
  return `${billingWeight.value} LB ${billed} (actual ${actualWeight.value} LB rounded up${dimensional})`;
};

type Discounted = Pick<Package, 'baseCharge' | 'discount' | 'discounts'>;

const discountText = ({ description, amount, computation, source }: Discounted['discounts'][number]): string =>
  `${description} ${money(amount)} = ${computation}${source === undefined ? '' : `, ${source}`}`;

const baseText = ({ baseCharge, discount, discounts }: Discounted, cell: Cell): string =>
  `${money(baseCharge)} ${place(cell)}${discounts.length === 0 ? '' : `, less ${money(discount)} discount (${discounts.map(discountText).join('; ')})`}`;

const chargeText = ({ type, amount, computation, because, source }: Charge): string =>
  `${type} ${money(amount)} = ${computation} (${source ?? `tariff.json surcharges ${type}`}${because.length === 0 ? '' : `; ${because.join(', ')}`})`;

const chargesText = (charges: readonly Charge[]): string => charges.map(chargeText).join(', ');

const baseTexts = ({ packages, shipment }: Explanation): string => {
  const cell = shipment?.rateCell;
  if (cell === undefined) return listed(packages.map((part) => baseText(part, part.rateCell)));
  const rated = shipment?.ratedWeight === undefined ? '' : ` for ${shipment.ratedWeight.value} LB in all`;
  const { baseCharge = 0, discount = 0, discounts = [] } = shipment ?? {};
  return `${baseText({ baseCharge, discount, discounts }, cell)}${rated}`;
};

const surchargeTexts = ({ packages, shipment }: Explanation): string => {
  const whole = chargesText(shipment?.charges ?? []);
  return [listed(packages.map(({ charges }) => chargesText(charges))), whole === '' ? '' : `shipment: ${whole}`]
    .filter((text) => text !== '')
    .join('; ');
};

/** Returns the cells that explain the quote of a row. */
export const explainCells = (shipment: Shipment, rated: Rated): Readonly<Record<ExplainColumn, string>> => {
  const explanation = explainPrice(cheapestOf(rated), shipment, rated);
  return {
    explain_zone: zoneText(explanation),
    explain_weight: listed(explanation.packages.map((item) => weightText(item, explanation))),
    explain_base: baseTexts(explanation),
    explain_surcharges: surchargeTexts(explanation),
  };
};

/** Valid until the next row. */
export interface ServicePrices {
  /** In the order of the format's services. Undefined if a service does not take the shipment. */
  readonly byService: readonly (Price | undefined)[];
  readonly cheapest: Price;
}

/**
 * Prices every service even if the row names one, so that users can compare and find alternatives.
 * @returns a function that prices a row; undefined without services. It returns undefined if no service takes the shipment
 */
export const createServicePrices = (
  services: readonly string[],
  { shipper, bookOn }: Pick<RatingContext, 'shipper' | 'bookOn'>,
) => {
  if (services.length === 0) return undefined;
  const places = new Map(services.map((code, place) => [code, place]));
  const byService: (Price | undefined)[] = services.map(() => undefined);
  /** Keeps the cheapest price for each service, as in the single call that names the service. */
  const take = (prices: readonly Price[]): void => {
    for (const price of prices) {
      const place = must(places.get(price.card.code), 'the column of a service');
      const before = byService[place];
      if (before === undefined || price.netCents < before.netCents) byService[place] = price;
    }
  };
  return (shipment: Shipment, outcome: Result<Rated>): ServicePrices | undefined => {
    const all =
      shipment.shippingService === undefined
        ? outcome
        : rateShipment({ ...shipment, shippingService: undefined }, bookOn(shipment.shipDate), shipper);
    if (all instanceof Failed) return undefined;
    byService.fill(undefined);
    if (all.from === undefined) take(all.prices);
    else for (const { outcome: one } of all.from) if (!(one instanceof Failed)) take(one.prices);
    return { byService, cheapest: cheapestOf(all) };
  };
};

/**
 * @param prices the row's price by every service, if the output has them
 * @returns the cells with a leading comma, as the scanner's text. `shipment` is undefined if the row is not a valid request
 */
export type ExtraCells = (
  shipment: Shipment | undefined,
  outcome: Result<Rated>,
  prices: ServicePrices | undefined,
) => string;

const netCells = (services: readonly string[]): ExtraCells => {
  const none = ','.repeat(services.length + 1);
  return (_shipment, _outcome, prices) => {
    if (prices === undefined) return none;
    let cells = '';
    for (const price of prices.byService) cells += price === undefined ? ',' : `,${dollarText(price.netCents)}`;
    return `${cells},${prices.cheapest.card.code}`;
  };
};

/** Cells of the quote's warehouse, and of the price from each warehouse that was asked for. */
const fromCells = (warehouses: readonly number[]): ExtraCells => {
  const none = ','.repeat(warehouses.length + 1);
  const places = new Map(warehouses.map((id, place) => [id, place]));
  return (_shipment, outcome) => {
    if (outcome instanceof Failed) return none;
    const nets: string[] = warehouses.map(() => '');
    for (const { warehouse, outcome: own } of outcome.from ?? [{ warehouse: outcome.warehouse, outcome }]) {
      const place = places.get(warehouse.id);
      if (place !== undefined && !(own instanceof Failed)) nets[place] = dollarText(cheapestOf(own).netCents);
    }
    return `,${outcome.warehouse.id},${nets.join(',')}`;
  };
};

const explanationCells = (): ExtraCells => {
  const none = ','.repeat(EXPLAIN_COLUMNS.length);
  return (shipment, outcome) => {
    if (shipment === undefined || outcome instanceof Failed) return none;
    const cells = explainCells(shipment, outcome);
    return EXPLAIN_COLUMNS.map((name) => `,${encodeText(writeCell(cells[name]))}`).join('');
  };
};

const transitCells: ExtraCells = (shipment, outcome) => {
  if (shipment === undefined || outcome instanceof Failed) return ',,';
  const arrival = arrivalOf(cheapestOf(outcome), shipment, outcome);
  return `,${arrival?.transitDays ?? ''},${arrival?.deliveryDate ?? ''}`;
};

/** @returns undefined if the output has only the usual columns */
export const createExtraCells = ({ services, warehouses, explain, transit }: OutputFormat): ExtraCells | undefined => {
  const groups = [
    ...(services.length > 0 ? [netCells(services)] : []),
    ...(warehouses.length > 0 ? [fromCells(warehouses)] : []),
    ...(explain ? [explanationCells()] : []),
    ...(transit ? [transitCells] : []),
  ];
  const [first] = groups;
  if (groups.length <= 1) return first;
  return (...row) => groups.map((cells) => cells(...row)).join('');
};
