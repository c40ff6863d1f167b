/**
 * Navigation. The part of the address after `#` names the page, so that every page can be linked and reloaded. Before
 * unsaved work is lost, the console asks, however the user leaves: with a link, the browser's buttons, or signing out.
 * When the tab closes, the browser asks in its own words. If the user stays, the address is restored.
 */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Confirm } from './ui/feedback.tsx';

/** Links to pages. */
export const href = {
  quote: '#/quote',
  upload: '#/upload',
  batches: '#/batches',
  tariffs: '#/tariffs',
  agreements: '#/agreements',
  agreement: (name: string): string => `#/agreements/${encodeURIComponent(name)}`,
  batch: (id: string): string => `#/batches/${encodeURIComponent(id)}`,
  whatIf: (id: string): string => `#/batches/${encodeURIComponent(id)}/what-if`,
  comparison: (id: string): string => `#/comparisons/${encodeURIComponent(id)}`,
} as const;

/** The address of an operator's page. @param page its name in the address */
export const operatorHref = (page: string, id?: string): string =>
  `#/operator/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;

/** Undefined if a typed address is not valid. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const WENT = 'console:went';

/** Goes to a page without asking. */
export const goTo = (address: string): void => {
  history.pushState(null, '', address);
  dispatchEvent(new Event(WENT));
};

/** The number of the browser's current history entry. @param fresh the number for an entry without one */
const entryOf = (fresh: number): number => {
  const state: unknown = history.state;
  const known = typeof state === 'object' && state !== null && 'entry' in state ? state.entry : undefined;
  if (typeof known === 'number') return known;
  history.replaceState({ entry: fresh }, '');
  return fresh;
};

/**
 * The part of the address after `#`. It does not change if the user decides to stay.
 * @param pageOf the identity of the page at an address. A move within a page does not leave it
 */
export const useAddress = (pageOf: (hash: string) => string): string => {
  const { leave, goOn } = useLeaving();
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    let at = entryOf(0);
    let shown = { hash: location.hash, at };
    const arrive = (): (() => void) => {
      at = entryOf(at + 1);
      const next = { hash: location.hash, at };
      return () => {
        shown = next;
        setHash(next.hash);
      };
    };
    const went = (): void => goOn(arrive());
    const changed = (): void => {
      const go = arrive();
      if (pageOf(location.hash) === pageOf(shown.hash)) goOn(go);
      else leave(go, () => history.go(shown.at - at));
    };
    addEventListener(WENT, went);
    addEventListener('hashchange', changed);
    return () => {
      removeEventListener(WENT, went);
      removeEventListener('hashchange', changed);
    };
  }, [leave, goOn]);
  return hash;
};

/** The part of the address after `#` for the current page. */
export const AddressContext = createContext('');

/** The parts of an address without its query: `#/operator/clients/acme` has three. Undefined if it is not valid. */
export const partsOf = (hash: string): readonly string[] | undefined => {
  const [path = ''] = hash.split('?', 1);
  const parts = path
    .replace(/^#/, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  return parts.every((part) => part !== undefined) ? parts : undefined;
};

/** The words of the question about what would be lost. */
export interface Stake {
  /** The question. */
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  /** The label of the button that leaves: a verb and its object. */
  readonly action: string;
  /** The label of the button that stays. */
  readonly keep: string;
}

export interface Leaving {
  /** Leaves at once if nothing is at stake. Otherwise asks, and calls `stay` if the user stays. */
  readonly leave: (go: () => void, stay?: () => void) => void;
  /** Leaves without asking, and closes an open question. */
  readonly goOn: (go: () => void) => void;
  /** Registers a stake. @returns a function that removes it and answers an open question with staying */
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

/** While it is on, the browser asks before the tab closes. */
export const useAskOnClose = (isOn: boolean): void =>
  useEffect(() => {
    if (!isOn) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isOn]);

/** Asks before the user leaves, while there is a stake. A page has only one stake at a time. */
export const useStake = (stake: Stake | undefined): void => {
  const { hold } = useLeaving();
  const latest = useRef(stake);
  latest.current = stake;
  const title = stake?.title;
  useAskOnClose(title !== undefined);
  useEffect(() => (title === undefined ? undefined : hold(() => latest.current)), [hold, title]);
};

/** Provides `useLeaving` and the dialog. */
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
  // The dialog also reports a close by its buttons, so a question must be answered only once.
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
