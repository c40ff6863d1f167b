/** Checks the scenarios of a request, and finds what they name. */
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import type { AskedScenarios } from '../../batch/create.ts';
import type { AgreementDocument } from '../../catalog/agreement/document.ts';
import type { Client } from '../../catalog/clients/clients.ts';
import { resolveScenarios, type ScenarioSources } from '../../lists/comparison/resolve.ts';
import { type Scenario, scenariosSchema } from '../../lists/comparison/scenario.ts';
import type { Issue, Result } from '../../rating/fault.ts';
import { readInput } from '../input.ts';
import { joinRequest } from './join-batches.ts';

/** The body of `POST …/batches/{id}/comparisons`. */
export const comparisonRequest = z
  .strictObject({
    scenarios: scenariosSchema.optional(),
    with: joinRequest.optional().meta({ description: 'Another batch to join, instead of scenarios.' }),
  })
  .refine(({ scenarios, with: other }) => (scenarios === undefined) !== (other === undefined), {
    path: ['scenarios'],
    message: 'is required, or `with`, but not both',
  });
export type ComparisonRequest = z.output<typeof comparisonRequest>;

const invalid = (issues: readonly Issue[]): Failed<{ type: 'getRates.invalidRequest'; issues: readonly Issue[] }> =>
  new Failed({ type: 'getRates.invalidRequest', issues });

const UNKNOWN = 'is unknown: correct its name, or remove it';

export const readComparison = (value: unknown): Result<ComparisonRequest> =>
  readInput(comparisonRequest, value, UNKNOWN);

/** The scenarios of a query parameter. */
export const parseScenarios = (text: string): Result<readonly Scenario[]> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid([{ path: 'scenarios', message: 'must be JSON: a list of scenarios, URL-encoded' }]);
  }
  const read = readInput(z.object({ scenarios: scenariosSchema }), { scenarios: value }, UNKNOWN);
  return read instanceof Failed ? read : read.scenarios;
};

/** Finds a draft by name: the agreement, why it cannot be used, or undefined if there is none. */
export type FindDraft = (name: string) => AgreementDocument | string | undefined;

/** What a client may name in its scenarios in addition to tariffs and warehouses: its agreements and its drafts. */
const agreementsOf = (
  { agreements, drafts }: Client,
  draft: FindDraft,
): Pick<ScenarioSources, 'agreement' | 'agreements'> => {
  const own = new Map(agreements.map(({ document }) => [document.file.name, document]));
  return {
    agreement: (name) =>
      own.get(name) ?? (drafts.includes(name) ? (draft(name) ?? 'is a draft that is not there any more') : undefined),
    agreements: [...new Set([...own.keys(), ...drafts])],
  };
};

/** Finds what the scenarios name. Nothing is started if any of it cannot be found or used. */
export const askScenarios = (
  scenarios: readonly Scenario[],
  client: Client,
  { draft, ...sources }: Omit<ScenarioSources, 'agreement' | 'agreements'> & { readonly draft: FindDraft },
): Result<AskedScenarios> => {
  const resolved = resolveScenarios(scenarios, { ...sources, ...agreementsOf(client, draft) });
  return resolved.issues.length > 0 ? invalid(resolved.issues) : resolved;
};
