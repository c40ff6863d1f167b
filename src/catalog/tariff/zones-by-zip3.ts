/** The zones of a service by ZIP3, the states of each rate column, and zone differences between two tariffs. */
import { grouped, mostCommon } from '../../base/maps.ts';
import { missing, must } from '../../base/must.ts';
import { type Card, NO_COLUMN } from '../../rating/card.ts';
import { DEGREES } from './distance.ts';
import { ZIP5S, ZIP5S_PER_ZIP3, zipRangeOf, zipText } from './zip.ts';

/*
 * The state, territory or military region of a ZIP code, as the two-letter postal abbreviation.
 * Source: the prefixes in USPS labeling list L002 (3-Digit ZIP Code Prefix Matrix), and the ZIP codes in another state than
 * their prefix, from the public domain list of federalgovernmentzipcodes.us (npm `zipcodes` 8.0.0).
 */

const STATES_BY_RANGE = `
005 NY,006-007 PR,008 VI,009 PR,010-027 MA,028-029 RI,030-038 NH,039-049 ME,050-054 VT,055 MA,056-059 VT,060-069 CT,
070-089 NJ,090-098 AE,100-149 NY,150-196 PA,197-199 DE,200 DC,201 VA,202-205 DC,206-212 MD,214-219 MD,220-246 VA,
247-268 WV,270-289 NC,290-299 SC,300-319 GA,320-339 FL,340 AA,341-342 FL,344 FL,346-347 FL,349 FL,350-352 AL,354-369 AL,
370-385 TN,386-397 MS,398-399 GA,400-418 KY,420-427 KY,430-459 OH,460-479 IN,480-499 MI,500-516 IA,520-528 IA,530-532 WI,
534-535 WI,537-549 WI,550-551 MN,553-567 MN,569 DC,570-577 SD,580-588 ND,590-599 MT,600-620 IL,622-629 IL,630-631 MO,
633-641 MO,644-658 MO,660-662 KS,664-679 KS,680-681 NE,683-693 NE,700-701 LA,703-708 LA,710-714 LA,716-729 AR,730-731 OK,
733 TX,734-741 OK,743-749 OK,750-770 TX,772-799 TX,800-816 CO,820-831 WY,832-838 ID,840-847 UT,850-853 AZ,855-857 AZ,
859-860 AZ,863-865 AZ,870-871 NM,873-884 NM,885 TX,889-891 NV,893-895 NV,897-898 NV,900-908 CA,910-928 CA,930-961 CA,
962-966 AP,967-968 HI,969 GU,970-979 OR,980-986 WA,988-994 WA,995-999 AK,
06390 NY,20588 MD,20598 VA,73960 TX,83414 WY,96799 AS,96939-96940 PW,96941-96944 FM,96950-96952 MP,96960 MH,96970 MH`;

/** The state of a ZIP code whose prefix the Postal Service does not use. */
const UNKNOWN_STATE = 'unknown';

/** The names for the indexes from `stateIndexOf`. */
export const STATES: readonly string[] = [
  UNKNOWN_STATE,
  ...new Set(STATES_BY_RANGE.split(',').map((entry) => entry.slice(-2))),
];

const byZip = new Uint8Array(100_000);
for (const entry of STATES_BY_RANGE.split(',')) {
  const [range, state] = entry.trim().split(' ');
  const { from, to } = zipRangeOf(must(range, 'the ZIP codes of a state'));
  byZip.fill(STATES.indexOf(must(state, 'the state of ZIP codes')), from, to + 1);
}

/** The index in `STATES` of a ZIP5's state. */
export const stateIndexOf = (zip5: number): number => byZip[zip5] ?? missing('the state of a ZIP5');

/** The state of a ZIP5, such as `NJ`, `PR` or `AE`, or `unknown`. */
export const stateOf = (zip5: number): string => must(STATES[stateIndexOf(zip5)], 'a state');

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
  for (let zip5 = 0; zip5 < ZIP5S; zip5++) found[zones.columnOf(origin, zip5)]?.add(stateIndexOf(zip5));
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
