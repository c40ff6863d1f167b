/** Whether rows are lines of orders: what the list seems to contain, and the choice. */
import { NO_COLUMN } from '../../lists/columns/orders.ts';
import type { Preview } from '../calls.ts';
import { Button, Select } from '../ui/controls.tsx';
import { Notice } from '../ui/feedback.tsx';
import { counted } from '../ui/format.ts';
import { usePreviewed } from './list-work.ts';
import { namesIn } from './mapping-words.ts';

type Found = NonNullable<Preview['orders']>;

/** Formats `500 rows belong to 400 orders`. */
const belonging = ({ rows, orders }: Found, { estimate }: Preview): string => {
  const which = estimate.exact ? counted(rows, 'row') : `The first ${counted(rows, 'row')}`;
  return `${which} ${rows === 1 ? 'belongs' : 'belong'} to ${counted(orders, 'order')}`;
};

const Quantity = ({ found }: { readonly found: Found }) => {
  const { preview, options, choose } = usePreviewed();
  const names = namesIn(preview).filter((name) => name !== '' && name !== found.column);
  return (
    <Select
      label="The weight of a row counts"
      value={options.item_quantity === '' ? (found.quantity ?? NO_COLUMN) : options.item_quantity}
      options={[
        { value: NO_COLUMN, label: 'Once' },
        ...names.map((name) => ({ value: name, label: `Times “${name}”` })),
      ]}
      onChange={(quantity) => choose({ item_quantity: quantity })}
    />
  );
};

export const Orders = () => {
  const { preview, options, choose } = usePreviewed();
  const { orders: found } = preview;
  const join = (orders: string): void => choose({ orders, item_quantity: '' });
  if (found === null)
    return options.orders === NO_COLUMN ? (
      <p class="split">
        Each row is priced separately, even if several rows have the same order number.
        <Button onClick={() => join('')}>Undo</Button>
      </p>
    ) : null;
  if (!found.isJoined)
    return (
      <Notice kind="warning" announced={false} title={`${belonging(found, preview)} by “${found.column}”`}>
        <p>Each row is now priced as a separate shipment. Are the rows of an order one shipment?</p>
        <p class="actions">
          <Button kind="primary" onClick={() => join(found.column)}>
            Price each order as one shipment
          </Button>
          <Button onClick={() => join(NO_COLUMN)}>Each row is a shipment</Button>
        </p>
      </Notice>
    );
  return (
    <details>
      <summary>
        {belonging(found, preview)}: they are priced as {counted(found.orders, 'shipment')}
      </summary>
      <div class="stack small">
        <p class="hint">
          “{found.column}” is the order number. The weight of an order is the sum of its rows. The first row of an order
          gets the price.
        </p>
        <div class="fields">
          <Quantity found={found} />
          <Button onClick={() => join(NO_COLUMN)}>Price each row separately</Button>
        </div>
      </div>
    </details>
  );
};
