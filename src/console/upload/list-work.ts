/**
 * The list on the upload page, for the parts of the page, the calls that send its beginning for a preview or all of it, and the
 * choices that are remembered for such lists.
 */
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { must } from '../../base/must.ts';
import { beginsWith, GZIP, ZIP } from '../../files/file-signatures.ts';
import type { OnSent } from '../../http/client/content.ts';
import { type Api, useApi, useLoad } from '../api.ts';
import type { Batch, KeptMapping, Preview, Services, Warehouses } from '../calls.ts';
import { type Choices, choicesIn, hasChoices, type ListOptions, queryOf, textsOf, UPLOAD } from './list-options.ts';

interface ListWork {
  /** Undefined until the first preview. */
  readonly preview: Preview | undefined;
  /** The client's warehouses and the services in force, to choose from. */
  readonly warehouses: Warehouses['warehouses'];
  readonly services: Services['services'];
  readonly options: ListOptions;
  readonly choose: (some: Partial<ListOptions>) => void;
  /** The columns from an earlier list's saved choices. */
  readonly remembered: Choices['columns'];
}

export const ListContext = createContext<ListWork | undefined>(undefined);
export const useList = (): ListWork => must(useContext(ListContext), 'the list of the page');

/** For parts that are shown only with a preview. */
export const usePreviewed = () => {
  const list = useList();
  return { ...list, preview: must(list.preview, 'the preview of the list') };
};

const textOf = (choices: Choices): string => JSON.stringify(textsOf(choices));

/** `orders.csv` → `orders`. */
const withoutEnding = (filename: string): string => filename.replace(/(?:\.\w{1,4}){1,2}$/, '').slice(0, 100);

/**
 * Choices that the client saves under a name. They are offered again for lists with the same column names.
 * @param headerKey from the last preview
 */
export const useMemory = (
  filename: string,
  headerKey: string | undefined,
  { options, choose }: Pick<ListWork, 'options' | 'choose'>,
) => {
  const api = useApi();
  /** The mapping that the choices came from. */
  const [used, setUsed] = useState<KeptMapping>();
  /** Whether to save the choices when the list runs, and under which name. */
  const [wanted, setWanted] = useState(true);
  const [name, setName] = useState(() => withoutEnding(filename));
  /** Headers whose mapping was applied once, or was not wanted. */
  const settled = useRef(new Set<string>());
  const { data, ...loaded } = useLoad(
    async (signal) =>
      headerKey === undefined
        ? undefined
        : { headerKey, ...(await api.call('GET /console/mappings', { query: { headerKey }, signal })) },
    [headerKey],
  );
  /** Applies a mapping, or starts over. */
  const use = (mapping: KeptMapping | undefined): void => {
    setUsed(mapping);
    setName(mapping?.name ?? withoutEnding(filename));
    const choices = choicesIn(mapping?.options ?? {});
    if (textOf(choices) !== textOf(options)) choose(choices);
  };
  /** The mappings for this header. */
  const kept = data !== undefined && data.headerKey === headerKey ? data.mappings : [];
  useEffect(() => {
    const [last] = kept;
    if (headerKey === undefined || last === undefined || settled.current.has(headerKey)) return;
    settled.current.add(headerKey);
    // Choices that the user has made meanwhile are kept.
    if (!hasChoices(options)) use(last);
  }, [headerKey, data]);
  /** Saves the choices if this is wanted. @throws {ApiFault} */
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
  return { kept, used, loaded, use, wanted, setWanted, name, setName, keep };
};

export type Memory = ReturnType<typeof useMemory>;

const BYTES = 'application/octet-stream';
/** Enough for the thousand rows of a preview. */
const BEGINNING_BYTES = 1024 * 1024;
/** Packed lists, such as workbooks, cannot be read in part. */
const isPacked = async (file: Blob): Promise<boolean> => {
  const start = new Uint8Array(await file.slice(0, ZIP.length).arrayBuffer());
  return beginsWith(start, ZIP) || beginsWith(start, GZIP);
};

/** Previews a list: the first bytes of a CSV, or all of a packed list. @throws {ApiFault} */
export const previewFile = async (
  api: Api,
  file: File,
  listOptions: ListOptions,
  signal: AbortSignal,
): Promise<Preview> => {
  const { filename: _, ...query } = queryOf(file.name, listOptions);
  const whole = file.size <= BEGINNING_BYTES || (await isPacked(file));
  const answer: unknown = await api.call(UPLOAD, {
    query: { ...query, preview: 'report', bytes: whole ? undefined : String(file.size) },
    content: whole ? file : file.slice(0, BEGINNING_BYTES),
    type: BYTES,
    isHarmless: true,
    signal,
  });
  // The form of the answer depends on the parameters. No other call does this.
  return answer as Preview;
};

/**
 * Uploads the whole list.
 * @param key requests with the same key make one batch
 * @param onSent receives the bytes sent so far
 * @throws {ApiFault}
 */
export const uploadFile = (
  api: Api,
  file: File,
  listOptions: ListOptions,
  sending: { readonly key: string; readonly onSent: OnSent; readonly signal: AbortSignal },
): Promise<Batch> =>
  api.call(UPLOAD, { ...sending, content: file, query: queryOf(file.name, listOptions), type: BYTES });
