/** Determines the type of a file by its first bytes. For unsupported types, the problem says how to save the list instead. */

import { ANY, beginsWith, COMPOUND, EMPTY_ZIP, GZIP, PARQUET, ZIP } from '../file-signatures.ts';

/** The number of first bytes that determine most types. */
export const KIND_BYTES = 512;

export type Kind = 'text' | 'gzip' | 'archive' | { readonly problem: string };

const SAVE = 'save the list as an Excel workbook (.xlsx) or as CSV';
const UNPACK = 'unpack it and send the list itself, or compress it as .zip or .gz';

/** The first bytes of unsupported types. */
const FOREIGN: readonly (readonly [start: readonly number[], problem: string])[] = [
  [[0x25, 0x50, 0x44, 0x46, 0x2d], `is a PDF: ${SAVE}`],
  [[0x7b, 0x5c, 0x72, 0x74, 0x66], `is a text document (.rtf): ${SAVE}`],
  [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], `is a .7z archive: ${UNPACK}`],
  [[0x52, 0x61, 0x72, 0x21], `is a .rar archive: ${UNPACK}`],
  [[0x42, 0x5a, 0x68, ANY, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59], `is compressed as .bz2: ${UNPACK}`],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], `is compressed as .xz: ${UNPACK}`],
  [[0x28, 0xb5, 0x2f, 0xfd], `is compressed as .zst: ${UNPACK}`],
  [[0x50, 0x41, 0x52, 0x45], 'is an encrypted Parquet file: write it without encryption'],
  [EMPTY_ZIP, 'is an empty archive'],
];

/** The first bytes of a compound file that are searched. Its directory, which lists its content, is usually in them. */
export const COMPOUND_BYTES = 1024 * 1024;

/** Names in a compound file's directory. */
const COMPOUND_KINDS: readonly (readonly [name: string, problem: string])[] = [
  ['EncryptedPackage', 'is password-protected: save it without a password'],
  ['Workbook', `is an Excel workbook in the old binary format (.xls): ${SAVE}`],
  ['Book', `is an Excel workbook in the old binary format (.xls): ${SAVE}`],
  ['WordDocument', `is a Word document (.doc): ${SAVE}`],
  ['PowerPoint Document', `is a presentation (.ppt): ${SAVE}`],
];

export const isCompound = (start: Uint8Array): boolean => beginsWith(start, COMPOUND);

const compoundProblem = (bytes: Buffer): string =>
  COMPOUND_KINDS.find(([name]) => bytes.includes(Buffer.from(name, 'utf16le')))?.[1] ??
  `is an Office file in the old binary format, or password-protected: ${SAVE}, without a password`;

/** Recognizes markup by its first element: some systems export a web page as `.xls`. */
const markupProblem = (start: Buffer): string | undefined => {
  const text = start.toString('latin1').replace('\u00ef\u00bb\u00bf', '').trimStart().toLowerCase();
  if (['<!doctype html', '<html', '<table', '<meta', '<head'].some((tag) => text.startsWith(tag)))
    return `is a web page, whatever its name: open it in a spreadsheet and ${SAVE}`;
  if (text.startsWith('<?xml'))
    return text.includes('excel.sheet')
      ? `is an XML Spreadsheet 2003: ${SAVE}`
      : `is XML: open it in a spreadsheet and ${SAVE}`;
  return undefined;
};

/** @param start the first `KIND_BYTES` of the file (`COMPOUND_BYTES` of a compound file), or the whole file if it is shorter */
export const kindOf = (start: Buffer): Kind => {
  if (beginsWith(start, GZIP)) return 'gzip';
  if (beginsWith(start, ZIP) || beginsWith(start, PARQUET)) return 'archive';
  if (isCompound(start)) return { problem: compoundProblem(start) };
  const problem = FOREIGN.find(([begin]) => beginsWith(start, begin))?.[1] ?? markupProblem(start);
  return problem === undefined ? 'text' : { problem };
};
