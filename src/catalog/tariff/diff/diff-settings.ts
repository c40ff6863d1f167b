/** The values of tariff.json by name, for comparisons: services by code, surcharges by type and description. */
import type { SurchargeEntry, TariffDocument } from '../document.ts';

type Entries = readonly SurchargeEntry[];

/** Names of a surcharge, each longer one for those that share the shorter ones. */
const FORMS: readonly ((entry: SurchargeEntry) => string)[] = [
  ({ type, description }) => `surcharge ${type} "${description}"`,
  ({ services }) => ` (${services?.join(', ') ?? 'all services'})`,
  ({ from, until }) => `${from === undefined ? '' : ` from ${from}`}${until === undefined ? '' : ` to ${until}`}`,
];

const byName = (entries: Entries, nameOf: (entry: SurchargeEntry) => string): Map<string, SurchargeEntry[]> => {
  const groups = new Map<string, SurchargeEntry[]>();
  for (const entry of entries) groups.set(nameOf(entry), [...(groups.get(nameOf(entry)) ?? []), entry]);
  return groups;
};

/**
 * The names of the surcharges of two tariffs. A name has the services and the period only if either tariff has several
 * surcharges of the type and description, so that the same surcharge has the same name in both.
 */
export const surchargeNames = (before: TariffDocument, after: TariffDocument): ReadonlyMap<SurchargeEntry, string> => {
  const names = new Map<SurchargeEntry, string>();
  const nameAll = (prefix: string, old: Entries, now: Entries, form: number): void => {
    const more = FORMS[form];
    if (more === undefined || (form > 0 && old.length < 2 && now.length < 2)) {
      for (const entries of [old, now])
        for (const [index, entry] of entries.entries())
          names.set(entry, index === 0 ? prefix : `${prefix} #${index + 1}`);
      return;
    }
    const [oldGroups, nowGroups] = [byName(old, more), byName(now, more)];
    for (const name of new Set([...oldGroups.keys(), ...nowGroups.keys()]))
      nameAll(`${prefix}${name}`, oldGroups.get(name) ?? [], nowGroups.get(name) ?? [], form + 1);
  };
  nameAll('', before.file.surcharges, after.file.surcharges, 0);
  return names;
};

/** `26 to 2026-06-14 (fuel.csv, line 3)`: the members of a step but its date. */
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

/** Puts values under their paths. Steps of a schedule are named by their date, so that a new week is one difference. */
export const putValues = (values: Map<string, string>, path: string, value: unknown): void => {
  if (Array.isArray(value)) {
    const parts = value.filter(isObject);
    if (parts.length === 0) values.set(path, value.join(', '));
    else if (parts.some(({ from }) => from === undefined)) values.set(path, choiceText(parts));
    else for (const step of parts) values.set(`${path} from ${step['from']}`, stepText(step));
  } else if (isObject(value))
    for (const [key, part] of Object.entries(value)) putValues(values, path === '' ? key : `${path}.${key}`, part);
  else if (value !== undefined) values.set(path, String(value));
};

/** The values of tariff.json by path. */
export const settingsOf = (
  { file }: TariffDocument,
  nameOf: (entry: SurchargeEntry) => string,
): ReadonlyMap<string, string> => {
  const settings = new Map<string, string>();
  const { services, surcharges, sources, ...rest } = file;
  putValues(settings, '', rest);
  for (const service of services) putValues(settings, `service ${service.code}`, service);
  for (const surcharge of surcharges) putValues(settings, nameOf(surcharge), surcharge);
  for (const source of sources) putValues(settings, `source ${source.file}`, source.sha256);
  return settings;
};
