/**
 * The United States by the first three digits of ZIP codes, colored by the zone from a warehouse. The legend has the numbers, the
 * zone under the pointer is shown as text, and a field finds the zone of a ZIP code.
 */

import { useMemo, useState } from 'preact/hooks';
import type { CentroidsBody, ZonesBody } from '../calls.ts';
import { TextField } from '../ui/controls.tsx';
import { counted, zipRanges } from '../ui/format.ts';
import { type Cell, cellsOf, insets, MAP_HEIGHT, MAP_WIDTH, nearestTo, placeOf, type Site } from './map-geometry.ts';

interface ZoneMapProps {
  readonly centroids: CentroidsBody;
  readonly zones: ZonesBody;
  /** The origin of the zones as text. */
  readonly from: string;
}

interface ZoneGroup {
  readonly zone: string | undefined;
  readonly cells: readonly Cell[];
}

const ZONES = ['1', '2', '3', '4', '5', '6', '7', '8'];

const groupsOf = (cells: readonly Cell[], zones: ZonesBody['zones']): readonly ZoneGroup[] =>
  [...ZONES, undefined]
    .map((zone) => ({ zone, cells: cells.filter(({ zip3 }) => zones[zip3] === zone) }))
    .filter((group) => group.cells.length > 0);

const classOf = (zone: string | undefined): string => (zone === undefined ? 'zone-none' : `zone-${zone}`);
const nameOf = (zone: string | undefined): string => (zone === undefined ? 'Not served' : `Zone ${zone}`);

const zoneOf = (zip3: string, zones: ZonesBody): string =>
  `ZIP codes ${zip3}..: ${nameOf(zones.zones[zip3]).toLowerCase()}`;

/** The position of a pointer in map units. */
const placeUnder = (event: PointerEvent, svg: SVGSVGElement) => {
  const { left, top, width, height } = svg.getBoundingClientRect();
  return {
    x: ((event.clientX - left) / width) * MAP_WIDTH,
    y: ((event.clientY - top) / height) * MAP_HEIGHT,
  };
};

interface DrawingProps extends ZoneMapProps {
  readonly cells: readonly Cell[];
  readonly groups: readonly ZoneGroup[];
  readonly marked: Site | undefined;
  readonly onPoint: (site: Site | undefined) => void;
}

const Drawing = ({ zones, from, cells, groups, marked, onPoint }: DrawingProps) => {
  const origin = cells.find(({ zip3 }) => zip3 === zones.origin.zip3);
  const outline = cells.find(({ zip3 }) => zip3 === marked?.zip3);
  const point = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }): void =>
    onPoint(nearestTo(cells, placeUnder(event, event.currentTarget)));
  const summary = groups.map((group) => `${nameOf(group.zone)}: ${group.cells.length}`).join(', ');
  return (
    <svg
      class="zone-map"
      viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
      role="img"
      aria-label={`Zones from ${from}, number of three-digit ZIP codes in each: ${summary}. The table below lists them.`}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={({ pointerType }) => {
        // Lifting a finger also counts as leaving, but the user still reads.
        if (pointerType !== 'touch') onPoint(undefined);
      }}
    >
      {groups.map(({ zone, cells: own }) => (
        <path key={zone ?? ''} class={classOf(zone)} d={own.map(({ path }) => path).join('')} />
      ))}
      {insets.map(({ name, label }) => (
        <text key={name} class="inset-name" x={label.x} y={label.y}>
          {name}
        </text>
      ))}
      {outline === undefined ? null : <path class="zone-marked" d={outline.path} />}
      {origin === undefined ? null : (
        <g class="zone-origin">
          <circle cx={origin.x} cy={origin.y} r="9" />
          <circle cx={origin.x} cy={origin.y} r="3" />
        </g>
      )}
    </svg>
  );
};

const Legend = ({ groups }: { readonly groups: readonly ZoneGroup[] }) => (
  <ul class="zone-legend">
    {groups.map(({ zone, cells }) => (
      <li key={zone ?? ''}>
        <svg width="16" height="16" aria-hidden="true" focusable="false">
          <rect class={classOf(zone)} width="16" height="16" rx="2" />
        </svg>
        <span>{nameOf(zone)}</span>
        <span class="zone-count">{cells.length}</span>
      </li>
    ))}
  </ul>
);

interface LookupProps {
  readonly zones: ZonesBody;
  readonly cells: readonly Cell[];
  readonly onFind: (site: Site | undefined) => void;
}

/** Finds the zone of a ZIP code without a pointer. */
const Lookup = ({ zones, cells, onFind }: LookupProps) => {
  const [zip, setZip] = useState('');
  const digits = zip.replace(/\D/g, '').slice(0, 3);
  const site = digits.length === 3 ? cells.find(({ zip3 }) => zip3 === digits) : undefined;
  let answer = 'Enter at least three digits.';
  if (digits.length === 3) answer = site === undefined ? `No ZIP code begins with ${digits}.` : zoneOf(digits, zones);
  const change = (text: string): void => {
    setZip(text);
    const typed = text.replace(/\D/g, '').slice(0, 3);
    onFind(cells.find(({ zip3 }) => zip3 === typed));
  };
  return (
    <div class="zone-lookup">
      <TextField label="Zone of a ZIP code" inputMode="numeric" autocomplete="off" value={zip} onChange={change} />
      <p role="status">{answer}</p>
    </div>
  );
};

const ZoneTable = ({ groups }: { readonly groups: readonly ZoneGroup[] }) => (
  <details class="zone-table">
    <summary>All ZIP codes by zone, as a table</summary>
    <table class="table">
      <caption class="visually-hidden">First three digits of the ZIP codes of each zone</caption>
      <thead>
        <tr>
          <th scope="col">Zone</th>
          <th scope="col" class="numeric">
            ZIP3s
          </th>
          <th scope="col">First three digits of the ZIP code</th>
        </tr>
      </thead>
      <tbody>
        {groups.map(({ zone, cells }) => (
          <tr key={zone ?? ''}>
            <th scope="row">{nameOf(zone)}</th>
            <td class="numeric">{cells.length}</td>
            <td>{zipRanges(cells.map(({ zip3 }) => zip3))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);

export const ZoneMap = (props: ZoneMapProps) => {
  const { centroids, zones } = props;
  const cells = useMemo(
    () => cellsOf(Object.entries(centroids).map(([zip3, [lat, lon]]) => ({ zip3, ...placeOf(zip3, lat, lon) }))),
    [centroids],
  );
  const groups = useMemo(() => groupsOf(cells, zones.zones), [cells, zones]);
  const [pointed, setPointed] = useState<Site>();
  const [found, setFound] = useState<Site>();
  const marked = pointed ?? found;
  return (
    <>
      <div class="zone-figure">
        <div>
          <Drawing {...props} cells={cells} groups={groups} marked={marked} onPoint={setPointed} />
          <p class="zone-pointed" aria-hidden="true">
            {marked === undefined ? 'Point at the map or touch it to see a zone.' : zoneOf(marked.zip3, zones)}
          </p>
        </div>
        <div class="stack">
          <Lookup zones={zones} cells={cells} onFind={setFound} />
          <Legend groups={groups} />
          <p class="hint">
            Each cell is the ZIP codes with the same first three digits.
            {zones.exceptions === 0
              ? ''
              : ` ${counted(zones.exceptions, 'cell has', 'cells have')} ZIP codes in other zones too. A quote uses the exact zone.`}
            {zones.estimated ? ' Zones are estimated by distance, because this warehouse has no chart.' : ''}
          </p>
        </div>
      </div>
      <ZoneTable groups={groups} />
    </>
  );
};
