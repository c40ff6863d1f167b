/**
 * The real headers of shops, marketplaces, shipping tools and carriers, with made-up rows (`headers/*.csv`): what a user
 * answers to the questions, and the equivalent single call of the first row.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Export {
  /** The name of the fixture file, without its extension. */
  readonly file: string;
  readonly title: string;
  /** The source of the header. */
  readonly source: string;
  /** Whether the export has no weights, so that the user adds a column `Weight (lb)`. */
  readonly lacksWeight?: true;
  /** The remaining values for all rows. */
  readonly said: string;
  /** The body of the single call for the first row. */
  readonly call: unknown;
}

export const listOf = ({ file, lacksWeight }: Export): string => {
  const text = readFileSync(join(import.meta.dirname, 'headers', `${file}.csv`), 'utf8');
  if (lacksWeight !== true) return text;
  const lines = text.split('\n').filter((line) => !/^,*$/.test(line));
  const separator = lines[0]?.includes('\t') ? '\t' : ',';
  return lines.map((line, index) => `${line}${separator}${index === 0 ? 'Weight (lb)' : '2.1'}\n`).join('');
};

interface Shipped {
  readonly service?: string;
  readonly weight?: number;
  readonly residential?: boolean;
  readonly box?: boolean;
  readonly packages?: number;
}

/** To 1 Main St, 60601, from warehouse 101: what each export's first row says, in a request's own terms. */
const call = ({ service, weight = 2.1, residential, box = true, packages = 1 }: Shipped): unknown => ({
  rates: {
    ...(service === undefined ? {} : { shippingService: service }),
    shipper: { warehouse_id: 101 },
    recipient: {
      address: {
        addressLine: '1 Main St',
        postalCode: '60601',
        countryCode: 'US',
        ...(residential === undefined ? {} : { residential }),
      },
    },
    packageItems: Array.from({ length: packages }, () => ({
      weight: { units: 'LB', value: weight },
      ...(box ? { dimensions: { units: 'IN', length: 10, width: 8, height: 4 } } : {}),
    })),
  },
});

/** 2 lb 3 oz, or 35 oz, in pounds. */
const TWO_POUNDS_THREE = 2.1875;
const WEIGHTLESS = { lacksWeight: true, said: 'warehouse_id=101' } as const;

export const EXPORTS: readonly Export[] = [
  {
    file: 'shopify-orders',
    title: 'Shopify, orders',
    source: 'Shopify admin, Orders, Export',
    ...WEIGHTLESS,
    call: call({ box: false }),
  },
  {
    file: 'woocommerce-order-export',
    title: 'WooCommerce, Advanced Order Export',
    source: "the plugin's default columns and Order Total Weight",
    said: 'warehouse_id=101&units=LB',
    call: call({ weight: 2, box: false }),
  },
  {
    file: 'woocommerce-csv-export',
    title: 'WooCommerce, Customer/Order CSV Export',
    source: "the plugin's default columns",
    ...WEIGHTLESS,
    call: call({ box: false }),
  },
  {
    file: 'shipstation-orders',
    title: 'ShipStation, order report',
    source: 'ShipStation, Insights, custom order report',
    said: 'warehouse_id=101&dimension_units=IN',
    call: call({ service: 'UPS-GROUND', weight: TWO_POUNDS_THREE, residential: true }),
  },
  {
    file: 'shipstation-shipments',
    title: 'ShipStation, shipment report',
    source: 'ShipStation, Insights, custom shipment report',
    said: 'warehouse_id=101&dimension_units=IN',
    call: call({ service: 'UPS-2DAY', weight: TWO_POUNDS_THREE / 2, residential: false, packages: 2 }),
  },
  {
    file: 'shipstation-import',
    title: 'ShipStation, order import',
    source: "ShipStation's sample file of its CSV import",
    said: 'warehouse_id=101&dimension_units=IN',
    call: call({ weight: TWO_POUNDS_THREE }),
  },
  {
    file: 'pirate-ship-import',
    title: 'Pirate Ship, spreadsheet import',
    source: "Pirate Ship's sample spreadsheet",
    said: 'warehouse_id=101&dimension_units=IN',
    call: call({ weight: TWO_POUNDS_THREE }),
  },
  {
    file: 'pirate-ship-shipments',
    title: 'Pirate Ship, shipments',
    source: 'Pirate Ship, Ship, Export',
    said: 'warehouse_id=101&dimension_units=IN&columns=shipDate:',
    call: call({ service: 'UPS-GROUND', weight: TWO_POUNDS_THREE }),
  },
  {
    file: 'easypost-labels',
    title: 'EasyPost, label upload',
    source: "EasyPost's CSV of shipments to buy",
    said: 'warehouse_id=101&units=OZ&dimension_units=IN',
    call: call({ service: 'FDX-GROUND', weight: TWO_POUNDS_THREE }),
  },
  {
    file: 'easypost-shipment-report',
    title: 'EasyPost, shipment report',
    source: 'EasyPost, Reports, shipment report',
    said: 'warehouse_id=101&units=OZ&dimension_units=IN&service_map=Ground:UPS-GROUND',
    call: call({ service: 'UPS-GROUND', weight: TWO_POUNDS_THREE }),
  },
  {
    file: 'amazon-orders',
    title: 'Amazon, order report',
    source: 'Seller Central, Order Reports',
    ...WEIGHTLESS,
    call: call({ box: false }),
  },
  {
    file: 'amazon-fulfilled-shipments',
    title: 'Amazon, fulfilled shipments',
    source: 'Seller Central, Amazon Fulfilled Shipments',
    lacksWeight: true,
    said: 'warehouse_id=101&columns=shipDate:',
    call: call({ box: false }),
  },
  {
    file: 'ebay-orders',
    title: 'eBay, orders',
    source: 'Seller Hub, Orders, Download report',
    ...WEIGHTLESS,
    call: call({ service: 'UPS-GROUND', box: false }),
  },
  {
    file: 'etsy-orders',
    title: 'Etsy, orders',
    source: 'Shop Manager, Download Data, Orders',
    ...WEIGHTLESS,
    call: call({ box: false }),
  },
  {
    file: 'etsy-order-items',
    title: 'Etsy, order items',
    source: 'Shop Manager, Download Data, Order Items',
    ...WEIGHTLESS,
    call: call({ box: false }),
  },
  {
    file: 'bigcommerce-orders',
    title: 'BigCommerce, orders',
    source: 'BigCommerce, Orders, Export',
    lacksWeight: true,
    said: 'warehouse_id=101&columns=shippingService:Ship Method',
    call: call({ service: 'UPS-GROUND', box: false }),
  },
  {
    file: 'shippo-orders',
    title: 'Shippo, order import',
    source: "Shippo's template of its CSV upload",
    said: 'warehouse_id=101',
    call: call({ weight: TWO_POUNDS_THREE }),
  },
  {
    file: 'ups-worldship',
    title: 'UPS WorldShip, export',
    source: "WorldShip's names of its shipment fields",
    said: 'warehouse_id=101&units=LB&dimension_units=IN',
    call: call({ service: 'UPS-GROUND', residential: true }),
  },
  {
    file: 'ups-batch-file',
    title: 'UPS, batch file shipping',
    source: "the columns of UPS's batch import format",
    said: 'warehouse_id=101&dimension_units=IN&service_map=03:UPS-GROUND',
    call: call({ service: 'UPS-GROUND', residential: true }),
  },
  {
    file: 'fedex-ship-manager',
    title: 'FedEx Ship Manager, batch upload',
    source: "FedEx's template of its batch upload",
    said: 'warehouse_id=101&dimension_units=IN',
    call: call({ service: 'FDX-GROUND', residential: true, packages: 2 }),
  },
  {
    file: 'usps-click-n-ship',
    title: 'USPS Click-N-Ship, file upload',
    source: "USPS's template of its file upload",
    said: 'warehouse_id=101&dimension_units=IN&columns=shipDate:,shippingService:',
    call: call({ weight: TWO_POUNDS_THREE }),
  },
];
