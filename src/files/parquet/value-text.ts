/** Converts Parquet values to the text of a CSV (parquet-format, LogicalTypes.md). */
import { isUtf8 } from 'node:buffer';
import type { SchemaElement } from 'hyparquet';
import { UnreadableFile } from '../unreadable-file.ts';

/** Limits of a decimal. Lists have no larger numbers. */
const MOST_DECIMAL = { bytes: 32, scale: 76 } as const;
const DAY_MS = 86_400_000;
/** Units per second. */
const PER_SECOND = { MILLIS: 1_000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n } as const;
/** The Julian day of the Unix epoch. INT96 counts Julian days. */
const EPOCH_JULIAN = 2_440_588n;
const DAY_NANOS = 86_400_000_000_000n;

type Text = (value: unknown) => string;

export const damaged = (what: string): UnreadableFile => new UnreadableFile(`is a damaged Parquet file: ${what}`);

const whole = (value: unknown): bigint => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw damaged('a number is not whole');
};

const bytesOf = (value: unknown): Uint8Array => {
  if (value instanceof Uint8Array) return value;
  throw damaged('a text has no bytes');
};

const hexOf = (value: unknown): string => Buffer.from(bytesOf(value)).toString('hex');

/** Makes a reader of UTF-8 texts. The values of a page share its memory, which is therefore wrapped only once. */
const createUtf8 = (): Text => {
  let page: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  return (value) => {
    const { buffer, byteOffset: from, byteLength: length } = bytesOf(value);
    if (page.buffer !== buffer) page = Buffer.from(buffer);
    const text = page.toString('utf8', from, from + length);
    // This character is in a text only if bytes are invalid, or if it was written.
    if (text.includes('\ufffd') && !isUtf8(bytesOf(value))) throw new UnreadableFile('has a text that is not UTF-8');
    return text;
  };
};

/** Enough for every number at double precision. Has no exponent, but is slow. */
const digits = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 17 });

/** Returns the shortest decimal that equals the number, without an exponent: a list has none. */
const double: Text = (value) => {
  const text = String(value);
  return text.includes('e') ? digits.format(Number(value)) : text;
};

/** Does the same at single precision. */
const single: Text = (value) => {
  const number = Number(value);
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(number.toPrecision(digits));
    if (Math.fround(short) === number) return double(short);
  }
  return double(number);
};

const decimal = (scale: number): Text => {
  if (scale < 0 || scale > MOST_DECIMAL.scale) throw damaged(`a decimal has ${scale} places`);
  const unscaled = (value: unknown): bigint => {
    if (!(value instanceof Uint8Array)) return whole(value);
    if (value.length === 0 || value.length > MOST_DECIMAL.bytes) throw damaged('a decimal has too many digits');
    return BigInt.asIntN(8 * value.length, BigInt(`0x${hexOf(value)}`));
  };
  return (value) => {
    const number = unscaled(value);
    if (scale === 0) return String(number);
    const digits = String(number < 0n ? -number : number).padStart(scale + 1, '0');
    return `${number < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  };
};

/** `YYYY-MM-DDTHH:MM:SS.mmmZ` */
const instantText = (ms: number): string => {
  const date = new Date(ms);
  const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
  if (text.length !== 24) throw new UnreadableFile('has a date outside of the years 0 to 9999');
  return text;
};

const day: Text = (value) => instantText(Number(value) * DAY_MS).slice(0, 10);

/** Returns the time of day with the fraction of a second. `units` counts from midnight. */
const clock = (units: bigint, perSecond: bigint): string => {
  const seconds = instantText(Number(units / perSecond) * 1_000).slice(11, 19);
  const digits = String(perSecond).length - 1;
  let fraction = String(units % perSecond).padStart(digits, '0');
  while (fraction.endsWith('0')) fraction = fraction.slice(0, -1);
  return fraction === '' ? seconds : `${seconds}.${fraction}`;
};

const timeOfDay = (perSecond: bigint): Text => {
  return (value) => {
    const units = whole(value);
    if (units < 0n || units >= 86_400n * perSecond) throw damaged('a time is outside of a day');
    return clock(units, perSecond);
  };
};

/** @param isUtc whether the value is an instant, shown in UTC, and not a local time without a zone */
const timestamp = (perSecond: bigint, isUtc: boolean): Text => {
  const perDay = 86_400n * perSecond;
  return (value) => {
    const units = whole(value);
    const rest = ((units % perDay) + perDay) % perDay;
    const date = day((units - rest) / perDay);
    // As in a workbook, midnight is shown as a date alone.
    return rest === 0n ? date : `${date} ${clock(rest, perSecond)}${isUtc ? '+00:00' : ''}`;
  };
};

/** Julian days in the upper 32 bits, nanoseconds of the day in the lower 64. */
const legacyTimestamp: Text = (value) => {
  const joined = whole(value);
  const nanos = ((joined >> 64n) - EPOCH_JULIAN) * DAY_NANOS + BigInt.asUintN(64, joined);
  return timestamp(PER_SECOND.NANOS, false)(nanos);
};

const uuid: Text = (value) => {
  const hex = hexOf(value);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

const PLAIN: Readonly<Record<string, Text>> = {
  BOOLEAN: String,
  INT32: String,
  INT64: String,
  INT96: legacyTimestamp,
  FLOAT: single,
  DOUBLE: double,
};

/** Returns undefined if values of the type have no text. A logical type overrides the older converted type. */
const textFor = ({
  type,
  converted_type: converted,
  logical_type: logical,
  scale = 0,
}: SchemaElement): Text | undefined => {
  const { type: kind = converted } = logical ?? {};
  const unit =
    logical !== undefined && 'unit' in logical ? logical.unit : converted?.endsWith('MICROS') ? 'MICROS' : 'MILLIS';
  switch (kind) {
    case 'DECIMAL':
      return decimal(logical?.type === 'DECIMAL' ? logical.scale : scale);
    case 'DATE':
      return day;
    case 'TIME':
    case 'TIME_MILLIS':
    case 'TIME_MICROS':
      return timeOfDay(PER_SECOND[unit]);
    case 'TIMESTAMP':
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return timestamp(PER_SECOND[unit], logical?.type !== 'TIMESTAMP' || logical.isAdjustedToUTC);
    case 'UUID':
      return uuid;
    case 'INTEGER':
      return logical?.type === 'INTEGER' && !logical.isSigned ? unsigned(type) : String;
    case 'UINT_8':
    case 'UINT_16':
    case 'UINT_32':
    case 'UINT_64':
      return unsigned(type);
    case undefined:
    case 'STRING':
    case 'UTF8':
    case 'ENUM':
    case 'JSON':
    case 'NULL':
    case 'INT_8':
    case 'INT_16':
    case 'INT_32':
    case 'INT_64':
      return type?.endsWith('BYTE_ARRAY') ? createUtf8() : PLAIN[type ?? ''];
    default:
      return undefined;
  }
};

function unsigned(type: SchemaElement['type']): Text {
  const bits = type === 'INT64' ? 64 : 32;
  return (value) => String(BigInt.asUintN(bits, whole(value)));
}

/** @throws {UnreadableFile} if the type has no text. The result throws it if a value has none */
export const cellTextOf = (column: SchemaElement): Text => {
  const text = textFor(column);
  const { logical_type: logical, converted_type: converted, type = 'nothing' } = column;
  if (text === undefined) throw new UnreadableFile(`has values of the type ${logical?.type ?? converted ?? type}`);
  return text;
};
