/** What the operator's calls about tariffs need. */
import type { Audit } from '../../../audit/audit.ts';
import type { Drafts } from '../../../published/drafts/drafts.ts';
import type { TariffPlace } from '../../../published/tariff-place.ts';
import type { Finding } from '../../../tariff/document.ts';
import type { Schedule } from '../../../tariff/schedule.ts';
import type { Surroundings } from './bodies.ts';
import type { TariffChanged, TariffChangeRequest } from './changes.ts';

/** What the service gives. */
export interface TariffSetup {
  readonly place: 'folder' | 'published';
  /** Why the tariffs cannot be changed here; undefined if they can. */
  readonly refusal?: string;
  readonly versions: TariffPlace['versions'];
  readonly drafts: Drafts;
  /** Makes a change apart from this process. @throws {Error} if it failed */
  readonly change: (request: TariffChangeRequest) => Promise<TariffChanged>;
}

export interface OperatorTariffsDeps extends TariffSetup {
  readonly tariffs: { readonly current: () => Schedule; readonly findings: () => readonly Finding[] };
  readonly surroundings: () => Promise<Surroundings>;
  readonly audit: Audit;
  readonly now: () => Date;
}
