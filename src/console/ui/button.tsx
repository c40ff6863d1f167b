/** Buttons: what they do is their label. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly onClick?: () => void;
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet';
  readonly submit?: boolean;
  readonly disabled?: boolean;
  /** Shown as at work, and not to be clicked again. */
  readonly busy?: boolean;
}

export const Button = ({
  children,
  onClick,
  kind = 'plain',
  submit = false,
  disabled = false,
  busy = false,
}: ButtonProps) => (
  <button
    type={submit ? 'submit' : 'button'}
    class={`button ${kind}`}
    onClick={busy ? undefined : onClick}
    disabled={disabled}
    aria-disabled={busy}
    aria-busy={busy}
  >
    {children}
  </button>
);

interface LinkButtonProps {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly kind?: 'primary' | 'plain';
  /** A file to keep, not a page to go to. */
  readonly download?: boolean;
}

export const LinkButton = ({ href, children, kind = 'plain', download = false }: LinkButtonProps) => (
  <a class={`button ${kind}`} href={href} download={download ? '' : undefined}>
    {children}
  </a>
);

const SAID_MS = 2_000;

/** Puts a text on the clipboard, and says so. Where the browser does not allow that, it says that too. */
export const CopyButton = ({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) => {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return undefined;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid('Select and copy by hand');
    }
  };
  return (
    <button type="button" class="button quiet" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
};
