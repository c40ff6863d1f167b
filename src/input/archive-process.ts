/** The process in which the list in an archive is read. */
import { confined } from '../sandbox/child.ts';
import { archiveList } from './archive-to-csv.ts';

await confined(archiveList);
