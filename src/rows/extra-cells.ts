/** The cells behind the usual ones, where the upload asked for them (`output-format.ts` says which). */

import { encodeText, writeCell } from '../csv/cell.ts';
import type { RateBook, Shipper } from '../rating/card.ts';
import { Failed, type Result } from '../rating/fault.ts';
import { dollarText } from '../rating/quantity.ts';
import { type Rated, rateShipment } from '../rating/rate.ts';
import type { Shipment } from '../rating/shipment.ts';
import { EXPLAIN_COLUMNS, explainCells } from './explain-cells.ts';
import type { OutputFormat } from './output-format.ts';

/** @returns the cells with a leading comma, as the scanner's text; `shipment` is absent where the row is none */
export type ExtraCells = (shipment: Shipment | undefined, outcome: Result<Rated>) => string;

interface Rating {
  readonly shipper: Shipper;
  readonly bookOn: (shipDate: string | undefined) => RateBook;
}

/** What every service would cost, whichever the row names: people compare, and a service that fails has an alternative. */
const netCells = (services: readonly string[], { shipper, bookOn }: Rating): ExtraCells => {
  const none = ','.repeat(services.length + 1);
  return (shipment, outcome) => {
    if (shipment === undefined) return none;
    const all =
      shipment.shippingService === undefined
        ? outcome
        : rateShipment({ ...shipment, shippingService: undefined }, bookOn(shipment.shipDate), shipper);
    if (all instanceof Failed) return none;
    const nets = new Map(all.prices.map(({ card, netCents }) => [card.code, netCents]));
    const cells = services.map((code) => {
      const net = nets.get(code);
      return net === undefined ? '' : dollarText(net);
    });
    return `,${cells.join(',')},${all.prices[0]?.card.code ?? ''}`;
  };
};

const explanationCells = ({ shipper }: Rating): ExtraCells => {
  const none = ','.repeat(EXPLAIN_COLUMNS.length);
  return (shipment, outcome) =>
    shipment === undefined || outcome instanceof Failed
      ? none
      : explainCells(shipment, outcome, shipper)
          .map((cell) => `,${encodeText(writeCell(cell))}`)
          .join('');
};

/** @returns undefined where the output has the usual columns alone */
export const createExtraCells = ({ services, explain }: OutputFormat, rating: Rating): ExtraCells | undefined => {
  const nets = services.length > 0 ? netCells(services, rating) : undefined;
  const explanation = explain ? explanationCells(rating) : undefined;
  if (nets === undefined) return explanation;
  if (explanation === undefined) return nets;
  return (shipment, outcome) => nets(shipment, outcome) + explanation(shipment, outcome);
};
