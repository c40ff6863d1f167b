/** Compiles what an agreement charges instead of a card's surcharges. */
import { must } from '../../base/must.ts';
import type { Card } from '../../rating/card.ts';
import { isFuel, type Surcharge } from '../../rating/charges.ts';
import { basisPointsOf } from '../../rating/quantity.ts';
import { afterChanges, type ChangedCharge, type ChargeChange, type Terms } from '../../rating/terms.ts';
import { centsOf } from '../tariff/compile-charges.ts';
import { periodOn } from '../tariff/days.ts';
import type { SurchargeLine } from './document.ts';
import { namesService, type Subject, zonesOf } from './subject.ts';

/** Whether a line's surcharge names a type: the same, or its beginning and a star. */
export const namesType = (named: string, type: string): boolean =>
  named.endsWith('*') ? type.startsWith(named.slice(0, -1)) : type === named;

const changeOf = (line: SurchargeLine, { amount }: Surcharge, subject: Subject): ChargeChange => {
  const { card, version, prefix } = subject;
  const columns = zonesOf(line.zones, card);
  const isPercent = amount.per === 'percent' || line.change === 'percent off' || line.change === 'points off';
  const { change: kind, value: text } = line;
  return {
    kind,
    value: kind === 'waived' ? 0 : isPercent ? basisPointsOf(text) : centsOf(text),
    source: `${prefix}${version.folderOf('surcharges')}surcharges.csv row ${line.row}`,
    ...(columns === undefined ? {} : { columns }),
  };
};

const SETTLED: readonly ChargeChange['kind'][] = ['own rate', 'fixed', 'waived'];

/** Whether what a card's fuel costs follows from the list's rate, in any column. */
export const isFuelListed = ({ surcharges }: Pick<Card, 'surcharges'>, charges: Terms['charges']): boolean =>
  surcharges.some(
    (surcharge, at) =>
      isFuel(surcharge) &&
      !charges?.[at]?.changes.some(({ kind, columns }) => columns === undefined && SETTLED.includes(kind)),
  );

/** The agreement's own rate of fuel on the day, as the first change. */
const ownFuel = (surcharge: Surcharge, subject: Subject): ChargeChange[] => {
  const { version, prefix, day } = subject;
  if (!isFuel(surcharge)) return [];
  const lines = version.tables.fuel.filter(({ services }) => namesService(services, subject));
  const line = periodOn(lines, day);
  if (line === undefined) return [];
  const source = `${prefix}${version.folderOf('fuel')}fuel.csv row ${line.row}`;
  return [{ kind: 'own rate', value: basisPointsOf(line.percent), source }];
};

const changesOf = (surcharge: Surcharge, subject: Subject): ChargeChange[] => {
  const lines = subject.version.tables.surcharges.filter(
    (line) =>
      namesType(line.surcharge, surcharge.type) &&
      namesService(line.services, subject) &&
      (line.area === undefined || line.area === surcharge.tier),
  );
  const ordered = [
    ...lines.filter(({ change }) => change !== 'at most'),
    ...lines.filter(({ change }) => change === 'at most'),
  ];
  return [...ownFuel(surcharge, subject), ...ordered.map((line) => changeOf(line, surcharge, subject))];
};

/** What the list charges in a column: cents, or basis points of a percentage; 0 of a declared value. */
export const listAt = ({ amount }: Surcharge, column: number): number => {
  if (amount.per === 'percent') return amount.rate;
  return amount.per === 'declaredValue' ? 0 : must(amount.centsByColumn[column], 'the cents of a column');
};

/** Charges by the lines that they come from: services and days share those that are alike. */
const alike = new WeakMap<readonly SurchargeLine[], Map<string, ChangedCharge>>();

/** A charge that is the same for another service or on another day. */
const shared = (own: ChangedCharge, lines: readonly SurchargeLine[]): ChangedCharge => {
  const known = alike.get(lines) ?? new Map<string, ChangedCharge>();
  alike.set(lines, known);
  const changes = own.changes.map(
    ({ kind, value, source, columns }) =>
      `${kind} ${value} ${source} ${columns === undefined ? '' : [...columns].join()}`,
  );
  const key = `${own.byColumn.join()} ${changes.join(' ')}`;
  const same = known.get(key);
  if (same === undefined) known.set(key, own);
  return same ?? own;
};

/** @returns beside the card's surcharges; undefined if the list's are charged */
export const changedCharges = (subject: Subject): readonly (ChangedCharge | undefined)[] | undefined => {
  const { card } = subject;
  const charges = card.surcharges.map((surcharge): ChangedCharge | undefined => {
    const changes = changesOf(surcharge, subject);
    if (changes.length === 0) return undefined;
    const own: ChangedCharge = { byColumn: new Int32Array(card.columns.length), changes };
    for (const column of card.columns.keys())
      own.byColumn[column] = afterChanges(own, column, listAt(surcharge, column), surcharge.amount.per === 'percent');
    return shared(own, subject.version.tables.surcharges);
  });
  return charges.some((own) => own !== undefined) ? charges : undefined;
};
