/** Choices that the client saves under a name. They are offered again for lists with the same column names. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ApiFault } from '../../http/client/fault.ts';
import { useApi, useLoad } from '../api.ts';
import type { KeptMapping } from '../calls.ts';
import { type Choices, choicesIn, hasChoices, type ListOptions, textsOf } from './list-options.ts';

export interface Memory {
  /** The mappings for this header. */
  readonly kept: readonly KeptMapping[];
  /** The mapping that the choices came from. */
  readonly used: KeptMapping | undefined;
  /** Why the saved mappings could not be loaded. */
  readonly fault: ApiFault | undefined;
  readonly reload: () => void;
  /** Applies a mapping, or starts over. */
  readonly use: (mapping: KeptMapping | undefined) => void;
  /** Whether to save the choices when the list runs, and under which name. */
  readonly wanted: boolean;
  readonly setWanted: (wanted: boolean) => void;
  readonly name: string;
  readonly setName: (name: string) => void;
  /** Saves the choices if this is wanted. @throws {ApiFault} */
  readonly keep: () => Promise<void>;
}

const textOf = (choices: Choices): string => JSON.stringify(textsOf(choices));

/** `orders.csv` → `orders`. */
const withoutEnding = (filename: string): string => filename.replace(/(?:\.\w{1,4}){1,2}$/, '').slice(0, 100);

interface MemoryInput {
  readonly filename: string;
  /** From the last preview. */
  readonly headerKey: string | undefined;
  readonly options: ListOptions;
  readonly choose: (some: Partial<ListOptions>) => void;
}

export const useMemory = ({ filename, headerKey, options, choose }: MemoryInput): Memory => {
  const api = useApi();
  const [used, setUsed] = useState<KeptMapping>();
  const [wanted, setWanted] = useState(true);
  const [name, setName] = useState(() => withoutEnding(filename));
  /** Headers whose mapping was applied once, or was not wanted. */
  const settled = useRef(new Set<string>());
  const { data, reload, ...loaded } = useLoad(
    async (signal) =>
      headerKey === undefined
        ? undefined
        : { headerKey, ...(await api.call('GET /console/mappings', { query: { headerKey }, signal })) },
    [headerKey],
  );
  const use = (mapping: KeptMapping | undefined): void => {
    setUsed(mapping);
    setName(mapping?.name ?? withoutEnding(filename));
    const choices = choicesIn(mapping?.options ?? {});
    if (textOf(choices) !== textOf(options)) choose(choices);
  };
  const kept = data !== undefined && data.headerKey === headerKey ? data.mappings : [];
  useEffect(() => {
    const [last] = kept;
    if (headerKey === undefined || last === undefined || settled.current.has(headerKey)) return;
    settled.current.add(headerKey);
    // Choices that the user has made meanwhile are kept.
    if (!hasChoices(options)) use(last);
  }, [headerKey, data]);
  const keep = async (): Promise<void> => {
    if (!wanted || headerKey === undefined || !hasChoices(options)) return;
    if (used?.name === name && textOf(choicesIn(used.options)) === textOf(options)) return;
    try {
      const json = { name: name.trim() || withoutEnding(filename), headerKey, options: textsOf(options) };
      setUsed(await api.call('POST /console/mappings', { json }));
    } catch (error) {
      // The next try runs the list without saving the choices.
      setWanted(false);
      throw error;
    }
  };
  const fault = 'fault' in loaded ? loaded.fault : undefined;
  return { kept, used, fault, reload, use, wanted, setWanted, name, setName, keep };
};
