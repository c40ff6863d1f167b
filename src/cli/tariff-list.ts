/** `rates tariff list`: the tariffs of a folder, or those that are published, with their versions. */
import type { Config } from '../config/settings.ts';
import { publishedTariffs, tariffVersions } from '../published/tariffs.ts';
import type { TariffDocument } from '../tariff/document.ts';
import { documentsOf, errorsOf, judgeFolders } from '../tariff/folders.ts';
import { type Schedule, scheduleOf, tariffId } from '../tariff/schedule.ts';
import { foldersIn } from '../tariff/signature.ts';
import { EXIT } from './exit.ts';
import { counted } from './io.ts';
import { readPublished } from './published.ts';
import { findingText, jsonText, type Output } from './tariff-import.ts';

const entriesOf = (schedule: Schedule, documents: readonly TariffDocument[], now: Date) => {
  const { cards } = schedule.bookAt(now);
  return documents.map((document) => {
    const id = tariffId(document);
    const inForce = cards.filter(({ tariff }) => tariff === id).map(({ code }) => code);
    const { name, effective, services } = document.file;
    return { id, name, effective, services: services.map(({ code }) => code), inForce };
  });
};

const entryText = ({ id, effective, services, inForce }: ReturnType<typeof entriesOf>[number]): string => {
  const share = inForce.length === services.length ? 'all' : inForce.length === 0 ? 'none' : inForce.join(', ');
  return `${id}: from ${effective}, ${counted(services.length, 'service')}, in force now: ${share}\n`;
};

/**
 * Prints the tariffs that lie in a folder: versions, dates, which of their services are in force now, and why those cannot be
 * used that cannot. @returns 0 where all can, else 1
 */
export const listTariffs = async (dir: string, json: boolean, now: Date, io: Output): Promise<number> => {
  const folders = await judgeFolders(await foldersIn(dir));
  const documents = documentsOf(folders);
  const broken = folders.filter(({ document }) => document === undefined);
  const tariffs = entriesOf(scheduleOf(documents), documents, now);
  if (json) io.stdout.write(jsonText({ tariffs, broken: broken.map(({ name }) => name), errors: errorsOf(folders) }));
  else io.stdout.write(tariffs.map(entryText).join(''));
  for (const folder of broken)
    io.stderr.write(`${folder.name} does not check:\n${errorsOf([folder]).map(findingText).join('')}`);
  return broken.length === 0 ? EXIT.done : EXIT.failed;
};

/** Prints the published tariffs, then all versions of them: who published which, when, and which is in force. */
export const listPublished = async (config: Config, json: boolean, now: Date, io: Output): Promise<number> => {
  const { schedule, inForce, versions } = await readPublished(config, async (deps) => ({
    ...(await tariffVersions(deps)),
    schedule: await publishedTariffs(deps),
  }));
  const tariffs = entriesOf(schedule, schedule.documents, now);
  const pointer = inForce && { version: inForce.version, since: inForce.at, by: inForce.by };
  if (json) {
    io.stdout.write(jsonText({ tariffs, inForce: pointer ?? null, versions }));
    return EXIT.done;
  }
  io.stdout.write(tariffs.map(entryText).join(''));
  for (const { version, at, by, tariffs: ids } of versions) {
    const since = version === pointer?.version ? `, in force since ${pointer.since} by ${pointer.by}` : '';
    io.stdout.write(`version ${version}: ${ids.join(', ')}; published ${at} by ${by}${since}\n`);
  }
  if (pointer === undefined) io.stderr.write('No tariffs are published: see `rates tariff publish`.\n');
  return EXIT.done;
};
