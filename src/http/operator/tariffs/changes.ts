/** The changes that the operator's calls for tariffs request. */
import type { AgreementToPublish } from '../../../catalog/published/libraries.ts';
import type { Finding } from '../../../catalog/tariff/document.ts';
import type { FuelAddition } from '../../../import/add-fuel.ts';

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
