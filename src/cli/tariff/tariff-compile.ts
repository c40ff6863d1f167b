/** `rates tariff compile`: compiles tariffs into one file for the library. */
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { z } from 'zod';
import { checkFolders, foldersIn } from '../../catalog/documents/folders.ts';
import { documentsOf, errorsOf } from '../../catalog/documents/judged.ts';
import { AGREEMENTS, type Kind, TARIFFS } from '../../catalog/documents/kinds.ts';
import { compiledText } from '../../catalog/rater/compiled.ts';
import { command, input, required, texts } from '../command.ts';
import { CommandFailure } from '../exit.ts';
import { count, counted, findingText } from '../format.ts';

/** The documents in folders. @throws {CommandFailure} if any has an error */
const usable = async <D>(kind: Kind<D>, dirs: readonly string[]): Promise<readonly D[]> => {
  const folders = await checkFolders(kind, (await Promise.all(dirs.map((dir) => foldersIn(kind, dir)))).flat());
  const errors = errorsOf(folders);
  if (errors.length > 0) throw new CommandFailure(errors.map(findingText).join('\n'));
  return documentsOf(folders);
};

export const tariffCompile = command({
  path: 'tariff compile',
  about: 'Write tariffs into one file, for programs that rate with the library',
  args: { dir: required('<dir>', 'the folder of one tariff or several') },
  options: {
    output: input('-o, --output <file>', 'the file to write', z.string()),
    agreement: texts('--agreement <dir>', 'add the agreement in a folder, or several'),
  },
  examples: ['rates tariff compile tariffs/2026 -o 2026.rates'],
  run: async ({ dir, output, agreement }) => {
    const tariffs = await usable(TARIFFS, [dir]);
    const agreements = await usable(AGREEMENTS, agreement);
    if (tariffs.length === 0) throw new CommandFailure(`There is no tariff in ${dir}.`);
    const bytes = await promisify(gzip)(compiledText(tariffs, agreements), { level: 9 });
    await writeFile(output, bytes);
    return { lines: () => [`${counted(tariffs.length, 'tariff')}, ${count(bytes.length)} bytes, in ${output}`] };
  },
});
