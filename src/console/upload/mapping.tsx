/** The meaning of the columns: each field's column, how it was found, and some of its values. */
import { useEffect, useState } from 'preact/hooks';
import { type Field, isSide } from '../../lists/columns/fields.ts';
import { specOf } from '../../rating/fields.ts';
import type { Preview } from '../calls.ts';
import { FIELDS_FOR_PEOPLE, findingText, labelOf } from '../guide.ts';
import { Button, type Option, Select, TextField } from '../ui/controls.tsx';
import { Notice } from '../ui/feedback.tsx';
import { counted } from '../ui/format.ts';
import { Panel } from '../ui/kit.tsx';
import { serviceOptions } from '../ui/service-names.tsx';
import { FOR_ALL } from './list-options.ts';
import { useList, usePreviewed } from './list-work.ts';
import {
  EMPTY_WEIGHT,
  hasForAll,
  howOf,
  INCHES,
  isRefused,
  isWithoutWeight,
  type MappedField,
  menuIdOf,
  NO_UNIT,
  namesIn,
  problemOf,
} from './next-step.ts';

const CHOOSE: Option = { value: '', label: 'Choose a value for all rows' };

const UNITS: readonly Option[] = [
  { value: 'LB', label: 'Pounds (LB)' },
  { value: 'KG', label: 'Kilograms (KG)' },
  { value: 'OZ', label: 'Ounces' },
  { value: 'G', label: 'Grams' },
];

const FIXED: Readonly<Partial<Record<Field, readonly Option[]>>> = {
  weight_units: [CHOOSE, ...UNITS],
  dimension_units: [CHOOSE, { value: 'IN', label: 'Inches (IN)' }, { value: 'CM', label: 'Centimeters (CM)' }],
  residential: [
    { value: '', label: 'No: not residential' },
    { value: 'true', label: 'Yes: all residential' },
  ],
};

/** The choices of a value for all rows; undefined if the value is typed. */
const valuesOf = (
  field: Field,
  { warehouses, services }: Pick<ReturnType<typeof useList>, 'warehouses' | 'services'>,
): readonly Option[] | undefined => {
  if (field === 'warehouse_id')
    return [
      CHOOSE,
      ...warehouses.map(({ warehouse_id, name }) => ({
        value: String(warehouse_id),
        label: `${warehouse_id} ${name}`,
      })),
      { value: 'any', label: 'Any: the cheapest is used' },
    ];
  if (field === 'shippingService')
    return [{ value: '', label: 'All: the cheapest is used' }, ...serviceOptions(services)];
  return FIXED[field];
};

/** Whether the service accepts a weight. Incomplete input stays in the field. */
const isWeight = (text: string): boolean => /^(?:\d{1,5}(?:\.\d{1,6})?)?$/.test(text) && Number(text || 1) > 0;

const WeightField = ({ value, onChange, ...text }: Parameters<typeof TextField>[0]) => {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextField
      {...text}
      inputMode="decimal"
      maxLength={12}
      value={typed}
      error={isWeight(typed) ? undefined : 'Type a number above 0, such as 2.5.'}
      onChange={(text) => {
        setTyped(text);
        if (isWeight(text)) onChange(text);
      }}
    />
  );
};

const ForAll = ({ field }: { readonly field: keyof typeof FOR_ALL }) => {
  const list = useList();
  const name = FOR_ALL[field];
  const own = {
    label: `${labelOf(field)} for all rows`,
    value: list.options[name],
    onChange: (value: string): void => list.choose({ [name]: value }),
  };
  const options = valuesOf(field, list);
  return options === undefined ? (
    <WeightField {...own} labelHidden placeholder="What each package weighs" />
  ) : (
    <Select {...own} labelHidden options={options} />
  );
};

/** The weight, with its unit, for rows that have none. */
const EmptyWeight = () => {
  const { preview, options, choose } = usePreviewed();
  const [, number = '', chosen] = /^([\d.]+) ?([A-Z]+)$/.exec(options.empty_weight) ?? [];
  const [other, setOther] = useState(preview.defaults.weight_units ?? 'LB');
  const unit = chosen ?? other;
  const say = (value: string, units: string): void => choose({ empty_weight: value === '' ? '' : `${value} ${units}` });
  if (number === '' && preview.estimate.exact && !preview.faultKinds.some(isWithoutWeight)) return null;
  const problem = preview.problems['empty_weight'];
  return (
    <div class={number === '' ? 'fields' : 'fields short'}>
      <WeightField
        id={EMPTY_WEIGHT}
        label="Weight for empty cells"
        placeholder="Leave blank for no price"
        value={number}
        onChange={(value) => say(value, unit)}
        {...(problem === undefined ? {} : { hint: 'This is not for weights of whole orders. Clear it.' })}
      />
      {number === '' ? null : (
        <Select
          label="Unit"
          value={unit}
          options={UNITS}
          onChange={(units) => {
            setOther(units);
            say(number, units);
          }}
        />
      )}
    </div>
  );
};

/** The columns to choose from. */
const columnOptions = (preview: Preview, field: Field): readonly Option[] => [
  { value: '', label: hasForAll(field) ? 'The same for all rows' : 'No column' },
  ...namesIn(preview)
    .filter((name) => name !== '')
    .map((name) => ({ value: name, label: name })),
];

/** The name of the column in use. */
const nameOfUsed = (preview: Preview, { position, column }: MappedField): string | undefined => {
  const place = preview.mapping.columns.findIndex((own) => own.position === position);
  return namesIn(preview)[place] ?? column ?? undefined;
};

/** Sample values of a column. A value for all rows has its own field instead. */
const Samples = ({ own: { how, column, value, samples } }: { readonly own: MappedField }) => {
  if (column === null) return how === 'unit' ? <span class="sample">{value}</span> : null;
  if (samples.length === 0) return <span class="hint">Empty in the first rows</span>;
  return (
    <>
      {samples.map((sample) => (
        <span class="sample" key={sample}>
          {sample}
        </span>
      ))}
    </>
  );
};

const isRequired = (field: Field): boolean => specOf(field).required !== undefined;

/** The columns that may be a field, with the names by which they are chosen. */
const columnsLike = (preview: Preview, field: Field) =>
  preview.mapping.columns.flatMap((column, at) =>
    column.looksLike === field ? [{ ...column, choice: namesIn(preview)[at] ?? column.name }] : [],
  );

/** Whether no row can be quoted without an answer about a field. */
const isAskedFor = ({ mapping }: Preview, field: Field): boolean => {
  const own = mapping.fields.find((one) => one.field === field);
  return isRequired(field) && (own === undefined || (own.column === null && own.value === null));
};

interface RowProps {
  readonly own: MappedField;
  /** Whether its proposed column is the next step. */
  readonly isNext?: boolean;
}

const Row = ({ own, isNext = false }: RowProps) => {
  const { preview, options, choose, remembered } = usePreviewed();
  const { field } = own;
  const use = (column: string): void => choose({ columns: { ...options.columns, [field]: column } });
  const proposed = isAskedFor(preview, field) ? columnsLike(preview, field) : [];
  const label = labelOf(field);
  const { text, tone } = howOf(own, remembered);
  // Shows a choice at once, before its preview has loaded.
  const column = options.columns[field] ?? nameOfUsed(preview, own) ?? '';
  return (
    <li class="ruled mapped">
      <div class="stack small">
        <Select
          id={menuIdOf(field)}
          label={isRequired(field) ? `${label} (required)` : label}
          value={column}
          error={problemOf(own, proposed.length)}
          options={columnOptions(preview, field)}
          onChange={use}
        />
        {proposed.map(({ position, name, choice, samples }) => (
          <p class="row small" key={position}>
            <Button kind={isNext ? 'primary' : 'plain'} onClick={() => use(choice)}>
              Use “{name}”<span class="visually-hidden"> as {label}</span>
            </Button>
            <span class="hint anywhere">{samples.join(', ')}</span>
          </p>
        ))}
        {column === '' && hasForAll(field) && own.how !== 'unit' ? <ForAll field={field} /> : null}
        {column !== '' && field === 'weight_value' ? <EmptyWeight /> : null}
      </div>
      <p>
        <span class={`mark ${tone}`}>{text}</span>
      </p>
      <p>
        <span class="visually-hidden">First values of {label}: </span>
        <Samples own={own} />
      </p>
    </li>
  );
};

/** What every row needs. Stands alone while no row can be quoted, so that an answer stays where it was given. */
export const Questions = () => {
  const { preview } = usePreviewed();
  const { fields } = preview.mapping;
  const asked = FIELDS_FOR_PEOPLE.filter(
    (field) => isRequired(field) || fields.some((own) => own.field === field && own.problem !== null),
  ).map((field) => fields.find((own) => own.field === field) ?? notFound(field));
  const next = asked.find(({ field }) => isAskedFor(preview, field) && columnsLike(preview, field).length === 1);
  return (
    <Panel
      title="Some columns are unclear: no row can be quoted yet"
      lead="Every row needs these. Answer what is marked “Unclear”."
    >
      <ul class="plain">
        {asked.map((own) => (
          <Row key={own.field} own={own} isNext={own === next} />
        ))}
      </ul>
    </Panel>
  );
};

/** A field that was not found. The service omits such fields. */
const notFound = (field: Field): MappedField => ({
  ...{ field, how: 'none', column: null, position: null },
  ...{ value: null, samples: [], problem: null },
});

export const Mapping = () => {
  const { preview, options } = usePreviewed();
  const found = new Map(preview.mapping.fields.map((own) => [own.field, own]));
  /** Whether it is asked for above. */
  const isAsked = (field: Field): boolean =>
    isRefused(preview) && (isRequired(field) || (found.get(field)?.problem ?? null) !== null);
  const isShown = (field: Field): boolean =>
    isRequired(field) ||
    field === 'shippingService' ||
    (field === 'dimension_units' && found.has('length')) ||
    field in options.columns ||
    found.has(field);
  const rows = (fields: readonly Field[]) => (
    <ul class="plain">
      {fields.map((field) => (
        <Row key={field} own={found.get(field) ?? notFound(field)} />
      ))}
    </ul>
  );
  const hidden = FIELDS_FOR_PEOPLE.filter((field) => !isShown(field));
  const { columns } = preview.problems;
  return (
    <Panel title="What the columns mean">
      {columns === undefined ? null : <p class="field-error">The choice {columns}.</p>}
      <Unused />
      {rows(FIELDS_FOR_PEOPLE.filter((field) => isShown(field) && !isAsked(field)))}
      {hidden.length === 0 ? null : (
        <details>
          <summary>
            {hidden.length} more fields: {hidden.map(labelOf).join(', ')}
          </summary>
          {rows(hidden)}
        </details>
      )}
      {preview.unknownColumns.count === 0 ? null : (
        <p class="hint">
          Other columns are passed through unchanged:{' '}
          {preview.unknownColumns.names
            .slice(0, 12)
            .map((name) => (name.trim() === '' ? 'without a name' : name))
            .join(', ')}
          {preview.unknownColumns.count > 12 ? ' and more' : ''}.
        </p>
      )}
    </Panel>
  );
};

/** The first values of the dimensions: `Length 12, width 9, height 4`. */
const sidesIn = ({ mapping }: Preview): string => {
  const text = mapping.fields
    .flatMap(({ field, samples: [first] }) =>
      isSize(field) && first !== undefined ? [`${labelOf(field).toLowerCase()} ${first}`] : [],
    )
    .join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const isSize = (field: Field): boolean => isSide(field) || field === 'dimensions';

/** What prices gain from a column that is not used. */
const EFFECTS: Readonly<Partial<Record<Field, string>>> = {
  residential: 'Carriers charge more for homes.',
  packages: 'Without it, each row is one package.',
  shippingService: 'Without it, rows get the cheapest service.',
  addressLine: 'Some services need a street.',
  shipDate: 'Without it, prices are for today.',
};

const UnitOfSides = () => {
  const { preview, choose } = usePreviewed();
  return (
    <Notice kind="warning" title="What unit are the dimensions in?">
      <p>The list does not say. In the United States it is usually inches. The first values: {sidesIn(preview)}.</p>
      <p class="actions">
        <Button kind="primary" onClick={() => choose(INCHES)}>
          Inches
        </Button>
        <Button onClick={() => choose({ dimension_units: 'CM' })}>Centimeters</Button>
      </p>
    </Notice>
  );
};

const Unused = () => {
  const { preview, options, choose } = usePreviewed();
  const { mapping, findings } = preview;
  const choices = namesIn(preview);
  const unused = mapping.columns
    .map((column, index) => ({ ...column, choice: choices[index] ?? column.name }))
    .filter(({ looksLike }) => looksLike !== null && !isAskedFor(preview, looksLike));
  const names = new Set(unused.map(({ name }) => name));
  const isSides = ({ type }: Preview['findings'][number]): boolean => type === NO_UNIT;
  // The page asks about orders above.
  const rest = findings.filter((own) => !names.has(own.column) && !isSides(own) && !own.type.startsWith('orders.'));
  const use = (field: Field, name: string): void => choose({ columns: { ...options.columns, [field]: name } });
  return (
    <>
      {findings.some(isSides) ? <UnitOfSides /> : null}
      {unused.length === 0 ? null : (
        <Notice
          kind="warning"
          title={`${counted(unused.length, 'column')} may be useful but ${unused.length === 1 ? 'isn’t' : 'aren’t'} used`}
        >
          <ul class="plain stack small">
            {unused.map(({ position, name, choice, samples, looksLike }) =>
              looksLike === null ? null : (
                <li class="split anywhere" key={position}>
                  <p>
                    <strong>{name}</strong> may be “{labelOf(looksLike)}”
                    {samples.length === 0 ? '.' : `: ${samples.join(', ')}.`} {EFFECTS[looksLike]}
                  </p>
                  <Button onClick={() => use(looksLike, choice)}>
                    Use it
                    <span class="visually-hidden">
                      {' '}
                      as “{labelOf(looksLike)}”: {name}
                    </span>
                  </Button>
                </li>
              ),
            )}
          </ul>
        </Notice>
      )}
      {rest.length === 0 ? null : (
        <Notice kind="info" title="Notes about the columns">
          <ul>
            {rest.map(({ type, column, message }) => (
              <li key={`${type} ${column} ${message}`}>{findingText(message)}</li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
};
