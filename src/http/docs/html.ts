/** HTML as a separate type, so that text is escaped unless it is known to be HTML. */
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
export const escapeHtml = (text: string): string =>
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
