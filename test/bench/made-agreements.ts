/** Makes whole agreements in the shape of the public ones, each different: the same seed gives the same agreement. */
import { CHANGES } from '../../src/catalog/agreement/cells.ts';
import {
  type AgreementDocument,
  agreementFile,
  type DiscountLine,
  NO_TABLES,
  type SurchargeLine,
} from '../../src/catalog/agreement/document.ts';
import type { TariffDocument } from '../../src/catalog/tariff/document.ts';
import { randomFrom } from './shipments.ts';

type Random = () => number;

const hundredths = (random: Random, most: number): string => (Math.floor(random() * most) / 100).toFixed(2);

const BANDS = [1, 6, 11, 21, 31, 51, 71] as const;
const ZONES = [
  [{ from: '2', to: '4' }],
  [
    { from: '5', to: '8' },
    { from: '44', to: '46' },
  ],
] as const;

/** Lines by service, weight, zone and address: the last ones are of two tiers, on all services. */
const discountsOf = (random: Random, codes: readonly string[], count: number): DiscountLine[] => {
  const lines: Omit<DiscountLine, 'row'>[] = [];
  const base = { zones: '*', fromLb: 1, address: 'any', appliesTo: 'both' } as const;
  for (const tier of ['1', '2'])
    lines.push({ ...base, discount: 'Tier', services: '*', tier, percent: hundredths(random, 900) });
  for (const [band, fromLb] of BANDS.entries())
    for (const address of ['commercial', 'residential'] as const)
      for (const zones of ZONES)
        for (const code of codes) {
          const next = BANDS[band + 1];
          const percent = hundredths(random, 4_000);
          lines.push({
            ...{ ...base, discount: 'Incentive', services: [code], fromLb, address, zones, percent },
            ...(next === undefined ? {} : { toLb: next - 1 }),
          });
        }
  // As many as asked for, from all services.
  const step = Math.max(1, Math.floor((lines.length - 2) / (count - 2)));
  const kept = lines.filter((_, at) => at < 2 || (at - 2) % step === 0).slice(0, count);
  return kept.map((line, at) => ({ row: at + 2, ...line }));
};

const surchargesOf = (random: Random, tariff: TariffDocument, codes: readonly string[], count: number) => {
  const amounts = new Map(tariff.file.surcharges.map(({ type, amount }) => [type, amount.per]));
  const types = [...amounts.keys()];
  return Array.from({ length: count }, (_, at): SurchargeLine => {
    const type = at === 0 ? 'FUEL' : (types[Math.floor(random() * types.length)] ?? 'FUEL');
    const change = amounts.get(type) === 'percent' ? 'percent off' : (CHANGES[[0, 1, 3, 4][at % 4] ?? 0] ?? 'waived');
    const services = at % 3 === 0 ? '*' : codes.filter((code) => code.length % 2 === at % 2);
    return { row: at + 2, surcharge: type, services, zones: '*', change, value: hundredths(random, 3_000) };
  });
};

/** An agreement with one carrier of a tariff. */
export const madeAgreement = (
  tariff: TariffDocument,
  carrier: string,
  seed: number,
  { discounts, surcharges }: { readonly discounts: number; readonly surcharges: number },
): AgreementDocument => {
  const random = randomFrom(seed);
  const codes = tariff.file.services.filter((service) => service.carrier === carrier).map(({ code }) => code);
  return {
    file: agreementFile.parse({
      ...{ name: `acme-${seed}`, carrier, effective: '2026-01-01' },
      services: Object.fromEntries(codes.slice(0, 2).map((code) => [code, { dimensionalFactor: 166 }])),
      earned: {
        inForce: [
          { from: '2026-01-01', until: '2026-06-30', tier: '1' },
          { from: '2026-07-01', tier: '2' },
        ],
      },
    }),
    tables: {
      ...NO_TABLES,
      discounts: discountsOf(random, codes, discounts),
      surcharges: surchargesOf(random, tariff, codes, surcharges),
      minimums: codes.map((code, at) => ({
        ...{ row: at + 2, services: [code], address: 'any', minimum: 'less usd', zone: '2', weightLb: 1 },
        value: hundredths(random, 150),
      })),
      tiers: ['1', '2'].map((tier, at) => ({ row: at + 2, tier, fromUsd: `${at + 1}0000.00` })),
    },
    amendments: [],
  };
};
