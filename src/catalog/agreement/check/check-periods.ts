/** Checks what changes by date in an agreement: fuel rates, tiers and spend. */
import { centsOf } from '../../tariff/compile-charges.ts';
import { shifted } from '../../tariff/days.ts';
import type { Finding } from '../../tariff/document.ts';
import type { AgreementFile, AgreementTables, FuelLine, SpendLine, TierLine } from '../document.ts';
import { error, type FileOf, warning } from '../findings.ts';
import { servicesMeet } from './check-lines.ts';

const WEEK_DAYS = 7;

export const checkFuel = (lines: readonly FuelLine[], file: string): Finding[] =>
  lines.flatMap((line, index): Finding[] => {
    const at = `${file} row ${line.row}`;
    if (line.until !== undefined && line.until < line.from)
      return [error(`${at} column until`, `is before ${line.from}, which is from: correct one of them`)];
    const clash = lines
      .slice(0, index)
      .filter(({ services }) => servicesMeet(services, line.services))
      .find((other) => {
        const [first, second] = other.from <= line.from ? [other, line] : [line, other];
        return first.from === second.from || (first.until !== undefined && second.from <= first.until);
      });
    return clash === undefined
      ? []
      : [error(at, `has days that row ${clash.row} has too, for a service of both: correct from or until`)];
  });

/** Bands of one price rise, and name the same services; each price that is named has weeks, none of them below the bands. */
export const checkFuelIndex = ({ fuel_index = [], fuel_prices = [] }: AgreementTables, fileOf: FileOf): Finding[] => {
  const [bandFile, priceFile] = [fileOf('fuel_index'), fileOf('fuel_prices')];
  const bands = fuel_index.flatMap((line, at): Finding[] => {
    const place = `${bandFile} row ${line.row}`;
    const before = fuel_index.slice(0, at).findLast(({ services }) => servicesMeet(services, line.services));
    if (before === undefined) return [];
    const isOne = before.index === line.index && String(before.services) === String(line.services);
    if (!isOne) return [error(place, `has a service of row ${before.row}: give both rows the same services and index`)];
    if (Number(before.fromUsd) < Number(line.fromUsd)) return [];
    return [error(`${place} column from_usd`, `must be more than ${before.fromUsd} in row ${before.row}: bands rise`)];
  });
  const leastOf = (index: string): number =>
    fuel_index.reduce((least, one) => (one.index === index ? Math.min(least, Number(one.fromUsd)) : least), Infinity);
  const prices = fuel_prices.flatMap((line, at): Finding[] => {
    const place = `${priceFile} row ${line.row}`;
    const same = fuel_prices.slice(0, at).find(({ index, from }) => index === line.index && from === line.from);
    if (same !== undefined) return [error(`${place} column from`, `is also in row ${same.row}: remove one of them`)];
    const least = leastOf(line.index);
    if (least === Infinity)
      return [error(`${place} column index`, `${bandFile} has no bands of ${line.index}: correct it, or add them`)];
    if (least <= Number(line.usd)) return [];
    return [error(`${place} column usd`, `is below the first band of ${bandFile}: add a band for it`)];
  });
  return [...bands, ...prices];
};

const checkTierList = (tiers: readonly TierLine[], file: string): Finding[] =>
  tiers.flatMap((line, index): Finding[] => {
    const at = `${file} row ${line.row}`;
    const before = tiers[index - 1];
    const same = tiers.slice(0, index).find(({ tier }) => tier === line.tier);
    return [
      ...(same === undefined
        ? []
        : [error(`${at} column tier`, `is also the name of the tier in row ${same.row}: rename one`)]),
      ...(before === undefined || centsOf(before.fromUsd) < centsOf(line.fromUsd)
        ? []
        : [error(`${at} column from_usd`, `must be more than ${before.fromUsd} in row ${before.row}: tiers rise`)]),
    ];
  });

const checkSpend = (spend: readonly SpendLine[], file: string): Finding[] => {
  const weeks = spend.toSorted((a, b) => (a.weekEnding < b.weekEnding ? -1 : 1));
  return weeks.flatMap((line, index): Finding[] => {
    const before = weeks[index - 1];
    if (before === undefined || line.weekEnding === shifted(before.weekEnding, WEEK_DAYS)) return [];
    const message = `must be 7 days after ${before.weekEnding} in row ${before.row}: correct the day, or add the weeks between them, with 0.00 for a week without spend`;
    return [error(`${file} row ${line.row} column week_ending`, message)];
  });
};

/** Tiers that are named, by the place that names them. */
const namedTiers = ({ earned }: AgreementFile, json: string, tables: AgreementTables, fileOf: FileOf) => [
  ...earned.inForce.map(({ tier }, index) => ({ tier, at: `${json} earned.inForce[${index}].tier` })),
  ...(earned.grace === undefined ? [] : [{ tier: earned.grace.tier, at: `${json} earned.grace.tier` }]),
  ...(['discounts', 'surcharges'] as const).flatMap((table) =>
    tables[table].flatMap(({ tier, row }) =>
      tier === undefined ? [] : [{ tier, at: `${fileOf(table)} row ${row} column tier` }],
    ),
  ),
];

const checkInForce = ({ earned }: AgreementFile, json: string): Finding[] => {
  const periods = earned.inForce
    .map((period, index) => ({ ...period, at: `${json} earned.inForce[${index}]` }))
    .sort((a, b) => (a.from < b.from ? -1 : 1));
  return periods.flatMap(({ at, from, until }, index): Finding[] => {
    const before = periods[index - 1];
    if (until !== undefined && until < from) return [error(at, 'ends before it begins: correct from or until')];
    if (before === undefined) return [];
    if (before.from < from && (before.until === undefined || before.until < from)) return [];
    return [error(at, `has days that the period from ${before.from} has too: correct from or until`)];
  });
};

/** Whether the paper says which tier is in force. Then bands of spend are not needed. */
const isSet = ({ earned: { inForce, grace } }: AgreementFile): boolean => inForce.length > 0 || grace !== undefined;

/** Without bands, the tiers are those that discounts and surcharges name. */
const setByPaper = ({ discounts, surcharges }: AgreementTables): string[] => [
  ...new Set([...discounts, ...surcharges].flatMap(({ tier }) => tier ?? [])),
];

/** Tiers, what they are used for, and how the one in force is found. */
export const checkEarned = (file: AgreementFile, json: string, tables: AgreementTables, fileOf: FileOf): Finding[] => {
  const { tiers, spend } = tables;
  const { earned } = file;
  const tierFile = fileOf('tiers');
  const known = tiers.length === 0 && isSet(file) ? setByPaper(tables) : tiers.map(({ tier }) => tier);
  const named = namedTiers(file, json, tables, fileOf);
  const unknown = named.filter(({ tier }) => !known.includes(tier));
  const list = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  const used = new Set(setByPaper(tables));
  const { grace, inForce } = earned;
  const isEmptyGrace = grace !== undefined && grace.until < file.effective;
  const isOpen = tiers.length > 0 && spend.length === 0 && grace === undefined && inForce.length === 0;
  return [
    ...checkTierList(tiers, tierFile),
    ...checkSpend(spend, fileOf('spend')),
    ...checkInForce(file, json),
    ...unknown.map(({ tier, at }) =>
      error(
        at,
        `${JSON.stringify(tier)} is no tier of ${tiers.length === 0 && isSet(file) ? fileOf('discounts') : tierFile}, ${list}: correct the name, or add the tier`,
      ),
    ),
    ...tiers
      .filter(({ tier }) => !used.has(tier))
      .map(({ tier, row }) =>
        warning(`${tierFile} row ${row}`, `nothing counts in the tier ${tier}: add its lines to discounts.csv`),
      ),
    ...(isEmptyGrace
      ? [error(`${json} earned.grace.until`, `is before ${file.effective}, the effective date: correct it`)]
      : []),
    ...(isOpen
      ? [
          warning(
            tierFile,
            'no tier is ever in force: add spend.csv, or earned.inForce or earned.grace to agreement.json',
          ),
        ]
      : []),
    ...(spend.length > 0 && tiers.length === 0
      ? [warning(fileOf('spend'), 'counts for nothing without tiers.csv: add tiers.csv, or remove this file')]
      : []),
  ];
};
