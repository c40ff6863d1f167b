/**
 * Leaving what is not done. Whoever would lose it is asked first, whichever way they go: by a link, by the browser's own
 * buttons, by signing out; where the tab is closed or loaded anew the browser asks, in words of its own.
 */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Confirm } from './ui/dialog.tsx';

/** What would be lost, as the question says it. */
export interface Stake {
  /** The question. */
  readonly title: string;
  /** What happens to it. */
  readonly text: string;
  /** What the button does that goes on: a verb and its object. */
  readonly action: string;
  /** What the button says that leaves all as it is. */
  readonly keep: string;
}

export interface Leaving {
  /** Goes at once where nothing is at stake, else when somebody says so; `stay` is done where they do not. */
  readonly leave: (go: () => void, stay?: () => void) => void;
  /** Goes without a question; one that is open is closed. */
  readonly goOn: (go: () => void) => void;
  /** @returns how to let go of it, which answers an open question by staying */
  readonly hold: (stake: () => Stake | undefined) => () => void;
}

interface Question {
  readonly stake: Stake;
  readonly go: () => void;
  readonly stay: () => void;
}

const LeavingContext = createContext<Leaving>({
  leave: (go) => go(),
  goOn: (go) => go(),
  hold: () => () => undefined,
});

export const useLeaving = (): Leaving => useContext(LeavingContext);

/** Has whoever leaves asked first, as long as there is a stake. */
export const useStake = (stake: Stake | undefined): void => {
  const { hold } = useLeaving();
  const latest = useRef(stake);
  latest.current = stake;
  const isHeld = stake !== undefined;
  useEffect(() => {
    if (!isHeld) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    const release = hold(() => latest.current);
    return () => {
      removeEventListener('beforeunload', ask);
      release();
    };
  }, [hold, isHeld]);
};

/** Asks for all that is below it. */
export const Asking = ({ children }: { readonly children: ComponentChildren }) => {
  const held = useRef<(() => Stake | undefined) | undefined>(undefined);
  const open = useRef<Question | undefined>(undefined);
  const [question, setQuestion] = useState<Question>();
  const leaving = useMemo<Leaving>(() => {
    const ask = (next: Question | undefined): void => {
      open.current = next;
      setQuestion(next);
    };
    const goOn: Leaving['goOn'] = (go) => {
      ask(undefined);
      go();
    };
    return {
      goOn,
      leave: (go, stay = () => undefined) => {
        const stake = held.current?.();
        if (stake === undefined) goOn(go);
        else ask({ stake, go, stay });
      },
      hold: (stake) => {
        held.current = stake;
        return () => {
          if (held.current === stake) held.current = undefined;
          const left = open.current;
          ask(undefined);
          left?.stay();
        };
      },
    };
  }, []);
  // A dialog tells of its closing however it was closed, by its buttons too: a question is answered once.
  const stay = (): void => {
    if (question !== undefined && open.current === question) leaving.goOn(question.stay);
  };
  return (
    <LeavingContext.Provider value={leaving}>
      {children}
      {question === undefined ? null : (
        <Confirm
          title={question.stake.title}
          action={question.stake.action}
          keep={question.stake.keep}
          onConfirm={() => leaving.goOn(question.go)}
          onClose={stay}
        >
          <p>{question.stake.text}</p>
        </Confirm>
      )}
    </LeavingContext.Provider>
  );
};
