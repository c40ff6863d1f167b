/** Parts of the console that are loaded when they are first opened, so that it starts with less code. */
import type { ComponentType, VNode } from 'preact';
import { useLoad } from '../api.ts';
import { Button } from './controls.tsx';
import { EmptyState, Skeleton } from './feedback.tsx';
import type { Word } from './help-words.tsx';

interface LaterProps<P> {
  readonly page: () => Promise<{ readonly default: ComponentType<P> }>;
  readonly props: P;
  /** The heading until the page has loaded. Undefined if it is not a page. */
  readonly title?: string;
}

export const Later = <P extends object>({ page, props, title }: LaterProps<P>): VNode | null => {
  const { state, data } = useLoad(page, [page]);
  if (data !== undefined) {
    const Page = data.default;
    return <Page {...props} />;
  }
  if (title === undefined && state === 'loading') return null;
  return (
    <>
      {title === undefined ? null : <h1>{title}</h1>}
      {state === 'failed' ? (
        <EmptyState title="This page could not be loaded">
          <p>The connection was lost, or the service was updated in the meantime.</p>
          <Button onClick={() => location.reload()}>Reload it</Button>
        </EmptyState>
      ) : (
        <Skeleton lines={8} />
      )}
    </>
  );
};

const words = () => import('./help-words.tsx');

/** Explains shipping terms where a page uses them. */
export const Help = ({ about }: { readonly about: readonly Word[] }) => <Later page={words} props={{ about }} />;
