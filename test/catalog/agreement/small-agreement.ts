/** Agreements that tests make of the texts of their files. */
import {
  type AgreementDocument,
  type AgreementFileInput,
  type AgreementTables,
  type Amendment,
  agreementFile,
  NO_TABLES,
} from '../../../src/catalog/agreement/document.ts';
import { FORMS, LINE_TABLES, type LineTables } from '../../../src/catalog/agreement/tables.ts';

export type Texts = Readonly<Partial<Record<keyof LineTables, string>>>;

/** The tables of these texts. Fails if one of them cannot be read. */
export const tablesOf = (texts: Texts): Partial<AgreementTables> => {
  let tables: Partial<AgreementTables> = {};
  for (const table of LINE_TABLES) {
    const text = texts[table];
    if (text === undefined) continue;
    const read = FORMS[table].read(`${table}.csv`, text);
    if ('findings' in read) throw new Error(JSON.stringify(read.findings));
    tables = { ...tables, [table]: read.lines };
  }
  return tables;
};

interface Parts {
  readonly file?: Partial<AgreementFileInput>;
  readonly tables?: Partial<AgreementTables>;
  readonly amendments?: readonly Amendment[];
}

/** An agreement with the carrier of the small tariff, from 2026-01-05. */
export const smallAgreement = (texts: Texts = {}, { file = {}, tables = {}, amendments = [] }: Parts = {}) => {
  const document: AgreementDocument = {
    file: agreementFile.parse({ name: 'acme', carrier: 'Small', effective: '2026-01-05', ...file }),
    tables: { ...NO_TABLES, ...tablesOf(texts), ...tables },
    amendments,
  };
  return document;
};

/** The text of a table's file. */
export const textOf = <K extends keyof LineTables>(table: K, lines: LineTables[K]): string => FORMS[table].write(lines);
