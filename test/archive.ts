/** Handmade workbooks and other archives, with contents that no spreadsheet program would write. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface Part {
  readonly name: string;
  readonly content: string | Buffer;
  /** What the headers declare. Absent: the true values. */
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

const relations = (all: readonly (readonly [type: string, target: string])[]): string => {
  const each = all.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${REL}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
};

export interface WorkbookParts {
  /** Content of the first sheet's `sheetData`. */
  readonly rows?: string;
  /** The whole first sheet, instead. */
  readonly sheet?: string;
  /** XML before the root of the sheet. */
  readonly prolog?: string;
  /** Content of the shared texts: `<si><t>a</t></si>`. */
  readonly texts?: string;
  /** Format codes. Cells refer to them by `s`, from 1. */
  readonly formats?: readonly string[];
  /** XML in the workbook part before and after its sheets. */
  readonly before?: string;
  readonly after?: string;
  /** Other sheets: a name, a state and the content of `sheetData`. */
  readonly more?: readonly (readonly [name: string, state: string, rows: string])[];
  /** State of the first sheet. */
  readonly state?: string;
  /** The path of the workbook part. */
  readonly main?: string;
}

const sheetXml = (rows: string, prolog = ''): string =>
  `${XML}${prolog}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`;

/** The parts of a workbook, whose first sheet is `One`. */
export const workbookParts = (made: WorkbookParts): Part[] => {
  const {
    rows = '',
    prolog,
    sheet = sheetXml(rows, prolog),
    texts,
    formats,
    before = '',
    after = '',
    more = [],
  } = made;
  const { state = 'visible', main = 'xl/workbook.xml' } = made;
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const sheets = [['One', state] as const, ...more].map(
    ([name, shown], at) => `<sheet name="${name}" sheetId="${at + 1}" state="${shown}" r:id="rId${at + 1}"/>`,
  );
  const styles = (codes: readonly string[]): string =>
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts>${codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')}</numFmts>` +
    `<cellXfs><xf numFmtId="0"/>${codes.map((_, at) => `<xf numFmtId="${164 + at}"/>`).join('')}</cellXfs></styleSheet>`;
  const targets: [string, string][] = [
    ...['', ...more].map((_, at): [string, string] => ['worksheet', `worksheets/sheet${at + 1}.xml`]),
    ...(texts === undefined ? [] : [['sharedStrings', 'sharedStrings.xml'] satisfies [string, string]]),
    ...(formats === undefined ? [] : [['styles', 'styles.xml'] satisfies [string, string]]),
  ];
  return [
    { name: '[Content_Types].xml', content: `${XML}<Types xmlns="${PACKAGE}/content-types"/>` },
    { name: '_rels/.rels', content: relations([['officeDocument', `/${main}`]]) },
    {
      name: main,
      content: `${XML}<workbook xmlns="${MAIN}" xmlns:r="${REL}">${before}<sheets>${sheets.join('')}</sheets>${after}</workbook>`,
    },
    { name: `${folder}_rels/${main.slice(folder.length)}.rels`, content: relations(targets) },
    { name: `${folder}worksheets/sheet1.xml`, content: sheet },
    ...more.map(([, , content], at) => ({
      name: `${folder}worksheets/sheet${at + 2}.xml`,
      content: sheetXml(content),
    })),
    ...(texts === undefined
      ? []
      : [{ name: `${folder}sharedStrings.xml`, content: `${XML}<sst xmlns="${MAIN}">${texts}</sst>` }]),
    ...(formats === undefined ? [] : [{ name: `${folder}styles.xml`, content: styles(formats) }]),
  ];
};

/** A row of texts and numbers, as a workbook writes it. */
export const rowOf = (...values: readonly (string | number)[]): string =>
  `<row>${values.map((value) => (typeof value === 'number' ? `<c><v>${value}</v></c>` : `<c t="str"><v>${value}</v></c>`)).join('')}</row>`;

/** A compound file, as old Office programs write, with one name in its directory. */
export const compound = (name: string): Buffer =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(1_016), Buffer.from(name, 'utf16le')]);
