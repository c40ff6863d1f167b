/** An agreement as tables for its client. */
import { grouped } from '../../../base/maps.ts';
import { must } from '../../../base/must.ts';
import { present } from '../../../base/present.ts';
import type { Card, RateBook } from '../../../rating/card.ts';
import { reasonsOf } from '../../../rating/charge-text.ts';
import type { Surcharge } from '../../../rating/charges.ts';
import { BILLINGS } from '../../../rating/fields.ts';
import { basisPointsOf, dollars, dollarText } from '../../../rating/quantity.ts';
import type { RateBooks } from '../../../rating/quote.ts';
import type { ChargeChange } from '../../../rating/terms.ts';
import { centsOf } from '../../tariff/compile-charges.ts';
import { periodOn } from '../../tariff/days.ts';
import type { Assigned } from '../account.ts';
import { columnsText, type Named, type ZoneRange, zoneText } from '../cells.ts';
import { cardOf, minimumFor } from '../compile.ts';
import { changedCharges, feeLines, fuelPriceOn, namesType, type Variant, variantsOf } from '../compile-charges.ts';
import { type AgreementDocument, CODE_TABLES } from '../document.ts';
import { ownPricesOf, servicesOf, totalsOf } from '../overview.ts';
import { isByBilling, namesService, type Subject } from '../subject.ts';
import { bandStart, bandsOf, isInForce, nextBand, type Program, programsOf, type Tier, tierOn } from '../tiers.ts';
import { changeDaysOf, filesOn, lastDayOf, tierOfDay, tiersOfDay, type Version } from '../versions.ts';
import type { AgreementDetail, AgreementDiscount, AgreementSummary, AgreementSurcharge, Beside } from './schemas.ts';

/* Surcharges whose price for a client differs from the list. */

type Range = AgreementSurcharge['list'];

const rangeOf = (amounts: readonly number[]): Range =>
  amounts.length === 0 ? null : { least: dollars(Math.min(...amounts)), most: dollars(Math.max(...amounts)) };

/** The columns in which a surcharge may apply. */
const columnsOf = ({ when }: Surcharge, { columns }: Card): number[] =>
  [...columns.keys()].filter((column) => when.columns?.has(column) !== false);

const listAt = ({ amount }: Surcharge, column: number): number[] => {
  if (amount.per === 'declaredValue') return [];
  if (amount.per === 'percent') return [amount.rate];
  const cents = amount.unknown?.has(column) === true ? undefined : amount.centsByColumn[column];
  return cents === undefined ? [] : [cents];
};

/** Columns by name, with consecutive ones as a range: `zone 2`, `zones 2-4, 44`. */
const zonesText = (indexes: readonly number[], { columns }: Card): string => {
  const names = indexes.toSorted((a, b) => a - b).map((index) => must(columns[index], 'a rate column'));
  return `${indexes.length === 1 ? 'zone' : 'zones'} ${columnsText(names)}`;
};

/** A change in words: `30.00% off`, `at most $4.00`. */
const kindText = (kind: ChargeChange['kind'], value: number, isPercentage: boolean): string => {
  const text = dollarText(value);
  const sum = isPercentage ? `${text}%` : `$${text}`;
  const what: Readonly<Record<ChargeChange['kind'], string>> = {
    'percent off': `${text}% off`,
    'amount off': `${sum} off`,
    'points off': `${text} points off`,
    fixed: `fixed at ${sum}`,
    exactly: `exactly ${sum}`,
    waived: 'waived',
    'at most': `at most ${sum}`,
    'own rate': `its own rate, ${sum}`,
  };
  return what[kind];
};

const changeText = ({ kind, value, columns, reckoned }: ChargeChange, { amount }: Surcharge, card: Card): string => {
  const what = kindText(kind, value, amount.per === 'percent');
  const all = reckoned === undefined ? what : `${what} (${reckoned})`;
  return columns === undefined ? all : `${all} in ${zonesText([...columns], card)}`;
};

const rowOf = (surcharge: Surcharge, { own, when }: Variant, card: Card): AgreementSurcharge => {
  const columns = columnsOf(surcharge, card);
  const { type, description, amount } = surcharge;
  const isAmount = amount.per !== 'declaredValue';
  return {
    services: [card.code],
    type,
    description,
    because: [...reasonsOf(surcharge, card), ...when],
    per: amount.per,
    list: rangeOf(columns.flatMap((column) => listAt(surcharge, column))),
    billed: isAmount ? rangeOf(columns.map((column) => must(own.byColumn[column], 'the charge of a column'))) : null,
    changes: own.changes
      .filter((change) => change.columns === undefined || columns.some((column) => change.columns?.has(column)))
      .map((change) => changeText(change, surcharge, card)),
  };
};

const rowsFor = (subject: Subject): AgreementSurcharge[] => {
  const { card } = subject;
  const charges = changedCharges(subject);
  if (charges === undefined) return [];
  return card.surcharges.flatMap((surcharge, index) =>
    variantsOf(charges, index).map((variant) => rowOf(surcharge, variant, card)),
  );
};

/** The rows of a service. Rows that depend on who pays name the billing option. */
const rowsOfService = (subject: Subject): AgreementSurcharge[] => {
  if (!isByBilling(subject)) return rowsFor(subject);
  const all = BILLINGS.flatMap((billing) => rowsFor({ ...subject, billing }).map((row) => ({ row, billing })));
  return [...grouped(all, ({ row }) => JSON.stringify(row)).values()].map((same) => {
    const { row } = must(same[0], 'a row');
    if (same.length === BILLINGS.length) return row;
    const billings = same.map(({ billing }) => billing.replace('_', ' ')).join(' or ');
    return { ...row, because: [...row.because, `billing: ${billings}`] };
  });
};

/** Merges equal rows of several services. */
const surchargeRows = (subjects: readonly Subject[]): AgreementSurcharge[] => {
  const rows = subjects.flatMap(rowsOfService).filter(({ changes }) => changes.length > 0);
  return [...grouped(rows, (row) => JSON.stringify({ ...row, services: [] })).values()].map((equal) => ({
    ...must(equal[0], 'a row'),
    services: equal.flatMap(({ services }) => services),
  }));
};

/* An agreement's tiers for its client: which tiers are in force, since when, and what the next tiers require. */

const REASONS = { inForce: 'agreed', grace: 'grace', average: 'average', nothing: 'unknown' } as const;

/** The start of the unbroken period in which a tier is in force until a day. Undefined if the tier is unknown. */
const sinceOf = (document: AgreementDocument, { program, tier, by }: Tier, day: string): string | undefined => {
  if (by === 'nothing') return undefined;
  const { effective } = document.file;
  let since = day;
  for (const start of changeDaysOf(document).toReversed()) {
    if (start > day) continue;
    const before = tierOfDay(document, start, program);
    if (start < effective || before?.tier !== tier || before?.by === 'nothing') break;
    since = start;
  }
  return since;
};

const untilOf = ({ inForce, grace }: Program, { by, until }: Tier, day: string): string | undefined => {
  if (by === 'inForce') return periodOn(inForce, day)?.until;
  if (by === 'grace') return grace?.until;
  return until === undefined || until < day ? undefined : until;
};

const shownTier = (document: AgreementDocument, program: Program, tier: Tier, day: string) => ({
  tier: tier.tier ?? null,
  by: REASONS[tier.by],
  since: sinceOf(document, tier, day) ?? null,
  until: untilOf(program, tier, day) ?? null,
  uncertain: tier.isUncertain,
});

/** The rules of lines without a program come first. */
const ownRules = (document: AgreementDocument, day: string): Program =>
  must(programsOf(filesOn(document, day).file)[0], 'the rules of tiers');

/** @param day a day on which the agreement is in force */
const tierNow = (document: AgreementDocument, day: string): AgreementSummary['tier'] => {
  const tier = tierOfDay(document, day);
  return tier === undefined ? null : shownTier(document, ownRules(document, day), tier, day);
};

/** The figures and bands of a program, or of lines without one, on a day. Amounts are cents or packages. */
const standingOf = (document: AgreementDocument, program: Program, { tier }: Tier, day: string) => {
  const version = filesOn(document, day);
  const bands = bandsOf(version.tables.tiers, program);
  // The tier by figures alone, ignoring agreed tiers.
  const alone = tierOn(version, { ...program, inForce: [], grace: undefined }, document.file.effective, day);
  const { by, averageCents, figure = averageCents, weeks = 0, spendUntil = '' } = alone;
  const earned =
    by !== 'average' || figure === undefined
      ? null
      : { value: figure, weeks, lastDay: spendUntil, tier: alone.tier ?? null };
  const next = nextBand(bands, tier, earned?.value);
  const from = next && bandStart(next);
  return {
    bands: bands.map((line) => ({ tier: line.tier, from: bandStart(line), inForce: line.tier === tier })),
    earned,
    next:
      next === undefined || from === undefined
        ? null
        : { tier: next.tier, from, missing: earned && from - earned.value },
  };
};

/** @param day a day on which the agreement is in force */
const tiersTable = (document: AgreementDocument, day: string): AgreementDetail['tiers'] => {
  const tier = tierOfDay(document, day);
  if (tier === undefined) return null;
  const rules = ownRules(document, day);
  const { bands, earned, next } = standingOf(document, rules, tier, day);
  return {
    bands: bands.map(({ from, ...band }) => ({ tier: band.tier, fromUsd: dollars(from), inForce: band.inForce })),
    averageWeeks: rules.averageWeeks,
    spend: earned && {
      ...{ averageUsd: dollars(earned.value), weeks: earned.weeks, lastWeekEnding: earned.lastDay, tier: earned.tier },
    },
    next: next && {
      ...{ tier: next.tier, fromUsd: dollars(next.from) },
      missingUsd: next.missing === null ? null : dollars(next.missing),
    },
  };
};

/** @param day a day on which the agreement is in force @returns undefined without programs */
const programTables = (document: AgreementDocument, day: string): AgreementDetail['programs'] => {
  const tables = programsOf(filesOn(document, day).file).flatMap((rules) => {
    const { program, period, averageWeeks } = rules;
    const tier = program === undefined ? undefined : tierOfDay(document, day, program);
    if (program === undefined || tier === undefined) return [];
    const { measure = 'spend' } = tier;
    const amount = (value: number): number => (measure === 'spend' ? dollars(value) : value);
    const { bands, earned, next } = standingOf(document, rules, tier, day);
    return [
      {
        ...{ program, measure, period, averageWeeks: period === 'quarter' ? null : averageWeeks },
        tier: shownTier(document, rules, tier, day),
        bands: bands.map((band) => ({ ...band, from: amount(band.from) })),
        figure: earned && { ...earned, value: amount(earned.value) },
        next: next && {
          ...{ tier: next.tier, from: amount(next.from) },
          missing: next.missing === null ? null : amount(next.missing),
        },
      },
    ];
  });
  return tables.length === 0 ? undefined : tables;
};

/** An agreement of a client, with the accounts and warehouses that have it. */
export interface Shown {
  readonly document: AgreementDocument;
  readonly assigned: readonly Assigned[];
}

/** Lists each agreement of a client once. */
export const shownOf = (agreements: readonly Assigned[]): readonly Shown[] =>
  [...grouped(agreements, ({ document }) => document.file.name).values()].map((assigned) => ({
    document: must(assigned[0], 'an agreement').document,
    assigned,
  }));

/** The day of the tables: today, or the first or the last day of an agreement that is not in force. */
const dayFor = (document: AgreementDocument, today: string): string => {
  const last = lastDayOf(document);
  if (today < document.file.effective) return document.file.effective;
  return last !== undefined && last < today ? last : today;
};

/** Whether any table of an agreement mentions a service. */
const isNamed = (subject: Subject): boolean => {
  const { card, version } = subject;
  const { file, tables } = version;
  const { discounts, minimums, fuel, fuel_index = [], surcharges } = tables;
  return (
    [file.services, ...CODE_TABLES.map((kind) => tables[kind] ?? {})].some((own) => Object.hasOwn(own, card.code)) ||
    [...discounts, ...minimums, ...fuel, ...fuel_index].some(({ services }) => namesService(services, subject)) ||
    surcharges.some(
      ({ surcharge, services }) =>
        namesService(services, subject) && card.surcharges.some(({ type }) => namesType(surcharge, type)),
    )
  );
};

const subjectsOf = (document: AgreementDocument, { cards }: RateBook, day: string): Subject[] => {
  const version = filesOn(document, day);
  const tiers = tiersOfDay(document, day);
  return cards.map((card) => ({ card, day, version, tiers, billing: 'shipper' as const, prefix: '' })).filter(isNamed);
};

const summaryOf = ({ document, assigned }: Shown, subjects: readonly Subject[], today: string): AgreementSummary => {
  const day = dayFor(document, today);
  const { file } = filesOn(document, day);
  return {
    name: document.file.name,
    carrier: file.carrier,
    description: file.description,
    effective: document.file.effective,
    until: lastDayOf(document) ?? null,
    inForce: day === today ? 'now' : day > today ? 'later' : 'past',
    accounts: assigned.map(({ account, warehouses }) => ({
      account: account ?? null,
      warehouses: warehouses === undefined ? null : [...warehouses],
    })),
    tier: tierNow(document, day),
    services: subjects.map(({ card: { code, description } }) => ({ shippingService: code, description })),
  };
};

/** The tariffs of the day for which an agreement is shown. */
const bookFor = (books: RateBooks, today: RateBook, day: string): RateBook =>
  day === today.day ? today : books.bookOn(day);

/** @param today today's rate book */
export const agreementSummary = (shown: Shown, books: RateBooks, today: RateBook): AgreementSummary => {
  const day = dayFor(shown.document, today.day);
  return summaryOf(shown, subjectsOf(shown.document, bookFor(books, today, day), day), today.day);
};

/** Converts a percentage with two decimals to a number. */
const percentNumber = (text: string): number => basisPointsOf(text) / 100;

const namesOf = (services: Named<string>): string[] | null => (services === '*' ? null : [...services]);

const zonesOf = (zones: Named<ZoneRange>): string[] | null => (zones === '*' ? null : zones.map(zoneText));

/** The packages with the second divisor, in words. */
const secondDivisorOf = ({ file }: Version, { code }: Card): AgreementDetail['services'][number]['secondDivisor'] => {
  const second = file.services[code]?.secondDivisor;
  if (second === undefined) return null;
  const { dimensionalFactor, overCubicIn, overLb } = second;
  const limit =
    overCubicIn === undefined ? `${overLb} LB actual weight` : `${overCubicIn.toLocaleString('en-US')} cubic in`;
  return { dimensionalFactor, over: `over ${limit}` };
};

const serviceRow = (subject: Subject): AgreementDetail['services'][number] => {
  const { card, version } = subject;
  const own: Card = cardOf(subject);
  const leastFor = (address: 'residential' | 'commercial'): number =>
    dollars(minimumFor(subject, own, address)?.cents ?? own.minimumNetCents);
  const lines = version.tables.minimums.filter(({ services }) => namesService(services, subject));
  const cap = version.file.services[card.code]?.rateCapPercent;
  return {
    shippingService: card.code,
    description: card.description,
    minimumCharge: { residential: leastFor('residential'), commercial: leastFor('commercial') },
    listMinimumCharge: dollars(card.minimumNetCents),
    minimumAs: lines.map(({ zones, address, billing, minimum, value, zone, weightLb }) => ({
      zones: zones === undefined ? null : zonesOf(zones),
      billing: billing === undefined ? null : [...billing],
      ...{ address, minimum, value: Number(value) },
      ...{ zone: zone ?? null, weightLb: weightLb ?? null },
    })),
    dimensionalFactor: own.dimensionalFactor,
    listDimensionalFactor: card.dimensionalFactor,
    dimensionalOverCubicIn: own.dimensionalOverCubicIn,
    listDimensionalOverCubicIn: card.dimensionalOverCubicIn,
    secondDivisor: secondDivisorOf(version, card),
    rateCapPercent: cap === undefined || version.tables.caps[card.code] === undefined ? null : percentNumber(cap),
    ownRates: version.tables.rates[card.code] !== undefined,
    multiweight: ownPricesOf(own) ?? null,
  };
};

const discountRows = (document: AgreementDocument, day: string): AgreementDiscount[] => {
  const inForce = tiersOfDay(document, day);
  return filesOn(document, day).tables.discounts.map((line) => ({
    discount: line.discount,
    betterOf: line.betterOf ?? null,
    services: namesOf(line.services),
    zones: zonesOf(line.zones),
    fromLb: line.fromLb,
    toLb: line.toLb ?? null,
    address: line.address,
    billing: line.billing === undefined ? null : [...line.billing],
    appliesTo: line.appliesTo,
    tier: line.tier ?? null,
    percent: percentNumber(line.percent),
    usd: line.usd === undefined ? null : Number(line.usd),
    counts: isInForce(line, inForce),
  }));
};

/** The parts of an agreement that do not change prices on these cards. */
export const besideOf = (version: Version, cards: readonly Card[]): Beside => ({
  fees: feeLines(version, cards).map(({ surcharge, services, change, value, isPercent, lastYear }) => ({
    fee: surcharge,
    services: namesOf(services),
    change:
      lastYear === undefined
        ? kindText(change, value === '' ? 0 : centsOf(value), isPercent === true)
        : `at most ${value}% above ${lastYear}`,
  })),
  notes: (version.tables.notes ?? []).map(({ topic, text }) => ({ topic, text })),
});

/** The bands of fuel prices, and the price in force. */
const fuelBands = ({ tables: { fuel_index = [], fuel_prices } }: Version, day: string): AgreementDetail['fuelIndex'] =>
  fuel_index.map(({ services, index, fromUsd, percent }, at) => {
    const price = fuelPriceOn(fuel_prices, index, day);
    const next = fuel_index[at + 1];
    const toUsd = next !== undefined && String(next.services) === String(services) ? Number(next.fromUsd) : null;
    const now = price ? { usd: Number(price.line.usd), from: price.line.from, lastDay: price.lastDay } : null;
    return {
      ...{ services: namesOf(services), index, fromUsd: Number(fromUsd), toUsd, percent: percentNumber(percent) },
      inForce: now !== null && now.usd >= Number(fromUsd) && (toUsd === null || now.usd < toUsd),
      price: now,
    };
  });

/** @param today today's rate book */
export const agreementDetail = (shown: Shown, books: RateBooks, today: RateBook): AgreementDetail => {
  const { document } = shown;
  const day = dayFor(document, today.day);
  const book = bookFor(books, today, day);
  const subjects = subjectsOf(document, book, day);
  const version = filesOn(document, day);
  return {
    ...summaryOf(shown, subjects, today.day),
    date: day,
    changes: document.amendments.map(({ from }) => from),
    services: subjects.map(serviceRow),
    discounts: discountRows(document, day),
    totals: totalsOf(servicesOf(document, book.cards, day)),
    surcharges: surchargeRows(subjects),
    ...besideOf(version, book.cards),
    fuel: version.tables.fuel.map(({ services, from, until, percent }) => ({
      ...{ services: namesOf(services), from, until: until ?? null, percent: percentNumber(percent) },
    })),
    fuelIndex: fuelBands(version, day),
    tiers: tiersTable(document, day),
    ...present({ programs: programTables(document, day) }),
  };
};
