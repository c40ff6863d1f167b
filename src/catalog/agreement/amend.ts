/** Writes the changes of an agreement from a day on as an amendment, so that earlier days keep their prices. */
import { isDeepStrictEqual } from 'node:util';
import {
  type AgreementDocument,
  type AgreementFile,
  type AgreementTables,
  type Amendment,
  CODE_TABLES,
} from './document.ts';
import { LINE_TABLES } from './tables.ts';
import { filesOn } from './versions.ts';

/** The members that an amendment cannot change. */
const ofSame = (file: AgreementFile, { file: { name, carrier, effective } }: AgreementDocument): AgreementFile => ({
  ...file,
  ...{ name, carrier, effective },
});

const changedRates = (old: AgreementTables, now: AgreementTables): Partial<AgreementTables> => {
  let changed: Partial<AgreementTables> = {};
  for (const kind of CODE_TABLES) {
    const tables = Object.entries(now[kind] ?? {}).filter(([code, own]) => !isDeepStrictEqual(old[kind]?.[code], own));
    if (tables.length > 0) changed = { ...changed, [kind]: Object.fromEntries(tables) };
  }
  return changed;
};

/** Returns the files in force just before a day's amendment. */
const until = (document: AgreementDocument, from: string) =>
  filesOn({ ...document, amendments: document.amendments.filter((one) => one.from < from) }, from);

/** Returns the file names of removed tables. An amendment can replace a rate table but cannot remove it. */
export const removedRates = (before: AgreementDocument, after: AgreementDocument, from: string): readonly string[] => {
  const [old, now] = [until(before, from).tables, filesOn(after, from).tables];
  return CODE_TABLES.flatMap((kind) =>
    Object.keys(old[kind] ?? {})
      .filter((code) => !Object.hasOwn(now[kind] ?? {}, code))
      .map((code) => `${kind}/${code}.csv`),
  );
};

/**
 * Returns `before` until a day and `after` from that day on, with the later amendments of `after`.
 * @param from after the effective date of `before`
 */
export const amendedFrom = (before: AgreementDocument, after: AgreementDocument, from: string): AgreementDocument => {
  const [old, now] = [until(before, from), filesOn(after, from)];
  const file = ofSame(now.file, before);
  const lines = LINE_TABLES.filter((table) => !isDeepStrictEqual(old.tables[table], now.tables[table]));
  const amendment: Amendment = {
    from,
    ...(isDeepStrictEqual(old.file, file) ? {} : { file }),
    ...Object.fromEntries(lines.map((table) => [table, now.tables[table] ?? []])),
    ...changedRates(old.tables, now.tables),
  };
  return {
    file: before.file,
    tables: before.tables,
    amendments: [
      ...before.amendments.filter((one) => one.from < from),
      ...(Object.keys(amendment).length > 1 ? [amendment] : []),
      ...after.amendments
        .filter((one) => one.from > from)
        .map((one) => (one.file === undefined ? one : { ...one, file: ofSame(one.file, before) })),
    ],
  };
};
