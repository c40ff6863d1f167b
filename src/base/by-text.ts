/** Compares texts by their UTF-16 code units, as `<` does, whatever the language of the machine. */
export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
