/**
 * Appends bytes to one growing buffer. It writes the output of batches, because building and discarding strings was the
 * largest cost of a row.
 */
import { missing } from '../../base/must.ts';

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

/** A class: V8 keeps an object literal with a getter as a dictionary, and looks up each of its members in it. */
export class ByteWriter {
  /** The number of bytes written. */
  length = 0;
  private buffer: Buffer;

  constructor(capacity: number) {
    this.buffer = Buffer.allocUnsafe(Math.max(64, capacity));
  }

  private reserve(bytes: number): Buffer {
    const { buffer, length } = this;
    if (length + bytes <= buffer.length) return buffer;
    this.buffer = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + bytes));
    buffer.copy(this.buffer, 0, 0, length);
    return this.buffer;
  }

  /** Writes Latin-1 text. For text that every row repeats, `bytes` is faster. */
  text(value: string): void {
    this.length += this.reserve(value.length).write(value, this.length, 'latin1');
  }

  /** Writes a whole number of at least 0. */
  integer(value: number): void {
    this.length = writeInteger(this.reserve(NUMBER_BYTES), this.length, value);
  }

  /** Writes cents as dollars with two decimals. */
  dollars(cents: number): void {
    const target = this.reserve(NUMBER_BYTES);
    let next = this.length;
    if (cents < 0) target[next++] = MINUS;
    const amount = Math.abs(cents);
    const rest = amount % 100;
    next = writeInteger(target, next, (amount - rest) / 100);
    const ones = rest % 10;
    target[next++] = POINT;
    target[next++] = ZERO + (rest - ones) / 10;
    target[next++] = ZERO + ones;
    this.length = next;
  }

  /** Writes the bytes from `from` up to `to`; by default, all of them. */
  bytes(source: Uint8Array, from = 0, to = source.length): void {
    const target = this.reserve(to - from);
    let next = this.length;
    for (let index = from; index < to; index++) target[next++] = source[index] ?? missing('a byte to write');
    this.length = next;
  }

  /** Copies everything from position `from` on into another writer. */
  repeat(into: ByteWriter, from: number): void {
    const bytes = this.length - from;
    this.buffer.copy(into.reserve(bytes), into.length, from, this.length);
    into.length += bytes;
  }

  /** Everything written so far. Valid until `clear`. */
  result(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  /** Empties the writer and keeps its memory. */
  clear(): void {
    this.length = 0;
  }
}
