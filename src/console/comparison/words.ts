/** A comparison in words. */

import { partName } from '../../lists/columns/plain-words.ts';
import type { ComparisonSummary } from '../calls.ts';
import { type Doubtful, lackedBy } from '../doubts.ts';
import { counted, dayOf, differencePercent, money } from '../ui/format.ts';

export type ScenarioSummary = ComparisonSummary['scenarios'][number];

/** A name as the beginning of a sentence. */
export const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const PARTS: ReadonlyMap<string, string> = new Map([
  ['ZONE', 'Zones'],
  ['WEIGHT', 'Billed weight'],
  ['RATE', 'Rates'],
  ['DISCOUNT', 'Discounts'],
  ['MINIMUM', 'Minimum charges'],
  ['BASE', 'Base charges'],
  ['FUEL', 'Fuel'],
]);

const LIST = new Intl.ListFormat('en-US');

/** A part of a difference: `Residential delivery` of `RESIDENTIAL_DELIVERY`. */
export const chargeName = (part: string): string => PARTS.get(part) ?? titleOf(part.replaceAll('_', ' ').toLowerCase());

/** `4.2%`, without a sign. */
const share = (percent: number | null): string =>
  percent === null ? '' : ` (${differencePercent(Math.abs(percent)).replace('+', '')})`;

/** What a scenario costs: `saves $312.10 (8.1%) on 40 shipments`. */
export const verdictOf = ({ difference, percent, shipments }: ScenarioSummary): string => {
  const on = `on ${counted(shipments, 'shipment')}`;
  if (shipments === 0) return 'cannot be compared, because no shipment has both prices';
  if (difference === 0) return `costs the same ${on}`;
  return difference < 0
    ? `saves ${money(-difference)}${share(percent)} ${on}`
    : `costs ${money(difference)} more${share(percent)} ${on}`;
};

/** What one side lacks and the other has; empty if both lack the same. */
const unlikeOf = (base: Doubtful, scenario: Doubtful): string => {
  const [now, then] = [lackedBy(base), lackedBy(scenario)];
  const lacks = (own: readonly string[], others: readonly string[]): string =>
    LIST.format(own.filter((part) => !others.includes(part)).map(partName));
  const [less, more] = [lacks(then, now), lacks(now, then)];
  return [
    less === '' ? '' : `Its prices lack ${less}, which today’s prices include.`,
    more === '' ? '' : `Today’s prices lack ${more}, which its prices include.`,
  ]
    .filter(Boolean)
    .join(' ');
};

/** The parts of a price that are alike on both sides: the rates of packages, less their discounts. */
const ALIKE = ['BASE', 'DISCOUNT'];

/** What must be said before the verdict: that the sides are not alike, and what the parts come to that are. Or nothing. */
export const beforeVerdict = (base: Doubtful, scenario: ScenarioSummary): string => {
  const unlike = unlikeOf(base, scenario);
  if (unlike === '') return '';
  const cents = scenario.byCharge
    .filter(({ type }) => ALIKE.includes(type))
    .reduce((sum, { difference }) => sum + Math.round(100 * difference), 0);
  const alike = cents === 0 ? 'cost the same' : `${cents < 0 ? 'save' : 'cost'} ${money(Math.abs(cents) / 100)}`;
  return `: the two sides are not alike. ${unlike} Rates and discounts alone ${alike}${cents > 0 ? ' more' : ''}. In all, it`;
};

/** What both sides lack, as a sentence. */
export const bothLackText = (base: Doubtful, scenario: Doubtful): string => {
  const both = lackedBy(scenario).filter((part) => lackedBy(base).includes(part));
  const isStale = 'fuel.stale' in base.warnings || 'fuel.stale' in scenario.warnings;
  return [
    both.length === 0 ? '' : ` Both totals are without ${LIST.format(both.map(partName))}.`,
    isStale ? ' Some prices have the last known fuel rate.' : '',
  ].join('');
};

/** What is not in the difference, as sentences. */
export const apartOf = ({ onlyBase, onlyScenario }: Pick<ScenarioSummary, 'onlyBase' | 'onlyScenario'>): string =>
  [
    onlyBase.shipments === 0
      ? ''
      : ` It cannot price ${counted(onlyBase.shipments, 'shipment')} that cost ${money(onlyBase.total)} now.`,
    onlyScenario.shipments === 0
      ? ''
      : ` It prices ${counted(onlyScenario.shipments, 'shipment')} for ${money(onlyScenario.total)} that have no price now.`,
  ].join('');

/** What follows the name in the id of a tariff, such as `carriers@2027-01-04-cc66ae45`. */
const TARIFF_VERSION = /@(\d{4}-\d\d-\d\d)-[0-9a-f]{8}/g;

/** What a scenario changes, with days in place of the ids of tariffs. */
export const changesText = (changes: string): string =>
  changes.replaceAll(TARIFF_VERSION, (_, day: string) => ` from ${dayOf(day)}`);

/** `3 to 5 lb`. */
export const bandName = ({
  overLb,
  toLb,
}: Pick<ScenarioSummary['byBillingWeight'][number], 'overLb' | 'toLb'>): string => {
  if (toLb === null) return `over ${overLb} lb`;
  return toLb === overLb + 1 ? `${toLb} lb` : `${overLb + 1} to ${toLb} lb`;
};
