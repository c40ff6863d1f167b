/** Helpers to read the page at `/docs`. */

/** The text of a piece of HTML, as a browser shows and copies it. */
export const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** The code of every block in a piece of the page. */
export const codesOf = (html: string): string[] =>
  [...html.matchAll(/<code>((?:(?!<\/code>)[\s\S])*)<\/code><\/pre>/g)].map(([, code = '']) => textOf(code));

/** The section with an id, including nested sections. @throws {Error} if the page has none */
export const sectionOf = (page: string, id: string): string => {
  const begin = page.slice(0, page.indexOf(` id="${id}"`)).lastIndexOf('<section');
  if (begin < 0) throw new Error(`the page has no section ${id}`);
  let depth = 0;
  for (const { 0: tag, index } of page.slice(begin).matchAll(/<\/?section\b/g)) {
    depth += tag === '<section' ? 1 : -1;
    if (depth === 0) return page.slice(begin, begin + index);
  }
  throw new Error(`the section ${id} does not end`);
};
