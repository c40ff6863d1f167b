/** The entry point of the process that reads the list in an archive. */
import { confined } from '../sandbox/child.ts';
import { archiveList } from './archive-to-csv.ts';

await confined(archiveList);
