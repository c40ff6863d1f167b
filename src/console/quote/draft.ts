/** The values of the quote form, the request they make, and the fields that a fault is about. */
import { memberOf, OPTION_NAMES, optionOf } from '../../rating/fields.ts';
import type { ApiFault } from '../api.ts';
import { withoutCalls } from '../guide.ts';

/** One package as typed. Values are text, because a field may hold half a number. */
export interface PackageDraft {
  /** Identifies the package while others are added and removed. */
  readonly key: number;
  readonly weight: string;
  readonly units: string;
  readonly length: string;
  readonly width: string;
  readonly height: string;
  readonly dimensionUnits: string;
}

/** The options that the form has, as they are typed or chosen; empty or `false`: not asked for. */
export const FORM_OPTIONS = OPTION_NAMES.flatMap((field) => {
  const { kind, path, form } = optionOf(field);
  return form === undefined ? [] : [{ kind, member: memberOf(path), path: `rates.${path}`, form }];
});
export type OptionsDraft = Readonly<Record<string, string | boolean>>;

export interface Draft {
  readonly warehouseId: string;
  /** Empty: all services are compared. */
  readonly shippingService: string;
  readonly postalCode: string;
  readonly addressLine: string;
  readonly residential: boolean;
  /** `YYYY-MM-DD`, or empty for today. */
  readonly shipDate: string;
  readonly packages: readonly PackageDraft[];
  readonly options: OptionsDraft;
}

export const emptyPackage = (key: number): PackageDraft => ({
  key,
  weight: '',
  units: 'LB',
  length: '',
  width: '',
  height: '',
  dimensionUnits: 'IN',
});

export const emptyDraft = (warehouseId: string): Draft => ({
  warehouseId,
  shippingService: '',
  postalCode: '',
  addressLine: '',
  residential: false,
  shipDate: '',
  packages: [emptyPackage(1)],
  options: Object.fromEntries(FORM_OPTIONS.map(({ kind, member }) => [member, kind === 'flag' ? false : ''])),
});

/** A number if possible. Other text is sent unchanged, and the service says what is wrong. */
const numberOf = (text: string): number | string | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : trimmed;
};

const textOf = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());

const packageItemOf = ({ weight, units, length, width, height, dimensionUnits }: PackageDraft) => {
  const sides = { length: numberOf(length), width: numberOf(width), height: numberOf(height) };
  const isMeasured = Object.values(sides).some((side) => side !== undefined);
  return {
    weight: { units, value: numberOf(weight) },
    ...(isMeasured && { dimensions: { units: dimensionUnits, ...sides } }),
  };
};

/** Undefined if nothing is asked for. */
const optionsOf = (draft: OptionsDraft) => {
  const asked = FORM_OPTIONS.flatMap(({ kind, member }) => {
    const given = draft[member] ?? '';
    const value = typeof given === 'boolean' ? given || undefined : (kind === 'dollars' ? numberOf : textOf)(given);
    return value === undefined ? [] : [[member, value] as const];
  });
  return asked.length === 0 ? undefined : Object.fromEntries(asked);
};

/** The body of the rate request. Its JSON omits empty fields. */
export const requestOf = (draft: Draft) => ({
  rates: {
    shippingService: textOf(draft.shippingService),
    shipDate: textOf(draft.shipDate),
    shipper: { warehouse_id: numberOf(draft.warehouseId) },
    recipient: {
      address: {
        addressLine: textOf(draft.addressLine),
        postalCode: textOf(draft.postalCode),
        countryCode: 'US',
        residential: draft.residential || undefined,
      },
    },
    options: optionsOf(draft.options),
    packageItems: draft.packages.map(packageItemOf),
  },
});
export type RateRequest = ReturnType<typeof requestOf>;

/** Paths of the fields in the request body. */
export const PATHS = {
  warehouseId: 'rates.shipper.warehouse_id',
  shippingService: 'rates.shippingService',
  postalCode: 'rates.recipient.address.postalCode',
  addressLine: 'rates.recipient.address.addressLine',
  shipDate: 'rates.shipDate',
} as const;

export const packagePath = (index: number, field: 'weight.value' | `dimensions.${'length' | 'width' | 'height'}`) =>
  `rates.packageItems[${index}].${field}`;

/** The place of problems with a package's size as a whole. */
export const sizePath = (index: number): string => `rates.packageItems[${index}].dimensions`;

/** The number of the package, which only the message of a size fault has. */
const TOO_LARGE = /; package (\d{1,2}) has /;

/** The field of each fault that concerns one field. */
const FIELD_OF: Readonly<Record<string, string>> = {
  'getRates.unknownWarehouse': PATHS.warehouseId,
  'getRates.unknownShippingService': PATHS.shippingService,
  'getRates.noDeliveryCoverage': PATHS.postalCode,
  'getRates.addressLineRequired': PATHS.addressLine,
  'getRates.noTariff': PATHS.shipDate,
};

/** A problem as a sentence. */
const sentence = (problem: string): string => {
  const about = withoutCalls(problem);
  return about === 'is required' ? 'This field is required.' : `${about.charAt(0).toUpperCase()}${about.slice(1)}.`;
};

/** Problems by path in the request body. */
export const problemsOf = (fault: ApiFault): ReadonlyMap<string, string> => {
  if (fault.type === 'getRates.invalidRequest')
    return new Map(Object.entries(fault.arguments).map(([path, problem]) => [path, sentence(String(problem))]));
  const tooLarge = fault.type === 'getRates.sizeNotServed' ? TOO_LARGE.exec(fault.message)?.[1] : undefined;
  const path = tooLarge === undefined ? FIELD_OF[fault.type] : sizePath(Number(tooLarge) - 1);
  return new Map(path === undefined ? [] : [[path, withoutCalls(fault.message)]]);
};
