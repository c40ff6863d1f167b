/** FedEx's services within the United States as its list rates head their columns, and our codes for them. */

export interface Service {
  readonly code: string;
  readonly description: string;
}

const SERVICES: readonly Service[] = [
  { code: 'FDX-GROUND', description: 'FedEx Ground' },
  { code: 'FDX-HOME', description: 'FedEx Home Delivery' },
  { code: 'FDX-SAVER', description: 'FedEx Express Saver' },
  { code: 'FDX-2DAY', description: 'FedEx 2Day' },
  { code: 'FDX-2DAYAM', description: 'FedEx 2Day A.M.' },
  { code: 'FDX-STDOVN', description: 'FedEx Standard Overnight' },
  { code: 'FDX-PRIOVN', description: 'FedEx Priority Overnight' },
  { code: 'FDX-1STOVN', description: 'FedEx First Overnight' },
];

/** Service specification, Billing weight rule: 139 for ground and express alike. The list rates do not state it. */
export const DIMENSIONAL_FACTOR = 139;

const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const byName = new Map(SERVICES.map((service) => [bare(service.description), service]));
const byCode = new Map(SERVICES.map((service) => [service.code, service]));

/** The service of a column head such as `FedEx 2Day® A.M.`, without regard to signs, case and spaces. */
export const serviceNamed = (name: string): Service | undefined => byName.get(bare(name));

export const serviceOf = (code: string): Service => byCode.get(code) ?? { code, description: code };

/** Ground services before express ones, slow before fast: the order in which a tariff lists them. */
export const inOrder = (a: string, b: string): number =>
  SERVICES.findIndex(({ code }) => code === a) - SERVICES.findIndex(({ code }) => code === b);

/** `9 and 10`, `13-16`, `2, 3` as single zones; undefined where the text is none. */
export const zonesIn = (text: string): string[] | undefined => {
  const parts = text.split(/,|and|&/).map((part) => part.trim());
  const zones: string[] = [];
  for (const part of parts) {
    const [, first, last = first] = /^(\d{1,2})(?:\s*-\s*(\d{1,2}))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first)) return undefined;
    for (let zone = Number(first); zone <= Number(last); zone += 1) zones.push(String(zone));
  }
  return zones.length === 0 ? undefined : zones;
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Such as `: January 5, 2026`. */
const DATE = /^:? {1,9}([a-z]{3})[a-z.]{0,9} {1,9}(\d{1,2}), {0,9}(\d{4})/;

/** The date after a word such as `Effective`, as `YYYY-MM-DD`. */
export const dateAfter = (word: string, text: string): string | undefined => {
  const [, ...behind] = text.toLowerCase().split(word.toLowerCase());
  const found = behind.map((rest) => DATE.exec(rest)).find((match) => match !== null);
  const [, month = '', day = '', year = ''] = found ?? [];
  const number = MONTHS.indexOf(month) + 1;
  return number === 0 ? undefined : `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}`;
};
