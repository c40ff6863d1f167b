/** The receipt of a quote: every charge with its reason, down to the total. */
import { must } from '../../base/must.ts';
import { zoneName } from '../../lists/columns/plain-words.ts';
import type { RateQuote } from '../calls.ts';
import { type Warning, warningText } from '../fault-words.ts';
import { lackOf } from '../ui/doubts.ts';
import { Folded, Lines } from '../ui/feedback.tsx';
import { chargeTitle, count, counted, dayOf, money, withoutVersions } from '../ui/format.ts';
import type { Word } from '../ui/help-words.tsx';
import { Waived } from '../ui/kit.tsx';
import { Help } from '../ui/later.tsx';
import { useServiceName } from '../ui/service-names.tsx';

/** If there are more packages, they are collapsed, so that the total stays visible. */
const OPEN_PACKAGES = 4;

const sumOf = ({ lines }: Group): number =>
  lines.reduce((cents, { amount = 0 }) => cents + Math.round(100 * amount), 0) / 100;

/** A reason without its conditions and sources, and without its result, which is beside it. */
const inShort = (reason: string): string =>
  `${reason.split(/; |\. |\.$/, 1)}`.replaceAll(/ \([^()]*\)| = \$[\d.]+$/g, '');

/** The rest of a reason: its conditions and sources. */
const restOf = (reason: string): readonly string[] => {
  const [first = '', ...rest] = reason.split(/(?<=[;.]) /);
  return [...[...first.matchAll(/ \(([^()]*)\)/g)].map(([, text = '']) => text), rest.join(' ')];
};

/** What the short reasons leave out. */
const moreOf = (groups: readonly Group[]): readonly string[] => {
  const more = groups.flatMap(({ title, reason, lines }) =>
    [{ label: 'Weight', reason }, ...lines].flatMap(({ label, reason: own, source = '' }: Line) => {
      const texts = [...restOf(own), source].filter((text) => text !== '');
      const of = groups.length === 1 ? label : `${title}, ${label}`;
      return texts.length === 0 ? [] : [`${of}: ${texts.join('; ')}`];
    }),
  );
  return [...new Set(more)];
};

const GroupOfCharges = ({ group, isFolded }: { readonly group: Group; readonly isFolded: boolean }) => {
  const { title, reason, lines } = group;
  const content = (
    <>
      <p class="sub anywhere">{inShort(reason)}</p>
      <table class="receipt-lines">
        <caption class="visually-hidden">{`${title}: charges in US dollars`}</caption>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Charge and its reason</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, reason, amount, waived = false }) => (
            <tr key={`${label} ${reason}`}>
              <th scope="row">
                {label}
                {reason === '' ? null : <span class="sub anywhere">{inShort(reason)}</span>}
              </th>
              <td>{waived ? <Waived /> : amount === undefined ? '—' : money(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
  if (!isFolded)
    return (
      <section class="stack small ruled receipt-group">
        <h3>{title}</h3>
        {content}
      </section>
    );
  return (
    <details class="stack small ruled receipt-group on-paper">
      <summary>
        <span>{title}</span>
        <span>{money(sumOf(group))}</span>
      </summary>
      {content}
    </details>
  );
};

const DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' });

/** Formats `2026-11-30` as `Mon, Nov 30`. */
export const shortDay = (date: string): string => DAY.format(new Date(date));

export const daysText = (days: number): string => counted(days, 'business day');

/** The arrival, and how the days were counted. */
const ArrivalNote = ({ transitDays, deliveryDate, explanation: { transit } }: Explained) => {
  if (transitDays === undefined) return null;
  const when = deliveryDate === undefined ? `Takes ${daysText(transitDays)}` : `Arrives on ${shortDay(deliveryDate)}`;
  const why = transit?.reason === undefined ? '' : ` There is no date: ${transit.reason}.`;
  return (
    <details class="stack small ruled receipt-group">
      <summary>
        <span>
          {when}
          {deliveryDate === undefined ? '' : `, in ${daysText(transitDays)}`}.{why}
        </span>
      </summary>
      {transit === undefined ? null : (
        <>
          <p class="sub">
            From {transit.origin} to {transit.destination}.{transit.afterCutoff ? ' The cutoff had passed.' : ''}
          </p>
          <table class="receipt-lines">
            <caption class="visually-hidden">The days, one by one</caption>
            <tbody>
              {transit.days.map(({ date, note }) => (
                <tr key={date}>
                  <th scope="row">{shortDay(date)}</th>
                  <td>{note}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </details>
  );
};

/** Next to a service's name: its code, unless the name is the code, and the carrier. */
export const ServiceCode = ({ quote: { shippingService, carrier } }: { readonly quote: Quote }) => (
  <span class="sub">
    {useServiceName()(shippingService) === shippingService ? '' : shippingService} by {carrier}
  </span>
);

/** A total that says beside it what it lacks. @param isSaid whether all prices lack the same, which is said above them */
export const totalOf = ({ totalNetCharge, warnings }: Totaled, isSaid = false) => {
  const lack = lackOf(warnings);
  return (
    <>
      {lack === '' ? null : 'at least '}
      {money(totalNetCharge)}
      {lack === '' || isSaid ? null : <span class="sub lack">{lack}</span>}
    </>
  );
};

/** The terms in a receipt that need an explanation. */
const wordsIn = ({ explanation, shipmentDetail: { surcharges } }: Explained): readonly Word[] => {
  const charged = (kind: string): boolean => surcharges.some(({ type }) => type.startsWith(kind));
  const isMeasured = explanation.packages.some(({ dimensionalWeight }) => dimensionalWeight.value > 0);
  return [
    'zone',
    ...(isMeasured ? (['dimensionalWeight'] as const) : []),
    ...(charged('FUEL') ? (['fuel'] as const) : []),
    ...(charged('DELIVERY_AREA') ? (['deliveryArea'] as const) : []),
  ];
};

interface ReceiptProps {
  readonly quote: Quote;
  /** The warnings that are not shown above the compared prices. */
  readonly warnings: readonly Warning[];
}

export const Receipt = ({ quote: answered, warnings }: ReceiptProps) => {
  // Pages ask for explanations.
  const quote: Explained = { ...answered, explanation: must(answered.explanation, 'the explanation of a quote') };
  const { shippingService, tariff, shipmentDetail, explanation } = quote;
  const groups = [...explanation.packages.map(packageGroup(explanation)), ...shipmentGroup(explanation)];
  const { value, units } = shipmentDetail.totalBillingWeight;
  return (
    <article class="panel cols receipt" aria-label={`Receipt of ${shippingService}`}>
      <div class="stack">
        <header class="split">
          <p>
            <strong>{useServiceName()(shippingService)}</strong> <ServiceCode quote={quote} />
          </p>
          <p class="big">{totalOf(quote, true)}</p>
        </header>
        {warnings.length === 0 ? null : <Lines class="plain doubt" of={[...new Set(warnings.map(warningText))]} />}
        <p class="sub anywhere">
          {zoneText(quote)}. Billed at {count(value)} {units.toLowerCase()}, {ratesText(quote)} the tariff{' '}
          {withoutVersions(tariff)}.
        </p>
        <ArrivalNote {...quote} />
        <Help about={wordsIn(quote)} />
      </div>
      <div class="stack">
        {groups.map((group) => (
          <GroupOfCharges key={group.title} group={group} isFolded={groups.length > OPEN_PACKAGES} />
        ))}
        <p class="split receipt-sum">
          <span>Total to pay, {shipmentDetail.currency}</span>
          <span>{totalOf(quote, true)}</span>
        </p>
      </div>
      <Folded class="on-paper" title="Reasons and sources">
        <Lines class="lines" of={moreOf(groups)} />
      </Folded>
    </article>
  );
};

export type Quote = NonNullable<RateQuote['quotes']>[number];
type Totaled = Pick<Quote, 'totalNetCharge' | 'warnings'>;
type Explanation = NonNullable<Quote['explanation']>;
type Explained = Quote & { readonly explanation: Explanation };
type Package = Explanation['packages'][number];
type Charge = Package['charges'][number];
type Cell = Package['rateCell'];

/** The charges add up to the total. */
interface Line {
  readonly label: string;
  readonly reason: string;
  /** The source: a file and a row. */
  readonly source?: string | undefined;
  /** Dollars. Undefined if the line is not charged. */
  readonly amount?: number;
  /** Whether the client's agreement waives it. */
  readonly waived?: boolean;
}

interface Group {
  readonly title: string;
  readonly reason: string;
  readonly lines: readonly Line[];
}

const BILLED: Readonly<Record<Package['billed'], string>> = {
  actual: 'its actual weight, rounded up to the pound',
  dimensional: 'its dimensional weight, which is greater',
  minimum: 'the minimum of this service for a package of this size',
  maximum: 'the most that this service bills for a package of this size',
};

const ROUNDED: Readonly<Record<Explanation['sideRounding'], string>> = {
  none: '',
  nearest: 'each rounded to the nearest inch, ',
  up: 'each rounded up, ',
};

/** The source of the prices: the list, an agreement, or the list with the account's own discount. */
const ratesText = ({ rateType, explanation: { agreement, billing } }: Explained): string => {
  if (rateType === 'LIST') return 'at the list prices of';
  const paid = billing === undefined ? '' : ` (billing: ${billing.replace('_', ' ')})`;
  return agreement === undefined ? `with your discount${paid} on` : `by your agreement ${agreement}${paid} on`;
};

const cellText = ({ table, row, column }: Cell): string => `${table}, row ${row}, column ${column}`;

/** Writes amounts with dollar signs, and names charges: `12.5% of $18.23 (base $13.08, Residential delivery $5.15)`. */
const sumText = (computation: string, of: readonly Pick<Charge, 'type' | 'description'>[] = []): string =>
  of.reduce(
    (text, { type, description }) => text.replaceAll(` ${type} `, ` ${chargeTitle(type, description)} `),
    computation
      .replaceAll(/(?<![\d.$])\d{1,9}\.\d\d(?!\d|%| points)/g, '$$$&')
      .replaceAll(/\d{1,3}\.\d\d%/g, (share) => `${Number.parseFloat(share)}%`),
  );

/** The lines of charges. Percentages are of the base charge after its discounts. */
const chargeLines = (charges: readonly Charge[], discounts: Package['discounts'] = []): Line[] =>
  charges.map(({ type, description, amount, computation, because, source }) => {
    const sum = sumText(computation, charges);
    const said = discounts.length === 0 ? sum : sum.replace(/\bbase (?=\$)/, 'the discounted base charge of ');
    return {
      label: chargeTitle(type, description),
      reason: [said, because.join(', ')].filter((part) => part !== '').join('; '),
      source,
      amount,
      waived: amount === 0 && computation.includes('waived'),
    };
  });

/** Names of discount items that are not percentages. Their descriptions are reasons. */
const LIMITS: ReadonlyMap<string, string> = new Map([
  ['RATE_CAP', 'Rate cap'],
  ['MINIMUM_CHARGE', 'Minimum charge'],
]);

const discountLines = (discounts: Package['discounts'] = []): Line[] =>
  discounts.map(({ type, description, amount, computation: sum, source }) => {
    const computation = sumText(sum);
    const label = LIMITS.get(type) ?? description;
    const reason = label === description ? computation : `${description}; ${computation}`;
    return { label, reason, source, amount: -amount || 0 };
  });

/**
 * Says which weight is billed, and which rounded weights it was chosen from.
 * @param verb `Counted` if the shipment is rated as a whole, so that no package is billed separately
 */
const weightReason = (
  part: Package,
  { dimensionalFactor: factor, sideRounding }: Explanation,
  verb: 'Billed' | 'Counted',
): string => {
  const { actualWeight, dimensionalWeight, dimensionalFactor, billingWeight, billed } = part;
  const billing = `${verb} at ${billingWeight.value} lb: ${BILLED[billed]}.`;
  const actual = `Actual weight, rounded up: ${actualWeight.value} lb`;
  if (dimensionalWeight.value > 0)
    return `${billing} ${actual}. Dimensional weight, rounded up: ${dimensionalWeight.value} lb (length × width × height in inches, ${ROUNDED[sideRounding]}divided by ${dimensionalFactor ?? factor}).`;
  return billed === 'actual' ? billing : `${billing} ${actual}.`;
};

const packageGroup =
  (explanation: Explanation) =>
  (part: Package, index: number): Group => {
    const ratedAsWhole = explanation.shipment?.rateCell !== undefined;
    const base = { label: 'Base charge', source: cellText(part.rateCell) };
    const lines: Line[] = ratedAsWhole
      ? [{ ...base, reason: 'not charged, because the price per pound below is lower' }]
      : [{ ...base, reason: '', amount: part.baseCharge }, ...discountLines(part.discounts)];
    return {
      title: `Package ${index + 1}`,
      reason: weightReason(part, explanation, ratedAsWhole ? 'Counted' : 'Billed'),
      lines: [...lines, ...chargeLines(part.charges, part.discounts)],
    };
  };

const shipmentGroup = ({ shipment }: Explanation): Group[] => {
  if (shipment === undefined) return [];
  const { rateCell, actualWeight, dimensionalWeight, ratedWeight, baseCharge, computation, discounts, charges } =
    shipment;
  const isRated = rateCell !== undefined && ratedWeight !== undefined && baseCharge !== undefined;
  if (!isRated && charges.length === 0) return [];
  const base: Line[] = isRated
    ? [{ label: 'Base charge', reason: computation ?? '', source: cellText(rateCell), amount: baseCharge }]
    : [];
  return [
    {
      title: 'The shipment as a whole',
      reason: isRated
        ? `Rated per pound, at ${ratedWeight.value} lb. All packages combined: actual weight ${must(actualWeight, 'the actual weight').value} lb, dimensional weight ${must(dimensionalWeight, 'the dimensional weight').value} lb.`
        : 'Charged once per shipment.',
      lines: [...base, ...discountLines(discounts), ...chargeLines(charges, discounts)],
    },
  ];
};

/** The source of the zone as text. */
const zoneText = ({ explanation, shipmentDetail: { rateZone, carrierZone } }: Explained): string => {
  const { chart, origin, destination, estimated, chartDate } = explanation.zone;
  const dated = chartDate === undefined ? '' : ` of ${dayOf(chartDate)}`;
  const source = chart === 'distance' ? 'by distance,' : `by the zone chart ${chart}${dated},`;
  return `Zone ${zoneName(rateZone, carrierZone)} ${source} from ZIP ${origin} to ZIP ${destination}${estimated ? ', estimated' : ''}`;
};
