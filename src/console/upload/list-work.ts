/** The list on the upload page, for the parts of the page. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { must } from '../../base/must.ts';
import type { Preview, Services, Warehouses } from '../calls.ts';
import type { Choices, ListOptions } from './list-options.ts';

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
