/** Pages of rows, each found from where the one before it ended. */
import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

export interface Pages {
  /** Rows of the list that the page passes over. */
  readonly from: number;
  readonly turn: (next: number) => void;
  readonly back: () => void;
  readonly isFirst: boolean;
  readonly restart: () => void;
}

export const usePages = (): Pages => {
  const [passed, setPassed] = useState<readonly number[]>([0]);
  return {
    from: passed.at(-1) ?? 0,
    isFirst: passed.length === 1,
    turn: (next) => setPassed((before) => [...before, next]),
    back: () => setPassed((before) => (before.length > 1 ? before.slice(0, -1) : before)),
    restart: () => setPassed([0]),
  };
};

interface PagerProps {
  readonly pages: Pages;
  readonly next: number | null;
  /** What the page shows: `Rows 1 to 25 of 1,000`. */
  readonly text: string;
  readonly busy: boolean;
}

export const Pager = ({ pages, next, text, busy }: PagerProps) => (
  <div class="pager">
    <span class="hint" role="status">
      {text}
    </span>
    <div class="actions">
      <Button onClick={pages.back} disabled={pages.isFirst} busy={busy}>
        Previous
      </Button>
      <Button onClick={() => next !== null && pages.turn(next)} disabled={next === null} busy={busy}>
        Next
      </Button>
    </div>
  </div>
);
