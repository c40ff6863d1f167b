/** The page of a batch or a comparison: its progress, then its result, with buttons to cancel, retry and delete it. */
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { type Api, useApi, useCall } from '../api.ts';
import { faultWords } from '../fault-words.ts';
import { AddressContext, goTo, href } from '../navigation.tsx';
import { BatchState, hasEnded, type Noun } from '../ui/batch-state.tsx';
import { Button, LinkButton, Menu } from '../ui/controls.tsx';
import { FaultNotice, Notice, Skeleton } from '../ui/feedback.tsx';
import { capital, count, day } from '../ui/format.ts';
import { Ask, Missing, useAct } from '../ui/kit.tsx';
import { Later } from '../ui/later.tsx';
import { ServiceNames } from '../ui/service-names.tsx';
import { tabIn } from '../ui/tabs.tsx';
import { BatchProgress, type Running, type Source, useWatched } from './progress.tsx';

const links = () => import('../share/links.tsx');

/** The actions on a batch or a comparison, and the texts about it. */
export interface Kind<T> extends Source<T> {
  readonly noun: Noun;
  readonly titleOf: (run: T) => string;
  readonly cancel: (api: Api, id: string) => Promise<T>;
  readonly retry: (api: Api, id: string) => Promise<T>;
  readonly remove: (api: Api, id: string) => Promise<void>;
  /** The page to go to after deletion. */
  readonly after: (run: T) => string;
  /** Texts before cancellation, next to the button that deletes it, and before deletion. */
  readonly onCancel: string;
  readonly onRemoval: string;
  readonly onRemove: (run: T) => ComponentChildren;
  /** Texts about what is left after cancellation, after failure, and after its files have expired. */
  readonly cancelled: (done: string) => string;
  readonly failed: string;
  readonly expired: string;
}

interface OneProps<T> {
  readonly kind: Kind<T>;
  readonly run: T;
}

/** The reason it ended without completion. */
const Ending = <T extends Running>({ kind, run: { status, failure, rows } }: OneProps<T>) => {
  const { noun } = kind;
  if (status === 'failed')
    return (
      <Notice kind="error" title={`The ${noun} failed`}>
        <p>
          {failure?.message ?? 'The service could not finish it.'}
          {failure?.rows === undefined ? '' : ` Rows ${count(failure.rows.from)} to ${count(failure.rows.to)}.`}
        </p>
        <p>{kind.failed} A retry rates only the rows that are missing.</p>
      </Notice>
    );
  if (status === 'cancelled')
    return (
      <Notice
        kind="info"
        title={`The ${noun} was cancelled`}
        text={kind.cancelled(`${count(rows.processed)} of ${count(rows.total ?? 0)} rows`)}
      />
    );
  return status === 'expired' ? (
    <Notice kind="info" title={`The files of this ${noun} have expired`} text={kind.expired} />
  ) : null;
};

interface ActionsProps<T> extends OneProps<T>, Pick<RunProps<T>, 'buttons'> {
  readonly onRun: (run: T) => void;
}

const Actions = <T extends Running>({ kind, run, onRun, buttons }: ActionsProps<T>) => {
  const api = useApi();
  const { noun, onCancel, cancel, retry } = kind;
  const { id, status } = run;
  const retrying = useAct();
  const [isSharing, setSharing] = useState(false);
  return (
    <div class="stack small">
      <div class="actions">
        {buttons(run, <Button onClick={() => setSharing(true)}>Share…</Button>)}
        {hasEnded(run) ? null : (
          <Ask
            label={`Cancel the ${noun}`}
            disabled={status === 'cancelling'}
            title={`Cancel this ${noun}?`}
            action={`Cancel the ${noun}`}
            keep="Keep it running"
            call={async () => onRun(await cancel(api, id))}
          >
            <p>{onCancel}</p>
          </Ask>
        )}
        {status === 'failed' ? (
          <Button
            kind="primary"
            busy={retrying.busy}
            onClick={() => void retrying.run(async () => onRun(await retry(api, id)))}
          >
            Retry the missing rows
          </Button>
        ) : null}
      </div>
      <FaultNotice fault={retrying.fault} />
      {isSharing ? (
        <Later page={links} props={{ noun, id, expiresAt: run.expiresAt, onClose: () => setSharing(false) }} />
      ) : null}
    </div>
  );
};

/** It is at the end of the first part, far away from the downloads. */
const Remove = <T extends Running>({ kind, run }: OneProps<T>) => {
  const api = useApi();
  const { noun, onRemoval, onRemove, remove, after } = kind;
  return (
    <section class="split ruled batch-remove" aria-labelledby="remove">
      <div class="stack small">
        <h2 id="remove">Delete this {noun}</h2>
        <p class="hint">{onRemoval}</p>
      </div>
      <Ask
        kind="danger"
        label="Delete"
        title={`Delete this ${noun}?`}
        action="Delete permanently"
        call={async () => {
          await remove(api, run.id);
          goTo(after(run));
        }}
      >
        <p>{onRemove(run)}</p>
      </Ask>
    </section>
  );
};

/** The most rows in an Excel sheet, including the header. */
const SHEET_ROWS = 1_048_576;

/** Whether its rows fit into a workbook. */
export const fitsSheet = ({ rows }: Pick<Running, 'rows'>): boolean => rows.processed < SHEET_ROWS;

interface FilesProps {
  /** Labels and addresses, with the most popular file first. False: the file does not exist. */
  readonly files: readonly (readonly [label: string, href: string] | false)[];
  /** Whether the first file has the main button of the page. */
  readonly isMain?: boolean;
  /** What else is in the menu. */
  readonly children?: ComponentChildren;
}

export const Files = ({ files, isMain = true, children }: FilesProps) => {
  const [first, ...others] = files.filter((file) => file !== false);
  if (first === undefined) return null;
  return (
    <section class="actions screen-only" aria-label="Downloads">
      <LinkButton kind={isMain ? 'primary' : 'plain'} href={first[1]} download>
        {first[0]}
      </LinkButton>
      {others.length === 0 ? null : (
        <Menu label="More">
          {children}
          {others.map(([label, address]) => (
            <LinkButton key={label} href={address} download>
              {label}
            </LinkButton>
          ))}
        </Menu>
      )}
    </section>
  );
};

interface RunProps<T> {
  readonly kind: Kind<T>;
  readonly id: string;
  /** Facts below its name. */
  readonly facts: (run: T) => ComponentChildren;
  /** Buttons in addition to cancel and retry. @param share opens the dialog with the links to the result */
  readonly buttons: (run: T, share: ComponentChildren) => ComponentChildren;
  /** Content below its progress. */
  readonly meanwhile?: (run: T) => ComponentChildren;
  /** @param progress null after it has ended @param take shows the batch that a call returned */
  readonly children: (run: T, progress: ComponentChildren, take: (run: T) => void) => ComponentChildren;
}

export const Run = <T extends Running>({ kind, id, facts, buttons, meanwhile, children }: RunProps<T>) => {
  const { noun, titleOf } = kind;
  const { batch: run, fault, lost, take, again } = useWatched(kind, id);
  const { data: known } = useCall('GET /v1/client/services');
  const hash = useContext(AddressContext);
  const title = run !== undefined && hasEnded(run) ? titleOf(run) : undefined;
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Shipping rates`;
  }, [title]);
  const name = capital(noun);
  if (run === undefined)
    return fault === undefined ? (
      <>
        <h1>{name}</h1>
        <Skeleton lines={8} label={`Loading the ${noun}`} />
      </>
    ) : (
      <Missing title={name} text={fault.status === 404 ? `${name} not found` : faultWords(fault).join(' ')}>
        <p>It may have been deleted, or it belongs to another client.</p>
        <div class="actions">
          <Button onClick={again}>Try again</Button>
          <LinkButton href={href.batches}>All batches</LinkButton>
        </div>
      </Missing>
    );
  const { status, expiresAt } = run;
  const progress = hasEnded(run) ? null : (
    <BatchProgress batch={run} noun={noun} lost={lost}>
      {meanwhile?.(run)}
    </BatchProgress>
  );
  return (
    <>
      <div class="page-head">
        <h1>{titleOf(run)}</h1>
        <p class="row hint facts">
          <BatchState batch={run} noun={noun} />
          {facts(run)}
          {!hasEnded(run) || status === 'expired' || expiresAt === null ? null : (
            <span class="screen-only">Kept until {day(expiresAt)}</span>
          )}
        </p>
        <Actions kind={kind} run={run} onRun={take} buttons={buttons} />
      </div>
      {fault === undefined ? null : <FaultNotice fault={fault} title="Updates have stopped" retry={again} />}
      <Ending kind={kind} run={run} />
      <ServiceNames of={known?.services}>{children(run, progress, take)}</ServiceNames>
      {hasEnded(run) && tabIn(hash) === null ? <Remove kind={kind} run={run} /> : null}
    </>
  );
};
