/** The coverage of a tariff as text: two tables that fit in 100 columns, and the missing parts. */
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import type { Coverage, ServiceCoverage } from '../../catalog/tariff/coverage.ts';
import { severalOf } from '../../catalog/tariff/findings.ts';
import { TARIFF_PARTS, type TariffPart } from '../../rating/charges.ts';
import { count, counted, table } from '../format.ts';

const ratesText = ({ rates: { from, toLb, columns, byVolume } }: ServiceCoverage): string => {
  const weights = from === '1 lb' ? `1-${toLb} lb` : `${from}-${toLb} lb`;
  return `${weights}, ${counted(columns.length, 'zone')}${byVolume ? ', cubic' : ''}`;
};

const ZONES = { charted: 'charted', distance: 'by distance', estimated: 'estimated', unreached: 'none' } as const;
const ZONE_STATES = ['charted', 'distance', 'estimated', 'unreached'] as const;
const MAX_ORIGINS = 3;

/** The number of warehouses by kind of zones. Without warehouses: the origins of the charts. */
const zonesText = ({ zones: { origins, warehouses } }: ServiceCoverage): string => {
  if (warehouses.length === 0)
    return origins.length === 0 ? 'by distance' : `from ${severalOf(origins, ', ', MAX_ORIGINS)}`;
  const counts = ZONE_STATES.map((state) => ({
    word: ZONES[state],
    own: warehouses.filter(({ zones }) => zones === state).length,
  })).filter(({ own }) => own > 0);
  const [first, ...others] = counts;
  if (others.length === 0) return must(first, 'the zones of a warehouse').word;
  return counts.map(({ word, own }) => `${own} ${word}`).join(', ');
};

const WORDS = { present: 'yes', missing: 'missing', none: 'none' } as const;

const fuelText = ({ fuel: { percent, lastDay, nextDay, isCarried }, parts }: ServiceCoverage): string => {
  if (parts.fuel === 'missing') {
    if (lastDay !== undefined) return `missing after ${lastDay}`;
    return nextDay === undefined ? WORDS.missing : `missing before ${nextDay}`;
  }
  if (parts.fuel === 'none') return WORDS.none;
  const rate = percent === undefined ? WORDS.present : `${Number(percent).toFixed(2)}%`;
  if (lastDay === undefined) return rate;
  return isCarried ? `${rate}, last known on ${lastDay}` : `${rate} to ${lastDay}`;
};

const areasText = ({ areas: { tiers, zipCodes }, parts }: ServiceCoverage): string =>
  parts.deliveryArea === 'present'
    ? `${counted(tiers.length, 'tier')}, ${count(zipCodes)} ZIPs`
    : WORDS[parts.deliveryArea];

const limitsText = ({ limits: { lengthIn, lengthPlusGirthIn, weightLb }, parts }: ServiceCoverage): string => {
  const sides = `${lengthIn ?? '-'} / ${lengthPlusGirthIn ?? '-'} in`;
  return `${parts.limits === 'present' ? sides : WORDS[parts.limits]}, ${weightLb} lb`;
};

const OPTIONS = { signature: 'signature', saturday: 'Saturday', declaredValue: 'value' } as const;
const OPTION_PARTS = ['signature', 'saturday', 'declaredValue'] as const;

const optionsText = ({ parts }: ServiceCoverage): string => {
  const has = OPTION_PARTS.filter((part) => parts[part] === 'present');
  if (has.length > 0) return has.map((part) => OPTIONS[part]).join(', ');
  return OPTION_PARTS.every((part) => parts[part] === 'none') ? WORDS.none : WORDS.missing;
};

/** `all services`, or carriers whose services are all included and the codes of other services. */
const namesOf = (lacking: readonly ServiceCoverage[], services: readonly ServiceCoverage[]): string => {
  if (lacking.length === services.length) return 'all services';
  const sizeOf = (of: readonly ServiceCoverage[], name: string): number =>
    of.filter(({ carrier }) => carrier === name).length;
  const isWhole = (name: string): boolean =>
    sizeOf(lacking, name) > 1 && sizeOf(lacking, name) === sizeOf(services, name);
  const whole = [...new Set(lacking.map(({ carrier }) => carrier))].filter(isWhole);
  const others = lacking.filter(({ carrier }) => !isWhole(carrier));
  return severalOf([...whole.map((carrier) => `all of ${carrier}`), ...others.map(({ service }) => service)], ', ', 4);
};

/** A line for parts that are missing from the same services. */
const missingLines = (services: readonly ServiceCoverage[]): string[] => {
  const lacking = (part: TariffPart) => services.filter(({ parts }) => parts[part] === 'missing');
  const missing = TARIFF_PARTS.filter((part) => lacking(part).length > 0);
  const byServices = grouped(missing, (part) => namesOf(lacking(part), services));
  return [...byServices].map(([names, parts]) => `  ${parts.join(', ')}: ${names}`);
};

/** The lines of the coverage. `signature`, `saturday` and `declaredValue` are missing only if a request needs them. */
export const coverageLines = ({ day, services }: Coverage): string[] => {
  const missing = missingLines(services);
  return [
    `Coverage on ${day}:`,
    ...table([
      ['service', 'rates', 'zones', 'length / plus girth, weight', 'handling'],
      ...services.map((one) => [
        ...[one.service, ratesText(one), zonesText(one), limitsText(one), WORDS[one.parts.handling]],
      ]),
    ]),
    '',
    ...table([
      ['service', 'fuel', 'residential', 'delivery area', 'options'],
      ...services.map((one) => [
        ...[one.service, fuelText(one), WORDS[one.parts.residential], areasText(one), optionsText(one)],
      ]),
    ]),
    '',
    ...(missing.length === 0
      ? ['Nothing is missing.']
      : ['Missing. Prices that need it are too low and have the warning price.incomplete:', ...missing]),
    '',
  ];
};
