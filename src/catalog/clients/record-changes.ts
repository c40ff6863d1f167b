/** The differences between two records of a client, in words for the audit log. Omits secrets and signing keys. */
import { shownUrl } from '../../base/webhook/deliveries.ts';
import type { ShippingHours } from '../../rating/card.ts';
import type { AgreementEntry } from './agreement-entries.ts';
import type { ClientRecord } from './clients.ts';

export interface RecordChange {
  readonly what: string;
  /** The replaced value, which somebody else may have just set. Null: there was or is no value. */
  readonly before: string | null;
  readonly after: string | null;
}

/** `ships MON-FRI until 15:00 America/Phoenix` */
const hoursText = ({ days, cutoff, timeZone }: ShippingHours): string => {
  const until = cutoff === undefined ? '' : ` until ${cutoff}`;
  return `ships ${days.join(' ')}${until}, ${timeZone}`;
};

const warehouseText = ({ name, address, shipping }: ClientRecord['warehouses'][number]): string => {
  const { stateOrProvinceCode, postalCode, countryCode } = address;
  const country = countryCode === 'US' ? '' : `, ${countryCode}`;
  return `${name}, ${stateOrProvinceCode} ${postalCode}${country}${shipping ? `, ${hoursText(shipping)}` : ''}`;
};

const agreementText = ({ warehouses, account }: AgreementEntry): string =>
  [
    warehouses === undefined ? 'all warehouses' : `warehouses ${warehouses.join(', ')}`,
    ...(account === undefined ? [] : [`account ${account}`]),
  ].join('; ');

/** All displayable values of a record, by name. */
const factsOf = (client: ClientRecord | undefined): ReadonlyMap<string, string> => {
  if (client === undefined) return new Map();
  const { name, scopes, warehouses, discounts, agreements, drafts, limits, webhook, revoked } = client;
  const entries: (readonly [string, string])[] = [
    ['name', name],
    ['scopes', scopes.join(', ') || 'none'],
    ...warehouses.map((one) => [`warehouse ${one.warehouse_id}`, warehouseText(one)] as const),
    ...Object.entries(discounts).map(([service, percent]) => [`discount on ${service}`, `${percent}%`] as const),
    ...Object.entries(limits).map(([limit, most]) => [`limit ${limit}`, String(most)] as const),
    ...drafts.map((draft) => [`draft ${draft}`, 'to ask about'] as const),
    ...(webhook === undefined ? [] : [['webhook', shownUrl(webhook.url)] as const]),
    ...(revoked ? [['state', 'revoked'] as const] : []),
  ];
  const facts = new Map(entries);
  for (const entry of agreements) {
    const what = `agreement ${entry.name}`;
    const others = facts.get(what);
    facts.set(what, others === undefined ? agreementText(entry) : `${others} | ${agreementText(entry)}`);
  }
  return facts;
};

/** @param before undefined for a new client */
export const recordChanges = (before: ClientRecord | undefined, after: ClientRecord): readonly RecordChange[] => {
  const [old, now] = [factsOf(before), factsOf(after)];
  // Omits the limits of a new client, because they say nothing.
  const isShown = (what: string): boolean => before !== undefined || !what.startsWith('limit ');
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((what) => old.get(what) !== now.get(what) && isShown(what))
    .map((what) => ({ what, before: old.get(what) ?? null, after: now.get(what) ?? null }));
};
