/** Makes the files of the page at `/docs` during the build. They depend on nothing that changes while the service runs. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openApiDocument } from '../openapi/document.ts';
import { docsPage } from './page.ts';
import { readPrograms } from './quick-start.ts';

const ASSETS = join(import.meta.dirname, 'assets');

/** Style sheets that the page shares with the console. */
const SHARED = ['tokens', 'base', 'segments'].map((name) =>
  join(import.meta.dirname, '..', '..', 'console', 'ui', `${name}.css`),
);
const STYLE = join(ASSETS, 'docs.css');
/** The typeface of the console. */
const FONT = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));

/** @returns the name and content of each file, with the page both plain and compressed. @param icon the file of the icon */
export const docsFiles = async (icon: string): Promise<(readonly [string, Uint8Array | string])[]> => {
  const page = docsPage(await readPrograms());
  const copied = [...(await readdir(ASSETS)).map((name) => join(ASSETS, name)), icon, FONT].filter(
    (file) => file !== STYLE,
  );
  const style = await Promise.all([...SHARED, STYLE].map((file) => readFile(file, 'utf8')));
  return [
    ['index.html', page],
    ['index.html.gz', gzipSync(page)],
    ['docs.css', style.join('\n')],
    ['openapi.json', JSON.stringify(openApiDocument())],
    ...(await Promise.all(copied.map(async (file) => [basename(file), await readFile(file)] as const))),
  ];
};
