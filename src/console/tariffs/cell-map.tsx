/**
 * The United States by the first three digits of ZIP codes, in colored groups. The legend has the numbers. The text below shows
 * what is under the pointer. A field finds a ZIP code. A table has everything for people who do not see the map.
 */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { TextField } from '../ui/controls.tsx';
import { Folded } from '../ui/feedback.tsx';
import { zipRanges } from '../ui/format.ts';
import { Rows } from '../ui/kit.tsx';
import { PLACES, STATE_NAMES } from './map.ts';
import { type Cell, cellsOf, insets, MAP_HEIGHT, MAP_WIDTH, nearestTo } from './map-geometry.ts';

export interface CellGroup {
  /** Unique. */
  readonly name: string;
  /** A color for SVG. */
  readonly color: string;
  readonly holds: (zip3: string) => boolean;
}

const CELLS = cellsOf(PLACES.map(([zip3, x, y]) => ({ zip3, x, y })));

interface CellMapProps {
  /** A ZIP3 belongs to the first group that contains it. */
  readonly groups: readonly CellGroup[];
  /** The ZIP3 of the origin. */
  readonly origin: string;
  /** What the map shows, for people who do not see it. */
  readonly label: string;
  /** The text for a ZIP3, in lower case: `zone 5`. */
  readonly describe: (zip3: string) => string;
  readonly lookup: string;
  /** Titles of the table and of its first column. */
  readonly table: { readonly title: string; readonly group: string };
  readonly hint: ComponentChildren;
}

/** The groups with their cells. */
const groupsOf = (groups: readonly CellGroup[]) => {
  const groupOf = new Map(CELLS.map((cell) => [cell, groups.find(({ holds }) => holds(cell.zip3))]));
  return groups
    .map((group) => ({ ...group, cells: CELLS.filter((cell) => groupOf.get(cell) === group) }))
    .filter((group) => group.cells.length > 0);
};

/** The position of a pointer in map units. */
const placeUnder = (event: PointerEvent, svg: SVGSVGElement) => {
  const { left, top, width, height } = svg.getBoundingClientRect();
  return {
    x: ((event.clientX - left) / width) * MAP_WIDTH,
    y: ((event.clientY - top) / height) * MAP_HEIGHT,
  };
};

const cellAt = (zip3: string): Cell | undefined => CELLS.find((cell) => cell.zip3 === zip3);

interface DrawingProps extends Pick<CellMapProps, 'origin' | 'label'> {
  readonly groups: ReturnType<typeof groupsOf>;
  readonly marked: Cell | undefined;
  readonly onPoint: (cell: Cell | undefined) => void;
}

const Drawing = ({ origin: from, label, groups, marked, onPoint }: DrawingProps) => {
  const origin = cellAt(from);
  const point = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }): void =>
    onPoint(nearestTo(CELLS, placeUnder(event, event.currentTarget)));
  const summary = groups.map(({ name, cells: own }) => `${name}: ${own.length}`).join(', ');
  return (
    <svg
      class="zone-map"
      viewBox={`0 0 ${MAP_WIDTH} ${MAP_HEIGHT}`}
      role="img"
      aria-label={`${label}, number of three-digit ZIP codes in each: ${summary}. The table below lists them.`}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={({ pointerType }) => {
        // Lifting a finger also counts as leaving, but the user is still reading.
        if (pointerType !== 'touch') onPoint(undefined);
      }}
    >
      {groups.map(({ name, color, cells: own }) => (
        <path key={name} fill={color} d={own.map(({ path }) => path).join('')} />
      ))}
      {STATE_NAMES.map(([name, x, y]) => (
        <text key={name} class="zone-state" x={x} y={y}>
          {name}
        </text>
      ))}
      {insets.map(({ name, label: place }) => (
        <text key={name} x={place.x} y={place.y}>
          {name}
        </text>
      ))}
      {marked === undefined ? null : <path d={marked.path} fill="none" stroke="var(--ink)" stroke-width="25" />}
      {origin === undefined ? null : (
        <g>
          <circle cx={origin.x} cy={origin.y} r="90" fill="none" stroke="var(--bad)" stroke-width="25" />
          <circle cx={origin.x} cy={origin.y} r="30" fill="var(--bad)" />
        </g>
      )}
    </svg>
  );
};

export const CellMap = ({ groups: wanted, origin, label, describe, lookup, table, hint }: CellMapProps) => {
  const groups = useMemo(() => groupsOf(wanted), [wanted]);
  const [pointed, setPointed] = useState<Cell>();
  const [zip, setZip] = useState('');
  const digits = zip.replace(/\D/g, '').slice(0, 3);
  const found = cellAt(digits);
  const marked = pointed ?? found;
  const textOf = ({ zip3 }: Cell): string => `ZIP codes ${zip3}..: ${describe(zip3)}`;
  const none = digits.length === 3 ? `No ZIP code begins with ${digits}.` : 'Enter at least three digits.';
  return (
    <>
      <div class="zone-figure">
        <div>
          <Drawing origin={origin} label={label} groups={groups} marked={marked} onPoint={setPointed} />
          <p class="hint" aria-hidden="true">
            {marked === undefined ? 'Hover or tap to see a zone.' : textOf(marked)}
          </p>
        </div>
        <div class="stack">
          {/* Finds a ZIP code without a pointer. */}
          <div class="stack small">
            <TextField label={lookup} inputMode="numeric" autocomplete="off" value={zip} onChange={setZip} />
            <p class="hint" role="status">
              {found === undefined ? none : textOf(found)}
            </p>
          </div>
          <ul class="plain stack zone-legend">
            <li class="hint">ZIP prefixes</li>
            {groups.map(({ name, color, cells }) => (
              <li key={name}>
                <svg width="16" height="16" aria-hidden="true" focusable="false">
                  <rect fill={color} width="16" height="16" rx="2" />
                </svg>
                <span>{name}</span>
                <span class="hint">{cells.length}</span>
              </li>
            ))}
            <li>
              <span class="tone bad" aria-hidden="true">
                ◉
              </span>
              <span>Ships from {origin}xx</span>
            </li>
          </ul>
          <p class="hint">Each cell is the ZIP codes with the same first three digits.{hint}</p>
        </div>
      </div>
      <Folded title={table.title}>
        <Rows
          caption="First three digits of the ZIP codes of each group"
          of={groups}
          keyOf={({ name }) => name}
          cols={[
            [table.group, ({ name }) => <span class="nowrap">{name}</span>, 'head'],
            ['ZIP prefixes', ({ cells }) => cells.length, 'number'],
            ['First three digits of the ZIP code', ({ cells }) => zipRanges(cells.map(({ zip3 }) => zip3))],
          ]}
        />
      </Folded>
    </>
  );
};
