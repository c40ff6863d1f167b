/** The answer to a quote: compared services, the receipt of the chosen one, and its call with curl. */
import { useRef, useState } from 'preact/hooks';
import { sentencesOf } from '../../lists/columns/fault-words.ts';
import type { RateQuote } from '../calls.ts';
import { type Warning, warningTitle } from '../fault-words.ts';
import { Button, Segments } from '../ui/controls.tsx';
import { doubtsOfAll, lackOf, sharedBy } from '../ui/doubts.ts';
import { Doubts } from '../ui/feedback.tsx';
import { count } from '../ui/format.ts';
import { useServiceName } from '../ui/service-names.tsx';
import { Table } from '../ui/table.tsx';
import type { Warehouse } from './form.tsx';
import { daysText, type Quote, Receipt, ServiceCode, shortDay, totalOf } from './receipt.tsx';

/** Anything that may have warnings. */
interface Warned {
  readonly warnings?: readonly Warning[] | undefined;
}

/** Identifies a warning. Warnings with equal texts differ only in the names of carriers and services. */
const textOf = ({ type, arguments: { missing } }: Warning): string => `${type} ${missing ?? ''}`;

/** The warnings that all of these prices have. They are shown once, above the prices. */
const saidOf = (prices: readonly Warned[]): readonly string[] =>
  prices.length < 2 ? [] : sharedBy(prices.map(({ warnings = [] }) => warnings.map(textOf)));

/** Whether a price is all that the carrier will bill, as far as the tariff says. */
const isWhole = ({ warnings }: Warned): boolean => lackOf(warnings) === '';

/** The warnings of one price that are not shown above or beside it. */
const OwnWarnings = ({ of: { warnings = [] }, said }: { readonly of: Warned; readonly said: readonly string[] }) => {
  const own = warnings.filter((warning) => !said.includes(textOf(warning)) && lackOf([warning]) === '');
  return own.length === 0 ? null : (
    <span class="tone warn own-warnings">{own.map(({ type }) => warningTitle(type)).join(' · ')}</span>
  );
};

const reasonOf = ({ fault }: Pick<NonNullable<RateQuote['unavailable']>[number], 'fault'>): string =>
  sentencesOf(fault.type, fault.message, fault.arguments).join(' ');

/* The price from each of several warehouses, in their order. */

type FromWarehouse = NonNullable<RateQuote['warehouses']>[number];

interface WarehousesProps {
  readonly entries: readonly FromWarehouse[];
  /** The id of the cheapest warehouse. */
  readonly chosen: number | undefined;
  /** The client's warehouses, for their names. */
  readonly known: readonly Warehouse[];
}

const Warehouses = ({ entries, chosen, known }: WarehousesProps) => {
  const serviceName = useServiceName();
  const priced = entries.flatMap((entry) => ('fault' in entry ? [] : [entry]));
  const said = saidOf(priced);
  const isKnown = priced.every(isWhole);
  const nameOf = (id: number): string => {
    const own = known.find(({ warehouse_id }) => warehouse_id === id);
    return own === undefined ? String(id) : `${id} · ${own.name}, ${own.address.stateOrProvinceCode}`;
  };
  return (
    <Table
      caption={`The price from each warehouse. The quote is from the ${isKnown ? 'cheapest' : 'lowest known price'}.`}
      rows={entries}
      keyOf={({ warehouse_id }) => String(warehouse_id)}
      cards
      cols={[
        [
          'From warehouse',
          (entry) => (
            <span class="row small">
              {nameOf(entry.warehouse_id)}
              {entry.warehouse_id === chosen ? (
                <span class="mark accent">{isKnown ? 'Cheapest' : 'Lowest known'}, chosen</span>
              ) : null}
              {'fault' in entry ? null : <OwnWarnings of={entry} said={said} />}
            </span>
          ),
          'head',
        ],
        ['Total', (entry) => ('fault' in entry ? '–' : <strong>{totalOf(entry)}</strong>), 'number'],
        [
          'Service',
          (entry) =>
            'fault' in entry ? (
              <span class="anywhere">{reasonOf(entry)}</span>
            ) : (
              <span>
                {serviceName(entry.shippingService)} <span class="sub">{entry.shippingService}</span>
              </span>
            ),
        ],
      ]}
    />
  );
};

interface ComparisonProps {
  readonly quotes: readonly Quote[];
  readonly chosen: Quote;
  readonly onChoose: (quote: Quote) => void;
}

/** Formats `Mon, Nov 30` and the business days. */
const Arrival = ({ transitDays, deliveryDate }: Quote) => {
  if (transitDays === undefined) return <span class="hint">No estimate</span>;
  const days = daysText(transitDays);
  return deliveryDate === undefined ? (
    <span class="nowrap">{days}</span>
  ) : (
    <span class="nowrap">
      {shortDay(deliveryDate)} <span class="sub">{days}</span>
    </span>
  );
};

const FASTEST = 'Fastest first';
/** Services without an estimate come last. */
const daysOf = ({ transitDays = Number.MAX_VALUE }: Quote): number => transitDays;

const Comparison = ({ quotes, chosen, onChoose }: ComparisonProps) => {
  const serviceName = useServiceName();
  const [isFastest, setFastest] = useState(false);
  const hasDays = quotes.some(({ transitDays }) => transitDays !== undefined);
  const isSaid = quotes.length > 1 && new Set(quotes.map(({ warnings }) => lackOf(warnings))).size === 1;
  const byPrice = quotes.every(isWhole) ? 'Cheapest first' : 'Lowest known price first';
  return (
    <div class="services stack small">
      {hasDays ? (
        <Segments
          label="Order of the services"
          options={[byPrice, FASTEST].map((label) => ({ value: label, label }))}
          value={isFastest ? FASTEST : byPrice}
          onChange={(order) => setFastest(order === FASTEST)}
        />
      ) : null}
      <Table
        caption={`Available services, ${(isFastest ? FASTEST : byPrice).toLowerCase()}. Choose one to see its receipt.`}
        rows={isFastest ? quotes.toSorted((a, b) => daysOf(a) - daysOf(b)) : quotes}
        keyOf={({ shippingService }) => shippingService}
        cards
        cols={[
          [
            'Service',
            (quote) => (
              <label class="choice">
                <input
                  type="radio"
                  name="receipt"
                  checked={quote.shippingService === chosen.shippingService}
                  onChange={() => onChoose(quote)}
                />
                <span>
                  {serviceName(quote.shippingService)} <ServiceCode quote={quote} />
                  <OwnWarnings of={quote} said={saidOf(quotes)} />
                </span>
              </label>
            ),
            'head',
          ],
          hasDays && ['Arrives', Arrival],
          ['Zone', ({ shipmentDetail }) => shipmentDetail.carrierZone, 'number'],
          ['Billed', ({ shipmentDetail }) => `${count(shipmentDetail.totalBillingWeight.value)} lb`, 'number'],
          ['Total', (quote) => <strong>{totalOf(quote, isSaid)}</strong>, 'number'],
        ]}
      />
    </div>
  );
};

interface QuotesProps {
  readonly quote: RateQuote;
  /** The client's warehouses, for their names. */
  readonly warehouses: readonly Warehouse[];
}

/** The compared services and warehouses, and the receipt of the chosen service. */
export const Quotes = ({ quote, warehouses }: QuotesProps) => {
  const quotes = quote.quotes ?? [quote];
  const unavailable = quote.unavailable ?? [];
  const [service, setService] = useState(quote.shippingService);
  const serviceName = useServiceName();
  const chosen = quotes.find(({ shippingService }) => shippingService === service) ?? quote;
  const receipt = useRef<HTMLDivElement>(null);
  const choose = ({ shippingService }: Quote): void => {
    setService(shippingService);
    // On a phone, the receipt is far below.
    receipt.current?.scrollIntoView({ block: 'nearest' });
  };
  const isCompared = quotes.length > 1 || unavailable.length > 0;
  const doubts = quotes.length < 2 ? [] : doubtsOfAll(quotes.map(({ warnings = [] }) => warnings));
  const said = saidOf(quotes);
  const own = (chosen.warnings ?? []).filter(
    (warning) => !said.includes(textOf(warning)) || doubtsOfAll([[warning]]).length === 0,
  );
  return (
    <>
      {quote.warehouses === undefined ? null : (
        <Warehouses entries={quote.warehouses} chosen={quote.warehouse_id} known={warehouses} />
      )}
      <div class="quote-answer">
        {isCompared ? (
          <div class="stack">
            <Doubts doubts={doubts} />
            <Comparison quotes={quotes} chosen={chosen} onChoose={choose} />
            {unavailable.length > 0 ? (
              <Table
                caption="Services not available, and why"
                rows={[...new Set(unavailable.map(reasonOf))]}
                keyOf={(reason) => reason}
                cards
                cols={[
                  [
                    'Services',
                    (reason) => (
                      <ul class="plain">
                        {unavailable
                          .filter((own) => reasonOf(own) === reason)
                          .map((own) => (
                            <li key={own.shippingService}>
                              {serviceName(own.shippingService)} <span class="sub">{own.shippingService}</span>
                            </li>
                          ))}
                      </ul>
                    ),
                    'head',
                  ],
                  ['Reason', (reason) => <span class="anywhere">{reason}</span>],
                ]}
              />
            ) : null}
          </div>
        ) : null}
        <div class="quote-receipt" ref={receipt}>
          {isCompared ? (
            <Button kind="quiet" onClick={() => receipt.current?.previousElementSibling?.scrollIntoView()}>
              <span aria-hidden="true">↑</span> All services
            </Button>
          ) : null}
          <Receipt quote={chosen} warnings={own} />
        </div>
      </div>
    </>
  );
};

/** Quoted for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * @param origin the service's origin, `https://host`
 * @returns two commands: the first gets a token with the secret in `CLIENT_SECRET`, the second gets the quote
 */
export const curlOf = (origin: string, clientId: string, request: unknown): string =>
  [
    `TOKEN=$(curl -sS ${quoted(`${origin}/token/generate`)} \\`,
    `  -d grant_type=client_credentials --data-urlencode ${quoted(`client_id=${clientId}`)} \\`,
    `  --data-urlencode "client_secret=\${CLIENT_SECRET:?must be the secret of the client}" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -sS ${quoted(`${origin}/v1/client/shipment/rates?explain=true`)} \\`,
    `  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  --data-binary ${quoted(JSON.stringify(request))}`,
  ].join('\n');
