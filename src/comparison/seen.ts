/** A row as the sides of a comparison see it. One object is used for all rows. */
import type { Result } from '../rating/fault.ts';
import type { Price } from '../rating/price.ts';
import type { Rated } from '../rating/rate.ts';
import type { Shipment } from '../rating/shipment.ts';
import type { KnownCard } from './known-cards.ts';

/** What a side says of the row. */
export interface SeenSide {
  rated: Result<Rated>;
  /** That of `rated` and its card, if it has one. */
  price: Price | undefined;
  known: KnownCard | undefined;
}

export interface SeenRow {
  /** Undefined if the row cannot be read. */
  shipment: Shipment | undefined;
  readonly base: SeenSide;
  /** Beside the scenarios. A price that is the base's own is the same object. */
  readonly sides: readonly SeenSide[];
}
