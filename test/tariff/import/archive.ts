/** ZIP archives for tests to go wrong in: what a hostile sender writes, no spreadsheet program would. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Part {
  readonly name: string;
  readonly content: string | Buffer;
  /** What the headers declare; the truth unless given. */
  readonly declaredSize?: number;
}

const header = (signature: number, fields: readonly [size: 2 | 4, value: number][]): Buffer => {
  const buffer = Buffer.alloc(4 + fields.reduce((sum, [size]) => sum + size, 0));
  buffer.writeUInt32LE(signature, 0);
  let at = 4;
  for (const [size, value] of fields) at = buffer.writeUIntLE(value, at, size);
  return buffer;
};

/** A ZIP archive with these parts, deflated. */
export const archive = (parts: readonly Part[]): Buffer => {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, declaredSize } of parts) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const shared: [2 | 4, number][] = [
      [2, 20],
      [2, 0],
      [2, 8],
      [4, 0],
      [4, crc32(raw)],
      [4, packed.length],
      [4, declaredSize ?? raw.length],
      [2, Buffer.byteLength(name)],
      [2, 0],
    ];
    const local = Buffer.concat([header(0x04034b50, shared), Buffer.from(name), packed]);
    files.push(local);
    const rest: [2 | 4, number][] = [
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ];
    directory.push(header(0x02014b50, [[2, 20], ...shared, ...rest]), Buffer.from(name));
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end: [2 | 4, number][] = [
    [2, 0],
    [2, 0],
    [2, parts.length],
    [2, parts.length],
    [4, listed.length],
    [4, offset],
    [2, 0],
  ];
  return Buffer.concat([...files, listed, header(0x06054b50, end)]);
};

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const REL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

/** The parts of a workbook of one sheet, its `sheetData` as given. */
export const workbookParts = (sheetData: string, prolog = ''): Part[] => [
  {
    name: '[Content_Types].xml',
    content: `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
  },
  {
    name: '_rels/.rels',
    content: `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${REL}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  },
  {
    name: 'xl/workbook.xml',
    content: `${XML}<workbook xmlns="${MAIN}" xmlns:r="${REL}"><sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  },
  {
    name: 'xl/_rels/workbook.xml.rels',
    content: `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${REL}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  },
  {
    name: 'xl/worksheets/sheet1.xml',
    content: `${XML}${prolog}<worksheet xmlns="${MAIN}"><sheetData>${sheetData}</sheetData></worksheet>`,
  },
];
