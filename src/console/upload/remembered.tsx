/** What is remembered for lists with these column names, and whether to remember the choices made now. */
import { Button, Checkbox, Select, TextField } from '../ui/controls.tsx';
import { FaultNotice, Notice } from '../ui/feedback.tsx';
import { hasChoices, type ListOptions } from './list-options.ts';
import type { Memory } from './memory.ts';

/** Says that choices were taken over, and offers others. */
export const Remembered = ({ memory }: { readonly memory: Memory }) => {
  const { kept, used, fault, reload, use } = memory;
  if (fault !== undefined)
    return <FaultNotice fault={fault} title="Remembered choices could not be loaded" retry={reload} />;
  if (kept.length === 0) return null;
  return (
    <Notice
      kind="info"
      title={used === undefined ? 'Choices are remembered for these columns' : `Read as remembered: “${used.name}”`}
    >
      <p>
        {used === undefined
          ? 'You have used a list with the same column names before.'
          : 'A list with the same column names was read this way.'}
      </p>
      <div class="actions start">
        {kept.length === 1 && used !== undefined ? null : (
          <Select
            label="Remembered choices"
            labelHidden
            value={used?.id ?? ''}
            options={[{ value: '', label: 'Choose' }, ...kept.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={(id) => use(kept.find((mapping) => mapping.id === id))}
          />
        )}
        {used === undefined ? null : <Button onClick={() => use(undefined)}>Begin afresh</Button>}
      </div>
    </Notice>
  );
};

interface RememberProps {
  readonly memory: Memory;
  readonly listOptions: ListOptions;
}

/** Offers to remember the choices. */
export const Remember = ({ memory, listOptions }: RememberProps) => {
  const { wanted, setWanted, name, setName } = memory;
  if (!hasChoices(listOptions)) return null;
  return (
    <section class="panel" aria-label="Remember the choices">
      <Checkbox
        label="Remember these choices"
        hint="When you run this list. The next list with the same column names is read the same way."
        checked={wanted}
        onChange={setWanted}
      />
      {wanted ? (
        <div class="mapping">
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            maxLength={100}
            hint="Such as the shop or the tool that writes these lists."
          />
        </div>
      ) : null}
    </section>
  );
};
