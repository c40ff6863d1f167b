/**
 * `?format=json`: the output as a JSON array with an object on each line. The list's own cells are text. Values that the
 * service adds have their types. The file is written while it is sent, so that memory does not grow with the rows.
 */

import { must } from '../../base/must.ts';
import { cellValue, decodeText, encodeText } from '../../files/csv/cell.ts';
import { type CellSink, mapCells, rowSink } from '../../files/csv/map-rows.ts';
import { isComparedCount, isComparedMoney } from '../../lists/comparison/columns.ts';
import type { OutputFile } from './output.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** Returns the JSON of a cell that the service wrote, by its column name. An empty cell is null. */
const typed = (name: string, value: string): string => {
  if (name.startsWith('warnings_')) return JSON.stringify(value === '' ? [] : value.split('|'));
  if (value === '') return 'null';
  const isNumber = isComparedCount(name) || isComparedMoney(name);
  return isNumber ? String(Number(value)) : JSON.stringify(value);
};

/** Returns distinct keys. Columns with a name that occurred before are numbered. */
const distinct = (names: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let number = 2; taken.has(own); number++) own = `${name} (${number})`;
    taken.add(own);
    return own;
  });
};

/** @param passed the number of the list's own columns, which come first */
const objectsTo =
  (passed: number) =>
  (write: (text: string) => void): CellSink => {
    let rows = -1;
    let columns: readonly { readonly name: string; readonly key: string }[] = [];
    return rowSink((cells) => {
      const row = cells.map((cell) => decodeText(cellValue(cell)));
      rows += 1;
      if (rows === 0) {
        const keys = distinct(row);
        columns = row.map((name, at) => ({ name, key: JSON.stringify(keys[at]) }));
        return;
      }
      const members = row.map((value, at) => {
        const { name, key } = must(columns[at], 'the column of a cell');
        return `${key}:${at < passed ? JSON.stringify(value) : typed(name, value)}`;
      });
      write(encodeText(`${rows === 1 ? '\n' : ',\n'}{${members.join(',')}}`));
    });
  };

/** @param passed the number of the list's own columns */
export const jsonFile = (passed: number, { content }: OutputFile): OutputFile => {
  async function* written(): AsyncGenerator<Buffer> {
    yield Buffer.from('[');
    yield* mapCells(content, objectsTo(passed));
    yield Buffer.from('\n]\n');
  }
  return { mediaType: JSON_TYPE, content: written() };
};
