/** Asks before something that cannot be taken back. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface ConfirmProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** What the button does that goes on: a verb and its object. */
  readonly action: string;
  /** What the button says that leaves all as it is. */
  readonly keep: string;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Open as long as it is drawn; Escape closes it, and the focus goes back to where it was. */
export const Confirm = ({ title, children, action, keep, busy = false, onConfirm, onClose }: ConfirmProps) => {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = ref;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={ref} class="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <div class="actions">
        <Button onClick={onClose}>{keep}</Button>
        <Button kind="danger" onClick={onConfirm} busy={busy}>
          {action}
        </Button>
      </div>
    </dialog>
  );
};
