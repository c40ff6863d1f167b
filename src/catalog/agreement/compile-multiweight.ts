/** Compiles an agreement's own multiweight prices. */
import { must } from '../../base/must.ts';
import type { OwnMultiweight } from '../../rating/card.ts';
import { cellCents } from '../tariff/document.ts';
import type { Subject } from './subject.ts';

/** The columns that the agreement's multiweight table of a service prices. Empty without a table. */
export const ownColumnsOf = ({ card, version }: Pick<Subject, 'card' | 'version'>): readonly string[] =>
  version.tables.multiweight?.[card.code]?.columns ?? [];

/** @returns undefined if the agreement has no multiweight table for the card's service */
export const ownMultiweightOf = ({
  card,
  version,
  prefix,
}: Pick<Subject, 'card' | 'version' | 'prefix'>): OwnMultiweight | undefined => {
  const { code, columns } = card;
  const table = version.tables.multiweight?.[code];
  if (table === undefined) return undefined;
  const places = columns.map((name) => table.columns.indexOf(name));
  return {
    ...must(version.file.services[code]?.multiweight, `services.${code}.multiweight`),
    perLb: table.perHundred === true ? 100 : 1,
    breaks: table.breaks.map(({ fromLb, centsPerLb }) => ({
      fromLb,
      cents: places.map((at) => (at === -1 ? 0 : (cellCents(centsPerLb, at) ?? 0))),
    })),
    columns: new Set(places.flatMap((at, column) => (at === -1 ? [] : [column]))),
    source: `${prefix}${version.folderOf('multiweight', code)}multiweight/${code}.csv`,
  };
};
