/** The operator's pages, in the order of the navigation. The first is the one at `#/operator`. Each is loaded when opened. */
import type { ComponentType } from 'preact';
import type { OperatorPageProps } from './address.ts';

interface OperatorPage {
  /** In the address. */
  readonly name: string;
  readonly label: string;
  readonly load: () => Promise<{ readonly default: ComponentType<OperatorPageProps> }>;
}

export const PAGES = [
  { name: 'health', label: 'Health', load: () => import('./health.tsx') },
  { name: 'tariffs', label: 'Tariffs', load: () => import('./tariffs.tsx') },
  { name: 'clients', label: 'Clients', load: () => import('./clients.tsx') },
  { name: 'agreements', label: 'Agreements', load: () => import('./agreements.tsx') },
  { name: 'audit', label: 'Audit', load: () => import('./audit.tsx') },
] as const satisfies readonly [OperatorPage, ...OperatorPage[]];
