/**
 * Appends bytes to one growing buffer. It writes the output of batches, because building and discarding strings was the
 * largest cost of a row.
 */
import { missing } from '../../base/must.ts';

export interface ByteWriter {
  readonly length: number;
  /** Writes Latin-1 text. For text that every row repeats, `bytes` is faster. */
  readonly text: (text: string) => void;
  /** Writes a whole number of at least 0. */
  readonly integer: (value: number) => void;
  /** Writes cents as dollars with two decimals. */
  readonly dollars: (cents: number) => void;
  /** Copies everything from position `from` on into another writer. */
  readonly repeat: (into: ByteWriter, from: number) => void;
  /** Writes the bytes from `from` up to `to`; by default, all of them. */
  readonly bytes: (source: Uint8Array, from?: number, to?: number) => void;
  /** Everything written so far. Valid until `clear`. */
  readonly result: () => Buffer;
  /** Empties the writer and keeps its memory. */
  readonly clear: () => void;
}

const ZERO = 48;
const POINT = 46;
const MINUS = 45;
/** Longer than any safe integer with a sign and a decimal point. */
const NUMBER_BYTES = 24;

/** @returns the position of the next byte */
const writeInteger = (target: Uint8Array, at: number, value: number): number => {
  let digits = 1;
  for (let power = 10; value >= power; power *= 10) digits += 1;
  let rest = value;
  for (let index = at + digits - 1; index >= at; index--) {
    const digit = rest % 10;
    target[index] = ZERO + digit;
    rest = (rest - digit) / 10;
  }
  return at + digits;
};

export const createByteWriter = (capacity: number): ByteWriter => {
  let buffer = Buffer.allocUnsafe(Math.max(64, capacity));
  let at = 0;

  const reserve = (bytes: number): void => {
    if (at + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, at + bytes));
    buffer.copy(larger, 0, 0, at);
    buffer = larger;
  };

  const text = (value: string): void => {
    reserve(value.length);
    at += buffer.write(value, at, 'latin1');
  };

  const integer = (value: number): void => {
    reserve(NUMBER_BYTES);
    at = writeInteger(buffer, at, value);
  };

  // The position is a local while writing: a variable of the closure would be read from memory each time.
  const dollars = (cents: number): void => {
    reserve(NUMBER_BYTES);
    const target = buffer;
    let next = at;
    if (cents < 0) target[next++] = MINUS;
    const amount = Math.abs(cents);
    const rest = amount % 100;
    next = writeInteger(target, next, (amount - rest) / 100);
    const ones = rest % 10;
    target[next++] = POINT;
    target[next++] = ZERO + (rest - ones) / 10;
    target[next++] = ZERO + ones;
    at = next;
  };

  const bytes = (source: Uint8Array, from = 0, to = source.length): void => {
    reserve(to - from);
    const target = buffer;
    let next = at;
    for (let index = from; index < to; index++) target[next++] = source[index] ?? missing('a byte to write');
    at = next;
  };

  return {
    get length() {
      return at;
    },
    text,
    integer,
    dollars,
    bytes,
    repeat: (into, from) => into.bytes(buffer, from, at),
    result: () => buffer.subarray(0, at),
    clear: () => {
      at = 0;
    },
  };
};
