import { expect, test } from 'vitest';
import { jsonProblem } from '../src/base/json-problem.ts';

test.each([
  ['{\n"a": 1,\n}', 3, 1],
  ['{\n  "a" 1\n}', 2, 7],
  ['[1,\n2\n,x]', 3, 2],
  ['nope', 1, 2],
  ['{\n\n', 3, 1],
  ['{"a": tru}', 1, 10],
])('%j has its error in line %i, column %i', (text, line, column) => {
  let failure: unknown;
  try {
    JSON.parse(text);
  } catch (error) {
    failure = error;
  }
  if (!(failure instanceof SyntaxError)) throw new Error('it is JSON');
  expect(jsonProblem(text, failure)).toContain(`is not JSON: line ${line}, column ${column}: `);
});
