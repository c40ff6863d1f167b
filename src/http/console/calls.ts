/** The console's own calls, which the OpenAPI document leaves out: tariffs, drafts for comparisons, and mappings. */
import { z } from 'zod';
import { Failed } from '../../base/failed.ts';
import { HEADER_KEY, MOST_MAPPINGS, mappingName, mappingToKeep } from '../../batch/kept/mappings.ts';
import { NO_WAREHOUSE } from '../../catalog/agreement/account.ts';
import { cardBodyOf } from '../../catalog/agreement/view/card.ts';
import { tariffsBodyOf, zoneMapOf } from '../../catalog/tariff/view/tariffs.ts';
import type { Card, RateBook } from '../../rating/card.ts';
import type { Result } from '../../rating/fault.ts';
import { cardIn, warehouseOf, zip5Of } from '../../rating/rate.ts';
import { invalid } from '../input.ts';
import { pathOf } from '../routes.ts';
import { call, type Service } from '../service.ts';
import { rowCalls } from './rows.ts';
import { sessionCalls } from './session.ts';

const warehouseId = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be the number of a warehouse')
  .transform(Number);

const zonesQuery = z.strictObject({
  service: z.string().min(1).max(10),
  date: z.iso.date('must be YYYY-MM-DD').optional(),
  warehouse_id: warehouseId,
});
const cardQuery = zonesQuery.extend({
  warehouse_id: warehouseId.optional(),
  address: z.enum(['commercial', 'residential'], 'must be commercial or residential').default('commercial'),
});

/** The cards of a day. Default: today. */
const bookOn = ({ tariffs, now }: Service, day: string | undefined): RateBook =>
  day === undefined ? tariffs.current().bookAt(now()) : tariffs.current().bookOn(day);

/** The card of a service on a day. Default: today. */
const cardOn = (service: Service, code: string, day: string | undefined): Result<Card> => {
  const book = bookOn(service, day);
  if (book.cards.length === 0) return new Failed({ type: 'getRates.noTariff', shipDate: book.day });
  return cardIn(book, code);
};

/** Enough for the longest names of columns and services. */
const MAPPING_BYTES = 128 * 1024;

export const CONSOLE_CALLS = {
  ...sessionCalls,
  listTariffs: call({
    ...{ is: 'GET /console/tariffs', caller: 'client', limit: 'reads' },
    handle: ({ service: { tariffs, now }, client }) => tariffsBodyOf(tariffs.current(), now(), client),
  }),
  /** Names of the draft agreements that the client may use in comparisons. */
  listDrafts: call({
    ...{ is: 'GET /console/drafts', caller: 'client', limit: 'reads' },
    handle: ({ client }) => ({ drafts: client.drafts }),
  }),
  getZones: call({
    ...{ is: 'GET /console/tariffs/zones', caller: 'client', limit: 'reads' },
    query: zonesQuery,
    handle: ({ service, client, query }) => {
      const card = cardOn(service, query.service, query.date);
      if (card instanceof Failed) return card;
      const warehouse = warehouseOf(query.warehouse_id, client);
      return warehouse instanceof Failed ? warehouse : zoneMapOf(card, warehouse);
    },
  }),
  getCard: call({
    ...{ is: 'GET /console/tariffs/card', caller: 'client', limit: 'reads' },
    query: cardQuery,
    handle: ({ service, client, query }) => {
      const { date, warehouse_id: warehouseId, address } = query;
      const card = cardOn(service, query.service, date);
      if (card instanceof Failed) return card;
      const warehouse = warehouseId === undefined ? undefined : warehouseOf(warehouseId, client);
      if (warehouse instanceof Failed) return warehouse;
      const book = bookOn(service, date);
      const terms = client.account.termsOn(book, warehouse?.id ?? NO_WAREHOUSE)[book.cards.indexOf(card)];
      const origin = warehouse === undefined ? undefined : zip5Of(warehouse.postalCode);
      return cardBodyOf(card, terms, address === 'residential', origin);
    },
  }),
  /** The client's saved mappings for lists with the same header, last saved first. */
  listMappings: call({
    ...{ is: 'GET /console/mappings', caller: 'batch', limit: 'reads' },
    query: z.strictObject({
      headerKey: z.string().regex(HEADER_KEY, 'must be the headerKey of a preview').optional(),
    }),
    handle: async ({ service: { mappings }, client, query }) => ({
      mappings: await mappings.list(client.id, query.headerKey),
      most: MOST_MAPPINGS,
    }),
  }),
  saveMapping: call({
    ...{ is: 'POST /console/mappings', caller: 'batch', limit: 'reads' },
    body: mappingToKeep,
    bytes: MAPPING_BYTES,
    handle: async ({ service: { mappings }, client, body }) => {
      const full = { limit: 'mappings', most: String(MOST_MAPPINGS), way: 'delete one first' };
      return (await mappings.save(client.id, body)) ?? new Failed({ type: 'request.tooLarge', ...full } as const);
    },
  }),
  renameMapping: call({
    ...{ is: 'POST /console/mappings/{id}', caller: 'batch', limit: 'reads' },
    body: mappingName,
    find: ({ service: { mappings }, client, id }) => mappings.find(client.id, id),
    handle: async ({ service: { mappings }, client, found, body: { name } }) => {
      const message = 'is the name of another mapping for the same column names';
      return (await mappings.rename(client.id, found, name)) ?? invalid({ name: message });
    },
  }),
  deleteMapping: call({
    ...{ is: 'DELETE /console/mappings/{id}', caller: 'batch', limit: 'reads' },
    handle: async ({ service: { mappings }, client, id, req }) =>
      (await mappings.remove(client.id, id))
        ? undefined
        : new Failed({ type: 'request.notFound', path: pathOf(req) } as const),
  }),
  ...rowCalls,
};
