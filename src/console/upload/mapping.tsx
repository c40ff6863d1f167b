/** The meaning of the columns: each field's column, how it was found, and some of its values. */
import { useState } from 'preact/hooks';
import type { Field } from '../../lists/columns/fields.ts';
import type { Preview } from '../calls.ts';
import { FIELDS_FOR_PEOPLE, findingText, labelOf } from '../fault-words.ts';
import { Button, type Option, Select, TextField, useTyped } from '../ui/controls.tsx';
import { Folded, Lines, Notice } from '../ui/feedback.tsx';
import { allOf, counted } from '../ui/format.ts';
import { Panel, Rows } from '../ui/kit.tsx';
import { serviceOptions } from '../ui/service-names.tsx';
import { FOR_ALL } from './list-options.ts';
import { useList, usePreviewed } from './list-work.ts';
import {
  EMPTY_WEIGHT,
  HOWS,
  hasForAll,
  howOf,
  isAskedFor,
  isRefused,
  isRequired,
  isWithoutWeight,
  type MappedField,
  mappedIn,
  menuIdOf,
  NO_UNIT,
  namesIn,
  orderColumnsIn,
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
    { value: 'any', label: 'The cheapest warehouse' },
  ],
  weight_value: undefined,
  weight_units: [CHOOSE, ...UNITS],
  shippingService: [{ value: '', label: 'The cheapest service' }, ...serviceOptions(services)],
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
    <div>
      <span class="visually-hidden">First values of {labelOf(field)}: </span>
      {shown.map((sample) => (
        <span class="sample" key={sample}>
          {sample}
        </span>
      ))}
    </div>
  );
};

/** The columns that may be a field. */
const columnsLike = (preview: Preview, field: Field) =>
  columnsIn(preview).filter(({ looksLike }) => looksLike === field);

const titleOf = (field: Field): string => (isRequired(field) ? `${labelOf(field)} (required)` : labelOf(field));

/** The column of a field and its first values, or the value for all rows. @param isNext whether it is the next step */
const ColumnChoice = ({ own, isNext }: { readonly own: MappedField; readonly isNext: boolean }) => {
  const { preview, options, choose } = usePreviewed();
  const { field, how } = own;
  const use = (column: string): void => choose({ columns: { ...options.columns, [field]: column } });
  const columns = columnsIn(preview);
  const proposed = isAskedFor(preview, field) ? columnsLike(preview, field) : [];
  const label = labelOf(field);
  // Shows a choice at once, before its preview has loaded.
  const used = columns.find(({ position }) => position === own.position)?.choice ?? own.column;
  const column = options.columns[field] ?? used ?? '';
  const none = how === 'unit' ? HOWS.unit.text : hasForAll(field) ? 'The same for all rows' : 'No column';
  return (
    <div class="split">
      <div class="stack small">
        <Select
          id={menuIdOf(field)}
          label={titleOf(field)}
          labelHidden
          value={column}
          error={problemOf(own, proposed.length)}
          options={[
            { value: '', label: none },
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
      {column === '' && hasForAll(field) && how !== 'unit' ? <ForAll field={field} /> : <Samples own={own} />}
    </div>
  );
};

/** The mark of a unit that is missing for the dimensions. */
const MISSING = { text: 'Missing', tone: 'warn' } as const;

/** Fields with their columns. @param next the field whose proposed column is the next step */
const FieldTable = ({ of: fields, next }: { readonly of: readonly Field[]; readonly next?: Field | undefined }) => {
  const { preview, remembered } = usePreviewed();
  const lacksUnit = preview.findings.some(({ type }) => type === NO_UNIT);
  const nameOf = (own: MappedField) => {
    const isMissing = own.field === 'dimension_units' && lacksUnit;
    const { text, tone } = isMissing ? MISSING : howOf(own, remembered);
    return (
      <>
        {titleOf(own.field)}{' '}
        {own.problem !== null || tone === '' ? null : (
          <span class={tone === 'good' ? 'hint' : `mark ${tone}`}>{text}</span>
        )}
      </>
    );
  };
  return (
    <div class="choices">
      <Rows
        caption="Fields and your columns"
        cards
        of={fields.map((field) => mappedIn(preview, field))}
        keyOf={({ field }) => field}
        cols={[
          ['Field', nameOf, 'head'],
          ['Your column', (own) => <ColumnChoice own={own} isNext={own.field === next} />],
        ]}
      />
    </div>
  );
};

/** What every row needs. Stands alone while no row can be quoted, so that an answer stays where it was given. */
export const Questions = () => {
  const { preview } = usePreviewed();
  const hasProblem = (field: Field): boolean => mappedIn(preview, field).problem !== null;
  const asked = FIELDS_FOR_PEOPLE.filter((field) => isRequired(field) || hasProblem(field));
  const open = asked.filter(hasProblem).length;
  return (
    <Panel
      title={open === 0 ? 'No row can be quoted yet' : `Answer ${counted(open, 'question')} to quote this list`}
      lead="Every row needs these: from a column of your list, or the same for all rows."
    >
      <FieldTable
        of={asked}
        next={asked.find((field) => isAskedFor(preview, field) && columnsLike(preview, field).length === 1)}
      />
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
  const hidden = FIELDS_FOR_PEOPLE.filter((field) => !isShown(field));
  const shown = FIELDS_FOR_PEOPLE.filter((field) => isShown(field) && !isAsked(field));
  const { columns } = preview.problems;
  const ofOrders = orderColumnsIn(preview);
  const others = preview.unknownColumns.count - ofOrders.length;
  return (
    <Panel title="What the columns mean">
      {columns === undefined ? null : <p class="field-error">The choice {columns}.</p>}
      <Notes />
      <FieldTable of={shown} />
      {hidden.length === 0 ? null : (
        <Folded title={counted(hidden.length, 'more field')}>
          <FieldTable of={hidden} />
        </Folded>
      )}
      {others === 0 ? null : (
        <p class="hint">
          {ofOrders.length === 0 ? '' : `The rows of an order are one shipment, by ${allOf(ofOrders)}. `}
          Other columns are passed through unchanged:{' '}
          {preview.unknownColumns.names
            .filter((name) => !ofOrders.includes(name))
            .slice(0, 12)
            .map((name) => (name.trim() === '' ? 'without a name' : name))
            .join(', ')}
          {others > 12 ? ' and more' : ''}.
        </p>
      )}
    </Panel>
  );
};

/** What prices gain from a column that is not used. */
const EFFECTS: Readonly<Partial<Record<Field, string>>> = {
  residential: 'Carriers charge more for homes.',
  packages: 'Without it, each row is one package.',
  shippingService: 'Without it, rows get the cheapest service.',
  addressLine: 'Some services need a street.',
  shipDate: 'Without it, prices are for today.',
};

/** The columns that may be useful. */
const unusedIn = (preview: Preview) =>
  columnsIn(preview).flatMap(({ looksLike, ...column }) =>
    looksLike === null || isAskedFor(preview, looksLike) ? [] : [{ ...column, looksLike }],
  );

const Notes = () => {
  const { preview } = usePreviewed();
  const names = new Set(unusedIn(preview).map(({ name }) => name));
  // The page says these in other places.
  const said = ['column.repairable', 'service.unknown'];
  if (preview.faultKinds.some(({ field }) => field === 'dimension_units')) said.push(NO_UNIT);
  const notes = preview.findings.filter(
    ({ type, column }) => !names.has(column) && !said.includes(type) && !type.startsWith('orders.'),
  );
  return notes.length === 0 ? null : (
    <Notice kind="info" title="Notes about the list">
      <Lines of={notes.map(({ message }) => findingText(message))} />
    </Notice>
  );
};

/** What only the user knows about the columns. */
export const ToDecide = () => {
  const { preview, options, choose } = usePreviewed();
  const unused = unusedIn(preview);
  const use = (field: Field, name: string): void => choose({ columns: { ...options.columns, [field]: name } });
  return unused.length === 0 ? null : (
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
  );
};
