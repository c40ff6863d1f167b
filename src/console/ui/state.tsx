/** What stands where content will be, or would be: nothing yet, on its way, so much of it. */
import type { ComponentChildren } from 'preact';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

/** @param children a sentence that says what to do, and the button that does it */
export const EmptyState = ({ title, children }: EmptyStateProps) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children}
  </div>
);

/** Lines that keep the place of what is on its way. */
export const Skeleton = ({ lines = 3, label = 'Loading' }: { readonly lines?: number; readonly label?: string }) => (
  <div class="skeleton" role="status" aria-label={label}>
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} />
    ))}
  </div>
);

interface ProgressProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
}

/** How much of it is done; without a `max` yet, that something is. */
export const Progress = ({ label, value, max }: ProgressProps) =>
  max > 0 ? (
    <progress class="progress" aria-label={label} value={value} max={max} />
  ) : (
    <progress class="progress" aria-label={label} />
  );
