/**
 * What `rates run` and the processes that it has rate for it tell each other. Both ends are this program, in one version:
 * what arrives need only be told apart.
 */
import { z } from 'zod';
import type { Chunk } from '../rows/chunk-plan.ts';
import type { RatingContext } from '../rows/rate-rows.ts';
import type { TariffDocument } from '../tariff/document.ts';
import type { RatedChunk } from './rate-chunk.ts';

/** What a process rates with. The tariffs themselves, not their place, so that all rate with the same. */
export interface RatingOrder {
  readonly kind: 'order';
  /** The list. */
  readonly path: string;
  readonly documents: readonly TariffDocument[];
  /** Rows without a `shipDate` are rated with the tariffs in force at this instant. */
  readonly instant: Date;
  readonly context: Omit<RatingContext, 'bookOn'>;
}

export type ToProcess = RatingOrder | { readonly kind: 'chunk'; readonly chunk: Chunk };

/** Answers come in the order of the chunks. */
export type FromProcess =
  | { readonly kind: 'rated'; readonly rated: RatedChunk }
  | { readonly kind: 'failed'; readonly message: string };

const kindOf = (value: unknown): string | undefined => z.object({ kind: z.string() }).safeParse(value).data?.kind;

export const toProcess = z.custom<ToProcess>((value) => ['order', 'chunk'].includes(kindOf(value) ?? ''));
export const fromProcess = z.custom<FromProcess>((value) => ['rated', 'failed'].includes(kindOf(value) ?? ''));
