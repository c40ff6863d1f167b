/** Text about a comparison. */
import { PROGRAM_PART, partName } from '../../lists/columns/plain-words.ts';
import type { Comparison, ComparisonSummary } from '../calls.ts';
import { doubtsOf, ESTIMATES, lackedBy } from '../ui/doubts.ts';
import { anyOf, capital, chargeTitle, count, counted, differencePercent, money } from '../ui/format.ts';

export type ScenarioSummary = ComparisonSummary['scenarios'][number];

/** Capitalizes a name at the beginning of a sentence. A file name stays as it is. */
export const titleOf = (name: string): string => (/\.\w{1,7}$/.test(name) ? name : capital(name));

/** What is compared, and the names of the two sides: as a heading, and in a sentence such as `that cost $5.00 now`. */
export interface Sides {
  readonly noun: 'Scenario' | 'List';
  readonly base: string;
  readonly scenario: string;
  readonly inBase: string;
  readonly inScenario: string;
}

/** Two batches have the names of their files. */
export const sidesOf = ({ filename, with: other }: Pick<Comparison, 'filename' | 'with'>): Sides => {
  const sides = (noun: Sides['noun'], base: string, scenario: string, inBase: string, inScenario: string): Sides => ({
    ...{ noun, base, scenario, inBase, inScenario },
  });
  if (other === null) return sides('Scenario', 'Now', 'In the scenario', 'now', 'in the scenario');
  if (filename === other.filename) return sides('List', 'This list', 'Other list', 'in this list', 'in the other list');
  return sides('List', filename, other.filename, `in ${filename}`, `in ${other.filename}`);
};

/** A list and the warnings of its prices. */
type Priced = Pick<ComparisonSummary['base'], 'priced' | 'warnings'>;

const PARTS: ReadonlyMap<string, string> = new Map([
  ['ZONE', 'Zones'],
  ['WEIGHT', 'Billed weight'],
  ['RATE', 'Rates'],
  ['MULTIWEIGHT', 'Multiweight prices'],
  ['DISCOUNT', 'Discounts'],
  ['MINIMUM', 'Minimum charges'],
  ['BASE', 'Base charges'],
  ['FUEL', 'Fuel'],
]);

/** Charges that are in every price. */
const RATES = ['BASE', 'DISCOUNT'];

/** The name of a part of a difference: `Residential delivery` for `RESIDENTIAL_DELIVERY`. */
export const chargeName = (part: string): string =>
  part.startsWith(PROGRAM_PART) ? `Program ${part.slice(PROGRAM_PART.length)}` : (PARTS.get(part) ?? chargeTitle(part));

/** Formats `4.2%`, without a sign. */
const share = (percent: number | null): string =>
  percent === null ? '' : ` (${differencePercent(Math.abs(percent)).replace('+', '')})`;

/** Says what a scenario costs: `saves $312.10 (8.1%) on 40 shipments`. */
export const verdictOf = ({
  difference,
  percent,
  shipments,
}: Pick<ScenarioSummary, 'difference' | 'percent' | 'shipments'>): string => {
  const on = `on ${counted(shipments, 'shipment')}`;
  if (shipments === 0) return 'cannot be compared, because no shipment has both prices';
  if (difference === 0) return `costs the same ${on}`;
  return difference < 0
    ? `saves ${money(-difference)}${share(percent)} ${on}`
    : `costs ${money(difference)} more${share(percent)} ${on}`;
};

/** The parts that the prices of one side lack more often than those of the other. */
export const unlikeParts = ({ missing, baseMissing }: Pick<ScenarioSummary, 'missing' | 'baseMissing'>) =>
  lackedBy({ ...baseMissing, ...missing }).filter((part) => (missing[part] ?? 0) !== (baseMissing[part] ?? 0));

/** Text before the verdict: the sides lack different parts, and what the parts add up to that both sides have. */
export const beforeVerdict = (scenario: ScenarioSummary): string => {
  const { shipments, missing, baseMissing, byCharge } = scenario;
  const unlike = unlikeParts(scenario);
  if (shipments === 0 || unlike.length === 0) return '';
  const counts = unlike.map(
    (part) =>
      `Prices without ${partName(part)}: ${count(missing[part] ?? 0)} in the scenario, ${count(baseMissing[part] ?? 0)} now.`,
  );
  const cents = byCharge
    .filter(({ type }) => RATES.includes(type))
    .reduce((sum, { difference }) => sum + Math.round(100 * difference), 0);
  const amount = money(Math.abs(cents) / 100);
  const rates = cents === 0 ? 'cost the same' : cents < 0 ? `save ${amount}` : `cost ${amount} more`;
  return `: this is not a like-for-like comparison. ${counts.join(' ')} Base rates and discounts by themselves ${rates}. Overall, it`;
};

/** Clauses about each of two batches. Their outputs name the warnings of a price, but not the parts that it lacks. */
export const doubtsOfLists = (base: Priced, other: Priced, sides: Sides): readonly string[] =>
  [
    { name: sides.base, ...base },
    { name: sides.scenario, ...other },
  ].flatMap(({ name, warnings, priced }) => {
    const clauses = doubtsOf({ warnings, missing: {} }, priced);
    return clauses.length === 0 ? [] : [`${name}: ${clauses.join(', ')}`];
  });

/** Clauses: what all compared prices lack on both sides, and what some of them estimate. */
export const bothLack = (
  { shipments, missing, baseMissing, warnings }: ScenarioSummary,
  base: Pick<ComparisonSummary['base'], 'warnings'>,
): readonly string[] => {
  const said = { ...base.warnings, ...warnings };
  const both = lackedBy(missing).filter(
    (part) => missing[part] === shipments && baseMissing[part] === shipments && shipments > 0,
  );
  const estimates = Object.entries(ESTIMATES).flatMap(([type, words]) => (type in said ? [words] : []));
  return [
    ...(both.length === 0 ? [] : [`Neither total includes ${anyOf(both.map(partName))}`]),
    ...(estimates.length === 0 ? [] : [`Some prices use ${anyOf(estimates)}`]),
  ];
};

/** Sentences about what is not in the difference. */
export const apartOf = (
  { onlyBase, onlyScenario }: Pick<ScenarioSummary, 'onlyBase' | 'onlyScenario'>,
  { inBase }: Pick<Sides, 'inBase'>,
): string =>
  [
    onlyBase.shipments === 0
      ? ''
      : ` It cannot price ${counted(onlyBase.shipments, 'shipment')} (${money(onlyBase.total)} ${inBase}).`,
    onlyScenario.shipments === 0
      ? ''
      : ` It also prices ${counted(onlyScenario.shipments, 'shipment')} that ${onlyScenario.shipments === 1 ? 'has' : 'have'} no price ${inBase} (${money(onlyScenario.total)}).`,
  ].join('');

type Band = Pick<ScenarioSummary['byBillingWeight'][number], 'overLb' | 'toLb'>;

/** Formats `3 to 5 lb`. */
export const bandName = ({ overLb, toLb }: Band): string => {
  if (toLb === null) return `over ${overLb} lb`;
  return toLb === overLb + 1 ? `${toLb} lb` : `${overLb + 1} to ${toLb} lb`;
};

/** The name of a weight band in requests of its rows. */
export const bandKey = ({ toLb }: Pick<Band, 'toLb'>): string => (toLb === null ? 'over' : String(toLb));
