/**
 * The charges of carriers, each declared once: its name, the words that identify it in a carrier's list, the packages it is
 * published for, and its other rules. Readers, imports and checks use this file.
 */
import { must } from '../../base/must.ts';
import { FUEL, isFuelType, type PricePart, type Signature } from '../../rating/charges.ts';
import type { SurchargeEntry } from './document.ts';

type Condition = SurchargeEntry['when'];
export type Measures = NonNullable<Condition['anyOf']>[number];

/** The packages with a handling charge: those over any of the measures. */
export interface HandlingRule {
  readonly anyOf: readonly Measures[];
  /** Volume, and the weight of oversize packages. Each carrier measures them from a day on: `Carrier.volumeFrom`. */
  readonly later?: readonly Measures[];
  readonly leastBillingWeightLb?: number;
}

export interface ChargeSpec {
  readonly description: string;
  /** Words that identify the charge in a carrier's list: all words of any group. */
  readonly words?: readonly (readonly string[])[];
  /** Conditions that follow from the charge itself. */
  readonly when?: Condition;
  /** If several charges with this name apply to a package, only the highest is charged. */
  readonly dearestOf?: string;
  /** The rule that FedEx and UPS both publish. */
  readonly published?: HandlingRule;
  /** The tier of areas in FedEx's list, and the word for it. */
  readonly area?: { readonly tier: string; readonly word?: string };
  /** Fuel does not apply to it. */
  readonly withoutFuel?: true;
  /** The part of a price that it belongs to. Undefined if its name does not say which charge it is. */
  readonly part?: PricePart;
}

const HANDLING = { dearestOf: 'handling', part: 'handling' } as const;
const AREA = { words: [['area'], ['das']], part: 'deliveryArea' } as const;

const charges = <Type extends string>(specs: Readonly<Record<Type, ChargeSpec>>): Readonly<Record<Type, ChargeSpec>> =>
  specs;

const signature = (kind: Signature, name: string): ChargeSpec => ({
  description: `${name} signature required`,
  words: [['signature', kind]],
  when: { signature: [kind] },
  part: 'signature',
});

/** The first charge whose words are in a name is the match. */
export const CHARGES = charges({
  SIGNATURE_INDIRECT: signature('indirect', 'Indirect'),
  SIGNATURE_ADULT: signature('adult', 'Adult'),
  SIGNATURE_DIRECT: signature('direct', 'Direct'),
  /** A list that does not name the signature has it in a cell. */
  SIGNATURE: { description: 'Signature', words: [['signature']] },
  SATURDAY_DELIVERY: {
    description: 'Saturday delivery',
    words: [['saturday']],
    when: { saturday: true },
    part: 'saturday',
  },
  /**
   * FedEx and UPS apply fuel to transportation and accessorials. Declared value is neither. Source: bills of both carriers.
   * The FedEx Service Guide 2026 (pages 139 and 155) does not say what fuel applies to.
   */
  DECLARED_VALUE: {
    description: 'Declared value',
    words: [['declared', 'value']],
    withoutFuel: true,
    part: 'declaredValue',
  },
  /** FedEx Service Guide 2026, page 128. UPS publishes the same measures as its maximums for packages. */
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
      later: [{ cubicInchesOver: 17_280 }, { actualWeightOverLb: 110 }],
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
      later: [{ cubicInchesOver: 10_368 }],
      leastBillingWeightLb: 40,
    },
  },
  /** A list must say which kind of handling. */
  ADDITIONAL_HANDLING: { description: 'Additional handling', words: [['handling']] },
  /** USPS charges the longer of the two lengths. Volume is charged in addition. */
  NONSTANDARD_LENGTH: {
    description: 'Nonstandard length',
    words: [['nonstandard', 'length']],
    dearestOf: 'nonstandard-length',
    part: 'handling',
  },
  NONSTANDARD_VOLUME: { description: 'Nonstandard volume', words: [['nonstandard', 'volume']], part: 'handling' },
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
  RESIDENTIAL: {
    description: 'Residential delivery',
    words: [['residential']],
    when: { residential: true },
    part: 'residential',
  },
});

export type ChargeType = keyof typeof CHARGES;

const TYPES = Object.keys(CHARGES) as ChargeType[];

/** The spec of a type in a list or a tariff. Undefined for a custom type. */
export const chargeSpec = (type: string): ChargeSpec | undefined =>
  Object.hasOwn(CHARGES, type) ? CHARGES[type as ChargeType] : undefined;

/** The part of a tariff's entry that follows from the charge, without the amount. */
export const chargeEntry = (type: ChargeType) => {
  const { description, when } = CHARGES[type];
  return { type, description, when: { ...when } };
};

type Has = (...words: readonly string[]) => boolean;

/** The charge whose words are in a name. Undefined if there is none. */
export const chargeNamed = (has: Has): ChargeType | undefined =>
  TYPES.find((type) => CHARGES[type].words?.some((words) => has(...words)));

/** The delivery area surcharge that the words identify. The standard one if they have no tier. */
export const areaChargeNamed = (has: Has): ChargeType =>
  must(
    TYPES.find((type) => {
      const { area } = CHARGES[type];
      return area !== undefined && (area.word === undefined || has(area.word));
    }),
    'the standard delivery area surcharge',
  );

/** The delivery area surcharge of a tier in FedEx's list of areas. Undefined if the tier is unknown. */
export const areaChargeOf = (tier: string): ChargeType | undefined =>
  TYPES.find((type) => CHARGES[type].area?.tier === tier);

/** The charges of a part of a price, of every carrier. @param signature the requested one */
export const chargesOfPart = (part: PricePart, signature: Signature | 'none'): readonly string[] =>
  part === 'fuel'
    ? [FUEL]
    : TYPES.filter(
        (type) =>
          CHARGES[type].part === part &&
          (part !== 'signature' || CHARGES[type].when?.signature?.some((kind) => kind === signature)),
      );

/** Whether fuel applies to charges of a type. Fuel does not apply to fuel. */
export const isFueled = (type: string): boolean => !isFuelType(type) && chargeSpec(type)?.withoutFuel !== true;
