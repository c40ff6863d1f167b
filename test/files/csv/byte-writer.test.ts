/** Writing text, whole numbers, dollars and bytes. */
import { describe, expect, test } from 'vitest';
import { ByteWriter } from '../../../src/files/csv/byte-writer.ts';

const written = (write: (into: ByteWriter) => void, capacity = 0): string => {
  const writer = new ByteWriter(capacity);
  write(writer);
  expect(writer.length).toBe(writer.result().length);
  return writer.result().toString('latin1');
};

test.each([
  [0, '0'],
  [7, '7'],
  [9, '9'],
  [10, '10'],
  [99, '99'],
  [100, '100'],
  [1_234_567, '1234567'],
  [9_007_199_254_740_991, '9007199254740991'],
])('the whole number %d', (value, text) => {
  expect(written((into) => into.integer(value))).toBe(text);
});

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [10, '0.10'],
  [99, '0.99'],
  [100, '1.00'],
  [1_005, '10.05'],
  [123_456, '1234.56'],
  [-1, '-0.01'],
  [-1_250, '-12.50'],
  [9_007_199_254_740_991, '90071992547409.91'],
])('%d cents as dollars', (cents, text) => {
  expect(written((into) => into.dollars(cents))).toBe(text);
});

test('writes one byte for each character', () => {
  expect(written((into) => into.text('a\xe9,\n'))).toBe('a\xe9,\n');
});

test('writes all bytes or a range', () => {
  const source = Buffer.from('abcdef');
  expect(written((into) => into.bytes(source))).toBe('abcdef');
  expect(written((into) => into.bytes(source, 4))).toBe('ef');
  expect(written((into) => into.bytes(source, 1, 3))).toBe('bc');
  expect(written((into) => into.bytes(source, 3, 3))).toBe('');
});

describe('a full writer grows and loses nothing', () => {
  test.each<[string, (into: ByteWriter, at: number) => void, (at: number) => string]>([
    ['text', (into) => into.text('abcdefg'), () => 'abcdefg'],
    ['whole numbers', (into, at) => into.integer(1_000_000 + at), (at) => String(1_000_000 + at)],
    ['dollars', (into, at) => into.dollars(-10_000_000 - at), (at) => `-100000.${String(at).padStart(2, '0')}`],
    ['bytes', (into) => into.bytes(Buffer.from('hijklmn')), () => 'hijklmn'],
  ])('for %s', (_what, write, text) => {
    const all = Array.from({ length: 100 }, (_, at) => at);
    const writeAll = (into: ByteWriter): void => {
      for (const at of all) write(into, at);
    };
    expect(written(writeAll)).toBe(all.map(text).join(''));
  });

  test('for a text longer than twice its capacity', () => {
    const long = 'x'.repeat(10_000);
    expect(
      written((into) => {
        into.text('a');
        into.text(long);
        into.text('b');
      }),
    ).toBe(`a${long}b`);
  });

  test('and keeps its memory if there is capacity', () => {
    // Small buffers may share memory anyway.
    const writer = new ByteWriter(100_000);
    writer.text('x'.repeat(60_000));
    const before = writer.result().buffer;
    writer.text('y'.repeat(40_000));
    expect(writer.result().buffer).toBe(before);
    writer.text('z');
    expect(writer.result().buffer).not.toBe(before);
  });
});

test('copies from a position on into another writer', () => {
  const [one, other] = [new ByteWriter(0), new ByteWriter(0)];
  one.text('abc');
  const from = one.length;
  one.text('def');
  other.text('-');
  one.repeat(other, from);
  expect([one.result().toString(), other.result().toString()]).toEqual(['abcdef', '-def']);
});

test('a cleared writer starts again in the same memory', () => {
  const writer = new ByteWriter(0);
  writer.text('abc');
  const { buffer } = writer.result();
  writer.clear();
  expect(writer.length).toBe(0);
  writer.text('d');
  expect(writer.result().toString()).toBe('d');
  expect(writer.result().buffer).toBe(buffer);
});
