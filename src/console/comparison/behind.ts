/** What is behind a bar: which rows, and what they are called. */
import type { RowGroup } from '../../batch/compared-rows.ts';

export interface Behind {
  readonly by: RowGroup;
  readonly value: string;
  /** Such as `Zone 8`. */
  readonly title: string;
  /** Such as `12 shipments, +$34.10`. */
  readonly text: string;
}

export type OnOpen = (behind: Behind) => void;
