/**
 * Charges in an operator's plain CSV, in addition to rates. Only `charge` and `usd` are required:
 *
 *   charge                     its name. Its words say what it is (`chargeKinds`)
 *   carrier, services          codes or groups of services (`ground|UPS-2DAY`). Empty: all services of the carrier
 *   address, area              `residential` or `commercial`; a tier of an area list
 *   zone_from, zone_to         rows that differ only in these and `usd` are one charge. An empty `zone_to` means 8
 *   usd, per                   per `package` (the default), `shipment` or `pound`
 *   type, description          override those given by the name
 *   length_over_in, second_side_over_in, length_plus_girth_over_in, cubic_inches_over, actual_weight_over_lb,
 *   billing_weight_over_lb     thresholds. A package over any of them pays the charge
 *   least_billing_weight_lb, multiweight_maximum_usd
 *   signature, saturday        `direct|adult`; `yes`
 *   free_usd, minimum_usd      for declared value. Its `usd` is per $100
 *   from, until                ship dates
 */
import { byText } from '../../base/by-text.ts';
import { must } from '../../base/must.ts';
import { present } from '../../base/present.ts';
import {
  areaChargeNamed,
  CHARGES,
  chargeNamed,
  chargeSpec,
  type HandlingRule,
  type Measures,
} from '../../catalog/tariff/charge-catalog.ts';
import { dividedAt } from '../../catalog/tariff/days.ts';
import type { SurchargeEntry } from '../../catalog/tariff/document.ts';
import type { Measure } from '../../rating/charges.ts';
import { keysOf, SIGNATURES } from '../../rating/fields.ts';
import { type Cents, cents, dollarText } from '../../rating/quantity.ts';
import { knownCarrier } from '../carriers.ts';
import { centsInText, type NotTaken, type ParsedCharge, RefusedFile } from '../read/reader.ts';
import {
  carrierReader,
  otherColumns,
  type ParsedPlainCsv,
  type PlainRow,
  type PlainTable,
  servicesIn,
} from './table.ts';

/* Parses the cells of a charge row: amounts, zones, thresholds, and requested options. */

const MEASURE_WORDS: Readonly<Record<Measure, string>> = {
  lengthOverIn: 'in long',
  secondSideOverIn: 'in on the second side',
  lengthPlusGirthOverIn: 'in of length plus girth',
  cubicInchesOver: 'cubic in',
  actualWeightOverLb: 'lb',
  billingWeightOverLb: 'lb billed',
};
/** Measures and their columns: `lengthOverIn` is in `length_over_in`. */
const MEASURES = keysOf(MEASURE_WORDS).map((measure) => ({
  measure,
  column: measure.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  words: MEASURE_WORDS[measure],
}));

/** All columns of a list of charges. */
const CHARGE_COLUMNS = [
  ...['charge', 'carrier', 'services', 'address', 'area', 'zone_from', 'zone_to', 'rate', 'per', 'type', 'description'],
  ...MEASURES.map(({ column }) => column),
  ...['least_billing_weight_lb', 'multiweight_maximum_usd', 'signature', 'saturday', 'free_usd', 'minimum_usd'],
  ...['from', 'until'],
];

/** Formats `over 48 in long, over 30 in on the second side`. */
export const measuresText = (anyOf: readonly Measures[]): string =>
  anyOf
    .flatMap((limits) => MEASURES.map(({ measure, words }) => ({ limit: limits[measure], words })))
    .flatMap(({ limit, words }) => (limit === undefined ? [] : [`over ${limit.toLocaleString('en-US')} ${words}`]))
    .join(', ');

const wholeIn = (row: PlainRow, column: string): number | undefined => {
  const text = row.matching(column, /^\d{1,6}$/, 'not a whole number');
  return text === undefined ? undefined : Number(text);
};

/** Formats money as the tariff does. */
const moneyIn = (row: PlainRow, column: string): string | undefined => {
  if (row.text(column) === '') return undefined;
  const found = centsInText(row.text(column));
  return found ? dollarText(cents(found)) : row.refuse(column, 'not an amount in dollars');
};

/** The amount of a row. */
const centsOfRow = (row: PlainRow): Cents | undefined => {
  const found = centsInText(row.text('rate'));
  return found ? cents(found) : row.refuse('usd', 'not an amount in dollars', row.text('rate'));
};

/** The zones of a row, as keys of amounts: `zone 3`, or `*` if it names none. */
const zonesIn = (row: PlainRow): readonly string[] => {
  const [from, to] = ['zone_from', 'zone_to'].map((column) =>
    row.matching(column, /^[1-8]$/, 'not a zone from 1 to 8'),
  );
  if (from === undefined) {
    if (to !== undefined) row.refuse('zone_to', 'there is no zone_from');
    return ['*'];
  }
  const [first, last] = [Number(from), Number(to ?? 8)];
  if (last < first) row.refuse('zone_to', 'ends before zone_from begins');
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => `zone ${first + index}`);
};

/** The thresholds of a row. A package over any of them pays the charge. */
const measuresIn = (row: PlainRow): Measures[] =>
  MEASURES.flatMap(({ column, measure }) => {
    const limit = wholeIn(row, column);
    return limit === undefined ? [] : [{ [measure]: limit }];
  });

/** True for homes, false for businesses, undefined for both. If the cell is empty, the charge's name may say it. */
const residentialIn = (row: PlainRow, words: readonly string[]): boolean | undefined => {
  const text = row.text('address').toLowerCase();
  if (text === 'residential' || text === 'commercial') return text === 'residential';
  if (text !== '') return row.refuse('address', 'neither residential nor commercial');
  return words.includes('residential') ? true : words.includes('commercial') ? false : undefined;
};

/** The options that the request must ask for. */
const optionsIn = (row: PlainRow): Pick<Condition, 'signature' | 'saturday'> => {
  const asked = row.text('signature').toLowerCase();
  const named = asked.split(/[|;]/).map((one) => one.trim());
  const signature = SIGNATURES.filter((one) => named.includes(one));
  if (asked !== '' && signature.length < named.length) row.refuse('signature', `not of ${SIGNATURES.join(', ')}`);
  const saturday = row.matching('saturday', /^(?:yes|no|true|false)$/i, 'neither yes nor no');
  const isOnSaturday = saturday !== undefined && /^(?:yes|true)$/i.test(saturday);
  return { ...(signature.length > 0 && { signature }), ...(isOnSaturday && { saturday: true }) };
};

/*
 * Classifies a charge of an operator's list by the words of its name. For example, `Remote area surcharge` with the tier
 * `remote_alaska` is a delivery area surcharge for Alaska. Spelling, order and other words do not matter.
 */

type Condition = SurchargeEntry['when'];

export interface ChargeKind {
  readonly type: string;
  /** The condition in the name itself. */
  readonly when?: Condition;
  readonly dearestOf?: string;
  /** The types whose thresholds apply. A package over any of them pays. */
  readonly thresholdsOf?: readonly string[];
  /** Whether it is for one area tier. */
  readonly hasTier?: true;
  /** Distinguishes it from other kinds with the same name. */
  readonly detail?: string;
  /** Whether no known carrier has a charge with this name. */
  readonly isOwn?: true;
}

/** A name that cannot be a charge in a quote. `problem` says what to do. `unknowable`: no quote can know it. */
export type Unsuitable = { readonly problem: string } | { readonly unknowable: true };

const wordsIn = (name: string): string[] => name.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** Names of charges that a carrier only knows after the quote. All words of a name must occur. */
const UNKNOWABLE = [
  ...[['correction'], ['tag'], ['tags'], ['pickup'], ['pick', 'up'], ['invoice'], ['late', 'payment'], ['intercept']],
  ...[['reroute'], ['redelivery'], ['undeliverable'], ['return'], ['returns'], ['chargeback'], ['cod'], ['missing']],
  ...[['dangerous'], ['hazardous'], ['dry', 'ice'], ['lithium'], ['third', 'party'], ['hold']],
];

const kindOfWords = (words: readonly string[], tier: string): ChargeKind | Unsuitable => {
  const has = (...wanted: readonly string[]): boolean => wanted.every((word) => words.includes(word));
  if (has('fuel')) return { problem: 'fuel is a percentage: put it into a file with effective and percent' };
  if (UNKNOWABLE.some((name) => has(...name))) return { unknowable: true };
  const named = chargeNamed(has);
  if (named === 'ADDITIONAL_HANDLING')
    return { problem: 'say which additional handling: weight, dimensions or packaging' };
  if (named !== undefined) {
    const { area, when, dearestOf, published } = CHARGES[named];
    const all = [...words, ...wordsIn(tier)];
    if (area !== undefined) return { type: areaChargeNamed((word) => all.includes(word)), hasTier: true };
    return { type: named, ...present({ when, dearestOf, thresholdsOf: published && [named] }) };
  }
  const type = words.join('_').toUpperCase().slice(0, 40).replace(/_$/, '');
  return /^[A-Z]/.test(type) && type !== 'BASE' ? { type, isOwn: true } : { problem: 'not a name of a charge' };
};

/** A demand surcharge for packages with any additional handling. */
const DEMAND = { type: 'DEMAND_ADDITIONAL_HANDLING', dearestOf: 'demand-handling' };
const DEMAND_HANDLING: readonly ChargeKind[] = [
  { ...DEMAND, thresholdsOf: ['ADDITIONAL_HANDLING_DIMENSION', 'ADDITIONAL_HANDLING_WEIGHT'] },
  { ...DEMAND, when: { nonStandardPackaging: true }, detail: 'packaging' },
];

const demandKinds = (words: readonly string[], tier: string): readonly ChargeKind[] | Unsuitable => {
  const rest = words.filter((word) => !['demand', 'peak', 'surcharge', 'surcharges', 'charge', 'fee'].includes(word));
  if (rest.length === 0) return [{ type: 'DEMAND_SURCHARGE' }];
  const which = ['weight', 'packaging', 'dimension', 'dimensions'];
  if (rest.includes('handling') && !which.some((word) => rest.includes(word))) return DEMAND_HANDLING;
  const kind = kindOfWords(rest, tier);
  if (!('type' in kind)) return kind;
  const dearest = kind.dearestOf === undefined ? {} : { dearestOf: `demand-${kind.dearestOf}` };
  return [{ ...kind, ...dearest, type: `DEMAND_${kind.type}`.slice(0, 40) }];
};

/** The kinds of charge that a name means, usually one. */
const chargeKinds = (name: string, tier: string): readonly ChargeKind[] | Unsuitable => {
  const words = wordsIn(name);
  if (words.includes('demand') || words.includes('peak')) return demandKinds(words, tier);
  const kind = kindOfWords(words, tier);
  return 'type' in kind ? [kind] : kind;
};

/** A carrier's published rule for packages of these types; undefined if there is none. */
const publishedRule = (carrier: string, types: readonly string[]): (HandlingRule & { from: string }) | undefined => {
  const from = knownCarrier(carrier)?.volumeFrom;
  const rules = types.flatMap((type) => chargeSpec(type)?.published ?? []);
  const [only, ...more] = rules;
  if (from === undefined || only === undefined) return undefined;
  const rule = { from, anyOf: rules.flatMap(({ anyOf }) => anyOf), later: rules.flatMap(({ later = [] }) => later) };
  // It is unclear which of several rules applies, so leave out the weight.
  return { ...rule, ...present({ leastBillingWeightLb: more.length > 0 ? undefined : only.leastBillingWeightLb }) };
};

/** The most charges in a tariff. */
const MAX_CHARGES = 1_000;
const MAX_NAME = 60;
const MAX_DESCRIPTION = 80;
const MAX_TIER = 40;
const TYPE = /^[A-Z][A-Z0-9_]{0,39}$/;

type Entry = ParsedCharge['entry'];
type Draft = Omit<Entry, 'amount'>;

/** Rows that belong to one charge. They differ in zones and amounts. */
interface Charge {
  readonly row: PlainRow;
  readonly carrier: string;
  readonly services: readonly string[];
  readonly tier: string;
  readonly drafts: readonly Draft[];
  readonly amounts: Map<string, { readonly cents: Cents; readonly at: string }>;
}

interface Collected {
  readonly notTaken: NotTaken[];
  /** A line for each assumption of the reader. */
  readonly notes: Set<string>;
}

/** The kinds of charge in a row; undefined if there are none, which it reports. */
const kindsIn = (row: PlainRow, { notTaken }: Collected): readonly ChargeKind[] | undefined => {
  const name = row.text('charge');
  const type = row.text('type');
  if (name === '' || name.length > MAX_NAME)
    return row.refuse('charge', name === '' ? 'empty' : `over ${MAX_NAME} characters`);
  if (type !== '' && !TYPE.test(type)) return row.refuse('type', 'not upper-case letters, digits and underscores');
  const kinds = chargeKinds(type || name, row.text('area'));
  if ('problem' in kinds) return row.refuse(type === '' ? 'charge' : 'type', kinds.problem);
  if (!('unknowable' in kinds)) return type === '' ? kinds : kinds.map((kind) => ({ ...kind, type }));
  if (type !== '') return [{ type, isOwn: true }];
  notTaken.push({ at: row.at, text: name, reason: 'depends on what a quote does not have' });
  return undefined;
};

/** Formats `Delivery area surcharge, extended, residential`: the name, and details that the name lacks. */
const descriptionOf = (row: PlainRow, { type, detail }: ChargeKind, residential: boolean | undefined): string => {
  const name = row.text('charge');
  const words = wordsIn(name);
  const spec = chargeSpec(type.replace(/^DEMAND_/, ''));
  const [, tier] = spec?.area === undefined ? [] : spec.description.split(', ');
  const address = residential === undefined ? undefined : residential ? 'residential' : 'commercial';
  const added = [tier, detail, address].filter((word) => word !== undefined && !words.includes(word.toLowerCase()));
  return row.text('description') || [name.charAt(0).toUpperCase() + name.slice(1), ...added].join(', ');
};

/** The thresholds of a kind: from the file, or else the carrier's published ones. */
const rulesOf = (row: PlainRow, carrier: string, { thresholdsOf }: ChargeKind, { notes }: Collected) => {
  const anyOf = measuresIn(row);
  const least = present({ leastBillingWeightLb: wholeIn(row, 'least_billing_weight_lb') });
  const stated = { anyOf, later: [], from: '', least };
  if (anyOf.length > 0 || thresholdsOf === undefined) return stated;
  const published = publishedRule(carrier, thresholdsOf);
  if (published === undefined) {
    row.refuse('charge', 'it has no threshold: add a column such as length_over_in or actual_weight_over_lb');
    return stated;
  }
  const { anyOf: measures, later = [], from, ...weight } = published;
  const billed = weight.leastBillingWeightLb;
  notes.add(
    `${row.text('charge')}: the file has no thresholds, so the published thresholds of ${carrier} apply: ` +
      measuresText(measures) +
      (later.length === 0 ? '' : `; from ${from} on also ${measuresText(later)}`) +
      (billed === undefined ? '' : `; billed at no less than ${billed} lb`),
  );
  return { anyOf: measures, later, from, least: { ...weight, ...least } };
};

/** The charges of a row. There are two if its thresholds change on a day. */
const draftsOf = (row: PlainRow, carrier: string, kind: ChargeKind, collected: Collected): Draft[] => {
  const residential = residentialIn(row, wordsIn(row.text('charge')));
  const { anyOf, later, least, ...rule } = rulesOf(row, carrier, kind, collected);
  const when: Entry['when'] = {
    ...kind.when,
    ...present({ residential }),
    ...optionsIn(row),
  };
  if (kind.type === 'SIGNATURE' && when.signature === undefined)
    row.refuse('charge', 'say which signature: indirect, direct or adult');
  const type = kind.type === 'SIGNATURE' ? `SIGNATURE_${when.signature?.[0]?.toUpperCase()}` : kind.type;
  const [from, until] = [row.date('from'), row.date('until')];
  if (from !== undefined && until !== undefined && until < from) row.refuse('until', `before ${from}`);
  const maximum = moneyIn(row, 'multiweight_maximum_usd');
  const description = descriptionOf(row, kind, kind.type === 'RESIDENTIAL' ? undefined : residential);
  if (description.length > MAX_DESCRIPTION)
    row.refuse('description', `over ${MAX_DESCRIPTION} characters`, description);
  const draft = (days: Pick<Draft, 'from' | 'until'>, measures: readonly Measures[]): Draft => ({
    type,
    description,
    ...days,
    when: measures.length === 0 || kind.when?.nonStandardPackaging === true ? when : { ...when, anyOf: [...measures] },
    ...present({ dearestOf: kind.dearestOf }),
    ...least,
    ...present({ multiweightMaximumUsd: maximum }),
  });
  if (later.length === 0) return [draft(present({ from, until }), anyOf)];
  return dividedAt(rule.from, from, until).map(({ isAfter, ...days }) =>
    draft(present(days), isAfter ? [...anyOf, ...later] : anyOf),
  );
};

/** Reads all cells of a row except zones and amount. */
const chargeOf = (
  row: PlainRow,
  carrierIn: (row: PlainRow) => string | undefined,
  collected: Collected,
): Charge | undefined => {
  const kinds = kindsIn(row, collected);
  const carrier = carrierIn(row);
  if (kinds === undefined || carrier === undefined) return undefined;
  const services = servicesIn(row, carrier);
  const tier = row.text('area');
  if (tier.length > MAX_TIER) row.refuse('area', `over ${MAX_TIER} characters`);
  if (tier === '' && kinds.some(({ hasTier }) => hasTier)) row.refuse('area', 'empty: name a tier of an area list');
  row.matching('per', /^(?:package|shipment|pound)$/, 'not package, shipment or pound');
  const drafts = kinds.flatMap((kind) => {
    const own = draftsOf(row, carrier, kind, collected);
    for (const { type, when } of own)
      if (kind.isOwn && tier === '' && Object.keys(when).length === 0 && !row.isBad)
        collected.notes.add(`${row.at}: ${type} has no condition, so every shipment is charged`);
    return own;
  });
  return { row, carrier, services, tier, drafts, amounts: new Map() };
};

/** Adds a row's amount to its charge. */
const putAmount = ({ amounts, drafts }: Charge, row: PlainRow): void => {
  const cents = centsOfRow(row);
  const zones = zonesIn(row);
  if (drafts[0]?.type === 'DECLARED_VALUE' && !zones.includes('*'))
    row.refuse('zone_from', 'declared value has no zones');
  if (cents === undefined || row.isBad) return;
  for (const zone of zones) {
    const before = amounts.get(zone);
    if (before === undefined) amounts.set(zone, { cents, at: row.at });
    else if (before.cents !== cents)
      row.refuse('usd', `differs from the amount for ${zone} in ${before.at}`, row.text('rate'));
  }
};

const amountOf = ({ row, drafts, amounts }: Charge): Entry['amount'] => {
  const everywhere = amounts.get('*');
  if (drafts[0]?.type === 'DECLARED_VALUE') {
    const usdPer100 = dollarText(must(everywhere, 'the amount of declared value').cents);
    const freeUsd = wholeIn(row, 'free_usd') ?? 100;
    return { per: 'declaredValue', freeUsd, usdPer100, minimumUsd: moneyIn(row, 'minimum_usd') ?? '0.00' };
  }
  const text = row.text('per');
  const per = text === 'shipment' || text === 'pound' ? text : 'package';
  if (everywhere !== undefined && amounts.size === 1) return { per, usd: dollarText(everywhere.cents) };
  const byZone = [...amounts].sort(([a], [b]) => byText(a, b));
  return { per, usd: Object.fromEntries(byZone.map(([zone, { cents }]) => [zone, dollarText(cents)])) };
};

/** Keeps charges that differ in carrier, type, description, services or dates. */
const distinct = (charges: readonly ParsedCharge[], { unreadable }: PlainTable): ParsedCharge[] => {
  const seen = new Map<string, string>();
  return charges.filter(({ at, carrier, services, entry: { type, description: text, from, until } }) => {
    const key = JSON.stringify([carrier, type, text, services, from, until]);
    const other = seen.get(key);
    if (other === undefined) seen.set(key, at);
    else unreadable.push({ at, text, problem: `${other} has the same: add a column description` });
    return other === undefined;
  });
};

/** The cells that all rows of one charge share. */
const keyOf = ({ names }: PlainTable, { cells }: PlainRow): string =>
  JSON.stringify(names.map((name, at) => (['zonefrom', 'zoneto', 'rate'].includes(name) ? '' : (cells[at] ?? ''))));

/** Reads a list of charges. @throws RefusedFile if a carrier is not stated, or if there are too many charges */
export const readCharges = (table: PlainTable): ParsedPlainCsv => {
  const collected: Collected = { notTaken: [], notes: new Set() };
  const { notTaken, notes } = collected;
  const carrierIn = carrierReader(table);
  const charges = new Map<string, Charge | undefined>();
  for (const row of table.rows) {
    const key = keyOf(table, row);
    if (!charges.has(key)) charges.set(key, chargeOf(row, carrierIn, collected));
    if (charges.size > MAX_CHARGES) throw new RefusedFile(`it has more than ${MAX_CHARGES} charges`);
    const charge = charges.get(key);
    if (charge !== undefined) putAmount(charge, row);
  }
  const readings = [...charges.values()].flatMap((charge): ParsedCharge[] => {
    if (charge === undefined || charge.amounts.size === 0) return [];
    const { row, carrier, services, tier, drafts } = charge;
    const { at } = row;
    const amount = amountOf(charge);
    if (row.isBad) return [];
    // Zones without an amount are free, which is rarely what the file means.
    const free = [2, 3, 4, 5, 6, 7, 8].filter((zone) => !charge.amounts.has(`zone ${zone}`));
    if (!charge.amounts.has('*') && free.length > 0)
      notes.add(`${at}: ${row.text('charge')} has no amount for the zones ${free.join(', ')}: it is free there`);
    const area = tier === '' ? {} : { tier };
    return drafts.map((draft) => ({ carrier, services, at, ...area, entry: { ...draft, amount } }));
  });
  const known = CHARGE_COLUMNS.map((column) => column.replaceAll('_', ''));
  for (const { title } of otherColumns(table, known)) notes.add(`Column ${title} is not known, skipped`);
  return { kind: 'charges (CSV)', charges: distinct(readings, table), notTaken, notes: [...notes] };
};
