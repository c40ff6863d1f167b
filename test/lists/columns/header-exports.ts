/** The real headers of shops, marketplaces, shipping tools and carriers. In `headers`, each line is an export. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonLines } from '../../json-lines.ts';

/** An export with made-up rows, with the user's answers to questions and the single call for the first row. */
export interface Export {
  /** The name of the fixture file, without its extension. */
  readonly file: string;
  readonly title: string;
  /** The source of the header. */
  readonly source: string;
  /** Whether the export has no weights, so that the user adds a column `Weight (lb)`. */
  readonly lacksWeight?: true;
  /** Parameters of the upload for what the export does not have. */
  readonly said: string;
  /** The shipment in the first row. */
  readonly call: Shipped;
}

/** An export with only column names. */
export interface MoreExport {
  readonly title: string;
  /** The names, separated by `,`. */
  readonly header: string;
  /** Cells of the first row, by name. */
  readonly cells?: Readonly<Record<string, string>>;
  /** The columns of the recipient and the package that a price depends on. Each is used or asked about. */
  readonly relevant: readonly string[];
  /** What the user answers, in addition to the warehouse, the weight and its unit. */
  readonly said?: string;
}

const FOLDER = join(import.meta.dirname, 'headers');
export const EXPORTS = jsonLines<Export>(join(FOLDER, 'exports.jsonl'));
export const MORE_EXPORTS = jsonLines<MoreExport>(join(FOLDER, 'more.jsonl'));

export const listOf = ({ file, lacksWeight }: Export): string => {
  const text = readFileSync(join(FOLDER, `${file}.csv`), 'utf8');
  if (lacksWeight !== true) return text;
  const lines = text.split('\n').filter((line) => !/^,*$/.test(line));
  const separator = lines[0]?.includes('\t') ? '\t' : ',';
  return lines.map((line, index) => `${line}${separator}${index === 0 ? 'Weight (lb)' : '2.1'}\n`).join('');
};

interface Shipped {
  readonly service?: string;
  /** In pounds. */
  readonly weight?: number;
  readonly residential?: boolean;
  readonly box?: boolean;
  readonly packages?: number;
}

/** Returns a request to 1 Main St, 60601, from warehouse 101. */
export const callOf = ({ service, weight = 2.1, residential, box = true, packages = 1 }: Shipped): unknown => ({
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
