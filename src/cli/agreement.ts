/** `rates agreement`: imports, checks, shows, compares, lists and publishes carrier agreements. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config/settings.ts';
import { SERVICE_CODE } from '../tariff/document.ts';
import { type CheckFlags, checkAgreements } from './agreement-check.ts';
import { type DiffFlags, diffStates } from './agreement-diff.ts';
import { importCommand } from './agreement-import.ts';
import { listAgreements, listPublishedAgreements } from './agreement-list.ts';
import { type PublishFlags, publishAgreementFolders } from './agreement-publish.ts';
import { type ShowFlags, showAgreement } from './agreement-show.ts';
import type { Io } from './io.ts';
import { WEIGHT_UNITS, withWarehouseOption } from './list-options.ts';
import { dateOption } from './tariff-import.ts';

const EXAMPLES = {
  check: `
Examples:
  rates agreement check agreements/acme-ups
  rates agreement check agreements                        # all in the folder
  rates agreement check agreements/acme-ups --tariffs tariffs/2027
  rates agreement check agreements/acme-ups --batch october.csv --batch november.csv --client acme

Lists of --batch are rated again with the agreement: outputs of earlier batches, or lists that can be rated. They show how often
the minimum keeps a part of the discount, and how much.`,
  show: `
Examples:
  rates agreement show acme-ups
  rates agreement show agreements/acme-ups --day 2027-01-04
  rates agreement show acme-ups --service UPS-GROUND --residential --all-weights
  rates agreement show acme-ups --tier 3                  # as if tier 3 were in force
  rates agreement show acme-ups --service UPS-GROUND --net-rates > next-year/caps/UPS-GROUND.csv`,
  diff: `
Examples:
  rates agreement diff acme-ups offers/acme-ups
  rates agreement diff acme-ups@2026-12-31 acme-ups@2027-01-04      # what an amendment changes
  rates agreement diff acme-ups offers/acme-ups --day 2027-01-04 --tariffs tariffs/2027

The effect is that on the net of each weight and zone, by the tariffs in force on the later day.`,
  list: `
Examples:
  rates agreement list
  rates agreement list agreements --json
  AGREEMENTS_DIR=published rates agreement list`,
  publish: `
Examples:
  rates agreement publish agreements                      # all in the folder
  rates agreement publish agreements/acme-ups
  rates agreement publish --remove acme-2024
  rates agreement publish --back-to 3-90a1b2c3d4e5f607

A published agreement of the same name is replaced; all others stay. One that somebody else has put in force, such as an
operator in the console, is replaced only with --replace. An agreement that a client uses is not removed. The API and
the workers use published agreements if they run with AGREEMENTS_DIR=published. On many machines, set their REDIS_URL and
STORE_URL here. On one machine with a private Redis, set neither of them, and use the same DATA_DIR.`,
};

const serviceOption = (text: string): string => {
  const code = text.toUpperCase();
  if (!SERVICE_CODE.test(code)) throw new InvalidArgumentError('It must be a service code such as UPS-GROUND.');
  return code;
};

const TARIFFS: readonly [string, string] = [
  '--tariffs <dir>',
  'the folder with tariffs; default: TARIFFS_DIR, or the published tariffs',
];

const repeated = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** Adds the commands that read agreements. */
const addReading = (agreement: Command, io: Io): void => {
  withWarehouseOption(agreement.command('check'))
    .description('Report errors and warnings of agreements, also against the tariffs in force')
    .argument('<dir...>', 'folders of agreements, or folders that contain them')
    .option(...TARIFFS)
    .option('--batch <file>', 'a list of shipments to rate again with the agreement; repeatable', repeated, [])
    .option('--client <id>', 'whose shipments these are; default: the first of CLIENTS_FILE')
    .addOption(new Option('--units <unit>', 'the unit of weights, if a list has no such column').choices(WEIGHT_UNITS))
    .option('--json', 'report as JSON')
    .addHelpText('after', EXAMPLES.check)
    .action(async (dirs: string[], flags: CheckFlags) => io.setExitCode(await checkAgreements(dirs, flags, io)));
  agreement
    .command('show')
    .description('Show what an agreement says on a day: its tier, discounts, minimums and surcharges')
    .argument('<dir>', 'the folder of an agreement, or its name in AGREEMENTS_DIR')
    .option('--service <code>', 'only this service, with its effective rates: list, discount and net', serviceOption)
    .option('--day <date>', 'the ship date, YYYY-MM-DD; default: today, or its first day', dateOption)
    .option('--tier <name>', 'as if this tier were in force')
    .option('--residential', 'the rates for homes; default: for businesses')
    .option('--all-weights', 'the rates of every pound')
    .addOption(new Option('--net-rates', 'print only the net rates, as CSV in the form of rates/<CODE>.csv'))
    .addOption(new Option('--json', 'print as JSON, with the rates of every pound').conflicts('netRates'))
    .option(...TARIFFS)
    .addHelpText('after', EXAMPLES.show)
    .action((named: string, flags: ShowFlags) => showAgreement(named, flags, io));
  agreement
    .command('diff')
    .description('Compare two agreements, or one on two days: what changed, and its effect on the net')
    .argument('<before>', 'folder or name; with @YYYY-MM-DD on that day')
    .argument('<after>', 'folder or name')
    .option('--day <date>', 'the ship date, YYYY-MM-DD; default: today, or the first day', dateOption)
    .option(...TARIFFS)
    .option('--json', 'report as JSON')
    .addHelpText('after', EXAMPLES.diff)
    .action(async (before: string, after: string, flags: DiffFlags) =>
      io.setExitCode(await diffStates(before, after, flags, io)),
    );
};

/** Adds the commands of published agreements. */
const addPublishing = (agreement: Command, io: Io): void => {
  agreement
    .command('list')
    .description('List agreements with dates, tiers and the clients that use them')
    .argument('[dir]', 'the folder with agreements; default: AGREEMENTS_DIR, or the published agreements')
    .option('--json', 'report as JSON')
    .addHelpText('after', EXAMPLES.list)
    .action(async (named: string | undefined, { json = false }: { json?: boolean }) => {
      const dir = named ?? readConfig(io.env).agreementsDir;
      const now = new Date();
      const listing =
        dir === undefined
          ? listPublishedAgreements(readConfig(io.env), json, now, io)
          : listAgreements(dir, json, now, io);
      io.setExitCode(await listing);
    });
  agreement
    .command('publish')
    .description('Put agreements in force in all processes at once, beside those published before')
    .argument('[folders...]', 'folders of agreements, or folders that contain them')
    .option('--remove <name>', 'a published agreement to take out; repeatable', repeated, [])
    .option('--replace', 'also replace or take out agreements that others have put in force')
    .option('--back-to <version>', 'instead put an earlier version in force again')
    .option(...TARIFFS)
    .option('--json', 'print the version as JSON')
    .addHelpText('after', EXAMPLES.publish)
    .action(async (folders: string[], flags: PublishFlags) =>
      io.setExitCode(await publishAgreementFolders(folders, flags, io)),
    );
};

/** The command `rates agreement`. */
export const agreementCommand = (io: Io): Command => {
  const agreement = new Command('agreement').description(
    'Import, check, show, compare, list and publish carrier agreements',
  );
  agreement.addCommand(importCommand(io));
  addReading(agreement, io);
  addPublishing(agreement, io);
  return agreement;
};
