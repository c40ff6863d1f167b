/** An agreement's terms for services, as tables. */
import { grouped } from '../../base/maps.ts';
import { must } from '../../base/must.ts';
import { columnsText, isNumber } from '../../catalog/agreement/cells.ts';
import type { BilledSurcharge, DiscountGrid, RateCard, ServiceTerms } from '../../catalog/agreement/overview.ts';
import type { OwnPrices } from '../../catalog/agreement/view/schemas.ts';
import { severalOf } from '../../catalog/tariff/findings.ts';
import { isFuelType } from '../../rating/charges.ts';
import { dollarText } from '../../rating/quantity.ts';
import { count, counted, table } from '../format.ts';

/** The width in columns if the output is not a terminal. */
export const WIDE = 100;

/** Rate columns in short form: `2-8, 44`. */
export const zonesText = (columns: readonly string[], all: readonly string[]): string =>
  columns.length === all.length ? 'all zones' : columnsText(columns);

/** `commercial packages`, `packages` if the grid is for all addresses, `packages and multiweight`. */
const kindsText = ({ kinds }: DiscountGrid, all: DiscountGrid['kinds']): string => {
  const wayText = (multiweight: boolean): string | undefined => {
    const own = kinds.filter((kind) => kind.multiweight === multiweight);
    if (own.length === 0) return undefined;
    const way = multiweight ? 'multiweight' : 'packages';
    const whole = all.filter((kind) => kind.multiweight === multiweight).length;
    if (own.length === whole) return way;
    return `${own.map(({ residential }) => (residential ? 'residential' : 'commercial')).join()} ${way}`;
  };
  return [false, true].flatMap((multiweight) => wayText(multiweight) ?? []).join(' and ');
};

const bandText = ({ fromLb, toLb }: DiscountGrid['bands'][number]): string =>
  toLb === undefined ? `${fromLb} lb and up` : fromLb === toLb ? `${fromLb} lb` : `${fromLb}-${toLb} lb`;

export const gridLines = (grids: readonly DiscountGrid[]): string[] => {
  const all = grids.flatMap(({ kinds }) => kinds);
  return grids.flatMap((grid) => {
    const columns = grid.zones.flat();
    const rows = [
      [
        `${kindsText(grid, all)}, % off`,
        ...grid.zones.map((zones) => (grid.zones.length === 1 ? 'all zones' : `zone ${zonesText(zones, columns)}`)),
      ],
      ...grid.bands.map((band) => [bandText(band), ...band.rates.map(dollarText)]),
    ];
    return table(rows, ['left', ...grid.zones.map(() => 'right' as const)]).map((line) => `  ${line}`);
  });
};

/** The agreement's own multiweight prices by weight and zone. */
export const ownPriceLines = (own: OwnPrices | undefined): string[] => {
  if (own === undefined) return [];
  const { perLb, zones, breaks, minimumTotalLb, minimumAverageLb, source } = own;
  const rows = [
    [`multiweight, per ${perLb === 1 ? 'lb' : `${perLb} lb`}`, ...zones.map((zone) => `zone ${zone}`)],
    ...breaks.map(({ fromLb, usd }) => [`from ${fromLb} lb`, ...usd.map((price) => price?.toFixed(2) ?? '-')]),
  ];
  const lines = table(rows, ['left', ...zones.map(() => 'right' as const)]);
  const from = `from ${minimumTotalLb} lb in all, each package at least ${minimumAverageLb} lb (${source})`;
  return [...lines, from].map((line) => `  ${line}`);
};

const rangeText = ({ discountRange: { least, most }, discounts }: ServiceTerms): string => {
  if (discounts.length === 0 || most === 0) return 'none';
  return least === most ? `${dollarText(most)}%` : `${dollarText(least)}-${dollarText(most)}%`;
};

const minimumText = ({ minimum: { listCents, commercial, residential }, discounts }: ServiceTerms): string => {
  const isOwn = commercial.cents !== listCents || residential.cents !== listCents;
  if (discounts.length === 0 && !isOwn) return '-';
  const from = commercial.byColumn === undefined && residential.byColumn === undefined ? '' : 'from ';
  if (commercial.cents !== residential.cents)
    return `${from}${dollarText(commercial.cents)}, homes ${from}${dollarText(residential.cents)}`;
  return isOwn || from !== ''
    ? `${from}${dollarText(commercial.cents)} (list ${dollarText(listCents)})`
    : `list, ${dollarText(listCents)}`;
};

const divisorText = ({ dimensionalFactor, dimensionalOverCubicIn, secondDivisor }: ServiceTerms): string => {
  const isOwn =
    dimensionalFactor.billed !== dimensionalFactor.list ||
    dimensionalOverCubicIn.billed !== dimensionalOverCubicIn.list;
  const over = dimensionalOverCubicIn.billed === 0 ? '' : ` over ${count(dimensionalOverCubicIn.billed)} in³`;
  const first = isOwn ? `${dimensionalFactor.billed}${over}` : `list, ${dimensionalFactor.list}`;
  return secondDivisor === undefined ? first : `${first}, larger ${secondDivisor.dimensionalFactor}`;
};

const fuelText = ({ fuel }: ServiceTerms): string => {
  if (fuel === undefined) return '-';
  return fuel.list === fuel.billed ? 'list' : `${dollarText(fuel.list)} → ${dollarText(fuel.billed)}%`;
};

const changesText = ({ surcharges }: ServiceTerms): string => {
  const own = surcharges.filter((surcharge) => !isFuelType(surcharge.type)).length;
  return own === 0 ? 'list' : `${own} changed`;
};

/** A table with a line per service. */
export const termsTable = (services: readonly ServiceTerms[]): string[] =>
  table([
    ['service', 'discount', 'minimum', 'divisor', 'rates', 'surcharges', 'fuel'],
    ...services.map((terms) => [
      terms.code,
      rangeText(terms),
      minimumText(terms),
      divisorText(terms),
      `${terms.ratesSource === undefined ? 'list' : 'own'}${terms.caps === undefined ? '' : ', capped'}${terms.multiweight === undefined ? '' : ', own multiweight'}`,
      changesText(terms),
      fuelText(terms),
    ]),
  ]);

/** Rows of surcharges.csv and of other files: `3, 5; fuel.csv 2`. */
const sourcesText = (sources: readonly string[]): string => {
  const places = sources.map((source) => source.slice(source.lastIndexOf('/') + 1).split(' row '));
  return [...grouped(places, ([file = '']) => file)]
    .map(([file, own]) => {
      const rows = own.map(([, row = '']) => row).join(', ');
      return `${file === 'surcharges.csv' ? '' : `${file} `}${rows}`;
    })
    .join('; ');
};

const amountText = (per: BilledSurcharge['per'], value: number): string => {
  if (per === 'declaredValue') return 'by value';
  if (per === 'percent') return `${dollarText(value)}%`;
  return `${dollarText(value)}${per === 'pound' ? ' a lb' : ''}`;
};

/** Surcharge, zones, list, billed, rows. Omits zones that the agreement does not change. */
const chargeRows = ({ description, zones, per }: BilledSurcharge): string[][] =>
  zones
    .filter(({ changes }) => changes.length > 0)
    .map((some) => [
      description,
      zones.length === 1 ? 'all' : zonesText(some.rateZones?.map(String) ?? some.columns, []),
      amountText(per, some.list),
      per === 'declaredValue' ? some.changes.map(({ kind }) => kind).join(', ') : amountText(per, some.billed),
      sourcesText(some.changes.map(({ source }) => source)),
    ]);

const namedText = (codes: readonly string[], services: readonly ServiceTerms[]): string =>
  codes.length === services.length ? 'all' : severalOf(codes, ' ', 3);

/** The maximum width of a description, which is longer than other cells. */
export const WIDEST = 60;

/** Merges equal rows of several services, and lists their codes. */
export const alike = (rows: readonly { readonly code: string; readonly cells: readonly string[] }[]) =>
  [...grouped(rows, ({ cells }) => cells.join('\n')).values()].map((same) => ({
    cells: must(same[0], 'a row').cells,
    codes: same.map(({ code }) => code),
  }));

/** The list's surcharges next to the billed ones. Services with equal rows share a row. */
export const surchargeLines = (services: readonly ServiceTerms[]): string[] => {
  const rows = alike(
    services.flatMap(({ code, surcharges }) => surcharges.flatMap(chargeRows).map((cells) => ({ code, cells }))),
  );
  if (rows.length === 0) return [];
  const several = services.length > 1;
  const names = rows.map(({ cells: [surcharge] }) => surcharge);
  const sorted = rows.toSorted(({ cells: [a] }, { cells: [b] }) => names.indexOf(a) - names.indexOf(b));
  return table(
    [
      ['surcharge', ...(several ? ['services'] : []), 'zones', 'list', 'billed', 'row'],
      ...sorted.map(({ cells: [surcharge = '', ...rest], codes }) => [
        surcharge,
        ...(several ? [namedText(codes, services)] : []),
        ...rest,
      ]),
    ],
    several ? ['left', 'left', 'left', 'right', 'right'] : ['left', 'left', 'right', 'right'],
    WIDEST,
  );
};

/** Whether to show a weight: each pound to 10, then fewer, and the last one. */
const isShown = (pounds: number, lastLb: number): boolean =>
  pounds <= 10 || pounds === lastLb || (pounds <= 50 ? pounds % 5 === 0 : pounds % 25 === 0);

const centsText = (cents: number | null | undefined): string => (cents == null ? '-' : dollarText(cents));

/** List, discount and net of each weight, in blocks of zones that fit the width. */
export const rateCardLines = ({ columns, rows }: RateCard, allWeights: boolean, width: number): string[] => {
  const lastLb = rows.at(-1)?.billingLb ?? 0;
  const shown = rows.filter(({ weight, billingLb }) => allWeights || !isNumber(weight) || isShown(billingLb, lastLb));
  const tableOf = (places: readonly number[]): string[] =>
    table(
      [
        ['lb', ...places.flatMap((at) => [`zone ${columns[at]}`, 'off', 'net'])],
        ...shown.map(({ weight, list, discount, net, swallowed }) => [
          weight,
          ...places.flatMap((at) => [
            centsText(list[at]),
            centsText(discount[at]),
            `${centsText(net[at])}${(swallowed[at] ?? 0) > 0 ? '*' : ' '}`,
          ]),
        ]),
      ],
      ['right', ...places.flatMap(() => ['right', 'right', 'right'] as const)],
    );
  const blocks: string[][] = [];
  for (let at = 0; at < columns.length; ) {
    let places = [at];
    let block = tableOf(places);
    for (let next = at + 1; next < columns.length; next++) {
      const longer = tableOf([...places, next]);
      if (longer.some((line) => line.length > width)) break;
      places = [...places, next];
      block = longer;
    }
    blocks.push(block);
    at += places.length;
  }
  const isSwallowed = shown.some(({ swallowed }) => swallowed.some((cents) => (cents ?? 0) > 0));
  return [
    ...blocks.flatMap((block, at) => (at === 0 ? block : ['', ...block])),
    ...(isSwallowed ? ['', '* The minimum cancels part of the discount.'] : []),
    ...(allWeights || shown.length === rows.length
      ? []
      : ['', `${counted(rows.length - shown.length, 'weight')} not shown: --all-weights shows them.`]),
  ];
};
