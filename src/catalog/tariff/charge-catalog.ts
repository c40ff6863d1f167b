/**
 * The charges of carriers, each declared once: what it is called, by which words a list of charges names it, for which
 * packages the carriers publish it, and what else they say of it. Readers, imports and checks read it here.
 */
import { must } from '../../base/must.ts';
import { isFuelType } from '../../rating/charges.ts';
import type { SurchargeEntry } from './document.ts';

type Condition = SurchargeEntry['when'];
export type Measures = NonNullable<Condition['anyOf']>[number];

/** Which packages have a charge for handling: those over any of the measures. */
export interface HandlingRule {
  readonly anyOf: readonly Measures[];
  /** Measures that count from a day on. */
  readonly later?: { readonly from: string; readonly anyOf: Measures[] };
  readonly leastBillingWeightLb?: number;
}

export interface ChargeSpec {
  readonly description: string;
  /** Words of its name in a list of charges: all words of any of these. */
  readonly words?: readonly (readonly string[])[];
  /** What the charge itself says about when it applies. */
  readonly when?: Condition;
  /** Of all charges under this name that apply to a package, only the dearest is charged. */
  readonly dearestOf?: string;
  /** FedEx and UPS publish the same rule. */
  readonly published?: HandlingRule;
  /** The tier of areas in FedEx's list, and the word that names it. */
  readonly area?: { readonly tier: string; readonly word?: string };
  /** Fuel is not taken on it. */
  readonly withoutFuel?: true;
}

const HANDLING = { dearestOf: 'handling' };
const AREA = { words: [['area'], ['das']] };
/** Volume, and the weight of oversize packages, count from this day on (FedEx Service Guide 2026, pages 127 and 128). */
const VOLUME_FROM = '2026-01-12';

const charges = <Type extends string>(specs: Readonly<Record<Type, ChargeSpec>>): Readonly<Record<Type, ChargeSpec>> =>
  specs;

/** The first charge whose words are in a name is the one that it names. */
export const CHARGES = charges({
  SIGNATURE_INDIRECT: {
    description: 'Indirect signature required',
    words: [['signature', 'indirect']],
    when: { signature: ['indirect'] },
  },
  SIGNATURE_ADULT: {
    description: 'Adult signature required',
    words: [['signature', 'adult']],
    when: { signature: ['adult'] },
  },
  SIGNATURE_DIRECT: {
    description: 'Direct signature required',
    words: [['signature', 'direct']],
    when: { signature: ['direct'] },
  },
  /** A list that names no signature says it in a cell. */
  SIGNATURE: { description: 'Signature', words: [['signature']] },
  SATURDAY_DELIVERY: { description: 'Saturday delivery', words: [['saturday']], when: { saturday: true } },
  /**
   * FedEx and UPS take fuel on transportation and on accessorials. Declared value is neither. Source: bills of both
   * carriers. The FedEx Service Guide 2026 (pages 139 and 155) does not say what fuel is taken on.
   */
  DECLARED_VALUE: { description: 'Declared value', words: [['declared', 'value']], withoutFuel: true },
  /** FedEx Service Guide 2026, page 128. UPS names the same measures as the most that a package may have. */
  UNAUTHORIZED: {
    description: 'Unauthorized package',
    words: [['unauthorized'], ['over', 'maximum']],
    ...HANDLING,
    published: {
      anyOf: [{ lengthOverIn: 108 }, { lengthPlusGirthOverIn: 165 }, { actualWeightOverLb: 150 }],
      leastBillingWeightLb: 90,
    },
  },
  /** FedEx Service Guide 2026, pages 128 and 129. UPS: large package. */
  OVERSIZE: {
    description: 'Oversize',
    words: [['oversize'], ['oversized'], ['large', 'package']],
    ...HANDLING,
    published: {
      anyOf: [{ lengthOverIn: 96 }, { lengthPlusGirthOverIn: 130 }],
      later: { from: VOLUME_FROM, anyOf: [{ cubicInchesOver: 17_280 }, { actualWeightOverLb: 110 }] },
      leastBillingWeightLb: 90,
    },
  },
  /** FedEx Service Guide 2026, pages 127 and 128. */
  ADDITIONAL_HANDLING_WEIGHT: {
    description: 'Additional handling, weight',
    words: [['handling', 'weight']],
    ...HANDLING,
    published: { anyOf: [{ actualWeightOverLb: 50 }] },
  },
  ADDITIONAL_HANDLING_PACKAGING: {
    description: 'Additional handling, packaging',
    words: [['handling', 'packaging']],
    ...HANDLING,
    when: { nonStandardPackaging: true },
  },
  ADDITIONAL_HANDLING_DIMENSION: {
    description: 'Additional handling, dimension',
    words: ['dimension', 'dimensions', 'size', 'length', 'girth', 'volume', 'cubic'].map((word) => ['handling', word]),
    ...HANDLING,
    published: {
      anyOf: [{ lengthOverIn: 48 }, { secondSideOverIn: 30 }, { lengthPlusGirthOverIn: 105 }],
      later: { from: VOLUME_FROM, anyOf: [{ cubicInchesOver: 10_368 }] },
      leastBillingWeightLb: 40,
    },
  },
  /** A list must say which. */
  ADDITIONAL_HANDLING: { description: 'Additional handling', words: [['handling']] },
  /** USPS: of the two lengths, the longer one counts. Volume is charged beside it. */
  NONSTANDARD_LENGTH: {
    description: 'Nonstandard length',
    words: [['nonstandard', 'length']],
    dearestOf: 'nonstandard-length',
  },
  NONSTANDARD_VOLUME: { description: 'Nonstandard volume', words: [['nonstandard', 'volume']] },
  DELIVERY_AREA_INTRA_HAWAII: {
    description: 'Delivery area, intra-Hawaii',
    ...AREA,
    area: { tier: 'intra-hawaii', word: 'intra' },
  },
  DELIVERY_AREA_ALASKA: { description: 'Delivery area, Alaska', ...AREA, area: { tier: 'alaska', word: 'alaska' } },
  DELIVERY_AREA_HAWAII: { description: 'Delivery area, Hawaii', ...AREA, area: { tier: 'hawaii', word: 'hawaii' } },
  DELIVERY_AREA_REMOTE: { description: 'Delivery area, remote', ...AREA, area: { tier: 'remote', word: 'remote' } },
  DELIVERY_AREA_EXTENDED: {
    description: 'Delivery area, extended',
    ...AREA,
    area: { tier: 'extended', word: 'extended' },
  },
  DELIVERY_AREA: { description: 'Delivery area', ...AREA, area: { tier: 'standard' } },
  RESIDENTIAL: { description: 'Residential delivery', words: [['residential']], when: { residential: true } },
});

export type ChargeType = keyof typeof CHARGES;

const TYPES = Object.keys(CHARGES) as ChargeType[];

/** The spec of a type that a list or a tariff names; undefined for a type of its own. */
export const chargeSpec = (type: string): ChargeSpec | undefined =>
  Object.hasOwn(CHARGES, type) ? CHARGES[type as ChargeType] : undefined;

/** What an entry of a tariff says of a charge, whoever states its amount. */
export const chargeEntry = (type: ChargeType) => {
  const { description, when } = CHARGES[type];
  return { type, description, when: { ...when } };
};

type Has = (...words: readonly string[]) => boolean;

/** The charge that has its words in a name; undefined if none has. */
export const chargeNamed = (has: Has): ChargeType | undefined =>
  TYPES.find((type) => CHARGES[type].words?.some((words) => has(...words)));

/** The delivery area surcharge that words name: the standard one if they name no tier. */
export const areaChargeNamed = (has: Has): ChargeType =>
  must(
    TYPES.find((type) => {
      const { area } = CHARGES[type];
      return area !== undefined && (area.word === undefined || has(area.word));
    }),
    'the standard delivery area surcharge',
  );

/** The delivery area surcharge of a tier in FedEx's list of areas; undefined if there is no such tier. */
export const areaChargeOf = (tier: string): ChargeType | undefined =>
  TYPES.find((type) => CHARGES[type].area?.tier === tier);

/** Whether fuel is taken on charges of a type. No fuel is taken on fuel. */
export const isFueled = (type: string): boolean => !isFuelType(type) && chargeSpec(type)?.withoutFuel !== true;

/** Whether a charge is one of a season of demand. */
export const isDemand = ({ type }: { readonly type: string }): boolean => type.startsWith('DEMAND');
