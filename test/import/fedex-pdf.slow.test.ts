import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createDeflate } from 'node:zlib';
import { expect, test } from 'vitest';
import { readFeeSheet } from '../../src/import/fedex/fee-guide.ts';
import { isPdf, PDF_LIMITS, type PdfPage, readPdf } from '../../src/import/read/pdf.ts';
import { pdfReader } from '../../src/import/source.ts';
import { pdf, pdfOf, pdfWith } from '../pdf.ts';
import { locatorPage } from './made-fedex.ts';
import { feeSheet, SHEET_ROWS } from './made-fedex-fees.ts';

const hello = 'BT /F 12 Tf 72 700 Td (Hello rates) Tj ET\n';

test('measures positions of words from the upper left corner', async () => {
  const [page] = await readPdf(pdf(hello));
  expect(page?.words.map(({ text, y, size }) => [text, y, size])).toEqual([
    ['Hello', 92, 12],
    ['rates', 92, 12],
  ]);
  expect(page?.words[0]?.left).toBe(72);
});

test('reads the words of several pages in their order and positions', async () => {
  const pages = [locatorPage(70, 76), { ...locatorPage(850, 850), number: 2 }];
  const read = await readPdf(pdfWith(pages));
  const places = (all: readonly PdfPage[]) =>
    all.map(({ number, words }) => [number, words.map(({ text, y, size }) => `${text} ${y.toFixed(2)} ${size}`)]);
  expect(places(read)).toEqual(places(pages));
  for (const [index, { words }] of pages.entries())
    for (const [at, { left, right }] of words.entries()) {
      expect(read[index]?.words[at]?.left).toBeCloseTo(left, 0);
      expect(read[index]?.words[at]?.right).toBeCloseTo(right, 0);
    }
});

test('omits vertical text', async () => {
  const [page] = await readPdf(pdf('BT /F 9 Tf 0 1 -1 0 50 100 Tm (sideways) Tj ET'));
  expect(page?.words).toEqual([]);
});

test('recognizes a PDF by its first bytes', () => {
  expect([isPdf(Buffer.from('%PDF-1.7\n')), isPdf(Buffer.from('PK\u0003\u0004'))]).toEqual([true, false]);
});

test('rejects a file over 50 MB before it parses it', async () => {
  await expect(readPdf(Buffer.alloc(50 * 1024 * 1024 + 1))).rejects.toThrow('the PDF has 52428801 bytes');
});

test('rejects a damaged file', async () => {
  await expect(readPdf(Buffer.from('%PDF-1.7\nnothing'))).rejects.toMatchObject({ name: 'RefusedFile' });
});

test('rejects a page with too many words', async () => {
  const bytes = pdf(hello.repeat(2_000));
  await expect(readPdf(bytes, undefined, { ...PDF_LIMITS, maxWords: 1_000 })).rejects.toThrow(
    'the limit is 1000 (words)',
  );
});

test('stops a PDF that keeps the parser busy at the time limit', async () => {
  const bytes = pdf(hello.repeat(300_000));
  const processLimits = { ...PDF_LIMITS.processLimits, processorS: 3 };
  await expect(readPdf(bytes, undefined, { ...PDF_LIMITS, processLimits, maxWords: 1e9 })).rejects.toThrow(
    'the limit is 3 s (readingTime)',
  );
});

test('stops a stream that inflates beyond the memory limit', async () => {
  const spaces = Readable.from(new Array(400).fill(Buffer.alloc(1_000_000, ' ')));
  const bytes = pdfOf([await buffer(spaces.pipe(createDeflate()))]);
  const limits = { ...PDF_LIMITS, processLimits: { ...PDF_LIMITS.processLimits, memoryMb: 256 } };
  await expect(readPdf(bytes, undefined, limits)).rejects.toThrow('the limit is 256 MiB (readingMemory)');
});

test('stops when it is aborted', async () => {
  await expect(readPdf(pdf(hello), AbortSignal.timeout(20))).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test('rejects a PDF that is neither list rates nor a zone locator, and a PDF without text', async () => {
  await expect(pdfReader.read(pdf(hello), {})).rejects.toThrow('none of FedEx: a zone locator, a sheet of surcharges');
  await expect(pdfReader.read(pdf('0 0 10 10 re f'), {})).rejects.toThrow('contains no text');
});

test('a sheet of changes reads the same from the bytes of a PDF', async () => {
  const read = await pdfReader.read(pdfWith(feeSheet(SHEET_ROWS)), {});
  expect(read.charges).toEqual(readFeeSheet(feeSheet(SHEET_ROWS)).charges);
  expect(read.unreadable).toEqual([]);
});
