/** The operator's pages, behind the operator token. */
import type { ComponentChildren } from 'preact';
import './tariffs/tariffs.css';
import './operator/operator.css';
import { AgreementList } from './operator/agreements/agreement-list.tsx';
import { AgreementView } from './operator/agreements/agreement-view.tsx';
import AuditPage from './operator/audit.tsx';
import { ClientList } from './operator/clients/client-list.tsx';
import { ClientPage } from './operator/clients/client-page.tsx';
import HealthPage from './operator/health.tsx';
import { OPERATORS } from './operator/sign-in.tsx';
import { DraftPage } from './operator/tariffs/draft.tsx';
import { TariffPage, TariffsPage } from './operator/tariffs/list.tsx';
import { type Page, Shell } from './shell.tsx';

/** A list page and the page of one entry: `#/operator/clients` and `#/operator/clients/acme`. */
const pagesOf = (
  name: string,
  title: string,
  all: ComponentChildren,
  one: (id: string) => ComponentChildren,
): readonly [Page, Page] => {
  const at = `operator/${name}`;
  return [
    { at, title, show: () => all },
    { at: `${at}/*`, of: at, title, show: one },
  ];
};

const HEALTH: Page = { at: 'operator/health', title: 'Health', show: () => <HealthPage /> };

const PAGES: readonly Page[] = [
  HEALTH,
  { ...HEALTH, at: 'operator', of: HEALTH.at },
  ...pagesOf('tariffs', 'Tariffs', <TariffsPage />, (id) =>
    // The id of a tariff has its version, and that of a draft has none.
    id.includes('@') ? <TariffPage key={id} id={id} /> : <DraftPage key={id} id={id} />,
  ),
  ...pagesOf('clients', 'Clients', <ClientList />, (id) => <ClientPage key={id} id={id} />),
  ...pagesOf('agreements', 'Agreements', <AgreementList />, (id) => <AgreementView key={id} name={id} />),
  { at: 'operator/audit', title: 'Audit', show: () => <AuditPage /> },
];

export default () => (
  <Shell
    accounts={OPERATORS}
    pages={PAGES}
    first={HEALTH}
    mark={<span class="mark accent">Operator</span>}
    links={<a href="/ops/queues">Queues</a>}
    ending="Operator · Shipping rates"
  />
);
