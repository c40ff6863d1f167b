/** Whether bytes are UTF-8, and where they cease to be. */
import { isUtf8 } from 'node:buffer';

/** Bytes of an unfinished character at the end: its lead byte says how many it should have. */
export const unfinished = (bytes: Buffer): number => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
};

/** Length of the longest prefix that is UTF-8. */
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

/** Offset of the first byte that is not UTF-8; undefined where all are. A character cut by the end is not. */
export const firstBadByte = (bytes: Buffer): number | undefined => (isUtf8(bytes) ? undefined : validPrefix(bytes));

/** What is wrong with a list that is not UTF-8. Line from 1, offset in the file. */
export const notUtf8Problem = (line: number, offset: number): string =>
  `is not UTF-8 text at line ${line}, byte ${offset}`;

/** The same of what may well be text: a way to read it nevertheless. */
export const otherEncodingProblem = (line: number, offset: number): string =>
  `${notUtf8Problem(line, offset)}; save it as UTF-8, or say ?encoding=windows-1252 where it is that`;
