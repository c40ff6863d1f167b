/** Corrected rows are read instead of the rows that they replace, whatever the rest of the list looks like. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeText, writeCell } from '../../../src/files/csv/cell.ts';
import { OWN_DIALECT } from '../../../src/files/csv/map-rows.ts';
import { createRater, type RatingContext } from '../../../src/lists/rows/rate-rows.ts';
import { contextFor, planList, referenceSchedule } from './fixtures.ts';

const schedule = await referenceSchedule();

const rate = (bytes: Buffer, firstRow: number, context: RatingContext) => {
  const rater = createRater(bytes, firstRow, context);
  while (rater.step(3));
  const { output, faults, tally } = rater.result();
  return { output: output.toString(), faults: faults.toString(), tally };
};

const listedNote = fc.constantFrom('', 'a', '"x;y"', '"x,y"', '"stray', 'q"q', '"b"c', '"two\nlines"', '=1+1', 'é');
const ownNote = fc.constantFrom('', 'a', 'x;y', 'x,y', '"', 'two\nlines', '\r', '=1+1', "'s", 'é');
const listedRow = fc.record({
  note: listedNote,
  zip: fc.constantFrom('02139', '2139', '00000'),
  weight: fc.constantFrom('2', '2 lb', '0'),
  blanks: fc.constantFrom('', '\n', '\n\n'),
  correction: fc.option(fc.tuple(ownNote, fc.constantFrom('02139', '99999'))),
  isPoison: fc.boolean(),
});

test('rows of a list and corrected rows are rated as if each were alone', () => {
  fc.assert(
    fc.property(
      fc.array(listedRow, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(',', ';', '\t'),
      fc.constantFrom(undefined, 'none' as const),
      fc.constantFrom([], ['zip', 'weight'] as const),
      (made, delimiter, quotes, repairs) => {
        const line = (note: string, zip: string, weight: string) =>
          `${[note, '101', zip, weight, 'LB'].join(delimiter)}\n`;
        const header = Buffer.from(
          `${['note', 'warehouse_id', 'postalCode', 'weight_value', 'weight_units'].join(delimiter)}\n`,
        );
        const planned = planList(Buffer.concat([header, Buffer.from(line('a', '02139', '2'))]), {}, 65_536, {
          quotes,
          repairs,
        });
        if (!('plan' in planned)) throw new Error('the list cannot be read');
        const context = contextFor(planned.columns, schedule);
        const own = { ...context, columns: { ...context.columns, dialect: OWN_DIALECT } };
        const body = Buffer.from(
          made.map(({ note, zip, weight, blanks }) => line(note, zip, weight) + blanks).join(''),
        );
        // Stray quotes join rows. So the scanner's rows count, not the rows that were made.
        const alone = rate(body, 1, context).tally.processed;
        const corrected = new Map<number, string>();
        const poisonRows = new Set<number>();
        for (const [at, { correction, isPoison }] of made.slice(0, alone).entries()) {
          if (isPoison && at % 4 === 0) poisonRows.add(at + 1);
          if (correction === null) continue;
          const [note, zip] = correction;
          corrected.set(
            at + 1,
            `${[note, '101', zip, '3', 'LB'].map((cell) => writeCell(encodeText(cell))).join(',')}\n`,
          );
        }
        const listed = rate(body, 1, { ...context, poisonRows });
        const faultsOf = (rated: { faults: string; output: string }) => rated.faults === rated.output;
        const rows = rowsOf(listed.output);
        expect(rows.length).toBe(alone);
        const expected = rows.map((row, at) => {
          const text = corrected.get(at + 1);
          if (text === undefined) return { output: row, isFault: listed.faults.includes(row) };
          const one = rate(Buffer.from(text, 'latin1'), at + 1, { ...own, poisonRows });
          return { output: one.output, isFault: faultsOf(one) };
        });
        const whole = rate(body, 1, { ...context, poisonRows, corrected });
        expect(whole.output).toBe(expected.map(({ output }) => output).join(''));
        expect(whole.faults).toBe(expected.flatMap(({ output, isFault }) => (isFault ? [output] : [])).join(''));
        expect(whole.tally.processed).toBe(alone);
        expect(whole.tally.faulted).toBe(expected.filter(({ isFault }) => isFault).length);
      },
    ),
    { numRuns: 50 },
  );
});

/** Returns the rows of an output, with their line breaks. */
function rowsOf(output: string): string[] {
  const rows: string[] = [];
  let row = '';
  for (const piece of output.split(/(?<=\n)/)) {
    row += piece;
    if ((row.split('"').length - 1) % 2 === 1) continue;
    rows.push(row);
    row = '';
  }
  return rows;
}
