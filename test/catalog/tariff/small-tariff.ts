/** A tariff of one service that tests can change: zones 2 and 8 by distance, up to 10 lb; 1 lb to zone 2 costs 10.00. */
import {
  type RateTable,
  type ServiceEntry,
  type TariffDocument,
  type TariffFileInput,
  tariffFile,
} from '../../../src/catalog/tariff/document.ts';

type ServiceInput = TariffFileInput['services'][number];

export const TEN_POUNDS: RateTable = {
  columns: ['2', '8'],
  cents: Array.from({ length: 10 }, (_, index) => [1_000 + 100 * index, 2_000 + 200 * index]),
};

export interface Parts {
  readonly file?: Partial<TariffFileInput>;
  readonly service?: Partial<ServiceInput>;
  readonly document?: Partial<Omit<TariffDocument, 'file'>>;
}

export const smallTariff = ({ file = {}, service = {}, document = {} }: Parts = {}): TariffDocument => ({
  file: tariffFile.parse({
    name: 'small',
    effective: '2026-01-01',
    services: [
      {
        code: 'GROUND',
        carrier: 'Small',
        description: 'Small Ground',
        dimensionalFactor: 139,
        // The carrier charges and limits nothing that a test does not add.
        hasNo: ['fuel', 'residential', 'deliveryArea', 'handling', 'limits'],
        zones: { distanceMiles: [500] },
        ...service,
      },
    ],
    ...file,
  }),
  rates: { GROUND: TEN_POUNDS },
  multiweight: {},
  cubic: {},
  charts: {},
  areas: {},
  ...document,
});

/** A rate table of one column with these rates in cents, from 1 lb. */
export const oneColumn = (column: string, ...cents: readonly number[]): RateTable => ({
  columns: [column],
  cents: cents.map((rate) => [rate]),
});

/** The same zone for all distances. */
export const ANYWHERE: ServiceEntry['zones'] = { distanceMiles: [30_000], distanceColumns: ['2', '2'] };

/** A carrier with a chart for New Jersey (070) only. Zones from elsewhere are estimated from the distance. */
export const chartedTariff = (parts: Parts = {}): TariffDocument =>
  smallTariff({
    ...parts,
    service: { zones: { chart: 'small', column: 'zone', distanceMiles: [500] }, ...parts.service },
    document: {
      charts: {
        small: {
          columns: ['zone'],
          rows: [
            { origin: '070', destination: '000-999', zones: ['2'] },
            { origin: '967', destination: '000-999', zones: [''] },
          ],
        },
      },
      ...parts.document,
    },
  });
