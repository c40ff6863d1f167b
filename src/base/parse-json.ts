/** Parses JSON, or describes what is wrong with the text, with its line. The parser names a position, or nothing. */

const parsed = (text: string): { readonly json: unknown } | SyntaxError => {
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
};

/** @returns the value, or undefined if the text is not JSON */
export const jsonIn = (text: string): unknown => {
  const read = parsed(text);
  return read instanceof SyntaxError ? undefined : read.json;
};

const TOKEN = /^Unexpected token '[\s\S]+?', /;

/** Returns the length of the shortest prefix with the unexpected token. All longer prefixes have it too. */
const lengthToToken = (text: string): number => {
  let [without, having] = [0, text.length];
  while (having - without > 1) {
    const middle = (without + having) >> 1;
    const read = parsed(text.slice(0, middle));
    if (read instanceof SyntaxError && TOKEN.test(read.message)) having = middle;
    else without = middle;
  }
  return having;
};

const problemOf = (text: string, { message }: SyntaxError): string => {
  const [, stated] = / at position (\d{1,15})/.exec(message) ?? [];
  const at = stated !== undefined ? Number(stated) : TOKEN.test(message) ? lengthToToken(text) - 1 : text.length;
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const reason = message.replace(/ in JSON at position .*/s, '').replace(/^(Unexpected token '[\s\S]+?'), .*/s, '$1');
  return `is not JSON: line ${line}, column ${at - before.lastIndexOf('\n')}: ${reason}`;
};

/**
 * Reads JSON. Some programs begin it with a byte-order mark.
 * @returns the value, or a problem such as `is not JSON: line 3, column 7: Expected ',' or '}' after property value`
 */
export const parseJson = (text: string): { readonly json: unknown } | { readonly problem: string } => {
  const own = text.replace(/^\uFEFF/, '');
  const read = parsed(own);
  return read instanceof SyntaxError ? { problem: problemOf(own, read) } : read;
};
