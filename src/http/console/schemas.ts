/**
 * Answers and queries of the console's own calls. The pages take their types from here; tests check answers against them.
 * The calls that it shares with the API (`/console/v1/…`) are those of the OpenAPI document.
 */
import { z } from 'zod';
import { HEADER_KEY, keptMapping } from '../../batch/kept-mappings.ts';
import { ROW_ORDERS } from '../../batch/sorted-rows.ts';
import { SCOPES } from '../../clients/clients.ts';
import { FIELD_NAMES } from '../../rating/fields.ts';
import { rateQuoteSchema } from '../../rating/quote.ts';
import { WEIGHT_BANDS } from '../../rows/tally.ts';
import { DOWNLOAD_QUERIES } from '../batch-options.ts';

/** `GET` and `POST /console/session`. */
export const sessionBody = z.object({
  /** Who is signed in; null if nobody is. */
  client: z.object({ id: z.string(), name: z.string(), scopes: z.array(z.enum(SCOPES)) }).nullable(),
  /** The value of `X-CSRF-Token` for every call that changes something. */
  csrf: z.string().nullable(),
  /** Credentials for trying things out; empty if the service does not accept them. */
  samples: z.array(z.object({ client_id: z.string(), client_secret: z.string() })),
});
export type SessionBody = z.output<typeof sessionBody>;

/** `GET /console/mappings`, the mappings saved last first. */
export const mappingsBody = z.object({ mappings: z.array(keptMapping), most: z.int() });
export const mappingsQuery = z.strictObject({
  headerKey: z.string().regex(HEADER_KEY, 'must be the headerKey of a preview').optional(),
});

const inForce = z.enum(['now', 'later', 'past']);

/** Whether the tariff has a part of the price, lacks it, or the carrier does not charge it. */
const part = z.enum(['present', 'missing', 'none']);

/**
 * What a tariff has for a service, today or on its first day.
 * @param warehouse how warehouses are named: those of one client by their ids
 */
export const coverageRow = <W extends z.ZodType>(warehouse: W) =>
  z.object({
    shippingService: z.string(),
    /** The warehouses by how their zones are known. */
    zones: z.array(
      z.object({ zones: z.enum(['charted', 'distance', 'estimated', 'unreached']), warehouses: z.array(warehouse) }),
    ),
    /** In percent, such as `26.00`; null if there is no rate on that day. Dates are `YYYY-MM-DD`. */
    fuelPercent: z.string().nullable(),
    /** The last day with a fuel rate; null if there is no end, or there was no rate. */
    fuelLastDay: z.string().nullable(),
    /** If there is no rate on that day: the first day with one. */
    fuelNextDay: z.string().nullable(),
    areaTiers: z.int(),
    areaZipCodes: z.int(),
    maximumLengthIn: z.int().nullable(),
    maximumLengthPlusGirthIn: z.int().nullable(),
    parts: z.object({
      fuel: part,
      residential: part,
      deliveryArea: part,
      handling: part,
      limits: part,
      signature: part,
      saturday: part,
      declaredValue: part,
    }),
  });

/** `GET /console/tariffs` */
export const tariffsBody = z.object({
  tariffs: z.array(
    z.object({
      /** Name and version, as in `?tariff=`. */
      id: z.string(),
      name: z.string(),
      version: z.string(),
      description: z.string(),
      /** `YYYY-MM-DD` */
      effectiveDate: z.string(),
      /** Whether it is in force only while no other tariff is. */
      fallback: z.boolean(),
      /** `now` if any of its services is in force; `past` if others have replaced all of them. */
      inForce,
      services: z.array(
        z.object({
          shippingService: z.string(),
          carrier: z.string(),
          description: z.string(),
          addressLineRequired: z.boolean(),
          maximumWeightLb: z.int(),
          dimensionalFactor: z.int(),
          inForce,
        }),
      ),
      /** Of the services that are in force or to come. */
      coverage: z.object({ date: z.string(), services: z.array(coverageRow(z.int())) }),
    }),
  ),
  /** Fuel rates of services in force that have ended, or end within a week. */
  fuelEnds: z.array(
    z.object({
      carrier: z.string(),
      services: z.array(z.string()),
      /** Whether these are all services of the carrier in the tariff. */
      allServices: z.boolean(),
      lastDay: z.string(),
      hasEnded: z.boolean(),
      /** Whether the last rate holds on. */
      carries: z.boolean(),
    }),
  ),
  /** The client's warehouses that no zone chart has today, by carrier. */
  uncharted: z.array(
    z.object({
      warehouse_id: z.int(),
      carrier: z.string(),
      services: z.array(z.string()),
      /** Whether these are all services of the carrier. */
      allServices: z.boolean(),
      /** Whether zones from there are estimated by distance, or shipments from there are not served. */
      zones: z.enum(['estimated', 'unreached']),
    }),
  ),
});
export type TariffsBody = z.output<typeof tariffsBody>;

/** `GET /console/drafts`: the names of agreements that the client may ask about in comparisons. */
export const draftsBody = z.object({ drafts: z.array(z.string()) });
export type DraftsBody = z.output<typeof draftsBody>;

const warehouseId = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be the number of a warehouse')
  .transform(Number);

export const zonesQuery = z.strictObject({
  service: z.string().min(1).max(10),
  date: z.iso.date('must be YYYY-MM-DD').optional(),
  warehouse_id: warehouseId,
});
export const cardQuery = zonesQuery.extend({
  warehouse_id: warehouseId.optional(),
  address: z.enum(['commercial', 'residential'], 'must be commercial or residential').default('commercial'),
});

/** `GET /console/tariffs/zones?service=&warehouse_id=&date=`; the date is `YYYY-MM-DD`, today unless given. */
export const zonesBody = z.object({
  shippingService: z.string(),
  tariff: z.string(),
  /** The centroid of its ZIP3; null if it is unknown. */
  origin: z.object({ zip3: z.string(), lat: z.number().nullable(), lon: z.number().nullable() }),
  /** For each ZIP3, the zone (`1` to `8`) of most of its ZIP codes. A ZIP3 that is not served is absent. */
  zones: z.record(z.string(), z.string()),
  /** How many ZIP3s have ZIP codes of other zones too. */
  exceptions: z.int(),
  /** Whether the zones were estimated from distances, because no chart has this origin. */
  estimated: z.boolean(),
});
export type ZonesBody = z.output<typeof zonesBody>;

/** By rate column, in order; null if there is no rate. */
const charges = z.array(z.int().nullable());

/** The client's discount by rate column, in percent such as `12.50`. */
const percents = z.array(z.string());

/**
 * `GET /console/tariffs/card?service=&date=&warehouse_id=&address=`: a service's rate card for the client. All charges are
 * cents. Without a warehouse, agreements for some warehouses alone do not count.
 */
export const cardBody = z.object({
  shippingService: z.string(),
  carrier: z.string(),
  description: z.string(),
  tariff: z.string(),
  rateType: z.enum(['LIST', 'ACCOUNT']),
  /** The agreement that the prices follow; null for list prices and discounts of the client's own settings. */
  agreement: z.string().nullable(),
  /** The last day of the agreement, if it is over: the price is the list's. */
  endedOn: z.string().nullable(),
  /** What the prices are for: the address of the query, or the only one that the service goes to. */
  address: z.enum(['commercial', 'residential']),
  /** Whether the list's charges below are the agreement's own. */
  ownRates: z.boolean(),
  /** The rate columns of the card, mostly named like their zones. */
  zones: z.array(z.string()),
  /** The zone, `1` to `8`, that each column is reported as. */
  rateZones: z.array(z.string()),
  rows: z.array(
    z.object({
      /** In pounds, or `8 oz`. */
      weight: z.string(),
      list: charges,
      net: charges,
      /** What decided the net charge in place of the percentages. */
      limits: z.array(z.enum(['minimum', 'cap']).nullable()),
    }),
  ),
  /** For each pound of a heavier package; null if such packages are not served. */
  above: z.object({ topLb: z.int(), charges, percents }).nullable(),
  /** A discount never takes a package's base charge below this. */
  minimumChargeCents: z.int(),
  listMinimumChargeCents: z.int(),
  /** A price for each pound of a whole shipment that weighs enough. The percentages are those at `fromLb`. */
  multiweight: z
    .object({
      minimumTotalLb: z.int(),
      minimumAverageLb: z.int(),
      breaks: z.array(z.object({ fromLb: z.int(), charges, percents })),
    })
    .nullable(),
  surcharges: z.array(
    z.object({
      type: z.string(),
      description: z.string(),
      /** How it is computed: `$4.20 per package`, `12.50% of base, RESIDENTIAL`. */
      computation: z.string(),
      /** What the client pays instead: `$3.15 per package`, `waived`; null if it pays the list's. */
      yours: z.string().nullable(),
      /** All conditions that must hold; none: it is always charged. */
      because: z.array(z.string()),
    }),
  ),
});
export type CardBody = z.output<typeof cardBody>;

/** `GET /console/centroids`: by ZIP3 its centroid's latitude and longitude in degrees. */
export const centroidsBody = z.record(z.string(), z.tuple([z.number(), z.number()]));
export type CentroidsBody = z.output<typeof centroidsBody>;

/**
 * `GET /console/v1/client/shipment/rates/batches/{id}/rows?from=&limit=&outcome=&fault=&service=&zone=&carrierZone=&weight=&search=&sort=&revision=`:
 * rows of the output.
 * `from` is how many rows of the list to skip, whatever their outcome (default 0); with a `sort`, how many rows of that order. `limit` is 1 to 200 (default 50).
 * `fault` is the type of a fault. A running batch has the finished rows from the top without a gap.
 */
export const rowsBody = z.object({
  revision: z.int(),
  /** Whether all rows of the list are done. False if the batch was cancelled or failed before. */
  complete: z.boolean(),
  /** The output's columns. */
  header: z.array(z.string()),
  /** For each field, the index of its column. A field without a column is absent. */
  fields: z.partialRecord(z.enum(FIELD_NAMES), z.int()),
  /** At most `limit` rows; fewer if they are very long. */
  rows: z.array(z.object({ input_row: z.int(), cells: z.array(z.string()) })),
  /**
   * The `from` of the next page; null if there are no more rows (yet). With a service, a zone, a weight or a search, a page
   * may be empty although there is a next one.
   */
  next: z.int().nullable(),
  /** The number of all these rows; null while the batch runs for the first time, and with a search or several filters. */
  total: z.int().nullable(),
  /** With a `sort`: the last row of the list that is in the order. Null if all rows are. */
  sortedTo: z.int().nullable(),
});
export type RowsBody = z.output<typeof rowsBody>;

const ROW_OUTCOMES = ['all', 'quoted', 'faulted'] as const;
const MOST_ROWS = 200;
const LIMIT_RULE = `must be a whole number from 1 to ${MOST_ROWS}`;

export const pageFrom = z
  .string()
  .regex(/^\d{1,10}$/, 'must be a whole number from 0')
  .transform(Number)
  .default(0);
export const pageLimit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, LIMIT_RULE)
  .transform(Number)
  .refine((limit) => limit <= MOST_ROWS, LIMIT_RULE)
  .default(50);

const BANDS = [...WEIGHT_BANDS.map(String), 'over'];
const weightBandQuery = z.enum(BANDS, `must be one of ${BANDS.join(', ')}`);

export const rowsQuery = DOWNLOAD_QUERIES.summary
  .extend({
    from: pageFrom,
    limit: pageLimit,
    outcome: z.enum(ROW_OUTCOMES, `must be one of ${ROW_OUTCOMES.join(', ')}`).default('all'),
    fault: z.string().min(1).max(64).optional(),
    service: z.string().min(1).max(64).optional(),
    zone: z.string().min(1).max(16).optional(),
    /** As the carrier names it. */
    carrierZone: z.string().min(1).max(100).optional(),
    /** The upper bound of a weight band in pounds, or `over`. */
    weight: weightBandQuery.optional(),
    /** Text in one of the list's own cells. */
    search: z.string().min(1).max(100).optional(),
    /** Absent: the order of the list. With `-`, the greatest comes first. Rows without a quote come last. */
    sort: z.enum(ROW_ORDERS, `must be one of ${ROW_ORDERS.join(', ')}`).optional(),
  })
  .refine(({ outcome, fault }) => fault === undefined || outcome === 'faulted', {
    path: ['fault'],
    message: 'goes with outcome=faulted only',
  });

/** `GET /console/v1/client/shipment/rates/batches/{id}/row?row=&revision=`: the quote of one row, counted from 1. */
export const rowBody = z.object({
  input_row: z.int(),
  /** With explanations; null if the row has a fault. */
  quote: rateQuoteSchema.nullable(),
  /** Null if the row has a quote. */
  fault: z.object({ type: z.string(), message: z.string() }).nullable(),
  /** In dollars; null if the output has a fault. It differs from the quote's if a later version computes another price. */
  outputNetCharge: z.number().nullable(),
});

export const rowQuery = DOWNLOAD_QUERIES.summary.extend({
  row: z
    .string('must be the number of a row')
    .regex(/^[1-9]\d{0,9}$/, 'must be the number of a row')
    .transform(Number),
});

/**
 * `GET /console/v1/client/shipment/rates/batches/{id}/mending?revision=`: how many faulted rows get a quote if they are
 * repaired. Corrections with `?repair=all` do that.
 */
export const mendingBody = z.object({
  /** Faulted rows that were looked at, from the top, and whether these are all. */
  looked: z.int(),
  all: z.boolean(),
  /** How many of them get a quote. */
  rows: z.int(),
  /** By the column that a repair changes, most rows first. */
  columns: z.array(
    z.object({
      column: z.string(),
      rows: z.int(),
      example: z.object({ row: z.int(), from: z.string(), to: z.string() }),
    }),
  ),
});
