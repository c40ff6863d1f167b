/** The commands for tariffs in force: see `documents.ts`. */
import { join } from 'node:path';
import { ROOT, readConfig } from '../../base/config/settings.ts';
import { TARIFFS } from '../../catalog/documents/kinds.ts';
import { fuelFindings } from '../../catalog/tariff/check/fuel-ends.ts';
import { compileTariff } from '../../catalog/tariff/compile.ts';
import { type CoveredOrigin, coverageOf, unchartedFor, unchartedText } from '../../catalog/tariff/coverage.ts';
import { later } from '../../catalog/tariff/days.ts';
import type { TariffDocument } from '../../catalog/tariff/document.ts';
import { warning } from '../../catalog/tariff/findings.ts';
import { dayIn, scheduleOf, tariffId } from '../../catalog/tariff/schedule.ts';
import type { Family, Listed } from '../documents.ts';
import { counted } from '../format.ts';
import { warehousesOf } from './tariff-import.ts';

/** Tariffs with their dates and the services in force now. */
const list = async (documents: readonly TariffDocument[], now: Date): Promise<Listed> => {
  const schedule = scheduleOf(documents);
  const { cards } = schedule.bookAt(now);
  const entries = schedule.documents.map((document) => {
    const id = tariffId(document);
    const inForce = cards.filter(({ tariff }) => tariff === id).map(({ code }) => code);
    const { name, effective, services } = document.file;
    return { id, name, effective, services: services.map(({ code }) => code), inForce };
  });
  const lines = entries.map(({ id, effective, services, inForce }) => {
    const share = inForce.length === services.length ? 'all' : inForce.length === 0 ? 'none' : inForce.join(', ');
    return `${id}: from ${effective}, ${counted(services.length, 'service')}, in force now: ${share}`;
  });
  return { entries, lines, remarks: [] };
};

/** Examines a tariff without errors on the current day, or on its first day if that is in the future. */
export const examine = (document: TariffDocument, origins: readonly CoveredOrigin[], now: Date) => {
  const { effective, timeZone } = document.file;
  const day = later(dayIn(timeZone, now), effective);
  const cards = compileTariff(document, day);
  const uncharted = origins.flatMap(({ zip5, label }) =>
    unchartedFor(cards, { postalCode: zip5, countryCode: 'US' }).map((entry) =>
      warning(`${label} (${zip5})`, unchartedText(entry)),
    ),
  );
  return {
    /** Warehouses without a zone chart, and fuel rates that end. */
    findings: [...uncharted, ...fuelFindings(document, day)],
    coverage: () => coverageOf(document, cards, { day, origins }),
  };
};

export const TARIFF_FAMILY: Family<TariffDocument> = {
  kind: TARIFFS,
  setting: 'TARIFFS_DIR',
  dirIn: (env) => readConfig(env).tariffsDir,
  samples: join(ROOT, 'samples', 'tariffs'),
  replacesAll: true,
  replaces: 'none',
  list,
  checkFor: async (_tariffs, now, io) => {
    const origins = await warehousesOf(io);
    return (document) => examine(document, origins, now).findings;
  },
  allow: () => async () => undefined,
  after: (documents, now) =>
    scheduleOf(documents).bookAt(now).cards.length > 0
      ? []
      : ['None of the tariffs there is in force today. Nothing can be quoted until one is.'],
  words: {
    list: 'List tariffs with versions and dates',
    publish: 'Check tariffs and put them in force: in the folder of TARIFFS_DIR, or in all processes at once',
    withdraw: 'Take tariffs out of force: from the folder of TARIFFS_DIR, or from all processes at once',
    examples: [
      'rates tariff publish tariffs',
      'rates tariff publish tariffs/2025 tariffs/2026',
      'rates tariff publish --add drafts/2027',
      'TARIFFS_DIR=/srv/rates/tariffs rates tariff publish drafts/2026',
    ],
    more: `If TARIFFS_DIR names a folder, the tariffs are checked, by themselves and together with those in the folder, and copied into it. A running service
uses them within a second. This needs no Redis. With TARIFFS_DIR=published, the tariffs replace all published ones, or are
added to them with --add. On many machines, set the REDIS_URL and STORE_URL of the API and the workers here. On one machine
with a private Redis, set neither of them, and use the same DATA_DIR.`,
    id: '2026@2026-01-05-1a2b3c4d',
  },
};
