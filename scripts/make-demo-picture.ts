/**
 * Draws samples/demo.svg, the picture that the README links. Runs the demo and draws its output like a terminal.
 * Needs a build: `npm run build && npx tsx scripts/make-demo-picture.ts`.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..');
const COLUMNS = 118;
const LINE = 17;
const CHARACTER = 7.8;
const MARGIN = 18;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', '\u00a0');

const { stdout, stderr } = await promisify(execFile)(
  process.execPath,
  [join(ROOT, 'dist/bundle/cli/main.js'), 'demo'],
  {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1' },
  },
);
const printed = (stdout.trim() === '' ? stderr : stdout).trimEnd().split('\n');
const lines = ['$ npm run demo', '', ...printed].map((line) => line.slice(0, COLUMNS));
const width = Math.round(COLUMNS * CHARACTER + 2 * MARGIN);
const height = lines.length * LINE + 2 * MARGIN;
const text = lines
  .map((line, index) => `<text x="${MARGIN}" y="${MARGIN + (index + 0.75) * LINE}">${escaped(line)}</text>`)
  .join('\n');
await writeFile(
  join(ROOT, 'samples/demo.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>The demo in a terminal</title>
<rect width="100%" height="100%" rx="8" fill="#14181f"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13" fill="#d7dde5">
${text}
</g>
</svg>
`,
);
