/** `rates agreement diff`: what changed in the files, and how that affects bills. */
import { must } from '../../base/must.ts';
import {
  type AgreementState,
  type ChargeEffect,
  diffAgreements,
  effectOf,
  type LimitEffect,
  type NetCell,
  type NetChange,
} from '../../catalog/agreement/diff/diff.ts';
import { later } from '../../catalog/tariff/days.ts';
import { type Difference, percentChange } from '../../catalog/tariff/diff/diff.ts';
import { section } from '../../catalog/tariff/diff/diff-summary.ts';
import { dollarText } from '../../rating/quantity.ts';
import { command, flag, input, isoDate, required } from '../command.ts';
import { count, counted, differenceText, table } from '../format.ts';
import { standingTexts } from './agreement-show.ts';
import { stateNamed, TARIFFS, tariffsFor } from './agreement-sources.ts';
import { alike, WIDEST, zonesText } from './agreement-tables.ts';

const signed = (text: string, value: number): string => `${value > 0 ? '+' : value < 0 ? '-' : ''}${text}`;

const centsChange = ({ before, after }: NetCell): string =>
  signed(dollarText(Math.abs(after - before)), after - before);

const cellText = (cell: NetCell): string =>
  `${centsChange(cell)} (${percentChange(cell.before, cell.after)}) at ${cell.weight.replace(/^\d+$/, '$& lb')} ` +
  `to zone ${cell.column} (${dollarText(cell.before)} → ${dollarText(cell.after)})`;

const extremeLines = (word: string, byCents: NetCell | undefined, byPercent: NetCell | undefined): string[] => {
  if (byCents === undefined || byPercent === undefined) return [];
  if (byCents === byPercent) return [`    largest ${word}: ${cellText(byCents)}`];
  return [`    largest ${word}: ${cellText(byCents)}`, `    in percent: ${cellText(byPercent)}`];
};

const netLines = (change: NetChange): string[] => {
  const { code, address, cells, changed, averageHundredths, rise, fall, steepestRise, steepestFall } = change;
  const to = address === 'any' ? '' : ` to ${address === 'residential' ? 'homes' : 'businesses'}`;
  if (changed === 0) return [];
  const average = signed(`${dollarText(Math.abs(averageHundredths))}%`, averageHundredths);
  return [
    `  ${code}${to}: ${count(changed)} of ${counted(cells, 'net rate')} changed, on average by ${average}`,
    ...extremeLines('rise', rise, steepestRise),
    ...extremeLines('fall', fall, steepestFall),
  ];
};

const unchangedLines = (net: readonly NetChange[]): string[] => {
  const codes = [...new Set(net.map(({ code }) => code))];
  const same = codes.filter((code) => net.every((one) => one.code !== code || one.changed === 0));
  return same.length === 0 ? [] : [`  no change: ${same.join(', ')}`];
};

const limitText = ({ code, limit, before, after }: LimitEffect): string => {
  const text = (value: number): string => (limit.startsWith('minimum') ? dollarText(value) : count(value));
  return `  ${code}, ${limit}: ${text(before)} → ${text(after)}`;
};

/** Surcharges with the same change share a row. */
const chargeLines = (effects: readonly ChargeEffect[], columnsOf: (code: string) => readonly string[]): string[] => {
  const rows = effects.map(({ code, description, per, columns, before, after }) => {
    const text = (value: number): string => `${dollarText(value)}${per === 'percent' ? '%' : ''}`;
    return { code, cells: [description, zonesText(columns, columnsOf(code)), text(before), text(after)] };
  });
  const lines = alike(rows).map(({ cells: [description, ...rest], codes }) => [
    `  ${description}`,
    codes.join(' '),
    ...rest,
  ]);
  return table(lines, ['left', 'left', 'left', 'right', 'right'], WIDEST);
};

/** The number of lines to show per file. A rate table has a thousand cells, which the effect summarizes. */
const MOST_LINES = 40;
const MOST_CELLS = 5;

const fileLines = (differences: readonly Difference[]): string[] => {
  const files = [...new Set(differences.map(({ at }) => at.slice(0, at.indexOf(' '))))];
  return files.flatMap((file) => {
    const own = differences.filter(({ at }) => at.startsWith(`${file} `));
    const lines = own.map((one) => `  ${differenceText({ ...one, at: one.at.slice(file.length + 1) })}`);
    const shown = lines.slice(0, /^(?:rates|caps|multiweight)\//.test(file) ? MOST_CELLS : MOST_LINES);
    const more = lines.length - shown.length;
    return ['', `${file}:`, ...shown, ...(more > 0 ? [`  and ${counted(more, 'more change')}: --json has all`] : [])];
  });
};

const stateText = ({ document, day }: AgreementState): string => `${document.file.name} on ${day}`;

/** Whether each side is in force, and its tiers, if these differ. The files do not show this. */
const standingLines = (before: AgreementState, after: AgreementState): string[] => {
  const [old, now] = [before, after].map(({ document, day }) => standingTexts(document, day).join('; ') || 'no tiers');
  return old === now ? [] : ['', `${stateText(before)}: ${old}`, `${stateText(after)}: ${now}`];
};

const effectLines = (
  { net, charges, limits }: ReturnType<typeof effectOf>,
  columnsOf: (code: string) => readonly string[],
): string[] => [
  ...section('Net price of a package by weight and zone', [...net.flatMap(netLines), ...unchangedLines(net)]),
  ...section('Divisors and minimums', limits.map(limitText)),
  ...section('Surcharges as billed', chargeLines(charges, columnsOf)),
];

export const agreementDiff = command({
  path: 'agreement diff',
  about: 'Compare two agreements, or one on two days: what changed, and its effect on net prices',
  args: {
    before: required('<before>', 'folder or name; with @YYYY-MM-DD on that day'),
    after: required('<after>', 'folder or name'),
  },
  options: {
    day: input('--day <date>', 'the ship date, YYYY-MM-DD; default: today, or the first day', isoDate.optional()),
    tariffs: TARIFFS,
    json: flag('--json', 'report as JSON'),
  },
  examples: [
    'rates agreement diff acme-ups offers/acme-ups',
    'rates agreement diff acme-ups@2026-12-31 acme-ups@2027-01-04      # what an amendment changes',
    'rates agreement diff acme-ups offers/acme-ups --day 2027-01-04 --tariffs tariffs/2027',
  ],
  more: 'The effect is on the net rate of each weight and zone, with the tariffs in force on the later day.',
  run: async (given, io) => {
    const schedule = await tariffsFor(given.tariffs, io);
    const before = await stateNamed(given.before, given.day, schedule, io.env);
    const after = await stateNamed(given.after, given.day, schedule, io.env);
    const day = later(before.day, after.day);
    const { cards, byCode } = schedule.bookOn(day);
    const differences = diffAgreements(before, after);
    const effect = effectOf(before, after, cards);
    const stateJson = ({ document, day: own }: AgreementState) => ({
      name: document.file.name,
      day: own,
      standing: standingTexts(document, own),
    });
    return {
      json: () => ({ before: stateJson(before), after: stateJson(after), tariffsOn: day, differences, effect }),
      lines: () => [
        `${stateText(before)} → ${stateText(after)}${before.day === after.day ? '' : `, both under the tariffs of ${day}`}`,
        ...(differences.length === 0 ? ['', 'The files say the same.'] : fileLines(differences)),
        ...standingLines(before, after),
        ...effectLines(effect, (code) => must(byCode.get(code), `the card of ${code}`).columns),
      ],
    };
  },
});
