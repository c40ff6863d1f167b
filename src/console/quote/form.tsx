/**
 * The form of the quote page: fields by their paths in the request, the fields that a fault is about, and the inputs in the page's
 * address, so that a quote can be linked and reloaded.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFault } from '../../http/client/fault.ts';
import { withoutCalls } from '../../lists/columns/fault-words.ts';
import { memberOf, OPTION_NAMES, optionOf, specOf } from '../../rating/fields.ts';
import type { Services, Warehouses } from '../calls.ts';
import { guidanceOf } from '../fault-words.ts';
import { href } from '../navigation.tsx';
import { Button } from '../ui/controls.tsx';
import { Folded } from '../ui/feedback.tsx';
import { type Body, bodyOf, Fields, type FormField, type Problems, type Typed, textIn } from '../ui/form.tsx';
import { capital } from '../ui/format.ts';
import { serviceOptions } from '../ui/service-names.tsx';

export interface Catalog {
  readonly warehouses: Warehouses['warehouses'];
  readonly services: Services['services'];
}

export type Warehouse = Catalog['warehouses'][number];

/** The inputs of a quote, as paths and texts. */
interface Inputs {
  readonly typed: Typed;
  readonly packages: readonly Typed[];
}

const OF_PACKAGE = /^packageItems\[(\d{1,2})\]\.(.+)$/;

/** @param hash such as `#/quote?recipient.address.postalCode=02139` @returns undefined if there are no inputs */
export const inputsIn = (hash: string): Inputs | undefined => {
  const typed: Record<string, string> = {};
  const packages: Record<string, string>[] = [];
  const [, query = ''] = hash.split('?', 2);
  for (const [path, text] of new URLSearchParams(query)) {
    const [, index, member] = OF_PACKAGE.exec(path) ?? [];
    if (index === undefined || member === undefined) typed[path] = text;
    else packages[Number(index)] = { ...packages[Number(index)], [member]: text };
  }
  if (packages.length === 0) packages.push({});
  return query === '' ? undefined : { typed, packages: Array.from(packages, (own = {}) => own) };
};

/** @param fields the fields of the shipment @param fieldsOf the fields of a package that are sent */
const addressOf = (
  { typed, packages }: Inputs,
  fields: readonly FormField[],
  fieldsOf: (own: Typed) => readonly FormField[],
): string => {
  const query = new URLSearchParams();
  const add = (some: readonly FormField[], own: Typed, under: string): void => {
    for (const field of some) {
      const text = textIn({ typed: own }, field).trim();
      if (text !== '') query.set(under + field.at, text);
    }
  };
  add(fields, typed, '');
  for (const [index, own] of packages.entries()) add(fieldsOf(own), own, `packageItems[${index}].`);
  return `${href.quote}?${query}`;
};

/** A number if possible. Other text is sent unchanged, and the service says what is wrong. */
const numberOf = (text: string): number | string | undefined => {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : trimmed;
};

const warehouseLabel = ({ warehouse_id, name, address }: Warehouse): string => {
  const abroad = address.countryCode === 'US' ? '' : ` (${address.countryCode}: no quotes)`;
  return `${warehouse_id} · ${name}, ${address.stateOrProvinceCode} ${address.postalCode}${abroad}`;
};

const streetHint = (services: Catalog['services'], chosen: string): string => {
  const requiring = services.filter(({ addressLineRequired }) => addressLineRequired);
  if (chosen !== '')
    return requiring.some(({ shippingService }) => shippingService === chosen)
      ? 'This service requires it.'
      : 'Optional.';
  if (requiring.length === 0) return 'Optional.';
  return `Optional, but required by ${requiring.map(({ shippingService }) => shippingService).join(', ')}.`;
};

/** The destination, the fields that most quotes need, and the fields that few need. */
const partsOf = ({ warehouses, services }: Catalog, service: string): readonly (readonly FormField[])[] => {
  const home = warehouses.find(({ address }) => address.countryCode === 'US') ?? warehouses[0];
  return [
    [{ at: 'recipient.address.postalCode', label: 'To ZIP code', inputMode: 'numeric' }],
    [
      {
        at: 'shipper.warehouse_id',
        label: 'From warehouse',
        initial: String(home?.warehouse_id ?? ''),
        value: numberOf,
        options: [
          ...warehouses.map((own) => ({ value: String(own.warehouse_id), label: warehouseLabel(own) })),
          ...(warehouses.length > 1 ? [{ value: 'any', label: 'Any warehouse (the cheapest)' }] : []),
        ],
      },
      {
        at: 'shippingService',
        label: 'Service',
        options: [{ value: '', label: 'All services, compared' }, ...serviceOptions(services)],
      },
      { at: 'recipient.address.residential', label: 'Residential address', type: 'check' },
    ],
    [
      { at: 'recipient.address.addressLine', label: 'Street', hint: streetHint(services, service) },
      { at: 'shipDate', label: 'Ship date', type: 'date', hint: 'Optional. Uses the tariffs in force that day.' },
      ...OPTIONS,
    ],
  ];
};

/** Sent, but not shown. */
const COUNTRY: FormField = { at: 'recipient.address.countryCode', label: 'Country', initial: 'US' };

/** Choices first, then typed fields, then check boxes. */
const OPTIONS: readonly FormField[] = (['choice', 'date', 'dollars', 'flag'] as const).flatMap((wanted) =>
  OPTION_NAMES.flatMap((field): FormField[] => {
    const { kind, path, form } = optionOf(field);
    if (form === undefined || kind !== wanted) return [];
    const { label, hint, choices = {} } = form;
    const own = { at: `options.${memberOf(path)}`, label, ...(hint !== undefined && { hint }) };
    if (kind === 'flag') return [{ ...own, type: 'check' }];
    if (kind === 'date') return [{ ...own, type: 'date' }];
    if (kind === 'dollars') return [{ ...own, inputMode: 'decimal', value: numberOf }];
    const entries = Object.entries(choices).map(([value, text]) => ({ value, label: text }));
    return [{ at: own.at, label, options: entries }];
  }),
);

const unit = (at: string, label: string, initial: string, other: string): FormField => ({
  ...{ at, label, labelHidden: true, initial },
  options: [initial, other].map((value) => ({ value, label: value.toLowerCase() })),
});
const WEIGHT: readonly FormField[] = [
  { at: 'weight.value', label: 'Weight', inputMode: 'decimal', value: numberOf },
  unit('weight.units', 'Weight unit', 'LB', 'KG'),
];
const SIDES: readonly FormField[] = [
  { at: 'dimensions.length', label: 'Length', inputMode: 'decimal', value: numberOf },
  { at: 'dimensions.width', label: 'Width', inputMode: 'decimal', value: numberOf },
  { at: 'dimensions.height', label: 'Height', inputMode: 'decimal', value: numberOf },
  unit('dimensions.units', 'Dimension unit', 'IN', 'CM'),
];

const PACKAGE = [...WEIGHT, ...SIDES];

/** The fields that are sent for a package. The dimension unit is only sent with a dimension. */
const packageFields = (typed: Typed): readonly FormField[] => {
  const isMeasured = SIDES.some(({ at, initial }) => initial === undefined && (typed[at] ?? '').trim() !== '');
  return isMeasured ? PACKAGE : WEIGHT;
};

const SHIPMENT = 'rates.';
const pathOf = (index: number): string => `${SHIPMENT}packageItems[${index}].`;

/** Finds the package number in a size fault. Only its message has the number. */
const TOO_LARGE = /; package (\d{1,2}) has /;

/** A problem as a sentence. */
const sentence = (problem: string): string => {
  const about = withoutCalls(problem);
  return about === 'is required' ? 'This field is required.' : `${capital(about)}.`;
};

/** Problems by path in the request. Problems with a package's overall size have the path of its dimensions. */
export const problemsOf = (fault: ApiFault): Problems => {
  if (fault.type === 'getRates.invalidRequest')
    return Object.fromEntries(
      Object.entries(fault.arguments).map(([path, problem]) => [path, sentence(String(problem))]),
    );
  const tooLarge = fault.type === 'getRates.sizeNotServed' ? TOO_LARGE.exec(fault.message)?.[1] : undefined;
  if (tooLarge !== undefined) return { [`${pathOf(Number(tooLarge) - 1)}dimensions`]: withoutCalls(fault.message) };
  const [field] = guidanceOf(fault.type).fields;
  const path = field && specOf(field).path;
  // Here, a fault about a package does not say which package.
  return path === undefined || path.includes('[]') ? {} : { [SHIPMENT + path]: withoutCalls(fault.message) };
};

/** Service specification, Limits. */
const MOST_PACKAGES = 99;

export interface Asked {
  readonly request: Body;
  /** The address of the page with these inputs. */
  readonly address: string;
  /** The shipment in one line, for print. */
  readonly shipment: string;
}

/** Formats `From 101 · Newark, NJ 07001 to 02139: 2.1 lb + 30 lb`. */
const shipmentText = (fields: readonly FormField[], typed: Typed, packages: readonly Typed[]): string => {
  const text = (at: string): string => {
    const field = fields.find((own) => own.at === at);
    const value = field === undefined ? '' : textIn({ typed }, field);
    return field?.options?.find((option) => option.value === value)?.label ?? value;
  };
  const weights = packages
    .map((own) => WEIGHT.map((field) => textIn({ typed: own }, field).toLowerCase()).join(' '))
    .join(' + ');
  const day = text('shipDate') === '' ? '' : `, on ${text('shipDate')}`;
  return `From ${text('shipper.warehouse_id').replace(/^Any/, 'any')} to ${text('recipient.address.postalCode')}: ${weights}${day}`;
};

interface QuoteFormProps {
  readonly catalog: Catalog;
  readonly busy: boolean;
  readonly problems: Problems;
  /** The inputs of a link. They are quoted at once. */
  readonly linked: Inputs | undefined;
  readonly onSubmit: (asked: Asked) => void;
}

export const QuoteForm = ({ catalog, busy, problems, linked, onSubmit }: QuoteFormProps) => {
  const [typed, setTyped] = useState<Typed>(linked?.typed ?? {});
  const [packages, setPackages] = useState<readonly Typed[]>(linked?.packages ?? [{}]);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);
  const [to = [], usual = [], more = []] = partsOf(catalog, typed['shippingService'] ?? '');
  const fields = [...to, ...usual, ...more];
  const set = more.filter((field) => textIn({ typed }, field).trim() !== '').length;
  // Once open, only the user closes it.
  const opens = useRef(false);
  opens.current ||= set > 0 || more.some(({ at }) => problems[SHIPMENT + at] !== undefined);
  const send = (): void => {
    const shipment = bodyOf([...fields, COUNTRY], { typed });
    const packageItems = packages.map((own) => bodyOf(packageFields(own), { typed: own }));
    onSubmit({
      request: { rates: { ...shipment, packageItems } },
      address: addressOf({ typed, packages }, fields, packageFields),
      shipment: shipmentText(fields, typed, packages),
    });
  };
  useEffect(() => {
    if (linked !== undefined) send();
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!busy) send();
  };
  const shared = { form: { typed, setTyped }, problems, under: SHIPMENT };
  return (
    <form class="panel quote-form" ref={form} noValidate onSubmit={submit} aria-label="Shipment">
      <div class="quote-line">
        <Fields fields={to} {...shared} />
        <div class="stack small">
          {packages.map((own, index) => {
            const under = pathOf(index);
            const setOwn = (changed: Typed): void => setPackages(packages.with(index, changed));
            const size = problems[`${under}dimensions`];
            return (
              <fieldset key={index}>
                <legend class={index === 0 ? 'visually-hidden' : undefined}>Package {index + 1}</legend>
                <div class="package-row">
                  <Fields fields={PACKAGE} form={{ typed: own, setTyped: setOwn }} problems={problems} under={under} />
                  {packages.length === 1 ? null : (
                    <Button kind="quiet" onClick={() => setPackages(packages.toSpliced(index, 1))}>
                      Remove<span class="visually-hidden"> package {index + 1}</span>
                    </Button>
                  )}
                </div>
                {size === undefined ? null : <p class="field-error">{size}</p>}
              </fieldset>
            );
          })}
          <p class="hint">Dimensions are optional. Carriers bill large, light packages by size.</p>
        </div>
        <Button kind="quiet" disabled={packages.length >= MOST_PACKAGES} onClick={() => setPackages([...packages, {}])}>
          Add a package
        </Button>
      </div>
      <div class="quote-line">
        <Fields fields={usual} {...shared} />
      </div>
      <div class="split">
        <Folded open={opens.current} title={`More options${set === 0 ? '' : `, ${set} set`}`} box="fields">
          <Fields fields={more} {...shared} />
        </Folded>
        <Button kind="primary" submit busy={busy}>
          Get quote
        </Button>
      </div>
    </form>
  );
};
