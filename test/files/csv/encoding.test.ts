import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asUtf8, type Encoding, encodingOf, NotEncoded } from '../../../src/files/csv/encoding.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
}

const read = async (bytes: Buffer, said?: Encoding, size = 5): Promise<{ text: string; found: string }> => {
  let found = '';
  const pieces: Buffer[] = [];
  for await (const piece of asUtf8(inPieces(bytes, size), said, (encoding) => {
    found = encoding;
  }))
    pieces.push(piece);
  return { text: Buffer.concat(pieces).toString('utf8'), found };
};

const problemOf = async (bytes: Buffer, said?: Encoding): Promise<string> => {
  try {
    await read(bytes, said);
  } catch (error) {
    if (error instanceof NotEncoded) return error.problem;
    throw error;
  }
  return 'none';
};

const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

describe('a list is read as', () => {
  test('UTF-8 by default, byte for byte', async () => {
    expect(await read(Buffer.from('zip,é\n'))).toEqual({ text: 'zip,é\n', found: 'utf-8' });
  });

  test('UTF-16 with a byte-order mark, which is removed', async () => {
    expect(await read(utf16le('\ufeffzip,é😀\n'))).toEqual({ text: 'zip,é😀\n', found: 'utf-16le' });
    expect(await read(utf16be('\ufeffzip,é😀\n'))).toEqual({ text: 'zip,é😀\n', found: 'utf-16be' });
  });

  test('UTF-16 without a mark, and Windows-1252, if the caller says so', async () => {
    expect(await read(utf16le('zip\n'), 'utf-16le')).toEqual({ text: 'zip\n', found: 'utf-16le' });
    expect(await read(Buffer.from([0x80, 0x92, 0x9f, 0xdf, 0x41]), 'windows-1252')).toEqual({
      text: '€’ŸßA',
      found: 'windows-1252',
    });
  });

  test('the encoding of its mark, regardless of the caller', async () => {
    expect((await read(Buffer.from('\ufeffé'), 'windows-1252')).found).toBe('utf-8');
    expect(await read(utf16le('\ufeffé'), 'windows-1252')).toEqual({ text: 'é', found: 'utf-16le' });
  });

  test('the same text in any pieces', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 9 }), async (text, size) => {
        expect((await read(utf16le(`\ufeff${text}`), undefined, size)).text).toBe(text);
        expect((await read(utf16be(`\ufeff${text}`), undefined, size)).text).toBe(text);
      }),
    );
  });
});

describe('the first bytes', () => {
  test.each<[number[], Encoding]>([
    [[0xff, 0xfe], 'utf-16le'],
    [[0xfe, 0xff, 0x00], 'utf-16be'],
    [[0xef, 0xbb, 0xbf, 0x61], 'utf-8'],
    // No mark, or an incomplete one.
    [[0xff, 0xff], 'windows-1252'],
    [[0xfe, 0xfe], 'windows-1252'],
    [[0x61, 0xfe], 'windows-1252'],
    [[0x61, 0xff], 'windows-1252'],
    [[0xef, 0xbb], 'windows-1252'],
    [[0xef, 0xbb, 0x61], 'windows-1252'],
    [[0xef, 0x61, 0xbf], 'windows-1252'],
    [[0x61, 0xbb, 0xbf], 'windows-1252'],
    [[], 'windows-1252'],
  ])('%j is %s if the caller says Windows-1252', (bytes, encoding) => {
    expect(encodingOf(Buffer.from(bytes), 'windows-1252')).toBe(encoding);
  });

  test('are UTF-8 by default', () => {
    expect([encodingOf(Buffer.from('a')), encodingOf(Buffer.alloc(0))]).toEqual(['utf-8', 'utf-8']);
  });
});

test('reads all characters of Windows-1252, and rejects its five undefined bytes', async () => {
  const UNUSED = [0x81, 0x8d, 0x8f, 0x90, 0x9d];
  const used = Array.from({ length: 256 }, (_, code) => code).filter((code) => !UNUSED.includes(code));
  const { text } = await read(Buffer.from(used), 'windows-1252');
  const own = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
  const asLatin1 = (codes: number[]): string => String.fromCharCode(...codes);
  expect(text).toBe(asLatin1(used.slice(0, 128)) + own + asLatin1(used.slice(128 + own.length)));
  for (const code of UNUSED)
    expect(await problemOf(Buffer.from([code]), 'windows-1252')).toBe('is not WINDOWS-1252 text at byte 0 (line 1)');
});

describe('a list in pieces', () => {
  test('yields no empty pieces, and loses its mark once', async () => {
    const pieces: string[] = [];
    for await (const piece of asUtf8(inPieces(utf16le('\ufeff\ufeffab'), 1), undefined)) pieces.push(piece.toString());
    expect(pieces).toEqual(['\ufeff', 'a', 'b']);
  });

  test('passes through piece by piece after the position of a mark', async () => {
    const pieces: string[] = [];
    for await (const piece of asUtf8(inPieces(Buffer.from('abcdefgh'), 2), undefined)) pieces.push(piece.toString());
    expect(pieces).toEqual(['abcd', 'ef', 'gh']);
    expect(await read(Buffer.alloc(0))).toEqual({ text: '', found: 'utf-8' });
    expect(await read(Buffer.from('a'), undefined, 1)).toEqual({ text: 'a', found: 'utf-8' });
  });

  test('closes its source when the reader stops', async () => {
    let ended = false;
    const source = (async function* () {
      try {
        for (;;) yield Buffer.from('abc');
      } finally {
        ended = true;
      }
    })();
    for await (const _ of asUtf8(source, undefined)) break;
    expect(ended).toBe(true);
  });
});

describe('invalid text is reported by line and byte', () => {
  test('counted from the start of the list', async () => {
    expect(await problemOf(utf16le('\ufeffa\n\nbc\ud800'))).toBe('is not UTF-16LE text at byte 12 (line 3)');
    expect(await problemOf(Buffer.from('a\nb\nc\nd\x81', 'latin1'), 'windows-1252')).toBe(
      'is not WINDOWS-1252 text at byte 7 (line 4)',
    );
  });

  test('a lone surrogate', async () => {
    expect(await problemOf(utf16le('\ufeffa\nb\ud800c'))).toBe('is not UTF-16LE text at byte 8 (line 2)');
  });

  test('half a character at the end', async () => {
    expect(await problemOf(utf16le('\ufeffab').subarray(0, 5))).toBe('is not UTF-16LE text at byte 4 (line 1)');
    expect(await problemOf(utf16be('\ufeffa\ud83d'))).toBe('is not UTF-16BE text at byte 4 (line 1)');
  });

  test('a byte that is undefined in Windows-1252', async () => {
    expect(await problemOf(Buffer.from([0x61, 0x0a, 0x62, 0x81]), 'windows-1252')).toBe(
      'is not WINDOWS-1252 text at byte 3 (line 2)',
    );
  });
});
