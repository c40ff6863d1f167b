/**
 * The mapping of a list, for people to check: where each field's values come from, and some cells of each column. It is made
 * for any header, even if a required column is missing, so that people see what was found.
 */
import { z } from 'zod';
import { type InSlices, mapInSlices } from '../../base/time-slices.ts';
import { FIELD_NAMES, keysOf } from '../../rating/fields.ts';
import { isLikely } from './aliases.ts';
import { type Claim, shownName } from './column-choice.ts';
import { isAddedColumn, type Meanings, meaningsOf, type ReadOptions } from './columns.ts';
import { type Field, fieldNamed } from './fields.ts';
import { fieldLike, rowsShown } from './lookalikes.ts';
import { isOfOrders } from './orders.ts';

const field = z.enum(FIELD_NAMES);
const SAMPLES = 3;
const SHOWN_ROWS = 5;
/** The first columns are always shown. Later ones are shown if they are used or look relevant, up to twice this number. */
const SHOWN_COLUMNS = 100;

const HOW = {
  chosen: 'the upload names the column',
  name: 'the column has the name of the field',
  alias: 'the column has another name for it',
  likely: 'the name usually means it, but not always',
  unit: 'a unit in the name of another column is the value of all rows',
  forAll: 'the upload gives one value for all rows',
  declined: 'the upload says that there is no column',
  none: 'nothing was found',
} as const;
const hows = keysOf(HOW);
type How = (typeof hows)[number];

const samples = z.array(z.string()).describe('The first three different values that are not empty.');

export const mappingBody = z.object({
  fields: z
    .array(
      z.object({
        field,
        how: z.enum(hows).meta({
          description: `Where its values come from. ${hows.map((how) => `\`${how}\`: ${HOW[how]}.`).join(' ')}`,
        }),
        column: z.string().nullable(),
        position: z.int().min(1).nullable(),
        value: z.string().nullable().describe('The value of all rows, without a column.'),
        samples,
        problem: z.string().nullable(),
      }),
    )
    .describe('The fields that have a column, a value or a problem, and those that the upload leaves out.'),
  columns: z
    .array(
      z.object({
        position: z.int().min(1),
        name: z.string(),
        samples,
        cells: z.array(z.string()).describe('Its cells in the first five rows, as they are in the list.'),
        field: field.nullable().describe('The field that the column is used for.'),
        looksLike: field.nullable().describe('The field that an unused column seems to mean.'),
      }),
    )
    .describe('The first hundred columns, and any later columns that are used or look relevant.'),
  columnCount: z.int(),
});
export type Mapping = z.output<typeof mappingBody>;

const samplesOf = (rows: readonly (readonly string[])[], index: number): string[] => {
  const found = new Set<string>();
  for (const row of rows) {
    const cell = row[index]?.trim() ?? '';
    if (cell !== '') found.add(shownName(cell));
    if (found.size === SAMPLES) break;
  }
  return [...found];
};

const howOf = (own: Field, claim: Claim | undefined, { exact, defaults }: Meanings, reading: ReadOptions): How => {
  const named = reading.named?.get(own);
  if (claim !== undefined)
    return named !== undefined ? 'chosen' : exact.has(own) ? 'name' : isLikely(claim) ? 'likely' : 'alias';
  if (defaults[own] !== undefined) return reading.defaults?.[own] === defaults[own] ? 'forAll' : 'unit';
  return named === '' ? 'declined' : 'none';
};

/** @param sample the first rows of the list */
export function* mappingOf(
  header: readonly string[],
  reading: ReadOptions,
  sample: readonly (readonly string[])[],
): InSlices<Mapping> {
  const meanings = yield* meaningsOf(header, reading, sample);
  const { chosen, passedOver, defaults, problems, ordered } = meanings;
  const shown = rowsShown(header, sample);
  const fieldAt = new Map([...chosen].map(([own, { index }]) => [index, own]));
  // Any address line will do: rating only needs to know whether there is one.
  const rivals = passedOver.filter(({ field: own }) => own !== 'addressLine');
  const couldBe = new Map(rivals.map((claim) => [claim.index, claim.field]));
  const likeness = (name: string, index: number): Field | null => {
    const like =
      couldBe.get(index) ??
      (isAddedColumn(name) ? undefined : (fieldNamed(name) ?? fieldLike({ name, index, sample: shown })));
    const isSettled = like !== undefined && !couldBe.has(index) && chosen.has(like);
    return like === undefined || isSettled || reading.named?.get(like) === '' ? null : like;
  };
  const fields = FIELD_NAMES.map((own): Mapping['fields'][number] => {
    const claim = chosen.get(own);
    return {
      field: own,
      how: howOf(own, claim, meanings, reading),
      column: claim === undefined ? null : shownName(claim.name),
      position: claim === undefined ? null : claim.index + 1,
      value: claim === undefined ? (defaults[own] ?? null) : null,
      samples: claim === undefined ? [] : samplesOf(sample, claim.index),
      problem: problems[own] ?? null,
    };
  }).filter(({ how, problem }) => how !== 'none' || problem !== null);
  const all = yield* mapInSlices(header, (name, index): Mapping['columns'][number] | undefined => {
    const used = fieldAt.get(index) ?? null;
    const like = used === null && !isOfOrders(index, ordered.orders) ? likeness(name, index) : null;
    if (index >= SHOWN_COLUMNS && used === null && like === null) return undefined;
    return {
      position: index + 1,
      name: shownName(name),
      samples: samplesOf(sample, index),
      cells: sample.slice(0, SHOWN_ROWS).map((row) => shownName(row[index] ?? '')),
      field: used,
      looksLike: like,
    };
  });
  const columns = all.filter((column) => column !== undefined).slice(0, 2 * SHOWN_COLUMNS);
  return { fields, columns, columnCount: header.length };
}
