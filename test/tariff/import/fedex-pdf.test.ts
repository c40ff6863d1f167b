import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate, deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fedexPdf } from '../../../src/tariff/import/fedex-pdf.ts';
import { isPdf, PDF_LIMITS, readPdf } from '../../../src/tariff/import/pdf.ts';

/** A PDF of one page with this content stream. */
const pdf = (content: Buffer): Buffer => pdfOf(deflateSync(content));

const pdfOf = (stream: Buffer): Buffer => {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 5 0 R>>>>/Contents 4 0 R>>',
    `<</Filter/FlateDecode/Length ${stream.length}>>\nstream\n${stream.toString('latin1')}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<</Size 6/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`;
  return Buffer.from(`${text}xref\n0 6\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
};

const hello = 'BT /F 12 Tf 72 700 Td (Hello rates) Tj ET\n';

test('words have their places from the upper left corner', async () => {
  const [page] = await readPdf(pdf(Buffer.from(hello)));
  expect(page?.words.map(({ text, y, size }) => [text, y, size])).toEqual([
    ['Hello', 92, 12],
    ['rates', 92, 12],
  ]);
  expect(page?.words[0]?.left).toBe(72);
});

test('text that runs upwards is left out', async () => {
  const [page] = await readPdf(pdf(Buffer.from('BT /F 9 Tf 0 1 -1 0 50 100 Tm (sideways) Tj ET')));
  expect(page?.words).toEqual([]);
});

test('a PDF is told by its first bytes', () => {
  expect([isPdf(Buffer.from('%PDF-1.7\n')), isPdf(Buffer.from('PK\u0003\u0004'))]).toEqual([true, false]);
});

test('a file over 50 MB is refused before it is read', async () => {
  await expect(readPdf(Buffer.alloc(50 * 1024 * 1024 + 1))).rejects.toThrow('the PDF has 52428801 bytes');
});

test('a damaged file is refused', async () => {
  await expect(readPdf(Buffer.from('%PDF-1.7\nnothing'))).rejects.toMatchObject({ name: 'RefusedFile' });
});

test('a page with words over the limit is refused', async () => {
  const bytes = pdf(Buffer.from(hello.repeat(2_000)));
  await expect(readPdf(bytes, undefined, { ...PDF_LIMITS, maxWords: 1_000 })).rejects.toThrow('words is at most 1000');
});

test('a PDF that keeps the parser busy is given up at the deadline', async () => {
  const bytes = pdf(Buffer.from(hello.repeat(300_000)));
  const walls = { ...PDF_LIMITS.walls, processorS: 3 };
  await expect(readPdf(bytes, undefined, { ...PDF_LIMITS, walls, maxWords: 1e9 })).rejects.toThrow(
    'readingTime is at most 3 s',
  );
});

test('a stream that inflates without end is given up when it takes too much memory', async () => {
  const spaces = Readable.from(new Array(400).fill(Buffer.alloc(1_000_000, ' ')));
  const bytes = pdfOf(await buffer(spaces.pipe(createDeflate())));
  const limits = { ...PDF_LIMITS, walls: { ...PDF_LIMITS.walls, memoryMb: 256 } };
  await expect(readPdf(bytes, undefined, limits)).rejects.toThrow('readingMemory is at most 256 MiB');
});

test('an abort ends the reading', async () => {
  await expect(readPdf(pdf(Buffer.from(hello)), AbortSignal.timeout(20))).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('a PDF that is neither list rates nor a zone locator is refused; so is one without text', async () => {
  await expect(fedexPdf.read(pdf(Buffer.from(hello)), {})).rejects.toThrow('neither FedEx list rates nor');
  await expect(fedexPdf.read(pdf(Buffer.from('0 0 10 10 re f')), {})).rejects.toThrow('holds no text');
});
