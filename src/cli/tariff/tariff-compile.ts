/** `rates tariff compile`: tariffs in one file, for the library. */
import { writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { checkFolders, documentsOf, errorsOf, foldersIn } from '../../catalog/documents/folders.ts';
import { TARIFFS } from '../../catalog/documents/kinds.ts';
import { compiledTariffs } from '../../catalog/rater/compiled.ts';
import { command, input, required } from '../command.ts';
import { CommandFailure } from '../exit.ts';
import { count, counted, findingText } from '../format.ts';

export const tariffCompile = command({
  path: 'tariff compile',
  about: 'Write tariffs into one file, for programs that rate with the library',
  args: { dir: required('<dir>', 'the folder of a tariff, or of several') },
  options: { output: input('-o, --output <file>', 'the file to write', z.string()) },
  examples: ['rates tariff compile tariffs/2026 -o 2026.rates'],
  run: async ({ dir, output }) => {
    const folders = await checkFolders(TARIFFS, await foldersIn(TARIFFS, dir));
    const errors = errorsOf(folders);
    if (errors.length > 0) throw new CommandFailure(errors.map(findingText).join('\n'));
    const tariffs = documentsOf(folders);
    if (tariffs.length === 0) throw new CommandFailure(`There is no tariff in ${dir}.`);
    const bytes = await compiledTariffs(tariffs);
    await writeFile(output, bytes);
    return { lines: () => [`${counted(tariffs.length, 'tariff')}, ${count(bytes.length)} bytes, in ${output}`] };
  },
});
