/** What programs see of the library, in Node.js and in a page. The package declares this file as it is. */
import type { QuoteAnswer } from '../../rating/quote.ts';

export type { QuoteAnswer };

/** Where packages are sent from. */
export interface RaterWarehouse {
  /** As requests name it in `rates.shipper.warehouse_id`. */
  readonly id: number;
  /** A ZIP code of the United States, with four more digits or without them. */
  readonly postalCode: string;
  readonly name?: string;
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
