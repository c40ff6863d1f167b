/** Limits an answer in bytes: cuts long texts, then halves the longest lists until it fits. The answer says so. */
import { z } from 'zod';
import { pathText } from '../../base/validation.ts';
import { toolFault } from './tool.ts';

/** The maximum size of an answer as JSON, about 12,000 tokens. */
const MOST_BYTES = 48 * 1024;
/** The length that a longer text is cut to. */
const MOST_CHARACTERS = 1_000;

/** Members of an answer with omitted parts. */
export const CUT_MEMBERS = {
  cut: z
    .array(z.object({ at: z.string(), kept: z.int(), of: z.int() }))
    .optional()
    .meta({ description: 'Lists and texts that were too long: how many entries or characters were kept.' }),
  readOn: z.string().optional().meta({ description: 'How to get the rest.' }),
};

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

interface Place {
  readonly holder: object;
  readonly key: string;
  readonly value: readonly unknown[] | string;
  readonly at: string;
}

/** The lists and texts in a value, at any depth. */
function* placesIn(holder: object, above: readonly PropertyKey[] = []): Generator<Place> {
  for (const [key, value] of Object.entries(holder)) {
    const path = [...above, Array.isArray(holder) ? Number(key) : key];
    if (Array.isArray(value) || typeof value === 'string') yield { holder, key, value, at: pathText(path) };
    if (typeof value === 'object' && value !== null) yield* placesIn(value, path);
  }
}

/**
 * Cuts an answer in place if it is too long.
 * @param readOn how to get the omitted parts @throws {ToolFault} if it cannot be made short enough
 */
export const bounded = (answer: object, readOn: string): object => {
  const cut = new Map<string, { readonly kept: number; readonly of: number }>();
  const told = (): object =>
    cut.size === 0 ? answer : { ...answer, cut: [...cut].map(([at, counts]) => ({ at, ...counts })), readOn };
  const shorten = ({ holder, key, value, at }: Place, kept: number): void => {
    Object.assign(holder, { [key]: value.slice(0, kept) });
    cut.set(at, { kept, of: cut.get(at)?.of ?? value.length });
  };
  if (bytesOf(answer) <= MOST_BYTES) return answer;
  for (const place of [...placesIn(answer)])
    if (typeof place.value === 'string' && place.value.length > MOST_CHARACTERS) shorten(place, MOST_CHARACTERS);
  while (bytesOf(told()) > MOST_BYTES) {
    const lists = [...placesIn(answer)].filter(({ value }) => typeof value !== 'string' && value.length > 1);
    const [longest] = lists.sort((a, b) => bytesOf(b.value) - bytesOf(a.value));
    if (longest === undefined)
      throw toolFault('tool.failed', `The answer has more than ${MOST_BYTES} bytes. ${readOn}`);
    shorten(longest, Math.ceil(longest.value.length / 2));
  }
  return told();
};
