/** What a line of an agreement is checked or compiled against: a card on a day. */
import type { Card } from '../../rating/card.ts';
import type { Billing } from '../../rating/fields.ts';
import type { Finding } from '../tariff/document.ts';
import { severalOf } from '../tariff/findings.ts';
import type { Schedule } from '../tariff/schedule.ts';
import type { Named, ZoneRange } from './cells.ts';
import type { AgreementDocument, AgreementTables } from './document.ts';
import type { Tier } from './tiers.ts';
import { folderFrom, type Version } from './versions.ts';

/* What the checks against the tariffs share. */

const MAX_NAMED = 12;

/** An agreement on a day, the cards of its services, and the tariffs. */
export interface Held {
  readonly document: AgreementDocument;
  readonly version: Version;
  readonly day: string;
  readonly cards: readonly Card[];
  readonly schedule: Schedule;
  readonly fileOf: FileOf;
}

export const listOf = (names: readonly string[]): string => severalOf(names, ', ', MAX_NAMED) || 'none';

/** The cards that a line names. */
export const cardsOf = (services: Named<string>, { cards, version }: Held): Card[] =>
  cards.filter((card) => namesService(services, { card, version }));

/** A card and the files of an agreement on a day. */
export interface Subject {
  readonly card: Card;
  readonly day: string;
  readonly version: Version;
  readonly tiers: readonly Tier[];
  readonly billing: Billing;
  /** The prefix of sources, such as `acme-ups/`. */
  readonly prefix: string;
}

/** Whether a cell names the card's service. `*` is every service of the agreement's carrier. */
export const namesService = (services: Named<string>, { card, version }: Pick<Subject, 'card' | 'version'>): boolean =>
  services === '*' ? card.carrier === version.file.carrier : services.includes(card.code);

/** Whether a line applies to the billing option. */
export const isBilledTo = (line: { readonly billing?: readonly Billing[] }, { billing }: Subject): boolean =>
  line.billing?.includes(billing) !== false;

/** Whether a service's terms depend on who pays. */
export const isByBilling = (subject: Pick<Subject, 'card' | 'version'>): boolean => {
  const { discounts, minimums, surcharges } = subject.version.tables;
  return [...discounts, ...minimums, ...surcharges].some(
    ({ billing, services }) => billing !== undefined && namesService(services, subject),
  );
};

const isWithin = (column: string, { from, to }: ZoneRange): boolean => {
  if (column === from || column === to) return true;
  if (!/^\d+$/.test(column) || !/^\d+$/.test(from) || !/^\d+$/.test(to)) return false;
  return Number(from) <= Number(column) && Number(column) <= Number(to);
};

/** The zone in the last two digits of an air service's column: `8` of `208`, `24` of `224`. */
const zoneIn = (column: string): string => (/^\d{3}$/.test(column) ? String(Number(column.slice(1))) : '');

/**
 * The rate columns that a cell of zones names. Undefined means all. A range names the columns with its numbers. If a service
 * has none of them, it names the columns with these last two digits, such as 202 to 208 for 2 to 8. If there are none of
 * these either, it names the columns that are reported as these zones.
 */
export const zonesOf = (
  zones: Named<ZoneRange>,
  { columns, rateZones }: Pick<Card, 'columns' | 'rateZones'>,
): ReadonlySet<number> | undefined => {
  if (zones === '*') return undefined;
  return new Set(
    zones.flatMap((range) => {
      const within = (names: readonly string[]): number[] =>
        names.flatMap((name, at) => (isWithin(name, range) ? [at] : []));
      const ways = [() => columns, () => columns.map(zoneIn), () => rateZones.map(String)];
      for (const names of ways) {
        const named = within(names());
        if (named.length > 0) return named;
      }
      return [];
    }),
  );
};

/* What all checks share. */

/** The file of a table, such as `amendments/2026-07-01/discounts.csv`. `rates` and `caps` have one per service. */
export type FileOf = (table: keyof AgreementTables, service?: string) => string;

export const fileOfIn =
  ({ folderOf }: Version): FileOf =>
  (table, service) =>
    service === undefined ? `${folderOf(table)}${table}.csv` : `${folderOf(table, service)}${table}/${service}.csv`;

type Amended = Pick<AgreementDocument, 'amendments'>;

/** Removes duplicates, which occur because versions of an agreement share files, and names the amendments of files. */
export const once = (findings: readonly Finding[], { amendments }: Amended): Finding[] =>
  [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()].map((finding) => {
    const { from } = amendments.find((one) => finding.at.startsWith(folderFrom(one.from))) ?? {};
    return from ? { ...finding, amendment: { from, at: finding.at.slice(folderFrom(from).length) } } : finding;
  });

/** The maximum edit distance between a name and the intended name. */
const MOST_CHANGES = 3;
const MOST_CHARACTERS = 40;

/** Returns how many letters must be added, removed or replaced to turn one text into another. */
const changesBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [at, other] of [...to].entries())
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (letter === other ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? from.length;
};

/** Returns the known name that was most likely meant. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > MOST_CHARACTERS) return undefined;
  const own = name.toLowerCase();
  const [best] = known
    .map((one) => ({ one, changes: changesBetween(own, one.toLowerCase()) }))
    .filter(({ changes }) => changes <= MOST_CHANGES)
    .sort((a, b) => a.changes - b.changes);
  return best?.one;
};
