/** Text for parts of an agreement. */
import type { Agreement } from '../calls.ts';
import { allOf, dayOf } from '../ui/format.ts';

export const STATES = { now: 'in force', later: 'upcoming', past: 'ended' } as const;

/** Formats `Tier 2`. A tier whose name is a word keeps that name. */
export const tierText = (tier: string): string => (/^\d/.test(tier) ? `Tier ${tier}` : tier);

/** @param services null for all services of the carrier */
export const servicesText = (
  services: readonly string[] | null,
  { carrier, services: own }: Pick<Agreement, 'carrier' | 'services'>,
): string => {
  if (services === null) return `All ${carrier} services`;
  const others = own.filter(({ shippingService }) => !services.includes(shippingService));
  if (own.length > 1 && others.length === 0) return `All ${carrier} services`;
  if (others.length === 1 && services.length > 2) return `All ${carrier} services except ${others[0]?.description}`;
  return services.map((code) => own.find((one) => one.shippingService === code)?.description ?? code).join(', ');
};

export const HIGHEST = 'only the highest of the handling charges';

/** The conditions of a surcharge that its name does not mention. A line above the table names the highest charge. */
export const conditionText = (description: string, because: readonly string[]): string =>
  because
    .filter((reason) => reason !== 'ZIP code in this area' && reason !== HIGHEST)
    .filter((reason) => !description.toLowerCase().includes(reason.replace(/ address$/, '')))
    .join('; ');

export const highestText = (surcharges: readonly { readonly because: readonly string[] }[]): string =>
  surcharges.some(({ because }) => because.includes(HIGHEST)) ? ' Only the highest handling charge applies.' : '';

/** The changes of a surcharge, with `25.00% off` as `25% off` and dates in words. Changes for different zones are alternatives, not a sequence. */
export const changesText = (changes: readonly string[]): string =>
  changes
    .map((text) =>
      text
        .replaceAll(/\d{1,3}\.\d\d%/g, (percent) => `${Number.parseFloat(percent)}%`)
        .replaceAll(/\d{4}-\d\d-\d\d/g, (day) => dayOf(day)),
    )
    .join(changes.some((text) => / in zones? /.test(text)) ? '; ' : ', then ');

type Account = Agreement['accounts'][number];

export const accountText = ({ account, warehouses }: Account): string => {
  const where = warehouses === null ? 'all warehouses' : `warehouses ${allOf(warehouses.map(String))}`;
  return account === null ? where : `account ${account}, ${where}`;
};

export const periodText = ({ effective, until }: Pick<Agreement, 'effective' | 'until'>): string =>
  until === null ? `from ${dayOf(effective)}` : `${dayOf(effective)} to ${dayOf(until)}`;

type Tier = NonNullable<Agreement['tier']>;

/** Why a tier is in force. @param figure the figure that determines the tier */
export const tierReason = ({ by, since, until }: Tier, figure = 'average spend'): string => {
  const from = since === null ? '' : ` since ${dayOf(since)}`;
  const to = until === null ? '' : `, until ${dayOf(until)}`;
  switch (by) {
    case 'agreed':
      return `agreed with the carrier${from}${to}`;
    case 'grace':
      return `in the grace period${to}`;
    case 'average':
      return `${from.trim()}${to}, by ${figure}`.replace(/^, /, '');
    case 'unknown':
      return `no ${figure === 'average spend' ? 'spend' : figure} is known yet`;
    default:
      return by satisfies never;
  }
};

const BILLED = { shipper: 'shipper', recipient: 'recipient', third_party: 'third party', return: 'return' } as const;

/** Formats `Billing: recipient, third party`. Empty if it does not depend on who pays. */
export const billingText = (billing: Agreement['discounts'][number]['billing']): string =>
  billing === null ? '' : `Billing: ${billing.map((one) => BILLED[one]).join(', ')}`;
