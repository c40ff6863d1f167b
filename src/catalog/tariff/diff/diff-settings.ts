/** The values of tariff.json by name for comparisons: services by code, surcharges by type and description. */
import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import type { SurchargeEntry, TariffDocument } from '../document.ts';

type Entries = readonly SurchargeEntry[];

/** Parts of a surcharge's name. The next part is added if several surcharges share the name so far. */
const FORMS: readonly ((entry: SurchargeEntry) => string)[] = [
  ({ type, description }) => `surcharge ${type} "${description}"`,
  ({ services }) => ` (${services?.join(', ') ?? 'all services'})`,
  ({ from, until }) => `${from === undefined ? '' : ` from ${from}`}${until === undefined ? '' : ` to ${until}`}`,
];

/**
 * The names of the surcharges of two tariffs. A name has the services and the period only if either tariff has several
 * surcharges of the type and description, so that the same surcharge has the same name in both.
 */
export const surchargeNames = (before: TariffDocument, after: TariffDocument): ((entry: SurchargeEntry) => string) => {
  const names = new Map<SurchargeEntry, string>();
  const nameAll = (prefix: string, old: Entries, now: Entries, form: number): void => {
    const more = FORMS[form];
    if (more === undefined || (form > 0 && old.length < 2 && now.length < 2)) {
      for (const entries of [old, now])
        for (const [index, entry] of entries.entries())
          names.set(entry, index === 0 ? prefix : `${prefix} #${index + 1}`);
      return;
    }
    const [oldGroups, nowGroups] = [grouped(old, more), grouped(now, more)];
    for (const name of new Set([...oldGroups.keys(), ...nowGroups.keys()]))
      nameAll(`${prefix}${name}`, oldGroups.get(name) ?? [], nowGroups.get(name) ?? [], form + 1);
  };
  nameAll('', before.file.surcharges, after.file.surcharges, 0);
  return (entry) => must(names.get(entry), 'the name of a surcharge');
};

/** `26 to 2026-06-14 (fuel.csv, line 3)`: the members of a step without its first day. */
const stepText = ({ from: _from, until, source, ...values }: Readonly<Record<string, unknown>>): string => {
  const end = until === undefined ? '' : ` to ${until}`;
  return `${Object.values(values).join(', ')}${end}${source === undefined ? '' : ` (${source})`}`;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `lengthOverIn 48 or actualWeightOverLb 50` */
const choiceText = (choices: readonly Readonly<Record<string, unknown>>[]): string =>
  choices
    .map((one) =>
      Object.entries(one)
        .map(([key, limit]) => `${key} ${limit}`)
        .join(' and '),
    )
    .join(' or ');

/** Values by path. Steps of a schedule are named by date, so that a new week is a single difference. */
export const valuesOf = (path: string, value: unknown): (readonly [path: string, value: string])[] => {
  if (isObject(value))
    return Object.entries(value).flatMap(([key, part]) => valuesOf(path === '' ? key : `${path}.${key}`, part));
  if (!Array.isArray(value)) return value === undefined ? [] : [[path, String(value)]];
  const parts = value.filter(isObject);
  if (parts.length === 0) return [[path, value.join(', ')]];
  if (parts.some(({ from }) => from === undefined)) return [[path, choiceText(parts)]];
  return parts.map((step) => [`${path} from ${step['from']}`, stepText(step)]);
};

/** The values of tariff.json by path. */
export const settingsOf = (
  { file: { services, surcharges, sources, ...rest } }: TariffDocument,
  nameOf: (entry: SurchargeEntry) => string,
): ReadonlyMap<string, string> =>
  new Map([
    ...valuesOf('', rest),
    ...services.flatMap((service) => valuesOf(`service ${service.code}`, service)),
    ...surcharges.flatMap((surcharge) => valuesOf(nameOf(surcharge), surcharge)),
    ...sources.map(({ file, sha256 }) => [`source ${file}`, sha256] as const),
  ]);
