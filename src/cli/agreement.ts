/** `rates agreement`: imports, checks, shows, compares, lists and publishes carrier agreements. */
import { Command } from 'commander';
import { importCommand } from './agreement-import.ts';
import type { Io } from './io.ts';

/** The command `rates agreement`. */
export const agreementCommand = (io: Io): Command => {
  const agreement = new Command('agreement').description(
    'Import, check, show, compare, list and publish carrier agreements',
  );
  agreement.addCommand(importCommand(io));
  return agreement;
};
