/** Columns that look relevant and are not taken: what they seem to mean, and a button that takes them. */
import type { Field } from '../../rows/fields.ts';
import { findingText } from '../guide.ts';
import { Button } from '../ui/controls.tsx';
import { Notice } from '../ui/feedback.tsx';
import { counted } from '../ui/format.ts';
import { type MappingProps, nameOf, namesIn } from './mapping-words.ts';

export const Unused = ({ preview, listOptions, onListOptions }: MappingProps) => {
  const { mapping, findings } = preview;
  const choices = namesIn(preview);
  const unused = mapping.columns
    .map((column, index) => ({ ...column, choice: choices[index] ?? column.name }))
    .filter(({ looksLike }) => looksLike !== null);
  const names = new Set(unused.map(({ name }) => name));
  const rest = findings.filter(({ column }) => !names.has(column));
  const use = (field: Field, name: string): void =>
    onListOptions({ ...listOptions, columns: { ...listOptions.columns, [field]: name } });
  return (
    <>
      {unused.length === 0 ? null : (
        <Notice
          kind="warning"
          announced={false}
          title={`${counted(unused.length, 'column')} ${unused.length === 1 ? 'looks' : 'look'} relevant and ${unused.length === 1 ? 'is' : 'are'} not used`}
        >
          <ul class="plain stack small">
            {unused.map(({ position, name, choice, samples, looksLike }) =>
              looksLike === null ? null : (
                <li class="split anywhere" key={position}>
                  <p>
                    <strong>{name}</strong> looks like the {nameOf(looksLike)}
                    {samples.length === 0 ? '.' : `: ${samples.join(', ')}`}
                  </p>
                  <Button onClick={() => use(looksLike, choice)}>
                    Use it
                    <span class="visually-hidden">
                      {' '}
                      as the {nameOf(looksLike)}: {name}
                    </span>
                  </Button>
                </li>
              ),
            )}
          </ul>
        </Notice>
      )}
      {rest.length === 0 ? null : (
        <Notice kind="info" announced={false} title="Notes about the columns">
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
