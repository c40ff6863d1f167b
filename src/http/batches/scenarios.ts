/** Checks the body of a comparison, and finds what its scenarios name, or the columns of a batch to join. */
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { inSlices, mapInSlices } from '../../base/time-slices.ts';
import type { AskedScenarios, NewJoin } from '../../batch/create.ts';
import type { BatchDocument } from '../../batch/records.ts';
import type { AgreementDocument } from '../../catalog/agreement/document.ts';
import type { Client } from '../../catalog/clients/clients.ts';
import { normal } from '../../lists/columns/fields.ts';
import { keyNames, outputPlaces } from '../../lists/comparison/join.ts';
import { resolveScenarios, type ScenarioSources } from '../../lists/comparison/resolve.ts';
import { type Scenario, scenariosSchema } from '../../lists/comparison/scenario.ts';
import type { Result } from '../../rating/fault.ts';
import type { HttpResult } from '../faults.ts';
import { invalid, readInput } from '../input.ts';

/** The member `with` of the body of `POST …/batches/{id}/comparisons`. */
export const joinRequest = z.strictObject({
  batch: z.string().min(1).max(100).describe('Id of another completed batch of the client.'),
  key: z.string().min(1).max(200).describe('A column of both lists that names a shipment, such as an order number.'),
});
export type JoinRequest = z.output<typeof joinRequest>;

/** The body of `POST …/batches/{id}/comparisons`. */
export const comparisonRequest = z
  .strictObject({
    scenarios: scenariosSchema.optional(),
    with: joinRequest.optional().describe('Another batch to join, instead of scenarios.'),
  })
  .refine(({ scenarios, with: other }) => (scenarios === undefined) !== (other === undefined), {
    path: ['scenarios'],
    message: 'is required, or `with`, but not both',
  });
export type ComparisonRequest = z.output<typeof comparisonRequest>;

const UNKNOWN = 'is unknown: correct its name, or remove it';

export const readComparison = (value: unknown): Result<ComparisonRequest> =>
  readInput(comparisonRequest, value, UNKNOWN);

/** The scenarios of a query parameter. */
export const parseScenarios = (text: string): Result<readonly Scenario[]> => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid({ scenarios: 'must be JSON: a list of scenarios, URL-encoded' });
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
  const { issues } = resolved;
  return issues.length > 0 ? new Failed({ type: 'getRates.invalidRequest', issues }) : resolved;
};

export interface Completed {
  readonly document: BatchDocument;
  readonly revision: number;
}

/** Finds the key column in both lists. @param other the other batch, or why it cannot be joined */
export const joinOf = async (
  base: Completed,
  other: Completed | string,
  { key }: JoinRequest,
): Promise<HttpResult<Pick<NewJoin, 'base' | 'other' | 'key'>>> => {
  if (typeof other === 'string') return invalid({ 'with.batch': other });
  if (other.document.id === base.document.id) return invalid({ 'with.batch': 'must be another batch' });
  const places = await inSlices(outputPlaces(base.document.columns, key));
  const otherPlaces = await inSlices(outputPlaces(other.document.columns, key));
  if (places !== undefined && otherPlaces !== undefined)
    return { base: { ...base, places }, other: { ...other, places: otherPlaces }, key };
  const [own, others] = [keyNames(base.document.columns), keyNames(other.document.columns)];
  const known = new Set(await inSlices(mapInSlices(others, normal)));
  const keys = await inSlices(mapInSlices(own, normal));
  const shared = own.filter((_, at) => known.has(keys[at] ?? ''));
  const names = shared.length === 0 ? 'they share none' : `they share ${shared.slice(0, 20).join(', ')}`;
  return invalid({ 'with.key': `must be a column of both lists; ${names}` });
};
