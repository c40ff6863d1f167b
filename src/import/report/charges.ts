/** The parts of an import report about charges, fuel and areas. */
import { grouped } from '../../base/maps.ts';
import type { Coverage } from '../../catalog/tariff/coverage.ts';
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import { sharing } from '../../catalog/tariff/findings.ts';
import { partName } from '../../lists/columns/plain-words.ts';
import { TARIFF_PARTS } from '../../rating/charges.ts';
import { type ServiceName, servicesText } from '../merge/charged-services.ts';
import type { MergedCharges, TakenCharge } from '../merge/charges.ts';
import type { Fuel } from '../merge/fuel.ts';
import { amountText, periodText } from '../merge/surcharge-keys.ts';
import { measuresText } from '../plain-csv/charge-cells.ts';
import type { ParsedAreas, Source } from '../read/reader.ts';

/** Content that the tariff takes from the files. */
export interface Taken {
  readonly services: readonly ServiceName[];
  readonly charges: readonly TakenCharge[];
  readonly repeated: MergedCharges['repeated'];
  readonly fuel: readonly Fuel[];
}

/** The number of ZIP codes or ranges by tier. */
const tiersOf = ({ list }: ParsedAreas): [tier: string, count: number][] =>
  [...grouped(list.rows, ({ tier }) => tier)].map(([tier, rows]) => [tier, rows.length]);

/** The fuel rates of one file. */
const fuelOf = (file: string, fuel: readonly Fuel[]) =>
  fuel.flatMap(({ services, rates }) => {
    const own = rates.filter(({ source }) => source.startsWith(`${file}, `));
    const percents = own.map(({ rate }) => Number(rate));
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    const days = { from: first.from, until: last.until ?? null };
    const [lowestPercent, highestPercent] = [Math.min(...percents).toFixed(2), Math.max(...percents).toFixed(2)];
    return [{ services, rates: own.length, ...days, lowestPercent, highestPercent }];
  });

const termsText = ({ when: { anyOf }, leastBillingWeightLb, multiweightMaximumUsd }: SurchargeEntry): string =>
  [
    anyOf === undefined ? '' : `, if ${measuresText(anyOf)}`,
    leastBillingWeightLb === undefined ? '' : `, billed as at least ${leastBillingWeightLb} lb`,
    multiweightMaximumUsd === undefined ? '' : `, at most ${multiweightMaximumUsd} per multiweight shipment`,
  ].join('');

/** The lines of a file's charges, fuel and areas, and of what was not taken. */
export const chargeLines = ({ file, reading }: Source, { services, charges, repeated, fuel }: Taken): string[] => [
  ...charges
    .filter((charge) => charge.file === file)
    .map(
      ({ entry }) =>
        `  ${entry.type} "${entry.description}", ${servicesText(entry.services, services)}: ${amountText(entry)}${termsText(entry)}${periodText(entry)}`,
    ),
  ...repeated
    .filter((one) => one.file === file)
    .map(({ source, count }) => `  ${count} ${count === 1 ? 'charge' : 'charges'} as in ${source}`),
  ...fuelOf(file, fuel).map(
    (own) =>
      `  fuel, ${servicesText(own.services, services)}: ${own.rates} rates from ${own.from}${own.until === null ? '' : ` until ${own.until}`}, ${own.lowestPercent} to ${own.highestPercent}%`,
  ),
  ...reading.areas.map((area) => {
    const tiers = tiersOf(area).map(([tier, count]) => `${tier} ${count}`);
    const owner = area.carrier === undefined ? '' : ` of ${area.carrier}`;
    return `  areas ${area.name}${owner}: ${area.list.rows.length} ZIP codes or ranges (${tiers.join(', ')})`;
  }),
];

/** Enough to find the place. The JSON report has the full text. */
const MAX_TEXT = 120;
const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).trimEnd()} …` : text);

/** Lines about content of a file that the tariff omits. */
export const notTakenLines = ({ reading }: Source): string[] =>
  reading.notTaken.length === 0
    ? []
    : [
        '  Not imported:',
        ...reading.notTaken.map(({ at, text, reason }) => `    ${at}: ${shortened(text)}: ${reason}`),
      ];

/** The same content as JSON. */
export const chargesJson = ({ file, reading }: Source, { charges, fuel }: Taken) => ({
  charges: charges.filter((charge) => charge.file === file).map(({ entry }) => entry),
  fuel: fuelOf(file, fuel),
  areas: reading.areas.map((area) => ({
    name: area.name,
    carrier: area.carrier ?? null,
    tiers: Object.fromEntries(tiersOf(area)),
  })),
  notTaken: reading.notTaken,
});

/** One line for all services whose prices lack the same parts on a day. */
export const missingLines = ({ day, services }: Coverage): string[] => {
  const said = services.map(({ service, parts, fuel }): [string, string] => {
    const missing = TARIFF_PARTS.filter((part) => parts[part] === 'missing')
      .map((part) => (part === 'fuel' && fuel.nextDay !== undefined ? `fuel before ${fuel.nextDay}` : partName(part)))
      .join(', ');
    return [service, missing];
  });
  return [...sharing(said.filter(([, missing]) => missing !== ''))].map(
    ([missing, codes]) =>
      `${codes.join(', ')}: on ${day}, the tariff is missing ${missing}. Quotes will say that they are incomplete`,
  );
};
