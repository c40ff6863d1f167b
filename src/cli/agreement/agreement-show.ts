/** `rates agreement show`: an agreement's terms on a day, and the prices of a service under it. */
import { z } from 'zod';
import { jsonOn } from '../../catalog/agreement/check/check.ts';
import { termsOf } from '../../catalog/agreement/compile.ts';
import {
  type AgreementDocument,
  type AgreementFile,
  type Amendment,
  CODE_TABLES,
} from '../../catalog/agreement/document.ts';
import { type RateCard, rateCardOf, serviceTerms } from '../../catalog/agreement/overview.ts';
import { LINE_TABLES } from '../../catalog/agreement/tables.ts';
import {
  amountOf,
  bandStart,
  bandsOf,
  figureText,
  nextBand,
  programsOf,
  type Tier,
  tiersBody,
} from '../../catalog/agreement/tiers.ts';
import { changeDaysOf, filesOn, lastDayOf, tierOfDay, tiersOfDay } from '../../catalog/agreement/versions.ts';
import type { Beside } from '../../catalog/agreement/view/schemas.ts';
import { besideOf } from '../../catalog/agreement/view/tables.ts';
import { SERVICE_CODE } from '../../catalog/tariff/document.ts';
import { writeRates } from '../../catalog/tariff/tables.ts';
import type { Card } from '../../rating/card.ts';
import { BILLINGS } from '../../rating/fields.ts';
import { type Terms, termsFor } from '../../rating/terms.ts';
import { command, flag, type Given, input, isoDate, required, text } from '../command.ts';
import { CommandFailure, wrongUse } from '../exit.ts';
import { choicesText, table } from '../format.ts';
import { agreementNamed, dayFor, TARIFFS, tariffsFor } from './agreement-sources.ts';
import { gridLines, ownPriceLines, rateCardLines, surchargeLines, termsTable, WIDE } from './agreement-tables.ts';

const args = { agreement: required('<dir>', 'the folder of an agreement, or its name in AGREEMENTS_DIR') };
const options = {
  service: input(
    '--service <code>',
    'only this service, with its effective rates: list, discount and net',
    z.string().toUpperCase().regex(SERVICE_CODE, 'must be a service code such as UPS-GROUND').optional(),
  ),
  day: input('--day <date>', 'the ship date, YYYY-MM-DD; default: today, or its first day', isoDate.optional()),
  tier: text('--tier <name>', 'as if this tier were in force'),
  billing: input(
    '--billing <who>',
    'what applies if somebody else pays, or for a return',
    z.enum(BILLINGS).exclude(['shipper']).optional(),
  ),
  residential: flag('--residential', 'show the rates for homes; default: for businesses'),
  allWeights: flag('--all-weights', 'show the rate for every pound'),
  netRates: flag('--net-rates', 'print only the net rates, as CSV in the form of rates/<CODE>.csv'),
  json: flag('--json', 'print as JSON, with the rate for every pound'),
  tariffs: TARIFFS,
};
type ShowFlags = Given<typeof options>;

/** The start of the period in which the tier has been the same for the same reason. */
const tierSince = (document: AgreementDocument, { program, tier, by }: Tier, day: string): string => {
  let since = day;
  for (const from of changeDaysOf(document).toReversed()) {
    if (from > day) continue;
    const then = tierOfDay(document, from, program);
    if (then?.tier !== tier || then?.by !== by) return since;
    since = from;
  }
  return since;
};

/** A tier on a day and its reason, as a sentence. */
const tierText = (document: AgreementDocument, tier: Tier, day: string): string => {
  const name = tier.tier === undefined ? 'no tier' : `tier ${tier.tier}`;
  const since = `${name} since ${tierSince(document, tier, day)}`;
  const rules = programsOf(filesOn(document, day).file).find(({ program }) => program === tier.program);
  const unknown = tier.period === 'quarter' ? 'whole quarter' : 'week';
  const texts: Readonly<Record<Tier['by'], string>> = {
    inForce: `${since}, as agreement.json sets it`,
    grace: `${since}, in the grace period to ${rules?.grace?.until ?? day}`,
    nothing: `no tier: spend.csv has no ${unknown} that counts, and agreement.json sets none`,
    average: `${since}: ${figureText(tier)}${tier.isUncertain ? '. Newer weeks are missing' : ''}`,
  };
  return texts[tier.by];
};

/** The tiers on a day with their reasons, as sentences. Programs also have an end date and what the next tier needs. */
export const tierTexts = (document: AgreementDocument, day: string): string[] => {
  const { tiers } = filesOn(document, day).tables;
  return tiersOfDay(document, day).map((tier) => {
    const { program, measure, figure, until } = tier;
    if (program === undefined || measure === undefined) return tierText(document, tier, day);
    const next = nextBand(bandsOf(tiers, tier), tier.tier, figure);
    return [
      `${program}: ${tierText(document, tier, day)}`,
      ...(until === undefined || until < day ? [] : [`until ${until}`]),
      ...(next === undefined ? [] : [`tier ${next.tier} begins at ${amountOf(measure, bandStart(next))}`]),
    ].join('; ');
  });
};

/** Returns the agreement with a tier in force on all days. */
const withTier = (document: AgreementDocument, tier: string, day: string): AgreementDocument => {
  const { tiers } = filesOn(document, day).tables;
  const line = tiers.find((one) => one.tier === tier);
  if (line === undefined)
    throw wrongUse(
      `There is no tier ${tier} on ${day}. ${choicesText(
        'tier',
        tiers.map((one) => one.tier),
      )}.`,
    );
  const { program } = line;
  const inForce = [{ from: document.file.effective, tier }];
  const set = (file: AgreementFile): AgreementFile => {
    const { earned } = file;
    const rules = program === undefined ? undefined : earned.programs?.[program];
    if (program === undefined) return { ...file, earned: { ...earned, inForce } };
    if (rules === undefined) return file;
    return { ...file, earned: { ...earned, programs: { ...earned.programs, [program]: { ...rules, inForce } } } };
  };
  const amendments = document.amendments.map(
    (one): Amendment => (one.file === undefined ? one : { ...one, file: set(one.file) }),
  );
  return { ...document, file: set(document.file), amendments };
};

/** The files in force on a day, with their folders. */
const filesText = (document: AgreementDocument, day: string): string => {
  const { tables, folderOf } = filesOn(document, day);
  const files = [
    jsonOn(document, day),
    ...LINE_TABLES.filter((table) => (tables[table] ?? []).length > 0).map((table) => `${folderOf(table)}${table}.csv`),
    ...CODE_TABLES.flatMap((table) =>
      Object.keys(tables[table] ?? {}).map((code) => `${folderOf(table, code)}${table}/${code}.csv`),
    ),
  ];
  return files.join(', ');
};

/** Whether the agreement applies on a day, and its tiers. */
export const standingTexts = (document: AgreementDocument, day: string): string[] => {
  const last = lastDayOf(document);
  if (day < document.file.effective) return ['not yet in force: list rates apply'];
  return last !== undefined && last < day ? [`it ended on ${last}: list rates apply`] : tierTexts(document, day);
};

const headLines = (document: AgreementDocument, day: string): string[] => {
  const { file } = filesOn(document, day);
  const { name, carrier, description } = file;
  const last = lastDayOf(document);
  const next = document.amendments.filter(({ from }) => from > day).map(({ from }) => from);
  return [
    `${name}: ${carrier}, from ${document.file.effective}${last === undefined ? ', with no end date' : ` to ${last}`}`,
    ...(description === '' ? [] : [description]),
    '',
    `On ${day}:`,
    `  files: ${filesText(document, day)}`,
    ...(next.length === 0 ? [] : [`  upcoming amendments: ${next.join(', ')}`]),
    ...standingTexts(document, day).map((text) => `  ${text}`),
  ];
};

interface Shown {
  readonly card: Card;
  readonly terms: Terms;
}

const termsLines = (shown: readonly Shown[]): string[] => {
  const services = shown.map(({ card, terms }) => serviceTerms(card, terms));
  const charges = surchargeLines(services);
  return [
    '',
    ...termsTable(services),
    ...services.flatMap(({ code, discounts, dollarsOff, caps, multiweight }) => [
      ...(discounts.length === 0 && caps === undefined && multiweight === undefined
        ? []
        : ['', `${code}${caps === undefined ? '' : `: ${caps}`}`]),
      ...gridLines(discounts),
      ...dollarsOff.map((line) => `  ${line}`),
      ...ownPriceLines(multiweight),
    ]),
    ...(charges.length === 0 ? [] : ['', ...charges]),
  ];
};

/** Terms that do not change prices here: fees that the tariffs do not have, and notes. */
const besideLines = ({ fees, notes }: Beside): string[] => [
  ...(fees.length === 0 ? [] : ['', 'fees that the tariffs do not have']),
  ...table(fees.map(({ fee, services, change }) => [`  ${fee}`, services?.join(' ') ?? 'all', change])),
  ...(notes.length === 0 ? [] : ['', 'notes']),
  ...notes.map(({ topic, text }) => `  ${topic}: ${text}`),
];

/** A rate card in the format of `rates/<CODE>.csv`. */
const netRatesText = ({ columns, rows }: RateCard): string =>
  writeRates({ columns, cents: rows.filter(({ weight }) => /^\d+$/.test(weight)).map(({ net }) => net) });

/** An agreement on a day, with the services to show. */
interface Showing {
  readonly document: AgreementDocument;
  readonly day: string;
  readonly shown: readonly Shown[];
  readonly beside: Beside;
  readonly flags: ShowFlags;
}

const linesOf = ({ document, day, shown, beside, flags }: Showing, columns: number): readonly string[] => {
  const lines = headLines(document, day);
  if (shown.some(({ terms }) => terms.endedOn !== undefined)) return lines;
  if (shown.length > 0) lines.push(...termsLines(shown));
  else if (day >= document.file.effective) lines.push('  it covers no service of the tariffs on this day');
  lines.push(...besideLines(beside));
  const [only] = shown;
  if (flags.service === undefined || only === undefined) return lines;
  const card = rateCardOf(only.card, only.terms, flags.residential === true);
  const list = card.ratesSource ?? only.card.tariff;
  return [
    ...lines,
    '',
    `${card.code} to ${card.residential ? 'homes' : 'businesses'}: ${list}, off, and net in dollars`,
    ...rateCardLines(card, flags.allWeights === true, columns),
  ];
};

const jsonOf = ({ document, day, shown, beside, flags: { service } }: Showing) => {
  const { name, carrier } = filesOn(document, day).file;
  return {
    ...{ name, carrier, effective: document.file.effective, until: lastDayOf(document) ?? null, day },
    amendments: document.amendments.map(({ from }) => from),
    ...tiersBody(tiersOfDay(document, day)),
    services: shown.map(({ card, terms }) => serviceTerms(card, terms)),
    ...beside,
    ...(service === undefined ? {} : { rateCards: shown.flatMap(({ card, terms }) => rateCardsOf(card, terms)) }),
  };
};

/** The cards for both address types, if the service has both. */
const rateCardsOf = (card: Card, terms: Terms): RateCard[] => {
  const cards = [false, true].map((residential) => rateCardOf(card, terms, residential));
  return cards.filter((one, at) => cards.findIndex(({ residential }) => residential === one.residential) === at);
};

/** The services that the agreement mentions, or the named service. */
const shownOf = (
  document: AgreementDocument,
  cards: readonly Card[],
  day: string,
  { service, billing }: Pick<ShowFlags, 'service' | 'billing'>,
): Shown[] => {
  if (cards.length === 0) throw new CommandFailure(`No tariff is in force on ${day}.`);
  const named = service === undefined ? cards : cards.filter(({ code }) => code === service);
  if (named.length === 0)
    throw wrongUse(
      `There is no service ${service} on ${day}. ${choicesText(
        'service',
        cards.map(({ code }) => code),
      )}.`,
    );
  const shown = named.flatMap((card): Shown[] => {
    const terms = termsFor(termsOf(document, card, day), billing);
    return terms === undefined ? [] : [{ card, terms }];
  });
  if (service !== undefined && shown.length === 0)
    throw new CommandFailure(`${document.file.name} does not cover ${service} on ${day}: list rates apply.`);
  return shown;
};

export const agreementShow = command({
  path: 'agreement show',
  about: 'Show what an agreement says on a day: its tier, discounts, minimums and surcharges',
  args,
  options,
  excludes: { json: ['netRates'] },
  examples: [
    'rates agreement show acme-ups',
    'rates agreement show agreements/acme-ups --day 2027-01-04',
    'rates agreement show acme-ups --service UPS-GROUND --residential --all-weights',
    'rates agreement show acme-ups --tier 3                  # as if tier 3 were in force',
    'rates agreement show acme-ups --service UPS-GROUND --net-rates > next-year/caps/UPS-GROUND.csv',
  ],
  refuse: ({ netRates, service }) =>
    netRates && service === undefined && '--net-rates needs --service: a file has the rates of one service.',
  run: async ({ agreement, ...flags }, io) => {
    const read = await agreementNamed(agreement, io.env);
    const schedule = await tariffsFor(flags.tariffs, io);
    const day = flags.day ?? dayFor(read, schedule);
    const document = flags.tier === undefined ? read : withTier(read, flags.tier, day);
    const { cards } = schedule.bookOn(day);
    const shown = shownOf(document, cards, day, flags);
    const beside = besideOf(filesOn(document, day), cards);
    const [only] = shown;
    if (flags.netRates && only !== undefined)
      return { data: netRatesText(rateCardOf(only.card, only.terms, flags.residential === true)) };
    const showing = { document, day, shown, beside, flags };
    return { json: () => jsonOf(showing), lines: () => linesOf(showing, io.stdout.columns ?? WIDE) };
  },
});
