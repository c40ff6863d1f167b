import { expect, test } from 'vitest';
import { parseJson } from '../../src/base/parse-json.ts';

test.each([
  ['{\n"a": 1,\n}', 3, 1],
  ['{\n  "a" 1\n}', 2, 7],
  ['[1,\n2\n,x]', 3, 2],
  ['nope', 1, 2],
  ['{\n\n', 3, 1],
  ['{"a": tru}', 1, 10],
])('%j has its error in line %i, column %i', (text, line, column) => {
  const problem = expect.stringContaining(`is not JSON: line ${line}, column ${column}: `);
  expect(parseJson(text)).toEqual({ problem });
});

test('a byte-order mark is no part of the text', () => {
  expect(parseJson('\ufeff{"a": 1}')).toEqual({ json: { a: 1 } });
  expect(parseJson('\ufeff{"a" 1}')).toEqual({ problem: expect.stringContaining('line 1, column 6: ') });
});
