/** Checks that the references of a tariff's surcharges exist, and that the core can apply the surcharges. */
import { grouped } from '../../../base/maps.ts';
import { CONDITIONS, isDemand, isFuelType, MEASURE_NAMES } from '../../../rating/charges.ts';
import { rateZoneOf, surchargesOn, unchargedTiers } from '../compile-charges.ts';
import { byFrom, later } from '../days.ts';
import type { Finding, SurchargeEntry, TariffDocument } from '../document.ts';
import { collected, error, incomplete, warning } from '../findings.ts';
import { periodsOf } from '../fuel.ts';

/** The name of the discounted base in the list that a percentage applies to. */
const BASE = 'BASE';

const codesOf = ({ services }: SurchargeEntry, codes: readonly string[]): readonly string[] => services ?? codes;

const share = (a: SurchargeEntry, b: SurchargeEntry, codes: readonly string[]): boolean =>
  codesOf(a, codes).some((code) => codesOf(b, codes).includes(code));

/** A percentage may include only earlier surcharges of the same services. */
const checkOf = (document: TariffDocument, index: number, at: string): Finding[] => {
  const { surcharges, services } = document.file;
  const entry = surcharges[index];
  if (entry?.amount.per !== 'percent') return [];
  const codes = services.map(({ code }) => code);
  return entry.amount.of.flatMap((name, place): Finding[] => {
    if (name === BASE) return [];
    const where = `${at}.amount.of[${place}]`;
    const named = surcharges.flatMap((other, from) =>
      other.type === name && other !== entry && share(entry, other, codes) ? [from] : [],
    );
    if (named.length === 0) return [error(where, `there is no surcharge ${name} for its services`)];
    if (named.every((from) => from < index)) return [];
    return [error(where, `${name} comes later; a percentage may only include surcharges before it`)];
  });
};

const checkSchedule = ({ amount }: SurchargeEntry, effective: string, at: string): Finding[] => {
  if (amount.per !== 'percent' || typeof amount.rate === 'string') return [];
  const where = `${at}.amount.rate`;
  const steps = amount.rate.toSorted(byFrom);
  const days = steps.map(({ from }) => from);
  const findings = steps.flatMap(({ from, until }, index): Finding[] => {
    if (until === undefined) return [];
    const next = steps[index + 1];
    if (until < from) return [error(where, `the rate from ${from} ends before it begins, on ${until}`)];
    if (next === undefined || next.from === from || until < next.from) return [];
    return [error(where, `the rate from ${from} lasts until ${until}, but another begins on ${next.from}`)];
  });
  if (new Set(days).size < days.length) findings.push(error(where, 'has two rates from the same date'));
  if (days.every((day) => day > effective)) findings.push(incomplete(where, `no rate on the first day, ${effective}`));
  return findings;
};

/** Whether two entries are the same charge: the same type, conditions and, for percentages, the same base. */
const isAlike = (a: SurchargeEntry, b: SurchargeEntry): boolean => {
  const kindOf = ({ type, when, amount }: SurchargeEntry): string =>
    JSON.stringify([type, when, amount.per === 'percent' ? amount.of : []]);
  return kindOf(a) === kindOf(b);
};

/** The first day on which both apply. Undefined if there is none. */
const commonDay = (a: SurchargeEntry, b: SurchargeEntry): string | undefined =>
  periodsOf(a)
    .flatMap((one) =>
      periodsOf(b)
        .filter((other) => one.from <= other.until && other.from <= one.until)
        .map((other) => later(one.from, other.from)),
    )
    .sort()[0];

/** A demand or fuel surcharge may have several periods, but must not apply twice on a day. */
const checkOverlap = ({ file }: TariffDocument, index: number, at: string): Finding[] => {
  const entry = file.surcharges[index];
  if (entry === undefined || !(isFuelType(entry.type) || isDemand(entry))) return [];
  const codes = file.services.map(({ code }) => code);
  return file.surcharges.slice(0, index).flatMap((other, place): Finding[] => {
    const day = isAlike(entry, other) && share(entry, other, codes) ? commonDay(entry, other) : undefined;
    if (day === undefined) return [];
    const names = `"${entry.description}" and surcharges[${place}] "${other.description}"`;
    return [error(at, `${names} are both charged on ${day} under the same conditions; change their periods`)];
  });
};

const ZONE_KEY = /^zone ([1-8])$/;

/** A surcharge may name only rate columns of its services. An amount may also name zones. */
const checkColumns = (
  { file, rates }: TariffDocument,
  { services: named, amount, when }: SurchargeEntry,
  at: string,
) => {
  const services = file.services.filter(({ code }) => named === undefined || named.includes(code));
  const known = new Set(services.flatMap(({ code }) => rates[code]?.columns ?? []));
  const zones = new Set(
    services.flatMap((service) => (rates[service.code]?.columns ?? []).map((column) => rateZoneOf(service, column))),
  );
  const unknown = (where: string, column: string): Finding[] =>
    known.has(column) ? [] : [error(where, `${column} is not a rate column of its services`)];
  const isByColumn = amount.per === 'package' || amount.per === 'pound' || amount.per === 'shipment';
  const keys = isByColumn && typeof amount.usd !== 'string' ? Object.keys(amount.usd) : [];
  return [
    ...(when.columns ?? []).flatMap((column) => unknown(`${at}.when.columns`, column)),
    ...keys.flatMap((key): Finding[] => {
      const [, zone] = ZONE_KEY.exec(key) ?? [];
      if (key === '*' || (zone !== undefined && zones.has(Number(zone)))) return [];
      return zone === undefined
        ? unknown(`${at}.amount.usd`, key)
        : [warning(`${at}.amount.usd`, `no rate column of its services is reported as zone ${zone}`)];
    }),
  ];
};

/** Only a charge for certain weights or sizes may have an unknown amount. Quotes of the affected packages say so. */
const checkUnknown = ({ amount, when }: SurchargeEntry, at: string): Finding[] => {
  if (!('usd' in amount) || typeof amount.usd === 'string') return [];
  const unknown = Object.entries(amount.usd).flatMap(([key, usd]) =>
    usd !== null ? [] : key === '*' ? 'other zones' : key,
  );
  if (unknown.length === 0) return [];
  return hasMeasures(when) || when.nonStandardPackaging === true
    ? [incomplete(`${at}.amount.usd`, `is unknown for ${unknown.join(', ')}: quotes that need it are incomplete`)]
    : [error(`${at}.amount.usd`, `is null for ${unknown.join(', ')}, but the charge is for every package`)];
};

const checkArea = ({ areas }: TariffDocument, { when }: SurchargeEntry, at: string): Finding[] => {
  if (when.area === undefined) return [];
  const { list, tier } = when.area;
  const rows = Object.hasOwn(areas, list) ? areas[list]?.rows : undefined;
  if (rows === undefined) return [error(`${at}.when.area`, `areas/${list}.csv is missing`)];
  if (rows.some((row) => row.tier === tier)) return [];
  return [error(`${at}.when.area`, `areas/${list}.csv has no ZIP code of the tier ${tier}`)];
};

/** Quotes to the tiers that have no charge say that a part is missing. */
const checkTiers = (document: TariffDocument): Finding[] => {
  const { services, effective } = document.file;
  const uncharged = services
    .filter(({ hasNo }) => !hasNo.includes('deliveryArea'))
    .flatMap(({ code }) =>
      unchargedTiers(document, surchargesOn(document, code, effective)).map(({ list, tier }) => ({
        tier: `the tier ${tier} of areas/${list}.csv`,
        code,
      })),
    );
  return [...grouped(uncharged, ({ tier }) => tier)].map(([tier, same]) => {
    const codes = same.map(({ code }) => code).join(', ');
    return incomplete(
      'tariff.json surcharges',
      `there is no charge of ${codes} for ${tier}: quotes to it are incomplete`,
    );
  });
};

/** Whether a condition uses a package's weight or size. */
const hasMeasures = (when: SurchargeEntry['when']): boolean =>
  when.anyOf !== undefined || MEASURE_NAMES.some((measure) => when[measure] !== undefined);

/** Some conditions and rules apply to single packages. Other amounts cannot have them. */
const checkKind = (entry: SurchargeEntry, at: string): Finding[] => {
  const { amount, when, dearestOf, leastBillingWeightLb, multiweightMaximumUsd } = entry;
  const isAsked = CONDITIONS.some(({ member }) => when[member] !== undefined);
  const { per } = amount;
  const byPackage = per === 'package' || per === 'pound';
  const isByPackage = hasMeasures(when) || when.nonStandardPackaging === true;
  const isShared = dearestOf !== undefined || leastBillingWeightLb !== undefined;
  const only = 'for amounts per package or per pound';
  return collected(
    per === 'percent' && hasMeasures(when) && error(`${at}.when`, 'a percentage cannot depend on weight or size'),
    per === 'percent' && isAsked && error(`${at}.when`, 'a percentage cannot depend on what the request asks for'),
    per === 'declaredValue' &&
      isByPackage &&
      error(`${at}.when`, 'an amount on the declared value cannot depend on a package'),
    per === 'shipment' && when.anyOf !== undefined && error(`${at}.when.anyOf`, `is ${only}`),
    !byPackage && isShared && error(at, `dearestOf and leastBillingWeightLb are ${only}`),
    !byPackage && multiweightMaximumUsd !== undefined && error(`${at}.multiweightMaximumUsd`, `is ${only}`),
  );
};

/** A condition on the address type is useless if the services do not deliver to such addresses. */
const checkAddress = ({ file }: TariffDocument, { services, when }: SurchargeEntry, at: string): Finding[] => {
  if (when.residential === undefined) return [];
  const others = when.residential ? 'businesses' : 'homes';
  const own = file.services.filter(({ code }) => services === undefined || services.includes(code));
  if (own.length === 0 || own.some(({ deliversTo }) => deliversTo !== others)) return [];
  return [warning(`${at}.when.residential`, `its services deliver only to ${others}: it is never charged`)];
};

export const checkSurcharges = (document: TariffDocument): Finding[] => {
  const codes = new Set(document.file.services.map(({ code }) => code));
  const findings = document.file.surcharges.flatMap((entry, index): Finding[] => {
    const at = `tariff.json surcharges[${index}]`;
    const { type, services = [], from, until } = entry;
    const unknown = services.filter((code) => !codes.has(code));
    return collected(
      type === BASE && error(`${at}.type`, `${BASE} is reserved for the discounted base`),
      unknown.map((code) => error(`${at}.services`, `there is no service ${code}`)),
      checkOf(document, index, at),
      from !== undefined &&
        until !== undefined &&
        until < from &&
        error(`${at}.until`, `${until} is before ${from}, the first day`),
      checkSchedule(entry, document.file.effective, at),
      checkOverlap(document, index, at),
      checkColumns(document, entry, at),
      checkUnknown(entry, at),
      checkArea(document, entry, at),
      checkAddress(document, entry, at),
      checkKind(entry, at),
    );
  });
  return [...findings, ...checkTiers(document)];
};
