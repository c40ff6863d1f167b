/**
 * Compiles zone charts and distances into flat tables for the core. An origin has 1,000 bytes, one for each destination
 * ZIP3, and 100 bytes for each ZIP3 whose ZIP5s differ.
 *
 * Several rows of a chart may contain a lane. The row whose origin has the fewest ZIP codes applies. Among these, the row
 * whose destination has the fewest applies. Therefore a ZIP5 wins over its ZIP3, and a ZIP3 over a range. Destinations
 * that a narrow origin does not list are read from the wider origin around it.
 *
 * A row for all origins (`000-999`) applies everywhere, but does not give an origin a chart. If a tariff has distances, an
 * origin without other rows gets its zones from them. Rows for all origins win over distances, for example for Alaska and
 * Hawaii.
 */
import { getOrMake, grouped } from '../../base/maps.ts';
import { missing, must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import { ESTIMATED, NO_COLUMN, type OriginZones, type ZoneSource, type ZoneTable } from '../../rating/card.ts';
import { bandOf, milesBetween } from './distance.ts';
import type { ZoneChart } from './document.ts';
import { contains, countOf, ZIP3S, ZIP5S, ZIP5S_PER_ZIP3, type ZipRange, zipRangeOf, zipText } from './zip.ts';

type ChartRow = ZoneChart['rows'][number];

/** The rows of an origin range, widest destination first. */
export interface OriginGroup {
  readonly from: ZipRange;
  readonly rows: readonly { readonly row: ChartRow; readonly to: ZipRange }[];
}

/** Zones by distance: upper bounds in miles, and the card's column for each band. */
export interface Distances {
  readonly boundsMiles: readonly number[];
  readonly columns: readonly number[];
}

export interface ZoneRules {
  /** `columnOf` converts a row's zones to an index of the card's columns, or to `NO_COLUMN` for no service. */
  readonly chart?: {
    readonly name: string;
    readonly groups: readonly OriginGroup[];
    readonly columnOf: (zones: readonly string[]) => number;
    /** See `ZoneSource`. */
    readonly chartDate?: string;
  };
  readonly distances?: Distances;
  /** Destinations without service. They win over charts and distances. */
  readonly notServed: readonly string[];
}

interface OriginRow {
  readonly byZip3: Uint8Array;
  /** Present if the ZIP5s of a ZIP3 differ. */
  readonly split?: {
    /** The number of a ZIP3's 100 bytes in `columns`, from 1. 0 if all its ZIP5s have the column in `byZip3`. */
    readonly hundredOf: Uint16Array;
    readonly columns: Uint8Array;
  };
}

const EVERYWHERE: ZipRange = zipRangeOf('000-999');
const isEverywhere = (range: ZipRange): boolean => contains(range, EVERYWHERE);

const columnIn = ({ byZip3, split }: OriginRow, destination: number): number => {
  const zip3 = (destination / ZIP5S_PER_ZIP3) | 0;
  const hundred = split === undefined ? 0 : (split.hundredOf[zip3] ?? missing('the split of a ZIP3'));
  if (split === undefined || hundred === 0) return byZip3[zip3] ?? missing('the zone of a ZIP3');
  return (
    split.columns[(hundred - 1) * ZIP5S_PER_ZIP3 + (destination % ZIP5S_PER_ZIP3)] ?? missing('the zone of a ZIP5')
  );
};

/** Assigns zones to destinations, with later ones overwriting earlier ones, and packs the result. */
class Canvas {
  readonly #byZip5 = new Uint8Array(ZIP5S).fill(NO_COLUMN);

  paint({ from, to }: ZipRange, column: number): void {
    this.#byZip5.fill(column, from, to + 1);
  }

  pack(): OriginRow {
    const byZip3 = new Uint8Array(ZIP3S);
    const hundreds: Uint8Array[] = [];
    const hundredOf = new Uint16Array(ZIP3S);
    for (let zip3 = 0; zip3 < ZIP3S; zip3++) {
      const hundred = this.#byZip5.subarray(zip3 * ZIP5S_PER_ZIP3, (zip3 + 1) * ZIP5S_PER_ZIP3);
      const first = must(hundred[0], 'the first ZIP5 of a ZIP3');
      byZip3[zip3] = first;
      if (hundred.every((column) => column === first)) continue;
      hundredOf[zip3] = hundreds.push(hundred.slice());
    }
    if (hundreds.length === 0) return { byZip3 };
    const columns = new Uint8Array(hundreds.length * ZIP5S_PER_ZIP3);
    for (const [index, hundred] of hundreds.entries()) columns.set(hundred, index * ZIP5S_PER_ZIP3);
    return { byZip3, split: { hundredOf, columns } };
  }
}

/** A chart's rows by origin, widest origin first. All services with the chart share them. */
export const groupsOf = ({ rows }: ZoneChart): OriginGroup[] => {
  const ranged = rows.map((row) => ({ row, to: zipRangeOf(row.destination) }));
  return [...grouped(ranged, ({ row }) => row.origin)]
    .map(([origin, group]) => ({
      from: zipRangeOf(origin),
      rows: group.sort((a, b) => countOf(b.to) - countOf(a.to)),
    }))
    .sort((a, b) => countOf(b.from) - countOf(a.from));
};

/** @param mark added to each column: `ESTIMATED` or 0 */
const paintDistances = (canvas: Canvas, origin: number, { boundsMiles, columns }: Distances, mark: number): void => {
  const originZip3 = (origin / ZIP5S_PER_ZIP3) | 0;
  for (let zip3 = 0; zip3 < ZIP3S; zip3++) {
    const miles = milesBetween(originZip3, zip3);
    if (Number.isNaN(miles)) continue;
    const column = must(columns[bandOf(miles, boundsMiles)], 'the column of a distance band');
    if (column !== NO_COLUMN) canvas.paint(zipRangeOf(zipText(zip3, 3)), column + mark);
  }
};

/**
 * Compiles the zones of a service. Creates an origin's row at its first shipment and keeps it: a client ships from a few
 * warehouses, but a carrier's charts cover the country.
 */
export const compileZones = ({ chart, distances, notServed }: ZoneRules): ZoneTable => {
  const groups = chart?.groups ?? [];
  const columnOfRow = chart?.columnOf ?? (() => NO_COLUMN);
  // Without a chart, the tariff defines zones by distance, so they are not estimates.
  const mark = chart === undefined ? 0 : ESTIMATED;
  const unreached = notServed.map(zipRangeOf);
  // Origins in one ZIP3 share a row, unless an origin range begins or ends within the ZIP3. Then each ZIP5 has a row.
  const isSplit = new Uint8Array(ZIP3S);
  for (const { from } of groups) {
    if (from.from % ZIP5S_PER_ZIP3 !== 0) isSplit[(from.from / ZIP5S_PER_ZIP3) | 0] = 1;
    if ((from.to + 1) % ZIP5S_PER_ZIP3 !== 0) isSplit[(from.to / ZIP5S_PER_ZIP3) | 0] = 1;
  }
  const rows: (OriginRow | undefined)[] = new Array(ZIP3S).fill(undefined);
  const zip5Rows = new Map<number, OriginRow>();
  const shared = new Map<string, OriginRow>();

  const groupsAt = (origin: number): OriginGroup[] =>
    groups.filter(({ from }) => contains(from, { from: origin, to: origin }));
  const isByDistance = (own: readonly OriginGroup[]): boolean =>
    distances !== undefined && own.every(({ from }) => isEverywhere(from));

  const rowOf = (origin: number): OriginRow => {
    const own = groupsAt(origin);
    const byDistance = isByDistance(own);
    const key = `${byDistance ? (origin / ZIP5S_PER_ZIP3) | 0 : ''}/${own.map((group) => groups.indexOf(group)).join()}`;
    return getOrMake(shared, key, () => {
      const canvas = new Canvas();
      if (byDistance && distances !== undefined) paintDistances(canvas, origin, distances, mark);
      for (const group of own) for (const { row, to } of group.rows) canvas.paint(to, columnOfRow(row.zones));
      for (const range of unreached) canvas.paint(range, NO_COLUMN);
      return canvas.pack();
    });
  };

  const laneOf = (origin: number, destination: number): number => {
    const zip3 = (origin / ZIP5S_PER_ZIP3) | 0;
    if (isSplit[zip3] === 1) {
      let row = zip5Rows.get(origin);
      if (row === undefined) {
        row = rowOf(origin);
        zip5Rows.set(origin, row);
      }
      return columnIn(row, destination);
    }
    let row = rows[zip3];
    if (row === undefined) {
      row = rowOf(origin);
      rows[zip3] = row;
    }
    return columnIn(row, destination);
  };

  const columnOf = (origin: number, destination: number): number => {
    const lane = laneOf(origin, destination);
    return lane === NO_COLUMN || lane < ESTIMATED ? lane : lane - ESTIMATED;
  };

  const originOf = (origin: number): OriginZones => {
    const { byZip3, split } = rowOf(origin);
    const isNone = (lanes: Uint8Array): boolean => lanes.every((lane) => lane === NO_COLUMN);
    if (isNone(byZip3) && (split === undefined || isNone(split.columns))) return 'unreached';
    return mark !== 0 && isByDistance(groupsAt(origin)) ? 'estimated' : 'charted';
  };

  const sourceOf = (origin: number, destination: number): ZoneSource => {
    const at = { from: destination, to: destination };
    const own = groupsAt(origin);
    for (const { rows: candidates } of own.toReversed()) {
      const row = candidates.findLast(({ to }) => contains(to, at))?.row;
      if (row !== undefined)
        return {
          chart: must(chart, 'the chart of a row').name,
          origin: row.origin,
          destination: row.destination,
          estimated: false,
          ...present({ chartDate: chart?.chartDate }),
        };
    }
    const zip3Of = (zip5: number): string => zipText((zip5 / ZIP5S_PER_ZIP3) | 0, 3);
    return { chart: 'distance', origin: zip3Of(origin), destination: zip3Of(destination), estimated: mark !== 0 };
  };

  return { laneOf, columnOf, originOf, sourceOf };
};
