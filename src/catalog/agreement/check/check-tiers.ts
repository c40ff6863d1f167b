/** Checks tiers, their programs, and what was spent and shipped. */
import { grouped } from '../../../base/maps.ts';
import { byFrom, shifted } from '../../tariff/days.ts';
import type { Finding } from '../../tariff/document.ts';
import { collected, error, warning } from '../../tariff/findings.ts';
import type { AgreementFile, AgreementTables, SpendLine, TierLine } from '../document.ts';
import type { FileOf } from '../subject.ts';
import { bandStart, bandsOf, measureOf, type Program, programsOf, tierPrograms, weeksOf } from '../tiers.ts';

const WEEK_DAYS = 7;
const DEFAULT_WEEKS = 52;

/** An agreement on a day, and where its parts are. */
interface Stated {
  readonly file: AgreementFile;
  readonly json: string;
  readonly tables: AgreementTables;
  readonly fileOf: FileOf;
}

/** The place in agreement.json of a program's rules. */
const placeOf = (json: string, { program }: Program): string =>
  `${json} earned${program === undefined ? '' : `.programs.${program}`}`;

const columnOf = ({ fromUsd }: TierLine): string => (fromUsd === undefined ? 'from_packages' : 'from_usd');

/** Checks the start of a band against the previous band of its program. Returns the wrong column, and why it is wrong. */
const wrongStart = (line: TierLine, before: TierLine | undefined): [column: string, why: string] | undefined => {
  const column = columnOf(line);
  if (line.program === undefined && line.fromPackages !== undefined)
    return ['program', 'is empty: packages are counted by a program. Name it here and in agreement.json'];
  if (before === undefined) return undefined;
  if (columnOf(before) !== column)
    return [column, `row ${before.row} of the same program has ${columnOf(before)}: use one of them`];
  if (bandStart(before) < bandStart(line)) return undefined;
  return [column, `must be more than ${before.fromUsd ?? before.fromPackages} in row ${before.row}: tiers must rise`];
};

/** Each name is used once across all programs. The bands of a program rise, and all use either dollars or packages. */
const checkTierList = (tiers: readonly TierLine[], file: string): Finding[] =>
  tiers.flatMap((line, index): Finding[] => {
    const at = `${file} row ${line.row}`;
    const earlier = tiers.slice(0, index);
    const same = earlier.find(({ tier }) => tier === line.tier);
    const wrong = wrongStart(line, bandsOf(earlier, line).at(-1));
    return collected(
      same && error(`${at} column tier`, `is also the name of the tier in row ${same.row}: rename one`),
      wrong && error(`${at} column ${wrong[0]}`, wrong[1]),
    );
  });

/** Weeks must be 7 days apart, both for each program and for lines without one. */
const checkSpend = (spend: readonly SpendLine[], file: string): Finding[] =>
  [...grouped(spend, ({ program }) => program).values()].flatMap((own) => {
    const weeks = own.toSorted((a, b) => (a.weekEnding < b.weekEnding ? -1 : 1));
    return weeks.flatMap((line, index): Finding[] => {
      const before = weeks[index - 1];
      if (before === undefined || line.weekEnding === shifted(before.weekEnding, WEEK_DAYS)) return [];
      const message = `must be 7 days after ${before.weekEnding} in row ${before.row}: correct the day, or add the weeks between them, with 0.00 for a week without spend`;
      return [error(`${file} row ${line.row} column week_ending`, message)];
    });
  });

/** Tiers that agreement.json or a line names, with the place that names them. */
const namedTiers = ({ json, tables, fileOf }: Stated, programs: readonly Program[]) => [
  ...programs.flatMap((program) => {
    const place = placeOf(json, program);
    const { inForce, grace } = program;
    return [
      ...inForce.map(({ tier }, index) => ({ program, tier, at: `${place}.inForce[${index}].tier` })),
      ...(grace === undefined ? [] : [{ program, tier: grace.tier, at: `${place}.grace.tier` }]),
    ];
  }),
  ...(['discounts', 'surcharges'] as const).flatMap((table) =>
    tables[table].flatMap(({ tier, row }) =>
      tier === undefined ? [] : [{ program: undefined, tier, at: `${fileOf(table)} row ${row} column tier` }],
    ),
  ),
];

const checkInForce = ({ inForce }: Program, place: string): Finding[] => {
  const periods = inForce.map((period, index) => ({ ...period, at: `${place}.inForce[${index}]` })).sort(byFrom);
  return periods.flatMap(({ at, from, until }, index): Finding[] => {
    const before = periods[index - 1];
    if (until !== undefined && until < from) return [error(at, 'ends before it begins: correct from or until')];
    if (before === undefined) return [];
    if (before.from < from && (before.until === undefined || before.until < from)) return [];
    return [error(at, `overlaps the period from ${before.from}: correct from or until`)];
  });
};

/** Whether the agreement says which tier is in force. Then bands of spend are not needed. */
const isSet = ({ inForce, grace }: Program): boolean => inForce.length > 0 || grace !== undefined;

/** Reports names of programs that agreement.json does not have. */
const checkPrograms = ({ tables, fileOf, json }: Stated, programs: readonly Program[]): Finding[] => {
  const known = programs.flatMap(({ program }) => program ?? []);
  const list = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
  return (['tiers', 'spend'] as const).flatMap((table) =>
    tables[table].flatMap(({ program, row }) => {
      if (program === undefined || known.includes(program)) return [];
      const message = `${JSON.stringify(program)} is not a program in earned.programs of ${json}, ${list}: correct the name, or add the program`;
      return [error(`${fileOf(table)} row ${row} column program`, message)];
    }),
  );
};

/** Checks that each week has the figure that a program counts. Reports the first week without one. */
const checkFigures = ({ tables, fileOf }: Stated, program: Program): Finding[] => {
  const bands = bandsOf(tables.tiers, program);
  const measure = measureOf(bands);
  const column = measure === 'packages' ? 'packages' : 'usd';
  const [first, ...more] = weeksOf(tables.spend, program).filter((week) => week[column] === undefined);
  if (bands.length === 0 || first === undefined) return [];
  const who = program.program === undefined ? fileOf('tiers') : JSON.stringify(program.program);
  const others = more.length === 0 ? '' : `, and for ${more.length} more`;
  const message = `is empty, but ${who} counts ${measure}: write the ${measure} of this week${others}`;
  return [error(`${fileOf('spend')} row ${first.row} column ${column}`, message)];
};

const checkProgram = (stated: Stated, program: Program): Finding[] => {
  const { file, tables, fileOf, json } = stated;
  const place = placeOf(json, program);
  const bands = bandsOf(tables.tiers, program);
  const isNamed = program.program !== undefined;
  const { grace, averageWeeks, period } = program;
  const isOpen = bands.length > 0 && weeksOf(tables.spend, program).length === 0 && !isSet(program);
  const unused = isNamed && bands.length === 0 && !isSet(program);
  const advice = isNamed
    ? `add its weeks to ${fileOf('spend')}, or inForce or grace here`
    : 'add spend.csv, or earned.inForce or earned.grace to agreement.json';
  return collected(
    checkInForce(program, place),
    grace !== undefined &&
      grace.until < file.effective &&
      error(`${place}.grace.until`, `is before ${file.effective}, the effective date: correct it`),
    checkFigures(stated, program),
    isOpen && warning(isNamed ? place : fileOf('tiers'), `no tier is ever in force: ${advice}`),
    unused && error(place, `has no tiers: add rows of it to ${fileOf('tiers')}, or inForce or grace here`),
    period === 'quarter' &&
      averageWeeks !== DEFAULT_WEEKS &&
      warning(`${place}.averageWeeks`, 'has no effect, because the period is a quarter: remove it'),
  );
};

/** Checks tiers, their uses, and how the tiers in force are found. */
export const checkEarned = (file: AgreementFile, json: string, tables: AgreementTables, fileOf: FileOf): Finding[] => {
  const stated = { file, json, tables, fileOf };
  const { tiers, spend, discounts, surcharges } = tables;
  const tierFile = fileOf('tiers');
  const programs = programsOf(file);
  const banded = tiers.map(({ tier }) => tier);
  const used = [...new Set([...discounts, ...surcharges].flatMap(({ tier }) => tier ?? []))];
  // Without bands, the tiers are those that discounts and surcharges name.
  const isFree = (program: Program): boolean => isSet(program) && bandsOf(tiers, program).length === 0;
  const named = programs.some(isFree) ? [...tierPrograms(file, tables).keys()] : banded;
  const knownIn = (program: Program | undefined): string[] => {
    if (program === undefined) return banded.length === 0 && named.length > 0 ? used : named;
    return isFree(program)
      ? used.filter((tier) => !banded.includes(tier))
      : bandsOf(tiers, program).map(({ tier }) => tier);
  };
  return collected(
    checkTierList(tiers, tierFile),
    checkSpend(spend, fileOf('spend')),
    checkPrograms(stated, programs),
    namedTiers(stated, programs).flatMap(({ program, tier, at }): Finding[] => {
      const known = knownIn(program);
      if (known.includes(tier)) return [];
      const list = known.length === 0 ? 'it has none' : `it has ${known.join(', ')}`;
      const place = known.length > 0 && tiers.length === 0 ? fileOf('discounts') : tierFile;
      const message = `${JSON.stringify(tier)} is not a tier of ${place}, ${list}: correct the name, or add the tier`;
      return [error(at, message)];
    }),
    tiers
      .filter(({ tier }) => !used.includes(tier))
      .map(({ tier, row }) =>
        warning(`${tierFile} row ${row}`, `no discount has the tier ${tier}: add its lines to discounts.csv`),
      ),
    programs.flatMap((program) => checkProgram(stated, program)),
    spend.length > 0 &&
      tiers.length === 0 &&
      warning(fileOf('spend'), 'has no effect without tiers.csv: add tiers.csv, or remove this file'),
  );
};
