/** The meaning of the columns: each field's column, how it was found, and some of its values. */
import { useMemo, useState } from 'preact/hooks';
import { type Field, isSide } from '../../lists/columns/fields.ts';
import type { Preview } from '../calls.ts';
import { FIELDS_FOR_PEOPLE, findingText, labelOf } from '../fault-words.ts';
import { Button, type Option, Select, TextField, useTyped } from '../ui/controls.tsx';
import { Folded, Lines, Notice } from '../ui/feedback.tsx';
import { capital, counted } from '../ui/format.ts';
import { Panel } from '../ui/kit.tsx';
import { serviceOptions } from '../ui/service-names.tsx';
import { FOR_ALL } from './list-options.ts';
import { useList, usePreviewed } from './list-work.ts';
import {
  EMPTY_WEIGHT,
  hasForAll,
  howOf,
  INCHES,
  isAskedFor,
  isCertain,
  isRefused,
  isRequired,
  isWithoutWeight,
  type MappedField,
  mappedIn,
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

/** The choices of a value for all rows; undefined if the value is typed. */
const valuesOf = ({
  warehouses,
  services,
}: ReturnType<typeof useList>): Readonly<Record<keyof typeof FOR_ALL, readonly Option[] | undefined>> => ({
  warehouse_id: [
    CHOOSE,
    ...warehouses.map(({ warehouse_id: id, name }) => ({ value: String(id), label: `${id} ${name}` })),
    { value: 'any', label: 'Any: the cheapest is used' },
  ],
  weight_value: undefined,
  weight_units: [CHOOSE, ...UNITS],
  shippingService: [{ value: '', label: 'All: the cheapest is used' }, ...serviceOptions(services)],
  residential: [
    { value: '', label: 'No: not residential' },
    { value: 'true', label: 'Yes: all residential' },
  ],
  dimension_units: [CHOOSE, { value: 'IN', label: 'Inches (IN)' }, { value: 'CM', label: 'Centimeters (CM)' }],
});

/** Whether the service accepts a weight. Incomplete input stays in the field. */
const isWeight = (text: string): boolean => /^(?:\d{1,5}(?:\.\d{1,6})?)?$/.test(text) && Number(text || 1) > 0;

const WeightField = ({ value, onChange, ...text }: Parameters<typeof TextField>[0]) => {
  const [typed, type] = useTyped(value);
  return (
    <TextField
      {...text}
      inputMode="decimal"
      maxLength={12}
      value={typed}
      error={isWeight(typed) ? undefined : 'Type a number above 0, such as 2.5.'}
      onChange={(text) => {
        type(text, isWeight(text) ? text : value);
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
  const options = valuesOf(list)[field];
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

/** The columns of the list, with the names by which they are chosen. */
const columnsIn = (preview: Preview) => {
  const names = namesIn(preview);
  return preview.mapping.columns.map((column, at) => ({ ...column, choice: names[at] ?? column.name }));
};

/** Sample values of a column. A value for all rows has its own field instead. */
const Samples = ({ own: { field, how, column, value, samples } }: { readonly own: MappedField }) => {
  const shown = column === null && how === 'unit' ? [value] : samples;
  if (shown.length === 0) return column === null ? null : <p class="hint">Empty in the first rows</p>;
  return (
    <p>
      <span class="visually-hidden">First values of {labelOf(field)}: </span>
      {shown.map((sample) => (
        <span class="sample" key={sample}>
          {sample}
        </span>
      ))}
    </p>
  );
};

/** The columns that may be a field. */
const columnsLike = (preview: Preview, field: Field) =>
  columnsIn(preview).filter(({ looksLike }) => looksLike === field);

/** @param isNext whether its proposed column is the next step */
const Row = ({ own, isNext = false }: { readonly own: MappedField; readonly isNext?: boolean }) => {
  const { preview, options, choose, remembered } = usePreviewed();
  const { field } = own;
  const use = (column: string): void => choose({ columns: { ...options.columns, [field]: column } });
  const proposed = isAskedFor(preview, field) ? columnsLike(preview, field) : [];
  const label = labelOf(field);
  const { text, tone } = howOf(own, remembered);
  const error = problemOf(own, proposed.length);
  // Shows a choice at once, before its preview has loaded.
  const columns = columnsIn(preview);
  const used = columns.find(({ position }) => position === own.position)?.choice ?? own.column;
  const column = options.columns[field] ?? used ?? '';
  return (
    <li class="ruled mapped">
      <div class="stack small">
        <Select
          id={menuIdOf(field)}
          label={isRequired(field) ? `${label} (required)` : label}
          value={column}
          error={error}
          options={[
            { value: '', label: hasForAll(field) ? 'The same for all rows' : 'No column' },
            ...columns.flatMap(({ choice }) => (choice === '' ? [] : [{ value: choice, label: choice }])),
          ]}
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
        {column !== '' && field === 'weight_value' ? <EmptyWeight /> : null}
      </div>
      {column === '' && hasForAll(field) && own.how !== 'unit' ? <ForAll field={field} /> : <Samples own={own} />}
      {error === undefined ? (
        <p>
          <span class={`mark ${tone}`}>{text}</span>
        </p>
      ) : null}
    </li>
  );
};

/** What every row needs. Stands alone while no row can be quoted, so that an answer stays where it was given. */
export const Questions = () => {
  const { preview } = usePreviewed();
  const asked = FIELDS_FOR_PEOPLE.map((field) => mappedIn(preview, field)).filter(
    ({ field, problem }) => isRequired(field) || problem !== null,
  );
  const open = asked.filter(({ problem }) => problem !== null).length;
  const next = asked.find(({ field }) => isAskedFor(preview, field) && columnsLike(preview, field).length === 1);
  return (
    <Panel
      title={open === 0 ? 'No row can be quoted yet' : `Answer ${counted(open, 'question')} to quote this list`}
      lead="Every row needs these: from a column of your list, or the same for all rows."
    >
      <ul class="plain">
        {asked.map((own) => (
          <Row key={own.field} own={own} isNext={own === next} />
        ))}
      </ul>
    </Panel>
  );
};

export const Mapping = () => {
  const { preview, options } = usePreviewed();
  const found = new Set(preview.mapping.fields.map(({ field }) => field));
  /** Whether it is asked for above. */
  const isAsked = (field: Field): boolean =>
    isRefused(preview) && (isRequired(field) || mappedIn(preview, field).problem !== null);
  const isShown = (field: Field): boolean =>
    isRequired(field) ||
    field === 'shippingService' ||
    (field === 'dimension_units' && found.has('length')) ||
    field in options.columns ||
    found.has(field);
  const rows = (fields: readonly Field[]) => (
    <ul class="plain">
      {fields.map((field) => (
        <Row key={field} own={mappedIn(preview, field)} />
      ))}
    </ul>
  );
  const fold = (title: string, fields: readonly Field[], textOf: (field: Field) => string) =>
    fields.length === 0 ? null : (
      <Folded title={[`${title}: `, <span class="hint">{fields.map(textOf).join(', ')}</span>]}>{rows(fields)}</Folded>
    );
  const hidden = FIELDS_FOR_PEOPLE.filter((field) => !isShown(field));
  const shown = FIELDS_FOR_PEOPLE.filter((field) => isShown(field) && !isAsked(field));
  // Decided once for these column names, so that a menu stays where it is when it is used.
  const certain = useMemo(() => FIELDS_FOR_PEOPLE.filter((field) => isCertain(preview, field)), [preview.headerKey]);
  const folded = shown.filter((field) => certain.includes(field));
  const open = shown.filter((field) => !certain.includes(field));
  const foundText = (field: Field): string => {
    const { column, value } = mappedIn(preview, field);
    return `${column ?? value ?? 'No column'} → ${labelOf(field)}`;
  };
  const { columns } = preview.problems;
  return (
    <Panel title="What the columns mean">
      {columns === undefined ? null : <p class="field-error">The choice {columns}.</p>}
      <Unused />
      {open.length === 0 ? null : rows(open)}
      {fold(`${counted(folded.length, 'field')} matched by name`, folded, foundText)}
      {fold(counted(hidden.length, 'more field'), hidden, labelOf)}
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
  const sides = mapping.fields.flatMap(({ field, samples: [first] }) =>
    isSize(field) && first !== undefined ? [`${labelOf(field).toLowerCase()} ${first}`] : [],
  );
  return capital(sides.join(', '));
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
  const { findings } = preview;
  const unused = columnsIn(preview).flatMap(({ looksLike, ...column }) =>
    looksLike === null || isAskedFor(preview, looksLike) ? [] : [{ ...column, looksLike }],
  );
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
            {unused.map(({ position, name, choice, samples, looksLike }) => (
              <li class="split anywhere" key={position}>
                <p>
                  <strong>{name}</strong> may be “{labelOf(looksLike)}”
                  {samples.length === 0 ? '.' : `: ${samples.join(', ')}.`} {EFFECTS[looksLike]}
                </p>
                <Button onClick={() => use(looksLike, choice)}>
                  Use it<span class="visually-hidden">{` as “${labelOf(looksLike)}”: ${name}`}</span>
                </Button>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {rest.length === 0 ? null : (
        <Notice kind="info" title="Notes about the list">
          <Lines of={rest.map(({ message }) => findingText(message))} />
        </Notice>
      )}
    </>
  );
};
