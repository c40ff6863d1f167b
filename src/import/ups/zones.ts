/**
 * UPS zone charts. The preamble names the origins. Then a row for each destination ZIP3 has a zone for each service. Each service
 * has its own zone numbers: ground zone 2 (`002`) is `302` for 3 Day Select and `102` for Next Day Air. `-` is no service. Alaska
 * and Hawaii have no rows. Footnotes give zones to lists of their ZIP5s.
 */
import { must } from '../../base/must.ts';
import type { ZoneChart } from '../../catalog/tariff/document.ts';
import { Findings, NO_TABLES, type ParsedChart, type ParsedFile, RefusedFile } from '../read/reader.ts';
import { type Cell, cellAddress, isBlank, plainText, type Sheet, type SheetRow, shownText } from '../read/xlsx.ts';

/** UPS Simple Rate, for packages up to this weight. `rates.ts` reads it. */
export const SIMPLE_RATE = 'UPS-SIMPLE';
export const SIMPLE_RATE_LB = 50;

/**
 * UPS's services. `added` may follow the name in a sheet of rates. `days` are the business days promised by the name. A service
 * with `zones` has a column in charts, and its zones there are in this range.
 */
export const UPS_SERVICES: readonly {
  readonly code: string;
  readonly name: string;
  readonly added?: string;
  readonly days?: number;
  readonly zones?: readonly [from: number, to: number];
}[] = [
  { code: 'UPS-GROUND', name: 'Ground', added: ' Commercial', zones: [2, 99] },
  { code: 'UPS-3DAY', name: '3 Day Select', days: 3, zones: [302, 399] },
  { code: 'UPS-2DAY', name: '2nd Day Air', days: 2, zones: [202, 239] },
  { code: 'UPS-2DAYAM', name: '2nd Day Air A.M.', days: 2, zones: [242, 259] },
  { code: 'UPS-NDASVR', name: 'Next Day Air Saver', days: 1, zones: [132, 159] },
  { code: 'UPS-NDA', name: 'Next Day Air', days: 1, zones: [102, 131] },
  { code: 'UPS-NDAEAM', name: 'Next Day Air Early', added: ' A.M.', days: 1 },
];

/** A name for comparisons: case and the periods of `A.M.` do not matter. */
export const spelled = (name: string): string => name.toLowerCase().replace(/\ba\.?m\.?$/, 'am');

/** Whether a text is the name of a service in a chart. */
const isNamed = (text: string, name: string): boolean =>
  [name, `UPS ${name}`].some((one) => spelled(one) === spelled(text));

/** Next Day Air Early and Simple Rate have no column in UPS's charts. */
export const UPS_SHARED_COLUMNS: ParsedChart['columnOf'] = {
  'UPS-NDAEAM': 'UPS-NDA',
  [SIMPLE_RATE]: 'UPS-GROUND',
};

const DESTINATION = /^dest(?:ination|\.)? ?zip(?: codes?)?$/i;
const ORIGIN = /originating in ZIP Codes? (\d{3})-?(\d{2}) (?:to|through|-) (\d{3})-?(\d{2})/i;
const NONE = /^(?:-+|–)$/;
const FOOTNOTE_MARK = / ?\[\d+\]$/;
const LISTED = /\bZone (\d{1,3}) for /gi;
const SERVICE_END = /[,.:;]|\band\b/i;

/** Whether a sheet is a zone chart. */
export const isUpsZones = ({ rows }: Sheet): boolean =>
  rows.some(({ cells }) => cells.some((cell) => DESTINATION.test(plainText(cell)))) &&
  rows.some(({ cells }) => cells.some((cell) => ORIGIN.test(plainText(cell))));

/** Parses `100-01 to 100-99` as ZIP3 `100`, `010-01 to 013-99` as `010-013`. Parts of a ZIP3 become ranges of ZIP5s. */
const originOf = ({ name, rows }: Sheet): string => {
  for (const { cells } of rows)
    for (const cell of cells) {
      const [, fromZip3 = '', fromRest = '', toZip3 = '', toRest = ''] = ORIGIN.exec(plainText(cell)) ?? [];
      if (fromZip3 === '') continue;
      if (Number(fromRest) <= 1 && toRest === '99') return fromZip3 === toZip3 ? fromZip3 : `${fromZip3}-${toZip3}`;
      return `${fromZip3}${fromRest}-${toZip3}${toRest}`;
    }
  throw new RefusedFile(`sheet ${name} does not state its origin`);
};

/** The header row, the sheet columns of the destinations and of the services, and the headings of other services. */
const headerOf = ({ name, rows }: Sheet) => {
  for (const { number, cells } of rows) {
    const destinations = cells.findIndex((cell) => DESTINATION.test(plainText(cell)));
    if (destinations === -1) continue;
    const places = UPS_SERVICES.flatMap(({ code, name, zones }) => {
      const at = zones === undefined ? -1 : cells.findIndex((cell) => isNamed(plainText(cell), name));
      return at === -1 ? [] : [{ column: code, at }];
    });
    const known = [destinations, ...places.map(({ at }) => at)];
    const others = cells.map(plainText).filter((text, at) => text !== '' && !known.includes(at));
    if (places.length > 0) return { row: number, destinations, places, others };
  }
  throw new RefusedFile(`sheet ${name} has no column of a service`);
};

type Header = ReturnType<typeof headerOf>;

/** Parses `002` as `2`, `-` as no service; undefined if the cell is not a zone of the column. */
const zoneIn = (cell: Cell | undefined, column: string): string | undefined => {
  const marked = shownText(cell).trim();
  const text = marked.replace(FOOTNOTE_MARK, '');
  // A footnote mark without a zone means that the footnote's lists give the zones.
  if (NONE.test(text) || (text === '' && marked !== '')) return '';
  if (!/^\d{1,3}$/.test(text)) return undefined;
  const service = UPS_SERVICES.find(({ code }) => code === column);
  const [from, to] = must(service?.zones, `the zones of ${column}`);
  return Number(text) >= from && Number(text) <= to ? String(Number(text)) : undefined;
};

/** Parses a ZIP3 or a range of them. A spreadsheet may have turned a ZIP3 into a number. Drops a footnote mark at the end. */
const destinationIn = (cell: Cell | undefined): string | undefined => {
  const text = typeof cell === 'number' ? String(cell).padStart(3, '0') : plainText(cell).replace(FOOTNOTE_MARK, '');
  return /^\d{3}(?: ?- ?\d{3})?$/.test(text) ? text.replace(/ /g, '') : undefined;
};

const zip5In = (cell: Cell | undefined): string | undefined => {
  const text = typeof cell === 'number' ? String(cell).padStart(5, '0') : plainText(cell);
  return /^\d{5}$/.test(text) ? text : undefined;
};

/** Parses `Zone 44 for Ground and Zone 224 for 2nd Day Air A.M.` into zones with services. */
const listings = (text: string): { zone: string; service: string }[] => {
  const plain = text.replaceAll(/\bA\.M\.?/gi, 'AM');
  const heads = [...plain.matchAll(LISTED)];
  return heads.map((head, at) => {
    const rest = plain.slice(head.index + head[0].length, heads[at + 1]?.index);
    const end = rest.search(SERVICE_END);
    return { zone: must(head[1], 'a zone of a footnote'), service: (end === -1 ? rest : rest.slice(0, end)).trim() };
  });
};

/** The zones that a footnote gives to its list, parallel to `places`; undefined if the text gives none. */
const listedZones = (text: string, { places }: Header): string[] | undefined => {
  const zones = places.map(() => '');
  let known = 0;
  for (const { zone, service } of listings(text)) {
    const place = places.findIndex(({ column }) =>
      UPS_SERVICES.some(({ code, name }) => code === column && isNamed(service, name)),
    );
    const column = places[place]?.column;
    const read = column === undefined ? undefined : zoneIn(zone, column);
    if (place === -1 || read === undefined) return undefined;
    zones[place] = read;
    known++;
  }
  return known > 0 ? zones : undefined;
};

type Row = ZoneChart['rows'][number];

interface Chart {
  readonly sheet: string;
  readonly origin: string;
  readonly header: Header;
  readonly rows: Row[];
  readonly byDestination: Map<string, Row>;
  readonly findings: Findings;
}

const add = (chart: Chart, destination: string, zones: readonly string[], address: string): void => {
  const before = chart.byDestination.get(destination);
  const row = { origin: chart.origin, destination, zones };
  if (before === undefined) {
    chart.byDestination.set(destination, row);
    chart.rows.push(row);
  } else if (before.zones.join() !== zones.join())
    chart.findings.refuse(`sheet ${chart.sheet}, cell ${address}`, destination, 'is there twice, with different zones');
};

const readDestination = (chart: Chart, { number, cells }: SheetRow, destination: string): void => {
  const zones = chart.header.places.map(({ column, at }) => {
    const zone = zoneIn(cells[at], column);
    const place = `sheet ${chart.sheet}, cell ${cellAddress(number, at)} (row ${destination}, column ${column})`;
    const problem = isBlank(cells[at]) ? 'empty' : 'not a zone of this service';
    if (zone === undefined) chart.findings.refuse(place, shownText(cells[at]), problem);
    return zone;
  });
  if (zones.every((zone) => zone !== undefined))
    add(chart, destination, zones, cellAddress(number, chart.header.destinations));
};

/** Reads one row of a footnote's list, with a ZIP5 in each cell. */
const readList = (chart: Chart, { number, cells }: SheetRow, zones: readonly string[]): void => {
  cells.forEach((cell, at) => {
    if (isBlank(cell)) return;
    const zip = zip5In(cell);
    const address = cellAddress(number, at);
    if (zip === undefined)
      chart.findings.refuse(`sheet ${chart.sheet}, cell ${address}`, shownText(cell), 'not a ZIP5');
    else add(chart, zip, zones, address);
  });
};

const readChart = (sheet: Sheet, findings: Findings): Chart => {
  const header = headerOf(sheet);
  const collected = { rows: [], byDestination: new Map(), findings };
  const chart: Chart = { sheet: sheet.name, origin: originOf(sheet), header, ...collected };
  findings.notes.push(...header.others.map((title) => `Column ${title} is not a known service, skipped`));
  let listed: readonly string[] | undefined;
  for (const row of sheet.rows) {
    if (row.number <= header.row || row.cells.every(isBlank)) continue;
    const first = row.cells.find((cell) => !isBlank(cell));
    if (listed !== undefined && zip5In(first) !== undefined) {
      readList(chart, row, listed);
      continue;
    }
    listed = undefined;
    const destination = destinationIn(row.cells[header.destinations]);
    if (destination !== undefined) {
      readDestination(chart, row, destination);
      continue;
    }
    const text = plainText(first);
    listed = listedZones(text, header);
    if (listed !== undefined) continue;
    const isNote = /[a-z]{3}/i.test(text) && !/\bZone \d/i.test(text);
    const problem = 'neither a destination nor a footnote that gives zones';
    if (isNote) findings.notes.push(text);
    else findings.refuse(`sheet ${chart.sheet}, row ${row.number}`, shownText(first), problem);
  }
  return chart;
};

/** Reads sheets that are zone charts. */
export const readUpsZones = (sheets: readonly Sheet[]): ParsedFile => {
  const findings = new Findings();
  const charts = sheets.map((sheet): ParsedChart => {
    const { header, origin, rows } = readChart(sheet, findings);
    const columns = header.places.map(({ column }) => column);
    const shared = Object.entries(UPS_SHARED_COLUMNS).filter(([, column]) => columns.includes(column));
    const columnOf = Object.fromEntries([...columns.map((column) => [column, column]), ...shared]);
    return { carrier: 'UPS', origin, statesOrigin: true, chart: { columns, rows }, columnOf };
  });
  return { kind: 'UPS zone chart (XLSX)', ...NO_TABLES, charts, ...findings };
};
