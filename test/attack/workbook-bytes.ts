/** Workbooks made part by part, so that an attack can choose each part. */
import { archive } from '../archive.ts';

export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** An archive of these parts. */
export const packed = (parts: ReadonlyMap<string, string | Buffer>): Buffer =>
  archive([...parts].map(([name, content]) => ({ name, content })));

export interface WorkbookParts {
  /** Of `sheetData`. */
  readonly rows: string;
  /** Codes of the number formats. Cells refer to them with `s="1"` and so on. */
  readonly formats?: readonly string[];
  readonly sharedTexts?: readonly string[];
}

const relation = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
const override = (part: string, type: string): string =>
  `<Override PartName="/xl/${part}" ContentType="${TYPES}.${type}+xml"/>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

const stylesOf = (formats: readonly string[]): string => {
  const codes = formats.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${escaped(code)}"/>`);
  const cells = ['<xf numFmtId="0"/>', ...formats.map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`)];
  return `${XML}<styleSheet xmlns="${MAIN}"><numFmts>${codes.join('')}</numFmts><cellXfs>${cells.join('')}</cellXfs></styleSheet>`;
};

export const partsOf = ({ rows, formats = [], sharedTexts = [] }: WorkbookParts): Map<string, string | Buffer> =>
  new Map([
    [
      '[Content_Types].xml',
      `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${override('workbook.xml', 'sheet.main')}${override('worksheets/sheet1.xml', 'worksheet')}${override('styles.xml', 'styles')}${override('sharedStrings.xml', 'sharedStrings')}</Types>`,
    ],
    [
      '_rels/.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${XML}<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'worksheet', 'worksheets/sheet1.xml')}${relation(2, 'styles', 'styles.xml')}${relation(3, 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="list" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    ['xl/worksheets/sheet1.xml', `${XML}<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`],
    ['xl/styles.xml', stylesOf(formats)],
    [
      'xl/sharedStrings.xml',
      `${XML}<sst xmlns="${MAIN}">${sharedTexts.map((text) => `<si><t>${escaped(text)}</t></si>`).join('')}</sst>`,
    ],
  ]);

export const workbookOf = (parts: WorkbookParts): Buffer => packed(partsOf(parts));

const HEADER = ['warehouse_id', 'postalCode', 'weight_value', 'weight_units'];
const text = (cell: string): string => `<c t="inlineStr"><is><t>${cell}</t></is></c>`;
export const HEADER_ROW = `<row>${HEADER.map(text).join('')}</row>`;
/** Four cells of a valid row. */
export const GOOD_CELLS = `<c><v>101</v></c>${text('02139')}<c><v>2</v></c>${text('LB')}`;
