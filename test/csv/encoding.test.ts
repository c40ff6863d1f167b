import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asUtf8, type Encoding, NotEncoded } from '../../src/csv/encoding.ts';

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
  test('UTF-8 where nothing says otherwise, byte for byte', async () => {
    expect(await read(Buffer.from('zip,é\n'))).toEqual({ text: 'zip,é\n', found: 'utf-8' });
  });

  test('UTF-16 where its byte-order mark says so, without the mark', async () => {
    expect(await read(utf16le('\ufeffzip,é😀\n'))).toEqual({ text: 'zip,é😀\n', found: 'utf-16le' });
    expect(await read(utf16be('\ufeffzip,é😀\n'))).toEqual({ text: 'zip,é😀\n', found: 'utf-16be' });
  });

  test('UTF-16 without a mark, and Windows-1252, where the caller says so', async () => {
    expect(await read(utf16le('zip\n'), 'utf-16le')).toEqual({ text: 'zip\n', found: 'utf-16le' });
    expect(await read(Buffer.from([0x80, 0x92, 0x9f, 0xdf, 0x41]), 'windows-1252')).toEqual({
      text: '€’ŸßA',
      found: 'windows-1252',
    });
  });

  test('what its mark says, whatever the caller says', async () => {
    expect((await read(Buffer.from('\ufeffé'), 'windows-1252')).found).toBe('utf-8');
    expect(await read(utf16le('\ufeffé'), 'windows-1252')).toEqual({ text: 'é', found: 'utf-16le' });
  });

  test('the same text, however its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 9 }), async (text, size) => {
        expect((await read(utf16le(`\ufeff${text}`), undefined, size)).text).toBe(text);
        expect((await read(utf16be(`\ufeff${text}`), undefined, size)).text).toBe(text);
      }),
    );
  });
});

describe('what is not text is told by line and byte', () => {
  test('a lone surrogate', async () => {
    expect(await problemOf(utf16le('\ufeffa\nb\ud800c'))).toBe('is not UTF-16LE text at line 2, byte 8');
  });

  test('half a character at the end', async () => {
    expect(await problemOf(utf16le('\ufeffab').subarray(0, 5))).toBe('is not UTF-16LE text at line 1, byte 4');
    expect(await problemOf(utf16be('\ufeffa\ud83d'))).toBe('is not UTF-16BE text at line 1, byte 4');
  });

  test('a byte that is no character of Windows-1252', async () => {
    expect(await problemOf(Buffer.from([0x61, 0x0a, 0x62, 0x81]), 'windows-1252')).toBe(
      'is not WINDOWS-1252 text at line 2, byte 3',
    );
  });
});
