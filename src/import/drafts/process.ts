/** The process that works on drafts of tariffs. `tasks.ts` starts it. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { compileTariff } from '../../catalog/tariff/compile.ts';
import { type CoveredOrigin, coverageOf } from '../../catalog/tariff/coverage.ts';
import { diffTariffs, ofServices, partsOf } from '../../catalog/tariff/diff/diff.ts';
import { summarizeRates } from '../../catalog/tariff/diff/diff-summary.ts';
import type { TariffDocument } from '../../catalog/tariff/document.ts';
import { readTariffFolder } from '../../catalog/tariff/folder.ts';
import { systemCode } from '../../catalog/tariff/folder-files.ts';
import { tariffId } from '../../catalog/tariff/identity.ts';
import { zoneChanges } from '../../catalog/tariff/zones-by-zip3.ts';
import { confinedLines } from '../../files/sandbox/child.ts';
import { UnreadableFile } from '../../files/unreadable-file.ts';
import type { Card } from '../../rating/card.ts';
import { dollarText } from '../../rating/quantity.ts';
import { readLayers, writeLayers } from '../layers.ts';
import { reportBodyOf } from '../report/body.ts';
import { type Imported, runImport } from '../run.ts';
import {
  type CompareResult,
  type CompareTask,
  type DraftTask,
  type ImportResult,
  type ImportTask,
  importResult,
  type ReadingProgress,
  type TaskLine,
} from './tasks.ts';

/** Settings shown on a page. More than this have a common cause, such as a different list of surcharges. */
const MAX_SETTINGS = 300;
/** Most origins that get a map. */
const MAX_ORIGINS = 12;

/** `$12.40 for 5 lb to zone 5`, or for the nearest package. A person recognizes a wrong table by it. Empty without a rate. */
const sampleOf = ({ rateZones, topLb, rates }: Card): string => {
  const [column, lb] = [Math.max(0, rateZones.indexOf(5)), Math.min(5, topLb)];
  const cents = rates[column * (topLb + 1) + lb] ?? 0;
  return cents === 0 ? '' : `$${dollarText(cents)} for ${lb} lb to zone ${rateZones[column]}`;
};

const resultOf = (
  { document, report, doubts, errors }: Imported,
  on: TariffDocument | undefined,
  origins: readonly CoveredOrigin[],
): ImportResult => {
  const day = document?.file.effective ?? '';
  const compiled = document === undefined || errors > 0 ? undefined : compileTariff(document);
  const samples = new Map(compiled?.map((card) => [card.code, sampleOf(card)]));
  return importResult.parse({
    tariff: document === undefined ? null : tariffId(document),
    on: on === undefined ? null : tariffId(on),
    services: (document?.file.services ?? []).map(({ code, carrier, description }) => ({
      ...{ code, carrier, description, sample: samples.get(code) },
    })),
    doubts,
    errors,
    report: reportBodyOf(report),
    coverage: document && compiled ? coverageOf(document, compiled, { day, origins }) : null,
  });
};

/** Reads the document of a tariff in force. It has been checked. */
const documentOf = async (path: string): Promise<TariffDocument> => JSON.parse(await readFile(path, 'utf8'));

/** How long an import waits for an origin after the other files are read. The process must not be silent for longer. */
const ANSWER_MS = 240_000;
const LOOK_MS = 200;

/** Returns the answer from a file; undefined if it does not come in time. */
const answerIn = async (path: string): Promise<string | undefined> => {
  for (const late = performance.now() + ANSWER_MS; performance.now() < late; await setTimeout(LOOK_MS))
    try {
      return await readFile(path, 'utf8');
    } catch (failure) {
      if (systemCode(failure) !== 'ENOENT') throw failure;
    }
  return undefined;
};

const importInto = async (task: ImportTask, onProgress: (progress: ReadingProgress) => void): Promise<ImportResult> => {
  const { files, base, published, into, ...request } = task;
  const originOf = async (path: string): Promise<string | undefined> => {
    const asked = files.find((file) => file.path === path);
    return asked === undefined ? undefined : await answerIn(asked.answer);
  };
  const layers = base === undefined ? undefined : await readLayers(base);
  const document = published === undefined ? undefined : await documentOf(published);
  const outcome = await runImport({ ...request, files, layers, published: document, onProgress, originOf });
  if ('problem' in outcome) return { refused: [{ file: '', reason: outcome.problem, lacksOrigin: false }] };
  if ('refused' in outcome)
    return { refused: outcome.refused.map(({ path, ...why }) => ({ file: basename(path), ...why })) };
  if (outcome.document !== undefined) await writeLayers(into, outcome.document, outcome.imported, outcome.files);
  return resultOf(outcome, layers?.current ?? document, task.origins);
};

const documentIn = async (dir: string): Promise<TariffDocument> => {
  const read = await readTariffFolder(dir);
  if ('document' in read) return read.document;
  throw new UnreadableFile(`has errors: ${read.findings[0]?.at} ${read.findings[0]?.message}`);
};

/** The origins of the maps: one for each ZIP3 with a warehouse, or the first origins in the charts. */
const mapOrigins = (origins: readonly CoveredOrigin[], after: TariffDocument): Map<string, string[]> => {
  const byZip3 = new Map<string, { zip5: string; labels: string[] }>();
  const charted = Object.values(after.charts)
    .flatMap(({ rows }) => rows.map(({ origin }) => origin.slice(0, 3)))
    .map((zip3) => ({ zip5: `${zip3}01`, label: `ZIP codes ${zip3}` }));
  for (const { zip5, label } of origins.length > 0 ? origins : charted) {
    const held = byZip3.get(zip5.slice(0, 3)) ?? { zip5, labels: [] };
    if (!held.labels.includes(label)) held.labels.push(label);
    byZip3.set(zip5.slice(0, 3), held);
  }
  return new Map([...byZip3.values()].slice(0, MAX_ORIGINS).map(({ zip5, labels }) => [zip5, labels]));
};

const compare = async (task: CompareTask): Promise<CompareResult> => {
  const whole = await documentOf(task.before);
  const after = await documentIn(task.after);
  const codes = new Set(after.file.services.map(({ code }) => code));
  const before = task.replaces ? whole : ofServices(whole, codes);
  const { settings: all, ...parts } = partsOf(before, after, diffTariffs(before, after));
  // The page shows these above.
  const settings = all.filter(({ at }) => !/^tariff\.json (?:name|effective)$/.test(at));
  const origins = mapOrigins(task.origins, after);
  const changes = zoneChanges(compileTariff(before), compileTariff(after), [...origins.keys()]);
  return {
    ...parts,
    stays: task.replaces ? [] : whole.file.services.flatMap(({ code }) => (codes.has(code) ? [] : [code])),
    rates: summarizeRates(before, after).filter(({ added, removed, changed }) => added + removed + changed > 0),
    settings: {
      count: settings.length,
      first: settings.slice(0, MAX_SETTINGS).map((one) => ({
        what: one.at.slice('tariff.json '.length),
        before: one.before ?? null,
        after: one.after ?? null,
      })),
    },
    zoneChanges: changes.map((one) => ({ ...one, labels: origins.get(one.origin) ?? [] })),
  };
};

await confinedLines<DraftTask, TaskLine>(async function* (task) {
  if (task.kind === 'compare') return yield { compared: await compare(task) };
  let progress: ReadingProgress | undefined;
  let wake = (): void => undefined;
  const importing = importInto(task, (reached) => {
    progress = reached;
    wake();
  });
  let isDone = false;
  const end = (): void => {
    isDone = true;
  };
  const ended = importing.then(end, end);
  for (let told: ReadingProgress | undefined; !isDone; ) {
    if (progress !== undefined && told !== progress) {
      told = progress;
      yield { progress };
    } else
      await Promise.race([
        ended,
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
      ]);
  }
  yield { imported: await importing };
});
