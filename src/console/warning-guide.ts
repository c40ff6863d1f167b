/** What a quote's warnings are called on the pages. A type that is new to them goes by its own name. */
const TITLES: ReadonlyMap<string, string> = new Map([['zone.estimated', 'Estimated zone']]);

export const warningTitle = (type: string): string => TITLES.get(type) ?? type;
