/** The operator's pages, in the order of the navigation. The first is the one at `#/operator`. Each is loaded when opened. */
import type { ComponentType } from 'preact';

/** What a page gets from its address, `#/operator/<name>/<id>/<below>…`. */
export interface OperatorPageProps {
  readonly id: string | undefined;
  readonly below: readonly string[];
}

interface OperatorPage {
  /** In the address. */
  readonly name: string;
  readonly label: string;
  readonly load: () => Promise<{ readonly default: ComponentType<OperatorPageProps> }>;
}

export const PAGES = [
  { name: 'clients', label: 'Clients', load: () => import('./clients.tsx') },
  { name: 'agreements', label: 'Agreements', load: () => import('./agreements.tsx') },
  { name: 'audit', label: 'Audit log', load: () => import('./audit.tsx') },
] as const satisfies readonly [OperatorPage, ...OperatorPage[]];

export const operatorHref = (page: (typeof PAGES)[number]['name'], id?: string): string =>
  `#/operator/${page}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`;
