/** The parts of a long page, one at a time. The address names the part, so that it can be linked and reloaded. */
import type { ComponentChildren } from 'preact';
import { useContext, useRef } from 'preact/hooks';
import { AddressContext } from '../navigation.tsx';

export interface Tab {
  /** Its name in the address: `?tab=rows`. Omitted for the first part. */
  readonly at: string;
  readonly label: ComponentChildren;
  readonly show: () => ComponentChildren;
  /** Whether this part is shown without `above`. */
  readonly alone?: boolean;
}

/** The address of a part of the page at `hash`. @param at undefined: the first part */
export const tabHref = (hash: string, at: string | undefined): string => {
  const [page = ''] = hash.split('?', 1);
  return at === undefined ? page : `${page}?tab=${at}`;
};

/** The name of the part in the address; null for the first part. */
export const tabIn = (hash: string): string | null => new URLSearchParams(hash.split('?', 2)[1]).get('tab');

interface TabsProps {
  /** The label of the links for screen readers. */
  readonly label: string;
  /** Parts that are false are omitted. */
  readonly tabs: readonly (Tab | false)[];
  /** Content above the parts, for the parts that it applies to. */
  readonly above?: ComponentChildren;
  /** Whether all parts are printed. */
  readonly isPrintedWhole?: boolean;
}

/** A part is created when it is first opened. After that, it keeps the user's input. */
export const Tabs = ({ label, tabs, above = null, isPrintedWhole = false }: TabsProps) => {
  const hash = useContext(AddressContext);
  const opened = useRef(new Set<string>());
  const own = tabs.filter((tab) => tab !== false);
  const shown = own.find(({ at }) => at === tabIn(hash)) ?? own[0];
  if (shown === undefined) return null;
  opened.current.add(shown.at);
  return (
    <>
      <nav class="tabs screen-only" aria-label={label}>
        {own.map((tab, index) => (
          <a
            key={tab.at}
            href={tabHref(hash, index === 0 ? undefined : tab.at)}
            aria-current={tab === shown ? 'true' : undefined}
          >
            {tab.label}
          </a>
        ))}
      </nav>
      {above === null ? null : <div hidden={shown.alone === true}>{above}</div>}
      {own.map((tab) =>
        isPrintedWhole || opened.current.has(tab.at) ? (
          <div key={tab.at} class={`tab stack large ${isPrintedWhole ? 'on-paper' : ''}`} hidden={tab !== shown}>
            {tab.show()}
          </div>
        ) : null,
      )}
    </>
  );
};
