/** Checks that a tariff's surcharges refer to what exists, and that the core can charge them. */
import type { Finding, SurchargeEntry, TariffDocument } from './document.ts';

/** The name of the discounted base in the list that a percentage applies to. */
const BASE = 'BASE';

const codesOf = ({ services }: SurchargeEntry, codes: readonly string[]): readonly string[] => services ?? codes;

const share = (a: SurchargeEntry, b: SurchargeEntry, codes: readonly string[]): boolean =>
  codesOf(a, codes).some((code) => codesOf(b, codes).includes(code));

/** A percentage may only include surcharges of the same services that come before it. */
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
    if (named.length === 0)
      return [{ severity: 'error', at: where, message: `there is no surcharge ${name} for its services` }];
    if (named.some((from) => from > index))
      return [
        {
          severity: 'error',
          at: where,
          message: `${name} comes later; a percentage may only include surcharges before it`,
        },
      ];
    return [];
  });
};

const checkSchedule = ({ amount }: SurchargeEntry, effective: string, at: string): Finding[] => {
  if (amount.per !== 'percent' || typeof amount.rate === 'string') return [];
  const days = amount.rate.map(({ from }) => from);
  const findings: Finding[] = [];
  if (new Set(days).size < days.length)
    findings.push({ severity: 'error', at: `${at}.amount.rate`, message: 'has two rates from the same date' });
  if (days.every((day) => day > effective))
    findings.push({
      severity: 'error',
      at: `${at}.amount.rate`,
      message: `has no rate for the effective date ${effective}`,
    });
  return findings;
};

/** A surcharge may only name rate columns of its services. */
const checkColumns = (document: TariffDocument, entry: SurchargeEntry, at: string): Finding[] => {
  const codes = codesOf(
    entry,
    document.file.services.map(({ code }) => code),
  );
  const known = new Set(codes.flatMap((code) => document.rates[code]?.columns ?? []));
  const { amount, when } = entry;
  const priced = amount.per === 'percent' || typeof amount.usd === 'string' ? [] : Object.keys(amount.usd);
  return [
    ...(when.columns ?? []).map((column) => [`${at}.when.columns`, column] as const),
    ...priced.filter((column) => column !== '*').map((column) => [`${at}.amount.usd`, column] as const),
  ]
    .filter(([, column]) => !known.has(column))
    .map(([where, column]) => ({
      severity: 'error',
      at: where,
      message: `${column} is not a rate column of its services`,
    }));
};

const checkArea = ({ areas }: TariffDocument, { when }: SurchargeEntry, at: string): Finding[] => {
  if (when.area === undefined) return [];
  const { list, tier } = when.area;
  const rows = Object.hasOwn(areas, list) ? areas[list]?.rows : undefined;
  if (rows === undefined)
    return [{ severity: 'error', at: `${at}.when.area`, message: `areas/${list}.csv is missing` }];
  if (rows.some((row) => row.tier === tier)) return [];
  return [
    { severity: 'error', at: `${at}.when.area`, message: `areas/${list}.csv has no ZIP code of the tier ${tier}` },
  ];
};

/** Some conditions and rules apply to single packages: other amounts cannot have them. */
const checkKind = ({ amount, when, dearestOf, leastBillingWeightLb }: SurchargeEntry, at: string): Finding[] => {
  const { residential: _residential, area: _area, columns: _columns, ...measures } = when;
  const findings: Finding[] = [];
  if (amount.per === 'percent' && Object.values(measures).some((limit) => limit !== undefined))
    findings.push({ severity: 'error', at: `${at}.when`, message: 'a percentage cannot depend on weight or size' });
  const byPackage = amount.per === 'package' || amount.per === 'pound';
  if (!byPackage && (dearestOf !== undefined || leastBillingWeightLb !== undefined))
    findings.push({
      severity: 'error',
      at,
      message: 'dearestOf and leastBillingWeightLb are for amounts per package or per pound',
    });
  return findings;
};

export const checkSurcharges = (document: TariffDocument): Finding[] => {
  const codes = new Set(document.file.services.map(({ code }) => code));
  return document.file.surcharges.flatMap((entry, index): Finding[] => {
    const at = `tariff.json surcharges[${index}]`;
    const unknown = (entry.services ?? []).filter((code) => !codes.has(code));
    return [
      ...(entry.type === BASE
        ? [{ severity: 'error', at: `${at}.type`, message: `${BASE} is reserved for the discounted base` } as const]
        : []),
      ...unknown.map((code): Finding => {
        return { severity: 'error', at: `${at}.services`, message: `there is no service ${code}` };
      }),
      ...checkOf(document, index, at),
      ...checkSchedule(entry, document.file.effective, at),
      ...checkColumns(document, entry, at),
      ...checkArea(document, entry, at),
      ...checkKind(entry, at),
    ];
  });
};
