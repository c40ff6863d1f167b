/** Checks an agreement's changes of surcharges, and its fuel rates, against the surcharges of the tariffs. */
import type { Card } from '../../../rating/card.ts';
import { isFuel } from '../../../rating/charges.ts';
import { dollarText } from '../../../rating/quantity.ts';
import { centsOf } from '../../tariff/compile-charges.ts';
import type { Finding, SurchargeEntry } from '../../tariff/document.ts';
import { error, warning } from '../../tariff/findings.ts';
import { chargesOf } from '../../tariff/fuel.ts';
import { namesType } from '../compile-charges.ts';
import type { SurchargeLine } from '../document.ts';
import { nearestName } from '../nearest.ts';
import { cardsOf, type Held, zonesOf } from '../subject.ts';

/** All surcharges of services, whenever they are charged: a season's too. */
const entriesOf = (cards: readonly Card[], { schedule }: Held): SurchargeEntry[] =>
  schedule.documents.flatMap((document) => {
    const codes = cards.filter(({ code }) => document.file.services.some((service) => service.code === code));
    return [...new Set(codes.flatMap(({ code }) => chargesOf(document, code)))];
  });

const listed = (names: readonly string[]): string => [...new Set(names)].sort().join(', ') || 'none';

/** A change must suit what the surcharges are: percentages or amounts. */
const checkKind = ({ surcharge, change, isPercent }: SurchargeLine, entries: readonly SurchargeEntry[], at: string) => {
  const percents = entries.filter(({ amount }) => amount.per === 'percent');
  const amounts = entries.filter(({ amount }) => amount.per !== 'percent');
  const [percent] = percents;
  const [amount] = amounts;
  const findings: Finding[] = [];
  if (change === 'amount off' && percent !== undefined)
    findings.push(error(`${at} column change`, `${percent.type} is a percentage: write points off or percent off`));
  if (change === 'points off' && amount !== undefined)
    findings.push(error(`${at} column change`, `${amount.type} is an amount: write amount off or percent off`));
  if (isPercent === true && amount !== undefined)
    findings.push(error(`${at} column value`, `${amount.type} is an amount: write dollars, without a percent sign`));
  if (
    (change === 'fixed' || change === 'exactly' || change === 'at most') &&
    percent !== undefined &&
    amount !== undefined
  ) {
    const message = `${surcharge} names the percentage ${percent.type} and the amount ${amount.type}: use a row for each`;
    findings.push(error(`${at} column surcharge`, message));
  }
  return findings;
};

/** Weights are those of packages, and a surcharge of one kind of address has no other. */
const checkWho = (line: SurchargeLine, entries: readonly SurchargeEntry[], at: string): Finding[] => {
  const other = entries.find(({ amount }) => amount.per !== 'package' && amount.per !== 'pound');
  const isByWeight = line.fromLb !== undefined || line.toLb !== undefined;
  const isHome = line.address === 'residential';
  const never = line.address !== undefined && entries.every(({ when }) => when.residential === !isHome);
  return [
    ...(isByWeight && other !== undefined
      ? [error(`${at} column from_lb`, `${other.type} is not charged by package: leave from_lb and to_lb empty`)]
      : []),
    ...(never
      ? [error(`${at} column address`, `${line.surcharge} is never charged to a ${line.address} address: correct it`)]
      : []),
  ];
};

/** A fixed amount above the list's is never charged. One that is exactly so much is, so the check asks. */
const checkFixed = (line: SurchargeLine, cards: readonly Card[], at: string): Finding[] => {
  if (line.change !== 'fixed' && line.change !== 'exactly') return [];
  const fixed = centsOf(line.value);
  return cards.flatMap((card) => {
    const columns = zonesOf(line.zones, card) ?? new Set(card.columns.keys());
    return card.surcharges.flatMap(({ type, tier, amount }): Finding[] => {
      if (!namesType(line.surcharge, type) || (line.area !== undefined && line.area !== tier)) return [];
      if (amount.per === 'declaredValue') return [];
      const list = [...columns].map((column) =>
        amount.per === 'percent' ? amount.rate : (amount.centsByColumn[column] ?? 0),
      );
      const least = list.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
      if (least >= fixed) return [];
      const result =
        line.change === 'fixed'
          ? "the list's is charged there. Correct it, or write exactly if the paper says so"
          : `${line.value} is charged there. Is this what the paper says?`;
      const message = `is above the list's ${dollarText(least)} of ${type} for ${card.code}: ${result}`;
      return [warning(`${at} column value`, message)];
    });
  });
};

/** An amount off that is more than a charge makes it free: that must be written as `waived`. */
const checkAmountOff = (line: SurchargeLine, cards: readonly Card[], at: string): Finding[] => {
  if (line.change !== 'amount off') return [];
  const off = centsOf(line.value);
  return cards.flatMap((card) => {
    const columns = zonesOf(line.zones, card) ?? new Set(card.columns.keys());
    return card.surcharges.flatMap(({ type, tier, amount }): Finding[] => {
      if (!namesType(line.surcharge, type) || (line.area !== undefined && line.area !== tier)) return [];
      if (amount.per === 'percent' || amount.per === 'declaredValue') return [];
      const greatest = [...columns].reduce((most, column) => Math.max(most, amount.centsByColumn[column] ?? 0), 0);
      if (greatest === 0 || off <= greatest) return [];
      const message = `is more than the list's ${dollarText(greatest)} of ${type} for ${card.code}, which makes it free: correct it, or write waived if that is meant`;
      return [error(`${at} column value`, message)];
    });
  });
};

const checkLine = (line: SurchargeLine, file: string, held: Held): Finding[] => {
  const at = `${file} row ${line.row}`;
  const cards = cardsOf(line.services, held);
  if (cards.length === 0) return [];
  const entries = entriesOf(cards, held);
  const named = entries.filter(({ type }) => namesType(line.surcharge, type));
  if (named.length === 0) {
    const types = [...new Set(entries.map(({ type }) => type))];
    const nearest = nearestName(line.surcharge, types);
    const ask = nearest === undefined ? `They have ${listed(types)}` : `Is it ${nearest}?`;
    const message = `the services of this row have no surcharge ${line.surcharge}: it is kept and shown, and changes no price. ${ask}`;
    return [warning(`${at} column surcharge`, message)];
  }
  const { area } = line;
  const inArea = area === undefined ? named : named.filter(({ when }) => when.area?.tier === area);
  if (inArea.length === 0) {
    const areas = listed(named.flatMap(({ when }) => when.area?.tier ?? []));
    const message = `no surcharge ${line.surcharge} has the area ${area}: correct it, or leave it empty. Its areas are ${areas}`;
    return [error(`${at} column area`, message)];
  }
  const without =
    line.services === '*'
      ? []
      : cards.filter((card) => !entriesOf([card], held).some(({ type }) => namesType(line.surcharge, type)));
  return [
    ...without.map(({ code }) =>
      warning(`${at} column services`, `${code} has no surcharge ${line.surcharge}: remove it from the row`),
    ),
    ...checkKind(line, inArea, at),
    ...checkWho(line, inArea, at),
    ...checkFixed(line, cards, at),
    ...checkAmountOff(line, cards, at),
  ];
};

export const checkSurcharges = (held: Held): Finding[] => {
  const { tables } = held.version;
  const rates = (['fuel', 'fuel_index'] as const).flatMap((table) =>
    (tables[table] ?? []).map(({ services, row }) => ({ services, at: `${held.fileOf(table)} row ${row}` })),
  );
  const fuel = rates.flatMap(({ services, at }): Finding[] => {
    const cards = cardsOf(services, held);
    if (cards.length === 0 || entriesOf(cards, held).some(isFuel)) return [];
    const message = 'the tariffs have no fuel surcharge for these services, so this rate never counts: add it to them';
    return [error(at, message)];
  });
  return [...tables.surcharges.flatMap((line) => checkLine(line, held.fileOf('surcharges'), held)), ...fuel];
};
