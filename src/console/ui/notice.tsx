/** What a page has to say beside its content: what happened, and what to do. */
import type { ComponentChildren } from 'preact';
import type { ApiFault } from '../api.ts';
import { spoken } from '../fault-guide.ts';
import { Button } from './button.tsx';

interface NoticeProps {
  readonly kind: 'info' | 'warning' | 'error';
  readonly title?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** Errors interrupt a screen reader, the rest waits; what stands there from the start is not announced at all. */
  readonly announced?: boolean;
}

const MARKS = { info: 'i', warning: '!', error: '!' } as const;

export const Notice = ({ kind, title, children, announced = true }: NoticeProps) => (
  <div class={`notice ${kind}`} role={announced ? (kind === 'error' ? 'alert' : 'status') : undefined}>
    <span class="notice-mark" aria-hidden="true">
      {MARKS[kind]}
    </span>
    <div class="notice-text">
      {title === undefined ? null : <p class="notice-title">{title}</p>}
      {children}
    </div>
  </div>
);

interface FaultNoticeProps {
  readonly fault: ApiFault;
  readonly title?: string;
  readonly retry?: (() => void) | undefined;
}

/** What a call was refused for, with each field that the service names, and how to try again. */
export const FaultNotice = ({ fault, title, retry }: FaultNoticeProps) => {
  const problems = Object.entries(fault.arguments).filter(([, problem]) => typeof problem === 'string');
  const many = fault.status === 422 && problems.length > 1;
  return (
    <Notice kind="error" title={title}>
      {many ? null : <p>{spoken(fault.message)}</p>}
      {many ? (
        <ul>
          {problems.map(([name, problem]) => (
            <li key={name}>
              <code>{name}</code> {String(problem)}
            </li>
          ))}
        </ul>
      ) : null}
      {retry === undefined ? null : <Button onClick={retry}>Try again</Button>}
    </Notice>
  );
};
