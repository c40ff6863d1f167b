/**
 * The quick start: five steps in three languages. The programs are the files in `samples/quick-start`. Each file is complete,
 * so that a test can run what the page shows. A numbered comment begins each step.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../base/config/settings.ts';
import { must } from '../../base/must.ts';
import { codeBlock, Html, html, type Language, prose } from './html.ts';

interface Program {
  readonly id: string;
  readonly name: string;
  readonly language: Language;
  readonly file: string;
  /** The program that runs it. */
  readonly needs: string;
}

/** A program with its five steps. */
export interface QuickStartProgram extends Program {
  readonly steps: readonly string[];
}

const PROGRAMS: readonly Program[] = [
  {
    id: 'curl',
    name: 'curl',
    language: 'sh',
    file: 'quick-start.sh',
    needs: 'Paste the steps into one shell, in their order.',
  },
  {
    id: 'typescript',
    name: 'TypeScript',
    language: 'ts',
    file: 'quick-start.mts',
    needs:
      'Node 22.18 or later runs it without a package: `node quick-start.mts`. `npx openapi-typescript` makes types of every call from `/openapi.json`.',
  },
  {
    id: 'python',
    name: 'Python',
    language: 'py',
    file: 'quick-start.py',
    needs: 'Python 3.8 or later runs it with only its standard library: `python3 quick-start.py`.',
  },
];

interface Step {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The operation that the step calls, or another section that describes it. */
  readonly more: { readonly id: string; readonly name: string };
}

export const STEPS: readonly Step[] = [
  {
    id: 'start-token',
    title: 'Get a token',
    text: 'Your client id and secret give you a token, which is valid for an hour. The sample client `demo` is for trials on your own machine. Otherwise put your own id and secret in its place.',
    more: { id: 'generateToken', name: 'Get an access token' },
  },
  {
    id: 'start-quote',
    title: 'Ask for a quote',
    text: 'The request names no service, so the answer is the cheapest quote. Its member `quotes` has all of them.',
    more: { id: 'getShippingRates', name: 'Get shipping rates' },
  },
  {
    id: 'start-upload',
    title: 'Upload a list',
    text: 'One row is one shipment. The answer is a batch, with links to everything that you can do with it. Send the header `Idempotency-Key` if you may send the same list twice.',
    more: { id: 'createBatch', name: 'Upload a list of shipments' },
  },
  {
    id: 'start-wait',
    title: 'Wait until it has ended',
    text: 'You can watch each change, or ask from time to time. A webhook tells your server without either.',
    more: { id: 'watchBatch', name: 'Watch a batch' },
  },
  {
    id: 'start-download',
    title: 'Download the result',
    text: 'Each row comes back in your order, with a price or with a fault. Here the third ZIP code has only four digits. The other rows have their prices all the same, and you can send only the corrected row.',
    more: { id: 'correctBatch', name: 'Upload the corrected rows' },
  },
];

/** The comment that begins a step. */
const MARK = /^(?:#|\/\/) \d\. (.+)$/gm;

/** The steps of a program. Their titles must match the page. */
const stepsOf = (text: string, file: string): readonly string[] => {
  const marks = [...text.matchAll(MARK)];
  const titles = marks.map(([, title]) => title).join();
  if (titles !== STEPS.map(({ title }) => title).join()) throw new Error(`The steps of ${file} are: ${titles}`);
  return marks.map(({ 0: mark, index }, at) => text.slice(index + mark.length, marks[at + 1]?.index).trim());
};

const languageChoice = (): Html => html`<div class="choice"><fieldset class="languages">
<legend>Language</legend>
<div class="segments">${PROGRAMS.map(
  ({ id, name }, index) =>
    html`<label><input type="radio" name="language" id="language-${id}" value="${id}"${new Html(index === 0 ? ' checked' : '')}><span class="segment">${name}</span></label>`,
)}</div>
</fieldset>
<button type="button" class="copy-all" hidden>Copy all five steps</button></div>
`;

/** Reads the programs. @throws {Error} if a program is missing, or if its steps do not match the page */
export const readPrograms = (): Promise<QuickStartProgram[]> =>
  Promise.all(
    PROGRAMS.map(async (program) => {
      const text = await readFile(join(ROOT, 'samples', 'quick-start', program.file), 'utf8');
      return { ...program, steps: stepsOf(text, program.file) };
    }),
  );

export const quickStart = (programs: readonly QuickStartProgram[]): Html => {
  const sections = STEPS.map(
    ({ id, title, text, more }, index) => html`<section class="pair" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h3 id="${id}-title">${index + 1}. ${title}</h3>
<p>${prose(text)}</p>
<p>Reference: <a href="#${more.id}">${more.name}</a></p>
</div>
<div class="samples">${programs.map(
      ({ id: language, name, language: colors, steps }) =>
        html`<div data-language="${language}">${codeBlock(must(steps[index], 'a step'), colors, `${title}, ${name}`)}</div>`,
    )}</div>
</section>
`,
  );
  return html`<section id="quick-start" aria-labelledby="quick-start-title">
<h2 id="quick-start-title">Quick start</h2>
<p>Five steps from nothing to a priced list. Each one goes on where the one before it ends. Lines with an arrow (→) show what is printed.</p>
${languageChoice()}
${programs.map(({ id, needs }) => html`<p data-language="${id}">${prose(needs)}</p>`)}
${sections}
</section>
`;
};
