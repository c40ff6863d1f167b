/** The process in which the list in an archive is read. */
import { confined } from '../confined/program.ts';
import { archiveList } from './archive-list.ts';

await confined(archiveList);
