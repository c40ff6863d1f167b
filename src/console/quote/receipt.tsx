/** A quote as a receipt: every charge with its reason, down to the total. */
import { count, money } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { warningTitle } from '../warning-guide.ts';
import { chargesOf, type Group, type Quote, zoneText } from './charges.ts';

/** More packages than these are folded away, so that the total stays in sight. */
const OPEN_PACKAGES = 4;

const Lines = ({ group }: { readonly group: Group }) => (
  <table class="receipt-lines">
    <caption class="visually-hidden">{`${group.title}: charges in US dollars`}</caption>
    <thead class="visually-hidden">
      <tr>
        <th scope="col">Charge and its reason</th>
        <th scope="col">Amount</th>
      </tr>
    </thead>
    <tbody>
      {group.lines.map(({ label, reason, amount }) => (
        <tr key={`${label} ${reason}`}>
          <th scope="row">
            {label}
            {reason === '' ? null : <span class="receipt-reason">{reason}</span>}
          </th>
          <td>{amount === undefined ? '—' : money(amount)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const sumOf = ({ lines }: Group): number =>
  lines.reduce((cents, { amount = 0 }) => cents + Math.round(100 * amount), 0) / 100;

const GroupOfCharges = ({ group, isFolded }: { readonly group: Group; readonly isFolded: boolean }) => {
  const content = (
    <>
      <p class="receipt-reason">{group.reason}</p>
      <Lines group={group} />
    </>
  );
  if (!isFolded)
    return (
      <section class="receipt-group">
        <h3>{group.title}</h3>
        {content}
      </section>
    );
  return (
    <details class="receipt-group">
      <summary>
        <span>{group.title}</span>
        <span>{money(sumOf(group))}</span>
      </summary>
      {content}
    </details>
  );
};

export const Receipt = ({ quote }: { readonly quote: Quote }) => {
  const { shippingService, carrier, totalNetCharge, rateType, tariff, shipmentDetail } = quote;
  const groups = chargesOf(quote);
  const { value, units } = shipmentDetail.totalBillingWeight;
  return (
    <article class="receipt" aria-label={`Receipt of ${shippingService}`}>
      <header class="receipt-head">
        <p>
          <strong>{shippingService}</strong> by {carrier}
        </p>
        <p class="receipt-total">{money(totalNetCharge)}</p>
      </header>
      <p class="receipt-reason">
        {zoneText(quote)}. Billed at {count(value)} {units},{' '}
        {rateType === 'LIST' ? 'at list rates' : 'at the account’s rates'}, by the tariff {tariff}.
      </p>
      {(quote.warnings ?? []).map(({ type, message }) => (
        <Notice key={type} kind="warning" announced={false} title={warningTitle(type)}>
          <p>{message}</p>
        </Notice>
      ))}
      {groups.map((group) => (
        <GroupOfCharges key={group.title} group={group} isFolded={groups.length > OPEN_PACKAGES} />
      ))}
      <p class="receipt-sum">
        <span>Total to pay, {shipmentDetail.currency}</span>
        <span>{money(totalNetCharge)}</span>
      </p>
    </article>
  );
};
