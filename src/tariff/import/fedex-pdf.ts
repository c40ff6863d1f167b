/** FedEx's PDFs: which of the known ones a file is, told by its text. */
import { isListRates, readListRates } from './fedex-list-rates.ts';
import { isZoneLocator, readZoneLocator } from './fedex-zone-locator.ts';
import { isPdf, readPdf } from './pdf.ts';
import { type Reader, RefusedFile } from './reading.ts';

export const fedexPdf: Reader = {
  kind: 'PDF',
  accepts: isPdf,
  read: async (bytes, { signal }) => {
    const pages = await readPdf(bytes, signal);
    if (isZoneLocator(pages)) return readZoneLocator(pages);
    if (isListRates(pages)) return readListRates(pages);
    if (pages.every(({ words }) => words.length === 0))
      throw new RefusedFile('the PDF holds no text, only pictures perhaps');
    throw new RefusedFile('the PDF is neither FedEx list rates nor a FedEx zone locator');
  },
};
