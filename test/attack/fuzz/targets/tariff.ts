/** Folders of tariffs: read and checked. Valid tariffs are also compiled, written again and used for quotes. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkTariff, hasErrors } from '../../../../src/catalog/tariff/check/check.ts';
import type { TariffDocument } from '../../../../src/catalog/tariff/document.ts';
import { readTariffFolder, writeTariffFolder } from '../../../../src/catalog/tariff/folder.ts';
import { type Schedule, scheduleOf, tariffId } from '../../../../src/catalog/tariff/schedule.ts';
import { quoteOutcome } from '../../../../src/rating/quote.ts';
import { type Account, LIST_PRICES } from '../../../../src/rating/terms.ts';
import type { Target } from '../target.ts';
import { sampleTariffs } from '../tariff-samples.ts';

const warehouses = new Map([
  [101, { id: 101, name: 'Newark', postalCode: '07001', stateOrProvinceCode: 'NJ', countryCode: 'US' }],
]);
const ZIPS = ['02139', '90001', '96813', '00601', '99501', '10001-1234'];
const WEIGHTS = [0.1, 2.1, 70, 99];

/** Quotes: each must be a price that adds up, or a fault. */
export const checkQuotes = (schedule: Schedule, account: Account): void => {
  const shipper = { warehouses, account };
  for (const postalCode of ZIPS)
    for (const value of WEIGHTS)
      for (const day of ['2026-06-01', '2099-12-31']) {
        const address = { postalCode, countryCode: 'US', addressLine: '1 Main St', residential: value > 1 };
        const dimensions = { units: 'IN', length: 20, width: 10, height: 5 };
        const body = {
          rates: {
            shipper: { warehouse_id: 101 },
            recipient: { address },
            packageItems: Array(3).fill({ weight: { units: 'LB', value }, dimensions }),
          },
        };
        const { status, body: answer } = quoteOutcome(body, shipper, schedule, new Date(`${day}T12:00:00Z`), true);
        if (status !== 200) continue;
        const { totalNetCharge: net, totalBaseCharge: base, totalDiscounts: off, shipmentDetail } = answer;
        const sum = Math.round((base - off + shipmentDetail.totalSurcharges) * 100);
        if (!Number.isFinite(net) || net < 0 || off < 0 || off > base || Math.round(net * 100) !== sum)
          throw new Error(`the charges do not add up: ${JSON.stringify(answer).slice(0, 400)}`);
      }
};

/** Checks a tariff, and quotes from one that has no errors. */
export const judgedTariff = (document: TariffDocument): string => {
  if (hasErrors(checkTariff(document))) return 'errors found';
  checkQuotes(scheduleOf([document]), LIST_PRICES);
  return 'quoted';
};

export const tariffTarget: Target = async () => {
  const root = await mkdtemp(join(tmpdir(), 'rates-fuzz-'));
  const samples = await sampleTariffs(root);
  return async ({ bytes, said }) => {
    const sample = samples.find(({ name }) => name === said?.['name']);
    if (sample === undefined) throw new Error(`there is no sample ${String(said?.['name'])}`);
    await writeFile(sample.path, bytes);
    try {
      const read = await readTariffFolder(sample.folder);
      if (!('document' in read)) {
        if (read.findings.length === 0) throw new Error('a folder is refused without a reason');
        return 'refused';
      }
      const outcome = judgedTariff(read.document);
      if (outcome !== 'quoted') return outcome;
      const again = join(root, 'again');
      await writeTariffFolder(again, read.document);
      const written = await readTariffFolder(again);
      if (!('document' in written) || tariffId(written.document) !== tariffId(read.document))
        throw new Error('what was written is read as another tariff');
      return outcome;
    } finally {
      await writeFile(sample.path, sample.bytes);
    }
  };
};
