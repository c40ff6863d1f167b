/** Sentences about what a list costs by each service. The commands print them, and the console shows them. */
import { lazily } from '../../base/lazily.ts';
import type { AllServices } from '../output/summary.ts';

const counts = lazily(() => new Intl.NumberFormat('en-US'));
const dollars = lazily(() => new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }));
const shares = lazily(() => new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 }));
const names = lazily(() => new Intl.ListFormat('en-US'));

const shipments = (rows: number): string => `${counts().format(rows)} ${rows === 1 ? 'shipment' : 'shipments'}`;

type Totals = AllServices['services'][number];

/** A total, marked if some of its prices are incomplete. */
const atLeast = (total: number, incomplete: number): string =>
  `${incomplete > 0 ? 'at least ' : ''}${dollars().format(total)}`;

/** Describes the cost by one service for all rows, or by the service that takes the most rows. */
const oneService = ({ shippingService, shipments: taken, notServed, ...totals }: Totals): string => {
  const total = atLeast(totals.totalNetCharge, totals.incomplete);
  const asChosen = dollars().format(totals.sameShipmentsAsChosen);
  if (notServed > 0)
    return `No service takes all ${shipments(taken + notServed)}. ${shippingService} takes most, ${counts().format(taken)}: they cost ${total} by ${shippingService} and ${asChosen} as in the list.`;
  return taken === 1
    ? `If the shipment goes by ${shippingService}, it costs ${total}.`
    : `If all ${shipments(taken)} go by ${shippingService}, they cost ${total}.`;
};

const cheapest = ({ rows, totalAsChosen, totalCheapest, saving, ...all }: AllServices): string => {
  const service = `The cheapest service${rows === 1 ? '' : ' for each shipment'}`;
  const [total, listed] = [
    atLeast(totalCheapest, all.incompleteCheapest),
    atLeast(totalAsChosen, all.incompleteAsChosen),
  ];
  if (saving === 0) return `${service} costs ${total}, the same as in the list.`;
  const saves = all.incompleteAsChosen + all.incompleteCheapest === 0 ? 'saves' : 'seems to save';
  const share = shares().format(saving / totalAsChosen);
  return `${service} ${saves} ${dollars().format(saving)} (${share}): ${total} instead of ${listed} as in the list.`;
};

/** Warns about incomplete prices. A saving may only be a charge that one of two prices is missing. */
const incomplete = ({ rows, incompleteAsChosen, incompleteCheapest, services: [best] }: AllServices): string[] => {
  const counted = [
    { of: best?.shipments ?? 0, lacking: best?.incomplete ?? 0, by: `by ${best?.shippingService}` },
    { of: rows, lacking: incompleteCheapest, by: 'by the cheapest service' },
    { of: rows, lacking: incompleteAsChosen, by: 'as in the list' },
  ];
  const some = counted.filter(({ lacking }) => lacking > 0);
  if (some.length === 0) return [];
  return counted.every(({ of, lacking }) => lacking === of)
    ? ['All of these prices are incomplete, and the carrier will bill more.']
    : [
        `Some of these prices are incomplete, and the carrier will bill more: ${names().format(
          some.map(({ lacking, by }) => `${counts().format(lacking)} ${by}`),
        )}.`,
      ];
};

/** @returns an empty list if no row has a quote */
export const allServicesText = (all: AllServices): string[] => {
  const [best] = all.services;
  if (best === undefined || all.rows === 0) return [];
  return [cheapest(all), oneService(best), ...incomplete(all)];
};
