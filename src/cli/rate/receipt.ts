/** A quote or a fault as text. */
import { must } from '../../base/must.ts';
import { sentencesOf } from '../../lists/columns/fault-words.ts';
import { zoneName } from '../../lists/columns/plain-words.ts';
import type { Explanation } from '../../rating/explain.ts';
import type { FaultBody } from '../../rating/fault.ts';
import type { Quote, RateQuote } from '../../rating/quote.ts';
import { amountText, counted, table } from '../format.ts';
import type { Line } from '../io.ts';

const weight = ({ shipmentDetail }: Quote): string => `${shipmentDetail.totalBillingWeight.value} LB`;

const bold = (text: string): Line => ({ style: 'bold', text });

const charges = (quote: Quote): Line[] => {
  const { surcharges, currency } = quote.shipmentDetail;
  const lines = table(
    [
      ['Base charge', amountText(quote.totalBaseCharge)],
      ...(quote.totalDiscounts > 0 ? [['Discount', amountText(-quote.totalDiscounts)]] : []),
      ...surcharges.map(({ description, amount }) => [description, amountText(amount)]),
      [`Total ${currency}`, amountText(quote.totalNetCharge)],
    ],
    ['left', 'right'],
    60,
  );
  const rule = '─'.repeat(Math.max(...lines.map((line) => line.length)));
  return [...lines.slice(0, -1), rule, bold(must(lines.at(-1), 'the total'))];
};

/** `2 days, 2026-11-30`. Empty if the days are unknown. */
const arrival = ({ transitDays, deliveryDate }: Quote): string => {
  if (transitDays === undefined) return '';
  const days = counted(transitDays, 'day');
  return deliveryDate === undefined ? days : `${days}, ${deliveryDate}`;
};

const ROUNDED: Readonly<Record<Explanation['sideRounding'], string>> = {
  none: 'as they are',
  nearest: 'rounded to the nearest inch',
  up: 'rounded up to the inch',
};

const explained = (explanation: Explanation): string[] => {
  const { zone, billing, dimensionalFactor, sideRounding, packages, shipment, transit } = explanation;
  const from = `${zone.chart}, ${zone.origin} to ${zone.destination}${zone.estimated ? ', estimated' : ''}${zone.chartDate === undefined ? '' : `, a chart of ${zone.chartDate}`}`;
  const lines = [
    `Zone ${zoneName(zone.rateZone, zone.carrierZone)} by ${from}. Dimensional factor ${dimensionalFactor}, sides ${ROUNDED[sideRounding]}.`,
    ...(billing === undefined ? [] : [`Billing: ${billing.replace('_', ' ')}.`]),
  ];
  const all = (entries: Explanation['packages'][number]['charges']): void => {
    for (const { description, amount, computation, because, source } of entries) {
      const notes = [...because, ...(source === undefined ? [] : [source])];
      lines.push(
        `  ${description} ${amountText(amount)} = ${computation}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`,
      );
    }
  };
  const less = (discounts: Explanation['packages'][number]['discounts'] = []): void => {
    for (const { description, amount, computation, source } of discounts)
      lines.push(
        `  ${description} ${amountText(-amount || 0)} = ${computation}${source === undefined ? '' : ` (${source})`}`,
      );
  };
  for (const [index, part] of packages.entries()) {
    const { actualWeight, dimensionalWeight, dimensionalFactor: own, billingWeight, billed, rateCell } = part;
    const by = own === undefined ? '' : ` by ${own}`;
    const dimensional = dimensionalWeight.value > 0 ? `, dimensional ${dimensionalWeight.value} LB${by}` : '';
    lines.push(
      `Package ${index + 1}: actual ${actualWeight.value} LB rounded up${dimensional}, billed ${billingWeight.value} LB (${billed})`,
      `  Base ${amountText(part.baseCharge)} from ${rateCell.table}, row ${rateCell.row}, column ${rateCell.column}`,
    );
    if (shipment?.rateCell === undefined) less(part.discounts);
    all(part.charges);
  }
  const { rateCell, actualWeight, dimensionalWeight, ratedWeight, baseCharge, computation } = shipment ?? {};
  if (shipment !== undefined && (shipment.charges.length > 0 || rateCell !== undefined))
    lines.push('All packages as one shipment:');
  if (rateCell !== undefined && ratedWeight !== undefined && baseCharge !== undefined)
    lines.push(
      `  Base ${amountText(baseCharge)}, which costs less than the packages one by one, at ${ratedWeight.value} LB from ${rateCell.table}, row ${rateCell.row}, column ${rateCell.column}${computation === undefined ? '' : `: ${computation}`}`,
      `  All packages together: actual ${must(actualWeight, 'the actual weight').value} LB, dimensional ${must(dimensionalWeight, 'the dimensional weight').value} LB`,
    );
  less(shipment?.discounts);
  all(shipment?.charges ?? []);
  if (transit !== undefined) {
    const { transitDays, origin, destination, days, reason } = transit;
    const after = transit.afterCutoff ? ' The cutoff had passed.' : '';
    lines.push(
      `${counted(transitDays, 'business day')} from ${origin} to ${destination}.${after}`,
      ...days.map(({ date, note }) => `  ${date}: ${note}`),
      ...(reason === undefined ? [] : [`  There is no date: ${reason}`]),
    );
  }
  return lines;
};

const compared = (quotes: readonly Quote[]): string[] => {
  const hasDays = quotes.some(({ transitDays }) => transitDays !== undefined);
  return table(
    quotes.map((quote) => [
      `  ${quote.shippingService}`,
      quote.carrier,
      `zone ${quote.shipmentDetail.carrierZone}`,
      weight(quote),
      amountText(quote.totalNetCharge),
      ...(hasDays ? [arrival(quote)] : []),
      (quote.warnings ?? []).map(({ type }) => type).join(', '),
    ]),
    ['left', 'left', 'left', 'right', 'right', ...(hasDays ? ['left' as const] : []), 'left'],
  );
};

const textOf = ({ type, message, arguments: args }: FaultBody): string => sentencesOf(type, message, args).join(' ');

/** For several warehouses: the price from each, or the reason why there is none. */
const comparedFrom = (warehouses: NonNullable<RateQuote['warehouses']>, chosen: number | undefined): string[] =>
  table(
    warehouses.map((one) =>
      'fault' in one
        ? [`  ${one.warehouse_id}`, '', '', `no quote: ${textOf(one.fault)}`]
        : [
            `  ${one.warehouse_id}`,
            one.shippingService,
            amountText(one.totalNetCharge),
            [...(one.warehouse_id === chosen ? ['chosen'] : []), ...(one.warnings ?? []).map(({ type }) => type)].join(
              ', ',
            ),
          ],
    ),
    ['left', 'left', 'right', 'left'],
  );

/** @returns the lines of a receipt: charges, compared warehouses and services, and why others are unavailable */
export const receipt = (quote: RateQuote): Line[] => {
  const { quotes = [], unavailable = [], warehouses = [], warehouse_id: chosen } = quote;
  const rates = quote.rateType === 'LIST' ? 'list rates' : "the account's rates";
  const arrives = quote.transitDays === undefined ? '' : `, arrives in ${arrival(quote)}`;
  return [
    bold(`${quote.shippingService} by ${quote.carrier}${chosen === undefined ? '' : ` from warehouse ${chosen}`}`),
    {
      style: 'dim',
      text: `zone ${quote.shipmentDetail.carrierZone}, billed at ${weight(quote)}, ${rates}, tariff ${quote.tariff}${arrives}`,
    },
    ...(quote.warnings ?? []).map(({ type, message }) => bold(`Warning: ${message} (${type})`)),
    '',
    ...charges(quote),
    ...(warehouses.length > 0 ? ['', bold('From each warehouse'), ...comparedFrom(warehouses, chosen)] : []),
    ...(quotes.length > 1
      ? ['', bold(`All services${chosen === undefined ? '' : ` from ${chosen}`}, cheapest first`), ...compared(quotes)]
      : []),
    ...(unavailable.length > 0 ? ['', bold('Not available')] : []),
    ...unavailable.map(({ shippingService, fault }) => `  ${shippingService}: ${textOf(fault)}`),
    ...(quote.explanation === undefined ? [] : ['', ...explained(quote.explanation)]),
  ];
};

/** @returns the lines of a fault: the problem, or a line per field if there are several */
export const faultLines = ({ type, message, arguments: args }: FaultBody): string[] => {
  const [first = '', ...more] = sentencesOf(type, message, args);
  return [`No quote: ${first} (${type})`, ...more.map((sentence) => `  ${sentence}`)];
};
