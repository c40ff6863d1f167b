/** Writes folders of agreements. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Files by path: text, or lines of a CSV. */
export type AgreementFiles = Readonly<Record<string, string | readonly string[]>>;

export const makeAgreement = async (dir: string, files: AgreementFiles): Promise<void> => {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), typeof content === 'string' ? content : `${content.join('\n')}\n`);
  }
};
