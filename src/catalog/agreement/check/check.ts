/**
 * Checks that the parts of an agreement fit together, which `compile.ts` relies on. `folder.ts` checks the format of each
 * file while reading. `check-against.ts` checks an agreement against the tariffs.
 */
import { checkRateTable } from '../../tariff/check/check.ts';
import { shifted } from '../../tariff/days.ts';
import type { Finding } from '../../tariff/document.ts';
import { collected, error, warning } from '../../tariff/findings.ts';
import {
  AGREEMENT_FILE,
  type AgreementDocument,
  type AgreementFile,
  type AgreementTables,
  type Amendment,
  type FuelLine,
} from '../document.ts';
import { type FileOf, fileOfIn, once } from '../subject.ts';
import { filesOn, folderFrom, lastDayOf, type Version } from '../versions.ts';
import { checkMultiweight } from './check-columns.ts';
import { checkLines, servicesMeet } from './check-lines.ts';
import { checkEarned } from './check-tiers.ts';

/* Checks the dated part of an agreement: fuel rates. */

const checkFuel = (lines: readonly FuelLine[], file: string): Finding[] =>
  lines.flatMap((line, index): Finding[] => {
    const at = `${file} row ${line.row}`;
    if (line.until !== undefined && line.until < line.from)
      return [error(`${at} column until`, `is before ${line.from}, the value of from: correct one of them`)];
    const clash = lines
      .slice(0, index)
      .filter(({ services }) => servicesMeet(services, line.services))
      .find((other) => {
        const [first, second] = other.from <= line.from ? [other, line] : [line, other];
        return first.from === second.from || (first.until !== undefined && second.from <= first.until);
      });
    if (clash === undefined) return [];
    return [error(at, `overlaps row ${clash.row} for a service that both rows name: correct from or until`)];
  });

/** Checks that bands of one price rise and name the same services, and that named prices have weeks, none too low. */
const checkFuelIndex = ({ fuel_index = [], fuel_prices = [] }: AgreementTables, fileOf: FileOf): Finding[] => {
  const [bandFile, priceFile] = [fileOf('fuel_index'), fileOf('fuel_prices')];
  const bands = fuel_index.flatMap((line, at): Finding[] => {
    const place = `${bandFile} row ${line.row}`;
    const before = fuel_index.slice(0, at).findLast(({ services }) => servicesMeet(services, line.services));
    if (before === undefined) return [];
    const isOne = before.index === line.index && String(before.services) === String(line.services);
    if (!isOne)
      return [error(place, `shares a service with row ${before.row}: give both rows the same services and index`)];
    if (Number(before.fromUsd) < Number(line.fromUsd)) return [];
    return [
      error(`${place} column from_usd`, `must be more than ${before.fromUsd} in row ${before.row}: bands must rise`),
    ];
  });
  const leastOf = (index: string): number =>
    fuel_index.reduce((least, one) => (one.index === index ? Math.min(least, Number(one.fromUsd)) : least), Infinity);
  const prices = fuel_prices.flatMap((line, at): Finding[] => {
    const place = `${priceFile} row ${line.row}`;
    const same = fuel_prices.slice(0, at).find(({ index, from }) => index === line.index && from === line.from);
    if (same !== undefined) return [error(`${place} column from`, `is also in row ${same.row}: remove one of them`)];
    const least = leastOf(line.index);
    if (least === Infinity)
      return [error(`${place} column index`, `${bandFile} has no bands of ${line.index}: correct it, or add them`)];
    if (least <= Number(line.usd)) return [];
    return [error(`${place} column usd`, `is below the first band of ${bandFile}: add a band for it`)];
  });
  return [...bands, ...prices];
};

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
export const jsonOn = ({ amendments }: AgreementDocument, day: string): string => {
  const amended = amendments.findLast(({ from, file }) => from <= day && file !== undefined);
  return amended === undefined ? AGREEMENT_FILE : `${folderFrom(amended.from)}${AGREEMENT_FILE}`;
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
  const ended = lastDayOf({ ...document, amendments: document.amendments.filter((one) => one.from < from) });
  return collected(
    from <= effective && error(at, `must be after ${effective}, the effective date: change the agreement's own files`),
    before !== undefined && before >= from && error(at, `must come after ${before}: sort the amendments by date`),
    last !== undefined &&
      last < from &&
      warning(at, `never counts, because the agreement ends on ${last}: correct until in its ${AGREEMENT_FILE}`),
    ended !== undefined &&
      ended >= effective &&
      shifted(ended, 1) < from &&
      (last ?? from) >= from &&
      warning(at, `begins after a gap: the agreement ended on ${ended}, but the days between have its prices too`),
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
  return once(findings, document);
};
