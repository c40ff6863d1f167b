/** The operator's pages, behind the operator token. Each is loaded when opened. */
import type { ComponentType } from 'preact';
import type { OperatorPageProps } from './operator/address.ts';
import { OPERATORS } from './operator/sign-in.tsx';
import { type Page, Shell } from './shell.tsx';
import { Later } from './ui/later.tsx';

type Load = () => Promise<{ readonly default: ComponentType<OperatorPageProps> }>;

/** A page and that of one thing of it: `#/operator/clients` and `#/operator/clients/acme`. */
const pagesOf = (name: string, title: string, load: Load): readonly [Page, Page] => {
  const at = `operator/${name}`;
  const show = (id: string) => (
    <Later key={`${at} ${id}`} page={load} props={{ id: id === '' ? undefined : id }} title={title} />
  );
  return [
    { at, title, show },
    { at: `${at}/*`, of: at, title, show },
  ];
};

const HEALTH = pagesOf('health', 'Health', () => import('./operator/health.tsx'));

const PAGES: readonly Page[] = [
  ...HEALTH,
  { ...HEALTH[0], at: 'operator', of: HEALTH[0].at },
  ...pagesOf('tariffs', 'Tariffs', () => import('./operator/tariffs.tsx')),
  ...pagesOf('clients', 'Clients', () => import('./operator/clients.tsx')),
  ...pagesOf('agreements', 'Agreements', () => import('./operator/agreements.tsx')),
  ...pagesOf('audit', 'Audit', () => import('./operator/audit.tsx')),
];

export default () => (
  <Shell
    accounts={OPERATORS}
    pages={PAGES}
    first={HEALTH[0]}
    brand={
      <>
        Shipping rates <span class="mark accent">Operator</span>
      </>
    }
    links={<a href="/ops/queues">Queues</a>}
    ending="Operator · Shipping rates"
  />
);
