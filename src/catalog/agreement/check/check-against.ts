/** Checks an agreement against the tariffs: the names it uses must exist there, and its terms must apply to somebody. */
import { dollarText } from '../../../rating/quantity.ts';
import { discountBeforeMinimum, discountOn, type Minimum, type Terms } from '../../../rating/terms.ts';
import { hasErrors } from '../../tariff/check/check.ts';
import { DAY_MS, shifted } from '../../tariff/days.ts';
import type { Finding } from '../../tariff/document.ts';
import { collected, error, warning } from '../../tariff/findings.ts';
import { type Schedule, serviceCodes } from '../../tariff/schedule.ts';
import { termsOf } from '../compile.ts';
import { fuelPriceOn } from '../compile-charges.ts';
import { AGREEMENT_FILE, type AgreementDocument, CODE_TABLES, SERVICE_TABLES } from '../document.ts';
import { fileOfIn, type Held, listOf, once } from '../subject.ts';
import { bandsOf } from '../tiers.ts';
import { filesOn, lastDayOf, tiersOfDay } from '../versions.ts';
import { checkBesideList, checkColumns } from './check-columns.ts';
import { checkSurcharges } from './check-surcharges.ts';

/* Computes an agreement's prices cell by cell to find discounts that the minimum cancels and sums above 100%. */

const WHOLE = 10_000;
const ADDRESSES = ['commercial', 'residential'] as const;

/**
 * Cells where the minimum cancels some of a discount, of those that have a discount. A cell is a zone, a pound and an address
 * type. @returns undefined if the minimum cancels nothing
 */
const swallowedBy = (terms: Terms) => {
  const { columns, topLb, rates } = terms.card;
  let [discounted, cells, mostCents, fromLb, toLb] = [0, 0, 0, Number.POSITIVE_INFINITY, 0];
  const zones = new Set<string>();
  const addresses = new Set<(typeof ADDRESSES)[number]>();
  for (const address of ADDRESSES)
    for (const [column, zone] of columns.entries())
      for (let pounds = 1; pounds <= topLb; pounds++) {
        const base = rates[column * (topLb + 1) + pounds] ?? 0;
        const residential = address === 'residential';
        const off = base === 0 ? 0 : discountBeforeMinimum(terms, column, pounds, residential, base);
        if (off === 0) continue;
        discounted += 1;
        const taken = off - discountOn(terms, column, pounds, residential, base);
        if (taken <= 0) continue;
        cells += 1;
        zones.add(zone);
        addresses.add(address);
        fromLb = Math.min(fromLb, pounds);
        toLb = Math.max(toLb, pounds);
        mostCents = Math.max(mostCents, taken);
      }
  if (cells === 0) return undefined;
  return { discounted, cells, zones: [...zones], fromLb, toLb, addresses: [...addresses], mostCents };
};

type Swallowed = NonNullable<ReturnType<typeof swallowedBy>>;

const swallowedText = ({ discounted, cells, zones, fromLb, toLb, addresses, mostCents }: Swallowed): string => {
  const pounds = fromLb === toLb ? `${fromLb} lb` : `${fromLb} to ${toLb} lb`;
  const where = `${zones.length === 1 ? 'zone' : 'zones'} ${zones.join(', ')}; ${pounds}; ${addresses.join(' and ')}`;
  const counted = `${cells.toLocaleString('en-US')} of ${discounted.toLocaleString('en-US')}`;
  return `${counted} discounted prices (${where}), by up to $${dollarText(mostCents)}`;
};

const minimumText = ({ cents, source }: Minimum): string =>
  `$${dollarText(cents)} ${source === undefined ? 'in the list' : `in ${source}`}`;

/** Reports the cells of each service that the minimum limits, and discounts that add up to more than 100%. */
const checkCells = ({ document, cards, day, fileOf }: Held): Finding[] => {
  const found = cards.flatMap((card) => {
    const terms = termsOf(document, card, day);
    if (terms === undefined) return [];
    return [terms, ...Object.values(terms.byBilling ?? {})].map((own) => ({ code: card.code, own }));
  });
  const file = fileOf('discounts');
  const details = found.flatMap(({ code, own }) => {
    const { commercial, residential } = own.minimum;
    const swallowed = swallowedBy(own);
    if (swallowed === undefined) return [];
    const minimums = [...new Set([commercial, residential].map(minimumText))].join(' and ');
    return [`${code}: ${minimums}, limits ${swallowedText(swallowed)}`];
  });
  return collected(
    details.length > 0 && {
      ...warning(file, 'minimum charges limit discounts. If the contract has other minimum charges, correct them'),
      details: [...new Set(details)],
    },
    ...found.map(({ code, own }) => {
      const above = (own.discounts?.combinations ?? []).find(
        ({ parts }) => parts.reduce((sum, { rate }) => sum + rate, 0) > WHOLE,
      );
      const names = above?.parts.map(({ description }) => description).join(' + ');
      const advice = 'add up to more than 100%, and count as 100%: correct them, or name them in better_of';
      return above && warning(`${file} ${code}`, `${names} ${advice}`);
    }),
  );
};

const ENDS_SOON_DAYS = 60;

/** Reports a second divisor that equals the first one, because it changes nothing. */
const checkDivisors = ({ cards, version: { file } }: Held): Finding[] =>
  cards.flatMap(({ code, dimensionalFactor: list }) => {
    const { dimensionalFactor = list, secondDivisor } = file.services[code] ?? {};
    if (secondDivisor?.dimensionalFactor !== dimensionalFactor) return [];
    const message = `is ${dimensionalFactor} for all packages of ${code}: correct one of the two, or remove this member`;
    return [warning(`${AGREEMENT_FILE} services.${code}.secondDivisor`, message)];
  });

/** Returns the services that the agreement names, each with the first place that names it. */
const namedServices = ({ version: { file, tables }, fileOf }: Held): Map<string, string> => {
  const places = new Map<string, string>();
  const add = (code: string, at: string): void => {
    if (!places.has(code)) places.set(code, at);
  };
  for (const code of Object.keys(file.services)) add(code, `${AGREEMENT_FILE} services.${code}`);
  for (const table of SERVICE_TABLES)
    for (const { services, row } of tables[table] ?? [])
      if (services !== '*') for (const code of services) add(code, `${fileOf(table)} row ${row} column services`);
  for (const kind of CODE_TABLES) for (const code of Object.keys(tables[kind] ?? {})) add(code, fileOf(kind, code));
  return places;
};

const checkServices = (held: Held): Finding[] => {
  const { cards, schedule, day, version } = held;
  const known = serviceCodes(schedule);
  const carriers = new Map(cards.map((card) => [card.code, card.carrier]));
  const { carrier } = version.file;
  const own = cards.filter((card) => card.carrier === carrier).map(({ code }) => code);
  return [...namedServices(held)].flatMap(([code, at]): Finding[] => {
    const other = carriers.get(code);
    if (other !== undefined)
      return other === carrier || own.length === 0
        ? []
        : [warning(at, `${code} is a service of ${other}, but the agreement is with ${carrier}: is this right?`)];
    if (known.includes(code)) return [warning(at, `${code} is in no tariff in force on ${day}: add such a tariff`)];
    const message = `no tariff has the service ${code}: correct it, or add the tariff. ${carrier} has ${listOf(own)}`;
    return [error(at, message)];
  });
};

const checkCarrier = ({ cards, version: { file, tables } }: Held): Finding[] => {
  if (cards.some(({ carrier }) => carrier === file.carrier)) return [];
  const carriers = [...new Set(cards.map(({ carrier }) => carrier))];
  const message = `no service of the tariffs in force has the carrier ${JSON.stringify(file.carrier)}: correct it. They have ${listOf(carriers)}`;
  const at = `${AGREEMENT_FILE} carrier`;
  return SERVICE_TABLES.some((table) => tables[table]?.some(({ services }) => services === '*'))
    ? [error(at, `${message}. * names no service`)]
    : [warning(at, message)];
};

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

const checkEnd = (document: AgreementDocument, day: string): Finding[] => {
  const last = lastDayOf(document);
  if (last === undefined || last > shifted(day, ENDS_SOON_DAYS)) return [];
  const at = `${AGREEMENT_FILE} until`;
  const advice = 'quotes after that are at list prices. Add an amendment with a later end';
  const end = last < day ? `ended on ${last}` : `ends in ${daysBetween(day, last)} days, on ${last}`;
  return [warning(at, `the agreement ${end}: ${advice}`)];
};

/** Reports tiers that discounts or surcharges name but whose figures are missing or old. */
const checkTiersToday = ({ document, version: { tables }, day, fileOf }: Held): Finding[] => {
  const used = new Set([...tables.discounts, ...tables.surcharges].map(({ tier }) => tier));
  return tiersOfDay(document, day)
    .filter((tier) => tier.isUncertain && bandsOf(tables.tiers, tier).some((band) => used.has(band.tier)))
    .map(({ program, period = 'week', spendUntil }) => {
      const place = program === undefined ? 'earned' : `earned.programs.${program}`;
      const of = program === undefined ? '' : ` of ${program}`;
      const [one, whole] = period === 'quarter' ? ['quarter', 'whole quarter'] : ['week', 'week'];
      const message =
        spendUntil === undefined
          ? `has no ${whole}${of} before ${day}, so no tier is in force: add the weeks, or ${place}.grace to ${AGREEMENT_FILE}`
          : `ends with the ${one} to ${spendUntil}, so the tier${of} on ${day} is uncertain: add the weeks since`;
      return warning(fileOf('spend'), message);
    });
};

/** Reports index prices that are missing, so the list's rate applies, or old, so the last one still applies. */
const checkFuelPrices = ({ version: { tables }, day, fileOf }: Held): Finding[] =>
  [...new Set((tables.fuel_index ?? []).map(({ index }) => index))].flatMap((index): Finding[] => {
    const price = fuelPriceOn(tables.fuel_prices, index, day);
    const at = fileOf('fuel_prices');
    if (price === undefined)
      return [warning(at, `has no price of ${index} before ${day}, so the list fuel rate applies`)];
    const message = `has no price of ${index} after ${price.lastDay}, so the last one still applies: add the weeks since`;
    return price.isStale ? [warning(`${at} row ${price.line.row}`, message)] : [];
  });

const checkHeld = (held: Held): Finding[] => {
  const { cards, day } = held;
  if (cards.length === 0)
    return [warning(AGREEMENT_FILE, `no tariff is in force on ${day}, so nothing was compared: add a tariff`)];
  const findings = [
    ...checkCarrier(held),
    ...checkDivisors(held),
    ...checkServices(held),
    ...checkColumns(held),
    ...checkBesideList(held),
    ...checkSurcharges(held),
    ...checkTiersToday(held),
    ...checkFuelPrices(held),
  ];
  // Prices are computed only if the agreement compiles as intended.
  return hasErrors(findings) ? findings : [...findings, ...checkCells(held)];
};

/**
 * Checks an agreement against the tariffs on a day and from each later amendment on. `checkAgreement` must have found no
 * errors.
 */
export const checkAgainst = (document: AgreementDocument, schedule: Schedule, day: string): Finding[] => {
  const { effective } = document.file;
  const first = day < effective ? effective : day;
  const days = [first, ...document.amendments.map(({ from }) => from).filter((from) => from > first)];
  const last = lastDayOf(document);
  const checked = days
    .filter((one) => last === undefined || one <= last)
    .flatMap((one) => {
      const version = filesOn(document, one);
      const { cards } = schedule.bookOn(one);
      return checkHeld({ document, version, day: one, cards, schedule, fileOf: fileOfIn(version) });
    });
  return once([...checkEnd(document, day), ...checked], document);
};
