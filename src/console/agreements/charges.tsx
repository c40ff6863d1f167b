/** An agreement's terms in addition to discounts: minimum charges and divisors by service, surcharges, fuel, fees and notes. */
import { useContext } from 'preact/hooks';
import { isFuelType } from '../../rating/charges.ts';
import type { Agreement } from '../calls.ts';
import { Notice } from '../ui/feedback.tsx';
import { chargeTitle, count, counted, dayOf, money } from '../ui/format.ts';
import { Named, Rows, Waived } from '../ui/kit.tsx';
import { type Col, Table } from '../ui/table.tsx';
import { PaysContext } from './pays.ts';
import { billingText, changesText, conditionText, highestText, servicesText } from './words.ts';

type Service = Agreement['services'][number];
type Surcharge = Agreement['surcharges'][number];

const FOR = { any: '', residential: 'to a home: ', commercial: 'to a business: ' } as const;

type MinimumLine = Service['minimumAs'][number];

const minimumText = ({ zones, address, billing, minimum, value, zone, weightLb }: MinimumLine): string => {
  const to = `${zones === null ? '' : `zone ${zones.join(', ')}: `}${billing === null ? '' : `${billingText(billing).toLowerCase()}: `}${FOR[address]}`;
  if (minimum === 'usd') return `${to}${zones === null ? 'a fixed amount' : money(value)}`;
  const from = zone === 'own' ? 'its own zone' : `zone ${zone}`;
  const cell = zone === null ? 'the list’s minimum' : `the rate of ${from} at ${weightLb ?? 1} lb`;
  return `${to}${cell}, less ${minimum === 'less usd' ? money(value) : `${value}%`}`;
};

const Minimum = ({ minimumCharge: { residential, commercial }, minimumAs }: Service) => {
  const from = minimumAs.some(({ zones, zone }) => zones !== null || zone === 'own') ? 'from ' : '';
  return residential === commercial ? (
    <>
      {from}
      <strong>{money(commercial)}</strong>
    </>
  ) : (
    <>
      {from}
      <strong>{money(commercial)}</strong> to a business
      <br />
      {from}
      <strong>{money(residential)}</strong> to a home
    </>
  );
};

const Divisor = ({ dimensionalFactor, listDimensionalFactor, dimensionalOverCubicIn, secondDivisor }: Service) => (
  <>
    {dimensionalFactor === listDimensionalFactor ? (
      count(dimensionalFactor)
    ) : (
      <strong>{count(dimensionalFactor)}</strong>
    )}
    {dimensionalFactor === listDimensionalFactor ? null : <span class="sub">list: {count(listDimensionalFactor)}</span>}
    {secondDivisor === null ? null : (
      <span class="sub">
        <strong>{count(secondDivisor.dimensionalFactor)}</strong> {secondDivisor.over}
      </span>
    )}
    {dimensionalOverCubicIn > 0 ? <span class="sub">only over {count(dimensionalOverCubicIn)} cu in</span> : null}
  </>
);

/** Whether the agreement keeps the list's minimum charge, divisor and rates. */
const isListed = (service: Service): boolean =>
  service.minimumAs.length === 0 &&
  service.dimensionalFactor === service.listDimensionalFactor &&
  service.dimensionalOverCubicIn === service.listDimensionalOverCubicIn &&
  service.secondDivisor === null &&
  service.rateCapPercent === null &&
  !service.ownRates;

/** Services with the list's terms are folded. */
export const ServiceTerms = ({ agreement: { services } }: { readonly agreement: Agreement }) => {
  const changed = services.filter((service) => !isListed(service));
  const listed = services.filter(isListed);
  return (
    <section class="stack">
      <h3>Minimum charge and billing weight</h3>
      <p class="hint">
        Discounts never bring a package below its minimum charge, before surcharges. The divisor turns a package’s size
        into its dimensional weight.
      </p>
      <ServiceTable services={changed} />
      {listed.length === 0 ? null : (
        <details>
          <summary>{counted(listed.length, 'service')} at the list minimum and divisor</summary>
          <ServiceTable services={listed} />
        </details>
      )}
    </section>
  );
};

const ServiceTable = ({ services }: { readonly services: readonly Service[] }) => (
  <Rows
    caption="Minimum charges and divisors by service"
    of={services}
    keyOf={({ shippingService }) => shippingService}
    cards
    cols={[
      ['Service', ({ shippingService, description }) => <Named name={description} text={shippingService} />, 'head'],
      ['Minimum charge', Minimum, 'number'],
      ['List minimum', ({ listMinimumCharge }) => money(listMinimumCharge), 'number'],
      [
        'How it is set',
        ({ minimumAs }) => (minimumAs.length === 0 ? 'same as list' : minimumAs.map(minimumText).join('; ')),
      ],
      ['Divisor', Divisor, 'number'],
      services.some(({ rateCapPercent }) => rateCapPercent !== null) && [
        'Rate cap',
        ({ rateCapPercent }) => (rateCapPercent === null ? '—' : `at most ${rateCapPercent}% above last year’s net`),
      ],
      services.some(({ ownRates }) => ownRates) && ['Rates', ({ ownRates }) => (ownRates ? 'its own' : 'list')],
    ]}
  />
);

/** An agreement's multiweight prices, with a table for each service. */
export const WholePrices = ({ agreement: { services } }: { readonly agreement: Agreement }) => {
  const own = services.flatMap(({ shippingService, description, multiweight }) =>
    multiweight === null ? [] : [{ shippingService, description, ...multiweight }],
  );
  if (own.length === 0) return null;
  return (
    <section class="stack">
      <h3>Agreed multiweight prices</h3>
      <p class="hint">
        They apply to several packages that are rated as one shipment, if that costs less. They are net: only discounts
        on shipments that are rated as a whole come off.
      </p>
      {own.map(({ shippingService, description, minimumTotalLb, minimumAverageLb, perLb, zones, breaks }) => (
        <Table
          key={shippingService}
          dense
          caption={`${description}: price per ${perLb === 1 ? 'pound' : `${perLb} pounds`} of ${minimumTotalLb} lb or more, each package counted as at least ${minimumAverageLb} lb`}
          rows={breaks}
          keyOf={({ fromLb }) => fromLb}
          cols={[
            ['From lb', ({ fromLb }) => count(fromLb), 'head number'],
            ...zones.map((zone, at): Col<(typeof breaks)[number]> => {
              const priceOf = ({ usd }: (typeof breaks)[number]) => (usd[at] == null ? '—' : money(usd[at]));
              return [`Zone ${zone}`, priceOf, 'number'];
            }),
          ]}
        />
      ))}
    </section>
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

export const Surcharges = ({ agreement }: { readonly agreement: Agreement }) => {
  const pays = useContext(PaysContext);
  return (
    <section class="stack">
      <h3>Surcharges that differ from the list price</h3>
      <p class="hint">
        Amounts are per package, unless they say otherwise. A range of amounts depends on the zone.
        {highestText(agreement.surcharges)}
      </p>
      <Rows
        caption="Surcharges by list price and agreement"
        cards
        empty={<p class="hint">There are none.</p>}
        of={agreement.surcharges}
        keyOf={({ type, description, services, because }) => JSON.stringify([type, description, services, because])}
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
    </section>
  );
};

type Fee = Agreement['fees'][number];

const isFuelFee = ({ fee }: Fee): boolean => isFuelType(fee);

/** The agreement's terms for fees that are in no price here. */
export const Fees = ({ agreement: { fees, ...agreement } }: { readonly agreement: Agreement }) => {
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
      {fees.every(isFuelFee) ? null : (
        <section class="stack">
          <h3>Fees outside the tariff</h3>
          <p class="hint">
            The carrier may bill these fees. Quotes do not include them, because they are not in the tariff.
          </p>
          <Rows
            caption="Fees that the tariff does not have"
            of={fees.filter((fee) => !isFuelFee(fee))}
            keyOf={(fee) => JSON.stringify(fee)}
            cards
            cols={[
              ['Fee', ({ fee }) => chargeTitle(fee), 'head'],
              ['Service', ({ services }) => servicesText(services, agreement)],
              [title, ({ change }) => changesText([change])],
            ]}
          />
        </section>
      )}
    </>
  );
};

export const Notes = ({ agreement: { notes } }: { readonly agreement: Agreement }) =>
  notes.length === 0 ? null : (
    <section class="stack">
      <h3>Notes</h3>
      <p class="hint">Terms of the agreement other than prices. Quotes do not include them.</p>
      <Rows
        caption="Notes on the agreement"
        of={notes}
        keyOf={(note) => JSON.stringify(note)}
        cards
        cols={[
          ['Topic', ({ topic }) => topic, 'head'],
          ['Text', ({ text }) => text],
        ]}
      />
    </section>
  );

const DIGITS = { minimumFractionDigits: 2, maximumFractionDigits: 4 };
/** Formats a fuel price, which has up to four decimals. */
const fuelPrice = (usd: number): string => `$${usd.toLocaleString('en-US', DIGITS)}`;

const bandText = ({ fromUsd, toUsd }: Agreement['fuelIndex'][number]): string =>
  toUsd === null ? `${fuelPrice(fromUsd)} and up` : `${fuelPrice(fromUsd)} to less than ${fuelPrice(toUsd)}`;

/** The fuel surcharge by fuel price. */
export const FuelIndex = ({ agreement }: { readonly agreement: Agreement }) =>
  agreement.fuelIndex.length === 0 ? null : (
    <section class="stack">
      <h3>Agreed fuel rates by fuel price</h3>
      <Rows
        caption="Agreed fuel rates by fuel price"
        of={agreement.fuelIndex}
        keyOf={({ services, fromUsd }) => JSON.stringify([services, fromUsd])}
        cols={[
          ['Service', ({ services }) => servicesText(services, agreement), 'head'],
          ['Price', (band) => `${band.index}: ${bandText(band)}`],
          ['Fuel', ({ percent }) => `${percent}%`, 'number'],
          [
            'In force',
            ({ inForce, price }) =>
              inForce && price !== null ? (
                <>
                  <span class="mark good">in force</span>
                  <span class="sub">
                    {fuelPrice(price.usd)} from {dayOf(price.from)} to {dayOf(price.lastDay)}
                  </span>
                </>
              ) : null,
          ],
        ]}
      />
    </section>
  );

export const FuelRates = ({ agreement }: { readonly agreement: Agreement }) =>
  agreement.fuel.length === 0 ? null : (
    <section class="stack">
      <h3>Agreed fuel rates</h3>
      <Rows
        caption="Agreed fuel rates, instead of the list rates"
        of={agreement.fuel}
        keyOf={({ services, from }) => JSON.stringify([services, from])}
        cols={[
          ['Service', ({ services }) => servicesText(services, agreement), 'head'],
          ['From', ({ from }) => dayOf(from)],
          ['Until', ({ until }) => (until === null ? 'the next rate' : dayOf(until))],
          ['Fuel', ({ percent }) => `${percent}%`, 'number'],
        ]}
      />
    </section>
  );
