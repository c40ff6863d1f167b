/**
 * Bytes written one after the other into one growing buffer. The batch's output is made of it: strings put together and
 * thrown away were what cost a row most.
 */

export interface ByteWriter {
  readonly length: number;
  /** Writes Latin-1 text. What is written for every row is better held as bytes. */
  readonly text: (text: string) => void;
  /** Writes a whole number that is not negative. */
  readonly integer: (value: number) => void;
  /** Writes cents as dollars with two decimals. */
  readonly dollars: (cents: number) => void;
  /** Writes again what was written from a position on, into another writer. */
  readonly repeat: (into: ByteWriter, from: number) => void;
  /** Writes bytes from `from` up to `to`, all unless said. */
  readonly bytes: (source: Uint8Array, from?: number, to?: number) => void;
  /** What was written so far, until `clear`. */
  readonly result: () => Buffer;
  /** Begins anew, in the same memory. */
  readonly clear: () => void;
}

const ZERO = 48;
const POINT = 46;
const MINUS = 45;
/** More digits than a safe integer has. */
const NUMBER_BYTES = 24;

/** @returns where the next byte goes */
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

  // Positions are held in locals while writing: a closure's own variables are read from memory each time.
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
    for (let index = from; index < to; index++) target[next++] = source[index] ?? 0;
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
