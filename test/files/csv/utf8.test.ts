import { expect, test } from 'vitest';
import { firstBadByte, notTextProblem, otherEncodingProblem, unfinished } from '../../../src/files/csv/encoding.ts';
import { createFinder } from '../../../src/files/csv/scanner.ts';

test.each<[number[], number]>([
  [[], 0],
  [[0x61], 0],
  [[0xc3], 1],
  [[0xc3, 0xa9], 0],
  [[0xe2, 0x82], 2],
  [[0xe2, 0x82, 0xac], 0],
  [[0xf0], 1],
  [[0xf0, 0x9f, 0x93], 3],
  [[0xf0, 0x9f, 0x93, 0xa6], 0],
  [[0x61, 0xe2], 1],
  [[0x80, 0x80, 0x80, 0x80], 0],
])('%j ends with %d bytes of an incomplete character', (bytes, count) => {
  expect(unfinished(Buffer.from(bytes))).toBe(count);
});

test.each<[string | number[], number | undefined]>([
  ['a,é,€,📦', undefined],
  [[0xe9], 0],
  [[0x61, 0x62, 0xff, 0x61], 2],
  [[0xc3, 0xa9, 0xc3], 2],
  [[0x61, 0xe2, 0x82, 0x61], 1],
])('%j is not UTF-8 from byte %s on', (content, offset) => {
  expect(firstBadByte(typeof content === 'string' ? Buffer.from(content) : Buffer.from(content))).toBe(offset);
});

test('reports the line and byte of a problem', () => {
  expect(notTextProblem(2, 10)).toBe('is not UTF-8 text at byte 10 (line 2)');
  expect(otherEncodingProblem(2, 10)).toBe(
    'is not UTF-8 text at byte 10 (line 2); save it as UTF-8, or use ?encoding=windows-1252 if it is in that encoding',
  );
});

test('a finder finds the next character for positions and texts in any order', () => {
  const next = createFinder('"');
  expect([next('a"b"c', 0), next('a"b"c', 1), next('a"b"c', 2), next('a"b"c', 4)]).toEqual([1, 1, 3, 5]);
  // Back to an earlier position, then another text, then an equal one.
  expect([next('a"b"c', 0), next('abc"', 0), next('abc"'.slice(), 2), next('', 0)]).toEqual([1, 3, 3, 0]);
});
