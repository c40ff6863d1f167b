/** The meaning of the texts around a grid's percentages: weights or zones, a kind of address, a service. */
import { present } from '../../base/present.ts';
import type { Address, Named, ZoneRange } from '../../catalog/agreement/cells.ts';
import {
  addressIn,
  type Band,
  bandIn,
  bandText,
  isHeading,
  shareWeights,
  shareZones,
  zonesIn,
  zonesText,
} from './grid-cells.ts';
import type { Down } from './grid-layout.ts';

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
export const axisIn = (text: string, axis: Down): Meaning | undefined => {
  const zones = axis === 'zones' ? zonesIn(text) : undefined;
  const band = axis === 'bands' ? bandIn(text) : undefined;
  return zones === undefined && band === undefined ? undefined : present({ zones, band });
};

/** Parses a header or a title; undefined if any part of it is unknown. */
export const meaningIn = (text: string, serviceNamed: ServiceNamer, axis?: Down): Meaning | undefined => {
  const { address, rest } = addressIn(text);
  const own = present({ address });
  if (rest === '' || isHeading(rest)) return own;
  const along = axis === undefined ? undefined : axisIn(rest, axis);
  if (along !== undefined) return { ...own, ...along };
  const service = serviceNamed(text) ?? serviceNamed(rest);
  return service === undefined ? undefined : { ...own, service };
};

/** Formats the weights or zones. */
export const axisText = ({ band, zones }: Meaning): string | undefined => {
  if (zones !== undefined) return zonesText(zones);
  return band === undefined ? undefined : bandText(band);
};

/** Whether two cells share a service, an address, a weight and a zone. */
export const clash = (a: Meaning, b: Meaning): boolean => {
  const [first = 'any', second = 'any'] = [a.address, b.address];
  return (
    (a.service === undefined || b.service === undefined || a.service === b.service) &&
    (first === second || first === 'any' || second === 'any') &&
    shareZones(a.zones ?? '*', b.zones ?? '*') &&
    shareWeights(a.band ?? { fromLb: 1 }, b.band ?? { fromLb: 1 })
  );
};
