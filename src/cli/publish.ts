/** `rates publish`: puts tariffs and agreements in force together. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { PUBLISHED } from '../base/config/settings.ts';
import type { AgreementDocument } from '../catalog/agreement/document.ts';
import { agreementId } from '../catalog/agreement/versions.ts';
import { documentsOf, errorsOf } from '../catalog/documents/judged.ts';
import { AGREEMENTS, checkFolders, foldersIn, TARIFFS } from '../catalog/documents/kinds.ts';
import { ONLY_PUBLISHED, publishTogether } from '../catalog/published/store-place.ts';
import { allowAgreements } from './agreement/agreement.ts';
import { command, flag, input } from './command.ts';
import { changeDocuments } from './documents.ts';
import { CommandFailure, wrongUse } from './exit.ts';
import { counted, findingText } from './format.ts';
import { type Io, say } from './io.ts';
import { changePublished } from './rate/local-sources.ts';
import { TARIFF_FAMILY } from './tariff/tariff-list.ts';

/** The tariff folders and the agreement folders in folders, without duplicates. */
const sorted = async (dirs: readonly string[]) => {
  const [tariffs, agreements] = [new Set<string>(), new Set<string>()];
  for (const dir of dirs) {
    const own = await foldersIn(AGREEMENTS, dir);
    // The folders in an agreement, such as `rates` and `amendments`, are its own.
    const others = own.includes(dir) ? [] : await foldersIn(TARIFFS, dir);
    if (own.length + others.length === 0) throw new CommandFailure(`${dir} contains no tariff and no agreement.`);
    for (const folder of own) agreements.add(resolve(folder));
    for (const folder of others) if (!own.includes(folder)) tariffs.add(resolve(folder));
  }
  return { tariffs: [...tariffs], agreements: [...agreements] };
};

const readAgreements = async (dirs: readonly string[], io: Io): Promise<readonly AgreementDocument[]> => {
  const folders = await checkFolders(AGREEMENTS, dirs);
  const errors = errorsOf(folders);
  for (const finding of errors) say(io, findingText(finding));
  if (errors.length > 0) throw new CommandFailure(`Nothing was published: ${counted(errors.length, 'error')}.`);
  return documentsOf(folders);
};

export const publish = command({
  path: 'publish',
  about: 'Put tariffs and agreements in force together in all processes: all of them, or none',
  args: { folders: input('<folders...>', 'folders of tariffs and agreements', z.array(z.string())) },
  options: {
    replace: flag(
      '--replace',
      'replace published tariffs with the same names and dates, and agreements that others published',
    ),
    json: flag('--json', 'print what was published as JSON'),
  },
  examples: ['rates publish drafts/2027 agreements/acme-2027', 'rates publish --replace tariffs agreements'],
  more: `Each folder is a tariff or an agreement, or contains such folders. They are added to those that are published. A published
agreement with the same name is replaced. One that somebody else has published, and a tariff with the same name and date, are
replaced only with --replace. No quote or batch mixes them with what was in force before. On many machines, set their
REDIS_URL and STORE_URL.`,
  run: async ({ folders, replace = false }, io) => {
    const places = [io.env['TARIFFS_DIR'], io.env['AGREEMENTS_DIR']];
    if (places.some((place = '') => place !== '' && place !== PUBLISHED)) throw wrongUse(ONLY_PUBLISHED);
    const { tariffs, agreements } = await sorted(folders);
    const documents = await readAgreements(agreements, io);
    const beside = documents.map((document) => ({ document }));
    return await changeDocuments(
      TARIFF_FAMILY,
      {
        done: 'published',
        how: async (_library, note) =>
          await publishTogether(
            (use) => changePublished(io.env, use),
            tariffs,
            beside,
            {
              ...note,
              check: await TARIFF_FAMILY.checkFor(undefined, note.now, io),
              ...(replace ? { tariffs: 'all', agreements: 'all' } : { tariffs: 'none', agreements: 'own' }),
            },
            allowAgreements(io),
          ),
        agreements: documents.map(agreementId),
      },
      io,
    );
  },
});
