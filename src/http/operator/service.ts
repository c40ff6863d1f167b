/** The parts of the service that the operator's calls need. */
import type { Actor } from '../../base/audit/audit.ts';
import { Failed } from '../../base/failed.ts';
import type { Refresh } from '../../base/poll.ts';
import type { Store } from '../../base/store/store.ts';
import type { Send } from '../../base/webhook/send.ts';
import type { Queues } from '../../batch/queue/jobs.ts';
import type { Clients } from '../../catalog/clients/clients.ts';
import type { Library } from '../../catalog/documents/library.ts';
import type { Agreements, LiveTariffs } from '../../catalog/documents/live.ts';
import type { AgreementPlace, OpenedClients } from '../../catalog/published/changing.ts';
import type { AgreementToPublish } from '../../catalog/published/store-place.ts';
import type { Finding } from '../../catalog/tariff/document.ts';
import type { FuelAddition } from '../../import/add-fuel.ts';
import type { Drafts } from '../../import/drafts/drafts.ts';
import { callsOf } from '../call.ts';
import type { HttpFault } from '../faults.ts';
import type { Service } from '../service.ts';
import type { OperatorSessions } from './session.ts';

/** The place of the tariffs, and how to change them. */
export interface TariffDesk {
  readonly place: 'folder' | 'published';
  /** Why the tariffs cannot be changed here. Undefined if they can. */
  readonly refusal: string | undefined;
  readonly versions: Library<never>['versions'];
  readonly drafts: Drafts;
  /** Makes a change in a separate process. @throws {Error} if it failed */
  readonly change: (request: TariffChangeRequest) => Promise<TariffChanged>;
}

export interface OperatorService
  extends Pick<Service, 'addressOf' | 'audit' | 'redis' | 'checks' | 'now' | 'reserveBytes'> {
  readonly store: Pick<Store, 'free'>;
  readonly operatorToken: string;
  readonly sessions: OperatorSessions;
  readonly queues: Queues;
  readonly clients: {
    readonly current: () => Clients;
    /** @throws {StoreFailure} while the agreements are unknown */
    readonly agreements: () => Agreements;
  };
  readonly tariffs: Pick<LiveTariffs, 'current' | 'findings' | 'refresh'>;
  /** Where clients are read and changed. */
  readonly clientPlace: OpenedClients;
  readonly agreementPlace: AgreementPlace;
  readonly tariffDesk: TariffDesk;
  /** Whether agreements are published instead of kept in a folder. */
  readonly publishesAgreements: boolean;
  /** Applies changed tariffs here, and tells the other processes. */
  readonly takeUp: Refresh;
  readonly send: Send;
}

/** Declares a call that only a signed-in operator may make. */
export const operatorCall = callsOf<OperatorService, 'caller' | 'limit'>({ caller: 'operator', limit: 'none' });

export type Change =
  | {
      /** The folders of the tariffs, which have the tariffs' names. */
      readonly publish: readonly string[];
      readonly replace: boolean;
      /** Agreements that come into force with them. */
      readonly agreements?: readonly AgreementToPublish[];
    }
  /** Rates to add to the fuel of a tariff, by its id. */
  | { readonly fuel: { readonly tariff: string; readonly rates: readonly FuelAddition[] } }
  /** The id of a tariff. */
  | { readonly withdraw: string }
  /** The version. */
  | { readonly goBack: string };

/** `on`: the version that the operator saw. The change is refused if it is not the latest. Null: there was none. */
export type TariffChangeRequest = Change & { readonly by: string; readonly on: string | null };

/** What was changed, or why nothing was. Texts are for users. */
export type TariffChanged =
  | {
      readonly changed: {
        /** Null if nothing had to change. */
        readonly version: string | null;
        /** Ids of tariffs. */
        readonly placed: readonly string[];
        readonly replaced: readonly string[];
        readonly withdrawn: readonly string[];
        /** The ids of all current tariffs. */
        readonly ids: readonly string[];
      };
    }
  | { readonly errors: readonly Finding[] }
  | { readonly refused: string };

/** Refuses a change, with an explanation for people. */
export const refused = (reason: string): Failed<HttpFault> => new Failed({ type: 'operator.refused', reason });

/** The service, and the operator who asks for a change. */
export interface ChangeAsked {
  readonly service: OperatorService;
  readonly operator: Actor;
}
