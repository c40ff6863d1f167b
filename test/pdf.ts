/** Makes PDFs for tests. In Courier, a character's width is 0.6 of its size, so the position of every word is exact. */
import { deflateSync } from 'node:zlib';
import type { PdfPage, PdfWord } from '../src/import/read/pdf.ts';

const HEIGHT = 792;

/** A PDF with a page for each deflated content stream. The font is `F`. */
export const pdfOf = (streams: readonly Buffer[]): Buffer => {
  const pages = streams.map((_, index) => 4 + 2 * index);
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${pages.map((page) => `${page} 0 R`).join(' ')}]/Count ${pages.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>',
    ...streams.flatMap((stream, index) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 ${HEIGHT}]/Resources<</Font<</F 3 0 R>>>>/Contents ${5 + 2 * index} 0 R>>`,
      `<</Filter/FlateDecode/Length ${stream.length}>>\nstream\n${stream.toString('latin1')}\nendstream`,
    ]),
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`;
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
};

/** A PDF of one page with this content stream. */
export const pdf = (content: string): Buffer => pdfOf([deflateSync(content)]);

const widthOf = (text: string, size: number): number => text.length * 0.6 * size;

/** A word that begins at `left`. Lengths are points from the page's upper left corner; `y` is the baseline. */
export const wordFrom = (text: string, left: number, y: number, size = 7): PdfWord => ({
  text,
  left,
  right: left + widthOf(text, size),
  y,
  size,
});

/** A word that ends at `right`. */
export const wordTo = (text: string, right: number, y: number, size = 7): PdfWord =>
  wordFrom(text, right - widthOf(text, size), y, size);

/** A word centered at `center`. */
export const wordAround = (text: string, center: number, y: number, size = 7): PdfWord =>
  wordFrom(text, center - widthOf(text, size) / 2, y, size);

/** The words of a line that begins at `left`. */
export const lineFrom = (text: string, left: number, y: number, size = 7): PdfWord[] =>
  [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => wordFrom(word, left + widthOf(' ', size) * index, y, size));

/** A text in the font's encoding, as a string of a content stream. */
const literal = (text: string): string => {
  const encoded = text.replaceAll('•', '\x95').replaceAll('–', '\x96').replaceAll('—', '\x97');
  return `(${encoded.replaceAll(/[\\()]/g, '\\$&')})`;
};

/** A PDF with these words in their positions, page by page. */
export const pdfWith = (pages: readonly PdfPage[]): Buffer =>
  pdfOf(
    pages.map(({ words }) => {
      const drawn = words.map(
        ({ text, left, y, size }) => `BT /F ${size} Tf ${left.toFixed(2)} ${HEIGHT - y} Td ${literal(text)} Tj ET\n`,
      );
      return deflateSync(Buffer.from(drawn.join(''), 'latin1'));
    }),
  );
