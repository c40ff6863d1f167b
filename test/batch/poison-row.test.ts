import { describe, expect, test } from 'vitest';
import { nextSearch } from '../../src/batch/work/poison-row.ts';

/** A chunk of eight rows, the first of which is row 101. */
const FIRST_ROW = 101;
const known = (pending: [number, number][], tries: number, condemned: number[] = []) => ({ pending, tries, condemned });

describe('after a try of a suspected segment that did not end', () => {
  test('nothing changes if no segment was begun', () => {
    expect(nextSearch(known([[0, 8]], 0), FIRST_ROW)).toEqual(known([[0, 8]], 0));
  });

  test('a segment of several rows is tried in halves, before the others', () => {
    expect(
      nextSearch(
        known(
          [
            [0, 7],
            [7, 8],
          ],
          1,
        ),
        FIRST_ROW,
      ),
    ).toEqual(
      known(
        [
          [0, 3],
          [3, 7],
          [7, 8],
        ],
        0,
      ),
    );
  });

  test.each([1, 2])('a row after %i tries is tried again', (tries) => {
    expect(
      nextSearch(
        known(
          [
            [4, 5],
            [5, 8],
          ],
          tries,
        ),
        FIRST_ROW,
      ),
    ).toEqual(
      known(
        [
          [4, 5],
          [5, 8],
        ],
        tries,
      ),
    );
  });

  test('a row is given up after three tries alone, by its number in the list, and the rest is tried', () => {
    expect(
      nextSearch(
        known(
          [
            [4, 5],
            [5, 8],
          ],
          3,
          [102],
        ),
        FIRST_ROW,
      ),
    ).toEqual(known([[5, 8]], 0, [102, 105]));
  });

  test('nothing is left if everything was tried', () => {
    expect(nextSearch(known([], 0, [105]), FIRST_ROW)).toEqual(known([], 0, [105]));
  });
});
