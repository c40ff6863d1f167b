/** The zones of a service by ZIP3, the states of each rate column, and zone differences between two tariffs. */
import { grouped, mostCommon } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { type Card, NO_COLUMN } from '../../rating/card.ts';
import { DEGREES } from './distance.ts';
import { ZIP3S, ZIP5S_PER_ZIP3, zipText } from './zip.ts';
import { STATES, stateIndexOf, UNKNOWN_STATE } from './zip-states.ts';

/**
 * The zone (`1` to `8`) of most ZIP codes in each ZIP3, and the number of ZIP3s that also have ZIP codes in other zones. A ZIP3
 * without service is absent.
 * @param origin a ZIP5
 */
export const zonesByZip3 = (card: Card, origin: number) => {
  const zones: Record<string, string> = {};
  let exceptions = 0;
  for (const zip3 of DEGREES.keys()) {
    const first = zip3 * ZIP5S_PER_ZIP3;
    const columns = Array.from({ length: ZIP5S_PER_ZIP3 }, (_, at) => card.zones.columnOf(origin, first + at));
    const column = mostCommon(columns) ?? NO_COLUMN;
    if (columns.some((one) => one !== column)) exceptions += 1;
    if (column !== NO_COLUMN)
      zones[zipText(zip3, 3)] = String(must(card.rateZones[column], 'the zone of a rate column'));
  }
  return { zones, exceptions };
};

/** The states and territories of each rate column. @param origin a ZIP5 */
export const statesByColumn = ({ zones, columns }: Card, origin: number): string[][] => {
  const found = columns.map(() => new Set<number>());
  for (let zip5 = 0; zip5 < ZIP3S * ZIP5S_PER_ZIP3; zip5++)
    found[zones.columnOf(origin, zip5)]?.add(stateIndexOf(zip5));
  return found.map((states) => {
    const names = [...states].map((at) => must(STATES[at], 'a state'));
    return names.filter((state) => state !== UNKNOWN_STATE).sort();
  });
};

/** The zones before and after, by changed ZIP3. Null means no service. */
const changesBetween = (
  before: Card,
  after: Card,
  origin: string,
): Readonly<Record<string, readonly [string | null, string | null]>> => {
  const [old, now] = [zonesByZip3(before, Number(origin)).zones, zonesByZip3(after, Number(origin)).zones];
  const zip3s = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return Object.fromEntries(
    zip3s.filter((zip3) => old[zip3] !== now[zip3]).map((zip3) => [zip3, [old[zip3] ?? null, now[zip3] ?? null]]),
  );
};

/** Changes for services in both tariffs. Services with equal changes are grouped. @param origins ZIP5s as text */
export const zoneChanges = (before: readonly Card[], after: readonly Card[], origins: readonly string[]) =>
  origins.flatMap((origin) => {
    const services = after.flatMap((card) => {
      const old = before.find(({ code }) => code === card.code);
      return old === undefined ? [] : [{ code: card.code, changed: changesBetween(old, card, origin) }];
    });
    return [...grouped(services, ({ changed }) => JSON.stringify(changed)).values()].map((same) => ({
      services: same.map(({ code }) => code),
      origin,
      changed: must(same[0], 'a service').changed,
    }));
  });
export type ZoneChanges = ReturnType<typeof zoneChanges>[number];
