import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const PAGE = join(import.meta.dirname, '../../../docs/clients-and-library.md');

/** The examples of the page of clients and the library that import `name`, and what they print. */
export const examplesOf = async (
  name: string,
): Promise<readonly { readonly code: string; readonly output: string }[]> =>
  [...(await readFile(PAGE, 'utf8')).matchAll(/```js\n([\s\S]*?)```\n\n```\n([\s\S]*?)```/g)]
    .map(([, code = '', output = '']) => ({ code, output }))
    .filter(({ code }) => code.includes(` from '${name}';`));
