/** What the tests of clauses share: a tariff with surcharges, and agreements as the texts of their files. */
import { checkAgreement } from '../../../../src/catalog/agreement/check/check.ts';
import { checkAgainst } from '../../../../src/catalog/agreement/check/check-against.ts';
import type { AgreementDocument } from '../../../../src/catalog/agreement/document.ts';
import { agreementDetail } from '../../../../src/catalog/agreement/view/tables.ts';
import type { TariffDocument } from '../../../../src/catalog/tariff/document.ts';
import { scheduleOf } from '../../../../src/catalog/tariff/schedule.ts';
import { explainPrice } from '../../../../src/rating/explain.ts';
import type { Price } from '../../../../src/rating/price.ts';
import { type Asked, shipmentOf } from '../../../rating/priced.ts';
import { smallTariff } from '../../tariff/small-tariff.ts';
import { DAY, priceWith, WAREHOUSE } from '../fixtures.ts';

/** 10.00 for 1 lb to zone 2 and 1.00 a pound more, handling 5.00 always, homes 6.00, fuel 20% of base, handling and homes. */
export const TARIFF = smallTariff({
  file: {
    surcharges: [
      { type: 'HANDLING', description: 'Handling', amount: { per: 'package', usd: '5.00' } },
      {
        ...{ type: 'RESIDENTIAL', description: 'Home', when: { residential: true } },
        amount: { per: 'package', usd: '6.00' },
      },
      { type: 'PICKUP', description: 'Pickup', amount: { per: 'shipment', usd: '2.00' } },
      {
        ...{ type: 'FUEL', description: 'Fuel' },
        amount: { per: 'percent', rate: '20', of: ['BASE', 'HANDLING', 'RESIDENTIAL'] },
      },
    ],
  },
});

export const HOME: Asked = { residential: true };

/** A price in cents. */
export const net = (document: AgreementDocument, asked: Asked = {}, tariff: TariffDocument = TARIFF): number =>
  priceWith(tariff, document, asked).netCents;

/** What its explanation says of discounts and charges: `RESIDENTIAL 4.50 = 6.00 per package, ...`. */
export const explained = (
  document: AgreementDocument,
  asked: Asked = {},
  tariff: TariffDocument = TARIFF,
): readonly string[] => {
  const price: Price = priceWith(tariff, document, asked);
  const { packages, shipment } = explainPrice(price, shipmentOf(asked), { warehouse: WAREHOUSE, departure: undefined });
  return [...packages, ...(shipment === undefined ? [] : [shipment])].flatMap((part) => [
    ...(part.discounts ?? []).map(
      ({ description, amount, computation, source }) =>
        `${description} ${(-amount).toFixed(2)} = ${computation} (${source})`,
    ),
    ...part.charges.map(({ type, amount, computation }) => `${type} ${amount.toFixed(2)} = ${computation}`),
  ]);
};

/** What both checks say, sorted by nothing: `error surcharges.csv row 2 column address: ...`. */
export const checked = (document: AgreementDocument, tariff: TariffDocument = TARIFF): readonly string[] => {
  const own = checkAgreement(document);
  const all = own.some(({ severity }) => severity === 'error')
    ? own
    : [...own, ...checkAgainst(document, scheduleOf([tariff]), DAY)];
  return all.map(({ severity, at, message }) => `${severity} ${at}: ${message}`);
};

/** The tables that its client sees. */
export const shown = (document: AgreementDocument, tariff: TariffDocument = TARIFF) => {
  const schedule = scheduleOf([tariff]);
  return agreementDetail({ document, assigned: [{ document }] }, schedule, schedule.bookOn(DAY));
};
