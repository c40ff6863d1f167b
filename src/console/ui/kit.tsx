/** Building blocks of pages: loaded data, user calls, questions, panels and tables. */
import type { ComponentChildren, FunctionComponent } from 'preact';
import { useContext, useId, useState } from 'preact/hooks';
import type { ApiFault } from '../../http/client/fault.ts';
import { asFault, type Loaded } from '../api.ts';
import { AddressContext } from '../navigation.tsx';
import { Button } from './controls.tsx';
import { Confirm, type ConfirmProps, EmptyState, FaultNotice, Skeleton, type Waiting } from './feedback.tsx';
import { Table, type TableProps } from './table.tsx';

/** The logo and the name of the service. */
export const Logo = () => (
  <>
    <svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <path d="M5 11 16 5.5 27 11v10L16 26.5 5 21z M5 11l11 5.5L27 11M16 16.5v10" />
    </svg>
    Shipping rates
  </>
);

interface ShowProps<T> extends Waiting {
  readonly of: Loaded<T> & { readonly reload: () => void };
  readonly children: (data: T) => ComponentChildren;
}

/** Shows data, a placeholder until it has loaded, or why it could not be loaded. */
export const Show = <T,>({ of: loaded, children, ...waiting }: ShowProps<T>) => (
  <>
    <FaultNotice fault={loaded.fault} retry={loaded.reload} />
    {loaded.data !== undefined ? children(loaded.data) : null}
    {loaded.data === undefined && loaded.state === 'loading' ? <Skeleton {...waiting} /> : null}
  </>
);

/** Whether the data that a page is about does not exist. */
export const isMissing = (loaded: Loaded<unknown>): boolean => loaded.fault?.status === 404;

export interface Act {
  readonly busy: boolean;
  /** Why the last call failed. */
  readonly fault: ApiFault | undefined;
  /** Ignored while another call is running. */
  readonly run: (call: () => Promise<unknown>) => Promise<void>;
}

/** Makes a user's calls one at a time. */
export const useAct = (): Act => {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const run: Act['run'] = async (call) => {
    if (busy) return;
    setBusy(true);
    setFault(undefined);
    try {
      await call();
    } catch (error) {
      setFault(asFault(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, run };
};

/** Shows why a call failed, if it failed. */
export type Told = FunctionComponent<{ readonly fault: ApiFault | undefined }>;

interface QuestionProps extends Pick<ConfirmProps, 'title' | 'action' | 'keep' | 'waits' | 'children'> {
  readonly call: () => Promise<unknown>;
  /** Shows a refusal. */
  readonly told?: Told;
}

type OpenProps = QuestionProps & Required<Pick<ConfirmProps, 'kind' | 'onClose'>>;

const Question = ({ call, told: Why = FaultNotice, children, ...asked }: OpenProps) => {
  const { busy, fault, run } = useAct();
  const confirm = (): Promise<void> => run(() => call().then(asked.onClose));
  return (
    <Confirm {...asked} busy={busy} onConfirm={confirm}>
      {children}
      <Why fault={fault} />
    </Confirm>
  );
};

interface AskProps extends QuestionProps {
  /** The label of the button that opens the question. */
  readonly label: string;
  /** The subject, for screen readers. */
  readonly about?: string;
  readonly kind?: 'plain' | 'danger' | 'quiet' | 'primary';
  readonly disabled?: boolean;
}

/** A button that asks before it makes a call. */
export const Ask = ({ label, about, kind = 'plain', disabled = false, ...question }: AskProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind={kind} disabled={disabled} onClick={() => setOpen(true)}>
        {label}
        {about === undefined ? null : <span class="visually-hidden"> {about}</span>}
      </Button>
      {isOpen ? (
        <Question {...question} kind={kind === 'primary' ? kind : 'danger'} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
};

interface PanelProps {
  /** For links to the heading. */
  readonly id?: string | undefined;
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of a page, with a heading that names it. */
export const Panel = ({ id: given, title, lead, children }: PanelProps) => {
  const own = useId();
  const id = given ?? own;
  return (
    <section class="panel" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {lead === undefined ? null : <p class="hint">{lead}</p>}
      </div>
      {children}
    </section>
  );
};

interface HeadProps {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  /** The parent page: its address and its name. */
  readonly above?: readonly [href: string, name: string];
  /** The buttons of the page. */
  readonly children?: ComponentChildren;
}

interface OpeningProps extends HeadProps {
  /** The label of the button that opens the form. Undefined: it cannot be opened. */
  readonly label: string | undefined;
  readonly form: (close: () => void) => ComponentChildren;
}

/** The head of a page with a form below it, which a button or an address with `?new` opens. */
export const OpeningHead = ({ label, form, ...head }: OpeningProps) => {
  const [isOpen, setOpen] = useState(useContext(AddressContext).endsWith('?new'));
  return (
    <>
      <PageHead {...head}>
        {label === undefined || isOpen ? null : (
          <Button kind="primary" onClick={() => setOpen(true)}>
            {label}
          </Button>
        )}
      </PageHead>
      {isOpen ? <div class="opened">{form(() => setOpen(false))}</div> : null}
    </>
  );
};

/** The head of a page. */
export const PageHead = ({ title, lead, above, children }: HeadProps) => (
  <div class="page-head">
    <div>
      {above === undefined ? null : (
        <p class="hint">
          <a href={above[0]}>{above[1]}</a>
        </p>
      )}
      <h1>{title}</h1>
      {lead === undefined ? null : <p class="lead">{lead}</p>}
    </div>
    {children}
  </div>
);

/** The page of something that does not exist. */
export const Missing = ({ title, text, children }: Pick<ConfirmProps, 'title' | 'children'> & { text: string }) => (
  <>
    <h1>{title}</h1>
    <EmptyState title={text}>{children}</EmptyState>
  </>
);

interface RowsProps<Row> extends Omit<TableProps<Row>, 'rows' | 'captionHidden'> {
  readonly of: readonly Row[];
  /** Shown instead of a table without rows. */
  readonly empty?: ComponentChildren;
  /** Number of rows that are shown at first. Each click shows four times as many. Default: all. */
  readonly most?: number;
}

const MORE = 4;

/** A table with a heading above it. Only screen readers get the caption. */
export const Rows = <Row,>({ of: rows, empty = null, most, ...table }: RowsProps<Row>) => {
  const [shown, setShown] = useState(most ?? Number.POSITIVE_INFINITY);
  if (rows.length === 0) return <>{empty}</>;
  return (
    <>
      <Table captionHidden {...table} rows={rows.slice(0, shown)} />
      {rows.length <= shown ? null : (
        <>
          <p class="hint">
            These are the first {shown} of {rows.length} rows.
          </p>
          <div class="actions start">
            <Button onClick={() => setShown(MORE * shown)}>
              {rows.length > MORE * shown ? 'Show more' : `Show all ${rows.length}`}
            </Button>
          </div>
        </>
      )}
    </>
  );
};

/** A name with its code or another text. */
export const Named = ({ name, text }: { readonly name: ComponentChildren; readonly text: string }) => (
  <>
    {name}
    <span class="sub anywhere">{text}</span>
  </>
);

export const Facts = ({ of }: { readonly of: readonly (readonly [what: string, value: ComponentChildren])[] }) => (
  <dl class="fields">
    {of.map(([what, value]) => (
      <div key={what}>
        <dt class="hint">{what}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/** Marks a surcharge that the client's agreement waives. */
export const Waived = () => <span class="mark good">waived</span>;
