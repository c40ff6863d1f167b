/** Findings about the sheet that a list was read from. */
import type { SheetFacts } from '../../files/input/csv-text.ts';
import type { Finding } from './findings.ts';

/** @param sheet undefined if the list is not from a workbook */
export const sheetFindings = (sheet: SheetFacts | undefined): readonly Finding[] => {
  if (sheet === undefined) return [];
  const { name, lists } = sheet;
  const others = `The sheet "${name}" is read. Other sheets that look like a list are not: ${lists}. To read one of them, use ?sheet=NAME.`;
  return lists === '' ? [] : [{ type: 'sheet.others', message: others, column: '' }];
};
