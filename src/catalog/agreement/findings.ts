/** Helpers for the checks of agreements. */
import type { Finding } from '../tariff/document.ts';
import type { AgreementTables } from './document.ts';
import type { Version } from './versions.ts';

/** The file of a table, such as `amendments/2026-07-01/discounts.csv`. `rates` and `caps` have one per service. */
export type FileOf = (table: keyof AgreementTables, service?: string) => string;

export const fileOfIn =
  ({ folderOf }: Version): FileOf =>
  (table, service) =>
    service === undefined ? `${folderOf(table)}${table}.csv` : `${folderOf(table, service)}${table}/${service}.csv`;

/** Removes duplicate findings, which occur because versions of an agreement share files. */
export const once = (findings: readonly Finding[]): Finding[] => {
  const known = new Map(findings.map((finding) => [`${finding.severity} ${finding.at}: ${finding.message}`, finding]));
  return [...known.values()];
};
