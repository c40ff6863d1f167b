/** Notices, faults, empty states, loading placeholders, progress bars and confirmation dialogs. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ApiFault } from '../../http/client/fault.ts';
import { faultWords } from '../fault-words.ts';
import { Button } from './controls.tsx';

interface NoticeProps {
  readonly kind: 'info' | 'done' | 'warning' | 'error';
  readonly title?: ComponentChildren;
  /** A paragraph. */
  readonly text?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** Whether screen readers announce it: errors at once, others when idle. Default: only for errors. */
  readonly announced?: boolean;
}

const MARKS = { info: 'i', done: '✓', warning: '!', error: '!' } as const;
const TONES = { info: 'accent', done: 'good', warning: 'warn', error: 'bad' } as const;

export const Notice = ({ kind, title, text, children, announced = kind === 'error' }: NoticeProps) => (
  <div class={`notice ${TONES[kind]}`} role={announced ? (kind === 'error' ? 'alert' : 'status') : undefined}>
    <span class="notice-mark" aria-hidden="true">
      {MARKS[kind]}
    </span>
    <div class="notice-text">
      {title === undefined ? null : <p class="notice-title">{title}</p>}
      {text === undefined ? null : <p>{text}</p>}
      {children}
    </div>
  </div>
);

interface LinesProps {
  /** Unique lines. */
  readonly of: readonly string[];
  readonly class?: string;
  /** The name of the list for screen readers. */
  readonly label?: string;
  readonly children?: ComponentChildren;
}

/** Lines of text, one below another. */
export const Lines = ({ of: lines, class: own, label, children }: LinesProps) => (
  <ul class={own} aria-label={label}>
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
    {children}
  </ul>
);

interface FaultNoticeProps {
  readonly fault: ApiFault | undefined;
  readonly title?: string | undefined;
  readonly retry?: (() => void) | undefined;
}

/** Why a call failed, if it failed, with each wrong field, and a button to try again. */
export const FaultNotice = ({ fault, title, retry }: FaultNoticeProps) => {
  if (fault === undefined) return null;
  const sentences = faultWords(fault);
  const [first, ...others] = sentences;
  return (
    <Notice kind="error" title={title}>
      {others.length === 0 ? <p>{first}</p> : <Lines of={sentences} />}
      {retry === undefined ? null : <Button onClick={retry}>Try again</Button>}
    </Notice>
  );
};

/** @param text what to do @param children the button for it */
export const EmptyState = ({ title, text, children }: Pick<NoticeProps, 'title' | 'text' | 'children'>) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {text === undefined ? null : <p>{text}</p>}
    {children}
  </div>
);

interface FoldedProps {
  readonly title: ComponentChildren;
  /** What is marked next to the title, such as a number of entries. */
  readonly mark?: ComponentChildren;
  readonly kind?: string;
  readonly class?: string;
  readonly open?: boolean;
  /** The layout of the content. */
  readonly box?: string;
  readonly children: ComponentChildren;
}

/** Content below a title that opens it. */
export const Folded = ({ title, mark, kind = '', box, children, ...details }: FoldedProps) => (
  <details {...details}>
    <summary>
      {title}
      {mark === undefined ? null : ' '}
      {mark === undefined ? null : <span class={`mark ${kind}`}>{mark}</span>}
    </summary>
    {box === undefined ? children : <div class={box}>{children}</div>}
  </details>
);

export interface Waiting {
  /** Number of lines in the placeholder. */
  readonly lines?: number | undefined;
  /** The placeholder's label for screen readers. */
  readonly label?: string | undefined;
}

/** Placeholder lines while content loads. */
export const Skeleton = ({ lines = 3, label = 'Loading' }: Waiting) => (
  <div class="skeleton" role="status" aria-label={label}>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} />
    ))}
  </div>
);

/** A progress bar. Without a `max` it is indeterminate. */
export const Progress = ({ label, ...of }: { readonly label: string } & Record<'value' | 'max', number>) => (
  <progress class="progress" aria-label={label} {...(of.max > 0 ? of : {})} />
);

interface DialogProps {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  /** Buttons next to the title. */
  readonly buttons?: ComponentChildren;
  /** For tables and receipts. */
  readonly wide?: boolean;
  /** Omitted if no key closes it. The focus is then in the first field that is not filled in. */
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}

/** A dialog over the page, so that no input is lost. It is open while mounted. Escape closes it and restores the focus. */
export const Dialog = ({ title, lead, buttons, wide = false, onClose, children }: DialogProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  const open = (): void => {
    ref.current?.showModal();
    if (onClose === undefined) ref.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus();
  };
  useEffect(() => {
    const { current } = ref;
    open();
    return () => current?.close();
  }, []);
  // Browsers without `closedby` close dialogs at a second Escape.
  const stays = { closedby: 'none', onCancel: (event: Event) => event.preventDefault(), onClose: open } as const;
  return (
    <dialog
      ref={ref}
      class={`card stack dialog ${wide ? 'wide' : ''}`}
      aria-labelledby={id}
      {...(onClose === undefined ? stays : { onClose })}
    >
      <div class="page-head">
        <div>
          <h2 id={id}>{title}</h2>
          {lead === undefined ? null : <p class="hint">{lead}</p>}
        </div>
        {buttons === undefined ? null : <div class="actions">{buttons}</div>}
      </div>
      {children}
    </dialog>
  );
};

export interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The label of the button that confirms: a verb and its object. Undefined: it cannot be done now. */
  readonly action: string | undefined;
  /** The label of the button that cancels. */
  readonly keep?: string | undefined;
  readonly busy?: boolean;
  /** Why the user may not confirm yet. */
  readonly waits?: string | undefined;
  readonly kind?: 'danger' | 'primary';
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. */
export const Confirm = ({ title, children, action, keep, waits, onConfirm, onClose, ...rest }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    <div class="actions">
      <Button onClick={onClose}>{keep ?? 'Keep it'}</Button>
      {waits === undefined ? null : <output>{waits}</output>}
      {action === undefined ? null : (
        <Button kind="danger" onClick={onConfirm} disabled={waits !== undefined} {...rest}>
          {action}
        </Button>
      )}
    </div>
  </Dialog>
);

interface DoubtsProps {
  readonly doubts: readonly string[];
  /** Where the doubts were found, if only in part of the total. */
  readonly lead?: string;
}

/** The doubts about a total, next to it and in the same size. Shows nothing if there is no doubt. */
export const Doubts = ({ doubts, lead = '' }: DoubtsProps) =>
  doubts.length === 0 ? null : (
    <p class="doubt">
      {lead}
      {doubts.join('; ')}. <span class="hint">The bill may differ until the tariff or the agreement is updated.</span>
    </p>
  );
