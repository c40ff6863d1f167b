/** Runs the tests of quotes again through Express. Both ways have the same answers, headers, limits, faults, metrics and logs. */
import { sendQuotesByExpress } from './api.ts';

sendQuotesByExpress();

const FILES = [
  ...['all-services', 'agreements', 'app', 'auth', 'bodies', 'changed-meanwhile', 'cors', 'limits', 'metrics'],
  ...['quote-turns', 'quotes', 'request-id', 'samples', 'ship-from', 'warnings'],
];
for (const file of FILES) await import(`./${file}.test.ts`);
