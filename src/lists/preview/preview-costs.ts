/** The cost of running a list as it is: faults of the previewed rows by kind and column, and repairs by kind. */
import { z } from 'zod';
import type { Fault } from '../../rating/fault.ts';
import { FIELD_NAMES } from '../../rating/fields.ts';
import { shownName } from '../columns/column-choice.ts';
import type { Columns } from '../columns/columns.ts';
import type { Problem } from '../columns/fault-words.ts';
import { type Field, SIDES } from '../columns/fields.ts';
import { columnWith, faultFields } from '../rows/fault-field.ts';
import { type Made, REPAIRED } from '../rows/repair.ts';
import type { CellReader } from '../rows/row.ts';
import type { RowReader } from '../rows/row-reader.ts';

const field = z.enum(FIELD_NAMES);
const EXAMPLES = 3;

export const faultKind = z.object({
  type: z.string(),
  kind: z.string().describe('Identifies the kind: the type, and for a wrong cell its field or its column.'),
  field: field.nullable().describe('The field to correct; null if it is the whole row.'),
  column: z.string().nullable().describe('Its column, if the list has one.'),
  rows: z.int(),
  estimatedRows: z.int().nullable().describe('In the whole list; null if its length is unknown.'),
  message: z.string().describe('The problem in the first of these rows.'),
  examples: z
    .array(z.object({ input_row: z.int(), value: z.string() }))
    .describe('Up to three different cells of the list, or the value of all rows if there is no column.'),
});
type FaultKind = z.output<typeof faultKind>;

export const repairKind = z.object({
  what: z.enum(REPAIRED).describe('A field. `dimensions` stands for the three sides and their unit.'),
  rows: z.int(),
  before: z.string().describe('The cell of the first such row.'),
  after: z.string(),
  input_row: z.int(),
  removes: z
    .array(z.object({ type: z.string(), field: field.nullable(), rows: z.int() }))
    .describe(
      'The faults of `faultKinds` that the repair removes, with the number of rows. A row may have other faults.',
    ),
});
type RepairKind = z.output<typeof repairKind>;

type Counted = Omit<FaultKind, 'estimatedRows'>;

/** Counts problems by kind. A row with several wrong fields counts for each. */
export const createFaultKinds = (columns: Columns) => {
  const { header, defaults } = columns;
  const kinds = new Map<string, Counted>();
  const nameOf = ({ field: own, column }: Problem): string | null => {
    const name = own === undefined ? column : header[columnWith(own, columns) ?? -1];
    return name === undefined || name === '' ? null : shownName(name);
  };
  return {
    /** @param written returns the cell of a field */
    add: (number: number, type: string, problems: readonly Problem[], written: CellReader): void => {
      for (const problem of problems) {
        const { kind: key, field: own, message } = problem;
        const kind = kinds.get(key) ?? {
          ...{ type, kind: key, field: own ?? null, column: nameOf(problem) },
          ...{ rows: 0, message, examples: [] },
        };
        const value = own === undefined ? undefined : shownName(written(own));
        const hasPlace = own !== undefined && (nameOf(problem) !== null || defaults[own] !== undefined);
        // The card of a kind names one column.
        const isNew = hasPlace && own === kind.field && kind.examples.every((example) => example.value !== value);
        if (value !== undefined && isNew && kind.examples.length < EXAMPLES)
          kind.examples.push({ input_row: number, value });
        kinds.set(key, { ...kind, rows: kind.rows + 1 });
      }
    },
    /** @param estimate scales a number of rows to the whole list */
    result: (estimate: (rows: number) => number | null): FaultKind[] =>
      [...kinds.values()]
        .sort((a, b) => b.rows - a.rows)
        .map((kind) => ({ ...kind, estimatedRows: estimate(kind.rows) })),
  };
};

const fieldsOf = (what: Made['what']): readonly Field[] =>
  what === 'dimensions'
    ? [...SIDES, 'dimension_units']
    : what === 'weight_value'
      ? ['weight_value', 'weight_units']
      : [what];

/** The key by which `faultKinds` counts a fault. */
interface Named {
  readonly type: string;
  readonly field: Field | undefined;
}

const namesOf = (fault: Fault | undefined): readonly Named[] =>
  fault === undefined ? [] : faultFields(fault).map((own) => ({ type: fault.type, field: own }));

/** Returns the faults of a row that are gone after its repairs. */
export const removedFaults = (before: Fault | undefined, after: Fault | undefined): readonly Named[] => {
  const left = namesOf(after);
  return namesOf(before).filter(({ type, field: own }) => !left.some((one) => one.type === type && one.field === own));
};

/** Returns a text without spaces and invisible characters. */
const visible = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]/gu, '');

/** Counts repairs by what they repair. Leaves out repairs that change no request, such as of a word that is read anyway. */
export const createRepairKinds = () => {
  const kinds = new Map<Made['what'], RepairKind>();
  return {
    /**
     * @param plain reads the same row without repairs
     * @param removed the faults that the repairs removed
     * @returns whether a repair changes the row's request
     */
    add: (number: number, reader: RowReader, plain: RowReader, removed: readonly Named[]): boolean => {
      let changes = false;
      for (const { what, before, after } of reader.made()) {
        if (fieldsOf(what).every((own) => reader.cell(own) === plain.cell(own))) continue;
        changes = true;
        const own = {
          what,
          rows: 0,
          before: shownName(before),
          after: shownName(after),
          input_row: number,
          removes: [],
        };
        const known = kinds.get(what);
        // An example without a visible change is replaced by the first one with a visible change.
        const example = known === undefined || visible(known.before) === visible(known.after) ? own : known;
        const removes = known?.removes ?? [];
        for (const { type, field: wrong } of removed) {
          if (wrong === undefined || !fieldsOf(what).includes(wrong)) continue;
          const counted = removes.find((one) => one.type === type && one.field === wrong);
          if (counted === undefined) removes.push({ type, field: wrong, rows: 1 });
          else counted.rows += 1;
        }
        kinds.set(what, { ...example, rows: (known?.rows ?? 0) + 1, removes });
      }
      return changes;
    },
    result: (): RepairKind[] => [...kinds.values()].sort((a, b) => b.rows - a.rows),
  };
};
