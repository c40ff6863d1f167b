/** The types of the library for programs, in Node.js and in web pages. The package declares this file as it is. */
import type { QuoteAnswer } from '../../rating/quote.ts';

export type { QuoteAnswer };

/** The origin of packages. */
export interface RaterWarehouse {
  /** The id in `rates.shipper.warehouse_id` of requests. */
  readonly id: number;
  /** A US ZIP code, with or without the four extra digits. */
  readonly postalCode: string;
  readonly name?: string;
  /** When the warehouse hands packages over. Default: every day on which the carrier operates. */
  readonly shipping?:
    | {
        /** Default: Monday to Friday. */
        readonly days?: readonly ('SUN' | 'MON' | 'TUE' | 'WED' | 'THU' | 'FRI' | 'SAT')[];
        /** A time such as `15:00`. Orders from then on leave the next day. Default: no cutoff. */
        readonly cutoff?: string | undefined;
        /** Such as `America/Phoenix`. */
        readonly timeZone: string;
      }
    | undefined;
}

export interface RateOptions {
  /** Selects the tariffs if the request has no `shipDate`. Default: the moment of the call. */
  readonly now?: Date;
  /** Whether each quote explains its price. */
  readonly explain?: boolean;
}

export interface Rater {
  /** The ids of the tariffs. */
  readonly tariffs: readonly string[];
  /**
   * Rates a shipment.
   * @param request the body of `POST /v1/client/shipment/rates`, money in dollars
   * @returns the answer of that call: 200 with the quote, or 422 with the fault @throws {Error} if `now` is not a date
   */
  readonly rate: (request: unknown, options?: RateOptions) => QuoteAnswer;
}
