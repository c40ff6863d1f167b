/** Reads a grid's rows from top to bottom: titles, headers, then labels with percentages. */
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import type { Address, Named, ZoneRange } from '../../catalog/agreement/cells.ts';
import { Findings } from '../read/reader.ts';
import { cellAddress } from '../read/xlsx.ts';
import {
  addressIn,
  type Band,
  bandIn,
  bandText,
  type Down,
  type GridCell,
  type GridRow,
  isDate,
  isHeading,
  isPercentage,
  percentIn,
  rightOf,
  shareWeights,
  shareZones,
  titleRest,
  zonesIn,
  zonesText,
} from './grid-cells.ts';

/** What headers, titles and labels say about a cell. */
export interface Meaning {
  readonly band?: Band;
  readonly zones?: Named<ZoneRange>;
  readonly address?: Address;
  readonly service?: string;
}

/** Finds a service code by name. */
export type ServiceNamer = (text: string) => string | undefined;

/** Parses weights or zones; undefined for any other text. */
const axisIn = (text: string, axis: Down): Meaning | undefined => {
  const zones = axis === 'zones' ? zonesIn(text) : undefined;
  const band = axis === 'bands' ? bandIn(text) : undefined;
  return zones === undefined && band === undefined ? undefined : present({ zones, band });
};

/** Parses a header or a title; undefined if any part of it is unknown. */
const meaningIn = (text: string, serviceNamed: ServiceNamer, axis?: Down): Meaning | undefined => {
  const { address, rest } = addressIn(text);
  const own = present({ address });
  if (rest === '' || isHeading(rest)) return own;
  const along = axis === undefined ? undefined : axisIn(rest, axis);
  if (along !== undefined) return { ...own, ...along };
  const service = serviceNamed(text) ?? serviceNamed(rest);
  return service === undefined ? undefined : { ...own, service };
};

/** Formats the weights or zones. */
const axisText = ({ band, zones }: Meaning): string | undefined => {
  if (zones !== undefined) return zonesText(zones);
  return band === undefined ? undefined : bandText(band);
};

/** Whether two cells share a service, an address, a weight and a zone. */
const clash = (a: Meaning, b: Meaning): boolean => {
  const [first = 'any', second = 'any'] = [a.address, b.address];
  return (
    (a.service === undefined || b.service === undefined || a.service === b.service) &&
    (first === second || first === 'any' || second === 'any') &&
    shareZones(a.zones ?? '*', b.zones ?? '*') &&
    shareWeights(a.band ?? { fromLb: 1 }, b.band ?? { fromLb: 1 })
  );
};

/** What the command says about the grid. */
export interface GridKeys {
  /** The services of cells without a service in any header or title. */
  readonly services: readonly string[];
  readonly serviceNamed: ServiceNamer;
  readonly address?: Address;
}

export interface ReadCell {
  readonly meaning: Meaning;
  readonly percent: string;
  readonly cell: GridCell;
}

/** One or more columns with the same header. */
interface Columns {
  readonly from: number;
  readonly to: number;
  readonly meaning: Meaning;
}

/** The titles since the last percentages. */
interface Titles {
  readonly meaning: Meaning;
  /** A title that names a kind of address among unknown words. */
  readonly doubtful?: GridCell | undefined;
}

/** What the reader says about a place. */
export interface GridNote {
  /** Such as `Sheet1 B4`. */
  readonly at: string;
  readonly says: string;
  /** Whether the agreement may lack or have something because of it. */
  readonly isDoubt: boolean;
}

const DATE = 'is a date: spreadsheet programs turn 6-10 into a date. Write 6 to 10 instead';

const hasSign = (text: string): boolean => text.includes('%') && isPercentage(text);

/** The notes name titles, notes and services that were skipped. */
export class GridReader extends Findings {
  readonly cells: ReadCell[] = [];
  readonly remarks: GridNote[] = [];
  readonly #sheet: string;
  readonly #keys: GridKeys;
  readonly #label: number;
  readonly #down: Down;
  readonly #across: Down;
  /** Rows of headers that have no percentages below them yet. */
  #heads: GridRow[] = [];
  #columns: readonly Columns[] = [];
  #titles: Titles | undefined;
  /** The meaning of the titles above the last percentages. */
  #section: Meaning = {};
  /** The last meanings of the cells to the left of the labels, by column. */
  readonly #left = new Map<number, Meaning>();

  constructor(sheet: string, keys: GridKeys, label: number, down: Down) {
    super();
    this.#sheet = sheet;
    this.#keys = keys;
    this.#label = label;
    this.#down = down;
    this.#across = down === 'bands' ? 'zones' : 'bands';
  }

  /** Reads the next row of the sheet. */
  take(row: GridRow): void {
    const label = row.cells[this.#label];
    const right = rightOf(row, this.#label);
    const meaning = label === undefined ? undefined : axisIn(label.text, this.#down);
    const stray = row.cells.slice(0, this.#label + 1).find((cell) => cell !== undefined && hasSign(cell.text));
    if (stray !== undefined) this.#refuse(stray, 'is a percentage, but a weight, a zone or a title is expected here');
    else if (right.length === 0) this.#takeTitle(row);
    else if (label !== undefined && meaning !== undefined) this.#takeBody(row, label, meaning);
    else this.#takeHead(row, label, right);
  }

  /** Refuses cells that repeat an earlier cell's service, address, weight and zone. */
  refuseOverlaps(): void {
    for (const [at, { meaning, cell }] of this.cells.entries()) {
      const other = this.cells.slice(0, at).find((before) => clash(before.meaning, meaning))?.cell;
      if (other === undefined) continue;
      this.#refuse(cell, `has the same service, address, weight and zone as ${cellAddress(other.row, other.column)}`);
    }
  }

  #refuse({ text, row, column }: GridCell, problem: string): void {
    this.refuse(`${this.#sheet} ${cellAddress(row, column)}`, text, problem);
  }

  #note({ text, row, column }: GridCell, what: string, isDoubt: boolean): void {
    this.remarks.push({ at: `${this.#sheet} ${cellAddress(row, column)}`, says: `is ${what}: ${text}`, isDoubt });
  }

  #meaningIn(text: string, axis?: Down): Meaning | undefined {
    return meaningIn(text, this.#keys.serviceNamed, axis);
  }

  /** Reads a row with a title or a note. A label without percentages is neither. */
  #takeTitle({ cells }: GridRow): void {
    const cell = must(
      cells.find((one) => one !== undefined),
      'a cell of the row',
    );
    const hasHeader = this.#heads.length > 0 || this.#columns.length > 0;
    if (hasHeader && cell.column === this.#label && axisIn(cell.text, this.#down) !== undefined) return;
    this.#note(cell, 'a title or a note', false);
    const meaning = this.#meaningIn(titleRest(cell.text));
    const before = this.#titles;
    if (meaning !== undefined) {
      this.#check(cell, meaning);
      this.#titles = { meaning: { ...before?.meaning, ...meaning }, doubtful: before?.doubtful };
      return;
    }
    const isDoubtful = addressIn(cell.text).address !== undefined;
    this.#titles = { meaning: before?.meaning ?? {}, doubtful: isDoubtful ? cell : before?.doubtful };
  }

  /** Checks a title or a header against the command's options. */
  #check(cell: GridCell, { address, service }: Meaning): void {
    const { address: given, services } = this.#keys;
    if (address !== undefined && given !== undefined && address !== given)
      this.#refuse(cell, `is for ${address} addresses, but --address says ${given}`);
    if (service !== undefined && !services.includes(service))
      this.#note(cell, `of ${service}, which is not one of the services of the grid, so it is left out`, true);
  }

  #takeHead(row: GridRow, label: GridCell | undefined, right: readonly GridCell[]): void {
    const first = label ?? must(right[0], 'a cell of the row');
    const unknown = right.filter(({ text }) => this.#meaningIn(text, this.#across) === undefined);
    const isCertain = label !== undefined || right.some(({ text }) => /[a-z]/i.test(text));
    if (unknown.length === 0 && (isCertain || this.#columns.length === 0)) {
      this.#columns = [];
      this.#heads.push(row);
    } else if (unknown.length === 0) this.#refuse(first, 'has no weight or zone beside it');
    else if (unknown.length < right.length)
      for (const one of unknown) this.#refuse(one, isDate(one.text) ? DATE : `is neither ${this.#known}`);
    else if (right.some(({ text }) => isPercentage(text)))
      this.#refuse(first, isDate(first.text) ? DATE : 'is neither a weight nor a zone');
    else for (const cell of label === undefined ? right : [label, ...right]) this.#note(cell, 'not read', false);
  }

  get #known(): string {
    const axis = this.#across === 'zones' ? 'zones (2, 2-8, Zone 2, All zones)' : 'weights (1-5 lb, 31+)';
    return `${axis}, residential or commercial, nor a service of --service (${this.#keys.services.join(', ')})`;
  }

  /** Makes columns from the rows of headers. A header also applies to the empty cells to its right. */
  #makeColumns(width: number): readonly Columns[] {
    const columns: { from: number; to: number; meaning: Meaning }[] = [];
    const last: Meaning[] = this.#heads.map(() => ({}));
    for (let column = this.#label + 1; column < width; column++) {
      let isOwn = false;
      for (const [index, row] of this.#heads.entries()) {
        const cell = row.cells[column];
        if (cell === undefined || cell.column !== column) continue;
        const meaning = must(this.#meaningIn(cell.text, this.#across), 'what a header says');
        last[index] = meaning;
        isOwn = true;
        if (cell.row === row.number) this.#check(cell, meaning);
        const others = last.slice(0, index).map(axisText);
        const own = axisText(meaning);
        if (own !== undefined && others.some((other) => other !== undefined && other !== own))
          this.#refuse(cell, 'a header above it says something else');
      }
      const before = columns.at(-1);
      if (isOwn) columns.push({ from: column, to: column, meaning: Object.assign({}, ...last) });
      else if (before !== undefined) before.to = column;
    }
    return columns;
  }

  /** Completes the headers and titles above a row of percentages. */
  #begin({ cells }: GridRow): void {
    const { meaning, doubtful } = this.#titles ?? { meaning: {} };
    if (doubtful !== undefined && this.#keys.address === undefined)
      this.#refuse(doubtful, 'may name the addresses that the grid applies to: state them with --address');
    if (this.#heads.length > 0) {
      const width = Math.max(cells.length, ...this.#heads.map((head) => head.cells.length));
      this.#columns = this.#makeColumns(width);
      this.#left.clear();
      this.#section = meaning;
      this.#heads = [];
    } else if (Object.keys(meaning).length > 0) this.#section = meaning;
    this.#titles = undefined;
  }

  #takeBody(row: GridRow, label: GridCell, axis: Meaning): void {
    this.#begin(row);
    if (this.#columns.length === 0) {
      this.#refuse(label, `has no row of headers above it: ${this.#known}`);
      return;
    }
    const beside: Meaning = { ...this.#besides(row), ...axis };
    const covered = new Set<GridCell>();
    for (const { from, to, meaning } of this.#columns) {
      const cells = row.cells.slice(from, to + 1).filter((cell) => cell !== undefined);
      for (const cell of cells) covered.add(cell);
      const [first, ...others] = cells;
      if (first === undefined) continue;
      const other = others.find(({ text }) => text !== first.text);
      if (other !== undefined) this.#refuse(other, 'has no header above it');
      this.#takePercent(first, { ...this.#section, ...meaning, ...beside });
    }
    for (const cell of rightOf(row, this.#label)) if (!covered.has(cell)) this.#refuse(cell, 'has no header above it');
  }

  /** The meaning of the cells to the left of a label, or of the cells above those. */
  #besides({ cells, number }: GridRow): Meaning {
    for (const cell of cells.slice(0, this.#label)) {
      if (cell === undefined || cell.row !== number) continue;
      const meaning = this.#meaningIn(cell.text);
      if (meaning === undefined) this.#refuse(cell, 'is neither residential or commercial nor a service');
      else {
        this.#left.set(cell.column, meaning);
        this.#check(cell, meaning);
      }
    }
    return Object.assign({}, ...this.#left.values());
  }

  #takePercent(cell: GridCell, meaning: Meaning): void {
    const read = percentIn(cell.text);
    const { address = this.#keys.address, service } = meaning;
    if (read === null || (service !== undefined && !this.#keys.services.includes(service))) return;
    if ('problem' in read) this.#refuse(cell, read.problem);
    else this.cells.push({ meaning: { ...meaning, ...present({ address }) }, percent: read.percent, cell });
  }
}
