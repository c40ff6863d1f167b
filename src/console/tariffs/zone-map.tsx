/** The map of a service's zones from a warehouse. */
import { useMemo } from 'preact/hooks';
import type { CentroidsBody, ZonesBody } from '../calls.ts';
import { counted } from '../ui/format.ts';
import { type CellGroup, CellMap } from './cell-map.tsx';

interface ZoneMapProps {
  readonly centroids: CentroidsBody;
  readonly zones: ZonesBody;
  /** The origin of the zones as text. */
  readonly from: string;
}

const ZONES = ['1', '2', '3', '4', '5', '6', '7', '8'];

const nameOf = (zone: string | undefined): string => (zone === undefined ? 'Not served' : `Zone ${zone}`);

const groupsOf = (zones: ZonesBody['zones']): readonly CellGroup[] =>
  [...ZONES, undefined].map((zone) => ({
    name: nameOf(zone),
    color: zone === undefined ? 'transparent' : `var(--zone-${zone})`,
    holds: (zip3) => zones[zip3] === zone,
  }));

export const ZoneMap = ({ centroids, zones, from }: ZoneMapProps) => {
  const groups = useMemo(() => groupsOf(zones.zones), [zones]);
  return (
    <CellMap
      centroids={centroids}
      groups={groups}
      origin={zones.origin.zip3}
      label={`Zones from ${from}`}
      describe={(zip3) => nameOf(zones.zones[zip3]).toLowerCase()}
      lookup="Zone of a ZIP code"
      table={{ title: 'All ZIP codes by zone, as a table', group: 'Zone' }}
      hint={
        <>
          {zones.exceptions === 0
            ? ''
            : ` ${counted(zones.exceptions, 'cell has', 'cells have')} ZIP codes in other zones too. A quote uses the exact zone.`}
          {zones.estimated ? ' Zones are estimated by distance, because this warehouse has no chart.' : ''}
        </>
      }
    />
  );
};
