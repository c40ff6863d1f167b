/** The differences between the files of two agreements, or of one agreement on two days: settings, lines and rates. */
import { basisPointsOf, dollarText } from '../../../rating/quantity.ts';
import { centsOf } from '../../tariff/compile-charges.ts';
import { compareFacts, comparePrices, type Difference, type Facts, valuesOf } from '../../tariff/diff/diff.ts';
import type { MultiweightTable } from '../../tariff/document.ts';
import { MULTIWEIGHT, type PriceForm, RATES } from '../../tariff/prices.ts';
import { type Named, type ZoneRange, zoneText } from '../cells.ts';
import type { AgreementDocument, AgreementTables, DiscountLine, MinimumLine, SurchargeLine } from '../document.ts';
import { filesOn } from '../versions.ts';

/** An agreement on a day. */
export interface AgreementState {
  readonly document: AgreementDocument;
  readonly day: string;
}

/** The subject of a line, and its value. */
type LineText = readonly [subject: string, value: string];

const servicesText = (services: Named<string>): string => (services === '*' ? 'all services' : services.join('|'));

const zonesText = (zones: Named<ZoneRange>): string => {
  if (zones === '*') return 'all zones';
  const text = zones.map(zoneText).join('|');
  return zones.length === 1 && !text.includes('-') ? `zone ${text}` : `zones ${text}`;
};

const percentText = (percent: string): string => `${dollarText(basisPointsOf(percent))}%`;

const joined = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part).join(', ');

const bandText = ({ fromLb, toLb }: Pick<DiscountLine, 'fromLb' | 'toLb'>): string =>
  toLb === undefined ? `from ${fromLb} lb` : `${fromLb}-${toLb} lb`;

const billingText = ({ billing }: Pick<DiscountLine, 'billing'>): string | undefined =>
  billing && `billing ${billing.join('|')}`;

const discountText = (line: DiscountLine): LineText => [
  joined(
    line.discount,
    servicesText(line.services),
    zonesText(line.zones),
    bandText(line),
    line.address === 'any' ? undefined : line.address,
    billingText(line),
    line.appliesTo === 'both' ? undefined : line.appliesTo,
    line.tier === undefined ? undefined : `tier ${line.tier}`,
    line.betterOf === undefined ? undefined : `better of ${line.betterOf}`,
  ),
  line.usd === undefined ? percentText(line.percent) : `${line.usd} off each package`,
];

const minimumText = (line: MinimumLine): LineText => {
  const { services, zones, address, minimum, value, zone, weightLb } = line;
  const cell = joined(zone && `zone ${zone}`, weightLb === undefined ? undefined : `${weightLb} lb`);
  return [
    joined(
      servicesText(services),
      zones && zonesText(zones),
      address === 'any' ? undefined : address,
      billingText(line),
    ),
    `${minimum} ${value}${cell === '' ? '' : ` (${cell})`}`,
  ];
};

const surchargeText = (line: SurchargeLine): LineText => [
  joined(
    line.surcharge,
    servicesText(line.services),
    zonesText(line.zones),
    line.area && `area ${line.area}`,
    line.address,
    billingText(line),
    line.fromLb === undefined && line.toLb === undefined ? undefined : bandText({ fromLb: 1, ...line }),
    line.tier && `tier ${line.tier}`,
    // It applies in addition to another change of the same surcharge.
    line.change === 'at most' ? line.change : undefined,
  ),
  `${line.change} ${line.value}${line.lastYear === undefined ? '' : `% above ${line.lastYear}`}`.trimEnd(),
];

const countsText = (usd: string | undefined, packages: number | undefined): string =>
  joined(usd && dollarText(centsOf(usd)), packages === undefined ? undefined : `${packages} packages`);

const linesOf = (tables: AgreementTables): Readonly<Record<string, readonly LineText[]>> => ({
  'discounts.csv': tables.discounts.map(discountText),
  'minimums.csv': tables.minimums.map(minimumText),
  'surcharges.csv': tables.surcharges.map(surchargeText),
  'fuel.csv': tables.fuel.map(({ services, from, until, percent }) => [
    joined(servicesText(services), `from ${from}`),
    `${percentText(percent)}${until === undefined ? '' : ` to ${until}`}`,
  ]),
  'fuel_index.csv': (tables.fuel_index ?? []).map(({ services, index, fromUsd, percent }) => [
    joined(servicesText(services), `${index} from ${fromUsd}`),
    percentText(percent),
  ]),
  'fuel_prices.csv': (tables.fuel_prices ?? []).map(({ index, from, usd }) => [joined(index, `from ${from}`), usd]),
  'tiers.csv': tables.tiers.map(({ program, tier, fromUsd, fromPackages }) => [
    joined(program, `tier ${tier}`),
    countsText(fromUsd, fromPackages),
  ]),
  'notes.csv': (tables.notes ?? []).map(({ topic, text }) => [topic, text]),
  'spend.csv': tables.spend.map(({ program, weekEnding, usd, packages }) => [
    joined(program, `week ending ${weekEnding}`),
    countsText(usd, packages),
  ]),
});

/** Facts by subject. Lines with the same subject are numbered. */
const factsOf = (lines: readonly LineText[] = []): Facts => {
  const facts = new Map<string, string>();
  for (const [subject, value] of lines) {
    let name = subject;
    for (let at = 2; facts.has(name); at++) name = `${subject} #${at}`;
    facts.set(name, value);
  }
  return facts;
};

/** Prices per pound and per 100 pounds are in separate rows. */
const WHOLE_PRICES: PriceForm<MultiweightTable> = {
  ...MULTIWEIGHT,
  rowsOf: (table) =>
    MULTIWEIGHT.rowsOf(table).map((row) => ({
      ...row,
      label: `${row.label} ${table.perHundred === true ? '(per 100 lb)' : '(per lb)'}`,
    })),
};

/** Returns the differences between the files in force, file by file. */
export const diffAgreements = (before: AgreementState, after: AgreementState): Difference[] => {
  const [old, now] = [filesOn(before.document, before.day), filesOn(after.document, after.day)];
  const [oldLines, nowLines] = [linesOf(old.tables), linesOf(now.tables)];
  return [
    ...compareFacts('agreement.json', new Map(valuesOf('', old.file)), new Map(valuesOf('', now.file))),
    ...Object.keys(nowLines).flatMap((file) => compareFacts(file, factsOf(oldLines[file]), factsOf(nowLines[file]))),
    ...comparePrices('rates', [old.tables.rates, now.tables.rates], RATES),
    ...comparePrices('caps', [old.tables.caps, now.tables.caps], RATES),
    ...comparePrices('multiweight', [old.tables.multiweight ?? {}, now.tables.multiweight ?? {}], WHOLE_PRICES),
  ];
};
