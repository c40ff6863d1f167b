/** The id of a tariff's version: its name, its date and a hash of everything that affects prices. */
import { createHash } from 'node:crypto';
import { byText } from '../../base/by-text.ts';
import { getOrMake } from '../../base/maps.ts';
import type { TariffDocument } from './document.ts';
import { transitInOrder } from './transit.ts';

/** Sorts rows in the order that `folder.ts` writes, so that a document and its folder have the same id. */
export const inOrder = (document: TariffDocument): TariffDocument => ({
  ...document,
  charts: Object.fromEntries(
    Object.entries(document.charts).map(([name, chart]) => [
      name,
      {
        ...chart,
        rows: chart.rows.toSorted((a, b) => byText(a.origin, b.origin) || byText(a.destination, b.destination)),
      },
    ]),
  ),
  ...(document.transit && { transit: transitInOrder(document.transit) }),
  areas: Object.fromEntries(
    Object.entries(document.areas).map(([name, list]) => [
      name,
      { ...list, rows: list.rows.toSorted((a, b) => byText(a.zip, b.zip) || byText(a.tier, b.tier)) },
    ]),
  ),
});

/** Members that older tariffs do not have. A tariff that does not use them keeps its id. */
const isUnused = (key: string, part: unknown): boolean =>
  (key === 'cubic' && JSON.stringify(part) === '{}') ||
  (key === 'hasNo' && JSON.stringify(part) === '[]') ||
  (key === 'dimensionalOverCubicIn' && part === 0) ||
  (key === 'fuelAfterLastWeek' && part === 'carry');

/** JSON with sorted object keys, without omitted members. */
const canonicalJson = (value: unknown, isOmitted: (key: string, part: unknown) => boolean): string =>
  JSON.stringify(value, (key, part: unknown) => {
    if (isOmitted(key, part)) return undefined;
    return typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => byText(a, b)))
      : part;
  });

/** `<name>@<effective>-<first 8 hex digits of the SHA-256 of the canonical JSON>`. */
export const versionId = (
  { name, effective }: { readonly name: string; readonly effective: string },
  content: unknown,
  isOmitted: (key: string, part: unknown) => boolean = () => false,
): string => {
  const hash = createHash('sha256').update(canonicalJson(content, isOmitted)).digest('hex');
  return `${name}@${effective}-${hash.slice(0, 8)}`;
};

/** Caches ids. Documents do not change, and computing an id for all rates of two carriers takes 200 ms. */
export const rememberedId = <D extends object>(idOf: (document: D) => string): ((document: D) => string) => {
  const ids = new WeakMap<D, string>();
  return (document) => getOrMake(ids, document, () => idOf(document));
};

export const tariffId = rememberedId((document: TariffDocument) =>
  versionId(document.file, inOrder(document), isUnused),
);
