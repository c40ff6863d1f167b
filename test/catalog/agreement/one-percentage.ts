/** A small agreement with the made-up carrier of the reference tariff: one percentage off `C1-GROUND`. */
import {
  type AgreementDocument,
  type AgreementFileInput,
  agreementFile,
  type DiscountLine,
  NO_TABLES,
} from '../../../src/catalog/agreement/document.ts';

const LINE: DiscountLine = {
  row: 2,
  ...{ discount: 'Incentive', services: ['C1-GROUND'], zones: '*', fromLb: 1 },
  ...{ address: 'any', appliesTo: 'both', percent: '0.00' },
};

export const onePercentage = (
  percent: string,
  own: Partial<AgreementFileInput> = {},
  line: Partial<DiscountLine> = {},
): AgreementDocument => ({
  file: agreementFile.parse({ name: 'acme-c1', carrier: 'C1', effective: '2020-01-01', ...own }),
  tables: { ...NO_TABLES, discounts: [{ ...LINE, percent, ...line }] },
  amendments: [],
});
