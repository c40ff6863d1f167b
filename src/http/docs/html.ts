/** HTML as a separate type, so that text is escaped unless it is known to be HTML. Code blocks with colors. */
import { must } from '../../base/must.ts';

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for the inside of an element or of a double-quoted attribute. */
const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => must(ESCAPES[character], 'the escape of a character'));

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part.map(({ text }) => text).join('');
};

/** A template for HTML. It escapes all values except HTML and lists of HTML. */
export const html = (template: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(
    template
      .map((text, index) => (index === 0 ? text : `${textOf(must(parts[index - 1], 'a part of a template'))}${text}`))
      .join(''),
  );

export const NOTHING = new Html('');

/** A sentence of a description. Text between backticks is code. */
export const prose = (text: string): Html =>
  new Html(
    text
      .split('`')
      .map((piece, index) => (index % 2 === 0 ? escapeHtml(piece) : `<code>${escapeHtml(piece)}</code>`))
      .join(''),
  );

export type Language = 'sh' | 'ts' | 'py' | 'json';

/** The origin in the samples. The page's script replaces it with its own. */
const SAMPLE_ORIGIN = 'http://127.0.0.1:3000';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The words that are colored in each language. */
const WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  sh: words('curl cat cut sed grep tail'),
  ts: words('import from const let await async new if throw while interface as return'),
  py: words('import def return try with as except raise for in while not if else or and'),
  json: words('true false null'),
};

/** The parts that may be colored. Each pattern matches at one position only, so that the text is read once. */
const PARTS: readonly (readonly [kind: string, pattern: RegExp, languages: readonly Language[]])[] = [
  ['comment', /#.*/y, ['sh', 'py']],
  ['comment', /\/[/*].*/y, ['ts']],
  ['string', /"""[^"]*"""/y, ['py']],
  ['string', /"(?:[^"\\]|\\.)*"/y, ['sh', 'ts', 'py', 'json']],
  ['string', /'[^']*'/y, ['sh', 'ts', 'py']],
  ['string', /`[^`]*`/y, ['ts']],
  ['word', /\w+/y, ['sh', 'ts', 'py', 'json']],
];

/** The part at a position, with its kind. The kind is empty for a part without a color. */
const partAt = (code: string, at: number, language: Language): readonly [text: string, kind: string] => {
  for (const [kind, pattern, languages] of PARTS) {
    if (!languages.includes(language)) continue;
    pattern.lastIndex = at;
    const text = pattern.exec(code)?.[0];
    if (text === undefined) continue;
    const isPlain = kind === 'word' && !WORDS[language].has(text);
    const isKey = language === 'json' && code[at + text.length] === ':';
    return [text, isPlain || isKey ? '' : kind];
  }
  return [code.charAt(at), ''];
};

const colored = (code: string, language: Language): string => {
  let text = '';
  for (let at = 0; at < code.length; ) {
    const [part, kind] = partAt(code, at, language);
    text += kind === '' ? escapeHtml(part) : `<span class="${kind}">${escapeHtml(part)}</span>`;
    at += part.length;
  }
  return text;
};

/** @param label describes the code to people who cannot see where it is on the page */
export const codeBlock = (code: string, language: Language, label: string): Html => {
  const text = colored(code, language).replaceAll(SAMPLE_ORIGIN, `<span class="origin">${SAMPLE_ORIGIN}</span>`);
  return html`<figure class="code"><button type="button" class="copy" aria-label="Copy: ${label}" hidden>Copy</button><pre tabindex="0" role="group" aria-label="${label}"><code>${new Html(text)}</code></pre></figure>`;
};

/** A value as readable JSON. Short objects and lists stay on one line. */
export const prettyJson = (value: unknown, indent = ''): string => {
  const line = JSON.stringify(value, undefined, 1)?.replace(/\n\s*/g, ' ') ?? 'null';
  if (typeof value !== 'object' || value === null || indent.length + line.length <= 58) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((entry) => prettyJson(entry, inner))
    : Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${prettyJson(entry, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
};
