/** A made agreement with tiers by average week, by the packages of a quarter and by annualized revenue. */
import type { AgreementDocument, AgreementFileInput } from '../../../../src/catalog/agreement/document.ts';
import { shifted } from '../../../../src/catalog/tariff/days.ts';
import { type TariffDocument, tariffFile } from '../../../../src/catalog/tariff/document.ts';
import { smallTariff, TEN_POUNDS } from '../../tariff/small-tariff.ts';
import { smallAgreement, type Texts } from '../small-agreement.ts';
import { TARIFF } from './clause.ts';

/** The tariff of the clauses, with a second service at the same rates. */
export const PROGRAM_TARIFF: TariffDocument = smallTariff({
  file: tariffFile.parse({
    ...TARIFF.file,
    services: ['GROUND', 'EXPRESS'].map((code) => ({ ...TARIFF.file.services[0], code, description: `Small ${code}` })),
  }),
  document: { rates: { GROUND: TEN_POUNDS, EXPRESS: TEN_POUNDS } },
});

/** A Saturday. The first quarter of 2026 has thirteen weeks from this one on, and so has the second. */
export const FIRST_WEEK = '2026-01-03';
const WEEKS = Array.from({ length: 26 }, (_, at) => ({ week: shifted(FIRST_WEEK, 7 * at), isSecond: at >= 13 }));

/** All: 900.00 a week and 1,200.00 in the second quarter; ground 200 packages and 100; express 2,000.00 and 5,000.00. */
export const SPEND = [
  'week_ending,program,usd,packages',
  ...WEEKS.map(({ week, isSecond }) => `${week},,${isSecond ? '1200.00' : '900.00'},`),
  ...WEEKS.map(({ week, isSecond }) => `${week},Ground volume,,${isSecond ? 100 : 200}`),
  ...WEEKS.map(({ week, isSecond }) => `${week},Express revenue,${isSecond ? '5000.00' : '2000.00'},`),
].join('\n');

export const TEXTS = {
  discounts: `discount,services,tier,percent
Base,*,,10
Weekly,*,A,1.50
Ground volume,GROUND,G1,3
Ground volume,GROUND,G2,5
Express revenue,EXPRESS,E1,4
Express revenue,EXPRESS,E2,6
Portfolio,*,E2,2
`,
  minimums: 'minimum,value\nusd,5.00\n',
  surcharges: 'surcharge,services,tier,change,value\nRESIDENTIAL,GROUND,G2,percent off,50\n',
  tiers: `program,tier,from_usd,from_packages
,A,1000.00,
Ground volume,G1,,1000
Ground volume,G2,,2500
Express revenue,E1,100000.00,
Express revenue,E2,250000.00,
`,
  spend: SPEND,
} satisfies Texts;

export const EARNED = {
  averageWeeks: 2,
  programs: { 'Ground volume': { period: 'quarter' }, 'Express revenue': { period: 'year', averageWeeks: 4 } },
} satisfies AgreementFileInput['earned'];

export const programAgreement = (
  texts: Texts = {},
  earned: AgreementFileInput['earned'] = EARNED,
  file: Partial<AgreementFileInput> = {},
): AgreementDocument => smallAgreement({ ...TEXTS, ...texts }, { file: { earned, ...file } });

export const PROGRAMS = programAgreement();
