/** Checks an agreement's surcharge changes and fuel rates against the surcharges of the tariffs. */
import type { Card } from '../../../rating/card.ts';
import { isFuel } from '../../../rating/charges.ts';
import { dollarText } from '../../../rating/quantity.ts';
import { centsOf } from '../../tariff/compile-charges.ts';
import type { Finding, SurchargeEntry } from '../../tariff/document.ts';
import { collected, error, severalOf, sharing, warning } from '../../tariff/findings.ts';
import { chargesOf } from '../../tariff/fuel.ts';
import { listAt, namesType } from '../compile-charges.ts';
import type { SurchargeLine } from '../document.ts';
import { cardsOf, type Held, nearestName, zonesOf } from '../subject.ts';

/** Returns all surcharges of services, including seasonal ones. */
const entriesOf = (cards: readonly Card[], { schedule }: Held): SurchargeEntry[] =>
  schedule.documents.flatMap((document) => {
    const codes = cards.filter(({ code }) => document.file.services.some((service) => service.code === code));
    return [...new Set(codes.flatMap(({ code }) => chargesOf(document, code)))];
  });

const listed = (names: readonly string[]): string => [...new Set(names)].sort().join(', ') || 'none';

/** Checks that a change suits the surcharges, which are either percentages or amounts. */
const checkKind = ({ surcharge, change, isPercent }: SurchargeLine, entries: readonly SurchargeEntry[], at: string) => {
  const percent = entries.find(({ amount }) => amount.per === 'percent')?.type;
  const amount = entries.find(({ amount: { per } }) => per !== 'percent')?.type;
  const both = `${surcharge} names the percentage ${percent} and the amount ${amount}: use a row for each`;
  return collected(
    change === 'amount off' &&
      percent !== undefined &&
      error(`${at} column change`, `${percent} is a percentage: write points off or percent off`),
    change === 'points off' &&
      amount !== undefined &&
      error(`${at} column change`, `${amount} is an amount: write amount off or percent off`),
    isPercent &&
      amount !== undefined &&
      error(`${at} column value`, `${amount} is an amount: write dollars, without a percent sign`),
    ['fixed', 'exactly', 'at most'].includes(change) &&
      percent !== undefined &&
      amount !== undefined &&
      error(`${at} column surcharge`, both),
  );
};

/** Checks weights and addresses. Weights apply to packages. A surcharge for one address type does not apply to the other. */
const checkWho = (line: SurchargeLine, entries: readonly SurchargeEntry[], at: string): Finding[] => {
  const other = entries.find(({ amount }) => amount.per !== 'package' && amount.per !== 'pound');
  const isByWeight = line.fromLb !== undefined || line.toLb !== undefined;
  const isHome = line.address === 'residential';
  const never = line.address !== undefined && entries.every(({ when }) => when.residential === !isHome);
  return collected(
    isByWeight &&
      other !== undefined &&
      error(`${at} column from_lb`, `${other.type} is not charged by package: leave from_lb and to_lb empty`),
    never &&
      error(`${at} column address`, `${line.surcharge} is never charged to a ${line.address} address: correct it`),
  );
};

/** Returns the list charges in the columns of a line, by card and surcharge. */
const listedFor = (line: SurchargeLine, cards: readonly Card[]) =>
  cards.flatMap((card) => {
    const columns = [...(zonesOf(line.zones, card) ?? card.columns.keys())];
    return card.surcharges
      .filter(({ type, tier }) => namesType(line.surcharge, type) && (line.area === undefined || line.area === tier))
      .map((surcharge) => ({
        ...{ per: surcharge.amount.per, type: surcharge.type, code: card.code },
        list: columns.map((column) => listAt(surcharge, column)),
      }));
  });

/** A fixed amount above the list's is never charged. An `exactly` amount is charged, so the check asks about it. */
const checkFixed = (line: SurchargeLine, cards: readonly Card[], at: string): Finding[] => {
  if (line.change !== 'fixed' && line.change !== 'exactly') return [];
  const result =
    line.change === 'fixed'
      ? 'the list price is charged. Correct it, or write exactly if the contract says so'
      : `${line.value} is charged. Is this what the contract says?`;
  const low = listedFor(line, cards)
    .map(({ list, ...one }) => ({ ...one, least: Math.min(...list) }))
    .filter(({ per, least }) => per !== 'declaredValue' && least < centsOf(line.value))
    .map(({ type, code, least }) => [code, `${dollarText(least)}, the list price of ${type}`] as const);
  return [...sharing(low)].map(([price, codes]) =>
    warning(`${at} column value`, `the value is above ${price} for ${codes.join(', ')}: ${result}`),
  );
};

/** An amount off that exceeds a charge makes it free. Then it must be written as `waived`. */
const checkAmountOff = (line: SurchargeLine, cards: readonly Card[], at: string): Finding[] => {
  if (line.change !== 'amount off') return [];
  return listedFor(line, cards).flatMap(({ per, type, code, list }): Finding[] => {
    const greatest = Math.max(0, ...list);
    if (per === 'percent' || greatest === 0 || centsOf(line.value) <= greatest) return [];
    const message = `the value is more than the list price of ${type} for ${code}, ${dollarText(greatest)}, which makes it free: correct it, or write waived if that is meant`;
    return [error(`${at} column value`, message)];
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
    const ask = nearest === undefined ? `They have ${severalOf(types.sort())}` : `Did you mean ${nearest}?`;
    const message = `the services of this row have no surcharge ${line.surcharge}, so the row changes no price. ${ask}`;
    return [warning(`${at} column surcharge`, message)];
  }
  const { area } = line;
  const inArea = area === undefined ? named : named.filter(({ when }) => when.area?.tier === area);
  if (inArea.length === 0) {
    const areas = listed(named.flatMap(({ when }) => when.area?.tier ?? []));
    const message = `no surcharge ${line.surcharge} has the area ${area}: correct it, or leave it empty. Its areas are ${areas}`;
    return [error(`${at} column area`, message)];
  }
  const without = cards.filter((card) => !entriesOf([card], held).some(({ type }) => namesType(line.surcharge, type)));
  const codes = without.map(({ code }) => code).join(', ');
  return collected(
    line.services !== '*' &&
      codes !== '' &&
      warning(
        `${at} column services`,
        `there is no surcharge ${line.surcharge} on ${codes}: name only services with it`,
      ),
    checkKind(line, inArea, at),
    checkWho(line, inArea, at),
    checkFixed(line, cards, at),
    checkAmountOff(line, cards, at),
  );
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
