/** Text of FedEx's fee tables: the services that a row names, and the amounts in a cell. */
import { present } from '../../base/present.ts';
import { centsInText } from '../read/reader.ts';
import { dateAfter } from './layout.ts';
import { FEDEX_PACKAGE_SERVICES, fedexServiceNamed } from './services.ts';

export interface NamedServices {
  /** Codes of package services within the United States. */
  readonly codes: readonly string[];
  /** Whether the row is for all package services, without naming them. */
  readonly general: boolean;
  /** Whether the row names freight services or services to other countries. */
  readonly others: boolean;
  /** `alaska`, `hawaii` or `intra-hawaii`, if the row is for package services to that area. */
  readonly area?: string;
  /** The texts in parentheses. */
  readonly qualifiers: readonly string[];
  /** For a row that states the maximum charge for a shipment with multiweight prices. */
  readonly maximumFor?: { readonly express: boolean; readonly ground: boolean };
  /** Names of unknown services, and footnotes. */
  readonly unknown: readonly string[];
}

/** Splits a text into the parts outside and inside parentheses. */
const splitParentheses = (text: string): { outside: string; inside: string[] } => {
  const [first = '', ...pieces] = text.split('(');
  const inside = pieces.map((piece) => piece.split(')')[0] ?? '');
  const after = pieces.map((piece) => piece.slice(piece.indexOf(')') + 1));
  return { outside: [first, ...after].join(' '), inside: inside.map((piece) => piece.trim()) };
};

const isGeneral = (name: string): boolean =>
  /^(?:U\.S\.|Alaska|Hawaii|Intra-Hawaii) Package Services$|^All Services$/i.test(name);
const isOther = (name: string): boolean => /International|Freight/i.test(name);

/** Parses the services of a row such as `U.S. Package Services (Residential)`. */
export const servicesIn = (text: string): NamedServices => {
  const [main = '', ...footnotes] = text.split(/ \*(?=[A-Z])/);
  const { outside, inside: qualifiers } = splitParentheses(main);
  if (/^Maximum charge /i.test(outside)) {
    const maximumFor = { express: /Express Multiweight/i.test(outside), ground: /Ground Multiweight/i.test(outside) };
    return { codes: [], general: false, others: false, qualifiers, maximumFor, unknown: [] };
  }
  const names = outside
    .split(/,|\band\b/)
    .map((name) =>
      name
        .replaceAll('*', '')
        .trim()
        .replace(/ Shipments$/i, ''),
    )
    .filter((name) => name !== '');
  const general = names.some(isGeneral);
  const named = names.flatMap((name) => fedexServiceNamed(name)?.code ?? []);
  const codes = general ? FEDEX_PACKAGE_SERVICES : FEDEX_PACKAGE_SERVICES.filter((code) => named.includes(code));
  const unknown = names.filter((name) => !isGeneral(name) && !isOther(name) && fedexServiceNamed(name) === undefined);
  const area = names.flatMap((name) => /^(Alaska|Hawaii|Intra-Hawaii) /i.exec(name)?.[1] ?? [])[0]?.toLowerCase();
  return {
    codes,
    general,
    others: names.some(isOther),
    ...present({ area }),
    qualifiers,
    unknown: codes.length === 0 ? unknown : [...unknown, ...footnotes],
  };
};

/** An amount such as `$31 per package`, with the words before it and the words in parentheses after it. */
export interface Amount {
  readonly label: string;
  readonly cents: number;
  readonly per: 'package' | 'shipment';
  readonly qualifier: string;
  /** The first ship date, from a footnote. */
  readonly from?: string;
}

const FOOTNOTE = /(\*{1,3}) ?(Effective [A-Za-z]{3,9}\.? \d{1,2}, \d{4})\.?/g;
const AMOUNT = /^ ?([\d,]{1,9}(?:\.\d{1,2})?) per (package|shipment)(?!\w)(\*{0,3})/;
const ZONE_NOTE = /\*{0,2} ?Zones? [\d+-]{1,4} rate also applies to/;

/** Removes the notes below the amounts: zones that share an amount, and where to look up a zone. */
const withoutNotes = (text: string): string => {
  const ends = [text.search(ZONE_NOTE), text.indexOf('To determine the applicable zone')].filter((end) => end >= 0);
  return text.slice(0, Math.min(text.length, ...ends)).trim();
};

/** Parses the amounts of a cell; undefined if it contains anything else. */
export const amountsIn = (cell: string): Amount[] | undefined => {
  const text = withoutNotes(cell);
  const dates = new Map(
    [...text.matchAll(FOOTNOTE)].map(([, mark = '', date = '']) => [mark, dateAfter('Effective', date)]),
  );
  const [before = '', ...pieces] = text.replaceAll(FOOTNOTE, '').split('$');
  let label = before.trim();
  const amounts: Amount[] = [];
  const used = new Set<string>();
  for (const piece of pieces) {
    const [all = '', usd = '', per, mark = ''] = AMOUNT.exec(piece) ?? [];
    const cents = centsInText(usd);
    const from = dates.get(mark);
    if (typeof cents !== 'number' || (mark !== '' && from === undefined)) return undefined;
    used.add(mark);
    let rest = piece.slice(all.length).trim();
    let qualifier = '';
    if (rest.startsWith('(')) {
      const end = rest.indexOf(')');
      if (end === -1) return undefined;
      qualifier = rest.slice(1, end).trim();
      rest = rest.slice(end + 1).trim();
    }
    amounts.push({ label, cents, per: per === 'package' ? per : 'shipment', qualifier, ...present({ from }) });
    label = rest;
  }
  const unmarked = [...dates.keys()].some((mark) => !used.has(mark));
  return amounts.length === 0 || label !== '' || unmarked ? undefined : amounts;
};

export interface ZoneAmounts {
  /** `dimension`, `weight` or `packaging`. Empty if the cell is not divided into parts. */
  readonly part: string;
  /** From zone 2 to zone 8. */
  readonly zones: readonly Pick<Amount, 'cents' | 'from'>[];
}

const ZONES = ['2', '3', '4', '5', '6', '7', '8'];

/** Parses `Zone 2:`, `Zones 3-4 *:` and `Zone 7+ :`. */
const zonesOf = (label: string): string[] => {
  const [, first = '', last = first, plus] =
    /^Zones? (\d)(?:-(\d)|(\+))?:$/i.exec(label.replaceAll(/[ *]{1,4}:/g, ':')) ?? [];
  return ZONES.filter((zone) => zone >= first && first !== '' && (plus !== undefined || zone <= last));
};

/** Parses the amounts of a cell by part and zone; undefined unless it states each zone from 2 to 8 once. */
export const zoneAmountsIn = (cell: string): ZoneAmounts[] | undefined => {
  const amounts = amountsIn(cell);
  if (amounts === undefined) return undefined;
  const parts = new Map<string, { zone: string; amount: Amount }[]>();
  let part = '';
  for (const amount of amounts) {
    const [, name, rest = ''] = /^(Dimension|Weight|Packaging): ?(.*)$/i.exec(amount.label) ?? [];
    if (name !== undefined) part = name.toLowerCase();
    const zones = zonesOf(name === undefined ? amount.label : rest);
    if (zones.length === 0 || amount.per !== 'package' || amount.qualifier !== '') return undefined;
    parts.set(part, [...(parts.get(part) ?? []), ...zones.map((zone) => ({ zone, amount }))]);
  }
  const read = [...parts].map(([name, amounts]): ZoneAmounts | undefined => {
    const sorted = amounts.sort((a, b) => Number(a.zone) - Number(b.zone));
    if (sorted.map(({ zone }) => zone).join() !== ZONES.join()) return undefined;
    return { part: name, zones: sorted.map(({ amount: { cents, from } }) => ({ cents, ...present({ from }) })) };
  });
  return read.every((one) => one !== undefined) ? read : undefined;
};

/** Rate columns that pay the amount of a zone, by zone. For example, a note says that zone 22 pays the rate of zones 3-4. */
export type SharedZones = ReadonlyMap<string, readonly string[]>;

export const sharedZonesIn = (texts: readonly string[]): SharedZones => {
  const shared = new Map<string, string[]>();
  for (const text of texts)
    for (const note of text.split(/(?=\bZones? [\d+-]{1,4} rate also)/)) {
      const [, zone, columns = ''] = /^Zones? (\d)[\d+-]{0,3} rate also applies to(.*)$/.exec(note) ?? [];
      if (zone === undefined) continue;
      const found = [...columns.matchAll(/\bZone (\d{1,2})\b/g)].flatMap(([, column]) => column ?? []);
      shared.set(zone, [...new Set([...(shared.get(zone) ?? []), ...found])].sort());
    }
  return shared;
};
