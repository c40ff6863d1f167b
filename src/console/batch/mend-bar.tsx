/** What is mended and not sent yet, of all kinds of fault together: to be sent at once, or undone. */
import { useEffect } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { count, counted } from '../ui/format.ts';

interface MendBarProps {
  readonly rows: number;
  /** Of so many kinds of fault. */
  readonly kinds: number;
  readonly busy: boolean;
  readonly onDrop: () => void;
  readonly onSend: () => void;
}

export const MendBar = ({ rows, kinds, busy, onDrop, onSend }: MendBarProps) => {
  useEffect(() => {
    // The bar that comes up must not lie over the cell that is being mended.
    document.activeElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, []);
  return (
    <div class="mend-bar">
      <p>
        <strong>
          {counted(rows, 'row')} mended{kinds > 1 ? `, with ${count(kinds)} kinds of fault` : ''}, not sent yet.
        </strong>{' '}
        {rows === 1
          ? 'It is quoted again and takes the place of the old one.'
          : 'They are quoted again and take the place of the old ones.'}
      </p>
      <div class="actions">
        <Button onClick={onDrop} disabled={busy}>
          Undo all
        </Button>
        <Button kind="primary" busy={busy} onClick={onSend}>
          Quote {rows === 1 ? 'it' : 'them'} again
        </Button>
      </div>
    </div>
  );
};
