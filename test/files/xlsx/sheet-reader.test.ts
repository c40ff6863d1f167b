/** Cells have the same text in the form that almost all programs write, which is read at once, and in any other. */
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { archiveList } from '../../../src/files/input/archive-to-csv.ts';
import { OverLimit, UnreadableFile } from '../../../src/files/unreadable-file.ts';
import { archive, type WorkbookParts, workbookParts } from '../../archive.ts';
import { folderForFile } from '../../folder.ts';

let dir: string;
folderForFile((made) => (dir = made));

/** The CSV of a workbook, or what is wrong with it. */
const csvOf = async (made: WorkbookParts): Promise<string> => {
  const bytes = archive(workbookParts(made));
  await writeFile(join(dir, 'list.xlsx'), bytes);
  const file = await open(join(dir, 'list.xlsx'));
  try {
    const pieces: Buffer[] = [];
    const task = { fileBytes: bytes.length, mostBytes: 2 ** 26, mostRowBytes: 2 ** 20 };
    for await (const piece of archiveList(task, file.fd)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  } catch (error) {
    if (error instanceof UnreadableFile) return error.problem;
    if (error instanceof OverLimit) return `${error.limit} ${error.most}`;
    throw error;
  } finally {
    await file.close();
  }
};

interface Made {
  readonly column: string;
  readonly format: number;
  readonly kind: string;
  readonly value: string;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
const asReferences = (text: string): string => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join('');

const usual = ({ column, format, kind, value }: Made, row: number): string => {
  const s = format === 0 ? '' : ` s="${format}"`;
  const t = kind === '' ? '' : ` t="${kind}"`;
  const space = value.trim() === value ? '' : ' xml:space="preserve"';
  const shown = kind === 'inlineStr' ? `<is><t${space}>${escaped(value)}</t></is>` : `<v>${escaped(value)}</v>`;
  return `<c r="${column}${row}"${s}${t}>${shown}</c>`;
};

/** The same cell in forms that no pattern knows. */
const OTHERS: readonly ((made: Made, row: number) => string)[] = [
  ({ column, format, kind, value }, row) =>
    `<c t='${kind}'\n r='${column}${row}' s='${format}'>${value === '' ? '' : '<f>1</f>'}<v >${asReferences(value)}</v></c >`,
  ({ column, format, kind, value }, row) =>
    `<c\ts="${format}" r="${column}${row}" t="${kind}" x:y=""><v><![CDATA[${value.replaceAll('\r', ']]>&#13;<![CDATA[')}]]></v><extLst/></c>`,
  ({ column, format, kind, value }, row) => {
    const [first = '', ...others] = value;
    return (
      `<c r="${column}${row}" s="${format}" t="${kind}"><!-- <v>1</v> --><is><r><rPr><b/></rPr><t>${escaped(first)}</t></r>` +
      `<rPh sb="0" eb="1"><t>no</t></rPh><r><t xml:space="preserve">${escaped(others.join(''))}</t></r><phoneticPr fontId="1"/></is></c>`
    );
  },
];

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' a ',
    'x,"y"',
    'a\nb',
    'a\r\nb',
    '<&>',
    "]]'",
    'é€😀',
    '_x000D_',
    '_x0041',
    '2139',
    '0.1',
    '1e3',
  ),
  fc.string({ maxLength: 12, unit: 'grapheme' }).map((some) => some.replaceAll(']]>', '')),
);
const cell = fc.record({
  column: fc.constantFrom('A', 'B', 'C', 'Z', 'AA', 'ZZ', 'XFE', 'AAAA'),
  format: fc.constantFrom(0, 1, 2, 9),
  kind: fc.constantFrom('', 'n', 's', 'b', 'd', 'e', 'str', 'inlineStr'),
  value: fc.oneof(text, fc.nat({ max: 50_000 }).map(String)),
});
const TEXTS = ['first', ' second', '', 'é&amp;_x000D_', 'two\r\nlines'];
const usualText = (shown: string): string => `<si><t xml:space="preserve">${shown}</t></si>`;
const otherText = (shown: string): string => `<si >${`<r><t>${shown}</t></r>`}<rPh sb='0' eb='1'><t>no</t></rPh></si>`;

test('cells and shared texts of any form have the same text', async () => {
  const rows = fc.array(fc.array(fc.record({ cell, other: fc.nat({ max: OTHERS.length - 1 }) }), { maxLength: 5 }), {
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(rows, async (made) => {
      const sheetOf = (write: (made: Made, row: number, other: number) => string): string =>
        made
          .map((cells, at) => `<row>${cells.map(({ cell, other }) => write(cell, at + 1, other)).join('')}</row>`)
          .join('');
      const formats = ['yyyy-mm-dd', '00000'];
      const ofUsual = await csvOf({ rows: sheetOf(usual), texts: TEXTS.map(usualText).join(''), formats });
      const ofOther = await csvOf({
        rows: sheetOf((one, row, other) => OTHERS[other]?.(one, row) ?? ''),
        texts: TEXTS.map(otherText).join(''),
        formats,
      });
      expect(ofUsual).toBe(ofOther);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 40) },
  );
}, 60_000);
