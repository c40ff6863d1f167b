/** Describes what is wrong with a text that is not JSON, with its line. The parser names a position, or nothing. */

const parseError = (text: string): SyntaxError | undefined => {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error;
    throw error;
  }
};

const TOKEN = /^Unexpected token '[\s\S]+?', /;

/** Returns the length of the shortest prefix with the unexpected token. All longer prefixes have it too. */
const lengthToToken = (text: string): number => {
  let [without, having] = [0, text.length];
  while (having - without > 1) {
    const middle = (without + having) >> 1;
    if (TOKEN.test(parseError(text.slice(0, middle))?.message ?? '')) having = middle;
    else without = middle;
  }
  return having;
};

/** @returns text such as `is not JSON: line 3, column 7: Expected ',' or '}' after property value` */
export const jsonProblem = (text: string, { message }: SyntaxError): string => {
  const [, stated] = / at position (\d{1,15})/.exec(message) ?? [];
  const at = stated !== undefined ? Number(stated) : TOKEN.test(message) ? lengthToToken(text) - 1 : text.length;
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const reason = message.replace(/ in JSON at position .*/s, '').replace(/^(Unexpected token '[\s\S]+?'), .*/s, '$1');
  return `is not JSON: line ${line}, column ${at - before.lastIndexOf('\n')}: ${reason}`;
};
