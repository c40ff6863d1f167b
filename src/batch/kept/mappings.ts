/**
 * Mappings that clients save under a name: `mappings/<client>/<id>.json` in the store. They stay until they are deleted. The
 * id of a mapping includes its header's key, so that the mappings for a header are found by file name.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { getJson, putJson, type Store } from '../../base/store/store.ts';
import { readingParameters } from '../../lists/list-options.ts';

/** Maximum number of mappings of a client. */
export const MOST_MAPPINGS = 100;
const MOST_NAME = 100;
/** A SHA-256 hash, like `headerKey` of previews. */
export const HEADER_KEY = /^[\w-]{43}$/;
const ID = /^m[\w-]{43}\.[0-9a-f]{16}$/;

const nameRule = `must have 1 to ${MOST_NAME} characters`;

export const mappingName = z.strictObject({ name: z.string().trim().min(1, nameRule).max(MOST_NAME, nameRule) });

export const mappingToKeep = mappingName.extend({
  headerKey: z.string().regex(HEADER_KEY, 'must be the headerKey of a preview'),
  options: z.strictObject(readingParameters).describe('Parameters of an upload, without those of its output.'),
});
type MappingToKeep = z.output<typeof mappingToKeep>;

export const keptMapping = mappingToKeep.extend({ id: z.string(), savedAt: z.iso.datetime() });
export type KeptMapping = z.output<typeof keptMapping>;

/** Returns the folder of a client. File systems may ignore case, but client ids do not. */
const folderOf = (clientId: string): string => `mappings/${Buffer.from(clientId).toString('hex')}/`;
const ENDING = '.json';
const keyOf = (clientId: string, id: string): string => `${folderOf(clientId)}${id}${ENDING}`;

const idOf = ({ name, headerKey }: MappingToKeep): string =>
  `m${headerKey}.${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;

export type KeptMappings = ReturnType<typeof createKeptMappings>;

export const createKeptMappings = (store: Store, now: () => Date) => {
  const idsOf = async (clientId: string): Promise<string[]> =>
    (await store.list(folderOf(clientId))).map((name) => name.slice(0, -ENDING.length));
  return {
    /** Returns the client's mappings, the last saved first. @param headerKey only mappings for this header */
    list: async (clientId: string, headerKey?: string): Promise<KeptMapping[]> => {
      const ids = await idsOf(clientId);
      const wanted = headerKey === undefined ? ids : ids.filter((id) => id.startsWith(`m${headerKey}.`));
      const documents = await Promise.all(wanted.map((id) => getJson(store, keyOf(clientId, id))));
      // A missing mapping was deleted in the meantime.
      const mappings = documents.filter((found) => found !== undefined).map((found) => keptMapping.parse(found));
      return mappings.sort((a, b) => b.savedAt.localeCompare(a.savedAt) || a.id.localeCompare(b.id));
    },
    /** Saves a mapping. Replaces one with the same name and header. @returns undefined if there are too many */
    save: async (clientId: string, mapping: MappingToKeep): Promise<KeptMapping | undefined> => {
      const id = idOf(mapping);
      const ids = await idsOf(clientId);
      // Two mappings that are saved at the same moment may both count as the last one.
      if (!ids.includes(id) && ids.length >= MOST_MAPPINGS) return undefined;
      const kept = { ...mapping, id, savedAt: now().toISOString() };
      await putJson(store, keyOf(clientId, id), kept, { durable: true });
      return kept;
    },
    /** @returns undefined if the client has no such mapping */
    find: async (clientId: string, id: string): Promise<KeptMapping | undefined> => {
      const found = ID.test(id) ? await getJson(store, keyOf(clientId, id)) : undefined;
      return found === undefined ? undefined : keptMapping.parse(found);
    },
    /** @returns undefined if another mapping for its header has the name */
    rename: async (clientId: string, mapping: KeptMapping, name: string): Promise<KeptMapping | undefined> => {
      const renamed = { ...mapping, name, id: idOf({ ...mapping, name }) };
      if (renamed.id === mapping.id) return mapping;
      if ((await store.size(keyOf(clientId, renamed.id))) !== undefined) return undefined;
      await putJson(store, keyOf(clientId, renamed.id), renamed, { durable: true });
      await store.remove(keyOf(clientId, mapping.id));
      return renamed;
    },
    /** @returns whether the client had the mapping */
    remove: async (clientId: string, id: string): Promise<boolean> => {
      if (!ID.test(id) || (await store.size(keyOf(clientId, id))) === undefined) return false;
      await store.remove(keyOf(clientId, id));
      return true;
    },
  };
};
