/** What the pages of a batch and of a comparison share: their head, how they ended, and what they say before they are there. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ApiFault } from '../api.ts';
import type { Batch } from '../calls.ts';
import { faultWords } from '../fault-words.ts';
import { hasEnded } from '../ui/batch-state.tsx';
import { Button, LinkButton } from '../ui/controls.tsx';
import { EmptyState, Notice, Skeleton } from '../ui/feedback.tsx';
import { count } from '../ui/format.ts';

/** Names the tab after what has ended. While it runs, the tab has the name of the page. */
export const useTitle = (run: Pick<Batch, 'status'> | undefined, name: string): void => {
  const title = run !== undefined && hasEnded(run) ? name : undefined;
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Shipping rates`;
  }, [title]);
};

interface AbsentProps {
  readonly noun: string;
  readonly fault: ApiFault | undefined;
  readonly again: () => void;
  /** The page of all of its kind. */
  readonly all: readonly [href: string, label: string];
}

const capital = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);

/** Instead of the page while it loads, or if it is not there. */
export const Absent = ({ noun, fault, again, all: [href, label] }: AbsentProps) => (
  <>
    <h1>{capital(noun)}</h1>
    {fault === undefined ? (
      <Skeleton lines={8} label={`Loading the ${noun}`} />
    ) : (
      <EmptyState title={fault.status === 404 ? `${capital(noun)} not found` : faultWords(fault).join(' ')}>
        <p>It may have been deleted, or it belongs to another client.</p>
        <div class="actions">
          <Button onClick={again}>Try again</Button>
          <LinkButton href={href}>{label}</LinkButton>
        </div>
      </EmptyState>
    )}
  </>
);

interface EndingProps {
  readonly noun: string;
  readonly run: Pick<Batch, 'status' | 'failure'>;
  readonly onFailure: ComponentChildren;
  readonly onCancelled: ComponentChildren;
  readonly onExpired: ComponentChildren;
}

/** Why it ended without being completed. */
export const Ending = ({ noun, run: { status, failure }, onFailure, onCancelled, onExpired }: EndingProps) => {
  if (status === 'failed')
    return (
      <Notice kind="error" title={`The ${noun} failed`}>
        <p>
          {failure?.message ?? 'The service could not finish it.'}
          {failure?.rows === undefined ? '' : ` Rows ${count(failure.rows.from)} to ${count(failure.rows.to)}.`}
        </p>
        <p>{onFailure}</p>
      </Notice>
    );
  if (status === 'cancelled')
    return (
      <Notice kind="info" announced={false} title={`The ${noun} was cancelled`}>
        <p>{onCancelled}</p>
      </Notice>
    );
  return status === 'expired' ? (
    <Notice kind="info" announced={false} title={`The files of this ${noun} have expired`}>
      <p>{onExpired}</p>
    </Notice>
  ) : null;
};
