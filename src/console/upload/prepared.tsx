/** A chosen list before it runs: its preview, the meaning of its columns, and the options. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pause } from '../../http/client/caller.ts';
import type { ApiFault } from '../../http/client/fault.ts';
import { useApi, useCall, useLoad } from '../api.ts';
import { type Stake, useStake } from '../navigation.tsx';
import { Button, Checkbox, Select, TextField } from '../ui/controls.tsx';
import { FaultNotice, Notice, Skeleton } from '../ui/feedback.tsx';
import { FirstRows } from './first-rows.tsx';
import { choicesIn, DEFAULT_OPTIONS, hasChoices, type ListOptions, queryOf } from './list-options.ts';
import { ListContext, type Memory, previewFile, useMemory } from './list-work.ts';
import { Mapping, ToDecide } from './mapping.tsx';
import { isReadingUnclear, isRefused, isTitle } from './next-step.ts';
import { Outlook } from './outlook.tsx';
import { Reading, readingText, ServiceNames, Suggestion } from './reading.tsx';
import { Run } from './run.tsx';

/* The saved choices for lists with these column names, and whether to save the choices made now. */

/** Says that saved choices are in use, and offers others. */
const Remembered = ({ memory }: { readonly memory: Memory }) => {
  const { kept, used, loaded, use } = memory;
  if (loaded.state === 'failed')
    return <FaultNotice fault={loaded.fault} title="Your saved choices could not be loaded" retry={loaded.reload} />;
  if (kept.length === 0) return null;
  return (
    <Notice
      announced
      kind="info"
      title={
        used === undefined
          ? 'You have saved choices for these columns'
          : `Your saved choices are in use: “${used.name}”`
      }
    >
      <div class="actions start">
        {kept.length === 1 && used !== undefined ? null : (
          <Select
            label="Saved choices"
            labelHidden
            value={used?.id ?? ''}
            options={[{ value: '', label: 'Choose' }, ...kept.map(({ id, name }) => ({ value: id, label: name }))]}
            onChange={(id) => use(kept.find((mapping) => mapping.id === id))}
          />
        )}
        {used === undefined ? null : <Button onClick={() => use(undefined)}>Start over</Button>}
      </div>
    </Notice>
  );
};

/** Offers to save the choices. */
const Remember = ({ memory }: { readonly memory: Memory }) => {
  const { wanted, setWanted, name, setName } = memory;
  return (
    <section class="panel" aria-label="Save the choices">
      <Checkbox
        label="Save these choices for next time"
        hint="The next list with the same column names is then read the same way."
        checked={wanted}
        onChange={setWanted}
      />
      {wanted ? (
        <div class="fields">
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            maxLength={100}
            hint="Such as the store or tool that exports these lists."
          />
        </div>
      ) : null}
    </section>
  );
};

const stakeOf = (name: string, sending: boolean): Stake =>
  sending
    ? {
        title: 'Stop the upload?',
        text: `${name} is still being sent. If you stop now, no batch is created, and you can upload it again. If the service already has the whole list, you will find the batch under Batches.`,
        action: 'Stop the upload',
        keep: 'Keep sending',
      }
    : {
        title: 'Leave this list?',
        text: `${name} has not been sent. If you leave, you will have to choose the file and the meaning of its columns again.`,
        action: 'Leave the list',
        keep: 'Stay here',
      };

interface FoldProps {
  /** A short text about how the list is read. */
  readonly line: string;
  /** Whether the user should check it. Later answers do not open it. */
  readonly isNeeded: boolean;
  readonly children: ComponentChildren;
}

const Fold = ({ line, isNeeded, children }: FoldProps) => {
  const [isOpen] = useState(isNeeded);
  return (
    <details class="reading" open={isOpen}>
      <summary class="card">
        <strong>How the list is read</strong> {isNeeded ? <span class="mark warn">Please check</span> : null}{' '}
        <span class="hint">{line}</span>
      </summary>
      <div class="stack large">{children}</div>
    </details>
  );
};

interface PreparedProps {
  readonly file: File;
  /** Set to whether another file would discard choices or an upload. */
  readonly atStake: { current: boolean };
}

/** Delay between a choice and its preview, so that typing does not send the list at every key press. */
const TYPING_MS = 200;

/**
 * The last preview stays until the next one has loaded, so that menus keep their focus. If a sheet or a row cannot be read, the
 * user chooses again among the sheets that were found.
 */
const usePreview = (file: File, listOptions: ListOptions) => {
  const api = useApi();
  const isNext = useRef(false);
  const fault = useRef<ApiFault | undefined>(undefined);
  const look = useLoad(
    async (signal) => {
      if (isNext.current) await pause(TYPING_MS, signal);
      const preview = await previewFile(api, file, listOptions, signal);
      isNext.current = true;
      return preview;
    },
    [file, listOptions],
  );
  if (look.state !== 'loading') fault.current = look.state === 'failed' ? look.fault : undefined;
  return { preview: look.data, fault: fault.current, isLoading: look.state === 'loading', reload: look.reload };
};

const textOf = (options: ListOptions): string => JSON.stringify(queryOf('', options));

export const Prepared = ({ file, atStake }: PreparedProps) => {
  const [options, setOptions] = useState<ListOptions>(DEFAULT_OPTIONS);
  const choose = (some: Partial<ListOptions>): void => setOptions({ ...options, ...some });
  const [sending, setSending] = useState(false);
  const { preview, fault, isLoading, reload } = usePreview(file, options);
  const { warehouses = [] } = useCall('GET /v1/client/warehouses').data ?? {};
  const { services = [] } = useCall('GET /v1/client/services').data ?? {};
  const memory = useMemory(file.name, preview?.headerKey, { options, choose });
  useStake(stakeOf(file.name, sending));
  const taken = choicesIn(memory.used?.options ?? {});
  const isTouched = textOf(options) !== textOf({ ...DEFAULT_OPTIONS, ...taken });
  useEffect(() => {
    atStake.current = sending || isTouched;
  }, [sending, isTouched]);
  if (preview === undefined && fault === undefined) return <Skeleton lines={8} label="Reading the list" />;
  const shown = fault === undefined ? preview : undefined;
  const kind = /\.(xlsx|parquet)$/i.exec(file.name)?.[1]?.toLowerCase();
  return (
    <ListContext.Provider value={{ preview, warehouses, services, options, choose, remembered: taken.columns }}>
      <div class="stack large" aria-busy={isLoading}>
        {fault === undefined ? null : (
          <FaultNotice
            fault={fault}
            title="This list cannot be used"
            retry={fault.status === 422 ? undefined : reload}
          />
        )}
        {/* Options cannot change while the list is sent. */}
        <fieldset class="stack large" disabled={sending}>
          {shown === undefined ? (
            <Reading kind={kind} />
          ) : (
            <>
              <Suggestion />
              <Outlook />
              {isTitle(shown) ? null : <ToDecide />}
              <Remembered memory={memory} />
              <Fold line={readingText(shown, kind)} isNeeded={isReadingUnclear(shown)}>
                <Mapping />
                <ServiceNames />
                <Reading kind={kind} />
              </Fold>
              <FirstRows />
              {hasChoices(options) ? <Remember memory={memory} /> : null}
            </>
          )}
        </fieldset>
        {shown === undefined || isRefused(shown) ? null : (
          <Run file={file} disabled={isLoading} onSending={setSending} beforeSending={memory.keep} />
        )}
      </div>
    </ListContext.Provider>
  );
};
