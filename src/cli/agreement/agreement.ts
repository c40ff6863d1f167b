/** `rates agreement`: imports, checks, shows, compares, lists and publishes carrier agreements. */

import { group } from '../command.ts';
import { documentCommands } from '../documents.ts';
import { agreementCheck } from './agreement-check.ts';
import { agreementDiff } from './agreement-diff.ts';
import { agreementImport } from './agreement-import.ts';
import { AGREEMENT_FAMILY } from './agreement-list.ts';
import { agreementShow } from './agreement-show.ts';

export const agreementCommands = [
  group('agreement', 'Import, check, show, compare, list and publish carrier agreements'),
  ...[agreementImport, agreementCheck, agreementShow, agreementDiff],
  ...documentCommands(AGREEMENT_FAMILY),
];
