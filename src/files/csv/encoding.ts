/**
 * Converts a list to UTF-8 as it streams. The byte-order mark determines the encoding, then the caller's option, then the
 * default, UTF-8. UTF-8 passes through unchanged; the reader of the list validates it.
 */

import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { missing } from '../../base/must.ts';

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The stream throws this if bytes are not valid in their encoding. */
export class NotEncoded extends Error {
  readonly problem: string;
  constructor(encoding: Encoding, line: number, offset: number) {
    const problem = notTextProblem(line, offset, encoding);
    super(problem);
    this.name = 'NotEncoded';
    this.problem = problem;
  }
}

/** Returns the encoding of a list by its first bytes. A byte-order mark is certain, so it overrides `declared`. */
export const encodingOf = (start: Uint8Array, declared: Encoding = 'utf-8'): Encoding => {
  const [first, second, third] = start;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : declared;
};

/**
 * Bytes 0x80 to 0x9f of Windows-1252; five of them are undefined. All other bytes are the same as in Latin-1. The
 * `TextDecoder` of Node 20 reads all 32 as Latin-1 (nodejs/node#56542) and reports no position for a bad byte.
 */
const WINDOWS_1252 = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

const lineBreaks = (text: string): number => text.split('\n').length - 1;

interface Decoder {
  /** @returns the text, and the index in it of the first invalid character, or -1 */
  readonly write: (bytes: Buffer) => { readonly text: string; readonly bad: number };
  readonly bytesPerUnit: 1 | 2;
  /** Whether the bytes so far end in the middle of a character. */
  readonly cut: () => boolean;
}

const windows1252 = (): Decoder => ({
  bytesPerUnit: 1,
  cut: () => false,
  write: (bytes) => {
    const text = bytes
      .toString('latin1')
      .replaceAll(/[\x80-\x9f]/g, (character) => WINDOWS_1252.charAt(character.charCodeAt(0) - 0x80));
    const bad = bytes.findIndex((byte) => byte >= 0x80 && byte < 0xa0 && WINDOWS_1252.charCodeAt(byte - 0x80) === 0);
    return { text, bad };
  },
});

const LONE_SURROGATE = /\p{Surrogate}/u;

const utf16 = (bigEndian: boolean): Decoder => {
  const decoder = new StringDecoder('utf16le');
  let odd: Buffer = Buffer.alloc(0);
  return {
    bytesPerUnit: 2,
    cut: () => odd.length > 0 || decoder.end() !== '',
    write: (piece) => {
      const bytes = Buffer.concat([odd, piece]);
      const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
      odd = bytes.subarray(even.length);
      const text = decoder.write(bigEndian ? even.swap16() : even);
      return { text, bad: text.search(LONE_SURROGATE) };
    },
  };
};

const decoderOf = (encoding: Exclude<Encoding, 'utf-8'>): Decoder =>
  encoding === 'windows-1252' ? windows1252() : utf16(encoding === 'utf-16be');

const BYTE_ORDER_MARK = '\ufeff';

async function* decoded(
  source: AsyncIterable<Buffer>,
  encoding: Exclude<Encoding, 'utf-8'>,
): AsyncGenerator<Buffer, void> {
  const decoder = decoderOf(encoding);
  let units = 0;
  let line = 1;
  for await (const bytes of source) {
    const { text, bad } = decoder.write(bytes);
    if (bad !== -1)
      throw new NotEncoded(encoding, line + lineBreaks(text.slice(0, bad)), (units + bad) * decoder.bytesPerUnit);
    const content = units === 0 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
    units += text.length;
    line += lineBreaks(text);
    if (content !== '') yield Buffer.from(content, 'utf8');
  }
  if (decoder.cut()) throw new NotEncoded(encoding, line, units * decoder.bytesPerUnit);
}

/** The longest mark has three bytes. */
const MARK_BYTES = 3;

/**
 * Streams the list as UTF-8.
 * @param declared the encoding that the caller gave
 * @param found receives the encoding before the first bytes are yielded
 * @throws {NotEncoded} while the list is read
 */
export async function* asUtf8(
  source: AsyncIterable<Buffer>,
  declared: Encoding | undefined,
  found: (encoding: Encoding) => void = () => undefined,
): AsyncGenerator<Buffer, void> {
  const pieces = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  let more = true;
  const rest = async function* (): AsyncGenerator<Buffer, void> {
    if (start.length > 0) yield start;
    if (more) yield* { [Symbol.asyncIterator]: () => pieces };
  };
  try {
    while (more && start.length < MARK_BYTES) {
      const next = await pieces.next();
      more = next.done !== true;
      if (next.done !== true) start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
    }
    const encoding = encodingOf(start, declared);
    found(encoding);
    yield* encoding === 'utf-8' ? rest() : decoded(rest(), encoding);
  } finally {
    await pieces.return?.();
  }
}

/** Returns the number of bytes at the end that are the start of an incomplete UTF-8 character. */
export const unfinished = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? missing('a byte of the text');
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
};

/** Returns the length of the longest prefix that is valid UTF-8. */
const validPrefix = (bytes: Buffer): number => {
  let good = 0;
  let bad = bytes.length;
  while (good < bad) {
    const middle = Math.ceil((good + bad) / 2);
    const prefix = bytes.subarray(0, middle);
    if (isUtf8(prefix.subarray(0, middle - unfinished(prefix)))) good = middle;
    else bad = middle - 1;
  }
  return good - unfinished(bytes.subarray(0, good));
};

/** Returns the offset of the first byte that is not UTF-8, if any. An incomplete character at the end is not UTF-8. */
export const firstBadByte = (bytes: Buffer): number | undefined => (isUtf8(bytes) ? undefined : validPrefix(bytes));

/** Returns the problem of a list that is not text in its encoding. Lines count from 1. The offset is in the file. */
export const notTextProblem = (line: number, offset: number, encoding: Encoding = 'utf-8'): string =>
  `is not ${encoding.toUpperCase()} text at byte ${offset} (line ${line})`;

/** Returns the same problem for bytes that may be text in another encoding. It says how to read them. */
export const otherEncodingProblem = (line: number, offset: number): string =>
  `${notTextProblem(line, offset)}; save it as UTF-8, or use ?encoding=windows-1252 if it is in that encoding`;
