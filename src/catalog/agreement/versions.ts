/** What an agreement says on a day: its files as amended so far, and the tier in force. */
import { shifted } from '../tariff/days.ts';
import { rememberedId, versionId } from '../tariff/identity.ts';
import { type AgreementDocument, type AgreementFile, type AgreementTables, CODE_TABLES } from './document.ts';
import { type Tier, tierSteps, tiersOn } from './tiers.ts';

/* The id of an agreement's version: its name, its date and a hash of everything that it says. */

/** The rows that lines stand in count, because explanations name them. */
export const agreementId = rememberedId((document: AgreementDocument) => versionId(document.file, document));

type TableName = keyof AgreementTables;

/** The files in force on a day. */
export interface Version {
  readonly file: AgreementFile;
  readonly tables: AgreementTables;
  /** The folder of a table's file, such as `amendments/2026-07-01/`; for `CODE_TABLES` of each service. */
  readonly folderOf: (table: TableName, service?: string) => string;
}

/** The files on a day, whether the agreement is in force then or not. */
export const filesOn = (document: AgreementDocument, day: string): Version => {
  let { file, tables } = document;
  const folders = new Map<string, string>();
  for (const { from, file: amended, ...replaced } of document.amendments) {
    if (from > day) break;
    const folder = `amendments/${from}/`;
    if (amended !== undefined) file = amended;
    for (const name of Object.keys(replaced)) folders.set(name, folder);
    const before = tables;
    tables = { ...before, ...replaced };
    for (const kind of CODE_TABLES) {
      if (replaced[kind] === undefined) continue;
      tables = { ...tables, [kind]: { ...before[kind], ...replaced[kind] } };
      for (const code of Object.keys(replaced[kind])) folders.set(`${kind}/${code}`, folder);
    }
  }
  return {
    file,
    tables,
    folderOf: (table, service) => folders.get(service === undefined ? table : `${table}/${service}`) ?? '',
  };
};

/** The last ship date of an agreement, as amended; undefined without an end. */
export const lastDayOf = (document: AgreementDocument): string | undefined =>
  document.amendments.findLast(({ file }) => file !== undefined)?.file?.until ??
  (document.amendments.some(({ file }) => file !== undefined) ? undefined : document.file.until);

/** The tiers on a day, of lines without a program first; none if the agreement has no tiers. */
export const tiersOfDay = (document: AgreementDocument, day: string): readonly Tier[] =>
  tiersOn(filesOn(document, day), document.file.effective, day);

/** The tier of a program on a day, or that of lines without one; undefined if these have no tiers. */
export const tierOfDay = (document: AgreementDocument, day: string, program?: string): Tier | undefined =>
  tiersOfDay(document, day).find((tier) => tier.program === program);

/** The days on which an agreement changes, in ascending order: its start, amendments, fuel rates, tiers, and the day after its end. */
export const changeDaysOf = (document: AgreementDocument): readonly string[] => {
  const days = new Set([document.file.effective]);
  const last = lastDayOf(document);
  if (last !== undefined) days.add(shifted(last, 1));
  for (const from of [document.file.effective, ...document.amendments.map((amendment) => amendment.from)]) {
    days.add(from);
    const version = filesOn(document, from);
    for (const line of version.tables.fuel) {
      days.add(line.from);
      if (line.until !== undefined) days.add(shifted(line.until, 1));
    }
    // The price of an index changes, or its week is over.
    for (const { from: week } of version.tables.fuel_prices ?? []) days.add(week).add(shifted(week, 7));
    for (const day of tierSteps(version, document.file.effective)) days.add(day);
  }
  return [...days].sort();
};
