/**
 * Checks that the parts of an agreement fit together, which `compile.ts` relies on. `folder.ts` checks the format of each
 * file while reading. `check-against.ts` checks an agreement against the tariffs.
 */
import { checkRateTable } from '../../tariff/check/check.ts';
import type { Finding } from '../../tariff/document.ts';
import { collected, error, warning } from '../../tariff/findings.ts';
import type { AgreementDocument, AgreementFile, Amendment } from '../document.ts';
import { AGREEMENT_FILE } from '../document.ts';
import { fileOfIn, once } from '../findings.ts';
import { filesOn, lastDayOf, type Version } from '../versions.ts';
import { checkLines } from './check-lines.ts';
import { checkMultiweight } from './check-multiweight.ts';
import { checkFuel, checkFuelIndex } from './check-periods.ts';
import { checkEarned } from './check-tiers.ts';

const checkRateFiles = ({ file, tables, folderOf }: Version, json: string): Finding[] => {
  const capped = Object.keys(file.services).filter((code) => file.services[code]?.rateCapPercent !== undefined);
  const tablesOf = (kind: 'rates' | 'caps'): Finding[] =>
    Object.entries(tables[kind]).flatMap(([code, table]) => {
      const name = `${folderOf(kind, code)}${kind}/${code}.csv`;
      const hasOunces = kind === 'caps' && table.ounces !== undefined;
      return collected(
        checkRateTable(name, table),
        hasOunces && error(name, 'has rows of ounces, but caps begin at 1 lb: remove these rows'),
      );
    });
  return [
    ...tablesOf('rates'),
    ...tablesOf('caps'),
    ...capped
      .filter((code) => !Object.hasOwn(tables.caps, code))
      .map((code) => {
        const message = `has no rates to apply to: add last year's net rates as caps/${code}.csv, or remove this member`;
        return error(`${json} services.${code}.rateCapPercent`, message);
      }),
    ...Object.keys(tables.caps)
      .filter((code) => !capped.includes(code))
      .map((code) => {
        const member = `services.${code}.rateCapPercent in ${AGREEMENT_FILE}`;
        const message = `has no effect: write ${member}, or remove this file`;
        return error(`${folderOf('caps', code)}caps/${code}.csv`, message);
      }),
  ];
};

/** The path of the agreement.json in force on a day. */
const jsonOn = ({ amendments }: AgreementDocument, day: string): string => {
  const amended = amendments.findLast(({ from, file }) => from <= day && file !== undefined);
  return amended === undefined ? AGREEMENT_FILE : `amendments/${amended.from}/${AGREEMENT_FILE}`;
};

const checkVersion = (version: Version, json: string): Finding[] => {
  const { file, tables } = version;
  const fileOf = fileOfIn(version);
  return [
    ...checkLines(file, tables, fileOf),
    ...checkFuel(tables.fuel, fileOf('fuel')),
    ...checkFuelIndex(tables, fileOf),
    ...checkEarned(file, json, tables, fileOf),
    ...checkRateFiles(version, json),
    ...checkMultiweight(version, json),
  ];
};

const checkAmendedFile = (file: AgreementFile, base: AgreementFile, from: string, at: string): Finding[] =>
  collected(
    (['name', 'effective', 'carrier'] as const)
      .filter((member) => file[member] !== base[member])
      .map((member) => error(`${at} ${member}`, `must be ${base[member]}, as in the agreement itself: correct it`)),
    file.until !== undefined &&
      file.until < from &&
      error(`${at} until`, `is before ${from}, when this amendment begins: correct it`),
  );

const checkAmendment = (document: AgreementDocument, amendment: Amendment, before: string | undefined): Finding[] => {
  const { from, file } = amendment;
  const at = `amendments/${from}`;
  const last = lastDayOf(document);
  const { effective } = document.file;
  return collected(
    from <= effective && error(at, `must be after ${effective}, the effective date: change the agreement's own files`),
    before !== undefined && before >= from && error(at, `must come after ${before}: sort the amendments by date`),
    last !== undefined &&
      last < from &&
      warning(at, `never counts, because the agreement ends on ${last}: correct until in its ${AGREEMENT_FILE}`),
    Object.keys(amendment).length === 1 && warning(at, 'has no files: add those that change, or remove it'),
    file && checkAmendedFile(file, document.file, from, `${at}/${AGREEMENT_FILE}`),
  );
};

/** Checks an agreement by itself, both at its start and after each amendment. */
export const checkAgreement = (document: AgreementDocument): Finding[] => {
  const { file, amendments } = document;
  const days = [file.effective, ...amendments.map(({ from }) => from)];
  const findings = collected(
    file.until !== undefined &&
      file.until < file.effective &&
      error(`${AGREEMENT_FILE} until`, `is before ${file.effective}, the effective date: correct it`),
    amendments.flatMap((amendment, index) => checkAmendment(document, amendment, amendments[index - 1]?.from)),
    days.flatMap((day) => checkVersion(filesOn(document, day), jsonOn(document, day))),
  );
  return once(findings);
};
