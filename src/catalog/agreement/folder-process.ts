/** The sandboxed process that reads an agreement's folder for `read-apart.ts`. */
import { confined } from '../../files/sandbox/child.ts';
import { readAgreementFolder } from './folder.ts';
import type { FolderTask } from './read-apart.ts';

await confined<FolderTask>(async function* ({ dir }) {
  yield Buffer.from(JSON.stringify(await readAgreementFolder(dir)));
});
