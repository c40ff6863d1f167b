/** An agreement on a day: its files with the amendments so far, and the tier in force. */
import { shifted } from '../tariff/days.ts';
import { rememberedId, versionId } from '../tariff/identity.ts';
import { type AgreementDocument, type AgreementFile, type AgreementTables, CODE_TABLES } from './document.ts';
import { type Tier, tierSteps, tiersOn } from './tiers.ts';

/* The id of an agreement's version: its name, its date and a hash of everything that it says. */

/** The id includes the row numbers of lines because explanations name them. */
export const agreementId = rememberedId((document: AgreementDocument) => versionId(document.file, document));

/** The folder of an amendment's files. */
export const folderFrom = (day: string): string => `amendments/${day}/`;

export interface Version {
  readonly file: AgreementFile;
  readonly tables: AgreementTables;
  /** The folder of a table's file, such as `amendments/2026-07-01/`. `CODE_TABLES` have one per service. */
  readonly folderOf: (table: keyof AgreementTables, service?: string) => string;
}

/** Returns the files on a day, even if the agreement is not in force then. */
export const filesOn = (document: AgreementDocument, day: string): Version => {
  let { file, tables } = document;
  const folders = new Map<string, string>();
  for (const { from, file: amended, ...replaced } of document.amendments) {
    if (from > day) break;
    const folder = folderFrom(from);
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

/** The last ship date of an agreement with its amendments. Undefined without an end. */
export const lastDayOf = (document: AgreementDocument): string | undefined =>
  document.amendments.findLast(({ file }) => file !== undefined)?.file?.until ??
  (document.amendments.some(({ file }) => file !== undefined) ? undefined : document.file.until);

/** The tiers on a day, with lines without a program first. Empty if the agreement has no tiers. */
export const tiersOfDay = (document: AgreementDocument, day: string): readonly Tier[] =>
  tiersOn(filesOn(document, day), document.file.effective, day);

/** The tier of a program, or of lines without a program, on a day. Undefined if it has no tiers. */
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
    // Days when the price of an index changes or its week ends.
    for (const { from: week } of version.tables.fuel_prices ?? []) days.add(week).add(shifted(week, 7));
    for (const day of tierSteps(version, document.file.effective)) days.add(day);
  }
  return [...days].sort();
};
