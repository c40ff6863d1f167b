/** An agreement as tables: its discounts, minimum charges and divisors by service, surcharges, fuel, fees and notes. */
import { useContext } from 'preact/hooks';
import { isFuelType } from '../../rating/charges.ts';
import type { Agreement } from '../calls.ts';
import { MARKS } from '../tariffs/tariff-list.tsx';
import { Folded, Notice } from '../ui/feedback.tsx';
import { allOf, chargeTitle, count, counted, dayOf, money } from '../ui/format.ts';
import { Facts, Named, Rows, Waived } from '../ui/kit.tsx';
import { type Col, Table } from '../ui/table.tsx';
import type { Tab } from '../ui/tabs.tsx';
import { Discounts, Part, type Props, Tiers, Totals } from './discounts.tsx';
import { PaysContext } from './pays.ts';
import { billingText, changesText, conditionText, highestText, STATES, servicesText } from './words.ts';

export const StateMark = ({ inForce }: Pick<Agreement, 'inForce'>) => (
  <span class={MARKS[inForce]}>{STATES[inForce]}</span>
);

const Off = (props: Props) => (
  <>
    <Totals {...props} />
    <Tiers {...props} />
    <Discounts {...props} />
  </>
);

const Minimums = (props: Props) => (
  <>
    <ServiceTerms {...props} />
    <WholePrices {...props} />
  </>
);

const Charges = (props: Props) => (
  <>
    <Surcharges {...props} />
    <FuelRates {...props} />
    <FuelIndex {...props} />
    <Fees {...props} />
  </>
);

/** An agreement that is not published yet, as a single text. */
export const AgreementTables = (props: Props) => (
  <>
    <Off {...props} />
    <Minimums {...props} />
    <Charges {...props} />
    <Notes {...props} />
  </>
);

export const agreementTabs = (agreement: Agreement): readonly (Tab | false)[] => [
  { at: 'discounts', label: 'Discounts', show: () => <Off agreement={agreement} /> },
  { at: 'minimums', label: 'Minimums', alone: true, show: () => <Minimums agreement={agreement} /> },
  { at: 'surcharges', label: 'Surcharges', alone: true, show: () => <Charges agreement={agreement} /> },
  agreement.notes.length > 0 && {
    at: 'notes',
    label: 'Notes',
    alone: true,
    show: () => <Notes agreement={agreement} />,
  },
];

interface TermsProps<Row> extends Omit<Parameters<typeof Rows<Row>>[0], 'keyOf'> {
  readonly title: string;
  readonly lead?: string;
}

/** A part with one table. Without rows, there is no part, unless there is a text for it. */
const TermTable = <Row,>({ title, lead, ...table }: TermsProps<Row>) =>
  table.of.length === 0 && table.empty === undefined ? null : (
    <Part title={title} lead={table.of.length === 0 ? undefined : lead}>
      <Rows {...table} keyOf={(row) => JSON.stringify(row)} />
    </Part>
  );

type Service = Agreement['services'][number];
type Surcharge = Agreement['surcharges'][number];
type Fee = Agreement['fees'][number];

const FOR = { any: '', residential: 'to a home: ', commercial: 'to a business: ' } as const;

type MinimumLine = Service['minimumAs'][number];

const minimumText = ({ zones, address, billing, minimum, value, zone, weightLb }: MinimumLine): string => {
  const to = `${zones === null ? '' : `zone ${zones.join(', ')}: `}${billing === null ? '' : `${billingText(billing).toLowerCase()}: `}${FOR[address]}`;
  if (minimum === 'usd') return `${to}${zones === null ? 'a fixed amount' : money(value)}`;
  const from = zone === 'own' ? 'its own zone' : `zone ${zone}`;
  const cell = zone === null ? 'the list’s minimum' : `the rate of ${from} at ${weightLb ?? 1} lb`;
  return `${to}${cell}, less ${minimum === 'less usd' ? money(value) : `${value}%`}`;
};

const MinimumLines = ({ of }: { readonly of: readonly MinimumLine[] }) => (
  <>
    {of.map(minimumText).map((text) => (
      <div key={text}>{text}</div>
    ))}
  </>
);

const Minimum = ({ minimumCharge: { residential, commercial }, minimumAs, listMinimumCharge }: Service) => {
  const list = minimumAs.length === 0 ? null : <span class="sub">list: {money(listMinimumCharge)}</span>;
  const from = minimumAs.some(({ zones, zone }) => zones !== null || zone === 'own') ? 'from ' : '';
  const amount = (usd: number, to: string) => (
    <>
      {from}
      <strong>{money(usd)}</strong>
      {to}
    </>
  );
  return (
    <>
      {amount(commercial, residential === commercial ? '' : ' to a business')}
      {residential === commercial ? null : <div>{amount(residential, ' to a home')}</div>}
      {list}
    </>
  );
};

const Divisor = ({ dimensionalFactor, listDimensionalFactor, dimensionalOverCubicIn, secondDivisor }: Service) => {
  const isList = dimensionalFactor === listDimensionalFactor;
  return (
    <>
      {isList ? count(dimensionalFactor) : <strong>{count(dimensionalFactor)}</strong>}
      {dimensionalOverCubicIn > 0 ? (
        <span class="sub">only over {count(dimensionalOverCubicIn)} cubic inches</span>
      ) : null}
      {secondDivisor === null ? null : (
        <span class="sub">
          <strong>{count(secondDivisor.dimensionalFactor)}</strong> {secondDivisor.over}
        </span>
      )}
      {isList ? null : <span class="sub">list: {count(listDimensionalFactor)}</span>}
    </>
  );
};

/** Whether the agreement keeps the list's minimum charge, divisor and rates. */
const isListed = (service: Service): boolean =>
  service.minimumAs.length === 0 &&
  service.dimensionalFactor === service.listDimensionalFactor &&
  service.dimensionalOverCubicIn === service.listDimensionalOverCubicIn &&
  service.secondDivisor === null &&
  service.rateCapPercent === null &&
  !service.ownRates;

const MOST_LISTED = 3;

/** Services with the list's terms are folded. */
const ServiceTerms = ({ agreement: { services, effective, changes, date } }: Props) => {
  const listed = services.filter(isListed);
  const since = changes.findLast((day) => day <= date) ?? effective;
  return (
    <Part
      title="Minimum charge and billing weight"
      lead={`From ${dayOf(since)} on. Discounts never bring the base charge of a package below its minimum. The dimensional weight is the size in cubic inches divided by the divisor.`}
    >
      <ServiceTable services={services.filter((service) => !isListed(service))} />
      {listed.length === 0 ? null : (
        <Folded
          title={`${listed.length > MOST_LISTED ? counted(listed.length, 'service') : allOf(listed.map(({ description }) => description))}: list minimum and divisor`}
        >
          <ServiceTable services={listed} />
        </Folded>
      )}
    </Part>
  );
};

/** What is the same for all services is said once, or not at all if it is the list's. */
const ServiceTable = ({ services }: { readonly services: readonly Service[] }) => {
  const [first, ...others] = services;
  if (first === undefined) return null;
  const divisorOf = (one: Service): string =>
    JSON.stringify([one.dimensionalFactor, one.listDimensionalFactor, one.dimensionalOverCubicIn, one.secondDivisor]);
  const isOneDivisor = others.length > 0 && others.every((one) => divisorOf(one) === divisorOf(first));
  const isListMinimum = services.every(({ minimumAs }) => minimumAs.length === 0);
  return (
    <>
      {isOneDivisor ? <Facts of={[[`Divisor of all ${services.length} services`, <Divisor {...first} />]]} /> : null}
      <Rows
        caption="Minimum charges and divisors by service"
        of={services}
        keyOf={({ shippingService }) => shippingService}
        cards
        cols={[
          [
            'Service',
            ({ shippingService, description }) => <Named name={description} text={shippingService} />,
            'head',
          ],
          ['Minimum charge', Minimum, 'number'],
          !isListMinimum && [
            'Set as',
            ({ minimumAs }) => (minimumAs.length === 0 ? 'same as list' : <MinimumLines of={minimumAs} />),
          ],
          !isOneDivisor && ['Divisor', Divisor, 'number'],
          services.some(({ rateCapPercent }) => rateCapPercent !== null) && [
            'Rate cap',
            ({ rateCapPercent }) =>
              rateCapPercent === null ? '—' : `at most ${rateCapPercent}% above last year’s net`,
          ],
          services.some(({ ownRates }) => ownRates) && ['Rates', ({ ownRates }) => (ownRates ? 'its own' : 'list')],
        ]}
      />
    </>
  );
};

/** An agreement's multiweight prices, with a table for each service. */
const WholePrices = ({ agreement: { services } }: Props) => {
  const own = services.flatMap(({ shippingService, description, multiweight }) =>
    multiweight === null ? [] : [{ shippingService, description, ...multiweight }],
  );
  if (own.length === 0) return null;
  return (
    <Part
      title="Agreed multiweight prices"
      lead="They apply to several packages that are rated as one shipment, if that costs less. They are net: only discounts on shipments that are rated as a whole come off."
    >
      {own.map(({ shippingService, description, minimumTotalLb, minimumAverageLb, perLb, zones, breaks }) => (
        <Table
          key={shippingService}
          dense
          cards
          caption={`${description}: price per ${perLb === 1 ? 'pound' : `${perLb} pounds`} of ${minimumTotalLb} lb or more, each package counted as at least ${minimumAverageLb} lb`}
          rows={breaks}
          keyOf={({ fromLb }) => fromLb}
          cols={[
            ['From', ({ fromLb }) => `${count(fromLb)} lb`, 'head number'],
            ...zones.map((zone, at): Col<(typeof breaks)[number]> => {
              const priceOf = ({ usd }: (typeof breaks)[number]) => (usd[at] == null ? '—' : money(usd[at]));
              return [`Zone ${zone}`, priceOf, 'number'];
            }),
          ]}
        />
      ))}
    </Part>
  );
};

const PER = { package: '', pound: ' per pound', shipment: ' per shipment', declaredValue: '', percent: '' } as const;

const amountText = (range: Surcharge['list'], per: Surcharge['per']): string => {
  if (range === null) return 'by declared value';
  const text = (amount: number): string => (per === 'percent' ? `${amount}%` : money(amount));
  const { least, most } = range;
  return `${least === most ? text(least) : `${text(least)} to ${text(most)}`}${PER[per]}`;
};

const Pays = ({ billed, per }: Surcharge) =>
  billed !== null && billed.most === 0 ? <Waived /> : <strong>{amountText(billed, per)}</strong>;

const discountTitle = (pays: string): string => (pays === 'You pay' ? 'Your discount' : 'Discount');

const Surcharges = ({ agreement }: Props) => {
  const pays = useContext(PaysContext);
  return (
    <TermTable
      title={agreement.surcharges.length === 0 ? 'Surcharges' : 'Surcharges that differ from the list price'}
      lead={`Amounts are per package, unless they say otherwise. A range of amounts depends on the zone.${highestText(agreement.surcharges)}`}
      caption="Surcharges by list price and agreement"
      cards
      empty={<p>All are at the list price. The rate card has them.</p>}
      of={agreement.surcharges}
      cols={[
        [
          'Surcharge',
          ({ type, description, because }) => {
            const name = chargeTitle(type, description);
            return <Named name={name} text={conditionText(name, because)} />;
          },
          'head',
        ],
        ['List price', ({ list, per }) => amountText(list, per), 'number'],
        [pays, Pays, 'number'],
        ['Service', ({ services }) => servicesText(services, agreement)],
        [discountTitle(pays), ({ changes }) => changesText(changes)],
      ]}
    />
  );
};

const isFuelFee = ({ fee }: Fee): boolean => isFuelType(fee);

/** The agreement's terms for fees that are in no price here. */
const Fees = ({ agreement: { fees, ...agreement } }: Props) => {
  const title = discountTitle(useContext(PaysContext));
  return (
    <>
      {fees.filter(isFuelFee).map((fee) => (
        <Notice key={JSON.stringify(fee)} kind="info" title={`The tariff has no fuel rate on ${dayOf(agreement.date)}`}>
          <p>
            Fuel by the agreement: {changesText([fee.change])}, for {servicesText(fee.services, agreement)}. It applies
            on days with a fuel rate.
          </p>
        </Notice>
      ))}
      <TermTable
        title="Fees outside the tariff"
        lead="The carrier may bill these fees. Quotes do not include them, because they are not in the tariff."
        caption="Fees that the tariff does not have"
        of={fees.filter((fee) => !isFuelFee(fee))}
        cards
        cols={[
          ['Fee', ({ fee }) => chargeTitle(fee), 'head'],
          ['Service', ({ services }) => servicesText(services, agreement)],
          [title, ({ change }) => changesText([change])],
        ]}
      />
    </>
  );
};

const Notes = ({ agreement: { notes } }: Props) => (
  <TermTable
    title="Notes"
    lead="Terms of the agreement other than prices. Quotes do not include them."
    caption="Notes on the agreement"
    of={notes}
    cards
    cols={[
      ['Topic', ({ topic }) => topic, 'head'],
      ['Text', ({ text }) => text],
    ]}
  />
);

const DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 4 };
/** Formats a fuel price, which has up to four decimals. */
const fuelPrice = (usd: number): string => `$${usd.toLocaleString('en-US', DIGITS)}`;

const bandText = ({ fromUsd, toUsd }: Agreement['fuelIndex'][number]): string =>
  toUsd === null ? `${fuelPrice(fromUsd)} and up` : `${fuelPrice(fromUsd)} to less than ${fuelPrice(toUsd)}`;

/** The fuel surcharge by fuel price. */
const FuelIndex = ({ agreement }: Props) => (
  <TermTable
    title="Agreed fuel rates by fuel price"
    caption="Agreed fuel rates by fuel price"
    of={agreement.fuelIndex}
    cards
    cols={[
      ['Service', ({ services }) => servicesText(services, agreement), 'head'],
      ['Price', (band) => `${band.index}: ${bandText(band)}`],
      ['Fuel', ({ percent }) => `${percent}%`, 'number'],
      [
        'In force',
        ({ inForce, price }) =>
          inForce && price !== null ? (
            <>
              {price.lastDay < agreement.date ? (
                <span class="mark warn">last known</span>
              ) : (
                <span class="mark good">in force</span>
              )}
              <span class="sub">
                {fuelPrice(price.usd)} from {dayOf(price.from)} to {dayOf(price.lastDay)}
              </span>
            </>
          ) : null,
      ],
    ]}
  />
);

const FuelRates = ({ agreement }: Props) => (
  <TermTable
    title="Agreed fuel rates"
    caption="Agreed fuel rates, instead of the list rates"
    of={agreement.fuel}
    cards
    cols={[
      ['Service', ({ services }) => servicesText(services, agreement), 'head'],
      ['From', ({ from }) => dayOf(from)],
      ['Until', ({ until }) => (until === null ? 'the next rate' : dayOf(until))],
      ['Fuel', ({ percent }) => `${percent}%`, 'number'],
    ]}
  />
);
