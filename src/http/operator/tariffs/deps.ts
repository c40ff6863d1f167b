/** What the operator's calls about tariffs need. */

import type { Audit } from '../../../audit/audit.ts';
import type { Agreements, LiveTariffs } from '../../../documents/live.ts';
import type { Refresh } from '../../../poll.ts';
import type { Drafts } from '../../../published/drafts/drafts.ts';
import type { Surroundings } from '../../../published/drafts/view.ts';
import type { TariffPlace } from '../../../published/tariff-place.ts';
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
  readonly tariffs: Pick<LiveTariffs, 'current' | 'findings' | 'refresh'>;
  /** Takes up a change here, and tells the other processes. */
  readonly takeUp: Refresh;
  /** Absent: the agreements are in a folder. */
  readonly publishedAgreements?: (() => Promise<Agreements>) | undefined;
  readonly surroundings: () => Promise<Surroundings>;
  readonly audit: Audit;
  readonly now: () => Date;
}
