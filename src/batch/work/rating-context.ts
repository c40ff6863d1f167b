/** What is needed to rate the rows of a batch. */
import { booksOf, type Schedule } from '../../catalog/tariff/schedule.ts';
import type { RatingContext } from '../../lists/rows/rate-rows.ts';
import type { Account } from '../../rating/terms.ts';
import type { BatchDocument } from '../records.ts';

export const contextOf = (
  document: BatchDocument,
  schedule: Schedule,
  account: Account,
  maximumRowBytes: number,
): RatingContext => ({
  columns: document.columns,
  shipper: { warehouses: new Map(document.warehouses.map((warehouse) => [warehouse.id, warehouse])), account },
  bookOn: booksOf(schedule, new Date(document.createdAt)),
  maximumRowBytes,
  format: document.format,
});
