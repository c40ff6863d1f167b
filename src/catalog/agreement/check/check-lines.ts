/** Checks the lines of an agreement's files against each other: overlaps, gaps and clashes. */
import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import { basisPointsOf } from '../../../rating/quantity.ts';
import type { Finding } from '../../tariff/document.ts';
import { collected, error, warning } from '../../tariff/findings.ts';
import type { Named, ZoneRange } from '../cells.ts';
import { namesType, SETTLED } from '../compile-charges.ts';
import type { AgreementFile, AgreementTables, DiscountLine, MinimumLine, SurchargeLine } from '../document.ts';
import type { FileOf } from '../subject.ts';
import { tierPrograms } from '../tiers.ts';

/** Reported per file. More clashes have the same cause. */
const MAX_CLASHES = 20;
const MAX_DISCOUNTS = 100;
/** The core numbers a service's weight bands with one byte. */
const MAX_LIMITS = 250;
const ANY_LB = 10_000;
const WHOLE = /^\d+$/;

type Billed = Pick<DiscountLine, 'billing'>;

const share = <T>(a: Named<T>, b: Named<T>, isSame: (one: T, other: T) => boolean): boolean =>
  a === '*' || b === '*' || a.some((one) => b.some((other) => isSame(one, other)));

/** A range of zones, with its numbers if its names are numbers. */
interface Parsed extends ZoneRange {
  readonly first: number;
  readonly last: number;
}

const numberOf = (zone: string): number => (WHOLE.test(zone) ? Number(zone) : Number.NaN);
const parsed = (zones: Named<ZoneRange>): Named<Parsed> =>
  zones === '*' ? '*' : zones.map(({ from, to }) => ({ from, to, first: numberOf(from), last: numberOf(to) }));

/** Whether two ranges share a zone, as far as their text shows. Names that are not numbers are compared as text. */
const rangesMeet = (a: Parsed, b: Parsed): boolean =>
  (a.first <= b.last && b.first <= a.last) || a.from === b.from || a.to === b.to;

export const servicesMeet = (a: Named<string>, b: Named<string>): boolean => share(a, b, (one, other) => one === other);
const zonesMeet = (a: Named<ZoneRange>, b: Named<ZoneRange>): boolean => share(parsed(a), parsed(b), rangesMeet);

/** Whether two lines may apply to the same billing option. */
const billingsMeet = ({ billing: a }: Billed, { billing: b }: Billed): boolean =>
  a === undefined || b === undefined || a.some((one) => b.includes(one));

const lastLb = ({ toLb = ANY_LB }: Pick<DiscountLine, 'toLb'>): number => toLb;

/** Whether two cells may mean the same thing. An empty cell means any. */
const maySame = (a: string | undefined, b: string | undefined): boolean =>
  a === undefined || b === undefined || a === b;

/** Whether two tiers may be in force together. Without programs, only equal ones. */
type Together = typeof maySame;

/** Tiers of different programs may be in force together. */
export const togetherIn = (file: AgreementFile, tables: AgreementTables): Together => {
  const programs = tierPrograms(file, tables);
  return (a = '', b = '') =>
    maySame(a || undefined, b || undefined) ||
    (programs.has(a) && programs.has(b) && programs.get(a) !== programs.get(b));
};

/** Whether two lines discount the same kind of package, at any weight. */
const sameKind = (a: DiscountLine, b: DiscountLine, together: Together = maySame): boolean =>
  together(a.tier, b.tier) &&
  (a.address === 'any' || b.address === 'any' || a.address === b.address) &&
  billingsMeet(a, b) &&
  (a.appliesTo === 'both' || b.appliesTo === 'both' || a.appliesTo === b.appliesTo) &&
  servicesMeet(a.services, b.services);

const bandText = ({ fromLb, toLb }: DiscountLine): string =>
  toLb === undefined ? `${fromLb} lb and up` : `${fromLb} to ${toLb} lb`;

/** Reports lines of one discount that share a cell. @param meet whether the zones of two lines overlap */
export const overlaps = (
  lines: readonly DiscountLine[],
  file: string,
  meet: (a: DiscountLine, b: DiscountLine) => boolean,
  together: Together = maySame,
): Finding[] => {
  const pairs: (readonly [earlier: DiscountLine, later: DiscountLine])[] = [];
  for (const own of grouped(lines, ({ discount }) => discount).values()) {
    let begun: DiscountLine[] = [];
    // Sorted by weight, so that a line is compared only with lines that reach its first pound.
    for (const line of own.toSorted((a, b) => a.fromLb - b.fromLb)) {
      begun = begun.filter((before) => lastLb(before) >= line.fromLb);
      const other = begun.find((before) => sameKind(before, line, together) && meet(before, line));
      if (other !== undefined) pairs.push(other.row < line.row ? [other, line] : [line, other]);
      begun.push(line);
      if (pairs.length >= MAX_CLASHES) break;
    }
  }
  return pairs
    .sort(([, a], [, b]) => a.row - b.row)
    .slice(0, MAX_CLASHES)
    .map(([earlier, later]) => {
      const clash = `overlaps row ${earlier.row} of the same discount ${JSON.stringify(later.discount)} at ${bandText(later)}`;
      const advice = 'correct one of them, or give them different names if they add up';
      return error(`${file} row ${later.row}`, `${clash}: ${advice}`);
    });
};

export const checkOverlaps = (lines: readonly DiscountLine[], file: string, together?: Together): Finding[] => {
  const zones = new Map(lines.map((line) => [line, parsed(line.zones)]));
  const zonesIn = (line: DiscountLine): Named<Parsed> => must(zones.get(line), 'the zones of a line');
  return overlaps(lines, file, (a, b) => share(zonesIn(a), zonesIn(b), rangesMeet), together);
};

/** Reports weights between the bands of one discount for the same packages, unless other lines of the discount name them. */
const gapsOf = (lines: readonly DiscountLine[], file: string): Finding[] => {
  const groups = grouped(lines, ({ discount, tier, services, zones, address, billing, appliesTo }) =>
    JSON.stringify([discount, tier, services, zones, address, billing, appliesTo]),
  );
  const findings: Finding[] = [];
  for (const bands of groups.values()) {
    const rising = bands.toSorted((a, b) => a.fromLb - b.fromLb);
    for (const [at, line] of rising.entries()) {
      const before = rising[at - 1];
      if (before?.toLb === undefined || before.toLb + 1 >= line.fromLb) continue;
      const [from, to] = [before.toLb + 1, line.fromLb - 1];
      const fills = (other: DiscountLine): boolean =>
        other.discount === line.discount &&
        other.fromLb <= to &&
        lastLb(other) >= from &&
        sameKind(other, line) &&
        zonesMeet(other.zones, line.zones);
      if (findings.length >= MAX_CLASHES || lines.some(fills)) continue;
      const pounds = from === to ? `${from} lb` : `${from} to ${to} lb`;
      const message = `leaves ${pounds} without a discount, after row ${before.row}: if this is right, add a line of 0%`;
      findings.push(warning(`${file} row ${line.row}`, message));
    }
  }
  return findings;
};

/** Reports a `better_of` that only one discount has. */
const aloneIn = (lines: readonly DiscountLine[], file: string): Finding[] =>
  [...grouped(lines, ({ betterOf }) => betterOf)].flatMap(([name, own]) => {
    const [first] = own;
    if (name === undefined || first === undefined || own.some(({ discount }) => discount !== first.discount)) return [];
    const message = `only the discount ${JSON.stringify(first.discount)} has ${JSON.stringify(name)}: name the discount that it competes with, or leave the cell empty`;
    return [warning(`${file} row ${first.row} column better_of`, message)];
  });

const checkDiscounts = (lines: readonly DiscountLine[], file: string, together: Together): Finding[] => {
  const names = new Set(lines.map(({ discount }) => discount));
  if (names.size > MAX_DISCOUNTS)
    return [error(file, `has more than ${MAX_DISCOUNTS} discounts: give lines that belong together one name`)];
  const limits = new Set(lines.flatMap(({ fromLb, toLb }) => [fromLb, ...(toLb === undefined ? [] : [toLb + 1])]));
  if (limits.size > MAX_LIMITS)
    return [error(file, `has bands that begin or end at more than ${MAX_LIMITS} weights: use fewer bands`)];
  const raising = lines.filter(({ percent }) => basisPointsOf(percent) < 0);
  return [
    ...checkOverlaps(lines, file, together),
    ...gapsOf(lines, file),
    ...aloneIn(lines, file),
    ...raising.map(({ row, percent }) => {
      const message = `raises the base by ${percent.slice(1)}%: is this what the contract says?`;
      return warning(`${file} row ${row} column percent`, message);
    }),
  ];
};

const checkMinimum = (line: MinimumLine, at: string): Finding[] => {
  const { minimum, zone, weightLb } = line;
  if (minimum === 'usd')
    return zone === undefined && weightLb === undefined
      ? []
      : [error(at, 'is an amount: leave zone and weight_lb empty, or write less usd or less percent')];
  if (zone !== undefined && weightLb === undefined)
    return [error(`${at} column weight_lb`, `is empty: write the pounds of the cell, such as 1, beside zone ${zone}`)];
  if (zone === undefined && weightLb !== undefined)
    return [error(`${at} column zone`, `is empty: write the zone of the cell, such as 2, beside ${weightLb} lb`)];
  return [];
};

const checkMinimums = (lines: readonly MinimumLine[], file: string): Finding[] =>
  lines.flatMap((line, index): Finding[] => {
    const at = `${file} row ${line.row}`;
    // The first line that names a service and a zone applies, so a last line may name all others.
    const before = lines
      .slice(0, index)
      .find(
        ({ address, billing, services, zones }) =>
          address === line.address &&
          (billing === undefined || (line.billing !== undefined && billingsMeet({ billing }, line))) &&
          (zones === undefined || (line.zones !== undefined && zonesMeet(zones, line.zones))) &&
          (services === '*' || (line.services !== '*' && servicesMeet(services, line.services))),
      );
    return collected(
      checkMinimum(line, at),
      before &&
        error(at, `row ${before.row} already gives a minimum to a service of this line: remove it from one of them`),
    );
  });

/** Whether both may name the same type. */
const typesMeet = (a: string, b: string): boolean =>
  namesType(a, b.replace('*', '')) || namesType(b, a.replace('*', ''));

const checkChanges = (lines: readonly SurchargeLine[], file: string, together: Together): Finding[] => {
  const findings: Finding[] = [];
  const changes = lines.filter(({ change }) => change !== 'at most');
  for (const { row, change, value } of lines) {
    if ((change === 'waived') === (value === '')) continue;
    const message =
      value === '' ? `is empty: write the value of ${change}` : 'must be empty if the surcharge is waived';
    findings.push(error(`${file} row ${row} column value`, message));
  }
  for (const [at, line] of changes.entries()) {
    const other = changes
      .slice(0, at)
      .find(
        (before) =>
          typesMeet(before.surcharge, line.surcharge) &&
          servicesMeet(before.services, line.services) &&
          zonesMeet(before.zones, line.zones) &&
          maySame(before.area, line.area) &&
          maySame(before.address, line.address) &&
          together(before.tier, line.tier) &&
          billingsMeet(before, line) &&
          (before.fromLb ?? 1) <= lastLb(line) &&
          (line.fromLb ?? 1) <= lastLb(before),
      );
    if (other === undefined) continue;
    const both = `changes ${line.surcharge} for the same packages as row ${other.row}`;
    const isClash = line.change === other.change || [line, other].some(({ change }) => SETTLED.includes(change));
    const advice = isClash
      ? `keep one of them. Only a line with "at most" can go with ${line.change}`
      : `both count, row ${other.row} first. If this is wrong, keep one of them`;
    findings.push((isClash ? error : warning)(`${file} row ${line.row}`, `${both}: ${advice}`));
    if (findings.length >= MAX_CLASHES) break;
  }
  return findings;
};

/** Checks all files of lines except tiers and spend. */
export const checkLines = (file: AgreementFile, tables: AgreementTables, fileOf: FileOf): Finding[] => {
  const together = togetherIn(file, tables);
  return [
    ...checkDiscounts(tables.discounts, fileOf('discounts'), together),
    ...checkMinimums(tables.minimums, fileOf('minimums')),
    ...checkChanges(tables.surcharges, fileOf('surcharges'), together),
  ];
};
