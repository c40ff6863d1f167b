/** Blocks of code with colors and a button that copies them. The copied text is exactly the code. */
import { must } from '../../must.ts';
import { escapeHtml, Html, html } from './html.ts';

export type Language = 'sh' | 'ts' | 'py' | 'json';

/** The address in the samples. The page's script puts its own in place of it. */
const SAMPLE_ORIGIN = 'http://127.0.0.1:3000';

/** What is colored in a language: the pattern, and the kind of each of its groups. */
interface Colors {
  readonly pattern: RegExp;
  readonly kinds: readonly ('comment' | 'key' | 'string' | 'word')[];
}

const PROGRAM = ['comment', 'string', 'word'] as const;

const COLORS: Readonly<Record<Language, Colors>> = {
  sh: {
    pattern: /(^#.*$)|("(?:[^"\\\n]|\\.)*"|'[^']*')|(\b(?:curl|cat|cut|sed|grep|tail)\b)/gm,
    kinds: PROGRAM,
  },
  ts: {
    pattern:
      /(^ *\/\/.*$|\/\*\*.*\*\/$)|('(?:[^'\\\n]|\\.)*'|`[^`]*`)|(\b(?:import|from|const|let|await|async|new|if|throw|while|interface|as|return)\b)/gm,
    kinds: PROGRAM,
  },
  py: {
    pattern:
      /(^ *#.*$)|("{3}[^"]*"{3}|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|(\b(?:import|def|return|try|with|as|except|raise|for|in|while|not|if|else|or|and)\b)/gm,
    kinds: PROGRAM,
  },
  json: {
    pattern: /("(?:[^"\\\n]|\\.)*"(?=:))|("(?:[^"\\\n]|\\.)*")|(\b(?:true|false|null)\b|\b\d[\d.]*\b)/gm,
    kinds: ['key', 'string', 'word'],
  },
};

const colored = (code: string, language: Language): string => {
  const { pattern, kinds } = COLORS[language];
  let at = 0;
  let text = '';
  for (const match of code.matchAll(pattern)) {
    const kind = must(kinds[match.slice(1).findIndex((group) => group !== undefined)], 'the kind of a group');
    text += `${escapeHtml(code.slice(at, match.index))}<span class="${kind}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return text + escapeHtml(code.slice(at));
};

/** @param label what the code is, for people who cannot see where it stands */
export const codeBlock = (code: string, language: Language, label: string): Html => {
  const text = colored(code, language).replaceAll(SAMPLE_ORIGIN, `<span class="origin">${SAMPLE_ORIGIN}</span>`);
  return html`<figure class="code"><button type="button" class="copy" aria-label="Copy: ${label}" hidden>Copy</button><pre tabindex="0" role="group" aria-label="${label}"><code>${new Html(text)}</code></pre></figure>`;
};

/** A value as people read JSON: short objects and lists stay in one line. */
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
